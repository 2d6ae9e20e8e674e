"""The games and modes as clients see them: what is there, and with which options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from enum import Enum
from types import UnionType
from typing import Any, Union, get_args, get_origin

from fliptable import Game, Mode
from fliptable.plugins import Registry
from fliptable.scores import Metric
from fliptable_api.naming import camel, uncapitalised
from fliptable_api.typegen import default_of, hints_of, plain


@dataclass(frozen=True, slots=True)
class OptionNode:
    """An option of a game or mode."""

    name: str
    type: str
    description: str
    required: bool
    default: Any
    choices: list[str] | None


@dataclass(frozen=True)
class GameNode:
    """A game in the catalogue."""

    id: str
    name: str
    summary: str
    rules: str
    input: str
    seats: range
    options: list[OptionNode]
    modes: list[ModeNode]
    default_mode: ModeNode | None

    @property
    def min_seats(self) -> int:
        """The smallest number of seats."""
        return min(self.seats)

    @property
    def max_seats(self) -> int:
        """The largest number of seats."""
        return max(self.seats)


@dataclass(frozen=True)
class ModeNode:
    """A mode in the catalogue."""

    id: str
    name: str
    summary: str
    input: str
    options: list[OptionNode]
    metrics: tuple[Metric, ...]


class CatalogueNodes:
    """All games and modes, made once: plugins do not change while the server runs."""

    def __init__(self, registry: Registry) -> None:
        """Of what is loaded."""
        self.modes: Mapping[str, ModeNode] = {id: _mode(mode) for id, mode in registry.modes.items()}
        self.games: Mapping[str, GameNode] = {
            id: _game(game, [self.modes[mode.id] for mode in registry.modes_for(game)])
            for id, game in registry.games.items()
        }


def _mode(mode: Mode[Any]) -> ModeNode:
    return ModeNode(
        mode.id, mode.name, mode.summary, uncapitalised(mode.graphql), options_of(mode.Options), mode.metrics
    )


def _game(game: Game[Any, Any], modes: list[ModeNode]) -> GameNode:
    default = next((mode for mode in modes if mode.id == game.default_mode), None)
    return GameNode(
        id=game.id,
        name=game.name,
        summary=game.summary,
        rules=game.rules,
        input=uncapitalised(game.graphql),
        seats=game.seats,
        options=options_of(game.Options),
        modes=modes,
        default_mode=default,
    )


def options_of(kind: type) -> list[OptionNode]:
    """The options that a dataclass declares."""
    hints = hints_of(kind)
    return [_option(field, *hints[field.name]) for field in fields(kind)]


def _option(field: Any, hint: Any, description: str) -> OptionNode:
    if get_origin(hint) in (Union, UnionType):
        hint = next(arg for arg in get_args(hint) if arg is not type(None))
    default = plain(default_of(field, None))
    choices = None
    if isinstance(hint, type) and issubclass(hint, Enum):
        choices = [member.name for member in hint]
    required = field.default is MISSING and field.default_factory is MISSING
    return OptionNode(camel(field.name), _type_name(hint), description, required, default, choices)


def _type_name(hint: Any) -> str:
    if get_origin(hint) is not None:
        return "list"
    return {int: "Int", str: "String", bool: "Boolean", float: "Float"}.get(
        hint, getattr(hint, "__name__", "JSON")
    )
