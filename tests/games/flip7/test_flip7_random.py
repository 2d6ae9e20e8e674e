"""Random games in both rule sets with the sheet's laws after every step.

FLIP7_EXAMPLES says how many games the state machine plays (12 by default).
"""

from __future__ import annotations

import os
from random import Random

import pytest
from flip7_laws import check_laws
from flip7_script import NOW
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from fliptable import Choices, Context, MoveRange, Refusal, Setup
from fliptable.chance import LooseChance
from fliptable.codec import pack, unpack
from fliptable_games.flip7 import Flip7
from fliptable_games.flip7.resolution import Resolution, plain_hit
from fliptable_games.flip7.state import Flip7State, choice_of
from fliptable_games.flip7.vocabulary import Assign, Flip7Options, Hit, Rules, Stay

GAME = Flip7()
EXAMPLES = int(os.environ.get("FLIP7_EXAMPLES", "12"))


def listed(state, seat) -> list:
    """The legal moves of a seat, one by one."""
    moves = []
    for move in GAME.legal_moves(state, seat):
        if isinstance(move, MoveRange):
            choices = move.fields["to"]
            assert isinstance(choices, Choices)
            moves += [Assign(to) for to in choices.values]
        else:
            moves.append(move)
    return moves


class Games(RuleBasedStateMachine):
    """A table of one to eighteen seats: rounds on one running deck, with random legal moves."""

    @initialize(seats=st.integers(1, 18), rules=st.sampled_from(Rules), seed=st.integers(0, 2**32))
    def open(self, seats, rules, seed):
        self.seats = seats
        self.options = Flip7Options(rules)
        self.context = Context(NOW, LooseChance(Random(seed).shuffle))
        self.gone: set[int] = set()
        self.totals = [0] * seats
        self.scored: list[list[int]] = []
        self.begin(None)

    def begin(self, carry):
        setup = Setup(self.options, None, self.seats, 1, carry, frozenset(self.gone))
        self.state = self.first = GAME.begin(setup)
        self.log: list = []
        self.follow(GAME.deal(self.state, self.context))

    def follow(self, events):
        for event in events:
            event.text([f"Seat {seat}" for seat in range(self.seats)])
            self.state = GAME.evolve(self.state, event)
            self.log.append(event)

    @property
    def over(self):
        return GAME.outcome(self.state) is not None

    @rule(number=st.integers(0, 10**6))
    def move(self, number):
        if self.over:
            self.next_round()
            return
        (seat,) = GAME.to_act(self.state)
        moves = listed(self.state, seat)
        events = GAME.decide(self.state, seat, moves[number % len(moves)], self.context)
        assert not isinstance(events, Refusal)
        self.follow(events)

    @rule()
    def hit(self):
        if self.over:
            self.next_round()
            return
        (seat,) = GAME.to_act(self.state)
        if Hit() in listed(self.state, seat):
            self.follow(GAME.decide(self.state, seat, Hit(), self.context))

    def next_round(self):
        points = [one.points for one in GAME.outcome(self.state).seats]
        self.scored.append(points)
        self.totals = [total + more for total, more in zip(self.totals, points, strict=True)]
        if len(self.gone) < self.seats:
            self.begin(GAME.carry(self.state))

    @rule(to=st.integers(-1, 19))
    @precondition(lambda self: not self.over)
    def refused(self, to):
        """Whatever is not listed is refused and changes nothing."""
        (seat,) = GAME.to_act(self.state)
        legal = listed(self.state, seat)
        for move in (Hit(), Stay(), Assign(to)):
            answer = GAME.decide(self.state, seat, move, self.context)
            assert isinstance(answer, Refusal) == (move not in legal)

    @rule(seat=st.integers(0, 17), lucky=st.integers(0, 9))
    @precondition(lambda self: not self.over)
    def leave(self, seat, lucky):
        if lucky == 0 and seat < self.seats:
            self.follow(GAME.leave(self.state, seat, self.context))
            self.gone.add(seat)

    @invariant()
    def laws(self):
        check_laws(self.state)
        assert not self.gone & set(GAME.to_act(self.state))
        assert self.totals == [sum(column) for column in zip(*self.scored, strict=True)] or not self.scored

    @invariant()
    def the_log_gives_the_state_and_the_state_survives_storage(self):
        state = self.first
        for event in self.log:
            state = GAME.evolve(state, event)
        assert state == self.state
        assert unpack(pack(state), Flip7State) == state

    @invariant()
    def the_quick_way_of_a_hit_is_the_long_one(self):
        if self.over or choice_of(self.state) is not None:
            return
        (seat,) = GAME.to_act(self.state)
        quick = plain_hit(self.state, seat)
        if quick is not None:
            slow = Resolution(self.state, self.context.chance)
            slow.hit(seat)
            assert slow.run() == quick


Games.TestCase.settings = settings(
    max_examples=EXAMPLES,
    stateful_step_count=80,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
TestGames = Games.TestCase


@pytest.mark.parametrize("rules", list(Rules))
@pytest.mark.parametrize("seats", [1, 2, 3, 6, 18])
def test_rounds_of_random_moves_keep_the_laws(rules, seats):
    """Players who rarely stay, so that chains and reshuffles come up often."""
    rng = Random(f"{rules} {seats}")
    context = Context(NOW, LooseChance(rng.shuffle))
    carry = None
    seen: set[str] = set()
    for _ in range(max(12, 200 // seats)):
        state = GAME.begin(Setup(Flip7Options(rules), None, seats, 1, carry))
        events = GAME.deal(state, context)
        while True:
            for event in events:
                seen.add(type(event).__name__)
                state = GAME.evolve(state, event)
            check_laws(state)
            if GAME.outcome(state) is not None:
                break
            (seat,) = GAME.to_act(state)
            moves = listed(state, seat)
            move = Hit() if Hit() in moves and rng.random() < 0.9 else rng.choice(moves)
            events = GAME.decide(state, seat, move, context)
        carry = GAME.carry(state)
    assert {"Shuffled", "CardTurned", "Busted", "Frozen", "FlipThreeBegan", "SecondChanceTaken"} <= seen
