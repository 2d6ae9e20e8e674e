"""The game against a second, plain implementation: the same cards and decisions, the same round.

FLIP7_ROUNDS says how many rounds are compared for each rule set (150 by default).
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

ROUNDS = int(os.environ.get("FLIP7_ROUNDS", "150"))
KINDS = {"OPTIONAL_CARD": "optional", "FREEZE": "FREEZE", "FLIP_THREE": "FLIP3", "SECOND_CHANCE": "CHANCE"}


def reorder(seed: int, cards: list[str]) -> list[str]:
    """An order that depends on which cards there are, not on how they lay."""
    order = sorted(cards)
    Random(seed + len(order)).shuffle(order)
    return order


def played_by_the_game(state, seed: int, random: Random, bold: float):
    """A round to its end, and the decisions that were made in it."""

    def permute(cards: list[str]) -> None:
        cards[:] = reorder(seed, cards)

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
            lambda cards, number=number: reorder(number, cards),
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
