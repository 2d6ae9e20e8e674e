"""Types that GraphQL has no form for: the kit names the class and the field."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

import pytest
from brokenoverapi import QUERY, Complex, bad_game, failure


class Told:
    """What every event here says."""

    def text(self, names: Sequence[str]) -> str:
        return "It happened."


@dataclass(frozen=True)
class Either(Told):
    """One of two types."""

    x: int | str | None


@dataclass(frozen=True)
class Mixture(Told):
    """A list of several types."""

    x: tuple[int, str]


@dataclass(frozen=True)
class Labels(Told):
    """A dict to something else than numbers."""

    x: dict[str, str]


@dataclass(frozen=True)
class Tree(Told):
    """A type that contains itself."""

    x: tuple[Tree, ...]


@dataclass(frozen=True)
class Nothing:
    """No fields at all."""


@dataclass(frozen=True)
class Hollow(Told):
    """A field that has none itself."""

    x: Nothing


class Truth(Enum):
    """A member that GraphQL takes for something else."""

    true = "true"


@dataclass(frozen=True)
class Truthful(Told):
    """A choice without a name."""

    x: Truth


class Nobody(Enum):
    """No members at all."""


@dataclass(frozen=True)
class Choiceless(Told):
    """A choice of nothing."""

    x: Nobody


@dataclass(frozen=True)
class Foreign(Told):
    """A letter that GraphQL has not."""

    größe: int


@dataclass(frozen=True)
class Twice(Told):
    """Two fields of one name."""

    to_row: int
    toRow: int


@dataclass(frozen=True)
class Seatless(Told):
    """A seat that is none."""

    seat: str


@dataclass(frozen=True)
class Finds:
    """A dict on the way in."""

    x: dict[str, int]


@dataclass(frozen=True)
class Found:
    """The same in options, which have a default."""

    x: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class StatusView:
    """A name that the API has taken."""

    status: str


NO_FORM: list[tuple[dict[str, Any], str]] = [
    ({"events": [Complex]}, "Complex.x is complex, which has no GraphQL form"),
    ({"events": [Either]}, "Either.x is int | str | None, which has no GraphQL form"),
    ({"events": [Mixture]}, "Mixture.x is tuple[int, str], which has no GraphQL form"),
    ({"events": [Labels]}, "Labels.x is dict[str, str], which has no GraphQL form"),
    ({"events": [Tree]}, "Tree.x is Tree, which contains itself"),
    ({"events": [Hollow]}, "Hollow.x is Nothing, which has no fields, and GraphQL has no such type"),
    ({"events": [Truthful]}, "Truthful.x is Truth, whose member 'true' has no name that GraphQL allows"),
    ({"events": [Foreign]}, "Foreign.größe has no name that GraphQL allows"),
    ({"events": [Twice]}, "Twice.toRow and to_row are both called toRow in GraphQL"),
    ({"events": [Seatless]}, "Seatless.seat is <class 'str'>; a seat is an int, or None"),
    ({"moves": [Finds]}, "Finds.x is dict[str, int], which has no GraphQL form in an input"),
    ({"Options": Found}, "Found.x is dict[str, int], which has no GraphQL form in an input"),
    ({"View": StatusView}, "StatusView.status cannot be called that"),
]


@pytest.mark.parametrize(("changes", "complaint"), NO_FORM, ids=range(len(NO_FORM)))
def test_what_has_no_form_in_graphql_is_named(changes: dict[str, Any], complaint: str) -> None:
    said = failure(bad_game(**changes))
    assert said.startswith("plugin 'bad' breaks the law 'api': ") and complaint in said


@dataclass(frozen=True)
class Choosing:
    """A default that is too large."""

    score: int = 2**31


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"Options": Choosing}, "Choosing.score is 2147483648 by default, which is no 32-bit integer"),
        ({"events": [Choiceless]}, "Choiceless cannot be stored: Enum types must have at least one item"),
    ],
    ids=["default", "choiceless"],
)
def test_what_breaks_the_contract_is_said_to(changes: dict[str, Any], complaint: str) -> None:
    assert failure(bad_game(**changes)).startswith(f"plugin 'bad' breaks the contract: bad: {complaint}")


def test_a_question_that_cannot_be_answered_is_named() -> None:
    said = failure(QUERY)
    assert said.startswith("plugin 'odd_one' breaks the contract: odd_one: Answered.x is 0 by default")
