"""Limits that are declared are held, and told of; none has to be said twice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import pytest
from highcard import HighCard

from fliptable import MAX_INT, Between, Needed, check_limits
from fliptable.limits import limits_of, needed_of
from fliptable.vetting import ContractBroken, vet_game


@dataclass(frozen=True, slots=True)
class Field:
    """A field of cards."""

    rows: Annotated[int | None, "Rows.", Between(2, 16)] = None
    least: Annotated[int, Between(30)] = 30
    days: Annotated[tuple[int, ...], "Some days.", Between(1, 7)] = (1,)
    open: bool = True

    def __post_init__(self) -> None:
        check_limits(self)


def test_what_is_declared_is_known() -> None:
    assert limits_of(Field) == {"rows": Between(2, 16), "least": Between(30, MAX_INT), "days": Between(1, 7)}


@pytest.mark.parametrize(
    "given",
    [{}, {"rows": None}, {"rows": 2}, {"rows": 16}, {"least": MAX_INT}, {"days": ()}, {"days": (1, 7)}],
)
def test_what_is_within_is_taken(given: dict[str, Any]) -> None:
    assert Field(**given)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"rows": 1}, "rows: 1 is not possible, only from 2 to 16"),
        ({"rows": 17}, "rows: 17 is not possible, only from 2 to 16"),
        ({"least": 29}, "least: 29 is not possible, only 30 or more"),
        ({"days": (1, 8)}, r"days: \(1, 8\) is not possible, only from 1 to 7"),
    ],
)
def test_what_is_not_is_refused_by_name_value_and_limits(given: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=f"^{why}$"):
        Field(**given)


@dataclass(frozen=True)
class Coded:
    """Options."""

    code: Annotated[str, "A code.", Needed()] = ""
    again: Annotated[bool, "Once more."] = False


def test_what_has_to_be_given_is_declared_beside_its_default() -> None:
    assert needed_of(Coded) == {"code"}
    assert needed_of(Field) == frozenset()


@dataclass(frozen=True)
class OfText:
    """Options."""

    name: Annotated[str, Between(1, 2)] = "x"


@dataclass(frozen=True)
class OutOfIt:
    """Options."""

    number: Annotated[int, Between(1, 2)] = 3


@dataclass(frozen=True)
class Backwards:
    """Options."""

    number: Annotated[int | None, Between(2, 1)] = None


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (OfText, "OfText.name has limits, and is no integer or list of integers"),
        (OutOfIt, "OutOfIt.number is 3 by default, which is not from 1 to 2"),
        (Backwards, "Backwards.number has limits that nothing is within: from 2 to 1"),
    ],
)
def test_limits_that_cannot_be_are_found_when_a_plugin_is_loaded(options: type, why: str) -> None:
    game = type("Other", (HighCard,), {"Options": options})()
    with pytest.raises(ContractBroken, match=why):
        vet_game(game)
