"""The piles from round to round, and what happens when there is nothing to draw: F20, F26 to F28."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from flip7_laws import FULL_DECK, check_laws
from flip7_script import GAME, LETTERS, NOW, Round

from fliptable import SPECTATOR, Context, Setup, Shuffled
from fliptable.chance import LooseChance, StackedChance
from fliptable_games.flip7.events import CardTurned, DealerNamed
from fliptable_games.flip7.vocabulary import Flip7Options, Hit, Rules, Stay

BOTH = pytest.mark.parametrize("rules", ["OFFICIAL", "HOSTED"])
FIRST_SHUFFLES = [("first dealer", 3), ("deck", 94)]


def shuffles(events) -> list[tuple[str, int]]:
    return [(event.name, len(event.cards)) for event in events if type(event) is Shuffled]


def deal(rules: str, chance, carry=None, gone=frozenset(), seats=3):
    setup = Setup(Flip7Options(Rules(rules)), None, seats, 1, carry, gone)
    state = GAME.begin(setup)
    events = GAME.deal(state, Context(NOW, chance))
    for event in events:
        state = GAME.evolve(state, event)
    check_laws(state)
    return state, events


def all_stay(state, chance):
    while GAME.outcome(state) is None:
        (seat,) = GAME.to_act(state)
        moves = GAME.legal_moves(state, seat)
        for event in GAME.decide(state, seat, moves[-1] if Stay() in moves else Hit(), Context(NOW, chance)):
            state = GAME.evolve(state, event)
    check_laws(state)
    return state


@BOTH
def test_f20_unused_second_chances_lie_there_until_the_next_round_begins(rules):
    case = {
        "lines": {"A": "3 CHANCE", "B": "4 bust 4", "C": "5 +2 stayed"},
        "turn": "A",
        "discard": "9 FREEZE",
    }
    played = Round(case, rules)
    played.do("A stays")
    assert played.lines() == {"A": "3 CHANCE stayed", "B": "4 bust 4", "C": "5 +2 stayed"}
    assert played.view.discarded == ("9", "FREEZE")
    carry = GAME.carry(played.state)
    assert Counter(carry.discard) == Counter(["9", "FREEZE", "3", "CHANCE", "4", "4", "5", "+2"])
    following = GAME.begin(Setup(Flip7Options(Rules(rules)), None, 3, 2, carry))
    check_laws(following)
    assert all(line.empty for line in following.lines)


def test_f20_a_freeze_lies_there_until_the_next_round_begins():
    played = Round({"lines": {"A": "3", "B": "4 stayed"}, "turn": "A", "deck": "FREEZE"}, "OFFICIAL")
    played.do("A hits")
    assert played.view.discarded == ()
    assert Counter(GAME.carry(played.state).discard) == Counter(["3", "FREEZE", "4"])


@BOTH
def test_f28_the_draw_pile_goes_on_and_nothing_is_reshuffled(rules):
    chance = StackedChance(["1"], ["1", "2", "3", "4", "5", "6", "7", "8"])
    state, events = deal(rules, chance)
    assert shuffles(events) == FIRST_SHUFFLES
    state = all_stay(state, chance)
    carry = GAME.carry(state)
    left = GAME.cards_left(state)
    assert left == 94 - len(carry.discard)
    state, events = deal(rules, chance, carry)
    assert shuffles(events) == []
    dealt = sum(type(event) is CardTurned for event in events)
    assert GAME.cards_left(state) == left - dealt
    assert state.deck == carry.draw


@BOTH
def test_f28_the_dealer_role_goes_one_seat_left(rules):
    chance = StackedChance(["1"])
    carry, dealers = None, []
    for _ in range(4):
        state, events = deal(rules, chance, carry)
        dealers += [event.seat for event in events if type(event) is DealerNamed]
        assert GAME.view(state, SPECTATOR).dealer == dealers[-1]
        carry = GAME.carry(all_stay(state, chance))
    assert dealers == [1, 2, 0, 1]


@BOTH
def test_f28_seats_that_were_left_get_nothing_and_do_not_deal(rules):
    chance = StackedChance(["0"])
    state, _ = deal(rules, chance)
    carry = GAME.carry(all_stay(state, chance))
    state, events = deal(rules, chance, carry, gone=frozenset({1}))
    view = GAME.view(state, SPECTATOR)
    assert view.dealer == 2
    assert view.lines[1].status.value == "LEFT"
    assert 1 not in [event.seat for event in events]
    state = all_stay(state, chance)
    assert GAME.outcome(state).seats[1].points == 0


@BOTH
def test_f28_a_draw_pile_that_runs_out_in_the_middle_of_a_match(rules):
    """Through several reshuffles: always 94 cards, and a shuffle has just the discarded ones."""
    rng = Random(7)
    chance = LooseChance(rng.shuffle)
    carry, seen = None, []
    for _ in range(60):
        state, events = deal(rules, chance, carry, seats=7)
        seen += shuffles(events)
        while GAME.outcome(state) is None:
            (seat,) = GAME.to_act(state)
            move = rng.choice(GAME.legal_moves(state, seat))
            move = getattr(move, "example", move)
            for event in GAME.decide(state, seat, move, Context(NOW, chance)):
                if type(event) is Shuffled:
                    assert state.deck[state.place :] == ()
                    assert event.cards == state.discard
                    on_table = Counter(FULL_DECK)
                    on_table.subtract(event.cards)
                    assert on_table.total() == 94 - len(event.cards)
                    seen.append((event.name, len(event.cards)))
                state = GAME.evolve(state, event)
            check_laws(state)
        carry = GAME.carry(state)
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
    played.do("A hits")
    assert GAME.hides(played.state) == (2,)
    played.do("B hits")
    assert GAME.hides(played.state) == ()
    played.do("A hits")
    assert GAME.hides(played.state) == (3,)


@BOTH
def test_the_finished_round_keeps_the_secret_of_the_running_deck(rules):
    chance = StackedChance(["0"])
    state, _ = deal(rules, chance)
    state = all_stay(state, chance)
    assert GAME.hides(state) == (2,)
    following, _ = deal(rules, chance, GAME.carry(state))
    assert GAME.hides(following) == (2,)


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
    assert played.view.odds.bust.numerator == played.view.odds.gain.numerator == 0
    before = played.view
    played.do("A hits")
    assert played.lines()["A"] == before_line(before) + " stayed"
    assert played.view.cards_left == 1
    assert played.next == "B"


def before_line(view) -> str:
    line = view.lines[0]
    return " ".join([*map(str, line.numbers), *line.modifiers])


@BOTH
def test_f27_with_an_empty_line_too(rules):
    played = Round({"lines": crowded_table(), "turn": "O", "draw_only": True, "deck": ""}, rules)
    played.do("O hits")
    assert played.lines()["O"] == "stayed"
    assert played.scores()["O"] == 0
    assert played.next == "A"


@BOTH
def test_f27_a_flip_three_ends(rules):
    case = {"lines": crowded_table("12"), "turn": "O", "draw_only": True, "deck": "FLIP3 12 FREEZE"}
    played = Round(case, rules)
    played.do("O hits")
    played.do("O gives O")
    assert played.lines()["O"] == "12"
    assert played.view.flip_three is None
    assert played.view.cards_left == 1
    assert played.next == "A"


@BOTH
def test_f27_what_a_flip_three_has_set_aside_is_assigned_when_it_ends(rules):
    """Also a Flip Three, which ends at once: a chain of action cards alone comes to an end."""
    case = {"lines": crowded_table("12"), "turn": "O", "draw_only": True, "deck": "FLIP3 FLIP3 12 FREEZE"}
    played = Round(case, rules)
    played.do("O hits")
    played.do("O gives O")
    assert played.pending.startswith("O: FLIP_THREE to A B C")
    played.do("O gives B")
    assert played.view.flip_three is None
    assert played.view.waiting == ()
    assert [event.taken for event in played.events if type(event).__name__ == "FlipThreeEnded"] == [2, 0]
    assert played.next == "A"


@BOTH
def test_f27_a_last_number_in_the_discard_pile_is_drawn(rules):
    """Behind the action cards of the draw pile: they come first, whatever else is to be had."""
    lines = crowded_table("12")
    lines["A"] += " stayed"
    case = {"lines": lines, "turn": "O", "draw_only": True, "deck": "CHANCE", "reshuffles": ["12"]}
    played = Round(case, rules)
    played.do("O hits")
    assert played.lines()["O"] == "CHANCE"
    played.do("B stays")
    for seat in "CDEFGHIJKLMN":
        played.do(f"{seat} stays")
    played.do("O hits")
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
        context = Context(NOW, LooseChance(Random(seed).shuffle, used=2))
        while GAME.outcome(state) is None:
            (seat,) = GAME.to_act(state)
            events = GAME.decide(state, seat, Hit(), context)
            longest = max(longest, len(events))
            for event in events:
                state = GAME.evolve(state, event)
        check_laws(state)
    assert longest < 1000
