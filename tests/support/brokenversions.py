"""Later versions of One Card, most of which cannot read what the first has stored, for tests of the kit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from fliptable import Refusal
from fliptable.testing import OneCard
from fliptable.testing.toys import WalkedOff


def _renamed() -> type:
    @dataclass(frozen=True, slots=True)
    class TurnedUp:
        """The card is a code now."""

        seat: int
        code: str

        def text(self, names: Sequence[str]) -> str:
            return f"{names[self.seat]} turns up {self.code}."

    return TurnedUp


def _other() -> type:
    @dataclass(frozen=True, slots=True)
    class Shown:
        """The event has another name now."""

        seat: int
        code: str

        def text(self, names: Sequence[str]) -> str:
            return f"{names[self.seat]} shows {self.code}."

    return Shown


def _silent() -> type:
    @dataclass(frozen=True, slots=True)
    class TurnedUp:
        """There is no sentence any more."""

        seat: int
        code: str

        def text(self, names: Sequence[str]) -> str:
            return ""

    return TurnedUp


class Next(OneCard):
    """Version 1.1, of which the event has a code."""

    version = "1.1"
    Event = _renamed()
    events = (Event, WalkedOff)

    def decide(self, state: Any, seat: int, move: Any, ctx: Any) -> Any:
        return [self.Event(seat, state.deck[state.drawn])]

    def evolve(self, state: Any, event: Any) -> Any:
        if not isinstance(event, self.Event):
            return super().evolve(state, event)
        cards = (*state.cards[: event.seat], event.code, *state.cards[event.seat + 1 :])
        return replace(state, cards=cards, drawn=state.drawn + 1)

    def migrate(self, kind: str, document: dict[str, Any], version: str) -> dict[str, Any]:
        if kind == "TurnedUp":
            return {"seat": document["seat"], "code": document["card"]}
        return super().migrate(kind, document, version)


class Forgotten(Next):
    """Nothing is migrated."""

    def migrate(self, kind: str, document: dict[str, Any], version: str) -> dict[str, Any]:
        return document


class Mistyped(Next):
    """There is no such key."""

    def migrate(self, kind: str, document: dict[str, Any], version: str) -> dict[str, Any]:
        return {"seat": document["seat"], "code": document["crad"]} if kind == "TurnedUp" else document


class WrongType(Next):
    """A number for a code."""

    def migrate(self, kind: str, document: dict[str, Any], version: str) -> dict[str, Any]:
        return {"seat": document["seat"], "code": 1} if kind == "TurnedUp" else document


class Renamed(Next):
    """The class of the event is called otherwise."""

    Event = _other()
    events = (Event, WalkedOff)


class Silent(Next):
    """Events have no sentence."""

    Event = _silent()
    events = (Event, WalkedOff)


class InPlace(Next):
    """What is stored is written over."""

    def migrate(self, kind: str, document: dict[str, Any], version: str) -> dict[str, Any]:
        if kind == "TurnedUp":
            document["code"] = document.pop("card")
        return document


class Counting(Next):
    """Another answer each time."""

    numbers = count()

    def migrate(self, kind: str, document: dict[str, Any], version: str) -> dict[str, Any]:
        if kind == "TurnedUp":
            return {"seat": document["seat"], "code": str(next(self.numbers))}
        return document


class Crossed(Next):
    """Black for red: what was won is lost."""

    def migrate(self, kind: str, document: dict[str, Any], version: str) -> dict[str, Any]:
        if kind == "TurnedUp":
            return {
                "seat": document["seat"],
                "code": document["card"].translate(str.maketrans("HDCS", "CSHD")),
            }
        return document


class Waiting(Next):
    """Nobody is to act any more."""

    def to_act(self, state: Any) -> Sequence[int]:
        return state.waiting[1:2]


class Stuck(Next):
    """It refuses its own legal move."""

    def decide(self, state: Any, seat: int, move: Any, ctx: Any) -> Any:
        return Refusal("ILLEGAL_MOVE", "Not now.")


class Crash(Next):
    """It cannot see what it has read."""

    def outcome(self, state: Any) -> Any:
        raise RuntimeError("odd")


class Same(OneCard):
    """No later version."""


class Elsewhere(Next):
    """Another id."""

    id = "two-cards"


BROKEN_VERSIONS: Sequence[tuple[type[Any], str, list[str]]] = [
    (Forgotten, "readable", ['as TurnedUp, {"seat": 0, "card": ', "there is no field 'card'"]),
    (Mistyped, "readable", ['as TurnedUp, {"seat": 0, "card": ', "KeyError: 'crad'"]),
    (WrongType, "readable", ["as TurnedUp, ", "Expected `str`, got `int` - at `$.code`"]),
    (Renamed, "readable", ["is no event of 1.1, which has Shown, WalkedOff"]),
    (Silent, "events", ["the sentence of ", "TurnedUp(seat=0, code=", "is ''"]),
    (InPlace, "purity", ["`migrate` changes what it is given", "{**document, …}"]),
    (Counting, "purity", ["TurnedUp.code is '", "and, asked again, '"]),
    (Crossed, "meaning", ["outcome[", "and in the new version"]),
    (Waiting, "meaning", ["to_act"]),
    (Stuck, "goes on", ["1.1 refuses its own legal move", "ILLEGAL_MOVE: Not now."]),
    (Crash, "answers", ["Crash.outcome (brokenversions.py", "RuntimeError: odd"]),
    (Same, "contract", ["version is '1.0', which is not later than '1.0'"]),
    (Elsewhere, "contract", ["id is 'one-card' and 'two-cards'"]),
]
"""The later version, the law that it breaks, and parts of what is said."""
