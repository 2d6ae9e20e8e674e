"""Plugins whose types or values do not go over GraphQL: the kit names the type, the field and an example."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum
from typing import Annotated, Any

import pytest

from fliptable import CARD, Choices, Constraint, MoveRange, NoOptions, PlayingCard, PluginQuery, projection
from fliptable.testing import OneCard
from fliptable.testing.toys import TurnedUp, TurnUp
from fliptable_api import moves
from fliptable_api.testing import check_api


class Told:
    """What every event here says."""

    def text(self, names: Sequence[str]) -> str:
        return "It happened."


def game(**changes: Any) -> OneCard:
    """One Card with other words."""
    words = {"events": "events", "moves": "moves"}
    more = {name: (*getattr(OneCard, name), *changes.pop(name)) for name in words if name in changes}
    made: OneCard = type("Bad", (OneCard,), {"id": "bad", "graphql": "Bad", **changes, **more})()
    return made


def failure(part: Any, **more: Any) -> str:
    with pytest.raises(AssertionError) as caught:
        check_api(part, **{"seeds": (), **more})
    return str(caught.value)


# What has no form in GraphQL is said when the schema is made.


@dataclass(frozen=True)
class Complex(Told):
    """A type that GraphQL does not have."""

    x: complex


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
    ({"Options": Finds}, "Finds.x is dict[str, int], which has no GraphQL form in an input"),
    ({"View": StatusView}, "StatusView.status cannot be called that"),
]


@pytest.mark.parametrize(("changes", "complaint"), NO_FORM, ids=range(len(NO_FORM)))
def test_what_has_no_form_in_graphql_is_named(changes: dict[str, Any], complaint: str) -> None:
    said = failure(game(**changes))
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
    assert failure(game(**changes)).startswith(f"plugin 'bad' breaks the contract: bad: {complaint}")


# What has a form and is not as its type says is said with an example.


class Reason(Enum):
    """Why."""

    TIRED = "TIRED"
    BORED = "BORED"


SENTENCES = {Reason.TIRED: "Somebody is tired."}


@dataclass(frozen=True)
class Stopped:
    """A sentence is missing for one of the reasons, which never comes up."""

    seat: Annotated[int, "Who."]
    reason: Annotated[Reason, "Why."]

    def text(self, names: Sequence[str]) -> str:
        return SENTENCES[self.reason]


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
class Drifting:
    """Each time it is made, it is another one."""

    count: Annotated[int, "A number."]

    def __post_init__(self) -> None:
        object.__setattr__(self, "count", min(self.count + 1, 100))


@dataclass(frozen=True)
class Nameless:
    """There is no name for it."""

    card: Annotated[PlayingCard, "A card."]

    def label(self) -> str:
        return {}[self.card]


MADE: list[tuple[Any, str, str]] = [
    (
        game(events=[Stopped]),
        "the event BadStopped, field text: it raises KeyError: <Reason.BORED: 'BORED'> "
        "(if there is no such event, pass examples)",
        "with Stopped(seat=0, reason=<Reason.BORED: 'BORED'>)",
    ),
    (
        game(events=[Mute]),
        "the event BadMute, field text: it is '', which is no sentence on one line",
        "with Mute(seat=0)",
    ),
    (
        game(events=[Guarded]),
        "the event BadGuarded: no value could be made of its types (code: 'A' does not begin with X-); "
        "pass one among the examples",
        "",
    ),
    (game(moves=[Fragile]), "the move bad.fragile: making one raises KeyError: 'A'", ""),
    (game(moves=[Drifting]), "the move bad.drifting, field count: 1 arrives as 2", "with Drifting(count=1)"),
    (
        game(moves=[Nameless]),
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
    check_api(game(events=[Guarded]), seeds=(), examples=[Guarded("X-1")])
    said = failure(game(events=[Stopped]), examples=[Stopped(0, Reason.BORED)])
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


# Questions and constraints.


@dataclass(frozen=True)
class Answered:
    """An answer that GraphQL has no form for."""

    x: complex = 0


def test_a_question_that_cannot_be_answered_is_named() -> None:
    said = failure(PluginQuery("odd_one", "", "Odd", NoOptions, Answered, lambda asked: Answered()))
    assert said.startswith("plugin 'odd_one' breaks the contract: odd_one: Answered.x is 0 by default")


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


def test_a_constraint_whose_options_do_not_arrive_is_named() -> None:
    said = failure(Drifts())
    assert said.startswith(
        "plugin 'drifts' breaks the law 'api': the constraint ConstraintInput.drifts, field count: "
        "1 arrives as 2\nwith Drifting(count=1)"
    )


# The law holds the API against what it says, so it sees when the API is at fault.


@dataclass(frozen=True)
class Lay:
    """Lay a card."""

    card: Annotated[PlayingCard, "The card."]
    why: Annotated[Reason, "Why."] = Reason.BORED


def test_what_is_hidden_must_not_be_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    check_api(game(), seeds=())
    monkeypatch.setattr(projection, "seen", lambda event, viewer, rounds: getattr(event, "event", event))
    assert "the event BadTurnedUp: others are shown [{" in failure(game())


def test_what_may_be_seen_must_not_be_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(projection, "seen", lambda event, viewer, rounds: getattr(event, "public", event))
    assert "the event BadTurnedUp: whoever may see it is shown []" in failure(game())


def test_what_is_listed_has_to_be_what_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    part = game(moves=[Lay])
    check_api(part, seeds=())
    plain = moves.plain
    monkeypatch.setattr(
        moves, "plain", lambda value: {**plain(value), "why": "bored"} if value != TurnUp() else plain(value)
    )
    assert "the move bad.lay, field bad.lay.why: it is listed as " in failure(part)


def test_what_arrives_has_to_be_what_was_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    made = moves.value_of
    monkeypatch.setattr(moves, "value_of", lambda given, kind: replace(made(given, kind), why=Reason.TIRED))
    said = failure(game(moves=[Lay]))
    assert "the move bad.lay, field why: <Reason.BORED: 'BORED'> arrives as <Reason.TIRED: 'TIRED'>" in said


def test_its_own_game_is_one_to_begin_with() -> None:
    """What these plugins are made from keeps the law."""
    assert TurnedUp in OneCard.events and MoveRange(Lay(CARD["AC"]), {"card": Choices(())})
    check_api(OneCard(), seeds=[0])
