"""Real server processes, and clients that talk to them over real sockets."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket as sockets
import ssl
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Self

import httpx
from nursery import Fork, Nursery
from websockets.asyncio.client import ClientConnection, connect

PATIENCE = 60.0
"""Seconds that a server may take to start or end: far more than it ever needs."""

TABLE = """fragment T on Table {
  id code version status toAct mySeat overReason
  seats { index name score connected local player { id name } }
  run { __typename overReason }
  round { __typename number status toAct outcome { seats { result points reason } }
    ... on CallItRound { target hands { seat status flips cards { text } universes { sum status } } } }
  legalMoves { seat name input fields { name path type min max choices } }
  fairness { algorithm shuffles { number commitment seed size cards } }
}"""
UPDATE = TABLE + "fragment U on TableUpdate { version at events { __typename seat text } table { ...T } }"
CREATE = (
    "mutation ($i: CreateTableInput!) { createTable(input: $i) { __typename "
    "... on TableOpened { update { ...U } table { ...T } } ... on Refusal { code message field } } }" + UPDATE
)
PLAY = (
    "mutation ($i: PlayMoveInput!) { playMove(input: $i) { __typename "
    "... on MovePlayed { update { ...U } table { ...T } } "
    "... on Refusal { code message field at: table { version } legalMoves { input } } } }" + UPDATE
)
JOIN = (
    "mutation ($i: JoinTableInput!) { joinTable(input: $i) { __typename "
    "... on TableJoined { table { ...T } } ... on Refusal { code message field } } }" + TABLE
)
START = (
    "mutation ($i: StartTableInput!) { startTable(input: $i) { __typename "
    "... on SessionStarted { table { ...T } } ... on Refusal { code message field } } }" + TABLE
)
SIGN_IN = "mutation ($n: String!) { signInAsGuest(input: {name: $n}) { token player { id name } } }"
READ = "query ($i: ID!) { table(id: $i) { ...T } }" + TABLE
REPLAY = (
    "query ($i: ID!, $a: String) { table(id: $i) { updates(first: 100, after: $a) "
    "{ nodes { ...U } pageInfo { hasNextPage endCursor } } } }" + UPDATE
)
FOLLOW = "subscription ($i: ID!, $a: Int) { tableUpdates(tableId: $i, after: $a) { ...U } }" + UPDATE

_TLS = ssl.create_default_context()  # made once: it reads every certificate of the machine
_LISTENING = re.compile(r"Fliptable is listening at http://[^:]+:(\d+)/graphql")


class ServerEnded(Exception):
    """A server did not come up; the message has its log."""


class Server:
    """A ``fliptable serve`` process. It may be started again after it has ended, on the same port."""

    def __init__(self, folder: Path, *arguments: str, **environment: str) -> None:
        """Its log goes into ``folder``; ``arguments`` and ``environment`` are the command's."""
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.arguments = list(arguments)
        self.environment = {
            "FLIPTABLE_STRICT_PLUGINS": "true",
            **{name: value for name, value in os.environ.items() if not name.startswith("FLIPTABLE_")},
            **environment,
        }
        self.port = 0
        self.process: subprocess.Popen[bytes] | Fork | None = None
        self.nursery: Nursery | None = None
        self._log = folder / "server.log"
        self._read_from = 0

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return self.base + "/graphql"

    @property
    def socket_url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/graphql"

    @property
    def log(self) -> str:
        return self._log.read_text(errors="replace") if self._log.exists() else ""

    @property
    def alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def launch(self) -> Self:
        """Start the process without waiting for it."""
        self._read_from = len(self.log)
        arguments = ["serve", "--port", str(self.port), *self.arguments]
        if self.nursery is not None:
            self.process = self.nursery.fork(arguments, self.environment, self._log)
            return self
        command = [sys.executable, "-m", "fliptable_api", *arguments]
        with self._log.open("ab") as output:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=self.environment
            )
        return self

    def wait_until_up(self) -> Self:
        """Wait until it answers. Errors: ServerEnded."""
        deadline = time.monotonic() + PATIENCE
        while self.port == 0 or not answers(self.base):
            found = _LISTENING.search(self.log, self._read_from)
            if found:
                self.port = int(found[1])
            if not self.alive:
                raise ServerEnded(self.log[self._read_from :])
            if time.monotonic() > deadline:
                raise ServerEnded(f"not up in {PATIENCE} s:\n{self.log}")
            time.sleep(0.02)
        return self

    def start(self) -> Self:
        """Start the process and wait until it answers."""
        return self.launch().wait_until_up()

    def kill(self) -> None:
        """Kill it at once, as a crash would."""
        if self.process is not None:
            self.process.kill()
            self.process.wait(PATIENCE)

    def stop(self) -> int:
        """Stop it as Ctrl-C would; its exit status."""
        assert self.process is not None
        if self.alive:
            self.process.send_signal(signal.SIGINT)
        return self.process.wait(PATIENCE)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        try:
            if self.alive:
                self.stop()
        finally:
            self.kill()


