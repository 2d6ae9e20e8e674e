"""FLIP with a time limit: what is done for a player whose time is up (flip Y3, Y4, Y12)."""

from __future__ import annotations

from itertools import pairwise

import pytest

from fliptable.events import TurnExpired
from fliptable.house import HouseRules
from fliptable.projection import view_round
from fliptable.table import Status
from fliptable.testing import TableScript
from fliptable_games.flip.vocabulary import (
    Drew,
    FlipPile,
    Passed,
    Placed,
    Stalemate,
    TurnBegan,
)


def table_of(registry, seats=2, **more):
    names = ("Ann", "Bob", "Cid", "Dot")[:seats]
    house = HouseRules(turn_seconds=30)
    return TableScript(registry, "flip", players=names, house=house, secret=bytes(range(32)), **more)


def plain(events):
    return [getattr(event, "event", event) for event in events]


def expire(table):
    """Let the time of the player whose turn it is pass; the events of that commit."""
    table.clock.advance(30)
    assert table.tick()
    return plain(table.commits[-1].events)


def player_of(table):
    return table.table.round.state.player


def test_y3_a_drawn_card_goes_to_the_first_open_space_and_the_turn_ends_with_a_pass(registry):
    table = table_of(registry)
    player = player_of(table)
    drawn = next(one for one in reversed(plain(table.events)) if isinstance(one, Drew))
    events = expire(table)
    # The whole field is face-down at first, so that its first space is open.
    assert events[:3] == [TurnExpired(player), Placed(player, drawn.card, 0, 0), Passed(player)]
    assert events[3] == TurnBegan(1 - player)
    assert view_round(table.table, table.table.round, frozenset()).piles[0].face_up[-1] == drawn.card
    assert player_of(table) == 1 - player


def test_y3_spaces_with_a_face_up_card_are_not_open(registry):
    table = table_of(registry)
    expire(table)
    second = player_of(table)
    events = expire(table)
    placed = next(event for event in events if isinstance(event, Placed))
    assert (placed.seat, placed.row, placed.column) == (second, 0, 1)


def test_y4_who_has_placed_already_only_passes(registry):
    table = table_of(registry)
    player = player_of(table)
    table.play(player, table.table.game.legal_moves(table.table.round.state, player)[5])
    events = expire(table)
    assert events[:2] == [TurnExpired(player), Passed(player)]


def test_y4_placing_starts_the_time_anew(registry):
    table = table_of(registry)
    player = player_of(table)
    table.clock.advance(20)
    table.play(player, table.table.game.legal_moves(table.table.round.state, player)[0])
    table.clock.advance(20)
    assert not table.tick()
    table.play(player, FlipPile(1, 1))
    assert player_of(table) == 1 - player


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_y12_a_game_that_nobody_plays_any_more_ends(registry, seats):
    table = table_of(registry, seats)
    table.clock.advance(10**6)
    assert table.tick()
    assert table.table.status is Status.OVER
    assert any(isinstance(event, Stalemate) for event in plain(table.events))
    # Every turn ended at its own time.
    times = [commit.at for commit in table.commits if isinstance(commit.events[0], TurnExpired)]
    gaps = {(later - earlier).total_seconds() for earlier, later in pairwise(times)}
    assert gaps == {30.0}
