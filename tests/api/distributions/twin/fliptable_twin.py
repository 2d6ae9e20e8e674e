"""A plugin whose game calls itself as a built-in one does."""

from __future__ import annotations

from typing import Any

from fliptable import Game, hookimpl
from fliptable_games.call_it.game import CallIt


class Twin(CallIt):
    """Call It and Flip once more."""


@hookimpl
def fliptable_games() -> list[Game[Any, Any]]:
    return [Twin()]
