"""One round with several seats: rule sheet call-it, R1 to R4 and R6, as the game itself has them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from random import Random
from typing import Any

import pytest

from fliptable import Private, Result, Setup
from fliptable.testing import RoundScript, check_game, stacked
from fliptable_games.call_it.game import CallIt
from fliptable_games.call_it.vocabulary import (
    Busted,
    BustReason,
    Call,
    Called,
    CallItOptions,
    CallItTerms,
    CallPassed,
    CameBack,
    Flip,
    Flipped,
    FlippedUnseen,
    HandStatus,
    Phase,
    UniverseStatus,
    WentAway,
    Won,
)

SHARED = CallItOptions(shared_deck=True)
COPIES = CallItOptions()


class Round(RoundScript):
    """A scripted round in which players come and go."""

    def away(self, seat: int) -> Sequence[Any]:
        return self._apply(self.game.absent(self.state, seat, self._context()))

    def back(self, seat: int) -> Sequence[Any]:
        return self._apply(self.game.present(self.state, seat, self._context()))

    def time_up(self, seat: int) -> Sequence[Any]:
        assert seat in self.to_act
        return self._apply(self.game.expired(self.state, seat, self._context()))


def race(
    deck: str = "", seats: int = 3, options: CallItOptions = COPIES, target: int | None = None, **terms: Any
) -> Round:
    """A round on a stacked deck, with the call made if there is a target."""
    round = Round(CallIt(), stacked(deck), seats=seats, options=options, terms=CallItTerms(**terms))
    if target is not None:
        round.play(round.to_act[0], Call(target))
    return round


def dealt(
    seats: int = 4,
    gone: Sequence[int] = (),
    away: Sequence[int] = (),
    options: CallItOptions = COPIES,
    **terms: Any,
) -> Round:
    """A later round, in which some seats were left for good and some are not there."""
    round = Round(CallIt(), stacked(""), seats=seats, options=options)
    setup = Setup(options, CallItTerms(**terms), seats, 2, None, frozenset(gone), frozenset(away))
    round.state = round.game.begin(setup)
    round.events.clear()
    round._apply(round.game.deal(round.state, round._context()))
    return round


def reasons(round: Round) -> list[str | None]:
    assert round.outcome is not None
    return [seat.reason for seat in round.outcome.seats]


# R1: the caller


def test_r1_one_seat_calls_and_nobody_else_can() -> None:
    round = race(seats=4, caller=2)
    assert round.to_act == [2] and round.view().caller == 2
    assert round.view().phase is Phase.CALL
    for seat in (0, 1, 3):
        assert round.refused(seat, Call(40)).code == "NOT_YOUR_TURN"
        assert round.refused(seat, Flip()).code == "NOT_YOUR_TURN"
        assert round.legal_moves(seat) == []
    assert round.refused(2, Flip()).code == "ILLEGAL_MOVE"
    assert round.refused(2, Call(29)).field == "target"
    assert round.play(2, Call(30)) == [Called(2, 30)]


def test_r1_the_caller_plays_too() -> None:
    round = race("10H 10D 10C", caller=1, target=30)
    assert round.to_act == [0, 1, 2]
    round.play(1, Flip(), Flip(), Flip())
    assert round.outcome is not None and round.outcome.winners == [1]


def test_r1_the_target_is_called_once_for_all() -> None:
    round = race(caller=1, target=55)
    assert [round.view(seat).target for seat in range(3)] == [55, 55, 55]
    assert round.refused(1, Call(60)).code == "ILLEGAL_MOVE"
    assert round.refused(0, Call(60)).code == "ILLEGAL_MOVE"


def test_r1_who_has_left_is_passed_over_as_caller() -> None:
    assert dealt(caller=1, gone=[1]).to_act == [2]
    assert dealt(caller=3, gone=[3, 0]).to_act == [1]


# R2: identical copies


def test_r2_everybody_flips_from_an_identical_copy_at_their_own_pace() -> None:
    round = race("2H 3D 4C 5S", target=100)
    round.play(1, Flip(), Flip(), Flip())
    round.play(0, Flip())
    round.play(2, Flip(), Flip())
    round.play(0, Flip(), Flip(), Flip())
    cards = [[card.value for card in round.view(seat).hands[seat].cards] for seat in range(3)]
    assert cards == [["2H", "3D", "4C", "5S"], ["2H", "3D", "4C"], ["2H", "3D"]]
    assert [hand.cards_left for hand in round.view().hands] == [48, 49, 50]


def test_r2_the_first_to_land_on_the_target_wins_one_point() -> None:
    round = race("10H 10D 10C", target=30)
    round.play(0, Flip(), Flip())
    round.play(2, Flip(), Flip(), Flip())
    assert round.events[-1] == Won(2, 3)
    outcome = round.outcome
    assert outcome is not None
    assert [one.result for one in outcome.seats] == [Result.LOST, Result.LOST, Result.WON]
    assert [one.points for one in outcome.seats] == [0, 0, 1]
    assert [one.measures["flips"] for one in outcome.seats] == [2, 0, 3]


def test_r2_a_copy_that_is_empty_is_a_bust_of_its_own() -> None:
    round = race(seats=2, target=500)
    round.play(1, *[Flip()] * 52)
    assert round.events[-1] == Busted(1, BustReason.DECK_EMPTY)
    assert round.outcome is None and round.to_act == [0]
    round.play(0, *[Flip()] * 52)
    assert reasons(round) == ["DECK_EMPTY", "DECK_EMPTY"]


# R2: one common pile


def test_r2_from_a_shared_deck_each_flip_takes_the_next_card() -> None:
    round = race("2H 3D 4C 5S 6H", options=SHARED, target=100)
    for seat in (1, 0, 1, 2, 1):
        round.play(seat, Flip())
    cards = [[card.value for card in hand.cards] for hand in round.view().hands]
    assert cards == [["3D"], ["2H", "4C", "6H"], ["5S"]]
    assert {hand.cards_left for hand in round.view().hands} == {47}


def test_r2_all_cards_of_a_shared_deck_are_public() -> None:
    round = race("2H AD 4C", options=SHARED, target=30)
    events = round.play(1, Flip())
    assert events == [Flipped(1, round.view().hands[1].cards[0])]
    round.play(1, Flip())
    for viewer in ((), (0,), (1,), (2,)):
        hand = round.view(*viewer).hands[1]
        assert [card.value for card in hand.cards] == ["2H", "AD"]
        assert [one.sum for one in hand.universes] == [3, 13]


def test_r2_with_the_shared_deck_empty_everybody_still_in_is_bust() -> None:
    round = race(options=SHARED, target=2**31 - 1)
    round.leave(1)
    for number in range(52):
        round.play(0 if number % 2 else 2, Flip())
    assert reasons(round) == ["DECK_EMPTY", "ABANDONED", "DECK_EMPTY"]


def test_r2_the_last_shared_card_may_hit() -> None:
    deck = race().state.deck
    aces_last = sorted(deck, key=lambda card: card[0] == "A")
    round = race(" ".join(aces_last), seats=2, options=SHARED, target=340)
    round.play(0, *[Flip()] * 51)
    assert round.outcome is None
    round.play(0, Flip())
    assert round.events[-1] == Won(0, 52) and reasons(round) == [None, "BEATEN"]


def near_the_end(seats: int, target: int) -> Round:
    """A round on a shared deck of which only 9, 10, K and Q of hearts are left, all hands empty."""
    round = race(options=SHARED, seats=seats, target=target)
    last = ("9H", "10H", "KH", "QH")
    order = tuple([card for card in round.state.deck if card not in last])
    round.state = replace(round.state, deck=(*order, *last), taken=48)
    return round


def test_r2_with_the_last_shared_card_everybody_below_is_bust() -> None:
    round = near_the_end(2, 40)
    round.play(0, Flip(), Flip())
    round.play(1, Flip(), Flip())
    assert round.events[-2:] == [Busted(1, BustReason.DECK_EMPTY), Busted(0, BustReason.DECK_EMPTY)]
    assert reasons(round) == ["DECK_EMPTY", "DECK_EMPTY"]


def test_r2_the_last_shared_card_may_be_too_much_for_who_takes_it() -> None:
    round = near_the_end(3, 30)
    round.play(0, *[Flip()] * 4)
    assert reasons(round) == ["OVER", "DECK_EMPTY", "DECK_EMPTY"]


# R3: what others see


def test_r3_others_see_how_many_cards_and_whether_they_are_in_or_bust() -> None:
    round = race("10H AD 2C KD KC", target=30)
    round.play(1, Flip(), Flip())
    for viewer in ((), (0,), (2,), (0, 2)):
        hand = round.view(*viewer).hands[1]
        assert (hand.flips, hand.status) == (2, HandStatus.IN)
        assert hand.cards is None and hand.universes is None and hand.peek is None
    own = round.view(1).hands[1]
    assert [card.value for card in own.cards] == ["10H", "AD"]
    assert [(one.sum, one.readings, one.status) for one in own.universes] == [
        (11, 1, UniverseStatus.LIVE),
        (21, 1, UniverseStatus.LIVE),
    ]
    round.play(1, Flip(), Flip(), Flip())
    hand = round.view(0).hands[1]
    assert (hand.flips, hand.status, hand.cards) == (5, HandStatus.BUST, None)


def test_r3_the_event_of_a_flip_shows_its_card_to_who_flipped_alone() -> None:
    round = race("10H", target=30)
    (event,) = round.play(2, Flip())
    assert isinstance(event, Private)
    assert event.to == {2} and event.public == FlippedUnseen(2)
    assert isinstance(event.event, Flipped)
    assert "10" not in event.public.text(["Ann", "Bob", "Cid"])


def test_r3_a_bust_does_not_open_the_hands_of_those_who_are_in() -> None:
    round = race("KH KD KC KS", target=31)
    round.play(0, *[Flip()] * 4)
    assert round.view(0).hands[0].status is HandStatus.BUST
    round.play(1, Flip())
    assert round.view(0).hands[1].cards is None
    assert round.view(1).hands[0].cards is None


@pytest.mark.parametrize("end", ["won", "bust"])
def test_r3_all_is_shown_when_the_round_is_over(end: str) -> None:
    round = race("10H 10D 9C 2D", seats=2, target=29 + 1 if end == "bust" else 31)
    round.play(1, Flip())
    round.play(0, *[Flip()] * 4)
    if end == "bust":
        assert round.outcome is None and round.view(1).hands[0].cards is None
        round.play(1, *[Flip()] * 3)
    assert round.outcome is not None
    for viewer in ((), (0,), (1,)):
        view = round.view(*viewer)
        assert view.phase is Phase.OVER
        assert all(hand.cards is not None and hand.universes is not None for hand in view.hands)


# R4: who was first


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_r4_order_of_arrival_decides(order: tuple[int, ...]) -> None:
    """All three are one flip from the target; whichever flip arrives first wins alone."""
    round = race("10H 10D 10C", target=30)
    for seat in range(3):
        round.play(seat, Flip(), Flip())
    round.play(order[0], Flip())
    assert round.outcome is not None and round.outcome.winners == [order[0]]
    for late in order[1:]:
        # The others' decks are locked: their flips are refused and change nothing.
        before = round.view()
        assert round.refused(late, Flip()).code == "NOT_YOUR_TURN"
        assert round.view() == before
        assert round.view().hands[late].status is HandStatus.LOCKED
    assert reasons(round) == [None if seat == order[0] else "BEATEN" for seat in range(3)]


def test_r4_a_bust_scores_nothing_and_the_rest_go_on() -> None:
    round = race("KH KD KC KS", target=35)
    round.play(1, *[Flip()] * 4)
    assert round.events[-1] == Busted(1, BustReason.OVER)
    assert round.to_act == [0, 2]
    assert round.refused(1, Flip()).code == "NOT_YOUR_TURN"


def test_r4_over_when_everybody_is_bust() -> None:
    round = race("KH KD KC KS", target=35)
    for seat in (2, 0, 1):
        assert round.outcome is None
        round.play(seat, *[Flip()] * 4)
    assert round.outcome is not None and round.outcome.winners == []
    assert [one.points for one in round.outcome.seats] == [0, 0, 0]
    assert round.to_act == []


@pytest.mark.parametrize("options", [COPIES, SHARED])
def test_r4_never_more_than_one_winner(options: CallItOptions) -> None:
    random = Random(4)
    for _ in range(150):
        deck = RoundScript(CallIt(), stacked("")).state.deck
        cards = random.sample(deck, len(deck))
        round = race(" ".join(cards), random.randint(2, 8), options, random.choice([30, 31, 33, 60, 340]))
        while round.outcome is None:
            round.play(random.choice(round.to_act), Flip())
        results = [one.result for one in round.outcome.seats]
        assert results.count(Result.WON) <= 1
        assert sum(one.points for one in round.outcome.seats) == results.count(Result.WON)
        if Result.WON not in results:
            assert set(results) == {Result.BUST}


# R6: who is not there


@pytest.mark.parametrize("options", [COPIES, SHARED])
def test_r6_a_round_does_not_wait_for_who_is_away(options: CallItOptions) -> None:
    round = race("KH KD KC KS 9H 9D 9C 9S", 3, options, target=31)
    round.play(2, Flip())
    assert round.away(2) == [WentAway(2)]
    assert round.to_act == [0, 1]
    assert round.view().hands[2].away and round.view().hands[2].status is HandStatus.IN
    assert round.view().hands[2].flips == 1
    while round.outcome is None:
        round.play(round.to_act[0], Flip())
    assert round.events[-1] == Busted(2, BustReason.AWAY)
    assert round.outcome.seats[2].points == 0 and round.outcome.seats[2].result is Result.BUST
    assert reasons(round)[2] == "AWAY" and round.outcome.winners == []


def test_r6_they_come_back_to_the_same_hand_while_the_round_runs() -> None:
    round = race("10H 10D 10C", target=30)
    round.play(2, Flip(), Flip())
    round.away(2)
    round.play(0, Flip())
    assert round.back(2) == [CameBack(2)]
    assert round.to_act == [0, 1, 2] and not round.view().hands[2].away
    assert [card.value for card in round.view(2).hands[2].cards] == ["10H", "10D"]
    round.play(2, Flip())
    assert round.outcome is not None and round.outcome.winners == [2]


def test_r6_they_come_too_late_to_a_round_that_is_over() -> None:
    round = race("KH KD KC KS", seats=2, target=31)
    round.away(1)
    round.play(0, *[Flip()] * 4)
    assert reasons(round) == ["OVER", "AWAY"]
    assert round.back(1) == []


def test_r6_who_wins_leaves_those_away_beaten() -> None:
    round = race("10H 10D 10C", target=30)
    round.away(1)
    round.play(0, Flip(), Flip(), Flip())
    assert reasons(round) == [None, "BEATEN", "BEATEN"]


def test_r6_going_away_ends_a_round_in_which_all_others_are_bust() -> None:
    round = race("KH KD KC KS", target=31)
    round.play(0, *[Flip()] * 4)
    round.play(1, *[Flip()] * 4)
    assert round.away(2) == [WentAway(2), Busted(2, BustReason.AWAY)]
    assert reasons(round) == ["OVER", "OVER", "AWAY"]


def test_r6_a_bust_player_who_goes_away_changes_nothing() -> None:
    round = race("KH KD KC KS", target=31)
    round.play(0, *[Flip()] * 4)
    round.away(0)
    assert round.outcome is None and round.to_act == [1, 2]
    round.play(1, *[Flip()] * 4)
    assert round.outcome is None and round.to_act == [2]


def test_r6_with_nobody_there_the_round_waits() -> None:
    round = race("KH KD KC KS", target=31)
    round.play(0, *[Flip()] * 4)
    for seat in (0, 1, 2):
        round.away(seat)
    assert round.outcome is None and round.to_act == [1, 2]
    # The bust player is the first back: now everybody who is there is bust.
    assert round.back(0) == [CameBack(0), Busted(1, BustReason.AWAY), Busted(2, BustReason.AWAY)]


def test_r6_the_shared_deck_is_empty_for_who_is_away_too() -> None:
    round = race(options=SHARED, seats=3, target=500)
    round.away(1)
    for number in range(52):
        round.play((0, 2)[number % 2], Flip())
    assert reasons(round) == ["DECK_EMPTY"] * 3


def test_r6_hearing_it_twice_changes_nothing() -> None:
    round = race(target=31)
    round.away(1)
    assert round.away(1) == []
    round.back(1)
    assert round.back(1) == [] and round.back(0) == []


def test_r3_a_hand_whose_player_is_away_stays_hidden() -> None:
    round = race("10H 9D", target=60)
    round.play(1, Flip(), Flip())
    round.away(1)
    assert round.view(0).hands[1].cards is None and round.view().hands[1].universes is None
    assert len(round.view(1).hands[1].cards) == 2


def test_r1_r6_the_call_passes_on_clockwise_from_a_caller_who_goes_away() -> None:
    round = race(seats=4, caller=2)
    round.away(3)
    assert round.away(2) == [WentAway(2), CallPassed(2, 0)]
    assert round.to_act == [0] and round.view().caller == 0
    # The one who was to call is back, and only flips.
    round.back(2)
    assert round.to_act == [0]
    round.play(0, Call(50))
    assert round.to_act == [0, 1, 2]
    assert round.view().caller == 0


def test_r1_r6_once_the_call_is_made_it_stands() -> None:
    round = race(seats=3, caller=1, target=50)
    assert round.away(1) == [WentAway(1)]
    assert round.view().caller == 1 and round.view().target == 50


def test_r1_r6_with_nobody_else_there_the_call_waits_for_the_first_back() -> None:
    round = race(seats=3, caller=1)
    round.away(0)
    round.away(2)
    assert round.to_act == [1]
    assert round.away(1) == [WentAway(1)]
    assert round.to_act == [1]
    assert round.back(0) == [CameBack(0), CallPassed(1, 0)]
    assert round.to_act == [0]


def test_r6_who_is_away_at_the_deal_is_skipped_as_caller_and_not_waited_for() -> None:
    round = dealt(caller=1, away=[1, 2])
    assert round.to_act == [3]
    round.play(3, Call(50))
    assert round.to_act == [0, 3]
    round.back(2)
    assert round.to_act == [0, 2, 3]


def test_r6_with_all_away_at_the_deal_the_round_waits() -> None:
    round = dealt(seats=3, caller=1, away=[0, 1, 2])
    assert round.to_act == [1]
    assert round.back(2) == [CameBack(2), CallPassed(1, 2)]


def test_r6_a_target_that_is_fixed_needs_no_caller_who_is_there() -> None:
    round = dealt(seats=3, caller=0, away=[0], target=45)
    assert round.events[-1] == Called(1, 45, fixed=True)
    assert round.to_act == [1, 2]


# Leaving


def test_c3_leaving_is_a_bust_and_a_caller_who_leaves_passes_the_call_on() -> None:
    round = race(seats=3, caller=2)
    assert round.leave(2) == [Busted(2, BustReason.ABANDONED), CallPassed(2, 0)]
    assert round.to_act == [0]
    assert round.leave(2) == []
    round.play(0, Call(30))
    assert round.to_act == [0, 1]


def test_c3_a_caller_who_leaves_passes_over_who_is_away() -> None:
    round = race(seats=4, caller=0)
    round.away(1)
    round.leave(0)
    assert round.to_act == [2]


def test_c3_with_only_those_away_left_one_of_them_has_the_call() -> None:
    round = race(seats=3, caller=0)
    round.away(1)
    round.away(2)
    assert round.leave(0) == [Busted(0, BustReason.ABANDONED), CallPassed(0, 1)]
    assert round.outcome is None and round.to_act == [1]
    assert round.back(2) == [CameBack(2), CallPassed(1, 2)]


def test_c3_leaving_for_good_while_others_are_away_ends_nothing_for_them() -> None:
    round = race("KH KD KC KS", seats=3, target=31)
    round.away(1)
    round.leave(0)
    assert round.to_act == [2]
    round.leave(2)
    assert round.outcome is None and round.to_act == [1], "nobody is there: the round waits"


def test_c3_who_was_bust_and_leaves_is_not_there_any_more() -> None:
    round = race("KH KD KC KS", seats=3, target=31)
    round.play(0, *[Flip()] * 4)
    assert round.leave(0) == [WentAway(0)]
    round.away(1)
    assert round.away(2) == [WentAway(2)]
    assert round.outcome is None


def test_c3_everybody_leaves() -> None:
    round = race(seats=3)
    for seat in (1, 0, 2):
        round.leave(seat)
    assert reasons(round) == ["ABANDONED"] * 3


def test_c3_who_has_left_for_good_is_bust_from_the_start() -> None:
    round = dealt(seats=3, gone=[1])
    assert round.view().hands[1].status is HandStatus.BUST
    assert round.away(1) == [] and round.back(1) == [] and round.leave(1) == []
    round.play(0, Call(30))
    assert round.to_act == [0, 2]


# Time limits


def test_before_the_call_the_next_one_calls_when_the_time_is_up() -> None:
    round = race(seats=4, caller=1)
    round.away(2)
    assert round.time_up(1) == [CallPassed(1, 3)]
    assert round.time_up(3) == [CallPassed(3, 0)]
    round.play(0, Call(30))
    assert round.to_act == [0, 1, 3], "only the call was lost"


def test_a_round_that_nobody_calls_in_time_is_lost_for_all() -> None:
    round = race(seats=3, caller=1)
    round.away(0)
    round.time_up(1)
    round.time_up(2)
    assert reasons(round) == ["NOT_CALLED"] * 3
    assert round.outcome is not None and round.outcome.winners == []


def test_who_comes_back_gets_a_turn_to_call_too() -> None:
    round = race(seats=3, caller=0)
    round.away(0)
    assert round.to_act == [1]
    round.back(0)
    round.time_up(1)
    round.time_up(2)
    assert round.to_act == [0]
    round.time_up(0)
    assert reasons(round) == ["NOT_CALLED"] * 3


def test_after_the_call_the_seat_is_bust_when_its_time_is_up() -> None:
    round = race(seats=3, target=50)
    assert round.time_up(1) == [Busted(1, BustReason.TIME_UP)]
    assert round.to_act == [0, 2]
    round.away(2)
    assert round.time_up(0) == [Busted(0, BustReason.TIME_UP), Busted(2, BustReason.AWAY)]


def test_c3_alone_being_out_of_time_is_a_bust_with_the_same_reason_as_with_several() -> None:
    for target in (None, 30):
        round = race(seats=1, target=target)
        assert round.time_up(0) == [Busted(0, BustReason.TIME_UP)]
        assert reasons(round) == ["TIME_UP"]


def test_alone_nobody_is_skipped() -> None:
    round = race(seats=1)
    assert round.away(0) == [] and round.back(0) == []
    setup = Setup(COPIES, CallItTerms(), 1, away=frozenset({0}))
    assert not CallIt().begin(setup).hands[0].away


# Sentences and laws


def test_what_happens_can_be_read() -> None:
    names = ["Ann", "Bob", "Cid"]
    said = [
        event.text(names)
        for event in (
            CallPassed(0, 2),
            WentAway(1),
            CameBack(1),
            Busted(1, BustReason.NOT_CALLED),
            Busted(1, BustReason.ABANDONED),
            Called(0, 31),
            Called(0, 31, fixed=True),
        )
    ]
    assert said == [
        "Cid calls instead of Ann.",
        "The round does not wait for Bob.",
        "Bob is back in the round.",
        "Bob is bust (not called).",
        "Bob is out.",
        "Ann calls 31.",
        "The target is 31.",
    ]


def test_the_caller_is_asked_for_the_call_and_who_flips_alone_for_a_flip() -> None:
    names, game = ["Ann", "Bob"], CallIt()
    round = race(seats=2)
    assert game.ask(round.state, 0, names) == "Ann, call a target of 30 or more."
    round.play(0, Call(31))
    assert game.ask(round.state, 0, names) is None  # of several, the table asks all in one sentence
    round.time_up(0)
    assert game.ask(round.state, 1, names) == "Bob, turn the top card up: the target is 31."


@pytest.mark.parametrize("seats", [2, 3, 8])
def test_the_laws_hold_with_several_seats(seats: int) -> None:
    terms = [CallItTerms(caller=seats - 1), CallItTerms(target=45, caller=1), CallItTerms(peek=3)]
    check_game(CallIt(), seats=[seats], terms=terms, seeds=range(2))
