"""Who somebody is at the command line: tokens, kept in a file that only its owner can read."""

from __future__ import annotations

import getpass
import json
import os
from pathlib import Path
from typing import Any

import click

from fliptable_api.client import Client, ClientError, Denied

MAX_NAME = 40
SIGN_IN = """mutation($name: String!) {
  signInAsGuest(input: {name: $name}) { token player { name } }
}"""


def token_file() -> Path:
    """Where tokens are kept."""
    return Path(click.get_app_dir("fliptable")) / "tokens.json"


class Tokens:
    """The kept tokens, by server and name, and which name was used last at each server."""

    def __init__(self, path: Path) -> None:
        """A file that is missing or spoilt counts as empty."""
        self.path = path
        try:
            kept = json.loads(path.read_text())
            self._servers: dict[str, dict[str, Any]] = {
                server: {
                    "last": str(entry["last"]),
                    "tokens": {str(k): str(v) for k, v in entry["tokens"].items()},
                }
                for server, entry in kept.items()
            }
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            self._servers = {}

    def find(self, server: str, name: str | None) -> tuple[str, str] | None:
        """The name and token to use at a server: of that name, or the last one that was used."""
        entry = self._servers.get(server)
        if entry is None:
            return None
        wanted = entry["last"] if name is None else name
        token = entry["tokens"].get(wanted)
        return None if token is None else (wanted, token)

    def keep(self, server: str, name: str, token: str) -> None:
        """Keep a token, as the one that was used last. Errors: OSError."""
        entry = self._servers.setdefault(server, {"last": name, "tokens": {}})
        entry["last"] = name
        entry["tokens"][name] = token
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        fresh = self.path.with_suffix(f".{os.getpid()}")
        fresh.unlink(missing_ok=True)
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            json.dump(self._servers, file, indent=2)
        fresh.replace(self.path)


async def sign_in(client: Client, token: str | None, name: str | None, path: Path | None = None) -> str:
    """Make the client somebody, a known player or a new guest; what they are called.

    ``path`` is the file of the kept tokens. Errors: ClientError.
    """
    if token is not None:
        client.token = token
        player = (await client.ask("{ me { name } }"))["me"]
        return str(player["name"])
    tokens = Tokens(path or token_file())
    known = tokens.find(client.url, name)
    if known is not None:
        client.token = known[1]
        try:
            player = (await client.ask("{ me { name } }"))["me"]
            _keep(tokens, client.url, *known)
            return str(player["name"])
        except Denied:
            # A server that kept nothing was started anew.
            client.token = None
    wanted = name or (known[0] if known else _login_name())
    payload = (await client.ask(SIGN_IN, name=wanted))["signInAsGuest"]
    client.token = payload["token"]
    _keep(tokens, client.url, wanted, payload["token"])
    return str(payload["player"]["name"])


def _keep(tokens: Tokens, server: str, name: str, token: str) -> None:
    try:
        tokens.keep(server, name, token)
    except OSError as error:
        message = f"the token cannot be kept in {tokens.path} ({error.strerror}); give --token instead"
        raise ClientError(message) from None


def _login_name() -> str:
    try:
        login = " ".join(getpass.getuser().split())
    except (OSError, KeyError, ImportError):
        login = ""
    return login[:MAX_NAME] if login.isprintable() and login else "Guest"
