"""A table in the terminal: what happens at it, and the moves of whoever sits here."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Coroutine
from enum import Enum
from typing import Any

from fliptable_api.cli.choosing import Choice, Chooser
from fliptable_api.cli.shapes import Shapes, lines_of
from fliptable_api.client import Client, ClientError, Denied, ServerError, is_passing

FOLLOW = """subscription($table: ID!, $after: Int) {
  tableUpdates(tableId: $table, after: $after) { version events { text } table { status } }
}"""
_MOVES = """legalMoves { seat name label input fields {
  name path type description min max choices list minItems maxItems } }"""
_TABLE = f"""id code version status overReason mySeat toAct host {{ id }} prompt {{ text }}
  seats {{ name taken score local }} {_MOVES} round {{ __typename }} run {{ __typename }}"""
PLAY = """mutation($input: PlayMoveInput!) { playMove(input: $input) {
  __typename ... on MovePlayed { update { version } } ... on Refusal { code message field }
} }"""
START = """mutation($table: ID!) { startTable(input: {tableId: $table}) {
  __typename ... on SessionStarted { update { version } } ... on Refusal { code message field }
} }"""

PAUSE = 0.3
"""Seconds between two tries to reach a server that is away."""
PATIENCE = 120.0
"""Seconds without the server after which playing ends."""

MOST_REFUSED = 50
"""After so many refusals in a row there is no point in going on."""


_NOT_A_MOVE = frozenset(("GRAPHQL_VALIDATION_FAILED", "INVALID_ARGUMENT"))
"""The codes of errors that say that what was typed is no move at all."""


class Ending(Enum):
    """Why playing ended."""

    OVER = "the table is over"
    STOPPED = "whoever plays has had enough"


class Session:
    """Plays one table until it is over or whoever chooses stops."""

    def __init__(
        self,
        client: Client,
        shapes: Shapes,
        table: str,
        chooser: Chooser | None,
        write: Callable[[str], None],
        patience: float = PATIENCE,
    ) -> None:
        """Without a ``chooser`` it only watches. ``patience`` is in seconds."""
        self._client = client
        self._shapes = shapes
        self._table = table
        self._chooser = chooser
        self._write = write
        self._patience = patience
        self._updates: asyncio.Queue[dict[str, Any] | ClientError | None] = asyncio.Queue()
        self._news = asyncio.Event()
        self._seen = 0
        self._refused = 0
        self._away_since: float | None = None
        self._shown: list[str] = []

    async def run(self, after: int | None = None) -> Ending:
        """Play. What happened after a version is told first; without one, the latest. Errors: ClientError."""
        follower = asyncio.create_task(self._follow(after))
        try:
            await self._hear()
            while True:
                table = await self._look()
                self._show(table)
                if table["status"] == "OVER":
                    return Ending.OVER
                asked = await self._act(table)
                if asked is Ending.STOPPED:
                    return Ending.STOPPED
                if asked is None:
                    await self._hear()
        finally:
            follower.cancel()
            await asyncio.gather(follower, return_exceptions=True)

    async def _follow(self, after: int | None) -> None:
        """Put what happens into the queue; go on where it broke off when the server was away."""
        while True:
            token = self._client.token
            try:
                async for data in self._client.follow(FOLLOW, table=self._table, after=after):
                    self._back()
                    after = data["tableUpdates"]["version"]
                    self._tell(data["tableUpdates"])
                return self._tell(None)
            except ClientError as error:
                if isinstance(error, Denied) and self._client.token != token:
                    # It was renewed since, and a socket ends with the token that it was opened with.
                    continue
                if not is_passing(error) or self._gave_up():
                    return self._tell(error)
            await asyncio.sleep(PAUSE)

    def _tell(self, news: dict[str, Any] | ClientError | None) -> None:
        self._updates.put_nowait(news)
        self._news.set()

    async def _hear(self) -> None:
        """Tell what has happened; wait for something if there is nothing."""
        await self._news.wait()
        self._news.clear()
        while not self._updates.empty():
            update = self._updates.get_nowait()
            if isinstance(update, ClientError):
                raise update
            if update is not None:
                if self._shown:
                    self._write("")
                self._seen = update["version"]
                for event in update["events"]:
                    self._write(f"· {event['text']}")

    async def _look(self) -> dict[str, Any]:
        """The table as it stands, once all that has led to it was told."""
        while True:
            table = await self._patiently(lambda: self._select(_TABLE))
            if table["version"] <= self._seen:
                break
            await self._hear()
        parts = [
            f"{part} {{ ... on {table[part]['__typename']} {{ {fields} }} }}"
            for part in ("run", "round")
            if table[part] is not None and (fields := self._shapes.selection(table[part]["__typename"]))
        ]
        if parts:
            table.update(await self._patiently(lambda: self._select(" ".join(parts))))
        return table

    async def _select(self, selection: str) -> dict[str, Any]:
        document = f"query($table: ID!) {{ me {{ id }} table(id: $table) {{ {selection} }} }}"
        data = await self._client.ask(document, table=self._table)
        table: dict[str, Any] | None = data["table"]
        if table is None:
            raise ClientError("the table is gone")
        return {**table, "me": data["me"]}

    def _show(self, table: dict[str, Any]) -> None:
        """The run and the round, unless they stand as they were shown last."""
        names = [seat["name"] for seat in table["seats"]]
        lines = [line for part in ("run", "round") for line in lines_of(table[part] or {}, names)]
        if len(names) > 1 and table["round"] is not None:
            lines.append(
                "  score: " + ", ".join(f"{seat['name']} {seat['score']}" for seat in table["seats"])
            )
        if lines != self._shown:
            self._shown = lines
            for line in lines:
                self._write(line)

    async def _act(self, table: dict[str, Any]) -> Ending | bool | None:
        """Do what is for us to do; None when that is to wait for what happens."""
        if self._chooser is None or not (table["legalMoves"] or _may_start(table)):
            self._write(_waiting(table))
            return None
        starts = _may_start(table)
        if starts:
            answer = await self._patiently(lambda: self._mutate("startTable", START, table=self._table))
        else:
            names = [seat["name"] for seat in table["seats"]]
            question = table["prompt"]["text"] if table["prompt"] is not None else ""
            asking = asyncio.create_task(self._chooser.choose(table["legalMoves"], names, question))
            choice = await self._unless_something_happens(asking)
            if choice is None:
                return None if asking.cancelled() else Ending.STOPPED
            sent = {"tableId": self._table, "move": choice.input, "seat": choice.seat}
            # With the key it does not matter whether an answer that was lost was a yes.
            sent["idempotencyKey"] = secrets.token_hex(16)
            try:
                answer = await self._patiently(lambda: self._mutate("playMove", PLAY, input=sent))
            except ServerError as error:
                if error.code not in _NOT_A_MOVE:
                    raise
                answer = {"__typename": "Refusal", "message": error.message, "code": error.code}
        if answer["__typename"] == "Refusal":
            self._refused += 1
            self._write(f"Refused: {answer['message']} ({answer['code']})")
            if self._refused >= MOST_REFUSED:
                raise ClientError(f"{MOST_REFUSED} moves in a row were refused")
            if starts:
                return None
        else:
            self._refused = 0
        return True

    async def _unless_something_happens(self, asking: asyncio.Task[Choice | None]) -> Choice | None:
        """What is chosen; nothing, and the question is taken back, when the table moves on before."""
        news = asyncio.create_task(self._news.wait())
        try:
            await asyncio.wait([asking, news], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (news, asking):
                task.cancel()
            await asyncio.gather(news, asking, return_exceptions=True)
        return None if asking.cancelled() else asking.result()

    async def _mutate(self, name: str, document: str, **variables: Any) -> dict[str, Any]:
        answer: dict[str, Any] = (await self._client.ask(document, **variables))[name]
        return answer

    async def _patiently(self, call: Callable[[], Coroutine[Any, Any, dict[str, Any]]]) -> dict[str, Any]:
        """What a call gives once the server answers. Errors: ClientError."""
        while True:
            token = self._client.token
            try:
                answer = await call()
            except ClientError as error:
                if isinstance(error, Denied) and self._client.token != token:
                    continue
                if not is_passing(error) or self._gave_up():
                    raise
                await asyncio.sleep(PAUSE)
            else:
                self._back()
                return answer

    def _gave_up(self) -> bool:
        """Note that the server does not answer; whether it has been away for too long."""
        if self._away_since is None:
            self._away_since = time.monotonic()
            self._write("The server is away; trying again …")
        return time.monotonic() - self._away_since > self._patience

    def _back(self) -> None:
        if self._away_since is not None:
            self._write("The server is back.")
        self._away_since = None


def _may_start(table: dict[str, Any]) -> bool:
    """Whether it is for us to start the table: we are its host, and every seat is taken."""
    mine = table["host"] is not None and table["host"] == table["me"]
    return table["status"] == "OPEN" and mine and all(seat["taken"] for seat in table["seats"])


def _waiting(table: dict[str, Any]) -> str:
    if table["status"] == "OPEN":
        taken = sum(seat["taken"] for seat in table["seats"])
        return (
            f"Waiting for players: {taken} of {len(table['seats'])} seats are taken. "
            f"Others join with: fliptable play --table {table['code']}"
        )
    if table["status"] == "PAUSED":
        return "The table is paused."
    names = [table["seats"][seat]["name"] for seat in table["toAct"]]
    return f"Waiting for {' and '.join(names)} …" if names else "Waiting …"
