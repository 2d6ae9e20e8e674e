"""A table that shows what it is told to, through the server's own schema and resolvers.

There is no store and there are no rules: what is asked goes from the document to the plugin's types
and back, on the way that every client's question goes.
"""

from __future__ import annotations

import copy
import json
import logging
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, cast

import orjson
from graphql import GraphQLError

from fliptable import Game, Mode, NoOptions, Viewer
from fliptable.accounts import Accounts
from fliptable.challengebook import ChallengeBook
from fliptable.events import Commit, TableCreated
from fliptable.evolve import created
from fliptable.feed import Update
from fliptable.house import Visibility
from fliptable.log import Account
from fliptable.opening import Opening
from fliptable.plugins import Registry
from fliptable.rules import Refusal
from fliptable.service import TableService
from fliptable.table import Place, Round, Shuffle, Status, Table
from fliptable.testing import START
from fliptable_api.context import RequestContext, Shared
from fliptable_api.limits import Limits
from fliptable_api.moves import Moves
from fliptable_api.schema import build_schema

TABLE = "tbl_" + "0" * 20


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody who asks."""

    id: str
    name: str


ANN, BOB = Player("ply_" + "a" * 20, "Ann"), Player("ply_" + "b" * 20, "Bob")
"""Who sits at the first seat, and who at all the others."""

SEATS = 30
"""So many seats has the table, that the numbers of seats in events mean some."""

_LIMITS = Limits(tokens=10**6, depth=100, fields=10**6, aliases=10**4, cost=10**12)


class NotAnswered(Exception):
    """A document was answered with an error; this is what the server would have in its log of it."""

    def __init__(self, path: Sequence[Any], error: BaseException) -> None:
        """Where in the answer, and what was raised."""
        # A GraphQL error as a whole quotes the document.
        said = error.message if isinstance(error, GraphQLError) else str(error)
        super().__init__(f"{type(error).__name__}: {said}" if said else type(error).__name__)
        self.path = list(path)


def puppet(part: Any) -> Any:
    """A copy of a game or mode that shows whatever state it is given, and refuses no options."""
    shows = copy.copy(part)
    if isinstance(part, Game):
        shows.check = lambda options, seats: None
        shows.view = lambda state, viewer: state
        shows.to_act = lambda state: (0,)
        shows.legal_moves = lambda state, seat: state
    elif isinstance(part, Mode):
        shows.sees_round = False
        shows.view = lambda run, viewer: run
        shows.narrow = lambda run, seat, move: move
    return shows


class Stage:
    """A schema with one table, at which nothing is played."""

    def __init__(self, registry: Registry, game: Game[Any, Any], mode: Mode[Any]) -> None:
        """``game`` and ``mode`` are puppets. Errors: what keeps a schema from being made."""
        self.built = build_schema(registry, _LIMITS)
        self.parts: dict[str, Any] = {"game": game, "mode": mode}
        self._game: Game[Any, Any] = _without_options(game)
        self._mode: Mode[Any] = _without_options(mode)
        self.commits: list[tuple[Any, ...]] = []
        self.tables: list[Table] = []
        self.moves = _Heard(self.built.moves)
        self.opened: Opening | None = None
        self.challenged: list[tuple[str, Any]] = []
        stands_in = _Service(self)
        self._shared = Shared(
            registry,
            cast(TableService, stands_in),
            cast(Accounts, stands_in),
            self.built.catalogue,
            cast(Moves, self.moves),
            self.built.names,
            cast(ChallengeBook, stands_in),
        )

    def table(self, *, state: Any = (), run: Any = None, revealed: bool = False, seats: int = SEATS) -> Table:
        """The table, with what its round and its run show, or what can be moved in the round."""
        opening = TableCreated(
            code="SHOWN",
            game=self._game.id,
            mode=self._mode.id,
            game_version=self._game.version,
            mode_version=self._mode.version,
            game_options={},
            mode_options={},
            seats=seats,
            visibility=Visibility.UNLISTED,
            host=ANN.id,
            host_name=ANN.name,
            secret=b"",
        )
        places = [Place(ANN.name, ANN.id), *[Place(f"Seat {seat}", BOB.id) for seat in range(2, seats + 1)]]
        seed = "" if revealed else None
        return created(self, TABLE, opening, START).having(
            seats=tuple(places),
            status=Status.PLAYING,
            run=run,
            round=Round(1, state),
            shuffles=(Shuffle(1, "deck", "", (), "shown", 1, seed),),
        )

    @property
    def sizes(self) -> list[int]:
        """How many seats there are to tell an event at: those of the table, or what a real one may have."""
        counts = sorted(self.parts["mode"].seats(self.parts["game"]))
        return [SEATS, *[count for count in counts if count < SEATS]]

    def game(self, id: str) -> Game[Any, Any]:
        """The game of the table."""
        return self._game

    def mode(self, id: str) -> Mode[Any]:
        """The mode of the table."""
        return self._mode

    def show(self, tables: Sequence[Table], commits: Sequence[tuple[Any, ...]] = ()) -> None:
        """Have the replay of these updates: each a table, and the events that led to it."""
        self.commits = list(commits) or [() for _ in tables]
        self.tables = [one.having(version=len(tables)) for one in tables]

    async def ask(self, document: str, player: Player | None = ANN, **variables: Any) -> dict[str, Any]:
        """The data that somebody is answered, as they read it. Errors: NotAnswered."""
        with _caught() as raised:
            answer = await self.built.schema.execute(
                document,
                variable_values=variables,
                context_value=RequestContext(self._shared, cast(Account | None, player), None, None),
            )
        if answer.errors:
            first = min(answer.errors, key=lambda error: [str(step).zfill(4) for step in error.path or ()])
            id = (first.extensions or {}).get("id")
            raise NotAnswered(first.path or (), raised.get(str(id), first))
        data: dict[str, Any] = json.loads(orjson.dumps(answer.data, option=orjson.OPT_NON_STR_KEYS))
        return data


class Answer:
    """Answers a question with what it is told to, and keeps what was asked."""

    def __init__(self) -> None:
        """Nothing is said at first."""
        self.said: Any = None
        self.asked: Any = None

    def __call__(self, arguments: Any) -> Any:
        """What is said."""
        self.asked = arguments
        return self.said


def _without_options(part: Any) -> Any:
    """A puppet to open a table with."""
    bare = copy.copy(part)
    bare.Options = NoOptions
    bare.begin = lambda session: None
    return bare


class _Heard:
    """The moves of the schema, with the one that was heard last."""

    def __init__(self, moves: Moves) -> None:
        self._moves = moves
        self.last: Any = None

    def parse(self, given: Any) -> Any:
        parsed = self._moves.parse(given)
        self.last = parsed[2]
        return parsed

    def legal(self, table: Table, viewer: Viewer, is_host: bool) -> Any:
        return self._moves.legal(table, viewer, is_host)


class _Service:
    """Stands where the table service, the accounts and the challenges are: it keeps what it is given."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    async def get(self, table_id: str, version: int | None = None) -> Table:
        return self._stage.tables[-1]

    def looked(self, table: Table, player: str) -> None:
        return

    async def updates(self, table_id: str, start: int, upto: int) -> AsyncIterator[Update]:
        for version in range(start + 1, upto + 1):
            events, table = self._stage.commits[version - 1], self._stage.tables[version - 1]
            yield Update(Commit(table_id, version, START, events), table)

    async def act(self, table_id: str, request: Any, command: Any) -> Update:
        return self._update()

    async def open(self, opening: Opening) -> Update:
        self._stage.opened = opening
        return self._update()

    async def create(
        self, author: Any, game: str, title: str, target: Any, constraints: Sequence[tuple[str, Any]]
    ) -> Refusal:
        self._stage.challenged = list(constraints)
        return Refusal("ILLEGAL_MOVE", "Nobody wants to know.")

    def _update(self) -> Update:
        return Update(Commit(TABLE, 1, START, ()), self._stage.table())


@contextmanager
def _caught() -> Iterator[dict[str, BaseException]]:
    """What the server logs of errors that it hides from clients, by their ids."""
    found: dict[str, BaseException] = {}

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if record.exc_info and record.exc_info[1] is not None and isinstance(record.args, tuple):
                found[str(record.args[0])] = record.exc_info[1]

    logger, handler = logging.getLogger("fliptable.errors"), Handler()
    propagates, logger.propagate = logger.propagate, False
    logger.addHandler(handler)
    try:
        yield found
    finally:
        logger.removeHandler(handler)
        logger.propagate = propagates
