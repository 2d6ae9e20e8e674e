"""The policies of Call It and Flip: the lowest call, and the one that is a certain win."""

from __future__ import annotations

from random import Random

import pytest

from fliptable import Between, Choices, MoveRange, Result
from fliptable.testing import RoundScript, shuffled
from fliptable_games.call_it import CallIt
from fliptable_games.call_it.vocabulary import Call, Flip

POLICIES = CallIt().policies


def played(policy, **given):
    script = RoundScript(CallIt(), shuffled(3), **given)
    script.play_on(Random(1), POLICIES[policy])
    return script


def test_low_calls_the_lowest_target_of_c2():
    assert played("low").state.target == 30


@pytest.mark.parametrize("seed", range(20))
def test_c8_sure_always_wins(seed):
    script = RoundScript(CallIt(), shuffled(seed))
    script.play_on(Random(seed), POLICIES["sure"])
    assert script.state.target == 340 and script.outcome.seats[0].result is Result.WON


@pytest.mark.parametrize(
    ("allowed", "low", "sure"),
    [
        (Between(50), 50, 340),
        (Between(345), 345, 350),
        (Between(381), 381, 381),
        (Between(30, 60), 30, 30),
        (Choices((33, 44, 360)), 33, 360),
        (Choices((33, 44)), 33, 33),
    ],
)
def test_a_mode_may_allow_some_targets_only(allowed, low, sure):
    """As speedrun, and challenges whose constraints rule targets out."""
    moves = [MoveRange(Call(30), {"target": allowed})]
    assert POLICIES["low"](None, 0, moves, Random()) == Call(low)
    assert POLICIES["sure"](None, 0, moves, Random()) == Call(sure)


@pytest.mark.parametrize("policy", POLICIES)
def test_then_there_is_nothing_but_the_flip(policy):
    assert POLICIES[policy](None, 0, [Flip()], Random()) == Flip()
