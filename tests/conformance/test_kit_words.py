"""Decks for tests, and moves and whatever else happens in words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from random import Random
from typing import Any

import pytest

from fliptable import Between, Choices, MoveRange, Rank, Several, Shuffled
from fliptable.testing import (
    OneCard,
    Play,
    RoundScript,
    each_move,
    read_action,
    read_move,
    shuffled,
    stacked,
    suited,
    write_action,
    write_move,
)
from fliptable.testing.toys import TurnUp


@dataclass(frozen=True, slots=True)
class PlaceCard:
    """A card is placed."""

    row: int
    rank: Rank = Rank.ACE
    low: bool = False


@dataclass(frozen=True, slots=True)
class GiveCards:
    """Cards are given away."""

    cards: tuple[int, ...] = ()
    to: int | None = None
    word: str = ""


@dataclass(frozen=True, slots=True)
class GiveUp:
    """No more."""


class Worded(OneCard):
    """A game with moves of all kinds."""

    moves = (PlaceCard, GiveCards, GiveUp)


@pytest.mark.parametrize("word", ["K", "KING", "king", "King"])
def test_a_choice_is_written_by_its_value_or_by_its_name(word: str) -> None:
    """Over GraphQL and in the terminal it is the name, in what is stored it is the value."""
    assert read_move(Worded(), f"place-card 3 {word}") == PlaceCard(3, Rank.KING)
    assert read_move(Worded(), f"place-card 3 rank={word} true") == PlaceCard(3, Rank.KING, True)
    script = RoundScript(Worded(), stacked("2H"))
    assert read_action(script.game, f"0: place-card 3 {word}") == Play(0, PlaceCard(3, Rank.KING))


def test_what_is_no_choice_is_told_with_those_that_there_are() -> None:
    with pytest.raises(ValueError, match="place-card 3 KNIGHT") as caught:
        read_move(Worded(), "place-card 3 KNIGHT")
    assert str(caught.value).startswith(
        "'place-card 3 KNIGHT': rank: 'KNIGHT' is no choice; there are ACE ('A'), TWO ('2'), "
    )


class Level(IntEnum):
    """Choices that are numbers."""

    LOW = 1
    HIGH = 2


@dataclass(frozen=True, slots=True)
class SetLevels:
    """Choices in a list, and one that there may not be."""

    levels: tuple[Level, ...]
    best: Rank | None = None
    other: Rank | int | None = None


class Levelled(OneCard):
    """A game with moves with more choices."""

    moves = (SetLevels,)


@pytest.mark.parametrize(
    ("words", "move"),
    [
        ("set LOW,2,high null", SetLevels((Level.LOW, Level.HIGH, Level.HIGH))),
        ("set 1 Q", SetLevels((Level.LOW,), Rank.QUEEN)),
        ("set 1 queen 7", SetLevels((Level.LOW,), Rank.QUEEN, 7)),
    ],
)
def test_choices_are_read_wherever_they_stand(words: str, move: SetLevels) -> None:
    assert read_move(Levelled(), words) == move
    assert read_move(Levelled(), write_move(Levelled(), move)) == move


def test_a_deck_is_laid_down_and_the_rest_lies_below() -> None:
    (shuffle,) = [
        event
        for event in RoundScript(OneCard(), stacked("2H 3C"), seats=2).events
        if isinstance(event, Shuffled)
    ]
    assert shuffle.order[:2] == ("2H", "3C") and len(shuffle.order) == 52 and shuffle.shuffle == 1
    with pytest.raises(ValueError, match="the deck has no card '2H' left"):
        RoundScript(OneCard(), stacked("2H 2H"))


def test_the_shuffles_of_a_stack_go_on_from_those_before() -> None:
    assert stacked(["x"], used=4).shuffle(["y", "x"]).shuffle == 5
    assert shuffled(1, used=4).shuffle(["x"]).shuffle == 5


def test_a_seed_shuffles_the_same_way_each_time_and_a_generator_goes_on() -> None:
    deck = [str(number) for number in range(30)]
    again, other = [shuffled(seed).shuffle(deck).order for seed in (7, 8)]
    assert shuffled(7).shuffle(deck).order == again != other
    random = Random(7)
    assert shuffled(random).shuffle(deck).order == again != shuffled(random).shuffle(deck).order


def test_ranks_get_suits_as_they_come() -> None:
    assert suited("10 10 A") == "10C 10D AC"
    with pytest.raises(ValueError, match="only 4 cards of the rank K"):
        suited("K K K K K")


@pytest.mark.parametrize(
    ("words", "move"),
    [
        ("place 3", PlaceCard(3)),
        ("place 3 K", PlaceCard(3, Rank.KING)),
        ("place 3 A true", PlaceCard(3, Rank.ACE, True)),
        ("give-cards", GiveCards()),
        ("give-cards 3,11", GiveCards((3, 11))),
        ("give-cards 3 2", GiveCards((3,), 2)),
        ("give-cards '' null 'two words'", GiveCards((), None, "two words")),
        ("give-up", GiveUp()),
    ],
)
def test_a_move_in_words(words: str, move: Any) -> None:
    assert read_move(Worded(), words) == move
    assert write_move(Worded(), move) == words


def test_fields_can_be_named() -> None:
    assert read_move(Worded(), "place row=2 low=true") == PlaceCard(2, low=True)
    assert read_move(Worded(), "place-card 2") == PlaceCard(2)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("give 3", "One Card has no move 'give'; there are place, place-card, give-cards, give-up"),
        ("place", "missing required field `row`"),
        ("place x", "Expected `int`, got `str` - at `\\$.row`"),
        ("place 1 A true 4", "place has 3 fields: row, rank, low"),
    ],
)
def test_words_that_are_no_move_are_told(words: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint) as told:
        read_move(Worded(), words)
    assert str(told.value).startswith(repr(words))


@pytest.mark.parametrize(
    "words",
    ["0: place 3", "12: give-up", "1 leaves", "1 is away", "1 is back", "1 is out of time", "next round"],
)
def test_whatever_happens_can_be_put_in_words(words: str) -> None:
    assert write_action(Worded(), read_action(Worded(), words)) == words


def test_a_move_without_a_seat_is_that_of_the_one_who_is_to_act() -> None:
    assert read_action(OneCard(), "turn-up", [3]) == Play(3, TurnUp())
    with pytest.raises(ValueError, match=r"'turn-up': \[0, 2\] are to act, so say whose move it is: '0: "):
        read_action(OneCard(), "turn-up", [2, 0])
    with pytest.raises(ValueError, match="'1 dances': after a seat comes a colon and a move, or leaves, "):
        read_action(OneCard(), "1 dances")


def test_a_range_of_a_few_moves_is_written_out_and_a_wide_one_is_not() -> None:
    few = MoveRange(PlaceCard(0), {"row": Between(1, 2), "low": Choices((True, False))})
    assert list(each_move([GiveUp(), few])) == [
        GiveUp(),
        *[PlaceCard(row, low=low) for row in (1, 2) for low in (True, False)],
    ]
    wide = MoveRange(PlaceCard(1), {"row": Between(1)})
    lists = MoveRange(GiveCards(), {"cards": Several(Between(1, 9), 3)})
    assert list(each_move([wide, lists])) == [wide, lists]
    assert write_move(Worded(), wide) == "place 1 …"
