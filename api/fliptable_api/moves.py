"""Moves on their way in and out: inputs to moves, and legal moves to inputs that can be sent back."""

from __future__ import annotations

from dataclasses import dataclass, is_dataclass, replace
from typing import Any

import strawberry

from fliptable import Between, Choices, Game, Several, Viewer, projection
from fliptable.blame import asking, named
from fliptable.plugins import Registry
from fliptable.table import Table
from fliptable_api.naming import camel, first_sentence, title_of, type_name, uncapitalised, why_not
from fliptable_api.typegen import NAME, SchemaCollision, TypeMaker
from fliptable_api.typemaking import InputField, make_input
from fliptable_api.values import INPUT_SCALARS, each, given_hints, hints_of, only, optional, plain, value_of

NEXT_ROUND = "nextRound"
"""The move that has the next round dealt, in games that do not deal it ahead."""


@dataclass(frozen=True, slots=True)
class MoveFieldNode:
    """A field of a legal move that has to be filled in."""

    name: str
    title: str
    path: str
    type: str
    description: str
    min: int | None = None
    max: int | None = None
    choices: list[Any] | None = None
    several: bool = False
    min_items: int | None = None
    max_items: int | None = None


@dataclass(frozen=True, slots=True)
class LegalMoveNode:
    """A move that the caller could play now."""

    seat: int | None
    name: str
    label: str
    input: dict[str, Any]
    fields: list[MoveFieldNode]


class InvalidMove(ValueError):
    """A move's input is well-typed but cannot be made into a move."""

    def __init__(self, field: str, message: str) -> None:
        """``field`` is the path of what is wrong in the mutation's input."""
        super().__init__(message)
        self.field = field


class Moves:
    """The vocabulary of all games' moves, as the input type and back."""

    def __init__(self, registry: Registry, maker: TypeMaker) -> None:
        """Makes the input types of all moves. Errors: SchemaCollision."""
        self._games = {uncapitalised(game.graphql): game for game in registry.games.values()}
        if (other := self._games.get(NEXT_ROUND)) is not None:
            raise SchemaCollision(
                f"{NEXT_ROUND} is a move of every table, and the name of {named('game', other)}"
            )
        self._kinds = {key: _kinds(game) for key, game in self._games.items()}
        wanted = [
            InputField(key, self._of_game(key, maker) | None, f"A move of {game.name}.", strawberry.UNSET)
            for key, game in self._games.items()
        ]
        wanted.append(
            InputField("next_round", bool | None, "Have the next round dealt (true).", strawberry.UNSET)
        )
        self.input: Any = make_input(
            "MoveInput", "A move: of exactly one game, and there exactly one move.", wanted, one_of=True
        )

    def _of_game(self, key: str, maker: TypeMaker) -> Any:
        game = self._games[key]
        wanted = []
        for name, kind in self._kinds[key].items():
            described = first_sentence(kind.__doc__)
            if given_hints(kind):
                of_move = maker.input(kind, type_name(game.graphql, kind.__name__) + "Input", game.graphql)
                wanted.append(InputField(name, of_move | None, described, strawberry.UNSET))
            else:
                wanted.append(InputField(name, bool | None, f"{described} (true)", strawberry.UNSET))
        about = f"Exactly one move of {game.name}."
        name = maker.claim(f"{game.graphql}MoveInput", f"the moves of {game.name}")
        return make_input(name, about, wanted, one_of=True)

    def parse(self, given: Any) -> tuple[Game[Any, Any] | None, str, Any]:
        """The game, the input path and the move of a MoveInput; no game and no move for the next round.

        Errors: InvalidMove names the field, its value and what would be right.
        """
        key, of_game = only(given)
        if key == "next_round":
            _must_be_true(f"move.{NEXT_ROUND}", of_game)
            return None, f"move.{NEXT_ROUND}", None
        game = self._games[key]
        name, content = only(of_game)
        kind = self._kinds[key][name]
        path = f"move.{key}.{name}"
        if not given_hints(kind):
            _must_be_true(path, content)
            return game, path, kind()
        try:
            with asking("game", game):
                return game, path, value_of(content, kind)
        except ValueError as error:
            field, _, why = str(error).partition(": ")
            if not why:
                raise InvalidMove(path, str(error)) from None
            raise InvalidMove(f"{path}.{camel(field)}", why_not(field, why)) from None

    def legal(self, table: Table, viewer: Viewer, is_host: bool) -> list[LegalMoveNode]:
        """What the viewer's seats could play now, ready to be sent back."""
        moves = [self._legal(table.game, one) for one in projection.legal_moves(table, viewer)]
        if projection.may_ask_next_round(table, viewer, is_host):
            moves.append(LegalMoveNode(None, NEXT_ROUND, "Deal the next round", {NEXT_ROUND: True}, []))
        return moves

    def _legal(self, game: Game[Any, Any], one: projection.LegalMove) -> LegalMoveNode:
        kind: type = type(one.move)
        key, name = uncapitalised(game.graphql), uncapitalised(kind.__name__)
        hints = hints_of(kind)
        content: Any = plain(one.move) or True
        return LegalMoveNode(
            seat=one.seat,
            name=name,
            label=projection.label(one.move),
            input={key: {name: content}},
            fields=[
                _field(field, f"{key}.{name}.{camel(field)}", *hints[field], allowed)
                for field, allowed in one.fields.items()
            ],
        )


def _kinds(game: Game[Any, Any]) -> dict[str, type]:
    """The moves of a game by the names that clients have for them. Errors: SchemaCollision."""
    kinds: dict[str, type] = {}
    for move in game.moves:
        name = uncapitalised(move.__name__)
        if not NAME.fullmatch(name):
            raise SchemaCollision(f"{move.__name__}, a move of {game.id}, has no name that GraphQL allows")
        if (other := kinds.setdefault(name, move)) is not move:
            both = f"{other.__name__} and {move.__name__}"
            raise SchemaCollision(f"{both}, moves of {game.id}, are both called {name} in GraphQL")
    return kinds


def _field(
    name: str, path: str, hint: Any, description: str, allowed: Between | Choices | Several
) -> MoveFieldNode:
    if isinstance(allowed, Several):
        entry = _field(name, path, hint, description, allowed.of)
        return replace(entry, several=True, min_items=allowed.least, max_items=allowed.most)
    named = (camel(name), title_of(name), path)
    if isinstance(allowed, Between):
        return MoveFieldNode(*named, "Int", description, allowed.low, allowed.high)
    values = [plain(value) for value in allowed.values]
    return MoveFieldNode(*named, _kind(hint), description, choices=values)


def _kind(hint: Any) -> str:
    """What a client calls the type of a field, or of its entries where it is a list."""
    inner = optional(hint) or each(hint)
    if inner is not None:
        return _kind(inner)
    return INPUT_SCALARS.get(hint, "Object" if is_dataclass(hint) else "Enum")


def _must_be_true(path: str, value: Any) -> None:
    if value is not True:
        name, given = path.rpartition(".")[2], "null" if value is None else str(value).lower()
        raise InvalidMove(path, f"The move {name} has no values, so it has to be true, not {given}")
