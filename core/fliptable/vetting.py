"""Checks that a plugin's parts keep the contract, made once when it is loaded."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Mapping
from dataclasses import is_dataclass
from typing import Any

from fliptable.constraints import Constraint
from fliptable.declarations import vet_declared, vet_texts
from fliptable.defaults import needed, vet_defaults, vet_options, vet_values
from fliptable.modes import Mode
from fliptable.queries import PluginQuery
from fliptable.refusals import CODE, REFUSALS
from fliptable.rules import Game
from fliptable.signatures import ContractBroken, vet_call, vet_methods

_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_RESERVED = frozenset(("table",))
"""Ids that would make a plugin's stored events look like those of the table itself."""
_GRAPHQL = re.compile(r"[A-Z][A-Za-z0-9]*")
_SNAKE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_MOST_SEATS = 1000
"""So many seats a table may have; all of them are in every answer about it."""
_VERSION = re.compile(r"[0-9]+(\.[0-9]+)*")


def vet_game(game: Game[Any, Any]) -> None:
    """Check a game. Errors: ContractBroken."""
    _kind(game, Game)
    _named(game, "game")
    vet_methods(game, Game, f"game {game.id!r}")
    _version(game, "game")
    _has(game, "game", "rules", "seats", "State", "View", "moves", "events")
    if not isinstance(game.seats, range) or not game.seats or min(game.seats) < 1:
        raise ContractBroken(f"game {game.id!r}: seats is {game.seats!r}, not a range of seat counts from 1")
    if max(game.seats) > _MOST_SEATS:
        raise ContractBroken(f"game {game.id!r}: seats is {game.seats!r}, with more than {_MOST_SEATS} seats")
    _dataclasses(game.id, [game.State, game.View, game.Options, game.Terms, *game.moves])
    vet_defaults(game.id, game.Terms)
    _events(game.id, game.events)
    vet_values(game.id, [game.Options, game.View, *game.moves, *game.events])
    vet_defaults(game.id, game.Options, but=needed(game.Options))
    vet_options(f"game {game.id!r}", game.Options)
    _refusals(game.id, game.refusals)
    _reasons(game.id, game.reasons)
    _policies(game.id, game.policies)


def vet_mode(mode: Mode[Any]) -> None:
    """Check a mode. Errors: ContractBroken."""
    _kind(mode, Mode)
    _named(mode, "mode")
    vet_methods(mode, Mode, f"mode {mode.id!r}")
    _version(mode, "mode")
    _has(mode, "mode", "Run", "View")
    _dataclasses(mode.id, [mode.Run, mode.View, mode.Options])
    vet_defaults(mode.id, mode.Options)
    _events(mode.id, mode.events)
    vet_values(mode.id, [mode.Options, mode.View, *mode.events])
    vet_options(f"mode {mode.id!r}", mode.Options)
    _refusals(mode.id, mode.refusals)
    _reasons(mode.id, mode.reasons)
    _metrics(mode.id, mode.metrics)


def vet_constraint(constraint: Constraint) -> None:
    """Check a constraint. Errors: ContractBroken."""
    _kind(constraint, Constraint)
    _named(constraint, "constraint")
    vet_methods(constraint, Constraint, f"constraint {constraint.id!r}")
    _version(constraint, "constraint")
    _has(constraint, "constraint", "games")
    _dataclasses(constraint.id, [constraint.Options])
    vet_values(constraint.id, [constraint.Options])
    vet_options(f"constraint {constraint.id!r}", constraint.Options)


def vet_query(query: PluginQuery) -> None:
    """Check a query. Errors: ContractBroken."""
    _kind(query, PluginQuery)
    vet_texts(f"query {query.name!r}", query, "name", "description", "graphql")
    if not _SNAKE.fullmatch(query.name):
        raise ContractBroken(f"query {query.name!r} is not in snake_case")
    if not _GRAPHQL.fullmatch(query.graphql):
        raise ContractBroken(f"query {query.name!r}: GraphQL name {query.graphql!r} is not in PascalCase")
    _dataclasses(query.name, [query.Arguments, query.Result])
    vet_values(query.name, [query.Arguments, query.Result])
    vet_call(f"query {query.name!r}", type(query), "answer", ["arguments"], query.answer)


def _kind(part: object, kind: type) -> None:
    if not isinstance(part, kind):
        raise ContractBroken(f"{part!r} is not an instance of fliptable.{kind.__name__}")