def free_port() -> int:
    """A port of this machine that nobody uses at the moment."""
    with sockets.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        return port


def answers(base: str) -> bool:
    """Whether a server says that it is ready."""
    try:
        return httpx.get(base + "/readyz", timeout=10, verify=_TLS).status_code == 200
    except httpx.TransportError:
        return False


class Answered(AssertionError):
    """A request got errors where none were expected."""


class Caller:
    """Somebody who asks a server, over HTTP. ``async with`` it."""

    def __init__(self, url: str | Callable[[], str], token: str | None = None) -> None:
        """``url`` may be a function, for a server that comes back at another port."""
        self._url = url if callable(url) else lambda: url
        self.token = token
        self.player = ""
        self.http = httpx.AsyncClient(timeout=60, verify=_TLS)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.aclose()

    @property
    def headers(self) -> dict[str, str]:
        return {} if self.token is None else {"authorization": f"Bearer {self.token}"}

    async def ask(self, document: str, **variables: Any) -> dict[str, Any]:
        """The whole JSON answer. Errors: httpx.TransportError when there is none."""
        sent = {"query": document, "variables": variables}
        answer = await self.http.post(self._url(), json=sent, headers=self.headers)
        payload: dict[str, Any] = answer.json()
        return payload

    async def data(self, document: str, **variables: Any) -> dict[str, Any]:
        """The data of an answer without errors."""
        payload = await self.ask(document, **variables)
        if payload.get("errors"):
            raise Answered(json.dumps(payload["errors"]))
        data: dict[str, Any] = payload["data"]
        return data

    async def sign_in(self, name: str = "Ann") -> Self:
        made = (await self.data(SIGN_IN, n=name))["signInAsGuest"]
        self.token, self.player = made["token"], made["player"]["id"]
        return self

    async def open(self, game: Mapping[str, Any] | None = None, **more: Any) -> dict[str, Any]:
        """A new table, by default of Call It and Flip for one."""
        answer = (await self.data(CREATE, i={"game": game or {"callIt": {}}, **more}))["createTable"]
        assert answer["__typename"] == "TableOpened", answer
        table: dict[str, Any] = answer["table"]
        return table

    async def move(self, table: str, move: Mapping[str, Any], **more: Any) -> dict[str, Any]:
        """What playMove answers: MovePlayed or Refusal."""
        answer: dict[str, Any] = (await self.data(PLAY, i={"tableId": table, "move": move, **more}))[
            "playMove"
        ]
        return answer

    async def table(self, table: str) -> dict[str, Any]:
        found: dict[str, Any] = (await self.data(READ, i=table))["table"]
        return found

    async def replay(self, table: str) -> list[dict[str, Any]]:
        """Every update of a table."""
        updates: list[dict[str, Any]] = []
        after = None
        while True:
            page = (await self.data(REPLAY, i=table, a=after))["table"]["updates"]
            updates += page["nodes"]
            if not page["pageInfo"]["hasNextPage"]:
                return updates
            after = page["pageInfo"]["endCursor"]


