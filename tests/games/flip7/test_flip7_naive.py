"""The game against a second, plain implementation: the same cards and decisions, the same round.

FLIP7_ROUNDS says how many rounds are compared for each rule set (400 by default).
"""

from __future__ import annotations

import os
from collections import Counter
from random import Random

import pytest
from flip7_laws import FULL_DECK
from flip7_script import GAME, NOW
from naive_flip7 import NaiveRound

from fliptable import SPECTATOR, Context, Setup
from fliptable.chance import LooseChance
from fliptable_games.flip7.state import Flip7Carry
from fliptable_games.flip7.vocabulary import Assign, Flip7Options, Hit, Rules, Stay

ROUNDS = int(os.environ.get("FLIP7_ROUNDS", "400"))
KINDS = {"OPTIONAL_CARD": "optional", "FREEZE": "FREEZE", "FLIP_THREE": "FLIP3", "SECOND_CHANCE": "CHANCE"}


class Reordering:
    """Shuffles that depend on the round, on how many came before, and on which cards there are.

    How the cards lay makes no difference, so that two implementations may discard in other orders.
    Every shuffle has to be another one: with few cards left a chain of Flip Threes would repeat itself.
    """

    def __init__(self, seed: int) -> None:
        self.seed, self.used = seed, 0

    def __call__(self, cards: list[str]) -> list[str]:
        self.used += 1
        order = sorted(cards)
        Random(f"{self.seed} {self.used}").shuffle(order)
        return order


def played_by_the_game(state, seed: int, random: Random, bold: float):
    """A round to its end, and the decisions that were made in it."""

    reorder = Reordering(seed)

    def permute(cards: list[str]) -> None:
        cards[:] = reorder(cards)

    context = Context(NOW, LooseChance(permute))
    decisions: list[tuple[str, int, list, object]] = []
    events = GAME.deal(state, context)
    while True:
        for event in events:
            state = GAME.evolve(state, event)
        if GAME.outcome(state) is not None:
            return state, decisions
        (seat,) = GAME.to_act(state)
        view = GAME.view(state, SPECTATOR)
        pending = view.pending
        if pending is not None and pending.card is not None:
            to = random.choice(pending.targets)
            decisions.append((KINDS[pending.kind.value], seat, list(pending.targets), to))
            move = Assign(to)
        else:
            legal = GAME.legal_moves(state, seat)
            options = ["hit", "stay"] if Stay() in legal else ["hit"]
            what = "hit" if random.random() < bold else random.choice(options)
            decisions.append(("turn" if pending is None else "optional", seat, options, what))
            move = Hit() if what == "hit" else Stay()
        events = GAME.decide(state, seat, move, context)


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
        first = GAME.begin(Setup(Flip7Options(rules), None, seats, 2, before))
        state, decisions = played_by_the_game(first, number, random, random.choice([0.3, 0.8, 0.95]))
        made = iter(decisions)

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
            Reordering(number),
        )
        naive.play()
        assert next(made, None) is None
        view = GAME.view(state, SPECTATOR)
        for line, player in zip(view.lines, naive.players, strict=True):
            assert (line.status.value, line.score) == (player.status, player.score())
            assert (list(line.numbers), list(line.modifiers)) == (player.numbers, player.modifiers)
            assert (line.second_chance, line.frozen) == (player.chance, player.frozen_card)
            assert line.bust_card == player.bust_card
        assert Counter(view.discarded) == Counter(naive.discard)
        assert list(state.deck[state.place :]) == naive.pile
