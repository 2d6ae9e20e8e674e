"""The rest of the rule writer's kit: a plugin over the API, as clients meet it."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from fliptable import Constraint, Game, Mode, hookimpl
from fliptable.plugins import Registry, load_plugins
from fliptable.testing import OneCard
from fliptable_api.cli.choosing import ByLot
from fliptable_api.cli.local import memory_server
from fliptable_api.cli.shapes import Shapes
from fliptable_api.cli.tokens import SIGN_IN
from fliptable_api.client import Client, ServerError
from fliptable_api.naming import type_name, uncapitalised
from fliptable_api.settings import Settings

_CREATE = """mutation ($i: CreateTableInput!) { createTable(input: $i) {
  __typename ... on TableOpened { table { id } } ... on Refusal { code message field } } }"""
_PLAY = """mutation ($i: PlayMoveInput!) { playMove(input: $i) {
  __typename ... on MovePlayed { update { version } } ... on Refusal { code message field } } }"""
_LOOK = """id status legalMoves { seat name label input fields {
  name path type min max choices list minItems maxItems } }"""
_PAGE = 100


def check_api(
    part: Game[Any, Any] | Mode[Any] | Constraint, *, seeds: Collection[int] = range(3), most_moves: int = 60
) -> None:
    """Play a game (or a mode, with a game that it supports) over GraphQL, by its legal moves alone.

    Every legal move is sent as it was offered, with values for its fields, and has to be accepted;
    every event, round and run is asked for with all its fields. Of a constraint it is seen that the
    schema has it. It takes a few seconds, most of them to make the schema.

    Errors: AssertionError names the plugin, the law ``api`` and what was sent.
    """
    registry = _registry(part)
    tables = [] if isinstance(part, Constraint) else _tables(part, registry, seeds, most_moves)
    with memory_server(Settings(memory=True), registry) as address:
        if isinstance(part, Constraint):
            asyncio.run(_is_offered(address, part))
        for table in tables:
            asyncio.run(table.play(address))


def _registry(part: Game[Any, Any] | Mode[Any] | Constraint) -> Registry:
    """The installed plugins with this part in its plugin's place, and a small game for modes."""
    installed = load_plugins(strict=False)
    kind = "game" if isinstance(part, Game) else "mode" if isinstance(part, Mode) else "constraint"
    own = [one.name for one in installed.plugins if f"{kind} {part.id}" in one.brings]
    registry = load_plugins(strict=False, deny=own) if own else installed

    class Brings:
        @hookimpl
        def fliptable_games(self) -> list[Game[Any, Any]]:
            return [part if isinstance(part, Game) else OneCard()]

        @hookimpl
        def fliptable_modes(self) -> list[Mode[Any]]:
            return [part] if isinstance(part, Mode) else []

        @hookimpl
        def fliptable_constraints(self) -> list[Constraint]:
            return [part] if isinstance(part, Constraint) else []

    registry.register(Brings(), "what is tested")
    return registry


def _tables(
    part: Game[Any, Any] | Mode[Any], registry: Registry, seeds: Collection[int], most_moves: int
) -> list[_Table]:
    if isinstance(part, Game):
        game, mode = part, next(iter(registry.modes_for(part)), None)
        assert mode is not None, f"plugin {part.id!r} breaks the law 'api': no installed mode suits it"
    else:
        fitting = [one for one in registry.games.values() if part in registry.modes_for(one)]
        assert fitting, f"plugin {part.id!r} breaks the law 'api': no installed game suits it"
        game, mode = min(fitting, key=lambda one: one.id != OneCard.id), part
    counts = sorted(mode.seats(game))
    return [
        _Table(part.id, game, mode, counts[min(number, len(counts) - 1)], seed, most_moves)
        for number, seed in enumerate(seeds)
    ]


async def _is_offered(address: str, constraint: Constraint) -> None:
    async with Client(address) as client:
        document = '{ __type(name: "ConstraintInput") { inputFields { name } } }'
        offered = [one["name"] for one in (await client.ask(document))["__type"]["inputFields"]]
    key = uncapitalised(constraint.graphql)
    assert key in offered, f"plugin {constraint.id!r} breaks the law 'api': ConstraintInput has no {key}"


@dataclass
class _Table:
    """One table that is played over the API."""

    plugin: str
    game: Game[Any, Any]
    mode: Mode[Any]
    seats: int
    seed: int
    most_moves: int

    async def play(self, address: str) -> None:
        """Play it by lot, and ask for everything that there is. Errors: AssertionError."""
        async with Client(address) as client:
            client.token = (await client.ask(SIGN_IN, name="Ann"))["signInAsGuest"]["token"]
            opened = (await self._ask(client, "opening a table", _CREATE, i=self._opening()))["createTable"]
            if opened["__typename"] != "TableOpened":
                raise self._broken(f"opening a table with {self._opening()} is refused: {opened['message']}")
            table = opened["table"]["id"]
            shapes = await Shapes.ask(client)
            await self._moves(client, table)
            rounds = f"{self.game.graphql}Round", f"{self.mode.graphql}Run"
            for part, name in zip(("round", "run"), rounds, strict=True):
                chosen = shapes.selection(name, frozenset())
                await self._ask(
                    client,
                    f"all of {name}",
                    f"query ($t: ID!) {{ table(id: $t) {{ {part} {{ ... on {name} {{ {chosen} }} }} }} }}",
                    t=table,
                )
            for prefix, kinds in (
                (self.game.graphql, self.game.events),
                (self.mode.graphql, self.mode.events),
            ):
                for kind in kinds:
                    name = type_name(prefix, kind.__name__)
                    chosen = shapes.selection(name, frozenset())
                    document = (
                        f"query ($t: ID!) {{ table(id: $t) {{ updates(first: {_PAGE}) "
                        f"{{ nodes {{ events {{ text ... on {name} {{ {chosen} }} }} }} }} }} }}"
                    )
                    await self._ask(client, f"all of {name}", document, t=table)

    def _opening(self) -> dict[str, Any]:
        return {
            "game": {uncapitalised(self.game.graphql): {}},
            "mode": {uncapitalised(self.mode.graphql): {}},
            "seats": self.seats,
            "localSeats": [f"Seat {seat}" for seat in range(2, self.seats + 1)],
        }

    async def _moves(self, client: Client, table: str) -> None:
        chooser = ByLot(self.seed)
        look = f"query ($t: ID!) {{ table(id: $t) {{ {_LOOK} }} }}"
        for _ in range(self.most_moves):
            seen = (await self._ask(client, "the legal moves", look, t=table))["table"]
            if seen["status"] == "OVER" or not seen["legalMoves"]:
                return
            choice = await chooser.choose(seen["legalMoves"], ())
            assert choice is not None
            sent = {"tableId": table, "move": choice.input, "seat": choice.seat}
            told = (await self._ask(client, f"the move {choice.input}", _PLAY, i=sent))["playMove"]
            if told["__typename"] != "MovePlayed":
                raise self._broken(
                    f"the legal move {choice.input} of seat {choice.seat} is refused when it is sent: "
                    f"{told['code']}: {told['message']}"
                )

    async def _ask(self, client: Client, what: str, document: str, **variables: Any) -> dict[str, Any]:
        try:
            return await client.ask(document, **variables)
        except ServerError as error:
            raise self._broken(f"{what} cannot be had: {error} (the log has more)") from None

    def _broken(self, complaint: str) -> AssertionError:
        where = f"{self.game.id} in mode {self.mode.id}, {self.seats} seats, seed {self.seed}"
        return AssertionError(f"plugin {self.plugin!r} breaks the law 'api': {complaint}\nwith {where}")
