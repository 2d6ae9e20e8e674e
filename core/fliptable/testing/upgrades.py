"""Two versions of a plugin: what the old one has stored is read by the new one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final, NoReturn

from fliptable.constraints import Constraint
from fliptable.migrations import is_newer
from fliptable.modes import Mode
from fliptable.rules import Game
from fliptable.testing.actions import TableAction
from fliptable.testing.broken import ANSWERS, CONTRACT
from fliptable.testing.constraintupgrades import hold_constraint_case, hold_constraint_migration
from fliptable.testing.given import hold_given
from fliptable.testing.upgradetrials import hold_table_case, hold_table_migration, named

MIGRATION_LAWS: Final[Mapping[str, str]] = {
    CONTRACT: "both are a game, both a mode or both a constraint, of one id; the new version is later",
    "readable": "the new version reads whatever the old one has stored",
    "purity": "`migrate` gives the same each time, and changes nothing of what it is given",
    "events": "each event has a sentence in the new version too, and as many are told to everybody",
    "meaning": "it is the same seats' turn, and what was over is over, with the same results and points; a "
    "constraint is met and failed by the same rounds",
    "goes on": "the new version plays on, and reads again what both versions have stored",
    ANSWERS: "neither version raises anything",
}
"""The laws of a new version by name, and what they say."""


def check_migration(
    old: Game[Any, Any] | Mode[Any] | Constraint,
    new: Game[Any, Any] | Mode[Any] | Constraint,
    *,
    game: Game[Any, Any] | None = None,
    mode: Mode[Any] | None = None,
    new_game: Game[Any, Any] | None = None,
    new_mode: Mode[Any] | None = None,
    options: Iterable[Any] | None = None,
    seats: Iterable[int] | None = None,
    seeds: Collection[int] = range(2),
    steps: int = 30,
) -> None:
    """Hold the laws of a new version: what the old one has stored is read, and goes on.

    ``old`` and ``new`` are both a game, both a mode or both a constraint. Random tables are played with
    the old version and stored; after each action the new one reads what is stored, and goes on from it.
    Of a constraint both versions look at the same random rounds. ``mode`` is what a game is played in,
    :class:`Classic` where none is given, and ``game`` what a mode is played with, :class:`OneCard` where
    it can be, or the game of the rounds. Where a game and a mode change together, ``mode`` and ``new_mode``
    are both versions of the mode, or ``game`` and ``new_game`` those of the game. ``options`` are those of
    the old version: the default ones and those with one switch or choice changed. :data:`MIGRATION_LAWS`
    has the laws.

    Errors: AssertionError names the plugin, both versions, the law and what was stored, and has a test of
    the smallest case that was found, to paste.
    """
    __tracebackhide__ = True
    beside = _hold_all(old, new, game, mode, new_game, new_mode)
    hold_given(options=options, seats=seats, seeds=seeds)
    if isinstance(old, Constraint) and isinstance(new, Constraint):
        hold_constraint_migration(old, new, game, options, seats, seeds)
    else:
        assert not isinstance(old, Constraint) and not isinstance(new, Constraint)
        hold_table_migration(old, new, game, mode, beside, options, seats, seeds, steps)


def check_migration_case(
    old: Game[Any, Any] | Mode[Any] | Constraint,
    new: Game[Any, Any] | Mode[Any] | Constraint,
    law: str,
    actions: Sequence[TableAction] = (),
    *,
    game: Game[Any, Any] | None = None,
    mode: Mode[Any] | None = None,
    new_game: Game[Any, Any] | None = None,
    new_mode: Mode[Any] | None = None,
    seats: int | None = None,
    seed: int = 0,
    steps: int = 30,
    **setting: Any,
) -> None:
    """Play one table with the old version of a game or mode, and hold one law of the new one at its end.

    Of a constraint one round is played. Failures of :func:`check_migration` print such cases; ``setting``
    has the options of the table, as :func:`check_table_case` takes them, or ``options`` of the constraint.
    Errors: AssertionError names the law and what was stored.
    """
    __tracebackhide__ = True
    beside = _hold_all(old, new, game, mode, new_game, new_mode)
    if isinstance(old, Constraint) and isinstance(new, Constraint):
        options = setting.get("options")
        hold_constraint_case(old, new, law, actions, game, options, seats, seed)
        return
    assert not isinstance(old, Constraint) and not isinstance(new, Constraint)
    hold_table_case(old, new, law, actions, game, mode, beside, seats, steps, seed=seed, **setting)


def _hold_all(old: Any, new: Any, game: Any, mode: Any, new_game: Any, new_mode: Any) -> Any:
    """Hold the contract of all that changes; the new version of what changes besides.

    Errors: AssertionError names what does not fit.
    """
    __tracebackhide__ = True
    _hold_contract(old, new)
    kind = "mode" if isinstance(old, Game) else "game"
    with_it = {"game": (game, new_game), "mode": (mode, new_mode)}
    for name, (before, after) in with_it.items():
        if after is not None and (name != kind or isinstance(old, Constraint)):
            there = f"new_{kind}" if not isinstance(old, Constraint) else "neither new_game nor new_mode"
            raise AssertionError(f"new_{name} does not go with {_kind(old)} as old and new: pass {there}")
        if after is not None and before is None:
            raise AssertionError(f"new_{name} is given, and the old version of it is not: pass {name} too")
    before, after = with_it[kind]
    if after is not None:
        _hold_contract(before, after)
    return after


def _kind(part: Any) -> str:
    return next((f"a {kind.__name__.lower()}" for kind in _KINDS if isinstance(part, kind)), repr(part))


_KINDS: Final[tuple[type, ...]] = (Game, Mode, Constraint)


def _hold_contract(old: Any, new: Any) -> None:
    __tracebackhide__ = True
    for one in (old, new):
        if not isinstance(one, _KINDS):
            raise AssertionError(f"check_migration is for games, modes and constraints, and {one!r} is none")

    def fail(complaint: str) -> NoReturn:
        raise AssertionError(f"{named(old, new)} breaks the law {CONTRACT!r}: {complaint}")

    kinds = [next(kind for kind in _KINDS if isinstance(one, kind)) for one in (old, new)]
    if kinds[0] is not kinds[1]:
        fail(f"one of them is a {kinds[0].__name__.lower()}, and the other a {kinds[1].__name__.lower()}")
    if old.id != new.id:
        fail(f"id is {old.id!r} and {new.id!r}: what is stored is found by it, so it never changes")
    if not is_newer(new.version, old.version):
        fail(f"version is {new.version!r}, which is not later than {old.version!r}")
