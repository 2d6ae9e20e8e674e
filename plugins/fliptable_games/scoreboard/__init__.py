"""The scoreboard: keeping score for people who play Flip 7 with real cards."""

from typing import Any

from fliptable import Game, hookimpl
from fliptable_games.scoreboard.game import Scoreboard


@hookimpl
def fliptable_games() -> list[Game[Any, Any]]:
    """The scoreboard."""
    return [Scoreboard()]