@asynccontextmanager
async def caller(url: str | Callable[[], str], name: str = "Ann") -> AsyncIterator[Caller]:
    """Somebody who has signed in."""
    async with Caller(url) as one:
        yield await one.sign_in(name)


CALL_31 = {"callIt": {"call": {"target": 31}}}
FLIP = {"callIt": {"flip": True}}


async def finish(player: Caller, table: str) -> dict[str, Any]:
    """Call 31 and flip until a table of Call It and Flip is over; the last answer."""
    answer = await player.move(table, CALL_31)
    while answer["__typename"] == "MovePlayed" and answer["table"]["status"] != "OVER":
        answer = await player.move(table, FLIP)
    assert answer["__typename"] == "MovePlayed", answer
    return answer


class Closed(Exception):
    """The server closed the WebSocket, with that code and reason."""

    def __init__(self, code: int | None, reason: str) -> None:
        super().__init__(code, reason)
        self.code, self.reason = code, reason


class Failed(Exception):
    """An operation ended with errors."""

    def __init__(self, errors: list[dict[str, Any]]) -> None:
        super().__init__(json.dumps(errors))
        self.errors = errors
        self.code = errors[0].get("extensions", {}).get("code")


class Socket:
    """A WebSocket that speaks graphql-transport-ws, one operation at a time unless raw."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self._ids = 0

    async def send(self, message: object) -> None:
        await self.connection.send(json.dumps(message))

    async def receive(self) -> dict[str, Any]:
        """The next message that is not a ping. Errors: Closed."""
        from websockets.exceptions import ConnectionClosed

        try:
            message: dict[str, Any] = json.loads(await self.connection.recv())
        except ConnectionClosed as error:
            received = error.rcvd
            raise Closed(received and received.code, received.reason if received else "") from None
        return message

    async def run(self, document: str, **variables: Any) -> AsyncIterator[dict[str, Any]]:
        """The payloads of an operation until it completes. Errors: Failed, Closed."""
        self._ids += 1
        id = str(self._ids)
        payload = {"query": document, "variables": variables}
        await self.send({"id": id, "type": "subscribe", "payload": payload})
        while True:
            message = await self.receive()
            if message.get("id") != id:
                continue
            if message["type"] == "complete":
                return
            if message["type"] == "error":
                raise Failed(message["payload"])
            yield message["payload"]

    async def follow(self, table: str, after: int | None = None) -> AsyncIterator[dict[str, Any]]:
        """The updates of a table. Errors: Failed, Closed."""
        async for payload in self.run(FOLLOW, i=table, a=after):
            if payload.get("errors"):
                raise Failed(payload["errors"])
            yield payload["data"]["tableUpdates"]


@asynccontextmanager
async def socket(url: str, token: str | None = None, **options: Any) -> AsyncIterator[Socket]:
    """An acknowledged WebSocket."""
    async with raw_socket(url, **options) as one:
        payload = {} if token is None else {"authorization": f"Bearer {token}"}
        await one.send({"type": "connection_init", "payload": payload})
        answer = await one.receive()
        assert answer["type"] == "connection_ack", answer
        yield one


@asynccontextmanager
async def raw_socket(url: str, **options: Any) -> AsyncIterator[Socket]:
    """A WebSocket before its first message."""
    options.setdefault("subprotocols", ["graphql-transport-ws"])
    options.setdefault("max_size", 2**24)
    async with connect(url, close_timeout=2, **options) as connection:
        yield Socket(connection)


async def eventually(check: Callable[[], Any], what: str, patience: float = 30.0) -> Any:
    """Wait until ``check`` (a function or coroutine function) gives something true; that."""
    deadline = time.monotonic() + patience
    while True:
        found = check()
        if asyncio.iscoroutine(found):
            found = await found
        if found:
            return found
        if time.monotonic() > deadline:
            raise AssertionError(f"not in {patience} s: {what}")
        await asyncio.sleep(0.02)


def metric(base: str, name: str) -> float:
    """A number that the server publishes."""
    text = httpx.get(base + "/metrics", timeout=30, verify=_TLS).text
    return float(next(line.split()[1] for line in text.splitlines() if line.startswith(name + " ")))
