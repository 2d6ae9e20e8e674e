"""The laws that every table keeps, each as a generator of complaints about a table as it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from random import Random
from typing import Any, Final

from fliptable import decide, projection
from fliptable.chance import Shuffled
from fliptable.events import RoundDealt, RoundOver, SeedRevealed, TableCreated
from fliptable.rules import MoveRange, Refusal, Viewer
from fliptable.shuffle import verify
from fliptable.snapshot import from_snapshot, to_snapshot
from fliptable.table import Round, Status, Table
from fliptable.terms import stored_terms
from fliptable.testing.actions import Play
from fliptable.testing.broken import about
from fliptable.testing.differences import apart, difference
from fliptable.testing.leaks import another_world, viewers
from fliptable.testing.literals import shown
from fliptable.testing.modeleaks import mode_leaks
from fliptable.testing.moves import random_move, strangers
from fliptable.testing.playout import Case, Playout
from fliptable.testing.storage import storable, storage_trouble
from fliptable.testing.tableplay import TablePlay
from fliptable.testing.telling import last_events_leak
from fliptable.testing.trails import trail_complaints

TableLaw = Callable[[TablePlay, Random], Iterator[str]]
_TRIED = 6
"""How many moves are tried in vain each time."""


def storage(play: TablePlay, random: Random) -> Iterator[str]:
    """What has just happened survives storage, and so do the run and what a round leaves."""
    script, table = play.script, play.table
    codec = play.setting.registry.codec
    for event in script.commits[-1].events:
        if codec.unpack(codec.pack(event)) != event:
            yield f"{shown(event)} does not survive storage"
    carry = ("carry", table.carry, table.game.Carry | None)
    for what, value, kind in (("run", table.run, table.mode.Run), carry):
        trouble = storage_trouble(value, kind)
        if trouble:
            yield f"the {what}: {trouble}"


def replay(play: TablePlay, random: Random) -> Iterator[str]:
    """The log alone gives the table, and so does its snapshot."""
    snapshot = to_snapshot(play.table).state
    folded = to_snapshot(play.script.refold()).state
    changed = difference(snapshot, folded, "table", "and by the events alone")
    if changed is not None:
        yield f"the log alone does not give the table that was reached: {changed}"
    again = from_snapshot(play.setting.registry, to_snapshot(play.table))
    if again is None or to_snapshot(again).state != snapshot:
        yield "the table does not survive a snapshot"


def turns(play: TablePlay, random: Random) -> Iterator[str]:
    """Nobody who has left is to act, and clocks run only for those who are to act."""
    script, table = play.script, play.table
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


def moves(play: TablePlay, random: Random) -> Iterator[str]:
    """What is not legal is refused, and changes nothing: other moves, other seats, and once all is over."""
    script, table = play.script, play.table
    before = to_snapshot(table)
    for action in _illegal(play, random):
        with about(action.seat, action.move):
            refusal = script.attempt(None, partial(decide.play, seat=action.seat, move=action.move))
        if not isinstance(refusal, Refusal):
            yield f"{action} is not among the legal moves, and is accepted"
            return
        if not refusal.message.strip():
            yield f"{action} is refused without a word: {refusal.code}"
    if to_snapshot(table) != before:
        yield "moves are refused, and change the table"


def _illegal(play: TablePlay, random: Random) -> list[Play]:
    table = play.table
    acting = projection.to_act(table)
    played = [action.move for action in play.actions if isinstance(action, Play)]
    legal = {seat: [one for one in play.legal_moves() if one.seat == seat] for seat in acting}
    found: list[Play] = []
    for seat in range(len(table.seats)):
        ranges = [MoveRange(one.move, one.fields) for one in legal.get(seat, ())]
        others: list[Any] = list(played)
        if seat in legal and table.playable is not None:
            # What the game allows and the mode does not, and what others may play.
            whole = table.game.legal_moves(table.playable.state, seat)
            others += [random_move(move, random) for move in whole]
        others += [one.move for other in acting if other != seat for one in legal[other]]
        tried = strangers(table.game.moves, ranges, others, (), random)
        found += [Play(seat, move) for move in tried]
    return random.sample(found, min(_TRIED, len(found)))


def points(play: TablePlay, random: Random) -> Iterator[str]:
    """The points of the rounds add up to the scores."""
    script = play.script
    outcomes = [event.outcome for event in script.events if isinstance(event, RoundOver)]
    sums = tuple(
        [sum(outcome.seats[seat].points for outcome in outcomes) for seat in range(len(script.table.seats))]
    )
    if sums != script.table.scores:
        yield f"the scores are {script.table.scores}, and the rounds' points add up to {sums}"


def seeds(play: TablePlay, random: Random) -> Iterator[str]:
    """Revealed seeds are those that were committed to; none comes out while it can tell anybody a thing."""
    script, table = play.script, play.table
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


def secrets(play: TablePlay, random: Random) -> Iterator[str]:
    """Nobody is shown an order or the table's secret, and seeds by their own event alone."""
    for event in projection.seen_events(play.script.commits[-1].events, frozenset(), frozenset()):
        if isinstance(event, Shuffled) and (event.order or set(event.cards) - {"?"}):
            yield f"the cards of {event} are shown"
        if isinstance(event, TableCreated) and event.secret:
            yield "the secret of the table is shown"
        if isinstance(event, SeedRevealed) and len(event.seed) != 64:
            yield f"{event} is no seed"


