"""The games, modes and constraints as clients see them: what is there, and with which options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from enum import Enum
from typing import Any

from fliptable import MAX_INT, Between, Constraint, Game, Mode
from fliptable.limits import limits_of
from fliptable.modes import seat_counts
from fliptable.plugins import Registry
from fliptable.quoting import quoted
from fliptable.scores import Metric
from fliptable_api.errors import InvalidArgument
from fliptable_api.naming import camel, title_of, uncapitalised
from fliptable_api.typegen import default_given
from fliptable_api.typemaking import REQUIRED
from fliptable_api.values import INPUT_SCALARS, default_of, each, given_hints, items_of, optional, plain


@dataclass(frozen=True, slots=True)
class OptionNode:
    """An option of a game, mode or constraint, or a field of one."""

    name: str
    title: str
    type: str
    several: bool
    description: str
    required: bool
    default: Any
    min: int | None
    max: int | None
    min_items: int | None
    max_items: int | None
    choices: list[str] | None
    fields: list[OptionNode] | None


@dataclass(frozen=True, slots=True)
class ReasonNode:
    """Why something may be over, as a code, and what that means."""

    code: str
    meaning: str


@dataclass(frozen=True)
class GameNode:
    """A game in the catalogue."""

    graphql_type = "Game"
    id: str
    name: str
    summary: str
    rules: str
    input: str
    seats: range
    options: list[OptionNode]
    modes: list[ModeNode]
    constraints: list[ConstraintNode]
    default_mode: ModeNode | None
    seating: list[SeatingNode]
    reasons: list[ReasonNode]

    @property
    def min_seats(self) -> int:
        """The smallest number of seats."""
        return min(self.seats)

    @property
    def max_seats(self) -> int:
        """The largest number of seats."""
        return max(self.seats)

    def options_of_mode(self, mode: ModeNode) -> list[OptionNode]:
        """The options of a mode as they are at this game, also of one that it is not for any more."""
        return next((one.options for one in self.seating if one.mode.id == mode.id), mode.options)


@dataclass(frozen=True)
class ModeNode:
    """A mode in the catalogue."""

    graphql_type = "Mode"
    id: str
    name: str
    summary: str
    input: str
    options: list[OptionNode]
    metrics: tuple[Metric, ...]
    reasons: list[ReasonNode]


@dataclass(frozen=True)
class ConstraintNode:
    """A constraint in the catalogue."""

    graphql_type = "Constraint"
    id: str
    name: str
    summary: str
    input: str
    options: list[OptionNode]
    games: list[GameNode] = field(default_factory=list, repr=False, compare=False)
    """Those of its games that are loaded; filled in when they are made, since each knows of the other."""


@dataclass(frozen=True)
class SeatingNode:
    """The seats of tables of a game in one of its modes, and the mode's options there."""

    mode: ModeNode
    seat_counts: list[int]
    options: list[OptionNode]

    @property
    def min_seats(self) -> int:
        """The smallest number of seats that the two are for."""
        return self.seat_counts[0]

    @property
    def max_seats(self) -> int:
        """The largest one."""
        return self.seat_counts[-1]


class CatalogueNodes:
    """All games, modes and constraints, made once: plugins do not change while the server runs."""

    def __init__(self, registry: Registry) -> None:
        """Of what is loaded."""
        self.modes: Mapping[str, ModeNode] = {id: _mode(mode) for id, mode in registry.modes.items()}
        self.constraints: Mapping[str, ConstraintNode] = {
            id: _constraint(one) for id, one in registry.constraints.items()
        }
        self.games: Mapping[str, GameNode] = {
            id: _game(
                game,
                [self._seating(game, mode) for mode in registry.modes_for(game)],
                [self.constraints[one.id] for one in registry.constraints.values() if id in one.games],
            )
            for id, game in registry.games.items()
        }
        for game in self.games.values():
            for constraint in game.constraints:
                constraint.games.append(game)

    def find(self, id: str) -> GameNode | ModeNode | ConstraintNode | None:
        """The game, mode or constraint of that id: no two of them have the same."""
        return self.games.get(id) or self.modes.get(id) or self.constraints.get(id)

    def _seating(self, game: Game[Any, Any], mode: Mode[Any]) -> SeatingNode:
        return SeatingNode(self.modes[mode.id], seat_counts(game, mode), _options_at(game, mode))


