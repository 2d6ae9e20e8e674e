"""The registry of refusal codes: what a player can be told instead of having a wish granted."""

from __future__ import annotations

import re
from types import MappingProxyType

CODE: re.Pattern[str] = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)*")
"""What a code looks like, of a refusal or of the reason for an end."""

REFUSALS = MappingProxyType(
    {
        "INVALID_VALUE": "A value of the input is not allowed; `field` and the message say which and why.",
        "ILLEGAL_MOVE": "The rules do not allow the move in this position.",
        "NOT_YOUR_TURN": "The seat is not to act now.",
        "NOT_SEATED": "The caller has no seat at the table.",
        "NOT_YOUR_SEAT": "The caller does not act for the seat that was named.",
        "SEAT_REQUIRED": "The caller acts for several seats that are to act; `seat` must say for which.",
        "NOT_HOST": "Only the host of the table can do this.",
        "NOT_STARTED": "The table has not started yet.",
        "TABLE_STARTED": "The table has already started.",
        "TABLE_PAUSED": "The table is paused.",
        "TABLE_OVER": "The table is over.",
        "TABLE_NOT_OVER": "The table is not over yet.",
        "SENT_AWAY": "The host of the table has sent the caller away for good.",
        "TABLE_FULL": "Every seat of the table is taken.",
        "SEATS_FREE": "So many seats are still free that the game or mode cannot be played.",
        "ROUND_OVER": "The round is over; the next one has to be asked for.",
        "ROUND_RUNNING": "The round is still running.",
        "WRONG_GAME": "The move, or the challenge, is one of another game.",
        "CHALLENGE_NOT_FOUND": "There is no challenge of this code.",
        "CHALLENGE_IMPOSSIBLE": "No order of the cards can win under these conditions.",
        "STALE_VERSION": "The table has moved on since the version that the caller expected.",
        "KEY_REUSED": "The idempotency key was used at this table for another request.",
        "MODE_NOT_SUPPORTED": "The game cannot be played in this mode.",
        "TABLE_NOT_FOUND": "There is no table of this id or code that the caller may see.",
    }
)
"""Every code of the table itself with its meaning. Plugins declare their own with ``refusals``."""
