"""Random games in both rule sets with the sheet's laws after every step.

FLIP7_EXAMPLES says how many games the state machine plays (12 by default).
"""

from __future__ import annotations

import os
from random import Random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from fliptable.testing import RoundScript, any_move, each_move, shuffled, storage_trouble
from fliptable_games.flip7.resolution import Resolution, plain_hit
from fliptable_games.flip7.state import Flip7State, choice_of
from fliptable_games.flip7.vocabulary import Assign, Flip7Options, Hit, Rules, Stay
from tests.games.flip7.flip7_laws import check_laws
from tests.games.flip7.flip7_rounds import GAME

EXAMPLES = int(os.environ.get("FLIP7_EXAMPLES", "12"))


class Games(RuleBasedStateMachine):
    """A table of one to eighteen seats: rounds on one running deck, with random legal moves."""

    @initialize(seats=st.integers(1, 18), rules=st.sampled_from(Rules), seed=st.integers(0, 2**32))
    def open(self, seats, rules, seed):
        options = Flip7Options(rules)
        self.round = RoundScript(GAME, shuffled(seed), seats=seats, options=options, invariant=check_laws)
        self.gone: set[int] = set()

    @property
    def over(self):
        return self.round.outcome is not None

    @property
    def legal(self):
        (seat,) = self.round.to_act
        return seat, list(each_move(self.round.legal_moves(seat)))

    @rule(number=st.integers(0, 10**6))
    @precondition(lambda self: not self.over)
    def move(self, number):
        seat, moves = self.legal
        self.round.play(seat, moves[number % len(moves)])

    @rule()
    @precondition(lambda self: not self.over)
    def hit(self):
        seat, moves = self.legal
        if Hit() in moves:
            self.round.play(seat, Hit())

    @rule()
    @precondition(lambda self: self.over)
    def next_round(self):
        if len(self.gone) < self.round.setup.seats:
            self.round.next_round()

    @rule(to=st.integers(-1, 19))
    @precondition(lambda self: not self.over)
    def refused(self, to):
        """Whatever is not listed is refused and changes nothing."""
        seat, moves = self.legal
        for move in (Hit(), Stay(), Assign(to)):
            if move in moves:
                self.round.branch().play(seat, move)
            else:
                self.round.refused(seat, move)

    @rule(seat=st.integers(0, 17), lucky=st.integers(0, 9))
    @precondition(lambda self: not self.over)
    def leave(self, seat, lucky):
        if lucky == 0 and seat < self.round.setup.seats:
            self.round.leave(seat)
            self.gone.add(seat)

    @invariant()
    def who_has_left_is_not_to_act(self):
        assert not self.gone & set(self.round.to_act)

    @invariant()
    def the_log_gives_the_state_and_the_state_survives_storage(self):
        state = GAME.begin(self.round.setup)
        for event in self.round.events:
            assert event.text([f"Seat {seat}" for seat in range(18)])
            state = GAME.evolve(state, event)
        assert state == self.round.state
        assert storage_trouble(state, Flip7State) is None

    @invariant()
    def the_quick_way_of_a_hit_is_the_long_one(self):
        state = self.round.state
        if self.over or choice_of(state) is not None:
            return
        (seat,) = self.round.to_act
        quick = plain_hit(state, seat)
        if quick is not None:
            slow = Resolution(state, self.round.branch().chance)
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
    random = Random(f"{rules} {seats}")
    options = Flip7Options(rules)
    script = RoundScript(GAME, shuffled(random), seats=seats, options=options, invariant=check_laws)
    seen: set[str] = set()
    for _ in range(max(12, 200 // seats)):
        script.play_on(random, rarely_stay)
        seen |= {type(event).__name__ for event in script.events}
        script.next_round()
    assert {"Shuffled", "CardTurned", "Busted", "Frozen", "FlipThreeBegan", "SecondChanceTaken"} <= seen


def rarely_stay(view, seat, moves, random):
    return Hit() if Hit() in moves and random.random() < 0.9 else any_move(view, seat, moves, random)
