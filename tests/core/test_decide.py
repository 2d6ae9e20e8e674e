"""What happens at a table: moves, the next round and deadlines become events, or refusals."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace
from typing import Any

from decidekit import kinds, solo

from fliptable import Refusal, Result, decide, lobby
from fliptable.events import (
    RoundBegan,
    RoundDealt,
    RoundOver,
    SeedRevealed,
    TableOver,
)
from fliptable.plugins import Registry
from fliptable.projection import legal_moves, may_ask_next_round, to_act
from fliptable.snapshot import to_snapshot
from fliptable.table import Status
from fliptable.testing import START
from fliptable_games.call_it.vocabulary import Call, Flip


def test_who_is_to_act_is_named(high_table: Any, high: SimpleNamespace) -> None:
    refusal = high_table().refused_move(1, high.Keep())
    assert refusal == Refusal("NOT_YOUR_TURN", "It is the turn of Ann.")


def test_a_refusal_of_the_game_comes_back_as_it_is(high_table: Any, high: SimpleNamespace) -> None:
    table = high_table()
    before = to_snapshot(table.table)
    assert table.refused_move(0, high.Keep(10)).field == "bonus"
    assert to_snapshot(table.table) == before


def test_the_mode_may_refuse_what_the_game_allows(high_table: Any, high: SimpleNamespace) -> None:
    table = high_table("3 4 5", mode_options=high.TimedOptions(swaps=False))
    assert table.refused_move(0, high.Swap()).code == "NO_SWAPS"
    table.play(0, high.Keep())
    assert table.table.run.moves == 1


def test_the_mode_sets_terms_and_wishes_for_others_are_left_out(
    high_table: Any, high: SimpleNamespace, plugins: Registry
) -> None:
    table = high_table()
    assert table.table.round.state.terms == high.HighTerms(high.Style.BOLD, (1, 2))
    dealt = next(event for event in table.events if isinstance(event, RoundDealt))
    # Terms are stored, so they are plain values from the start.
    assert dealt.terms == {"style": "BOLD", "sizes": (1, 2), "what_no_game_has": 1}
    assert plugins.codec.unpack(plugins.codec.pack(dealt)) == dealt
    assert table.refold().round == table.table.round


def test_a_round_ends_with_its_last_move_and_counts(high_table: Any, high: SimpleNamespace) -> None:
    table = high_table("3 9")
    table.play(0, high.Keep())
    table.play(1, high.Keep())
    over = next(event for event in table.events if isinstance(event, RoundOver))
    assert [one.points for one in over.outcome.seats] == [0, 9]
    assert [one.result for one in over.outcome.seats] == [Result.SCORED] * 2
    assert over.text(table.table.names) == "Round 1 is over: Ann scores 0, Bob scores 9."
    assert table.table.scores == (0, 9)
    assert table.refused_move(0, high.Keep()).code == "ROUND_OVER"


def test_the_next_round_is_dealt_when_somebody_seated_asks(high_table: Any, high: SimpleNamespace) -> None:
    table = high_table("3 9 5 6")
    assert table.refused(lambda d: decide.next_round(d, "ann")).code == "ROUND_RUNNING"
    assert not may_ask_next_round(table.table, table.viewer("bob"), False)
    table.play(0, high.Keep())
    table.play(1, high.Keep())
    assert may_ask_next_round(table.table, table.viewer("bob"), False)
    assert not may_ask_next_round(table.table, frozenset(), False)
    assert table.refused(lambda d: decide.next_round(d, "eve")).code == "NOT_SEATED"
    table.next_round("bob")
    assert table.table.round.number == 2
    # The pile goes on where it was: what is left over arrives.
    assert table.table.round.state.hands == ("5", "6")
    assert table.table.shuffles[-1].number == 1


def test_the_session_is_over_when_the_mode_says_so(high_table: Any, high: SimpleNamespace) -> None:
    table = high_table(mode="classic")
    table.play(0, high.Keep())
    table.play(1, high.Keep())
    assert table.table.status is Status.OVER and table.table.over_reason == "PLAYED"
    for refusal in (
        table.refused_move(0, high.Keep()),
        table.refused(lambda d: decide.next_round(d, "ann")),
        table.refused(lambda d: lobby.leave(d, "ann")),
    ):
        assert refusal.code == "TABLE_OVER"
    assert to_act(table.table) == [] and legal_moves(table.table, frozenset({0, 1})) == []


def test_a_round_that_is_dealt_ahead_begins_with_its_first_move(registry: Registry) -> None:
    table = solo(registry, "10H 10D 10C", "9H 9D 9C", mode="streak")
    table.play(0, Call(30), Flip(), Flip(), Flip())
    current, staged = table.table.round, table.table.staged
    assert current is not None and staged is not None
    # The finished round stays on view, and the next one waits for its call.
    assert (current.number, staged.number) == (1, 2)
    assert current.outcome is not None and current.outcome.winners == [0]
    assert table.table.playable is staged
    dealt = [event for event in table.events if isinstance(event, RoundDealt)]
    assert [(event.number, event.ahead) for event in dealt] == [(1, False), (2, True)]
    table.play(0, Call(31))
    assert kinds(table.commits[-1].events)[:1] == [RoundBegan]
    assert table.table.round is not None and table.table.round.number == 2 and table.table.staged is None
    assert table.refused(lambda d: decide.next_round(d, "ann")).code == "ROUND_RUNNING"


def test_a_refused_first_move_does_not_begin_the_round(registry: Registry) -> None:
    table = solo(registry, "10H 10D 10C", mode="streak")
    table.play(0, Call(30), Flip(), Flip(), Flip())
    assert table.refused_move(0, Call(29)).field == "target"
    assert table.table.staged is not None


def test_a_deadline_happens_at_its_own_time(high_table: Any, high: SimpleNamespace) -> None:
    table = high_table()
    table.clock.advance(59.999)
    assert not table.tick() and len(table.commits) == 3
    table.clock.advance(600)
    assert table.tick()
    assert table.commits[-1].at == START + timedelta(seconds=60)
    assert kinds(table.commits[-1].events) == [high.TimeUp, TableOver, SeedRevealed]
    assert table.table.over_reason == "TIME_UP"
    # The unfinished round does not count.
    assert table.table.round.outcome is None and table.table.scores == (0, 0)
    assert not table.tick()


def test_no_deadline_before_the_start(high_table: Any) -> None:
    table = high_table(players=("Ann",), seats=2)
    assert table.table.deadline() is None
    table.clock.advance(1000)
    assert not table.tick()
