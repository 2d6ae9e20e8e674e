"""FLIP at a table: its log, its snapshots, its seeds and what opens when the game is over."""

from __future__ import annotations

from random import Random

import pytest

from fliptable import Private, Shuffled
from fliptable.testing import RoundOver, SeedRevealed
from fliptable_games.flip.options import FlipOptions
from fliptable_games.flip.vocabulary import Drew, DrewUnseen, PassTurn, PlaceCard, TurnBegan
from tests.games.flip.positions import codes, keen

NAMES = ("Ann", "Bob", "Cid", "Dot")


@pytest.fixture
def finished(table_script):
    """A table that was played to its end by keen players."""

    def play(seats, seed, **more):
        chooser = Random(seed)
        table = table_script(
            "flip",
            players=NAMES[:seats],
            game_options=FlipOptions(turn_limit=20),
            secret=chooser.randbytes(32),
            **more,
        )
        while table.over is None:
            assert table.of(SeedRevealed) == [], "Y13: seeds stay hidden until the game is over"
            table.check_log()
            table.play_on(chooser, keen(0.9), moves=40)
        return table

    return play


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_log_is_the_table_and_a_snapshot_is_too(finished, seats):
    finished(seats, seats).check_log()


@pytest.mark.parametrize("seats", [2, 4])
def test_y13_seeds_stay_hidden_until_the_game_is_over(finished, seats):
    table = finished(seats, 7 + seats)
    kinds = [type(event) for event in table.of(RoundOver, SeedRevealed)]
    assert kinds == [RoundOver, *[SeedRevealed] * (seats + 2)]
    assert all(table.seed(number) for number in range(1, seats + 3))
    table.check_seeds()


def test_y13_private_events_open_when_the_game_is_over(table_script):
    table = table_script("flip", players=("Ann", "Bob"), secret=bytes(range(32)))
    table.play_on(Random(11), moves=12)
    assert [event for event in table.seen(0) if isinstance(event, DrewUnseen) and event.seat == 1]
    assert not [event for event in table.seen(0) if isinstance(event, Drew) and event.seat == 1]
    table.leave("bob")
    opened = table.seen()
    assert not any(isinstance(event, (DrewUnseen, Private)) for event in opened)
    # What was drawn is each deck behind its cards in the field, in order (Y2, Y3).
    layout = table.state.layout
    for seat, name in enumerate(layout.deck_names):
        (deck,) = [event for event in table.of(Shuffled) if event.name == name]
        drawn = [event.card.value for event in opened if isinstance(event, Drew) and event.seat == seat]
        assert drawn and tuple(drawn) == deck.order[layout.field_cards :][: len(drawn)]


def test_y3_the_player_to_act_alone_is_given_moves_and_the_others_are_refused(table_script):
    table = table_script("flip", players=("Ann", "Bob"), game_options=FlipOptions(first=1))
    assert table.legal_moves(0) == []
    moves = table.legal_moves(1)
    assert {type(move) for move in moves} == {PlaceCard} and len(moves) == 16
    before = table.view(0, 1)
    assert table.refused_move(0, moves[0]).code == "NOT_YOUR_TURN"
    assert table.refused_move(1, PassTurn()).code == "PLACE_FIRST"
    assert table.view(0, 1) == before and len(table.of(TurnBegan)) == 1


def test_y13_a_host_with_local_seats_sees_for_them(table_script):
    table = table_script("flip", players=("Ann",), local_seats=("Bob",))
    drawn = table.view(*table.viewer("ann")).drawn
    assert drawn is not None and codes(table.state.drawn) == [drawn.value]
    assert table.view().drawn is None


def test_y11_a_player_who_leaves_the_table_loses_the_game(table_script):
    table = table_script("flip", players=("Ann", "Bob"))
    table.leave("ann")
    assert table.over == "PLAYED" and table.outcomes[-1].winners == [1]
    assert all(table.seed(number) for number in range(1, 5))


def test_y10_with_three_the_others_play_on(table_script):
    table = table_script("flip", players=("Ann", "Bob", "Cid"), game_options=FlipOptions(first=1))
    table.leave("bob")
    assert table.over is None and table.to_act == [2]
