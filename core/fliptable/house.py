"""How a table is run, whatever is played at it: its house rules, and who finds it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Annotated

from fliptable.limits import Between, check_limits


class Visibility(Enum):
    """Who finds a table: everybody in the lobby, or whoever has its code."""

    PUBLIC = "PUBLIC"
    """Everybody finds it in the lobby."""
    UNLISTED = "UNLISTED"
    """Whoever has its code or id finds it."""


@dataclass(frozen=True, slots=True)
class HouseRules:
    """How a table is run, whatever is played at it."""

    turn_seconds: Annotated[
        int | None, Between(5, 86_400), "How long a seat may think; null for as long as it likes."
    ] = None
    grace_seconds: Annotated[
        int, Between(0, 3600), "How long a player may be gone before the table is told."
    ] = 15
    wait_seconds: Annotated[int, Between(0, 86_400), "How long a table waits for players before it ends."] = (
        300
    )
    spectators: Annotated[bool, "Whether others than those seated may look on."] = True

    def __post_init__(self) -> None:
        """Keep the limits."""
        check_limits(self)
