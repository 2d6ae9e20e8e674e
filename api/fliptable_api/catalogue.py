"""The games and modes as clients see them: what is there, and with which options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any, get_origin

from fliptable import Game, Mode
from fliptable.plugins import Registry
from fliptable.scores import Metric
from fliptable_api.naming import camel, uncapitalised
from fliptable_api.typegen import default_given
from fliptable_api.typemaking import REQUIRED
from fliptable_api.values import INPUT_SCALARS, default_of, given_hints, optional, plain


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
    hints = given_hints(kind)
    return [_option(field, *hints[field.name]) for field in fields(kind) if field.init]


def _option(field: Any, hint: Any, description: str) -> OptionNode:
    inner = optional(hint)
    kind = hint if inner is None else inner
    required = default_given(field, hint) is REQUIRED
    choices = None
    if isinstance(kind, type) and issubclass(kind, Enum):
        choices = [plain(member) for member in kind]
    default = plain(default_of(field, None))
    return OptionNode(camel(field.name), _type_name(kind), description, required, default, choices)


def _type_name(hint: Any) -> str:
    if get_origin(hint) is not None:
        return "list"
    return INPUT_SCALARS.get(hint, getattr(hint, "__name__", "JSON"))
