"""Playing a move: from what a client asks for to what the table is asked."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any

from fliptable import Game, Refusal, Seat, decide
from fliptable.codec import pack
from fliptable.decide import Decision
from fliptable.table import Table
from fliptable_api.moves import InvalidMove, Moves
from fliptable_api.naming import camel, sentence
from fliptable_api.opening import Refusing

MAX_KEY = 128
"""The most characters that an idempotency key may have."""


def check_key(key: str) -> None:
    """Keep the length of idempotency keys. Errors: Refusing."""
    if not 1 <= len(key) <= MAX_KEY:
        message = f"The idempotency key has {len(key)} characters; it has to have from 1 to {MAX_KEY}."
        raise Refusing("INVALID_VALUE", message, "idempotencyKey")


def command_of(moves: Moves, given: Any, player: str) -> tuple[Callable[[Decision], Refusal | None], str]:
    """What the table is asked for, and its digest. Errors: Refusing."""
    if given.idempotency_key is not None:
        check_key(given.idempotency_key)
    try:
        game, path, move = moves.parse(given.move)
    except InvalidMove as error:
        raise Refusing("INVALID_VALUE", sentence(str(error)), error.field) from None

    def command(decision: Decision) -> Refusal | None:
        if game is None:
            return decide.next_round(decision, player)
        seat = seat_for(decision.table, player, given.seat)
        if isinstance(seat, Refusal):
            return seat
        return _play(decision, game, path, seat, move)

    asked = f"{path} {given.seat} {pack(move) if move is not None else None!r}"
    return command, sha256(asked.encode()).hexdigest()[:16]


def _play(decision: Decision, game: Game[Any, Any], path: str, seat: Seat, move: Any) -> Refusal | None:
    if decision.table.game.id != game.id:
        message = f"This table plays {decision.table.game.name}, and the move is one of {game.name}."
        return Refusal("WRONG_GAME", message, path.rpartition(".")[0])
    refusal = decide.play(decision, seat, move)
    if refusal is None or refusal.field is None:
        return refusal
    return Refusal(refusal.code, refusal.message, f"{path}.{camel(refusal.field)}")


def seat_for(table: Table, player: str, asked: Seat | None) -> Seat | Refusal:
    """The seat that a player means: the one asked for, else the only one of theirs that may move."""
    mine = table.viewer(player)
    if asked is not None:
        if not 0 <= asked < len(table.seats):
            count = len(table.seats)
            seats = f"seats 0 to {count - 1}" if count > 1 else "seat 0 only"
            message = f"There is no seat {asked}; the table has the {seats}."
            return Refusal("INVALID_VALUE", message, "seat")
        if asked not in mine:
            return Refusal("NOT_YOUR_SEAT", f"You do not act for seat {asked}.", "seat")
        return asked
    if not mine:
        return Refusal("NOT_SEATED", "You have no seat at this table.")
    if len(mine) == 1:
        return next(iter(mine))
    current = table.playable
    acting = sorted(mine & frozenset(table.game.to_act(current.state) if current is not None else ()))
    if len(acting) == 1:
        return acting[0]
    if not acting:
        return min(mine)
    message = (
        f"You act for several seats that may move ({', '.join(map(str, acting))}); `seat` says for which."
    )
    return Refusal("SEAT_REQUIRED", message, "seat")
