"""What others see of a hand, and when: rule sheet call-it, R3."""

from __future__ import annotations

from typing import Any

import pytest

from fliptable import PlayingCard, Private
from fliptable.testing import shuffled
from fliptable_games.call_it.state import WORTH
from fliptable_games.call_it.vocabulary import Flip, Flipped, FlippedUnseen, HandStatus, Phase
from tests.games.call_it.call_it_rounds import LIVE, script, shown, sums


def test_r3_others_see_how_many_cards_and_whether_they_are_in_or_bust() -> None:
    round = script("10H AD 2C KD KC", seats=3, called=30)
    round.play(1, Flip(), Flip())
    for viewer in ((), (0,), (2,), (0, 2)):
        assert shown(round, *viewer)[1] is None
        hand = round.view(*viewer).hands[1]
        assert (hand.flips, hand.status) == (2, HandStatus.IN)
        assert hand.cards is None and hand.universes is None and hand.peek is None
    assert shown(round, 1) == [None, ["10H", "AD"], None]
    assert sums(round, 1) == [(11, 1, LIVE), (21, 1, LIVE)]
    round.play(1, Flip(), Flip(), Flip())
    hand = round.view(0).hands[1]
    assert (hand.flips, hand.status, hand.cards) == (5, HandStatus.BUST, None)


def test_r3_the_event_of_a_flip_shows_its_card_to_who_flipped_alone() -> None:
    round = script("10H", seats=3, called=30)
    (event,) = round.play(2, Flip())
    assert event == Private(Flipped(2, PlayingCard("10H")), frozenset({2}), FlippedUnseen(2))
    assert "10" not in event.public.text(["Ann", "Bob", "Cid"])


def test_r3_a_bust_does_not_open_the_hands_of_those_who_are_in() -> None:
    round = script("KH KD KC KS", seats=3, called=31)
    round.play(0, *[Flip()] * 4)
    assert round.view(0).hands[0].status is HandStatus.BUST
    round.play(1, Flip())
    assert round.view(0).hands[1].cards is None
    assert round.view(1).hands[0].cards is None


@pytest.mark.parametrize(("end", "target"), [("won", 31), ("bust", 30)])
def test_r3_all_is_shown_when_the_round_is_over(end: str, target: int) -> None:
    round = script("10H 10D 9C 2D", seats=2, called=target)
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


def others_know(round: Any, *viewer: int, seed: int) -> Any:
    """A round that the viewer takes for possible."""
    return round.game.shuffle_unknown(round.state, frozenset(viewer), shuffled(seed))


def test_r3_what_a_viewer_cannot_know_is_the_deck_and_the_hands_of_rivals() -> None:
    round = script("10H 9D 2C", seats=3, called=60)
    round.play(0, Flip())
    round.play(1, Flip(), Flip())
    for viewer, known in (((), (0, 0, 0)), ((0,), (1, 1, 0)), ((1,), (1, 2, 0)), ((0, 2), (1, 1, 0))):
        worlds = [others_know(round, *viewer, seed=seed) for seed in range(20)]
        for world in worlds:
            assert [hand.cards for hand in world.hands] == [world.deck[:count] for count in (1, 2, 0)]
            assert [hand.low for hand in world.hands] == [
                sum(WORTH[card] for card in hand.cards) for hand in world.hands
            ]
            assert sorted(world.deck) == sorted(round.state.deck)
        for seat, count in enumerate(known):
            cards = {world.hands[seat].cards for world in worlds}
            assert {hand[:count] for hand in cards} == {round.state.deck[:count]}
            assert (len(cards) > 1) is (count < len(round.state.hands[seat].cards))


@pytest.mark.parametrize("viewer", [(), (1,), (2,), (1, 2)], ids=str)
def test_r3_who_is_bust_or_in_is_so_by_the_cards_that_others_take_for_possible(
    viewer: tuple[int, ...],
) -> None:
    round = script("10H 9D 2C 3D KC QS", seats=3, called=31)
    round.play(0, *[Flip()] * 5)
    round.play(1, Flip(), Flip(), Flip())
    worlds = [others_know(round, *viewer, seed=seed) for seed in range(40)]
    for world in worlds:
        bust, inside, _ = world.hands
        assert [hand.status for hand in world.hands] == [HandStatus.BUST, HandStatus.IN, HandStatus.IN]
        assert bust.low > 31 > bust.low - WORTH[bust.cards[-1]]
        assert inside.low < 31
        # The copies are one deck, so that nobody has hit the target on the way either.
        for count in range(1, 6):
            low = sum(WORTH[card] for card in bust.cards[:count])
            aces = sum(card.startswith("A") for card in bust.cards[:count])
            assert 31 not in [low + 10 * high for high in range(aces + 1)]
    assert len({world.hands[0].cards for world in worlds}) > 1


def test_r3_a_hand_that_hardly_any_order_leads_to_may_stay_as_it_is() -> None:
    low = "AS AH AD AC 2S 2H 2D 2C 3S 3H 3D 3C"
    round = script(f"{low} KD", seats=2, called=49)
    round.play(0, *[Flip()] * 12)
    worlds = [others_know(round, 1, seed=seed) for seed in range(5)]
    for world in worlds:
        assert world.hands[0].low < 49 and len(world.hands[0].cards) == 12
    assert len({world.deck for world in worlds}) == 5


def test_r3_a_hand_whose_player_is_away_stays_hidden() -> None:
    round = script("10H 9D", seats=3, called=60)
    round.play(1, Flip(), Flip())
    round.disconnect(1)
    assert round.view(0).hands[1].cards is None and round.view().hands[1].universes is None
    assert len(round.view(1).hands[1].cards) == 2
