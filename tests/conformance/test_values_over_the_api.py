"""Values that are not as their types say: the kit names the type, the field and the smallest example."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

import pytest
from brokenoverapi import Drifting, Drifts, Reason, Stopped, bad_game, failure

from fliptable import CARD, PlayingCard
from fliptable.testing import OneCard
from fliptable_api.testing import check_api


@dataclass(frozen=True)
class Mute:
    """Nothing is said of it."""

    seat: Annotated[int, "Who."]

    def text(self, names: Sequence[str]) -> str:
        return ""


@dataclass(frozen=True)
class Guarded:
    """None can be made of the smallest values."""

    code: Annotated[str, "A code."]

    def __post_init__(self) -> None:
        if not self.code.startswith("X-"):
            raise ValueError(f"code: {self.code!r} does not begin with X-")

    def text(self, names: Sequence[str]) -> str:
        return f"The code is {self.code}."


@dataclass(frozen=True)
class Fragile:
    """It is made badly, and not refused."""

    of: Annotated[str, "A card's code."]

    def __post_init__(self) -> None:
        CARD[self.of]


@dataclass(frozen=True)
class Nameless:
    """There is no name for it."""

    card: Annotated[PlayingCard, "A card."]

    def label(self) -> str:
        return {}[self.card]


MADE: list[tuple[Any, str, str]] = [
    (
        bad_game(events=[Stopped]),
        "the event BadStopped, field text: it raises KeyError: <Reason.BORED: 'BORED'> "
        "(if there is no such event, pass examples)",
        "with Stopped(seat=0, reason=<Reason.BORED: 'BORED'>)",
    ),
    (
        bad_game(events=[Mute]),
        "the event BadMute, field text: it is '', which is no sentence on one line",
        "with Mute(seat=0)",
    ),
    (
        bad_game(events=[Guarded]),
        "the event BadGuarded: no value could be made of its types (code: 'A' does not begin with X-); "
        "pass one among the examples",
        "",
    ),
    (bad_game(moves=[Fragile]), "the move bad.fragile: making one raises KeyError: 'A'", ""),
    (
        bad_game(moves=[Drifting]),
        "the move bad.drifting, field count: 1 arrives as 2",
        "with Drifting(count=1)",
    ),
    (
        bad_game(moves=[Nameless]),
        "the move bad.nameless, field label: it raises KeyError: <PlayingCard.ACE_OF_CLUBS: 'AC'>",
        "with Nameless(card=<PlayingCard.ACE_OF_CLUBS: 'AC'>)",
    ),
]


@pytest.mark.parametrize(
    ("part", "complaint", "example"), MADE, ids=["sentence", "mute", "guarded", "raises", "drifts", "label"]
)
def test_what_is_not_as_its_type_says_is_named_with_the_smallest_example(
    part: Any, complaint: str, example: str
) -> None:
    said = failure(part)
    assert said.startswith(f"plugin 'bad' breaks the law 'api': {complaint}")
    assert example in said.partition("\n")[2]


def test_examples_stand_for_what_cannot_be_made() -> None:
    check_api(bad_game(events=[Guarded]), seeds=(), examples=[Guarded("X-1")])
    said = failure(bad_game(events=[Stopped]), examples=[Stopped(0, Reason.BORED)])
    assert "it raises KeyError: <Reason.BORED: 'BORED'>" in said


# What is only seen in play.


@dataclass(frozen=True)
class Scored:
    """The score is too large, or its number is another one than its type says."""

    seat: Annotated[int, "Who."]
    score: Annotated[Any, "A number."]

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} scores {self.score}."


class Scoring(OneCard):
    """Something is scored with each card."""

    id = "scoring"
    graphql = "Scoring"
    score: Any = 2**31

    def decide(self, state: Any, seat: int, move: Any, ctx: Any) -> Any:
        return [*super().decide(state, seat, move, ctx), self.events[-1](seat, self.score)]

    def evolve(self, state: Any, event: Any) -> Any:
        return state if isinstance(event, self.events[-1]) else super().evolve(state, event)


@pytest.mark.parametrize(
    ("hint", "score", "complaint"),
    [
        (int, 2**31, "it is 2147483648, which is no 32-bit integer"),
        (float, float("nan"), "it does not survive being stored: it is nan, which is not equal to itself"),
        (float, float("inf"), "it does not survive being stored: it is inf, which is no number in JSON"),
        (str, 3, "it does not survive being stored"),
        (tuple[int, ...], [1], "it does not survive being stored"),
        (int, True, "it does not survive being stored"),
        (datetime, datetime(2030, 1, 1), "it does not survive being stored"),
    ],
    ids=["large", "nan", "endless", "number", "list", "switch", "no-zone"],
)
def test_what_comes_up_in_play_is_named(hint: Any, score: Any, complaint: str) -> None:
    kind = type("Scored", (), {"__annotations__": {"seat": int, "score": hint}, "text": Scored.text})
    events = (*OneCard.events, dataclass(frozen=True)(kind))
    part = type("Scoring", (Scoring,), {"events": events, "score": score})()
    said = failure(part, seeds=[0], most_moves=1)
    assert f"breaks the law 'api': the event ScoringScored, field score: {complaint}" in said
    assert said.partition("\n")[2].startswith("with Scored(seat=0, score=")


def test_a_constraint_whose_options_do_not_arrive_is_named() -> None:
    said = failure(Drifts())
    assert said.startswith(
        "plugin 'drifts' breaks the law 'api': the constraint ConstraintInput.drifts, field count: "
        "1 arrives as 2\nwith Drifting(count=1)"
    )
