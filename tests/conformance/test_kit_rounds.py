"""Scripts of rounds: lines, positions, branches, play by chance, what is seen."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from fliptable import CARD, Private, Refusal, Result, Setup
from fliptable.testing import START, FakeClock, OneCard, Play, RoundScript, stacked
from fliptable.testing.toys import OneCardState, TurnedUp, TurnUp, WalkedOff


def script(cards: str = "2H 3C 4D", seats: int = 2, **more: Any) -> RoundScript:
    return RoundScript(OneCard(), stacked(cards), seats=seats, **more)


def test_lines_are_followed_one_after_the_other() -> None:
    round = script()
    assert round.legal == ["turn"]
    assert round.follow("0: turn", "turn-up") == [TurnedUp(1, CARD["3C"])]
    assert round.outcome is not None and round.outcome.winners == [0]
    assert [step.said for step in round.steps] == ["", "0: turn", "turn-up"]
    assert round.steps[1].state.drawn == 1 and round.state.drawn == 2


def test_a_line_says_with_which_code_it_is_refused() -> None:
    round = script()
    round.follow("1: turn -> NOT_YOUR_TURN", "0: turn")
    assert len(round.steps) == 2
    with pytest.raises(AssertionError, match=r"seat 1, TurnUp\(\) was accepted"):
        round.follow("1: turn -> NOPE")
    with pytest.raises(AssertionError, match="'0: turn -> NOPE' is refused with NOT_YOUR_TURN: Seat 0 "):
        round.follow("0: turn -> NOPE")
    with pytest.raises(AssertionError, match="seat 0 leaves is not a move"):
        round.follow("0 leaves -> NOPE")


def test_a_notation_of_ones_own() -> None:
    round = script()
    seats = {"Ann": 0, "Bob": 1}
    round.follow("Ann turns", "Bob turns", read=lambda words: Play(seats[words.split()[0]], TurnUp()))
    assert [step.said for step in round.steps[1:]] == ["Ann turns", "Bob turns"]


class Timid(OneCard):
    """Who is away walks off; who is back, or out of time, has the same card turned up."""

    def absent(self, state: OneCardState, seat: int, ctx: Any) -> Sequence[Any]:
        return [WalkedOff(seat)]

    def present(self, state: OneCardState, seat: int, ctx: Any) -> Sequence[Any]:
        return [TurnedUp(seat, CARD["KS"])]

    expired = present


def test_seats_come_and_go_and_run_out_of_time() -> None:
    round = RoundScript(Timid(), stacked("2H 3C 4D"), seats=3)
    assert round.disconnect(2) == [WalkedOff(2)]
    assert round.reconnect(2) == [TurnedUp(2, CARD["KS"])]
    with pytest.raises(AssertionError, match=r"seat 1 is not to act, \[0\] are"):
        round.expire(1)
    assert round.follow("0 is out of time") == [TurnedUp(0, CARD["KS"])]
    assert round.leave(1) == [WalkedOff(1)]
    assert round.of(WalkedOff) == [WalkedOff(2), WalkedOff(1)]
    assert round.outcome is not None


def test_a_round_knows_who_was_gone_or_away_before_it() -> None:
    round = script(seats=3, gone=[0], away=[2], number=4)
    options, terms = OneCard.Options(), OneCard.Terms()
    assert round.setup == Setup(options, terms, 3, 4, None, frozenset({0}), frozenset({2}))
    assert round.to_act == [1]


def test_the_next_round_goes_on_from_this_one() -> None:
    round = RoundScript(OneCard(), stacked("2H 3C", "4C 5H"), seats=2)
    with pytest.raises(AssertionError, match="round 1 is not over"):
        round.next_round()
    round.follow("turn", "turn", "next round")
    assert round.setup.number == 2 and round.outcome is None and len(round.events) == 1
    round.leave(0)
    round.play(1, TurnUp())
    assert [one.result for one in round.outcome.seats] == [Result.LOST, Result.LOST]
    round.next_round()
    assert round.setup.gone == {0} and round.to_act == [1]


def test_a_position_is_played_on() -> None:
    state = OneCardState(("2H", ""), deck=("2H", "3D"), drawn=1)
    round = script(state=state)
    assert round.events == [] and round.to_act == [1]
    round.follow("turn")
    assert round.outcome is not None and round.outcome.winners == [0, 1]


def test_a_branch_goes_its_own_way() -> None:
    round = script(clock=FakeClock())
    other = round.branch()
    other.clock.advance(5)
    other.follow("turn")
    assert round.to_act == [0] and len(round.steps) == 1 and round.clock() == START
    assert other.to_act == [1] and len(other.steps) == 2
    assert round.follow("turn") == other.events[-1:]


def test_an_invariant_is_held_at_every_step() -> None:
    seen: list[int] = []
    round = script(invariant=lambda state: seen.append(state.drawn))
    round.follow("turn", "turn")
    assert seen == [0, 1, 2]


class Grudging(OneCard):
    """Refuses what it lists."""

    def decide(self, state: Any, seat: int, move: Any, ctx: Any) -> Any:
        return Refusal("ILLEGAL_MOVE", "No.")


def test_a_refused_move_is_not_among_the_legal_ones() -> None:
    round = RoundScript(Grudging(), stacked("2H"))
    with pytest.raises(AssertionError, match=r"TurnUp\(\) is among the legal moves, and is refused: No\."):
        round.refused(0, TurnUp())


class Hidden(OneCard):
    """Shows its cards to their owners alone."""

    def decide(self, state: Any, seat: int, move: Any, ctx: Any) -> Any:
        return [Private(super().decide(state, seat, move, ctx)[0], frozenset({seat}), WalkedOff(seat))]


def test_who_is_told_what() -> None:
    round = RoundScript(Hidden(), stacked("2H 3C"), seats=2)
    round.follow("turn")
    (turned,) = round.of(TurnedUp)
    assert round.seen(0)[-1] == turned
    assert round.seen(1)[-1] == round.seen()[-1] == WalkedOff(0)


def test_play_by_chance_ends_or_stops() -> None:
    round = script(seats=6)
    assert round.play_on(Random(1), moves=2) is None and len(round.of(TurnedUp)) == 2
    asked: list[int] = []

    def policy(view: Any, seat: int, moves: Sequence[Any], random: Random) -> Any:
        assert view.cards[seat] is None
        asked.append(seat)
        return moves[0]

    assert round.play_on(Random(1), policy) is not None
    assert asked == [2, 3, 4, 5]
