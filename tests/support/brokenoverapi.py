"""Plugins that break the law `api`, for tests of the kit: what they say is not what clients read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any

import pytest

from fliptable import Constraint, NoOptions, PluginQuery
from fliptable.testing import OneCard
from fliptable.testing.toys import OneCardState
from fliptable_api.testing import check_api
from fliptable_modes.classic import Classic


def bad_game(**changes: Any) -> OneCard:
    """One Card with other words; more events and moves, and other members."""
    lists = [name for name in ("events", "moves") if name in changes]
    more = {name: (*getattr(OneCard, name), *changes.pop(name)) for name in lists}
    made: OneCard = type("Bad", (OneCard,), {"id": "bad", "graphql": "Bad", **changes, **more})()
    return made


def failure(part: Any, **more: Any) -> str:
    """What is said of a plugin that breaks the law; without play, unless seeds are given."""
    with pytest.raises(AssertionError) as caught:
        check_api(part, **{"seeds": (), **more})
    return str(caught.value)


class Reason(Enum):
    """Why."""

    TIRED = "TIRED"
    BORED = "BORED"


SENTENCES = {Reason.TIRED: "Somebody is tired."}


@dataclass(frozen=True)
class Stopped:
    """A sentence is missing for one of the reasons."""

    seat: Annotated[int, "Who."]
    reason: Annotated[Reason, "Why."]

    def text(self, names: Sequence[str]) -> str:
        return SENTENCES[self.reason]


class Stops(OneCard):
    """A game in which somebody may stop."""

    id = "stops"
    graphql = "Stops"
    events = (*OneCard.events, Stopped)


@dataclass(frozen=True)
class Complex:
    """A type that GraphQL does not have."""

    x: Annotated[complex, "A number."]

    def text(self, names: Sequence[str]) -> str:
        return "A number."


class CountsOddly(OneCard):
    """A game that tells of a complex number."""

    id = "counts-oddly"
    graphql = "CountsOddly"
    events = (*OneCard.events, Complex)


@dataclass(frozen=True)
class ScoreView:
    """A score, which is no integer."""

    score: Annotated[int, "A number."]


class Boasts(OneCard):
    """A game with scores that no client can read."""

    id = "boasts"
    graphql = "Boasts"
    View = ScoreView  # type: ignore[assignment]

    def view(self, state: OneCardState, viewer: Any) -> Any:
        return ScoreView(2**40)


@dataclass(frozen=True)
class Drifting:
    """It is another one each time that it is made."""

    count: Annotated[int, "A number."] = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "count", self.count + 1)


class Drifts(Constraint):
    """A constraint whose options are other ones each time."""

    id = "drifts"
    name = "Drifts"
    graphql = "Drifts"
    summary = "It drifts."
    games = ("one-card",)
    Options = Drifting

    def status(self, options: Any, view: Any, over: bool) -> Any:
        raise NotImplementedError


@dataclass(frozen=True)
class Muttering:
    """A run that has a complex number."""

    number: Annotated[complex, "A number."]


class Mutters(Classic):
    """A mode with a view that GraphQL has no form for."""

    id = "mutters"
    graphql = "Mutters"
    View = Muttering


@dataclass(frozen=True)
class Answered:
    """An answer that GraphQL has no form for."""

    x: complex = 0


QUERY = PluginQuery("odd_one", "An odd one.", "Odd", NoOptions, Answered, lambda asked: Answered())

BROKEN_OVER_API: Sequence[tuple[Any, str]] = [
    (Stops, "the event StopsStopped, field text: it raises KeyError: <Reason.BORED: 'BORED'>"),
    (CountsOddly, "Complex.x is complex, which has no GraphQL form"),
    (Boasts, "breaks the law 'api'"),
    (Drifts, "the constraint ConstraintInput.drifts, field count: 1 arrives as "),
    (Mutters, "Muttering.number is complex, which has no GraphQL form"),
]
"""The plugin, and a part of what is said of it."""
