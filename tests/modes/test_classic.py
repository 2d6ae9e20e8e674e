"""Classic: one round, then the table is over (call-it M1)."""

from __future__ import annotations

import pytest

from fliptable.plugins import Registry, load_plugins
from fliptable.projection import view_run
from fliptable.table import Status
from fliptable.testing import TableScript, stacked
from fliptable_games.call_it.vocabulary import Call, Flip
from fliptable_modes.classic import Classic, ClassicView, RoundPlayed

GAMES = [game for game in load_plugins(strict=False).games.values() if game.modes is None]


def test_m1_one_round_and_the_table_is_over(registry: Registry) -> None:
    table = TableScript(registry, "call-it", "classic", chance=stacked("10C 10D 10H"))
    assert view_run(table.table, frozenset()) == ClassicView(played=False)
    table.play(0, Call(30), Flip(), Flip())
    assert table.table.status is Status.PLAYING
    table.play(0, Flip())
    assert table.table.status is Status.OVER and table.table.over_reason == "PLAYED"
    assert view_run(table.table, frozenset()) == ClassicView(played=True)
    assert table.table.scores == (1,)
    assert table.table.staged is None
    assert [event for event in table.events if isinstance(event, RoundPlayed)] == [RoundPlayed()]


def test_m1_a_bust_ends_it_as_well(registry: Registry) -> None:
    table = TableScript(registry, "call-it", "classic", chance=stacked("10C 10D 9H 2S"))
    table.play(0, Call(30), Flip(), Flip(), Flip(), Flip())
    assert table.table.status is Status.OVER and table.table.scores == (0,)


def test_m1_there_is_no_next_round(registry: Registry) -> None:
    table = TableScript(registry, "call-it", "classic", chance=stacked("10C 10D 10H"))
    table.play(0, Call(30), Flip(), Flip(), Flip())
    assert table.refused_move(0, Call(30)).code == "TABLE_OVER"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_m1_it_works_for_every_game_with_all_of_its_seats(registry: Registry, game: object) -> None:
    part = registry.game(game.id)  # type: ignore[attr-defined]
    assert Classic().supports(part) and Classic().seats(part) == part.seats
    assert "classic" in [mode.id for mode in registry.modes_for(part)]


def test_m1_it_is_what_is_played_when_nothing_was_chosen(registry: Registry) -> None:
    call_it = registry.game("call-it")
    assert call_it.default_mode == "classic"
    assert registry.modes_for(call_it)[0].id == "classic"


def test_m1_it_has_no_deadline_and_no_options(registry: Registry) -> None:
    table = TableScript(registry, "call-it", "classic")
    assert table.table.deadline() is None
    table.clock.advance(10**6)
    assert not table.tick()
