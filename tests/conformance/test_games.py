"""Every installed game keeps the laws of the conformance kit, alone and at tables in all of its modes."""

from __future__ import annotations

from typing import Any

import pytest

from fliptable.challenges import Challenge, ChosenConstraint
from fliptable.plugins import Registry, load_plugins
from fliptable.testing import START, check_game, check_table

INSTALLED = load_plugins(strict=False)
GAMES = sorted(INSTALLED.games)
PAIRS = [(game.id, mode.id) for game in INSTALLED.games.values() for mode in INSTALLED.modes_for(game)]

TERMS: dict[str, list[dict[str, Any]]] = {
    # What the modes of each game ask for, tried besides the default terms.
    "call-it": [{"target": 45}, {"peek": 3}, {"min_target": 50, "caller": 0}],
}

SEATS = {"call-it": (1, 2, 4), "scoreboard": (1, 3)}
"""Fewer seats where many would only take long."""


def test_every_plugin_is_loaded() -> None:
    assert not INSTALLED.failures


@pytest.mark.parametrize("game", GAMES)
def test_a_game_keeps_the_laws(registry: Registry, game: str) -> None:
    part = registry.game(game)
    terms = [part.Terms(**terms) for terms in TERMS.get(game, [])]
    check_game(part, terms=terms, seats=SEATS.get(game), seeds=range(2))


@pytest.mark.parametrize(("game", "mode"), PAIRS)
def test_a_table_keeps_the_laws(registry: Registry, game: str, mode: str) -> None:
    seats = registry.mode(mode).seats(registry.game(game))
    chosen = (ChosenConstraint("min-flips", {"flips": 4}),) if game == "call-it" else ()
    challenge = Challenge("TESTED", "A test", game, None, chosen, "ann", "Ann", START)
    for count in sorted({min(seats), min(3, max(seats)), min(6, max(seats))} & set(seats)):
        check_table(registry, game, mode, seats=count, challenge=challenge)
