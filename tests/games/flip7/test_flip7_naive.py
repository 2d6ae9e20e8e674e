"""The game against a second, plain implementation: the same cards and decisions, the same round.

FLIP7_ROUNDS says how many rounds are compared for each rule set (400 by default).
"""

from __future__ import annotations

import os
from collections import Counter
from random import Random
from typing import Any

import pytest

from fliptable.testing import RoundScript, shuffled
from fliptable_games.flip7.state import Flip7Carry
from fliptable_games.flip7.vocabulary import Assign, Flip7Options, Hit, Rules, Stay
from tests.games.flip7.flip7_laws import FULL_DECK
from tests.games.flip7.flip7_rounds import GAME
from tests.games.flip7.naive_flip7 import NaiveRound

ROUNDS = int(os.environ.get("FLIP7_ROUNDS", "400"))
KINDS = {"OPTIONAL_CARD": "optional", "FREEZE": "FREEZE", "FLIP_THREE": "FLIP3", "SECOND_CHANCE": "CHANCE"}


class Reordering(Random):
    """Shuffles that depend on the round, on how many came before, and on which cards there are.

    How the cards lay makes no difference, so that two implementations may discard in other orders.
    Every shuffle has to be another one: with few cards left a chain of Flip Threes would repeat itself.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number, self.used = number, 0

    def shuffle(self, cards: list[str]) -> None:
        self.used += 1
        cards.sort()
        Random(f"{self.number} {self.used}").shuffle(cards)

    def shuffled(self, cards: list[str]) -> list[str]:
        order = list(cards)
        self.shuffle(order)
        return order


Decision = tuple[str, int, list[Any], Any]
"""What kind it is, whose, among what, and what was decided."""


def played_by_the_game(script: RoundScript, random: Random, bold: float) -> list[Decision]:
    """Play a round to its end; the decisions that were made in it."""
    decisions: list[Decision] = []
    while script.outcome is None:
        (seat,) = script.to_act
        pending = script.view().pending
        if pending is not None and pending.card is not None:
            to = random.choice(pending.targets)
            decisions.append((KINDS[pending.kind.value], seat, list(pending.targets), to))
            move = Assign(to)
        else:
            options = ["hit", "stay"] if Stay() in script.legal_moves(seat) else ["hit"]
            what = "hit" if random.random() < bold else random.choice(options)
            decisions.append(("turn" if pending is None else "optional", seat, options, what))
            move = Hit() if what == "hit" else Stay()
        script.play(seat, move)
    return decisions


def action_heavy(random: Random) -> tuple[list[str], list[str]]:
    """The 94 cards as a draw pile and a discard pile, with many of the actions near the top."""
    deck = [code for code, copies in FULL_DECK.items() for _ in range(copies)]
    random.shuffle(deck)
    actions = [code for code in deck if code in ("FREEZE", "FLIP3", "CHANCE")]
    rest = [code for code in deck if code not in ("FREEZE", "FLIP3", "CHANCE")]
    top = actions[: random.randint(0, 9)] + rest[: random.randint(3, 20)]
    random.shuffle(top)
    others = Counter(deck) - Counter(top)
    remaining = list(others.elements())
    random.shuffle(remaining)
    cut = random.choice([0, random.randint(0, len(remaining)), len(remaining)])
    return top + remaining[:cut], remaining[cut:]


@pytest.mark.parametrize("rules", list(Rules))
def test_rounds_are_the_same_by_a_second_implementation(rules):
    random = Random(f"naive {rules}")
    for number in range(ROUNDS):
        seats = random.choice([1, 2, 2, 3, 3, 4, 5, 8, 18])
        pile, discard = action_heavy(random)
        before = Flip7Carry(tuple(pile), tuple(discard), random.randrange(seats), 2)
        script = RoundScript(
            GAME,
            shuffled(Reordering(number)),
            seats=seats,
            options=Flip7Options(rules),
            number=2,
            carry=before,
        )
        made = iter(played_by_the_game(script, random, random.choice([0.3, 0.8, 0.95])))

        def choose(kind, seat, options, made=made):
            expected = next(made)
            assert (kind, seat, options) == expected[:3]
            return expected[3]

        naive = NaiveRound(
            seats,
            (before.dealer + 1) % seats,
            rules is Rules.HOSTED,
            pile,
            discard,
            choose,
            Reordering(number).shuffled,
        )
        naive.play()
        assert next(made, None) is None
        state, view = script.state, script.view()
        for line, player in zip(view.lines, naive.players, strict=True):
            assert (line.status.value, line.score) == (player.status, player.score())
            assert (list(line.numbers), list(line.modifiers)) == (player.numbers, player.modifiers)
            assert (line.second_chance, line.frozen) == (player.chance, player.frozen_card)
            assert line.bust_card == player.bust_card
        assert Counter(view.discarded) == Counter(naive.discard)
        assert list(state.deck[state.place :]) == naive.pile
