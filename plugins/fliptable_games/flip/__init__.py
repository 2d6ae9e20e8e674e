"""FLIP: battle over a field of piles that any player may turn upside-down."""

from typing import Any

from fliptable import Game, hookimpl
from fliptable_games.flip.game import FlipGame


@hookimpl
def fliptable_games() -> list[Game[Any, Any]]:
    """FLIP."""
    return [FlipGame()]
