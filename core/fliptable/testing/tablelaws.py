"""Random tables: what a whole table keeps to, whatever is played at it, found out by playing."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from random import Random
from typing import Any

from fliptable import decide, projection
from fliptable.challenges import Challenge
from fliptable.chance import Shuffled
from fliptable.events import RoundOver, SeedRevealed, TableCreated
from fliptable.house import HouseRules
from fliptable.plugins import Registry
from fliptable.rules import Viewer
from fliptable.shuffle import verify
from fliptable.snapshot import from_snapshot, to_snapshot
from fliptable.table import Round, Status, Table
from fliptable.testing.leaks import another_world, viewers
from fliptable.testing.playout import random_move
from fliptable.testing.storage import storable, storage_trouble
from fliptable.testing.tables import TableScript
from fliptable.testing.trails import trail_complaints

_PLAYERS = ("Ann", "Bob", "Cid", "Dot", "Eve", "Fay")


def check_table(
    registry: Registry,
    game: str,
    mode: str,
    *,
    seats: int | None = None,
    seeds: Collection[int] = range(2),
    steps: int = 120,
    game_options: Any = None,
    mode_options: Any = None,
    challenge: Challenge | None = None,
    leaving: float = 0.01,
    dropping: float = 0.04,
) -> None:
    """Play random tables of a game under a mode, and hold the laws of a table against every version.

    ``leaving`` and ``dropping`` are how likely it is in a step that a player leaves for good, and that
    a player's connection goes. Some tables have a time limit for turns.

    Errors: AssertionError names the plugins, what is wrong, and what was done until then.
    """
    part = registry.game(game)
    count = min(registry.mode(mode).seats(part)) if seats is None else seats
    for seed in seeds:
        random = Random(f"{game} {mode} {count} {seed}")
        # Seats beyond the players that there are names for are local ones, and now and then others.
        players = min(count, len(_PLAYERS))
        if seed % 2:
            players = random.randint(1, players)
        script = TableScript(
            registry,
            game,
            mode,
            players=_PLAYERS[:players],
            local_seats=[f"Local {number}" for number in range(1, count - players + 1)],
            game_options=game_options,
            mode_options=mode_options,
            challenge=challenge,
            secret=random.randbytes(32),
            shared_secret=random.randbytes(32),
            house=HouseRules(turn_seconds=random.choice([None, 25]), wait_seconds=60),
        )
        done = ["the table is opened"]
        while True:
            for complaint in table_complaints(registry, script, random):
                history = "\n".join(f"  {number}. {action}" for number, action in enumerate(done, start=1))
                raise AssertionError(
                    f"{game!r} under {mode!r} with {count} seats, seed {seed}: {complaint}\n{history}"
                )
            if script.table.status is Status.OVER or len(done) > steps:
                break
            done.append(_step(script, random, leaving, dropping))


def _step(script: TableScript, random: Random, leaving: float, dropping: float) -> str:
    """Let something happen at the table; says what."""
    script.clock.advance(random.choice([0.001, 1, 10]))
    if script.tick():
        return "a deadline comes"
    table = script.table
    players = [place.player for place in table.seats if place.player is not None]
    there = [place.player for place in table.seats if place.player is not None and place.connected]
    gone = [player for player in players if player not in there]
    if len(players) > 1 and random.random() < leaving:
        player = random.choice(players)
        script.leave(player)
        return f"{player} leaves"
    if there and len(table.seats) > 1 and random.random() < dropping:
        player = random.choice(there)
        script.disconnect(player)
        return f"the connection of {player} goes"
    if gone and (table.status is Status.PAUSED or random.random() < 3 * dropping):
        player = random.choice(gone)
        script.reconnect(player)
        return f"{player} is there again"
    if table.playable is None:
        script.next_round()
        return "the next round is dealt"
    seats = projection.to_act(table)
    assert seats, "the table goes on, and nobody is to act"
    seat = random.choice(seats)
    moves = table.game.legal_moves(table.playable.state, seat)
    move = random_move(random.choice(list(moves)), random)
    refusal = script.attempt(None, lambda decision: decide.play(decision, seat, move))
    if refusal is not None:
        # A mode may have its own idea of what is allowed, but time has to get one past it.
        script.clock.advance(1)
        return f"seat {seat} plays {move}, refused: {refusal.message}"
    return f"seat {seat} plays {move}"


def table_complaints(registry: Registry, script: TableScript, random: Random) -> Iterator[str]:
    """What is wrong with a table as it stands."""
    table = script.table
    yield from _persistence(registry, script)
    yield from _turns(script)
    yield from _scores(script)
    yield from _seeds(script, random)
    yield from _secrets(script)
    yield from trail_complaints(table.game.trails(table.game_options, len(table.seats)), script.events)
    for viewer in viewers(len(table.seats)):
        yield from _leaks(script, viewer, random)


def _persistence(registry: Registry, script: TableScript) -> Iterator[str]:
    """The log alone gives the table, its snapshot gives it too, and the last commit survives storage."""
    table = script.table
    last = script.commits[-1]
    for event in last.events:
        if registry.codec.unpack(registry.codec.pack(event)) != event:
            yield f"{event} does not survive storage"
    for what, value, kind in (("run", table.run, table.mode.Run), ("carry", table.carry, table.game.Carry)):
        trouble = storage_trouble(value, kind)
        if trouble:
            yield f"the {what} does not survive storage: {trouble}"
    snapshot = to_snapshot(table)
    if to_snapshot(script.refold()) != snapshot:
        yield "the fold over the log is not the table that was reached"
    again = from_snapshot(registry, snapshot)
    if again is None or to_snapshot(again) != snapshot:
        yield "the table does not survive a snapshot"


def _turns(script: TableScript) -> Iterator[str]:
    """Nobody who has left is to act, and clocks run only for those who are to act."""
    table = script.table
    acting = projection.to_act(table)
    empty = [seat for seat in acting if not table.seats[seat].held]
    if empty:
        yield f"nobody sits at {empty}, and they are to act"
    if table.status is Status.PLAYING and table.playable is not None and not acting:
        yield "the round runs, and nobody is to act"
    if table.opening.house.turn_seconds is not None:
        running = [seat for seat, _ in table.turn_ends()]
        if not set(running) <= set(acting):
            yield f"the clocks of {running} run, and {acting} are to act"
        due = table.deadline()
        if due is not None and due <= script.clock.now:
            yield f"something was due at {due}, and did not happen"


def _scores(script: TableScript) -> Iterator[str]:
    outcomes = [event.outcome for event in script.events if isinstance(event, RoundOver)]
    sums = tuple(
        [sum(outcome.seats[seat].points for outcome in outcomes) for seat in range(len(script.table.seats))]
    )
    if sums != script.table.scores:
        yield f"the scores are {script.table.scores}, and the rounds' points add up to {sums}"


def _seeds(script: TableScript, random: Random) -> Iterator[str]:
    """Revealed seeds are those that were committed to; none comes out while it can tell anybody a thing."""
    table = script.table
    orders = {event.shuffle: event for event in script.events if isinstance(event, Shuffled)}
    for one in table.shuffles:
        if one.seed is None:
            if table.status is Status.OVER and not one.shared:
                yield f"the table is over, and the seed of shuffle {one.number} is not revealed"
            continue
        wrong = verify(bytes.fromhex(one.seed), one.commitment, one.cards, orders[one.number].order)
        if wrong:
            yield f"shuffle {one.number}: {wrong}"
    if any(one.seed is None for one in table.shuffles) or not table.shuffles:
        return
    current = table.playable
    if table.status is not Status.OVER and current is not None:
        for _ in range(3):
            other = another_world(table.game, current.state, frozenset(), random)
            if storable(other) != storable(current.state):
                yield "all seeds are revealed, while something of the round is still hidden"
                return


def _secrets(script: TableScript) -> Iterator[str]:
    """Nobody is shown an order or the table's secret, and seeds by their own event alone."""
    for event in projection.seen_events(script.commits[-1].events, frozenset(), frozenset()):
        if isinstance(event, Shuffled) and (event.order or set(event.cards) - {"?"}):
            yield f"the cards of {event} are shown"
        if isinstance(event, TableCreated) and event.secret:
            yield "the secret of the table is shown"
        if isinstance(event, SeedRevealed) and len(event.seed) != 64:
            yield f"{event} is no seed"


