"""Opening a table: everything that it starts from, or why it cannot be opened. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from fliptable.challenges import Challenge
from fliptable.codec import options_of, pack
from fliptable.decide import Decision
from fliptable.events import SeatTaken, TableCreated
from fliptable.evolve import Catalogue, created
from fliptable.house import HouseRules, Visibility
from fliptable.modes import Session
from fliptable.rules import Game, Refusal
from fliptable.table import Table


@dataclass(frozen=True, slots=True)
class Opening:
    """Everything that a new table is opened with."""

    id: str
    code: str
    secret: bytes
    game: str
    mode: str
    game_options: Any
    mode_options: Any
    seats: int
    local_seats: tuple[str, ...]
    visibility: Visibility
    host: str
    host_name: str
    challenge: Challenge | None = None
    house: HouseRules = field(default_factory=HouseRules)
    host_plays: bool = True
    """Whether the host takes the first seat that is not local."""
    guests: tuple[tuple[str, str], ...] = ()
    """Players, by id and name, who get seats at once beside the host; then the host starts the table."""


class OpeningRefused(Exception):
    """The table cannot be opened; ``refusal`` says why. Its field is one of the mode's options."""

    def __init__(self, refusal: Refusal, table_id: str | None = None) -> None:
        """``table_id`` is the table that has already claimed what this one would."""
        super().__init__(refusal.message)
        self.refusal = refusal
        self.table_id = table_id


def open_table(
    catalogue: Catalogue,
    opening: Opening,
    now: datetime,
    shared_secret: bytes,
    kind: type[Decision] = Decision,
) -> Decision:
    """Open a table; it starts by itself when every seat is taken at once.

    Errors: PluginMissing, OpeningRefused.

    ``kind`` is the class of the decision; tests have one with stacked decks.
    """
    game, mode = catalogue.game(opening.game), catalogue.mode(opening.mode)
    mode_options = _mode_options(game, opening)
    first = TableCreated(
        code=opening.code,
        game=game.id,
        mode=mode.id,
        game_version=game.version,
        mode_version=mode.version,
        game_options=pack(opening.game_options),
        mode_options=pack(mode_options),
        seats=opening.seats,
        visibility=opening.visibility,
        host=opening.host,
        host_name=opening.host_name,
        secret=opening.secret,
        challenge=opening.challenge,
        house=opening.house,
        game_source=game.source,
        mode_source=mode.source,
    )
    session = Session(mode_options, opening.seats, now, game.id, opening.challenge)
    refusal = mode.check(session, game)
    if refusal is not None:
        raise OpeningRefused(refusal)
    decision = kind(created(catalogue, opening.id, first, now), now, shared_secret)
    decision.claim = mode.claim(session, opening.host)
    decision.events.append(first)
    players = opening.seats - len(opening.local_seats)
    host = [(opening.host, opening.host_name)] if opening.host_plays else []
    seated = [*host, *opening.guests][:players]
    for index, (player, name) in enumerate(seated):
        decision.emit(SeatTaken(index, name, player))
    for index, name in enumerate(opening.local_seats):
        # Local seats come last, so that those who join sit next to the host.
        decision.emit(SeatTaken(players + index, name))
    if not opening.guests and all(place.held for place in decision.table.seats):
        decision.start()
    return decision


def opened_with(table: Table, opening: Opening) -> bool:
    """Whether that is how a table was opened, by its first version; but for the code and the secret."""
    first = table.opening
    if (first.game, first.mode) != (opening.game, opening.mode):
        return False
    local = tuple([place.name for place in table.seats if place.local])
    host_plays = opening.host_plays and len(opening.local_seats) < opening.seats
    game_options, mode_options = opening.game_options, _mode_options(table.game, opening)
    return (
        (table.game_options, table.mode_options) == (_stored(game_options), _stored(mode_options))
        and (len(table.seats), local) == (opening.seats, opening.local_seats)
        and (table.seat_of(opening.host) is not None) == host_plays
        and (first.visibility, first.house) == (opening.visibility, opening.house)
    )


def _stored(options: Any) -> Any:
    """Options as they come back from the log."""
    return options_of(type(options), pack(options))


def _mode_options(game: Game[Any, Any], opening: Opening) -> Any:
    """The mode's options with those that nobody chose (None) set as the game suggests."""
    options, suggested = opening.mode_options, game.suggest(opening.mode, opening.game_options)
    open_ones = {name: value for name, value in suggested.items() if getattr(options, name, 0) is None}
    return replace(options, **open_ones) if open_ones else options
