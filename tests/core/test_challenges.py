"""Challenges that no order of the deck can win are found out when they are made (call-it M8)."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any

import pytest

from fliptable.challenges import ChosenConstraint, Condition, conditions_of, impossible
from fliptable.chance import LooseChance
from fliptable.constraints import Demand
from fliptable.migrations import OtherVersion
from fliptable.plugins import PluginMissing
from fliptable.rules import Context, Refusal, Setup


@pytest.fixture
def why(registry: Any) -> Any:
    """Why a challenge is impossible, as (field, message); None when it is not."""

    def ask(target: int | None, *chosen: Any) -> tuple[str | None, str] | None:
        pairs = [(one, {}) if isinstance(one, str) else one for one in chosen]
        conditions = conditions_of(registry, [ChosenConstraint(*pair) for pair in pairs])
        refusal = impossible(registry.game("call-it"), target, conditions)
        if refusal is None:
            return None
        assert refusal.code == "CHALLENGE_IMPOSSIBLE" and refusal.code in registry.refusals
        return refusal.field, refusal.message

    return ask


def flips(kind: str, number: int) -> tuple[str, dict[str, Any]]:
    return f"{kind}-flips", {"flips": number}


def rank(kind: str, which: str) -> tuple[str, dict[str, Any]]:
    return f"{kind}-rank", {"rank": which}


@pytest.mark.parametrize("target", [None, 31, 40])
def test_m8_ace_needed_and_no_ace(why: Any, target: int | None) -> None:
    assert why(target, "use-ace", "no-ace") == (
        "constraints",
        "No round can be won with an ace and without an ace.",
    )


@pytest.mark.parametrize("target", [None, 50])
def test_m8_minimum_above_maximum(why: Any, target: int | None) -> None:
    field, message = why(target, flips("min", 6), flips("max", 5))
    assert field == "constraints"
    assert message == "No round can be won in at least 6 flips and in at most 5 flips."
    assert why(target, flips("min", 5), flips("max", 5)) is None


def test_m8_two_exact_counts(why: Any) -> None:
    assert why(None, flips("exact", 5), flips("exact", 6))[0] == "constraints"
    assert why(None, flips("exact", 5), flips("exact", 5)) is None


def test_m8_a_rank_needed_and_excluded(why: Any) -> None:
    field, message = why(50, rank("include", "7"), rank("exclude", "7"))
    assert (field, message) == ("constraints", "No round can be won with a seven and without a seven.")
    assert why(50, rank("include", "7"), rank("exclude", "8")) is None
    assert why(50, rank("include", "A"), "no-ace")[0] == "constraints"
    assert why(50, rank("exclude", "A"), "use-ace")[0] == "constraints"


def test_m8_a_count_in_which_the_target_cannot_be_reached(why: Any) -> None:
    assert why(34, flips("max", 3)) == ("target", "No order of the cards reaches 34 in at most 3 flips.")
    assert why(33, flips("max", 3)) is None
    assert why(33, flips("max", 3), "no-ace")[0] == "target"
    assert why(30, flips("exact", 20)) == ("target", "No order of the cards reaches 30 in exactly 20 flips.")
    assert why(None, flips("max", 2)) == ("constraints", "No round can be won in at most 2 flips.")


@pytest.mark.parametrize("target", [379, 381, 2**31 - 1])
def test_m8_a_target_that_nobody_can_reach(why: Any, target: int) -> None:
    assert why(target) == ("target", f"No order of the cards reaches exactly {target}.")
    assert why(target, "use-ace", "no-ace")[0] == "target"


@pytest.mark.parametrize("target", [30, 378, 380])
def test_m8_a_target_that_somebody_can_reach(why: Any, target: int) -> None:
    assert why(target) is None


def test_m8_all_aces_high_counts_too(why: Any) -> None:
    assert why(380, "all-aces-high") is None
    assert why(370, "all-aces-high", flips("exact", 52))[0] == "target"
    assert why(31, "all-aces-high", "use-ace", flips("max", 3)) is None
    assert why(30, "all-aces-high", "use-ace", flips("exact", 3)) is None  # A 9 10
    assert why(34, "all-aces-high", "use-ace", rank("include", "3"), flips("exact", 4)) is None  # A A 9 3


def test_m8_three_that_only_together_exclude_every_round(why: Any) -> None:
    three = [flips("exact", 3), rank("include", "9"), "no-ace"]
    field, message = why(None, *three)
    assert field == "constraints"
    assert message == "No round can be won in exactly 3 flips, with a nine and without an ace."
    for two in combinations(three, 2):
        assert why(None, *two) is None, two


def test_m8_what_can_be_won_is_not_refused(why: Any) -> None:
    suits = [("include-suit", {"suit": suit}) for suit in "CDHS"]
    assert why(30, *suits) is None
    assert why(30, *suits, flips("max", 3))[0] == "constraints"
    assert why(None, *suits, flips("max", 4)) is None
    assert why(None) is None


def test_m8_whatever_is_won_in_play_was_not_called_impossible(registry: Any) -> None:
    """Soundness against the game itself: random orders of the whole deck under random conditions."""
    game = registry.game("call-it")
    call, flip = game.moves
    random = Random(8)
    choices = [
        "use-ace",
        "no-ace",
        "all-aces-high",
        *[flips(kind, number) for kind in ("exact", "max", "min") for number in (3, 4, 5, 6)],
        *[rank(kind, which) for kind in ("include", "exclude") for which in "A5K"],
        ("include-suit", {"suit": "H"}),
    ]
    wins = 0
    for _ in range(400):
        target = random.randint(30, 45)
        state = game.begin(Setup(game.Options(), game.Terms(), 1))
        ctx = Context(None, LooseChance(random.shuffle))  # type: ignore[arg-type]
        for event in game.deal(state, ctx):
            state = game.evolve(state, event)
        for move in [call(target)] + [flip()] * 52:
            events = game.decide(state, 0, move, ctx)
            assert not isinstance(events, Refusal)
            for event in events:
                state = game.evolve(state, event)
            outcome = game.outcome(state)
            if outcome is not None:
                break
        if not outcome.winners:
            continue
        pairs = [(one, {}) if isinstance(one, str) else one for one in random.sample(choices, 3)]
        conditions = conditions_of(registry, [ChosenConstraint(*pair) for pair in pairs])
        view = game.view(state, frozenset())
        if all(one.constraint.status(one.options, view, True).name == "MET" for one in conditions):
            wins += 1
            assert impossible(game, target, conditions) is None
    assert wins > 5


def test_of_a_game_that_does_not_reckon_nothing_is_refused(registry: Any) -> None:
    class Silent:
        def targets(self, demands: Any) -> None:
            return None

    assert impossible(Silent(), 379, []) is None  # type: ignore[arg-type]


def test_a_constraint_that_says_nothing_of_its_demand_demands_nothing(registry: Any) -> None:
    class Vague:
        def demand(self, options: Any) -> None:
            return None

    assert Condition(Vague(), None).demand == Demand()  # type: ignore[arg-type]


def test_unknown_constraints_and_options_that_do_not_fit_are_named(registry: Any) -> None:
    with pytest.raises(PluginMissing, match="no-such"):
        conditions_of(registry, [ChosenConstraint("no-such")])
    for options, why in (({"flips": 0}, "flips: "), ({"flips": 5, "colour": "red"}, "colour: ")):
        with pytest.raises(OtherVersion, match="constraint 'max-flips'") as caught:
            conditions_of(registry, [ChosenConstraint("max-flips", options)])
        assert str(caught.value.__cause__).startswith(why)
