"""`check_migration`: what one version has stored, the next reads; each way in which it does not is named."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib.util import module_from_spec, spec_from_file_location
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from fliptable import Mode, Refusal
from fliptable.testing import MIGRATION_LAWS, OneCard, check_migration
from fliptable.testing.toys import WalkedOff

VERSIONS = Path(__file__).parents[1] / "api" / "versions"


def version_of(name: str) -> Any:
    spec = spec_from_file_location(
        name.replace("-", "_").replace(".", "_"), VERSIONS / name / "fliptable_ladder.py"
    )
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[module.__name__] = module
    spec.loader.exec_module(module)
    return module


OLD, NEW = version_of("ladder-1.0"), version_of("ladder-1.1")


@pytest.mark.parametrize("part", ["Ladder", "Laps"])
def test_what_reads_everything_passes(part: str) -> None:
    check_migration(getattr(OLD, part)(), getattr(NEW, part)())


def test_a_mode_may_be_played_with_a_game_of_its_own_plugin() -> None:
    check_migration(OLD.Laps(), NEW.Laps(), game=NEW.Ladder(), seats=[2])


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


@pytest.mark.parametrize(
    ("new", "law", "told"),
    [
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
        (Crash, "answers", ["Crash.outcome (test_migration_kit.py", "RuntimeError: odd"]),
        (Same, "contract", ["version is '1.0', which is not later than '1.0'"]),
        (Elsewhere, "contract", ["id is 'one-card' and 'two-cards'"]),
    ],
)
def test_what_does_not_is_named(new: Callable[[], Any], law: str, told: list[str]) -> None:
    assert law in MIGRATION_LAWS
    with pytest.raises(AssertionError) as caught:
        check_migration(OneCard(), new())
    message = str(caught.value)
    assert f"breaks the law {law!r}" in message
    assert [one for one in told if one not in message] == [], message
    assert len(message.splitlines()[0]) < 400


def test_the_right_one_passes() -> None:
    check_migration(OneCard(), Next())


class Odd(NEW.Laps):  # type: ignore[misc]
    """It is over too soon."""

    def over(self, run: Any) -> str | None:
        return "PLAYED" if run.left <= 1 else None


class Lost(NEW.Laps):  # type: ignore[misc]
    """The options are forgotten."""

    def migrate(self, kind: str, document: dict[str, Any], version: str) -> dict[str, Any]:
        return document if kind == "Options" else super().migrate(kind, document, version)


@pytest.mark.parametrize(
    ("new", "law", "told"),
    [(Lost, "readable", "as Options, {\"laps\": 2}, cannot be read: ValueError: laps: there is no such"),
     (Odd, "meaning", "mode.over is None and in the new version 'PLAYED'")],
)  # fmt: skip
def test_a_mode_is_held_to_it_too(new: Callable[[], Any], law: str, told: str) -> None:
    with pytest.raises(AssertionError) as caught:
        check_migration(OLD.Laps(), new())
    assert f"breaks the law {law!r}" in str(caught.value) and told in str(caught.value)


def test_a_game_is_no_mode() -> None:
    mode: Mode[Any] = NEW.Laps()
    with pytest.raises(AssertionError, match="one of them is a game, and the other a mode"):
        check_migration(OneCard(), mode)
