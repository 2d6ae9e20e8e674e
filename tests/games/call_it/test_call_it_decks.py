"""Identical copies of the deck, or one pile for all: rule sheet call-it, R2."""

from __future__ import annotations

from dataclasses import replace

from fliptable import STANDARD_DECK, PlayingCard, Result
from fliptable.testing import RoundScript
from fliptable_games.call_it.game import WORTH
from fliptable_games.call_it.vocabulary import Busted, BustReason, Call, Flip, Flipped, Won
from tests.games.call_it.call_it_rounds import SHARED, reasons, script, shown


def test_r2_an_empty_shared_pile_busts_everybody_who_is_in() -> None:
    round = script(seats=3, options=SHARED)
    round.play(0, Call(400))
    for place in range(51):
        round.play(place % 3, Flip())
    assert round.outcome is None
    last = round.play(0, Flip())
    assert last[1:] == [Busted(seat, BustReason.DECK_EMPTY) for seat in range(3)]
    assert reasons(round) == ["DECK_EMPTY"] * 3


def test_r2_the_last_shared_card_may_be_over_for_one() -> None:
    # Seat 0 takes all but the last card; the other one is left with it and an empty pile.
    # The tens come last, so that no sum near the end has the last digit of the target.
    deck = sorted(STANDARD_DECK, key=lambda code: WORTH[code] == 10)
    round = script(" ".join(deck), seats=2, options=SHARED)
    round.play(0, Call(335))
    for _ in range(51):
        round.play(0, Flip())
    last = round.play(0, Flip())
    assert last[1:] == [Busted(0, BustReason.OVER), Busted(1, BustReason.DECK_EMPTY)]
    assert reasons(round) == ["OVER", "DECK_EMPTY"]


def test_r2_everybody_flips_from_an_identical_copy_at_their_own_pace() -> None:
    round = script("2H 3D 4C 5S", seats=3, called=100)
    round.play(1, Flip(), Flip(), Flip())
    round.play(0, Flip())
    round.play(2, Flip(), Flip())
    round.play(0, Flip(), Flip(), Flip())
    assert shown(round, 0, 1, 2) == [["2H", "3D", "4C", "5S"], ["2H", "3D", "4C"], ["2H", "3D"]]
    assert [hand.cards_left for hand in round.view().hands] == [48, 49, 50]
    assert round.to_act == [0, 1, 2]


def test_r2_the_first_to_land_on_the_target_wins_one_point() -> None:
    round = script("10H 10D 10C", seats=3, called=30)
    round.play(0, Flip(), Flip())
    round.play(2, Flip(), Flip(), Flip())
    assert round.events[-1] == Won(2, 3)
    outcome = round.outcome
    assert outcome is not None
    assert [one.result for one in outcome.seats] == [Result.LOST, Result.LOST, Result.WON]
    assert [one.points for one in outcome.seats] == [0, 0, 1]
    assert [one.measures["flips"] for one in outcome.seats] == [2, 0, 3]


def test_r2_a_copy_that_is_empty_is_a_bust_of_its_own() -> None:
    round = script(seats=2, called=500)
    round.play(1, *[Flip()] * 52)
    assert round.events[-1] == Busted(1, BustReason.DECK_EMPTY)
    assert round.outcome is None and round.to_act == [0]
    round.play(0, *[Flip()] * 52)
    assert reasons(round) == ["DECK_EMPTY", "DECK_EMPTY"]


def test_r2_from_a_shared_deck_each_flip_takes_the_next_card() -> None:
    round = script("2H 3D 4C 5S 6H", seats=3, options=SHARED, called=100)
    for seat in (1, 0, 1, 2, 1):
        round.play(seat, Flip())
    assert shown(round) == [["3D"], ["2H", "4C", "6H"], ["5S"]]
    assert {hand.cards_left for hand in round.view().hands} == {47}


def test_r2_all_cards_of_a_shared_deck_are_public() -> None:
    round = script("2H AD 4C", seats=3, options=SHARED, called=30)
    assert round.play(1, Flip()) == [Flipped(1, PlayingCard("2H"))]
    assert round.play(1, Flip()) == [Flipped(1, PlayingCard("AD"))]
    assert round.play(0, Flip()) == [Flipped(0, PlayingCard("4C"))]
    assert shown(round) == [["4C"], ["2H", "AD"], []]
    assert [one.sum for one in round.view().hands[1].universes] == [3, 13]
    for seat in range(3):
        assert round.view(seat) == round.view()


def test_r2_with_the_shared_deck_empty_everybody_still_in_is_bust() -> None:
    round = script(seats=3, options=SHARED, called=2**31 - 1)
    round.leave(1)
    for number in range(52):
        round.play(0 if number % 2 else 2, Flip())
    assert reasons(round) == ["DECK_EMPTY", "ABANDONED", "DECK_EMPTY"]


def test_r2_the_last_shared_card_may_hit() -> None:
    aces_last = sorted(STANDARD_DECK, key=lambda card: card[0] == "A")
    round = script(" ".join(aces_last), seats=2, options=SHARED, called=340)
    round.play(0, *[Flip()] * 51)
    assert round.outcome is None
    round.play(0, Flip())
    assert round.events[-1] == Won(0, 52) and reasons(round) == [None, "BEATEN"]


def near_the_end(seats: int, target: int) -> RoundScript:
    """A round on a shared deck of which only 9, 10, K and Q of hearts are left, all hands empty."""
    round = script(options=SHARED, seats=seats, called=target)
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