def trails(play: TablePlay, random: Random) -> Iterator[str]:
    """Events turn up the cards of the shuffles that ``trails`` names."""
    table = play.table
    yield from trail_complaints(table.game.trails(table.game_options, len(table.seats)), play.script.events)


def deal_leaks_nothing(play: TablePlay, random: Random) -> Iterator[str]:
    """The deal that has just happened tells nobody what they cannot know, as far as it is of a first round.

    What comes of moves the laws of the game say.
    """
    table = play.table
    for event in play.script.commits[-1].events:
        if isinstance(event, RoundDealt):
            terms = stored_terms(table.game, event.terms, table.game.version)
            case = Case(table.game, len(table.seats), play.setting.seed, table.game_options, terms)
            yield from last_events_leak(Playout(case), random)


def nothing_leaks(play: TablePlay, random: Random) -> Iterator[str]:
    """What a viewer cannot know makes no difference to anything that the viewer gets."""
    table = play.table
    for viewer in viewers(len(table.seats), random):
        seen = everything_seen(table, viewer)
        for _ in range(2):
            other = table.having(
                round=_other_round(table, table.round, viewer, random),
                staged=_other_round(table, table.staged, viewer, random),
            )
            for name, value in everything_seen(other, viewer).items():
                if value != seen[name]:
                    who = f"who sees for {sorted(viewer)}" if viewer else "a spectator"
                    told = apart(seen[name], value, name)
                    yield f"{who} can tell hidden things apart: {told}"
                    return
    yield from mode_leaks(play, random)


def _other_round(table: Table, round: Round | None, viewer: Viewer, random: Random) -> Round | None:
    if round is None:
        return None
    return Round(round.number, another_world(table.game, round.state, viewer, random), round.outcome)


def everything_seen(table: Table, viewer: Viewer) -> dict[str, Any]:
    """All that leaves the table for a viewer as it stands, by name."""
    return {
        "round": None if table.round is None else projection.view_round(table, table.round, viewer),
        "run": projection.view_run(table, viewer),
        "legal moves": projection.legal_moves(table, viewer),
        "to act": projection.to_act(table),
        "what is asked next": projection.prompt(table),
        "next round": projection.may_ask_next_round(table, viewer, False),
        "deadline": table.deadline(),
        "turns": table.turn_ends(),
        "scores": table.scores,
        "outcome": None if table.round is None else table.round.outcome,
    }


TABLE_LAWS: Final[Mapping[str, TableLaw]] = {
    "storage": storage,
    "replay": replay,
    "turns": turns,
    "moves": moves,
    "points": points,
    "seeds": seeds,
    "secrets": secrets,
    "trails": trails,
    "nothing leaks": nothing_leaks,
    "events leak nothing": deal_leaks_nothing,
}
"""Every law by name."""
