"""Checks that a plugin's parts keep the contract, made once when it is loaded."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any, get_args, get_type_hints

from fliptable.codec import pack, unpack
from fliptable.constraints import Constraint
from fliptable.limits import MAX_INT, limits_of, needed_of
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
    _dataclasses(game.id, [game.State, game.View, game.Options, game.Terms, *game.moves])
    _defaults(game.id, game.Terms)
    _events(game.id, game.events)
    _values(game.id, [game.Options, game.View, *game.moves, *game.events])
    _options(f"game {game.id!r}", game.Options)
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
    _defaults(mode.id, mode.Options)
    _events(mode.id, mode.events)
    _values(mode.id, [mode.Options, mode.View, *mode.events])
    _options(f"mode {mode.id!r}", mode.Options)
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
    _values(constraint.id, [constraint.Options])
    _options(f"constraint {constraint.id!r}", constraint.Options)


def vet_query(query: PluginQuery) -> None:
    """Check a query. Errors: ContractBroken."""
    _kind(query, PluginQuery)
    if not _SNAKE.fullmatch(query.name):
        raise ContractBroken(f"query {query.name!r} is not in snake_case")
    if not _GRAPHQL.fullmatch(query.graphql):
        raise ContractBroken(f"query {query.name!r}: GraphQL name {query.graphql!r} is not in PascalCase")
    _dataclasses(query.name, [query.Arguments, query.Result])
    _values(query.name, [query.Arguments, query.Result])


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


def _defaults(owner: str, kind: type) -> None:
    for field in fields(kind):
        if field.default is MISSING and field.default_factory is MISSING:
            raise ContractBroken(f"{owner}: {kind.__name__}.{field.name} has no default")


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


def _values(owner: str, kinds: Iterable[type]) -> None:
    """See that classes can be stored, and that clients can be told of their defaults."""
    for kind in kinds:
        given = list(_given(kind))
        try:
            documents = {name: pack(default) for name, default in given}
            unpack({}, kind)
        except (ValueError, NameError):
            pass  # Not everything has a default, and not every class says by which names its types are known.
        except TypeError as error:
            raise ContractBroken(f"{owner}: {kind.__name__} cannot be stored: {error}") from None
        for name, default in given:
            where = f"{owner}: {kind.__name__}.{name}"
            for part in _numbers(documents[name]):
                if isinstance(part, int) and not -MAX_INT - 1 <= part <= MAX_INT:
                    raise ContractBroken(f"{where} is {part} by default, which is no 32-bit integer")
                if not math.isfinite(part):
                    raise ContractBroken(f"{where} is {part} by default, which is no number in JSON")
            _fits(where, default, kind, name)
        _limits(owner, kind, dict(given))


def _limits(owner: str, kind: type, given: Mapping[str, Any]) -> None:
    try:
        limits, hints = limits_of(kind), get_type_hints(kind)
    except NameError:
        return
    for name, allowed in limits.items():
        where = f"{owner}: {kind.__name__}.{name}"
        if not _of_integers(hints[name]):
            raise ContractBroken(f"{where} has limits, and is no integer or list of integers")
        if allowed.low > allowed.high:
            raise ContractBroken(f"{where} has limits that nothing is within: {allowed}")
        if name in given and not allowed.has(given[name]):
            raise ContractBroken(f"{where} is {given[name]!r} by default, which is not {allowed}")


def _of_integers(hint: Any) -> bool:
    parts = [part for part in get_args(hint) if part not in (type(None), ...)]
    return hint is int or (bool(parts) and all(map(_of_integers, parts)))


def _given(kind: type) -> Iterator[tuple[str, Any]]:
    """The fields that have a default, and what it is."""
    for field in fields(kind):
        if field.default is not MISSING:
            yield field.name, field.default
        elif field.default_factory is not MISSING:
            yield field.name, field.default_factory()


def _options(whose: str, kind: type) -> None:
    """See that what is played where nothing is chosen can be."""
    try:
        if needed_of(kind) or any(one.init and not _has_default(one) for one in fields(kind)):
            return
    except NameError:
        return
    try:
        kind()
    except Exception as error:
        raise ContractBroken(
            f"{whose}: {kind.__name__}() refuses its own defaults: {error}. Take others, or mark what has to "
            "be chosen with Needed()"
        ) from error


def _has_default(field: Field[Any]) -> bool:
    return field.default is not MISSING or field.default_factory is not MISSING


def _numbers(document: Any) -> Iterator[int | float]:
    if isinstance(document, Mapping):
        document = list(document.values())
    if isinstance(document, tuple | list):
        for part in document:
            yield from _numbers(part)
    elif isinstance(document, int | float):
        yield document


def _fits(where: str, default: Any, kind: type, name: str) -> None:
    try:
        hint = get_type_hints(kind)[name]
        same = unpack(pack(default), hint) == default
    except NameError:
        return
    except (TypeError, ValueError):
        same = False
    if not same:
        called = hint.__name__ if isinstance(hint, type) else hint
        raise ContractBroken(f"{where} is {default!r} by default, which is no {called}")


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