def _leaks(script: TableScript, viewer: Viewer, random: Random) -> Iterator[str]:
    """What the viewer cannot know makes no difference to anything that the viewer gets."""
    table = script.table
    seen = everything_seen(script, table, viewer)
    for _ in range(2):
        other = table.having(
            round=_other_round(table, table.round, viewer, random),
            staged=_other_round(table, table.staged, viewer, random),
        )
        for name, value in everything_seen(script, other, viewer).items():
            if value != seen[name]:
                who = f"who sees for {sorted(viewer)}" if viewer else "a spectator"
                yield f"{who} can tell hidden things apart: {name} is {seen[name]} or {value}"
                return


def _other_round(table: Table, round: Round | None, viewer: Viewer, random: Random) -> Round | None:
    if round is None:
        return None
    return Round(round.number, another_world(table.game, round.state, viewer, random), round.outcome)


def everything_seen(script: TableScript, table: Table, viewer: Viewer) -> dict[str, Any]:
    """All that leaves the table for a viewer, by name."""
    return {
        "events": projection.seen_events(script.events, viewer, table.open_rounds()),
        "round": None if table.round is None else projection.view_round(table, table.round, viewer),
        "run": projection.view_run(table, viewer),
        "legal moves": projection.legal_moves(table, viewer),
        "to act": projection.to_act(table),
        "next round": projection.may_ask_next_round(table, viewer, False),
        "deadline": table.deadline(),
        "turns": table.turn_ends(),
        "scores": table.scores,
        "outcome": None if table.round is None else table.round.outcome,
    }


__all__ = ["check_table", "everything_seen", "table_complaints"]
