"""Tables of which a number of the options is at its limit, with few seats and with many."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fliptable.challenges import Challenge
from fliptable.modes import Mode
from fliptable.plugins import Registry
from fliptable.rules import Game
from fliptable.testing.tableplay import TableSetting
from fliptable.testing.variants import extremes


def settings_at_limits(
    registry: Registry, game: Game[Any, Any], mode: Mode[Any], seats: int | None, challenge: Challenge | None
) -> Iterator[TableSetting]:
    """What tables are opened with; ``seats`` are the fewest and the most where no number is given.

    What the game refuses beforehand is left out, since such a table would never start.
    """
    counts = mode.seats(game)
    chosen = [{"game_options": one} for one in extremes(game.Options)]
    chosen += [{"mode_options": one} for one in extremes(mode.Options, mode.limits(game))]
    for options in chosen:
        for count in sorted({min(counts), max(counts)} if seats is None else {seats}):
            if not _is_refused(game, options.get("game_options"), count):
                yield TableSetting.of(game, mode, count, challenge=challenge, given=registry, **options)


def _is_refused(game: Game[Any, Any], options: Any, seats: int) -> bool:
    try:
        game.check(game.Options() if options is None else options, seats)
    except ValueError:
        return True
    return seats not in game.seats
