"""Classic: one round, then the table is over (call-it M1)."""

from __future__ import annotations

from typing import Any

import pytest

from fliptable.testing import Registry, Status, load_plugins, stacked
from fliptable_games.call_it.vocabulary import Call, Flip
from fliptable_modes.classic import Classic, ClassicView, RoundPlayed
from tests.modes.call_it_tables import OpenTable

GAMES = [game for game in load_plugins(strict=False).games.values() if game.modes is None]


def test_m1_one_round_and_the_table_is_over(table_script: OpenTable) -> None:
    table = table_script("call-it", "classic", chance=stacked("10C 10D 10H"))
    assert table.run() == ClassicView(played=False)
    table.play(0, Call(30), Flip(), Flip())
    assert table.over is None
    table.play(0, Flip())
    assert table.table.status is Status.OVER and table.over == "PLAYED"
    assert table.run() == ClassicView(played=True)
    assert table.scores == (1,)
    assert table.table.staged is None
    assert table.of(RoundPlayed) == [RoundPlayed()]


def test_m1_a_bust_ends_it_as_well(table_script: OpenTable) -> None:
    table = table_script("call-it", "classic", chance=stacked("10C 10D 9H 2S"))
    table.play(0, Call(30), Flip(), Flip(), Flip(), Flip())
    assert table.table.status is Status.OVER and table.scores == (0,)


def test_m1_there_is_no_next_round(table_script: OpenTable) -> None:
    table = table_script("call-it", "classic", chance=stacked("10C 10D 10H"))
    table.play(0, Call(30), Flip(), Flip(), Flip())
    assert table.refused_move(0, Call(30)).code == "TABLE_OVER"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_m1_it_works_for_every_game_with_all_of_its_seats(registry: Registry, game: Any) -> None:
    assert Classic().supports(game) and Classic().seats(game) == game.seats
    assert "classic" in [mode.id for mode in registry.modes_for(registry.game(game.id))]


def test_m1_it_is_what_is_played_when_nothing_was_chosen(registry: Registry) -> None:
    call_it = registry.game("call-it")
    assert call_it.default_mode == "classic"
    assert registry.modes_for(call_it)[0].id == "classic"


def test_m1_it_has_no_deadline_and_no_options(table_script: OpenTable) -> None:
    table = table_script("call-it", "classic")
    assert table.table.deadline() is None
    table.clock.advance(10**6)
    assert not table.tick()
