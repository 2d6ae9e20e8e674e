"""Who somebody is at the command line: tokens, kept in a file that only its owner can read."""

from __future__ import annotations

import asyncio
import getpass
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from fliptable_api.client import Client, ClientError, Denied, Expired, ServerError, Unreachable

MAX_NAME = 40
LOOK_AGAIN = 60.0
"""Seconds after which it is looked again whether a token is due: a machine may have slept meanwhile."""
TRY_AGAIN = 5.0
"""Seconds between two tries to renew a token."""
SIGN_IN = """mutation($name: String!) {
  signInAsGuest(input: {name: $name}) { token expiresAt player { name } }
}"""
_RENEW = "mutation { renewToken { token expiresAt } }"


def token_file() -> Path:
    """Where tokens are kept."""
    return Path(click.get_app_dir("fliptable")) / "tokens.json"


class Tokens:
    """The kept tokens, by server and name, and which name was used last at each server."""

    def __init__(self, path: Path) -> None:
        """A file that is missing or spoilt counts as empty."""
        self.path = path
        self._servers: dict[str, dict[str, Any]] = {}
        self._read()

    def _read(self) -> None:
        """Others may have written since, who are signed in at another terminal: before each change."""
        try:
            kept = json.loads(self.path.read_text())
            self._servers = {
                server: {
                    "last": str(entry["last"]),
                    "tokens": {str(k): str(v) for k, v in entry["tokens"].items()},
                    "renew": {str(k): str(v) for k, v in entry.get("renew", {}).items()},
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

    def keep(self, server: str, name: str, token: str, expires_at: str | None = None) -> None:
        """Keep a token, as the one that was used last, and when it is to be renewed. Errors: OSError."""
        self._take(server, name, token, expires_at)
        self._servers[server]["last"] = name
        self._write()

    def replace(self, server: str, name: str, token: str, expires_at: str | None) -> None:
        """Keep another token of the same player, whoever was used last. Errors: OSError."""
        self._take(server, name, token, expires_at)
        self._write()

    def _take(self, server: str, name: str, token: str, expires_at: str | None) -> None:
        self._read()
        entry = self._servers.setdefault(server, {"last": name, "tokens": {}, "renew": {}})
        entry["tokens"][name] = token
        entry["renew"].pop(name, None)
        if expires_at is not None:
            # With half of its time left, so that whoever comes back now and then is never too late.
            now = datetime.now(UTC)
            entry["renew"][name] = (now + (datetime.fromisoformat(expires_at) - now) / 2).isoformat()

    def seconds_left(self, server: str, name: str) -> float | None:
        """How long the token of that name need not be renewed; None if it never has to be."""
        try:
            due = datetime.fromisoformat(self._servers[server]["renew"][name])
            return (due - datetime.now(UTC)).total_seconds()
        except (KeyError, ValueError, TypeError):
            return None

    def is_due(self, server: str, name: str) -> bool:
        """Whether the token of that name is to be renewed."""
        left = self.seconds_left(server, name)
        return left is not None and left <= 0

    def use(self, server: str, name: str) -> None:
        """Take a name down as the one that was used last. Errors: OSError."""
        self._read()
        if server in self._servers:
            self._servers[server]["last"] = name
            self._write()

    def _write(self) -> None:
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
        except Denied as error:
            # Otherwise, a server that kept nothing was started anew.
            if isinstance(error, Expired):
                click.echo(f"The token of {known[0]} has expired, so you are a new player.", err=True)
            client.token = None
        else:
            with _kept(tokens):
                tokens.use(client.url, known[0])
            if tokens.is_due(client.url, known[0]):
                await _renew(client, tokens, known[0])
            return str(player["name"])
    wanted = name or (known[0] if known else _login_name())
    payload = (await client.ask(SIGN_IN, name=wanted))["signInAsGuest"]
    client.token = payload["token"]
    with _kept(tokens):
        tokens.keep(client.url, wanted, payload["token"], payload["expiresAt"])
    return str(payload["player"]["name"])


async def stay_signed_in(client: Client, path: Path | None = None) -> None:
    """Renew the kept token that the client has whenever that is due, until there is nothing to renew.

    ``path`` is the file of the kept tokens. Errors: ClientError.
    """
    known = Tokens(path or token_file()).find(client.url, None)
    if known is None or known[1] != client.token:
        return
    name = known[0]
    while True:
        # Others at this file may have renewed it, or kept tokens of other players.
        tokens = Tokens(path or token_file())
        kept = tokens.find(client.url, name)
        left = tokens.seconds_left(client.url, name)
        if kept is None or left is None:
            return
        client.token = kept[1]
        if left > 0:
            await asyncio.sleep(min(left, LOOK_AGAIN))
        elif not await _renew(client, tokens, name):
            await asyncio.sleep(TRY_AGAIN)


async def _renew(client: Client, tokens: Tokens, name: str) -> bool:
    """Have another token for the same player; if that fails, the one there is has half of its time left."""
    with suppress(ServerError, Unreachable):
        payload = (await client.ask(_RENEW))["renewToken"]
        client.token = payload["token"]
        with _kept(tokens):
            tokens.replace(client.url, name, payload["token"], payload["expiresAt"])
        return True
    return False


@contextmanager
def _kept(tokens: Tokens) -> Iterator[None]:
    """Errors: ClientError when the file of the tokens cannot be written."""
    try:
        yield
    except OSError as error:
        message = f"the token cannot be kept in {tokens.path} ({error.strerror}); give --token instead"
        raise ClientError(message) from None


def _login_name() -> str:
    try:
        login = " ".join(getpass.getuser().split())
    except (OSError, KeyError, ImportError):
        login = ""
    return login[:MAX_NAME] if login.isprintable() and login else "Guest"
