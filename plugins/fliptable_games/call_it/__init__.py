"""Call It and Flip: call a target, then turn cards up until a reading of them is exactly that."""

from typing import Any

from fliptable import Game, hookimpl
from fliptable_games.call_it.game import CallIt


@hookimpl
def fliptable_games() -> list[Game[Any, Any]]:
    """Call It and Flip."""
    return [CallIt()]
