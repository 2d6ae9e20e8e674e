"""exclude-rank: no card of a rank may be on the table (call-it M9)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from fliptable import Constraint, Rank, hookimpl
from fliptable_constraints._hand import Excluding, a, of_rank


@dataclass(frozen=True, slots=True)
class ExcludeRankOptions:
    """Which rank may not be there."""

    rank: Annotated[Rank, "The rank of which no card may be on the table."]


class ExcludeRank(Excluding):
    """No card of a rank may be on the table."""

    id = "exclude-rank"
    name = "Exclude a rank"
    graphql = "ExcludeRank"
    summary = "Win without a card of the given rank on the table."
    Options = ExcludeRankOptions

    def barred(self, options: Any) -> frozenset[str]:
        return of_rank(options.rank.value)

    def text(self, options: Any) -> str:
        return f"without {a(options.rank.name.lower())}"


@hookimpl
def fliptable_constraints() -> list[Constraint]:
    """Exclude a rank."""
    return [ExcludeRank()]