def _has(part: Any, kind: str, *names: str) -> None:
    for name in names:
        if not hasattr(part, name):
            raise ContractBroken(
                f"{kind} {getattr(part, 'id', type(part).__name__)!r} does not define {name!r}"
            )


def _named(part: Any, kind: str) -> None:
    _has(part, kind, "id", "name", "graphql", "summary")
    vet_declared(part, kind)
    if not _ID.fullmatch(part.id):
        raise ContractBroken(f"{kind} id {part.id!r} is not lower-case words with hyphens")
    if part.id in _RESERVED:
        raise ContractBroken(f"{kind} id {part.id!r} is reserved")
    if not _GRAPHQL.fullmatch(part.graphql):
        raise ContractBroken(f"{kind} {part.id!r}: GraphQL name {part.graphql!r} is not in PascalCase")


def _version(part: Any, kind: str) -> None:
    if not isinstance(part.version, str) or not _VERSION.fullmatch(part.version):
        raise ContractBroken(
            f'{kind} {part.id!r}: version is {part.version!r}, not numbers with dots between them, as "1.0"'
        )


def _dataclasses(owner: str, kinds: Iterable[Any]) -> None:
    for kind in kinds:
        if not (isinstance(kind, type) and is_dataclass(kind)):
            raise ContractBroken(f"{owner}: {kind!r} is not a dataclass")


def _events(owner: str, events: Iterable[Any]) -> None:
    events = list(events)
    _dataclasses(owner, events)
    names = [event.__name__ for event in events]
    for name in names:
        if names.count(name) > 1:
            raise ContractBroken(f"{owner}: two events are called {name}")
    for event in events:
        if not callable(getattr(event, "text", None)):
            raise ContractBroken(f"{owner}: event {event.__name__} has no text(names) method")
        unbound = inspect.isfunction(inspect.getattr_static(event, "text"))
        vet_call(owner, event, "text", ["names"], event.text, bound=not unbound)


def _metrics(owner: str, metrics: Iterable[Any]) -> None:
    names = [getattr(metric, "name", "") for metric in metrics]
    for name in names:
        if not _ID.fullmatch(name):
            raise ContractBroken(f"{owner}: metric {name!r} is not lower-case words with hyphens")
        if names.count(name) > 1:
            raise ContractBroken(f"{owner}: two metrics are called {name!r}")


_POLICIES_OF_ALL = frozenset(("random", "first"))
"""The names of the policies that play every game."""


def _policies(owner: str, policies: Any) -> None:
    if not isinstance(policies, Mapping):
        raise ContractBroken(f"{owner}: policies is {policies!r}, not a mapping of names to functions")
    for name, policy in policies.items():
        if not isinstance(name, str) or not _ID.fullmatch(name):
            raise ContractBroken(f"{owner}: policy {name!r} is not lower-case words with hyphens")
        if name in _POLICIES_OF_ALL:
            raise ContractBroken(f"{owner}: policy {name!r} is one that every game has; use another name")
        try:
            inspect.signature(policy).bind("view", 0, [], "random")
        except (TypeError, ValueError) as error:
            raise ContractBroken(
                f"{owner}: policy {name!r} is no function of view, seat, moves and random: {error}"
            ) from None


def _reasons(owner: str, reasons: Any) -> None:
    if not isinstance(reasons, Mapping):
        raise ContractBroken(f"{owner}: reasons is {reasons!r}, not a mapping of codes to what they mean")
    _codes(owner, "reason", reasons)


def _codes(owner: str, kind: str, described: Any) -> None:
    for code in described:
        if not CODE.fullmatch(code):
            raise ContractBroken(f"{owner}: {kind} code {code!r} is not in UPPER_CASE")
        text = described[code]
        if not isinstance(text, str) or not text.strip():
            raise ContractBroken(
                f"{owner}: {kind} code {code!r} has the description {text!r}, not a sentence"
            )


def _refusals(owner: str, refusals: Any) -> None:
    _codes(owner, "refusal", refusals)
    for code, text in refusals.items():
        if REFUSALS.get(code, text) != text:
            raise ContractBroken(
                f"{owner}: the refusal code {code!r} is every table's and means: {REFUSALS[code]} Leave it "
                f"out of refusals to refuse with it, or take a code of your own for: {text}"
            )


__all__ = ["ContractBroken", "vet_constraint", "vet_game", "vet_mode", "vet_query"]
