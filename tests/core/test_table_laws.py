"""The laws of whole tables are kept by the test game and mode, and breaking one is found out."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from brokenmodes import ManyFail, Remembers, Short
from brokentables import BROKEN_TABLES, registry_of
from highcard import Dealt, HighCard
from straygames import NobodyBeginsRefused, NotAtTheTop, OnlyTwo
from timedmode import Timed

from fliptable import CardTrail, Refusal, decide, projection
from fliptable.plugins import Registry
from fliptable.testing import TABLE_LAWS, NextRound, OneCard, Play, check_table
from fliptable.testing.tableplay import TablePlay, TableSetting
from fliptable.testing.toys import TurnUp


@pytest.mark.parametrize(
    ("law", "game", "mode", "said"), BROKEN_TABLES, ids=lambda one: getattr(one, "__name__", None)
)
def test_a_broken_law_of_tables_is_named(law: str, game: type[Any], mode: type[Any], said: str) -> None:
    with pytest.raises(AssertionError) as caught:
        check_table(registry_of(game(), mode()), game.id, mode.id, seats=2)
    found = str(caught.value)
    start = f"plugin {game.id!r} in mode {mode.id!r} breaks the law {law!r}: "
    assert found.startswith(start) and said in found.splitlines()[0], found


def test_every_law_of_tables_can_be_broken() -> None:
    by_plugins = {law for law, *_ in BROKEN_TABLES}
    # The others are the engine's alone; what holds them is tried below.
    assert by_plugins | {"points", "secrets"} == {*TABLE_LAWS, "answers"}


def play() -> TablePlay:
    there = TableSetting.of(HighCard(), Timed(), 2).open()
    there.take(there.draw(Random(1), waits=(1,), waiting=0, leaving=0, dropping=0))
    return there


def test_scores_that_do_not_add_up_are_found() -> None:
    there = play()
    assert list(TABLE_LAWS["points"](there, Random(1))) == []
    there.script.table = there.table.having(scores=(5, 0))
    (complaint,) = TABLE_LAWS["points"](there, Random(1))
    assert complaint == "the scores are (5, 0), and the rounds' points add up to (0, 0)"


def test_moves_of_seats_that_are_not_to_act_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    there = TableSetting.of(HighCard(), Timed(), 2).open()
    assert list(TABLE_LAWS["moves"](there, Random(1))) == []

    def lenient(decision: Any, seat: int, move: Any) -> Refusal | None:
        """As the engine's own, without asking whose turn it is."""
        state = decision.table.playable.state
        events = decision.table.game.decide(state, seat, move, decision.context())
        if not isinstance(events, Refusal):
            return decision.emit_all(events, decision.context().chance, 1)
        return events

    monkeypatch.setattr(decide, "play", lenient)
    tried = [complaint for seed in range(9) for complaint in TABLE_LAWS["moves"](there, Random(seed))]
    assert any(one.startswith("seat 1: ") and "is accepted" in one for one in tried), tried


def test_moves_are_tried_once_all_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    there = TableSetting.of(OneCard(), Short(), 1).open()
    for action in (Play(0, TurnUp()), NextRound(), Play(0, TurnUp())):
        assert there.take(action) is None
    assert there.over and list(TABLE_LAWS["moves"](there, Random(1))) == []
    asked: list[Any] = []
    refuse = decide.play

    def listening(decision: Any, seat: int, move: Any) -> Refusal | None:
        asked.append(move)
        return refuse(decision, seat, move)

    monkeypatch.setattr(decide, "play", listening)
    assert list(TABLE_LAWS["moves"](there, Random(1))) == [] and asked == [TurnUp()]


def test_orders_and_secrets_that_come_out_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = TableSetting.of(HighCard(), Timed(), 1).open()
    assert list(TABLE_LAWS["secrets"](opened, Random(1))) == []
    monkeypatch.setattr(projection, "seen_events", lambda events, viewer, open_rounds: list(events))
    complaints = list(TABLE_LAWS["secrets"](opened, Random(1)))
    assert any("the secret of the table is shown" in one for one in complaints), complaints
    assert any("are shown" in one for one in complaints), complaints


@pytest.mark.parametrize("seats", [1, 2, 3])
def test_tables_of_the_test_game_keep_the_laws(plugins: Registry, high: SimpleNamespace, seats: int) -> None:
    options = high.TimedOptions(rounds=6, seconds=600)
    check_table(
        plugins, "high-card", "timed", seats=seats, seeds=range(6), leaving=0.05, mode_options=options
    )
    check_table(plugins, "high-card", "classic", seats=seats)


def test_a_pile_that_goes_on_must_stay_hidden_between_rounds() -> None:
    # The default of hides suits games that shuffle for every round; this one does not.
    game = type("BrokenGame", (HighCard,), {"hides": lambda self, state: None})()
    with pytest.raises(AssertionError, match="all seeds are revealed, while"):
        check_table(registry_of(game, Timed()), "high-card", "timed", seats=2)


def test_what_happened_until_then_is_told() -> None:
    with pytest.raises(AssertionError) as caught:
        check_table(registry_of(OneCard(), Remembers()), "one-card", "short", seats=2)
    assert "\nwith 1 seat, any seed, after\n  1. seat 0: TurnUp()\n  2. the next round is dealt\n" in str(
        caught.value
    )


def test_cards_may_come_from_several_piles() -> None:
    def trails(self: Any, options: Any, seats: int) -> list[CardTrail]:
        return [CardTrail(Dealt, "card", ("deck", "discards"))]

    right = registry_of(type("Trailed", (HighCard,), {"trails": trails})(), Timed())
    check_table(right, "high-card", "timed", seats=2)

    def elsewhere(self: Any, options: Any, seats: int) -> list[CardTrail]:
        return [CardTrail(Dealt, "card", ("field",))]

    wrong = registry_of(type("Trailed", (HighCard,), {"trails": elsewhere})(), Timed())
    with pytest.raises(AssertionError, match="before any shuffle of field"):
        check_table(wrong, "high-card", "timed", seats=2)


def test_tables_are_opened_with_numbers_at_their_limits() -> None:
    for game, mode, said in (
        (OnlyTwo(), Short(), "NumberOptions(cards=1)"),
        (NotAtTheTop(), Short(), "NumberOptions(cards=5)"),
        (OneCard(), ManyFail(), "LongOptions(rounds=9)"),
    ):
        with pytest.raises(AssertionError) as caught:
            check_table(registry_of(game, mode), "one-card", "short")
        assert "breaks the law 'answers': " in str(caught.value) and said in str(caught.value)
    check_table(registry_of(NobodyBeginsRefused(), Short()), "one-card", "short")


def test_a_call_that_never_comes_back_ends_the_check_of_a_table() -> None:
    def decide(self: Any, state: Any, seat: int, move: Any, ctx: Any) -> Any:
        while True:
            pass

    endless = registry_of(type("Endless", (OneCard,), {"decide": decide})(), Short())
    with pytest.raises(AssertionError) as caught:
        check_table(endless, "one-card", "short", seats=1, call_seconds=3)
    found = str(caught.value)
    assert found.startswith("plugin 'one-card' in mode 'short' breaks the law 'answers': "), found
    assert "has not come back after 3 seconds, when seat 0 plays TurnUp()" in found.splitlines()[0], found
