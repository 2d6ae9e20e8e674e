"""The check of a game in a mode: random tables, held to the laws of a table."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import Any

from fliptable.challenges import Challenge
from fliptable.opening import OpeningRefused
from fliptable.plugins import Registry
from fliptable.rules import Game
from fliptable.testing.actions import TableAction
from fliptable.testing.atlimits import settings_at_limits
from fliptable.testing.tablelaws import TABLE_LAWS
from fliptable.testing.tableplay import PLAYERS, TableSetting
from fliptable.testing.tabletrials import COSTLY, TableTrial, play_by_lot
from fliptable.testing.trials import hold
from fliptable.testing.watchdog import CALL_SECONDS, watching

_AT_LIMITS = 8
"""So many steps are played where a number of the options is at its limit."""
_LIKELY: Mapping[str, Any] = {"waits": (1, 10), "waiting": 0.1, "leaving": 0.01, "dropping": 0.01}


def check_table(
    registry: Registry,
    game: str,
    mode: str,
    *,
    seats: int | None = None,
    seeds: Collection[int] = range(2),
    steps: int = 120,
    game_options: Any = None,
    mode_options: Any = None,
    challenge: Challenge | None = None,
    leaving: float = 0.01,
    dropping: float = 0.04,
    laws: Collection[str] = tuple(TABLE_LAWS),
    call_seconds: float = CALL_SECONDS,
) -> None:
    """Play random tables of a game under a mode, and hold the laws of a table against every version.

    ``leaving`` and ``dropping`` are how likely it is in a step that a player leaves for good, and that
    a player's connection goes. Some tables have a time limit for turns, and where no options are given, some
    have a number of the game's or the mode's at its limit. Whatever is asked of the plugins has
    to be answered within ``call_seconds``; 0 lets it take for ever.

    Errors: AssertionError names the plugins, the law and the smallest case that was found, and has a
    test of it to paste.
    """
    __tracebackhide__ = True
    part = registry.game(game)
    if game_options is None and mode_options is None:
        with watching(call_seconds):
            _hold_limits(settings_at_limits(registry, part, registry.mode(mode), seats, challenge), laws)
    count = min(registry.mode(mode).seats(part)) if seats is None else seats
    for seed in seeds:
        random = Random(f"{game} {mode} {count} {seed}")
        where = TableSetting.of(
            part,
            registry.mode(mode),
            count,
            random.randint(1, min(count, len(PLAYERS))) if seed % 2 else None,
            seed=seed,
            game_options=game_options,
            mode_options=mode_options,
            challenge=challenge,
            turn_seconds=random.choice([None, 25]),
            given=registry,
        )
        trial = TableTrial(where)
        likely = {"waits": (0.001, 1, 10), "waiting": 0.4, "leaving": leaving, "dropping": dropping}
        try:
            with watching(call_seconds):
                play_by_lot(trial, random, steps, laws, **likely)
        except OpeningRefused as error:
            chosen = ", ".join([f"{count} seats", *trial.setting()])
            told = f"{error.refusal.code}: {error.refusal.message}"
            raise AssertionError(f"{trial.named}: no table could be opened with {chosen}: {told}") from None


def _hold_limits(settings: Iterable[TableSetting], laws: Collection[str]) -> None:
    """Play a few steps at each table."""
    __tracebackhide__ = True
    quick = [law for law in laws if law not in COSTLY or law == "nothing leaks"]
    for where in settings:
        with suppress(OpeningRefused):
            play_by_lot(TableTrial(where), Random(where.seats), _AT_LIMITS, quick, **_LIKELY)


def check_table_case(
    game: Game[Any, Any],
    law: str,
    actions: Sequence[TableAction] = (),
    *,
    mode: Any,
    seats: int | None = None,
    seed: int = 0,
    players: int | None = None,
    game_options: Any = None,
    mode_options: Any = None,
    challenge: Challenge | None = None,
    turn_seconds: int | None = None,
) -> None:
    """Play one table and hold one law at its end; failures of :func:`check_table` print such cases.

    A case in which something is refused passes. Errors: AssertionError names the law and what is wrong.
    """
    __tracebackhide__ = True
    where = TableSetting.of(
        game,
        mode,
        seats,
        players,
        seed=seed,
        game_options=game_options,
        mode_options=mode_options,
        challenge=challenge,
        turn_seconds=turn_seconds,
    )
    with watching(CALL_SECONDS):
        hold(TableTrial(where), law, actions)
