"""What a table hides and reveals: shuffles, their seeds, and private events."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from decidekit import SECRET

from fliptable import Private, Shuffled, hookimpl
from fliptable.decide import BrokenPlugin
from fliptable.events import (
    TableCreated,
)
from fliptable.plugins import Registry
from fliptable.projection import seen_events
from fliptable.shuffle import commitment, derive_seed, shuffle
from fliptable.snapshot import to_snapshot
from fliptable.table import Status
from fliptable.testing import TableScript
from fliptable_games.call_it.vocabulary import Call, Flip, Flipped


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
