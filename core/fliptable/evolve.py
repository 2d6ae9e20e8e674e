"""What each event makes of a table: the fold over its log.

``evolve`` applies one event, whatever its owner (the table, the game or the mode), and never
refuses. Everything here is pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any, Protocol, TypeVar

from fliptable.blame import blaming
from fliptable.chance import Shuffled
from fliptable.clocks import clocks_after
from fliptable.codec import options_of
from fliptable.events import (
    Commit,
    HostChanged,
    RematchOpened,
    RoundBegan,
    RoundDealt,
    RoundOver,
    SeatDisconnected,
    SeatLeft,
    SeatReady,
    SeatReconnected,
    SeatTaken,
    SeedRevealed,
    TableCreated,
    TableOver,
    TablePaused,
    TableResumed,
    TableStarted,
    TableUpgraded,
    TurnExpired,
)
from fliptable.migrations import OtherVersion, UnreadableLog
from fliptable.modes import Mode, Session
from fliptable.rules import Game, Private, Seat, Setup
from fliptable.table import Place, Round, Shuffle, Status, Table
from fliptable.terms import stored_terms

T = TypeVar("T")


class Catalogue(Protocol):
    """What a fold needs to know of plugins."""

    def game(self, id: str) -> Game[Any, Any]:
        """The game of that id. Errors: PluginMissing."""
        ...

    def mode(self, id: str) -> Mode[Any]:
        """The mode of that id. Errors: PluginMissing."""
        ...


def fold(catalogue: Catalogue, commits: Iterable[Commit], table: Table | None = None) -> Table | None:
    """Apply commits in order, to a table or to nothing. Errors: PluginMissing, UnreadableLog."""
    for commit in commits:
        try:
            table = _applied(catalogue, commit, table)
        except OtherVersion as error:
            where = f"table {commit.table}: version {commit.version}"
            raise UnreadableLog(f"{where} cannot be read: {error}") from error
    return table


def _applied(catalogue: Catalogue, commit: Commit, table: Table | None) -> Table:
    rest = commit.events
    if table is None:
        table = created(catalogue, commit.table, rest[0], commit.at)
        rest = rest[1:]
    before = table
    with blaming(table.id, table.game, table.mode):
        for event in rest:
            table = evolve(table, event)
        return stamped(before, table, commit)


def stamped(before: Table | None, after: Table, commit: Commit) -> Table:
    """The table with the version and time of the commit that led from one state to the other."""
    clocks = after.clocks
    if after.opening.house.turn_seconds is not None:
        clocks = clocks_after(before, after, commit)
    return after.having(version=commit.version, updated_at=commit.at, clocks=clocks)


def created(catalogue: Catalogue, table_id: str, event: TableCreated, at: datetime) -> Table:
    """The table that its first event makes. Errors: PluginMissing."""
    game, mode = catalogue.game(event.game), catalogue.mode(event.mode)
    mode_options: Any = options_of(mode.Options, event.mode_options)
    return Table(
        id=table_id,
        opening=event,
        game=game,
        mode=mode,
        game_options=options_of(game.Options, event.game_options),
        mode_options=mode_options,
        host=event.host,
        seats=(Place(),) * event.seats,
        created_at=at,
        updated_at=at,
        played_with=(event.game_version, event.mode_version),
        scores=(0,) * event.seats,
        run=mode.begin(Session(mode_options, event.seats, at, game.id, event.challenge)),
    )


def evolve(table: Table, event: Any) -> Table:
    """The table after an event. It never refuses; the table it was given stays as it was."""
    if type(event) is Private:
        event = event.event
    apply = _TABLE_EVENTS.get(type(event))
    if apply is not None:
        return apply(table, event)
    if type(event) in table.mode.events:
        return table.having(run=table.mode.evolve(table.run, event))
    return _evolve_round(table, event)


def _evolve_round(table: Table, event: Any) -> Table:
    """Hand an event of the game to the round it belongs to: a staged one, else the current one."""
    current = table.round
    staged = table.staged
    if staged is not None and (current is None or current.outcome is not None):
        return table.having(staged=Round(staged.number, table.game.evolve(staged.state, event)))
    assert current is not None, "an event of a game before its round"
    state = table.game.evolve(current.state, event)
    return table.having(round=Round(current.number, state, current.outcome))


def _upgraded(table: Table, event: TableUpgraded) -> Table:
    return table.having(played_with=(event.game_version, event.mode_version))


def _taken(table: Table, event: SeatTaken) -> Table:
    place = Place(event.name, event.player, local=event.player is None)
    return table.having(
        seats=_put(table.seats, event.seat, place),
        local_names=(*table.local_names, event.name) if place.local else table.local_names,
        host_plays=table.host_plays or event.player == table.host,
    )


def _left(table: Table, event: SeatLeft) -> Table:
    # After the start the name stays for the log; before it the seat is free again.
    place = Place() if table.status is Status.OPEN else Place(event.name)
    before = table.seats[event.seat]
    after = table.having(seats=_put(table.seats, event.seat, place))
    if not event.kicked:
        return after
    if before.local:
        return after.having(local_names=_local_names(after))
    return after if before.player is None else after.having(barred=table.barred | {before.player})


def _changed(table: Table, seat: Seat, **changes: Any) -> Table:
    return table.having(seats=_put(table.seats, seat, replace(table.seats[seat], **changes)))


def _ready(table: Table, event: SeatReady) -> Table:
    return _changed(table, event.seat, ready=event.ready)


def _disconnected(table: Table, event: SeatDisconnected) -> Table:
    return _changed(table, event.seat, connected=False)


def _reconnected(table: Table, event: SeatReconnected) -> Table:
    return _changed(table, event.seat, connected=True)


def _put(seats: tuple[Place, ...], index: int, place: Place) -> tuple[Place, ...]:
    return (*seats[:index], place, *seats[index + 1 :])


def _host(table: Table, event: HostChanged) -> Table:
    return table.having(host=event.host, local_names=_local_names(table), host_plays=True)


def _local_names(table: Table) -> tuple[str, ...]:
    return tuple([place.name for place in table.seats if place.local])


def _started(table: Table, event: TableStarted) -> Table:
    seats = tuple([place for place in table.seats if place.held])
    if len(seats) == len(table.seats):
        return table.having(status=Status.PLAYING)
    # Free seats are taken away, so the session begins anew with those that are left.
    opening = table.opening
    session = Session(table.mode_options, len(seats), table.created_at, table.game.id, opening.challenge)
    run = table.mode.begin(session)
    return table.having(status=Status.PLAYING, seats=seats, scores=(0,) * len(seats), run=run)


def _paused(table: Table, event: TablePaused) -> Table:
    return table.having(status=Status.PAUSED, paused_until=event.until)


def _resumed(table: Table, event: TableResumed) -> Table:
    return table.having(status=Status.PLAYING, paused_until=None)


def _rematch(table: Table, event: RematchOpened) -> Table:
    return table.having(rematch=event.table)


def _expired(table: Table, event: TurnExpired) -> Table:
    return table


def _dealt(table: Table, event: RoundDealt) -> Table:
    setup = Setup(
        options=table.game_options,
        terms=stored_terms(table.game, event.terms, table.played_with[0]),
        seats=len(table.seats),
        number=event.number,
        carry=table.carry,
        gone=frozenset([index for index, place in enumerate(table.seats) if not place.held]),
        away=table.absent(),
    )
    # Until it begins, a new round is staged: its shuffle and deal go there.
    return table.having(staged=Round(event.number, table.game.begin(setup)))


def _began(table: Table, event: RoundBegan) -> Table:
    return table.having(round=table.staged, staged=None)


def _over(table: Table, event: RoundOver) -> Table:
    current = table.round
    assert current is not None, "the end of a round that never began"
    outcome = event.outcome
    scores = tuple([total + one.points for total, one in zip(table.scores, outcome.seats, strict=True)])
    return table.having(
        round=Round(current.number, current.state, outcome),
        scores=scores,
        carry=table.game.carry(current.state),
    )


def _shuffled(table: Table, event: Shuffled) -> Table:
    playable = table.playable
    assert playable is not None, "a shuffle without a round"
    record = Shuffle(
        event.shuffle,
        event.name,
        event.commitment,
        event.cards,
        event.label,
        playable.number,
        until=event.until,
    )
    return _evolve_round(table.having(shuffles=(*table.shuffles, record)), event)


def _revealed(table: Table, event: SeedRevealed) -> Table:
    shuffles = [
        replace(one, seed=event.seed) if one.number == event.shuffle else one for one in table.shuffles
    ]
    return table.having(shuffles=tuple(shuffles))


def _closed(table: Table, event: TableOver) -> Table:
    return table.having(
        status=Status.OVER, over_reason=event.reason, staged=None, paused_until=None, clocks=()
    )


_TABLE_EVENTS: dict[type, Callable[[Table, Any], Table]] = {
    TableUpgraded: _upgraded,
    SeatTaken: _taken,
    SeatLeft: _left,
    HostChanged: _host,
    SeatReady: _ready,
    SeatDisconnected: _disconnected,
    SeatReconnected: _reconnected,
    TableStarted: _started,
    TablePaused: _paused,
    TableResumed: _resumed,
    TurnExpired: _expired,
    RematchOpened: _rematch,
    RoundDealt: _dealt,
    RoundBegan: _began,
    RoundOver: _over,
    Shuffled: _shuffled,
    SeedRevealed: _revealed,
    TableOver: _closed,
}
