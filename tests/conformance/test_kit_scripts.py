"""Scripts of rounds and tables: lines in words, positions, branches, play by chance, what is seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest

from fliptable import (
    CARD,
    Between,
    Choices,
    MoveRange,
    Private,
    Rank,
    Refusal,
    Result,
    Setup,
    Several,
    Shuffled,
)
from fliptable.testing import (
    START,
    FakeClock,
    HouseRules,
    Leave,
    OneCard,
    Play,
    RoundScript,
    SeedRevealed,
    TableScript,
    TurnExpired,
    each_move,
    read_action,
    read_move,
    shuffled,
    stacked,
    suited,
    write_action,
    write_move,
)
from fliptable.testing.toys import OneCardState, TurnedUp, TurnUp, WalkedOff


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


def script(cards: str = "2H 3C 4D", seats: int = 2, **more: Any) -> RoundScript:
    return RoundScript(OneCard(), stacked(cards), seats=seats, **more)


# Decks


def test_a_deck_is_laid_down_and_the_rest_lies_below() -> None:
    (shuffle,) = [event for event in script("2H 3C").events if isinstance(event, Shuffled)]
    assert shuffle.order[:2] == ("2H", "3C") and len(shuffle.order) == 52 and shuffle.shuffle == 1
    with pytest.raises(ValueError, match="the deck has no card '2H' left"):
        script("2H 2H")


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


# Words


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


# Rounds


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


# Tables


def test_a_table_of_the_fixture_survives_its_storage(table_script: Callable[..., TableScript]) -> None:
    table = table_script("call-it", "streak", chance=stacked("10C JC QC"))
    table.follow("call 30", "flip", "flip", "flip")
    assert table.run().current == 1 and table.view(0).hands[0].flips == 3
    assert table.entered == [("streak", 1)]
    assert table.said[-1] == "Shuffle 2: deck, 52 in all."


def test_a_table_that_does_not_survive_is_told(registry: Any) -> None:
    table = TableScript(registry, "call-it", "streak")
    table.check_log()
    table.table = table.table.having(scores=(7,))
    with pytest.raises(AssertionError, match="the fold over the stored log is not the table that was"):
        table.check_log()


def test_lines_say_what_happens_at_a_table_too(table_script: Callable[..., TableScript]) -> None:
    house = HouseRules(turn_seconds=30)
    table = table_script("flip7", players=("Ann", "Bob", "Cid"), house=house, secret=bytes(range(32)))
    first = table.to_act[0]
    assert table.follow("next round -> ROUND_RUNNING", f"{first} is out of time")[0] == TurnExpired(first)
    table.follow("1 is away", "1 is back", "2 leaves")
    assert [place.player for place in table.table.seats] == ["ann", "bob", None]
    with pytest.raises(AssertionError, match="nobody sits at seat 2"):
        table.take(Leave(2))


def test_what_a_move_would_lead_to_is_not_played(table_script: Callable[..., TableScript]) -> None:
    table = table_script("call-it", chance=stacked("10C"))
    (call,) = [replace(move.example, target=31) for move in table.legal_moves(0)]
    events = table.preview(0, call)
    assert [event.text(["Ann"]) for event in events] == ["Ann calls 31."]
    assert table.view().target is None
    table.play(0, call)
    assert table.commits[-1].events == tuple(events)
    with pytest.raises(AssertionError, match="ILLEGAL_MOVE"):
        table.preview(0, call)


def test_seeds_are_known_when_they_may_be_and_verify(table_script: Callable[..., TableScript]) -> None:
    table = table_script("call-it", secret=bytes(range(32)))
    assert table.seed() is None
    table.check_seeds()
    table.leave("ann")
    assert table.seed() == table.of(SeedRevealed)[0].seed
    table.check_seeds()
    wrong = replace(table.table.shuffles[0], seed="00" * 32)
    table.table = table.table.having(shuffles=(wrong,))
    with pytest.raises(AssertionError, match="shuffle 1: "):
        table.check_seeds()
    table.table = table.refold()


def test_a_table_is_played_on_by_chance_through_its_rounds(table_script: Callable[..., TableScript]) -> None:
    table = table_script("flip7", "match", players=("Ann", "Bob"), secret=bytes(32))
    table.play_on(Random(3), moves=10)
    assert table.over is None
    table.play_on(Random(3))
    assert table.over == "WON" and len(table.outcomes) > 1
    table.check_seeds()
