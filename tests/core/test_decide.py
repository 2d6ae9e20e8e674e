"""What may happen at a table, and what each request leads to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from fliptable import Private, Refusal, Result, Shuffled, decide, hookimpl, lobby
from fliptable.decide import BrokenPlugin, Decision
from fliptable.events import (
    HostChanged,
    RoundBegan,
    RoundDealt,
    RoundOver,
    SeatLeft,
    SeatTaken,
    SeedRevealed,
    TableCreated,
    TableOver,
    TableStarted,
    Visibility,
)
from fliptable.opening import Opening, open_table
from fliptable.plugins import Registry
from fliptable.projection import legal_moves, may_ask_next_round, seen_events, to_act
from fliptable.shuffle import commitment, derive_seed, shuffle
from fliptable.snapshot import to_snapshot
from fliptable.table import Status
from fliptable.testing import START, TableScript, stacked
from fliptable_games.call_it.vocabulary import Busted, Call, Called, CallItOptions, Flip, Flipped

SECRET = bytes(range(32))


def kinds(events: Sequence[Any]) -> list[type]:
    return [type(event) for event in events]


@pytest.fixture
def high_table(plugins: Registry, high: SimpleNamespace) -> Any:
    def make(*cards: str, **arguments: Any) -> TableScript:
        chance = stacked(*cards) if cards else None
        arguments.setdefault("players", ("Ann", "Bob"))
        mode = arguments.pop("mode", "timed")
        return TableScript(plugins, "high-card", mode, chance=chance, secret=SECRET, **arguments)

    return make


def solo(registry: Registry, *cards: str, mode: str = "classic") -> TableScript:
    return TableScript(registry, "call-it", mode, chance=stacked(*cards) if cards else None, secret=SECRET)


# Opening


def test_a_solo_table_starts_by_itself(registry: Registry) -> None:
    table = solo(registry)
    assert len(table.commits) == 1
    assert kinds(table.events) == [TableCreated, SeatTaken, TableStarted, RoundDealt, RoundBegan, Shuffled]
    assert table.table.status is Status.PLAYING and table.table.version == 1
    assert to_act(table.table) == [0]


def test_a_table_with_free_seats_waits(high_table: Any) -> None:
    table = high_table(players=("Ann",), seats=3)
    assert kinds(table.events) == [TableCreated, SeatTaken]
    assert table.table.status is Status.OPEN and to_act(table.table) == []
    assert legal_moves(table.table, frozenset({0, 1, 2})) == []


def test_local_seats_come_last_and_need_no_account(high_table: Any) -> None:
    table = high_table(players=("Ann",), local_seats=("Uncle", "Aunt"))
    assert table.table.names == ("Ann", "Uncle", "Aunt")
    assert table.table.status is Status.PLAYING
    assert table.viewer("ann") == {0, 1, 2} and table.table.seat_of("ann") == 0


def test_a_host_of_local_seats_alone_has_no_seat(high_table: Any, plugins: Registry) -> None:
    opening = Opening(
        id="tbl_local",
        code="LOCAL2",
        secret=SECRET,
        game="high-card",
        mode="timed",
        game_options=plugins.game("high-card").Options(),
        mode_options=plugins.mode("timed").Options(),
        seats=2,
        local_seats=("Uncle", "Aunt"),
        visibility=Visibility.UNLISTED,
        host="ann",
        host_name="Ann",
    )
    table = open_table(plugins, opening, START, b"").table
    assert table.seat_of("ann") is None
    assert table.viewer("ann") == {0, 1}
    assert table.viewer("bob") == table.viewer(None) == frozenset()


def test_what_it_was_opened_with_is_stored(high_table: Any, high: SimpleNamespace) -> None:
    table = high_table(game_options=high.HighOptions(double=True), mode_options=high.TimedOptions(rounds=7))
    created = table.events[0]
    assert created.game_options == {"double": True, "least": 0}
    assert created.mode_options == {"rounds": 7, "seconds": 60, "swaps": True, "deck": ""}
    assert (created.game_version, created.mode_version) == ("1.0", "1.0")
    assert table.refold().game_options == high.HighOptions(double=True)
    assert repr(created).count("secret") == 0


# Sitting down and starting


def test_players_sit_down_clockwise_and_the_host_starts(high_table: Any) -> None:
    table = high_table(players=("Ann",), seats=3)
    table.join("Bob")
    table.join("Cid")
    assert table.table.names == ("Ann", "Bob", "Cid")
    assert table.refused(lambda d: lobby.join(d, "dot", "Dot")).code == "TABLE_FULL"
    assert table.refused(lambda d: lobby.start(d, "bob")).code == "NOT_HOST"
    table.start()
    assert table.refused(lambda d: lobby.start(d, "ann")).code == "TABLE_STARTED"
    assert table.refused(lambda d: lobby.join(d, "dot", "Dot")).code == "TABLE_STARTED"


def test_sitting_down_twice_changes_nothing(high_table: Any) -> None:
    table = high_table(players=("Ann",), seats=2)
    before = len(table.commits)
    table.join("Ann")
    assert len(table.commits) == before
    table.join("Bob")
    table.start()
    table.join("Bob")
    assert len(table.commits) == before + 2


def test_nothing_is_played_before_the_start(high_table: Any, high: SimpleNamespace) -> None:
    table = high_table(players=("Ann",), seats=2)
    assert table.refused_move(0, high.Keep()).code == "NOT_STARTED"
    assert table.refused(lambda d: decide.next_round(d, "ann")).code == "NOT_STARTED"


# Moves


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


# The next round


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


# Leaving


def test_a_seat_is_free_again_before_the_start(high_table: Any) -> None:
    table = high_table(players=("Ann",), seats=2)
    table.join("Bob")
    table.leave("bob")
    assert not table.table.seats[1].held
    table.join("Cid")
    assert table.table.names == ("Ann", "Cid")


def test_who_has_no_seat_cannot_leave(high_table: Any) -> None:
    assert high_table().refused(lambda d: lobby.leave(d, "eve")).code == "NOT_SEATED"


@pytest.mark.parametrize(("leaves", "heir"), [("ann", 1), ("cid", 0)])
def test_the_host_role_goes_clockwise(high_table: Any, leaves: str, heir: int) -> None:
    table = high_table(players=("Ann", "Bob", "Cid"))
    if leaves == "cid":
        table.leave("ann")
        table.leave("bob")
        assert table.table.host == "cid"
        return
    table.leave(leaves)
    assert table.events[-1] == HostChanged(heir, "bob")
    assert table.table.host == "bob"


def test_the_host_role_goes_round_to_the_first_seat(high_table: Any) -> None:
    table = high_table(players=("Ann", "Bob", "Cid"))
    table.leave("ann")
    assert table.table.host == "bob"
    table.leave("bob")
    assert table.table.host == "cid"


def test_local_seats_leave_with_their_host(high_table: Any, high: SimpleNamespace) -> None:
    table = high_table(players=("Ann", "Bob"), local_seats=("Uncle",))
    table.leave("ann")
    assert [event.seat for event in table.events if isinstance(event, SeatLeft)] == [0, 2]
    assert table.viewer("bob") == {1} and table.table.host == "bob"
    assert to_act(table.table) == [1]


def test_the_round_goes_on_without_who_left(high_table: Any, high: SimpleNamespace) -> None:
    table = high_table("9 3 4", players=("Ann", "Bob", "Cid"))
    table.leave("ann")
    assert to_act(table.table) == [1]
    table.play(1, high.Keep())
    table.play(2, high.Keep())
    assert table.table.scores == (0, 0, 4)
    # Nobody moves for the empty seat in later rounds either, and its name stays for the log.
    table.next_round()
    assert to_act(table.table) == [1]
    assert table.table.names[0] == "Ann"


def test_the_last_one_to_leave_abandons_the_table(high_table: Any) -> None:
    table = high_table()
    table.leave("bob")
    assert table.table.status is Status.PLAYING
    table.leave("ann")
    assert table.table.status is Status.OVER and table.table.over_reason == "ABANDONED"
    assert all(one.seed is not None for one in table.table.shuffles)
    assert table.table.deadline() is None


def test_what_the_mode_says_of_a_round_that_the_last_one_left_does_not_count(high_table: Any) -> None:
    table = high_table(mode="classic")
    table.leave("bob")
    assert table.table.status is Status.PLAYING
    table.leave("ann")
    assert table.table.over_reason == "ABANDONED"


def test_a_round_that_ends_since_one_of_several_left_is_over_as_the_mode_says(registry: Registry) -> None:
    script = TableScript(registry, game="flip", players=["Ann", "Bob"])
    script.leave("bob")
    assert script.table.over_reason == "PLAYED"


def test_an_open_table_is_abandoned_too(high_table: Any) -> None:
    table = high_table(players=("Ann",), seats=2)
    table.leave("ann")
    assert table.table.status is Status.OVER and table.events[-1] == TableOver("ABANDONED")


def test_call_it_c3_leaving_a_solo_round_is_a_bust(registry: Registry) -> None:
    table = solo(registry, mode="streak")
    table.play(0, Call(30))
    table.leave("ann")
    assert next(event for event in table.events if isinstance(event, Busted)).reason.value == "ABANDONED"
    assert table.table.status is Status.OVER


def test_who_leaves_while_a_round_waits_is_out_of_it(plugins: Registry, high: SimpleNamespace) -> None:
    # The caller of the round that was dealt ahead leaves: the next seat calls instead of nobody.
    table = TableScript(
        plugins,
        "call-it",
        "timed",
        players=("Ann", "Bob", "Cid"),
        secret=SECRET,
        chance=stacked("10H 10D 10C"),
    )
    table.play(0, Call(30), Flip(), Flip(), Flip())
    assert table.table.staged is not None and to_act(table.table) == [0]
    table.leave("ann")
    assert to_act(table.table) == [1]
    table.play(1, Call(40))
    assert to_act(table.table) == [1, 2]


# Deadlines


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


# Chance


def test_the_commitment_comes_before_and_the_seed_after(registry: Registry) -> None:
    table = TableScript(registry, "call-it", secret=SECRET)
    announced = table.events[-1]
    assert isinstance(announced, Shuffled)
    seed = derive_seed(SECRET, "shuffle/1")
    assert announced.label == "shuffle/1" and announced.commitment == commitment(seed)
    assert announced.order == shuffle(seed, announced.cards)
    table.play(0, Call(379))
    while table.table.status is not Status.OVER:
        assert table.table.shuffles[0].seed is None
        table.play(0, Flip())
    assert table.table.shuffles[0].seed == seed.hex()
    flipped = [event.card.value for event in table.events if isinstance(event, Flipped)]
    assert tuple(flipped) == announced.order[: len(flipped)]


def test_a_pile_that_goes_on_keeps_its_seed_between_rounds(high_table: Any, high: SimpleNamespace) -> None:
    table = high_table(mode_options=high.TimedOptions(rounds=9))
    table.play(0, high.Keep())
    table.play(1, high.Keep())
    assert table.table.shuffles[0].seed is None
    table.next_round()
    for _ in range(5):
        table.play(0, high.Swap())
    assert len(table.table.shuffles) == 1
    table.play(0, high.Swap())
    # The discarded cards were shuffled in the middle of the round: the first order is all seen.
    first, second = table.table.shuffles
    assert (first.name, second.name) == ("deck", "discards")
    assert first.seed is not None and second.seed is None
    assert (first.round, second.round) == (1, 2)


def test_every_seed_is_out_when_the_table_is_over(high_table: Any, high: SimpleNamespace) -> None:
    table = high_table(mode_options=high.TimedOptions(rounds=1))
    table.play(0, high.Keep())
    table.play(1, high.Keep())
    (only,) = table.table.shuffles
    assert only.seed == derive_seed(SECRET, "shuffle/1").hex()


def test_a_shared_deck_comes_from_the_servers_secret_and_stays_closed(
    high_table: Any, high: SimpleNamespace
) -> None:
    options = high.TimedOptions(rounds=1, deck="test/2026-01-01")
    one, other = [high_table(mode_options=options, shared_secret=bytes([secret]) * 32) for secret in (7, 8)]
    twin = high_table(mode_options=options, shared_secret=bytes([7]) * 32, players=("Cid", "Dot"))
    assert one.table.shuffles[0].label == "shared:test/2026-01-01/1"
    assert one.table.shuffles[0].commitment == twin.table.shuffles[0].commitment
    assert one.table.round.state == twin.table.round.state
    assert one.table.shuffles[0].commitment != other.table.shuffles[0].commitment
    one.play(0, high.Keep())
    one.play(1, high.Keep())
    assert one.table.status is Status.OVER
    assert one.table.shuffles[0].seed is None and one.table.open_rounds() == frozenset()


def test_a_shuffle_that_is_not_announced_harms_nothing(high: SimpleNamespace) -> None:
    class Sly(high.HighCard):  # type: ignore[misc]
        def decide(self, state: Any, seat: int, move: Any, ctx: Any) -> Any:
            ctx.chance.shuffle(["1", "2"])
            return super().decide(state, seat, move, ctx)

    registry = Registry()

    class Brings(high.Plugin):  # type: ignore[misc]
        @hookimpl
        def fliptable_games(self) -> list[Any]:
            return [Sly()]

    registry.register(Brings(), "sly")
    table = TableScript(registry, "high-card", "timed", players=("Ann", "Bob"))
    before = to_snapshot(table.table)
    with pytest.raises(BrokenPlugin, match="high-card shuffled without the Shuffled event"):
        table.play(0, high.Keep())
    assert to_snapshot(table.table) == before


# What is seen


def test_private_events_open_with_the_seeds_of_their_round(high_table: Any, high: SimpleNamespace) -> None:
    table = high_table("3 9", mode_options=high.TimedOptions(rounds=1))

    def dealt(*seats: int) -> list[Any]:
        seen = seen_events(table.events, frozenset(seats), table.table.open_rounds())
        return [event for event in seen if isinstance(event, high.Dealt | high.DealtUnseen)]

    both = [high.Dealt(0, "3"), high.Dealt(1, "9")]
    assert dealt(0) == [both[0], high.DealtUnseen(1)]
    assert dealt(1) == [high.DealtUnseen(0), both[1]]
    assert dealt() == [high.DealtUnseen(0), high.DealtUnseen(1)]
    assert dealt(0, 1) == both
    table.play(0, high.Keep())
    table.play(1, high.Keep())
    assert dealt() == both


def test_a_private_event_may_have_nothing_for_others(high: SimpleNamespace) -> None:
    whisper = Private(high.Dealt(0, "3"), frozenset({0}))
    assert whisper.seat == 0
    assert seen_events([whisper], frozenset({1}), frozenset()) == []


def test_nobody_is_shown_an_order_or_the_secret(high_table: Any) -> None:
    table = high_table()
    for viewer in (frozenset(), frozenset({0, 1})):
        seen = seen_events(table.events, viewer, frozenset({1}))
        shuffled = next(event for event in seen if isinstance(event, Shuffled))
        assert shuffled.order == () and set(shuffled.cards) == {"?"} and shuffled.size == 9
        assert shuffled.text(table.table.names) == "Shuffle 1: deck, 9 in all."
        assert next(event for event in seen if isinstance(event, TableCreated)).secret == b""


# The fold


def test_the_log_alone_gives_the_table(high_table: Any, high: SimpleNamespace, plugins: Registry) -> None:
    table = high_table(players=("Ann", "Bob", "Cid"), mode_options=high.TimedOptions(rounds=3))
    table.play(0, high.Swap(), high.Keep(3))
    table.leave("ann")
    table.play(1, high.Keep())
    table.play(2, high.Swap(), high.Keep())
    table.next_round()
    folded = table.refold()
    assert to_snapshot(folded) == to_snapshot(table.table)
    assert (folded.version, folded.updated_at) == (table.table.version, table.commits[-1].at)
    assert folded.created_at == table.commits[0].at


def test_an_event_leaves_the_table_before_it_as_it_was(high_table: Any, high: SimpleNamespace) -> None:
    table = high_table()
    before = table.table
    document = to_snapshot(before)
    table.play(0, high.Keep())
    table.leave("ann")
    assert to_snapshot(before) == document


def test_seats_and_options_decide_nothing_twice(registry: Registry) -> None:
    race = TableScript(
        registry,
        "call-it",
        players=("Ann", "Bob"),
        game_options=CallItOptions(shared_deck=True),
        chance=stacked("10H 10D 10C"),
    )
    race.play(0, Call(30))
    assert kinds(race.commits[-1].events) == [Called]
    decision = Decision(race.table, race.clock())
    assert decide.play(decision, 0, Flip()) is None
    again = Decision(race.table, race.clock())
    assert decide.play(again, 0, Flip()) is None
    assert again.events == decision.events
    assert replace(decision.events[0]) == decision.events[0]
