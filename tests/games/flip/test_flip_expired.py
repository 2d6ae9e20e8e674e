"""FLIP with a time limit: what is done for a player whose time is up (flip Y3, Y4, Y12)."""

from __future__ import annotations

from itertools import pairwise

import pytest

from fliptable import Private
from fliptable.testing import Expire, HouseRules, TurnExpired
from fliptable_games.flip.vocabulary import Drew, FlipPile, Passed, Placed, Stalemate, TurnBegan


@pytest.fixture
def timed(table_script):
    """Opens a table at which every turn has half a minute."""

    def open_timed(seats=2):
        names = ("Ann", "Bob", "Cid", "Dot")[:seats]
        house = HouseRules(turn_seconds=30)
        return table_script("flip", players=names, house=house, secret=bytes(range(32)))

    return open_timed


def expire(table):
    """Let the time of the player whose turn it is pass; what happened, hidden things included."""
    (player,) = table.to_act
    events = table.take(Expire(player))
    return [event.event if isinstance(event, Private) else event for event in events]


def test_y3_a_drawn_card_goes_to_the_first_open_space_and_the_turn_ends_with_a_pass(timed):
    table = timed()
    (player,) = table.to_act
    drawn = table.of(Drew)[-1]
    events = expire(table)
    # The whole field is face-down at first, so that its first space is open.
    assert events[:3] == [TurnExpired(player), Placed(player, drawn.card, 0, 0), Passed(player)]
    assert events[3] == TurnBegan(1 - player)
    assert table.view().piles[0].face_up[-1] == drawn.card
    assert table.to_act == [1 - player]


def test_y3_spaces_with_a_face_up_card_are_not_open(timed):
    table = timed()
    expire(table)
    (second,) = table.to_act
    events = expire(table)
    placed = next(event for event in events if isinstance(event, Placed))
    assert (placed.seat, placed.row, placed.column) == (second, 0, 1)


def test_y4_who_has_placed_already_only_passes(timed):
    table = timed()
    (player,) = table.to_act
    table.play(player, table.legal_moves(player)[5])
    events = expire(table)
    assert events[:2] == [TurnExpired(player), Passed(player)]


def test_y4_placing_starts_the_time_anew(timed):
    table = timed()
    (player,) = table.to_act
    table.clock.advance(20)
    table.play(player, table.legal_moves(player)[0])
    table.clock.advance(20)
    assert not table.tick()
    table.play(player, FlipPile(1, 1))
    assert table.to_act == [1 - player]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_y12_a_game_that_nobody_plays_any_more_ends(timed, seats):
    table = timed(seats)
    table.clock.advance(10**6)
    assert table.tick()
    assert table.over == "PLAYED"
    assert table.of(Stalemate)
    # Every turn ended at its own time.
    times = [commit.at for commit in table.commits if isinstance(commit.events[0], TurnExpired)]
    gaps = {(later - earlier).total_seconds() for earlier, later in pairwise(times)}
    assert gaps == {30.0}
