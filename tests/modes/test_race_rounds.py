"""Decks, secrets and winners of the rounds of a race at whole tables: rule sheet call-it, R2 to R4."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from random import Random
from typing import Any

import pytest

from fliptable import Result
from fliptable.testing import SeedRevealed, TableScript
from fliptable_games.call_it.vocabulary import Call, Flip, Flipped, FlippedUnseen, HandStatus, Won
from fliptable_modes.race import RoundScored
from tests.modes.call_it_tables import BUST, NAMES, WIN, OpenTable, hand, play_round, win


def test_r2_everybody_flips_from_an_identical_copy(race: OpenTable) -> None:
    table = race(3, "2H 3D 4C 5S")
    table.play(0, Call(100))
    for seat, times in ((1, 4), (0, 2), (2, 3), (0, 1)):
        table.play(seat, *[Flip()] * times)
    shown = [[card.value for card in hand(table, seat, seat=seat).cards] for seat in range(3)]
    assert shown == [["2H", "3D", "4C"], ["2H", "3D", "4C", "5S"], ["2H", "3D", "4C"]]
    assert len(table.table.shuffles) == 1, "there is one deck, and one seed of it"


def test_r2_the_first_on_the_target_wins_the_round_and_one_point(race: OpenTable) -> None:
    table = race(3, WIN)
    table.play(0, Call(30))
    table.play(1, Flip(), Flip())
    table.play(2, Flip(), Flip(), Flip())
    (outcome,) = table.outcomes
    assert [one.result for one in outcome.seats] == [Result.LOST, Result.LOST, Result.WON]
    assert table.scores == (0, 0, 1) == table.run().points
    assert RoundScored(1, (0, 0, 1)) in table.events


def test_r2_a_fresh_deck_for_every_round(race: OpenTable) -> None:
    table = race(2, WIN, BUST)
    win(table, 0)
    play_round(table)
    shuffles = table.table.shuffles
    assert [one.round for one in shuffles] == [1, 2, 3]
    assert all(len(one.cards) == 52 for one in shuffles)


def test_r2_from_a_shared_deck_each_flip_takes_the_next_card(race: OpenTable) -> None:
    table = race(3, "2H 3D 4C 5S", shared=True)
    table.play(0, Call(100))
    for seat in (1, 0, 1, 2):
        table.play(seat, Flip())
    shown = [[card.value for card in one.cards] for one in table.view().hands]
    assert shown == [["3D"], ["2H", "4C"], ["5S"]]


def test_r2_an_empty_shared_deck_busts_everybody_who_is_in(race: OpenTable) -> None:
    table = race(3, "2H", shared=True)
    table.play(0, Call(2**31 - 1))
    table.disconnect("cid")
    for number in range(52):
        table.play(number % 2, Flip())
    (outcome,) = table.outcomes
    assert [one.reason for one in outcome.seats] == ["DECK_EMPTY"] * 3
    assert table.scores == (0, 0, 0) and table.table.staged is not None


def seen_by(table: TableScript, *seats: int) -> list[Any]:
    return [event for event in table.seen(*seats) if isinstance(event, Flipped | FlippedUnseen)]


def test_r3_others_learn_only_how_many_cards_somebody_flipped(race: OpenTable) -> None:
    table = race(3, "10H 9D 2C", WIN)
    table.play(0, Call(100))
    table.play(1, Flip(), Flip())
    for eyes in ((), (0,), (2,), (0, 2)):
        assert seen_by(table, *eyes) == [FlippedUnseen(1), FlippedUnseen(1)]
        theirs = hand(table, *eyes, seat=1)
        assert (theirs.flips, theirs.status) == (2, HandStatus.IN)
        assert theirs.cards is None and theirs.universes is None
    assert [event.card.value for event in seen_by(table, 1)] == ["10H", "9D"]
    # Nor does the seed come out while somebody flips.
    assert table.seed(1) is None


def test_r3_all_is_open_when_the_round_is_over(race: OpenTable) -> None:
    table = race(3, WIN)
    table.play(0, Call(30))
    table.play(1, Flip(), Flip())
    table.play(2, Flip(), Flip(), Flip())
    for eyes in ((), (0,)):
        assert [event.card.value for event in seen_by(table, *eyes)] == ["10C", "JC", "10C", "JC", "QC"]
        hands = table.view(*eyes).hands
        assert [one.flips for one in hands] == [0, 2, 3]
        assert all(one.cards is not None for one in hands)
    assert any(isinstance(event, SeedRevealed) for event in table.commits[-1].events)
    # The round that waits is as closed as ever.
    assert table.seed(2) is None


def test_r3_who_is_bust_still_does_not_see_the_others(race: OpenTable) -> None:
    table = race(3, BUST)
    table.play(0, Call(30))
    table.play(1, *[Flip()] * 4)
    table.play(2, Flip())
    hands = table.view(2).hands
    assert hands[1].status is HandStatus.BUST and hands[1].cards is None
    assert seen_by(table, 1)[-1] == FlippedUnseen(2)


def test_r3_who_is_away_sees_no_more_and_shows_no_more(race: OpenTable) -> None:
    table = race(3, "10H 9D 2C")
    table.play(0, Call(100))
    table.play(1, Flip(), Flip())
    table.disconnect("bob")
    table.play(2, Flip())
    assert seen_by(table, 0) == [FlippedUnseen(1), FlippedUnseen(1), FlippedUnseen(2)]
    assert table.view(0).hands[1].cards is None
    assert seen_by(table, 1)[-1] == FlippedUnseen(2)


def test_r3_with_a_shared_deck_all_is_public(race: OpenTable) -> None:
    table = race(2, "2H 3D", shared=True)
    table.play(0, Call(100))
    table.play(1, Flip(), Flip())
    assert [event.card.value for event in seen_by(table)] == ["2H", "3D"]


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_r4_order_of_arrival_decides(race: OpenTable, order: tuple[int, ...]) -> None:
    """All are a flip from the target, and all have asked for it: the log takes one after the other."""
    table = race(3, WIN)
    table.play(0, Call(30))
    for seat in range(3):
        table.play(seat, Flip(), Flip())
    table.play(order[0], Flip())
    for late in order[1:]:
        before, log = table.view(0, 1, 2), len(table.commits)
        # The next round waits for seat 1's call, so that nobody's late flip goes there either.
        assert table.refused_move(late, Flip()).code == ("ILLEGAL_MOVE" if late == 1 else "NOT_YOUR_TURN")
        assert table.view(0, 1, 2) == before and len(table.commits) == log
    assert table.scores == tuple(int(seat == order[0]) for seat in range(3))
    statuses = [one.status for one in table.view().hands]
    assert statuses == [HandStatus.WON if seat == order[0] else HandStatus.LOCKED for seat in range(3)]


def test_r4_two_decisions_on_the_same_version_cannot_both_be_stored(race: OpenTable) -> None:
    table = race(2, WIN)
    table.play(0, Call(30), Flip(), Flip())
    table.play(1, Flip(), Flip())
    for seat in (0, 1):
        assert Won(seat, 3) in table.preview(seat, Flip())
    # Both would be the same version; the log takes one, and the other is decided anew.
    table.play(1, Flip())
    assert table.refused_move(0, Flip()).code == "NOT_YOUR_TURN"
    assert table.scores == (0, 1)


def test_r4_a_bust_scores_nothing_and_the_round_ends_when_all_are_bust(race: OpenTable) -> None:
    table = race(3, BUST)
    table.play(0, Call(30))
    for seat in (2, 0, 1):
        assert table.outcomes == []
        table.play(seat, *[Flip()] * 4)
    (outcome,) = table.outcomes
    assert [(one.result, one.points) for one in outcome.seats] == [(Result.BUST, 0)] * 3
    assert table.scores == (0, 0, 0)
    assert RoundScored(1, (0, 0, 0)).text(NAMES) == "Nobody scores in round 1."


def low_calls(view: Any, seat: int, moves: Sequence[Any], random: Random) -> Any:
    return moves[0] if moves[0] == Flip() else Call(random.choice([30, 31, 45, 60]))


@pytest.mark.parametrize("shared", [False, True])
def test_r4_random_races_have_one_winner_a_round_at_most(race: OpenTable, shared: bool) -> None:
    for seed in range(8):
        random = Random(seed)
        table = race(random.randint(2, 8), shared=shared, score=3, secret=random.randbytes(32))
        table.play_on(random, low_calls)
        assert table.over == "WON"
        results = [[one.result for one in outcome.seats] for outcome in table.outcomes]
        assert all(one.count(Result.WON) <= 1 for one in results)
        wins = [sum(one[seat] is Result.WON for one in results) for seat in range(len(table.table.seats))]
        assert table.scores == tuple(wins)
        assert sorted(wins)[-1] == 3 and sorted(wins)[-2] < 3
