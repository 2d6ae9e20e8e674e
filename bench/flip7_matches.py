"""Flip 7 in bulk: whole matches of random moves, with the laws of the rule sheet after every move.

``python -m bench flip7_matches`` plays 20,000 of them; FLIP7_MATCHES and FLIP7_PROCESSES change how
many, and in how many processes.
"""

from __future__ import annotations

import os
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from random import Random
from time import perf_counter
from typing import Any

from fliptable import Context, MoveRange, Session, Setup
from fliptable.chance import LooseChance
from fliptable_games.flip7 import Flip7
from fliptable_games.flip7.cards import COPIES
from fliptable_games.flip7.state import Flip7State, choice_of, in_flight
from fliptable_games.flip7.vocabulary import Flip7Options, LineStatus, Move, Rules
from fliptable_modes.match import Match, MatchOptions, Reach, Ties

GAME = Flip7()
MODE = Match()
MATCHES = int(os.environ.get("FLIP7_MATCHES", "20000"))
PROCESSES = int(os.environ.get("FLIP7_PROCESSES", "1"))
NOW = datetime(2026, 1, 1, tzinfo=UTC)

_DECK = Counter(COPIES)


def check(state: Flip7State) -> None:
    """The laws of the rule sheet between two moves. Errors: AssertionError."""
    cards = Counter(state.deck[state.place :])
    cards.update(state.discard)
    cards.update(in_flight(state))
    active = 0
    for line in state.lines:
        cards.update(line.codes())
        numbers = line.numbers
        assert len(set(numbers)) == len(numbers) <= 7
        assert (line.bust_card in numbers) == (line.status is LineStatus.BUST)
        active += line.status is LineStatus.ACTIVE
    assert cards == _DECK
    assert active == state.active
    choice = choice_of(state)
    if active == 0:
        assert choice is None
    if choice is None or choice.card is None:
        assert not list(in_flight(state))
    else:
        assert len(choice.targets) > 1
        assert active > 1


def random_move(state: Flip7State, seat: int, random: Random, bold: float) -> Move:
    """A legal move of the seat; the bolder, the more often a hit."""
    moves = GAME.legal_moves(state, seat)
    move = moves[0] if random.random() < bold else moves[int(random.random() * len(moves))]
    if isinstance(move, MoveRange):
        return type(move.example)(random.choice(move.fields["to"].values))
    return move


def match(seed: int) -> Counter[str]:
    """One match to its end; what happened in it, counted."""
    random = Random(seed)
    seats = random.randint(1, 18)
    options = Flip7Options(random.choice(list(Rules)))
    reach = Reach(GAME.suggest("match", options)["reach"])
    chosen = MatchOptions(random.choice([50, 100, 200]), reach, random.choice(list(Ties)))
    bold = random.choice([0.0, 0.5, 0.9])
    run = MODE.begin(Session(chosen, seats, NOW))
    context = Context(NOW, LooseChance(random.shuffle))
    counts: Counter[str] = Counter(matches=1)
    carry: Any = None
    totals = [0] * seats
    while MODE.over(run) is None:
        state = GAME.begin(Setup(options, None, seats, 1, carry))
        events = GAME.deal(state, context)
        while True:
            assert isinstance(events, list)
            for event in events:
                counts[type(event).__name__] += 1
                state = GAME.evolve(state, event)
            check(state)
            outcome = GAME.outcome(state)
            if outcome is not None:
                break
            (seat,) = GAME.to_act(state)
            events = GAME.decide(state, seat, random_move(state, seat, random, bold), context)
            counts["moves"] += 1
        carry = GAME.carry(state)
        counts["rounds"] += 1
        for event in MODE.round_over(run, outcome, NOW):
            run = MODE.evolve(run, event)
        totals = [total + one.points for total, one in zip(totals, outcome.seats, strict=True)]
        assert run.totals == tuple(totals)
    assert run.winners == tuple(seat for seat, total in enumerate(totals) if total == max(totals))
    return counts


def matches(seeds: range) -> Counter[str]:
    """Several matches."""
    counts: Counter[str] = Counter()
    for seed in seeds:
        counts.update(match(seed))
    return counts


def main(number: int = MATCHES, processes: int = PROCESSES) -> None:
    """Play the matches and print what happened."""
    began = perf_counter()
    parts = [range(start, number, processes) for start in range(processes)]
    counts: Counter[str] = Counter()
    if processes == 1:
        counts.update(matches(parts[0]))
    else:
        with ProcessPoolExecutor(processes) as pool:
            for part in pool.map(matches, parts):
                counts.update(part)
    seconds = perf_counter() - began
    print(
        f"{number:,} matches kept every law, {counts['moves'] / seconds:,.0f} moves/s with the laws checked"
    )
    for name, count in counts.most_common():
        print(f"  {name:20} {count:12,}")


if __name__ == "__main__":
    main()
