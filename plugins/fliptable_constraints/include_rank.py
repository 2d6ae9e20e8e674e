"""include-rank: a card of a rank has to be on the table (call-it M9)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from fliptable import Constraint, Rank, hookimpl
from fliptable_constraints._hand import Including, a, of_rank


@dataclass(frozen=True, slots=True)
class IncludeRankOptions:
    """Which rank has to be there."""

    rank: Annotated[Rank, "The rank of which a card has to be on the table."]


class IncludeRank(Including):
    """A card of a rank has to be on the table."""

    id = "include-rank"
    name = "Include a rank"
    graphql = "IncludeRank"
    summary = "Win with a card of the given rank on the table."
    Options = IncludeRankOptions

    def wanted(self, options: Any) -> frozenset[str]:
        return of_rank(options.rank.value)

    def text(self, options: Any) -> str:
        return f"with {a(options.rank.name.lower())}"


@hookimpl
def fliptable_constraints() -> list[Constraint]:
    """Include a rank."""
    return [IncludeRank()]
