"""What of a plugin's classes cannot work is said when it is loaded, and not when it is played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, Any

import pytest
from brokenconstraints import Red
from brokenmodes import Short

from fliptable import Game, PlayingCard, PluginQuery
from fliptable.testing import OneCard
from fliptable.vetting import ContractBroken, vet_constraint, vet_game, vet_mode, vet_query


@dataclass(frozen=True)
class Large:
    """More than GraphQL's Int has room for."""

    score: Annotated[int, "A number."] = 2**31


@dataclass(frozen=True)
class LargeInside:
    """The same in a list, and further down."""

    parts: Annotated[tuple[Large, ...], "Parts."] = (Large(1), Large(-(2**31) - 1))


@dataclass(frozen=True)
class Endless:
    """A number that JSON does not have."""

    share: Annotated[float, "A fraction."] = float("inf")


@dataclass(frozen=True)
class Mistyped:
    """A default of another type."""

    card: Annotated[PlayingCard, "A card."] = "10H"  # type: ignore[assignment]


@dataclass(frozen=True)
class HalfInt:
    """A fraction that should be a number."""

    count: Annotated[int, "A number."] = 1.5  # type: ignore[assignment]


class Mixed(Enum):
    """Values of several types, which cannot be told apart when they are stored."""

    ONE = 1
    MANY = "many"


@dataclass(frozen=True)
class HasMixed:
    """A choice that cannot be stored."""

    how: Annotated[Mixed, "How."]


@dataclass(frozen=True)
class Fine:
    """At the limits, and made anew for each."""

    least: Annotated[int, "A number."] = -(2**31)
    most: Annotated[int | None, "A number or nothing."] = 2**31 - 1
    of: Annotated[Mapping[str, int], "Numbers."] = field(default_factory=lambda: {"a": 2**31 - 1})
    share: Annotated[float, "A fraction."] = 1
    switch: Annotated[bool, "A switch."] = True


WRONG: list[tuple[type, str]] = [
    (Large, "Large.score is 2147483648 by default, which is no 32-bit integer"),
    (LargeInside, "LargeInside.parts is -2147483649 by default, which is no 32-bit integer"),
    (Endless, "Endless.share is inf by default, which is no number in JSON"),
    (Mistyped, "Mistyped.card is '10H' by default, which is no PlayingCard"),
    (HalfInt, "HalfInt.count is 1.5 by default, which is no int"),
    (HasMixed, "HasMixed cannot be stored: Enums must contain either all str or all int values"),
]


def event(kind: type) -> type:
    return dataclass(frozen=True)(type(kind.__name__, (kind,), {"text": lambda self, names: "It happened."}))


@pytest.mark.parametrize(("kind", "complaint"), WRONG, ids=[kind.__name__ for kind, _ in WRONG])
@pytest.mark.parametrize("where", ["Options", "View", "moves", "events"])
def test_a_class_that_cannot_work_is_refused(where: str, kind: type, complaint: str) -> None:
    given: Any = {"moves": (kind,), "events": (event(kind),)}.get(where, kind)
    with pytest.raises(ContractBroken) as caught:
        vet_game(type("Bad", (OneCard,), {where: given})())
    assert str(caught.value).startswith(f"one-card: {complaint}")


@pytest.mark.parametrize("name", ["name", "seats", "rules", "State", "View", "moves", "events"])
def test_what_a_game_lacks_is_named(name: str) -> None:
    words = {key: value for key, value in vars(OneCard).items() if key != name and not key.startswith("_")}
    with pytest.raises(ContractBroken) as caught:
        vet_game(type("Lacking", (Game,), words)())
    assert str(caught.value) == f"game 'one-card' does not define {name!r}"


def test_so_is_one_of_a_question() -> None:
    with pytest.raises(ContractBroken, match=r"next_one: Large\.score is 2147483648 by default"):
        vet_query(PluginQuery("next_one", "What is next.", "Next", Large, Fine, lambda asked: Fine()))


def test_what_is_at_the_limits_is_taken() -> None:
    kinds = {"Options": Fine, "View": Fine, "moves": (Fine,), "events": (event(Fine),)}
    vet_game(type("Good", (OneCard,), kinds)())


def short_ask(self: Any, state: Any, seat: int) -> str:
    return "Turn up a card."


def long_view(self: Any, state: Any, viewer: Any, deck: Any) -> Any:
    return None


def fitting_ask(self: Any, state: Any, seat: int, players: Any, polite: bool = True) -> str:
    return "Turn up a card."


def any_arguments(self: Any, *arguments: Any) -> Any:
    return None


def test_a_method_that_takes_too_little_is_named_with_what_it_is_given() -> None:
    with pytest.raises(ContractBroken) as caught:
        vet_game(type("Weir", (OneCard,), {"ask": short_ask})())
    assert str(caught.value) == (
        "game 'one-card': Weir.ask takes (state, seat), and is called with (state, seat, names)"
    )


def test_so_is_one_that_takes_too_much() -> None:
    with pytest.raises(ContractBroken) as caught:
        vet_game(type("Weir", (OneCard,), {"view": long_view})())
    assert str(caught.value) == (
        "game 'one-card': Weir.view takes (state, viewer, deck), and is called with (state, viewer)"
    )


def test_so_is_what_is_no_method_at_all() -> None:
    with pytest.raises(ContractBroken, match=r"Weir\.ask is 'Go', and is called with \(state, seat, names\)"):
        vet_game(type("Weir", (OneCard,), {"ask": "Go"})())


def test_so_are_methods_of_modes_constraints_and_events() -> None:
    with pytest.raises(
        ContractBroken, match=r"mode 'short': Odd\.deadline takes \(\), and is called with \(run"
    ):
        vet_mode(type("Odd", (Short,), {"deadline": lambda self: None})())
    with pytest.raises(
        ContractBroken, match=r"constraint 'red': Odd\.text takes \(\), and is called with \(opt"
    ):
        vet_constraint(type("Odd", (Red,), {"text": lambda self: ""})())
    silent = dataclass(frozen=True)(type("Silent", (), {"text": lambda self: "It happened."}))
    with pytest.raises(
        ContractBroken, match=r"one-card: Silent\.text takes \(\), and is called with \(names\)"
    ):
        vet_game(type("Odd", (OneCard,), {"events": (silent,)})())


def test_names_of_arguments_and_further_ones_with_a_default_are_the_writers_own() -> None:
    vet_game(type("Fitting", (OneCard,), {"ask": fitting_ask, "carry": any_arguments})())
    vet_game(type("Fitting", (OneCard,), {"ask": staticmethod(lambda state, seat, names: None)})())
