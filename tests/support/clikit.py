"""Running commands of `fliptable` in the test's own process, against a server in memory."""

from __future__ import annotations

import json
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from click.testing import CliRunner, Result
from serverkit import SIGN_IN

from fliptable_api.cli import main


def listen_to_ctrl_c() -> None:
    """A shell has what it runs in the background ignore Ctrl-C, and programs inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@dataclass(frozen=True)
class Cli:
    """The command line of somebody, with a folder of their own for what it keeps."""

    home: Path
    server: str = "http://127.0.0.1:9"

    def __call__(self, *arguments: str, input: str | None = None, **environment: str | None) -> Result:
        """Run a command; it never ends with a traceback."""
        env = {
            "XDG_CONFIG_HOME": str(self.home),
            "FLIPTABLE_SERVER": self.server,
            "FLIPTABLE_TOKEN": None,
            **environment,
        }
        result = CliRunner().invoke(main, list(arguments), input=input, env=env)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert "Traceback" not in result.output
        return result

    @property
    def tokens(self) -> Path:
        return self.home / "fliptable" / "tokens.json"

    def ask(self, document: str, token: str | None = None, **variables: Any) -> dict[str, Any]:
        """The data of a query or mutation, past the command line."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        sent = {"query": document, "variables": variables}
        answer = httpx.post(f"{self.server}/graphql", json=sent, headers=headers, timeout=30).json()
        assert "errors" not in answer, json.dumps(answer["errors"])
        data: dict[str, Any] = answer["data"]
        return data

    def sign_in(self, name: str = "Ann") -> str:
        """The token of a new player."""
        token: str = self.ask(SIGN_IN, n=name)["signInAsGuest"]["token"]
        return token