def check_named(there: CatalogueNodes, game: str | None, mode: str | None, where: str = "") -> None:
    """See that what is named by its id is loaded. Errors: InvalidArgument says what is."""
    known: tuple[tuple[str, str | None, Mapping[str, Any]], ...] = (
        ("game", game, there.games),
        ("mode", mode, there.modes),
    )
    for kind, id, parts in known:
        if id is not None and id not in parts:
            listed = " and ".join(", ".join(sorted(parts)).rsplit(", ", 1)) or "none"
            message = f"There is no {kind} {quoted(id)}; there is {listed}."
            raise InvalidArgument(f"{where}{kind}", message)


def _mode(mode: Mode[Any]) -> ModeNode:
    return ModeNode(
        id=mode.id,
        name=mode.name,
        summary=mode.summary,
        input=uncapitalised(mode.graphql),
        options=options_of(mode.Options),
        metrics=mode.metrics,
        reasons=_reasons(mode.reasons),
    )


def _reasons(reasons: Mapping[str, str]) -> list[ReasonNode]:
    return [ReasonNode(code, meaning) for code, meaning in reasons.items()]


def _constraint(one: Constraint) -> ConstraintNode:
    return ConstraintNode(one.id, one.name, one.summary, uncapitalised(one.graphql), options_of(one.Options))


def _game(game: Game[Any, Any], seating: list[SeatingNode], constraints: list[ConstraintNode]) -> GameNode:
    modes = [one.mode for one in seating]
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
        constraints=constraints,
        default_mode=default,
        seating=seating,
        reasons=_reasons(game.reasons),
    )


def _options_at(game: Game[Any, Any], mode: Mode[Any]) -> list[OptionNode]:
    """The options of a mode with the limits and the defaults that they have at a game."""
    limits = {camel(name): one for name, one in mode.limits(game).items()}
    needs = any(option.required for option in options_of(game.Options))
    # What a game suggests may go by its own options, so it is told as it is with their defaults.
    suggested = {} if needs else game.suggest(mode.id, game.Options())
    defaults = {camel(name): plain(value) for name, value in suggested.items()}
    made = []
    for option in options_of(mode.Options):
        if option.name in limits:
            least, most = _told(limits[option.name])
            option = replace(option, min=least, max=most)
        if option.default is None and not option.required:
            option = replace(option, default=defaults.get(option.name))
        made.append(option)
    return made


def _told(limits: Between | None) -> tuple[int | None, int | None]:
    if limits is None:
        return None, None
    return limits.low, None if limits.high == MAX_INT else limits.high


def options_of(kind: type) -> list[OptionNode]:
    """The options that a dataclass declares."""
    hints, limits = given_hints(kind), limits_of(kind)
    return [_option(kind, one, *hints[one.name], limits.get(one.name)) for one in fields(kind) if one.init]


def _option(owner: type, declared: Any, hint: Any, description: str, limits: Between | None) -> OptionNode:
    required = default_given(owner, declared, hint) is REQUIRED
    kind = _without_none(hint)
    entry = each(kind)
    value = kind if entry is None else _without_none(entry)
    least, most = _told(limits)
    items = None if entry is None else items_of(kind)
    return OptionNode(
        name=camel(declared.name),
        title=title_of(declared.name),
        type=_type(value),
        several=entry is not None,
        description=description,
        required=required,
        default=None if required else plain(default_of(declared, None)),
        min=least,
        max=most,
        min_items=items,
        max_items=items,
        choices=[plain(member) for member in value] if _is_enum(value) else None,
        fields=options_of(value) if _is_object(value) else None,
    )


def _without_none(hint: Any) -> Any:
    inner = optional(hint)
    return hint if inner is None else inner


def _is_enum(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Enum)


def _is_object(kind: Any) -> bool:
    return isinstance(kind, type) and is_dataclass(kind)


def _type(kind: Any) -> str:
    """What a client has to know of a type to ask somebody for a value; see `Option.type`."""
    if kind in INPUT_SCALARS:
        return INPUT_SCALARS[kind]
    if _is_enum(kind):
        return "Enum"
    return "Object" if _is_object(kind) else "JSON"
