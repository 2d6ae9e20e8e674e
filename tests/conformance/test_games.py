"""Every installed game keeps the laws of the conformance kit, alone and at tables in all of its modes."""

from __future__ import annotations

from typing import Any

import pytest

from fliptable.plugins import Registry, load_plugins
from fliptable.testing import check_game, check_table

INSTALLED = load_plugins(strict=False)
GAMES = sorted(INSTALLED.games)
PAIRS = [(game.id, mode.id) for game in INSTALLED.games.values() for mode in INSTALLED.modes_for(game)]

TERMS: dict[str, list[dict[str, Any]]] = {
    # What the modes of each game ask for, tried besides the default terms.
    "call-it": [{"target": 45}, {"peek": 3}, {"min_target": 50, "caller": 0}],
}


def test_every_plugin_is_loaded() -> None:
    assert not INSTALLED.failures


@pytest.mark.parametrize("game", GAMES)
def test_a_game_keeps_the_laws(registry: Registry, game: str) -> None:
    part = registry.game(game)
    check_game(part, terms=[part.Terms(**terms) for terms in TERMS.get(game, [])])


@pytest.mark.parametrize(("game", "mode"), PAIRS)
def test_a_table_keeps_the_laws(registry: Registry, game: str, mode: str) -> None:
    seats = registry.mode(mode).seats(registry.game(game))
    for count in sorted({min(seats), min(3, max(seats)), min(6, max(seats))} & set(seats)):
        check_table(registry, game, mode, seats=count)
