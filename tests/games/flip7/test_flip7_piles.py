"""The piles from round to round, and what happens when there is nothing to draw: F20, F26 to F28."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from fliptable import Chance, Setup, Shuffled
from fliptable.testing import RoundScript, shuffled, stacked
from fliptable_games.flip7.events import CardTurned, DealerNamed
from fliptable_games.flip7.vocabulary import Flip7Options, Hit, Rules, Stay
from tests.games.flip7.flip7_laws import FULL_DECK, check_laws
from tests.games.flip7.flip7_rounds import GAME, LETTERS, Round

BOTH = pytest.mark.parametrize("rules", ["OFFICIAL", "HOSTED"])
FIRST_SHUFFLES = [("first dealer", 3), ("deck", 94)]


def shuffles(script: RoundScript) -> list[tuple[str, int]]:
    return [(event.name, event.size) for event in script.of(Shuffled)]


def dealt(rules: str, chance: Chance, seats: int = 3) -> RoundScript:
    options = Flip7Options(Rules(rules))
    return RoundScript(GAME, chance, seats=seats, options=options, invariant=check_laws)


def stay(view: Any, seat: int, moves: Sequence[Any], random: Random) -> Any:
    return Stay() if Stay() in moves else Hit()


def all_stay(script: RoundScript) -> RoundScript:
    script.play_on(Random(0), stay)
    return script


@BOTH
def test_f20_unused_second_chances_lie_there_until_the_next_round_begins(rules):
    case = {
        "lines": {"A": "3 CHANCE", "B": "4 bust 4", "C": "5 +2 stayed"},
        "turn": "A",
        "discard": "9 FREEZE",
    }
    played = Round(case, rules)
    played.follow("A stays")
    assert played.lines() == {"A": "3 CHANCE stayed", "B": "4 bust 4", "C": "5 +2 stayed"}
    assert played.view().discarded == ("9", "FREEZE")
    carry = GAME.carry(played.state)
    assert Counter(carry.discard) == Counter(["9", "FREEZE", "3", "CHANCE", "4", "4", "5", "+2"])
    following = GAME.begin(Setup(Flip7Options(Rules(rules)), None, 3, 2, carry))
    check_laws(following)
    assert all(line.empty for line in following.lines)


def test_f20_a_freeze_lies_there_until_the_next_round_begins():
    played = Round({"lines": {"A": "3", "B": "4 stayed"}, "turn": "A", "deck": "FREEZE"})
    played.follow("A hits")
    assert played.view().discarded == ()
    assert Counter(GAME.carry(played.state).discard) == Counter(["3", "FREEZE", "4"])


@BOTH
def test_f28_the_draw_pile_goes_on_and_nothing_is_reshuffled(rules):
    script = dealt(rules, stacked("1", "1 2 3 4 5 6 7 8"))
    assert shuffles(script) == FIRST_SHUFFLES
    carry = GAME.carry(all_stay(script).state)
    left = script.view().cards_left
    assert left == 94 - len(carry.discard)
    script.next_round()
    assert shuffles(script) == []
    assert script.view().cards_left == left - len(script.of(CardTurned))
    assert script.state.deck == carry.draw


@BOTH
def test_f28_the_dealer_role_goes_one_seat_left(rules):
    script = dealt(rules, stacked("1"))
    dealers = []
    for _ in range(4):
        dealers += [event.seat for event in script.of(DealerNamed)]
        assert script.view().dealer == dealers[-1]
        all_stay(script).next_round()
    assert dealers == [1, 2, 0, 1]


@BOTH
def test_f28_seats_that_were_left_get_nothing_and_do_not_deal(rules):
    script = all_stay(dealt(rules, stacked("0")))
    script.next_round(gone=[1])
    view = script.view()
    assert view.dealer == 2
    assert view.lines[1].status.value == "LEFT"
    assert 1 not in [event.seat for event in script.events]
    assert all_stay(script).outcome.seats[1].points == 0


@BOTH
def test_f26_f28_a_draw_pile_that_runs_out_in_the_middle_of_a_match(rules):
    """Through several reshuffles: always 94 cards, and a shuffle has just the discarded ones."""
    random = Random(7)
    script = dealt(rules, shuffled(random), seats=7)
    seen = shuffles(script)
    for _ in range(60):
        while script.outcome is None:
            before, known = script.state, len(script.of(Shuffled))
            script.play_on(random, moves=1)
            for event in script.steps[-1].events:
                if type(event) is Shuffled:
                    assert before.deck[before.place :] == ()
                    assert event.cards == before.discard
                before = GAME.evolve(before, event)
            seen += shuffles(script)[known:]
        script.next_round()
        seen += shuffles(script)
    assert seen[:2] == [("first dealer", 7), ("deck", 94)]
    assert len(seen) > 5
    assert {name for name, _ in seen[2:]} == {"discard pile"}
    assert min(size for _, size in seen[2:]) < 90


@BOTH
def test_the_shuffle_of_the_draw_pile_stays_secret_until_it_is_used_up(rules):
    """The seed comes out with the last card that it ordered, however many rounds that takes."""
    case = {"lines": {"A": "3", "B": "4"}, "turn": "A", "draw_only": True, "deck": "9 8", "reshuffles": ["7"]}
    played = Round(case, rules)
    assert GAME.hides(played.state) == (2,)
    played.follow("A hits")
    assert GAME.hides(played.state) == (2,)
    played.follow("B hits")
    assert GAME.hides(played.state) == ()
    played.follow("A hits")
    assert GAME.hides(played.state) == (3,)


@BOTH
def test_the_finished_round_keeps_the_secret_of_the_running_deck(rules):
    script = all_stay(dealt(rules, stacked("0")))
    assert GAME.hides(script.state) == (2,)
    script.next_round()
    assert GAME.hides(script.state) == (2,)


def crowded_table(lacking: str = "") -> dict[str, str]:
    """Lines of 14 players with all numbers and modifiers but those that lack; the 15th has none."""
    hands: list[list[str]] = [[] for _ in range(14)]
    numbers = [code for code, copies in FULL_DECK.items() if code.isdigit() for _ in range(copies)]
    # Copies of a number come one after the other, so fourteen hands never get two of them.
    for place, code in enumerate(numbers):
        hands[place % 14].append(code)
    hands[0] += ["+2", "+4", "+6", "+8", "+10", "x2"]
    for code in lacking.split():
        next(hand for hand in hands if code in hand).remove(code)
    lines = {LETTERS[seat]: " ".join(hand) for seat, hand in enumerate(hands)}
    return lines | {"O": ""}


@BOTH
def test_f27_with_nothing_to_draw_a_hit_becomes_a_stay(rules):
    played = Round({"lines": crowded_table(), "turn": "A", "draw_only": True, "deck": "FREEZE"}, rules)
    assert played.state.plain == 0
    assert played.view().odds.bust.numerator == played.view().odds.gain.numerator == 0
    before = played.view()
    played.follow("A hits")
    assert played.lines()["A"] == before_line(before) + " stayed"
    assert played.view().cards_left == 1
    assert played.next == "B"


def before_line(view) -> str:
    line = view.lines[0]
    return " ".join([*map(str, line.numbers), *line.modifiers])


@BOTH
def test_f27_with_an_empty_line_too(rules):
    played = Round({"lines": crowded_table(), "turn": "O", "draw_only": True, "deck": ""}, rules)
    played.follow("O hits")
    assert played.lines()["O"] == "stayed"
    assert played.scores()["O"] == 0
    assert played.next == "A"


@BOTH
def test_f27_a_flip_three_ends(rules):
    case = {"lines": crowded_table("12"), "turn": "O", "draw_only": True, "deck": "FLIP3 12 FREEZE"}
    played = Round(case, rules)
    played.follow("O hits")
    played.follow("O gives O")
    assert played.lines()["O"] == "12"
    assert played.view().flip_three is None
    assert played.view().cards_left == 1
    assert played.next == "A"


@BOTH
def test_f27_what_a_flip_three_has_set_aside_is_assigned_when_it_ends(rules):
    """Also a Flip Three, which ends at once: a chain of action cards alone comes to an end."""
    case = {"lines": crowded_table("12"), "turn": "O", "draw_only": True, "deck": "FLIP3 FLIP3 12 FREEZE"}
    played = Round(case, rules)
    played.follow("O hits")
    played.follow("O gives O")
    assert played.pending.startswith("O: FLIP_THREE to A B C")
    played.follow("O gives B")
    assert played.view().flip_three is None
    assert played.view().waiting == ()
    assert [event.taken for event in played.events if type(event).__name__ == "FlipThreeEnded"] == [2, 0]
    assert played.next == "A"


@BOTH
def test_f27_a_last_number_in_the_discard_pile_is_drawn(rules):
    """Behind the action cards of the draw pile: they come first, whatever else is to be had."""
    lines = crowded_table("12")
    lines["A"] += " stayed"
    case = {"lines": lines, "turn": "O", "draw_only": True, "deck": "CHANCE", "reshuffles": ["12"]}
    played = Round(case, rules)
    played.follow("O hits")
    assert played.lines()["O"] == "CHANCE"
    played.follow(*[f"{seat} stays" for seat in "BCDEFGHIJKLMN"], "O hits")
    assert played.lines()["O"] == "12 CHANCE"


@BOTH
def test_f27_a_chain_with_one_number_left_comes_to_an_end(rules):
    """The last player in holds a 12, the piles hold one more, Flip Threes and Second Chances that save.

    Each time round the discard pile is shuffled, so some time the 12 comes without one.
    """
    lines = crowded_table("12")
    holder = next(seat for seat, line in lines.items() if "12" in line.split())
    lines = {seat: line if seat == holder else f"{line} stayed" for seat, line in lines.items()}
    case = {"lines": lines, "turn": holder, "draw_only": True, "deck": "FLIP3"}
    longest = 0
    for seed in range(100):
        state = Round(case, rules).state
        script = RoundScript(GAME, shuffled(seed, used=2), state=state, invariant=check_laws)
        while script.outcome is None:
            longest = max(longest, len(script.play(script.to_act[0], Hit())))
    assert longest < 1000
