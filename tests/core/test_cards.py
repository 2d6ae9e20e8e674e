"""Standard playing cards: their codes, their order, how they are written."""

from __future__ import annotations

import pickle
from copy import deepcopy

import pytest

from fliptable import CARD, STANDARD_DECK, PlayingCard, Rank, Suit
from fliptable.codec import pack, unpack


def test_there_are_52_and_each_is_one_object() -> None:
    assert len(PlayingCard) == len(CARD) == len(STANDARD_DECK) == len(set(STANDARD_DECK)) == 52
    for code, card in CARD.items():
        assert PlayingCard(code) is card is deepcopy(card) is pickle.loads(pickle.dumps(card))


def test_every_rank_comes_in_every_suit() -> None:
    assert {(card.rank, card.suit) for card in PlayingCard} == {
        (rank, suit) for rank in Rank for suit in Suit
    }


@pytest.mark.parametrize(
    ("code", "rank", "suit", "text"),
    [
        ("AS", Rank.ACE, Suit.SPADES, "A♠"),
        ("10H", Rank.TEN, Suit.HEARTS, "10♥"),
        ("QD", Rank.QUEEN, Suit.DIAMONDS, "Q♦"),
        ("2C", Rank.TWO, Suit.CLUBS, "2♣"),
    ],
)
def test_a_card_knows_what_it_is(code: str, rank: Rank, suit: Suit, text: str) -> None:
    card = PlayingCard(code)
    assert (card.rank, card.suit, card.text, str(card), card.value) == (rank, suit, text, text, code)


def test_names_read_well() -> None:
    assert PlayingCard.ACE_OF_SPADES.value == "AS" and PlayingCard.TEN_OF_HEARTS.value == "10H"


def test_a_card_is_stored_as_its_code() -> None:
    hand = (PlayingCard("AS"), PlayingCard("10H"))
    assert pack(hand) == ("AS", "10H")
    assert unpack(["AS", "10H"], tuple[PlayingCard, ...]) == hand
    with pytest.raises(ValueError, match="1S"):
        unpack(["1S"], tuple[PlayingCard, ...])


def test_the_fresh_deck_lies_in_order() -> None:
    assert STANDARD_DECK[:13] == (
        "AC",
        "2C",
        "3C",
        "4C",
        "5C",
        "6C",
        "7C",
        "8C",
        "9C",
        "10C",
        "JC",
        "QC",
        "KC",
    )
    assert STANDARD_DECK[13] == "AD" and STANDARD_DECK[26] == "AH" and STANDARD_DECK[39] == "AS"
    assert STANDARD_DECK[-1] == "KS"
