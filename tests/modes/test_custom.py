"""Custom challenges at a table (call-it M8)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from fliptable import (
    Between,
    Challenge,
    Choices,
    ChosenConstraint,
    Constraint,
    ConstraintStatus,
    MoveRange,
    hookimpl,
)
from fliptable.testing import START, OpeningRefused, PluginMissing, Registry, TableScript, load_plugins
from fliptable_games.call_it.vocabulary import Call, Flip
from fliptable_modes.custom import AttemptOver, Custom, CustomOptions
from tests.modes.call_it_tables import BUST, WIN, OpenTable, flip, play_round


def challenge(*constraints: Any, target: int | None = None, game: str = "call-it") -> Challenge:
    """One with constraints, each an id or an id with its options."""
    chosen = [
        ChosenConstraint(one) if isinstance(one, str) else ChosenConstraint(*one) for one in constraints
    ]
    return Challenge("CHLNGE", "Try this", game, target, tuple(chosen), "bob", "Bob", START)


@pytest.fixture
def custom(solo: OpenTable) -> OpenTable:
    """Opens a table for a challenge."""

    def open_custom(made: Challenge | None, *decks: str, **more: Any) -> TableScript:
        return solo("custom", *decks, challenge=made, **more)

    return open_custom


def statuses(table: TableScript) -> list[str]:
    return [one.status.name for one in table.run().constraints]


def reason(table: TableScript) -> tuple[str, str | None]:
    outcome = table.outcomes[-1].seats[0]
    return outcome.result.name, outcome.reason


def test_m8_a_hit_at_which_all_constraints_hold_is_won(custom: OpenTable) -> None:
    table = custom(challenge("use-ace", ("exact-flips", {"flips": 3})), "10C JC AC")
    play_round(table, 31)
    assert reason(table) == ("WON", None)
    assert statuses(table) == ["MET", "MET"]
    assert (table.run().rounds, table.run().wins, table.run().best_flips) == (1, 1, 3)
    assert table.scores == (1,)


def test_m8_a_hit_at_which_one_does_not_hold_is_lost(custom: OpenTable) -> None:
    table = custom(challenge("use-ace", ("exact-flips", {"flips": 3})), WIN)
    play_round(table, 30)
    assert reason(table) == ("LOST", "CONSTRAINT_FAILED")
    assert statuses(table) == ["FAILED", "MET"]
    assert (table.run().rounds, table.run().wins, table.run().best_flips) == (1, 0, None)
    assert table.scores == (0,)
    assert [(event.won, event.flips) for event in table.of(AttemptOver)] == [(False, None)]
    assert table.outcomes[-1].seats[0].measures == {"flips": 3}


def test_m8_a_bust_stays_a_bust(custom: OpenTable) -> None:
    table = custom(challenge("no-ace"), BUST)
    play_round(table, 30)
    assert reason(table) == ("BUST", "OVER")
    assert statuses(table) == ["MET"]


def test_m8_the_statuses_are_seen_while_the_round_runs(custom: OpenTable) -> None:
    made = challenge("use-ace", "no-ace", ("max-flips", {"flips": 2}), target=60)
    table = custom(made, "10C AC JC")
    assert statuses(table) == ["OPEN", "OPEN", "OPEN"]
    flip(table)
    assert statuses(table) == ["OPEN", "OPEN", "OPEN"]
    flip(table)
    assert statuses(table) == ["MET", "FAILED", "FAILED"]
    assert [one.constraint for one in table.run().constraints] == ["use-ace", "no-ace", "max-flips"]
    assert [one.text for one in table.run().constraints] == [
        "with an ace",
        "without an ace",
        "in at most 2 flips",
    ]


def test_m8_the_round_goes_on_after_a_failed_constraint(custom: OpenTable) -> None:
    table = custom(challenge("no-ace", target=31), "AC 10C JC")
    flip(table, 2)
    assert statuses(table) == ["FAILED"]
    flip(table)
    assert reason(table) == ("LOST", "CONSTRAINT_FAILED")


def test_m8_a_fixed_target_is_called_already_in_every_round(custom: OpenTable) -> None:
    table = custom(challenge(target=30), WIN, WIN)
    assert table.run().target == 30
    assert table.refused_move(0, Call(31)).code == "ILLEGAL_MOVE"
    flip(table, 3)
    assert table.run().wins == 1
    flip(table)
    assert table.table.round.number == 2 and table.state.target == 30


def test_m8_a_free_target_is_checked_at_the_call(custom: OpenTable, registry: Registry) -> None:
    table = custom(challenge(("max-flips", {"flips": 3})), WIN)
    assert table.run().target is None
    refusal = table.refused_move(0, Call(34))
    assert (refusal.code, refusal.field) == ("CHALLENGE_IMPOSSIBLE", "target")
    assert refusal.code in registry.refusals
    assert table.refused_move(0, Call(379)).code == "CHALLENGE_IMPOSSIBLE"
    assert table.refused_move(0, Call(29)).code == "INVALID_VALUE"
    table.play(0, Call(33))
    assert table.state.target == 33


def test_c8_an_unreachable_target_is_legal_elsewhere_and_refused_here(
    solo: OpenTable, custom: OpenTable
) -> None:
    for target in (379, 381):
        solo("classic").play(0, Call(target))
        assert custom(challenge()).refused_move(0, Call(target)).code == "CHALLENGE_IMPOSSIBLE"


def test_m8_only_calls_that_can_be_met_are_offered(custom: OpenTable) -> None:
    table = custom(challenge(("exact-flips", {"flips": 4}), "no-ace"), WIN)
    assert table.legal_moves(0) == [MoveRange(Call(30), {"target": Between(30, 40)})]
    table.play(0, Call(30))
    last = custom(challenge(("exact-flips", {"flips": 52})), WIN)
    targets = Choices((340, 350, 360, 370, 380))
    assert last.legal_moves(0) == [MoveRange(Call(340), {"target": targets})]
    assert table.legal_moves(0) == [Flip()]


def test_m8_abandoning_is_a_lost_attempt(custom: OpenTable) -> None:
    table = custom(challenge("use-ace"), WIN)
    table.play(0, Call(31))
    flip(table)
    table.leave("ann")
    assert reason(table) == ("BUST", "ABANDONED")
    assert statuses(table) == ["FAILED"]
    assert (table.run().rounds, table.run().wins, table.over) == (1, 0, "ABANDONED")


def test_m8_the_run_goes_on_with_attempt_after_attempt(custom: OpenTable) -> None:
    table = custom(challenge("no-ace"), WIN, BUST, "2C 3C 5C 10C KC", WIN)
    for _ in range(4):
        play_round(table, 30)
    run = table.run()
    assert (run.rounds, run.wins, run.best_flips, table.over) == (4, 3, 3, None)
    assert (run.challenge, run.title) == ("CHLNGE", "Try this")


def test_m8_while_the_next_round_waits_the_last_one_is_judged(custom: OpenTable) -> None:
    table = custom(challenge("use-ace"), "10C JC AC", "2C")
    play_round(table, 31)
    assert table.table.staged is not None
    assert statuses(table) == ["MET"]
    table.play(0, Call(40))
    assert statuses(table) == ["OPEN"]


def test_m8_without_a_challenge_no_table_is_opened(custom: OpenTable) -> None:
    with pytest.raises(OpeningRefused) as refused:
        custom(None)
    assert refused.value.refusal.code == "CHALLENGE_NOT_FOUND"
    assert refused.value.refusal.field == "challenge"
    assert refused.value.refusal.message == "The mode custom needs the code of a challenge."


def test_m8_a_code_that_nobody_made_is_named(custom: OpenTable) -> None:
    with pytest.raises(OpeningRefused) as refused:
        custom(None, mode_options=CustomOptions(challenge=" 9t5 nr3"))
    assert refused.value.refusal.message == 'There is no challenge with the code "9t5 nr3".'


def test_m8_the_code_is_the_scope_of_its_records_however_it_is_typed() -> None:
    mode = Custom()
    assert mode.check_scope("9t5 nr3") == mode.check_scope("9T5-NR3") == "9T5NR3"
    with pytest.raises(ValueError, match="needs the code of a challenge as scope"):
        mode.check_scope(" ")


def test_m8_the_log_of_a_fixed_target_says_no_one_called_it(custom: OpenTable) -> None:
    table = custom(challenge(target=30), WIN, WIN)
    flip(table, 4)
    place = table.said.index("Round 2 is dealt.")
    after = [text for text in table.said[place:] if not text.startswith(("Shuffle", "The seed"))]
    assert after[:3] == ["Round 2 is dealt.", "The target is 30.", "Round 2 begins."]


def test_m8_a_challenge_of_another_game_is_refused(custom: OpenTable) -> None:
    with pytest.raises(OpeningRefused) as refused:
        custom(challenge(game="other"))
    assert refused.value.refusal.code == "WRONG_GAME"


def test_m8_a_table_whose_constraints_are_not_loaded_is_not_loaded(custom: OpenTable) -> None:
    table = custom(challenge("use-ace"))
    with pytest.raises(PluginMissing, match="use-ace"):
        table.refold(load_plugins(allow={"call-it", "custom", "no-ace"}))


class Rising(Constraint):
    """Each card is worth more than the one before: no demand can say that."""

    id = "rising"
    name = "Rising"
    graphql = "Rising"
    summary = "Each card is worth more than the one before."
    games = ("call-it",)

    def status(self, options: Any, view: Any, over: bool) -> ConstraintStatus:
        cards = [card.value[:-1] for card in view.hands[0].cards]
        worth = ["2", "3", "4", "5", "6", "7", "8", "9", "10"]
        places = [worth.index(card) if card in worth else 9 for card in cards]
        if any(after <= before for before, after in pairwise(places)):
            return ConstraintStatus.FAILED
        return ConstraintStatus.MET if over else ConstraintStatus.OPEN


class Stranger:
    """A plugin of another distribution."""

    @staticmethod
    def fliptable_constraints() -> list[Constraint]:
        return [Rising()]


def test_a_strangers_constraint_works_like_the_built_in_ones(solo: OpenTable) -> None:
    names = {"call-it", "custom", "no-ace", "exact-flips"}
    registry = load_plugins(allow=names)
    plugin = type("Plugin", (), {"fliptable_constraints": hookimpl(Stranger.fliptable_constraints)})
    registry.register(plugin, "rising")
    made = challenge("rising", ("exact-flips", {"flips": 4}))
    table = solo("custom", "5C 7C 8C 10C", "8C 7C 5C 10C", challenge=made, catalogue=registry)
    assert (
        table.refused_move(0, Call(55)).code == "CHALLENGE_IMPOSSIBLE"
    )  # what is known of the others still counts
    play_round(table, 30)
    assert reason(table) == ("WON", None)
    play_round(table, 30)
    assert reason(table) == ("LOST", "CONSTRAINT_FAILED")
