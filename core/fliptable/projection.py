"""What leaves a table: events, moves and views as somebody's eyes see them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from fliptable.chance import Shuffled
from fliptable.events import TableCreated
from fliptable.rules import MoveRange, Private, Seat, Viewer
from fliptable.shuffle import derive_seed
from fliptable.table import Round, Shuffle, Status, Table

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class LegalMove:
    """A move that a seat could play now: a move, or a range of moves with an example."""

    seat: Seat
    move: Any
    fields: dict[str, Any]


def seen(event: Any, viewer: Viewer, open_rounds: frozenset[int] = frozenset()) -> Any | None:
    """The event as the viewer sees it; None when the viewer sees nothing of it.

    Nobody is shown the order of a shuffle or the secret of a table.
    """
    kind = type(event)
    if kind is Shuffled:
        return event.covered()
    if kind is TableCreated:
        return replace(event, secret=b"")
    if kind is not Private:
        return event
    if event.to & viewer or event.round in open_rounds:
        return event.event
    return event.public


def seen_events(events: Iterable[Any], viewer: Viewer, open_rounds: frozenset[int]) -> list[Any]:
    """The events of a commit as the viewer sees them, in order."""
    shown = [seen(event, viewer, open_rounds) for event in events]
    return [event for event in shown if event is not None]


def may_look(table: Table, player: str | None) -> bool:
    """Whether somebody may see the table: anybody, unless the host wants no spectators once it plays."""
    if table.opening.house.spectators or table.status is Status.OPEN:
        return True
    return player is not None and (table.host == player or table.seat_of(player) is not None)


def to_act(table: Table) -> list[Seat]:
    """The seats that may move now, in seat order."""
    current = table.playable
    if table.status is not Status.PLAYING or current is None:
        return []
    return sorted(table.game.to_act(current.state))


def legal_moves(table: Table, viewer: Viewer) -> list[LegalMove]:
    """Every move that the viewer's seats could play now, those of the seat that is asked next first."""
    current = table.playable
    if table.status is not Status.PLAYING or current is None:
        return []
    return list(_once(table, (legal_moves, viewer), partial(_legal_moves, table, current.state, viewer)))


def _legal_moves(table: Table, state: Any, viewer: Viewer) -> list[LegalMove]:
    game = table.game
    moves: list[LegalMove] = []
    acting = sorted(game.to_act(state))
    mine = [seat for seat in acting if seat in viewer]
    if len(mine) > 1:
        asked, _ = _asked(table, state, acting)
        mine.sort(key=lambda seat: seat != asked)
    for seat in mine:
        for legal in game.legal_moves(state, seat):
            move = table.mode.narrow(table.run, seat, legal)
            if move is None:
                continue
            if isinstance(move, MoveRange):
                moves.append(LegalMove(seat, move.example, dict(move.fields)))
            else:
                moves.append(LegalMove(seat, move, {}))
    return moves


def may_ask_next_round(table: Table, viewer: Viewer, is_host: bool) -> bool:
    """Whether the viewer may have the next round dealt now."""
    waiting = table.status is Status.PLAYING and table.playable is None
    return waiting and (bool(viewer) or is_host)


@dataclass(frozen=True, slots=True)
class Prompt:
    """What whoever runs a table should ask next, as data and as a sentence."""

    seat: Seat | None
    name: str | None
    round: int | None
    cycle: int | None
    cards_left: int | None
    text: str


def _asked(table: Table, state: Any, acting: Sequence[Seat]) -> tuple[Seat, str | None]:
    """The first seat that the game has a question for, with it; without one, the first that may act."""
    names = table.names
    for seat in acting:
        if (text := table.game.ask(state, seat, names)) is not None:
            return seat, text
    return acting[0], None


def prompt(table: Table) -> Prompt | None:
    """What to ask next: of the first seat that the game has a question for, or for the next round.

    Without a question of the game, the sentence names all seats that may act, and ``seat`` is the first.
    """
    return _once(table, prompt, partial(_prompt, table))


def _prompt(table: Table) -> Prompt | None:
    if table.status is not Status.PLAYING:
        return None
    current = table.playable
    if current is None:
        number = None if table.round is None else table.round.number
        return Prompt(None, None, number, None, None, "Deal the next round when everybody is ready.")
    game, names = table.game, table.names
    acting = sorted(game.to_act(current.state))
    if not acting:
        return None
    seat, text = _asked(table, current.state, acting)
    text = text or _question(table, current.state, acting)
    return Prompt(
        seat, names[seat], current.number, game.cycle(current.state), game.cards_left(current.state), text
    )


def label(move: Any) -> str:
    """What a move is called on a button: its own label, or the first sentence of its class."""
    own = getattr(move, "label", None)
    if callable(own):
        return str(own())
    return " ".join((type(move).__doc__ or type(move).__name__).split("\n\n")[0].split()).rstrip(".")


def _question(table: Table, state: Any, acting: Sequence[Seat]) -> str:
    labels: list[str] = []
    for seat in acting:
        for move in table.game.legal_moves(state, seat):
            text = label(move.example if isinstance(move, MoveRange) else move)
            if text not in labels:
                labels.append(text)
    choices = " or ".join(f"{text[:1].lower()}{text[1:]}" for text in labels)
    *others, last = [table.names[seat] for seat in acting]
    who = f"{', '.join(others)} and {last}" if others else last
    return f"{who}: {choices}."


def seed_of(shuffle: Shuffle, shared_secret: bytes, now: datetime) -> str | None:
    """The seed of a shuffle in hex once anybody may know it: it was revealed, or its time has come."""
    if shuffle.shared and shuffle.until is not None and now >= shuffle.until:
        return derive_seed(shared_secret, shuffle.label).hex()
    return shuffle.seed


def view_round(table: Table, round: Round, viewer: Viewer) -> Any:
    """The round as the viewer sees it, as the game's View."""
    ask = partial(table.game.view, round.state, viewer)
    return _once(table, (view_round, viewer), ask) if round is table.round else ask()


def view_run(table: Table, viewer: Viewer) -> Any:
    """The run as the viewer sees it, as the mode's View."""
    return _once(table, (view_run, viewer), partial(_view_run, table, viewer))


def _view_run(table: Table, viewer: Viewer) -> Any:
    current = table.round
    if current is None or not table.mode.sees_round:
        return table.mode.view(table.run, viewer)
    seen_round = view_round(table, current, viewer)
    return table.mode.view_beside(table.run, viewer, seen_round, current.outcome is not None)


def _once(table: Table, asked: Hashable, ask: Callable[[], T]) -> T:
    """What plugins say of the table, asked no second time as long as the answer is kept."""
    answers = None if table.answers is None else table.answers()
    if answers is None:
        return ask()
    if asked not in answers:
        answers[asked] = ask()
    found: T = answers[asked]
    return found
