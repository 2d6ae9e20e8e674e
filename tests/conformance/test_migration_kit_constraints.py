"""`check_migration` of a constraint, and of a game's terms: each way in which they are not read is named."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest
from brokenconditions import BROKEN_CONSTRAINT_VERSIONS, Brief, Next

from fliptable import Constraint, Mode, RoundPlan
from fliptable.testing import OneCard, check_migration
from fliptable_modes.classic import Classic


def test_a_constraint_that_reads_everything_passes() -> None:
    check_migration(Brief(), Next())


@pytest.mark.parametrize(
    ("new", "law", "told"), [(kind(), law, told) for kind, law, told in BROKEN_CONSTRAINT_VERSIONS]
)
def test_a_constraint_that_does_not_is_named_with_the_law(new: Constraint, law: str, told: str) -> None:
    with pytest.raises(AssertionError) as caught:
        check_migration(Brief(), new)
    message = str(caught.value)
    assert message.startswith(f"plugin 'brief', version {new.version} after 1.0, breaks the law {law!r}: ")
    assert told in message, message


def test_a_constraint_is_no_version_of_a_game() -> None:
    with pytest.raises(AssertionError, match="one of them is a game, and the other a constraint"):
        check_migration(OneCard(), Next())


@dataclass(frozen=True, slots=True)
class OldTerms:
    """Terms of version 1.0."""

    goal: int = 0


@dataclass(frozen=True, slots=True)
class NewTerms:
    """Terms of version 1.1."""

    aim: int = 0


class OldGame(OneCard):
    """Version 1.0, which mixes its term into what it counts."""

    Terms = OldTerms

    def begin(self, setup: Any) -> Any:
        return replace(super().begin(setup), drawn=0 * setup.terms.goal)


class NewGame(OneCard):
    """Version 1.1."""

    version = "1.1"
    Terms = NewTerms

    def migrate(self, kind: str, document: dict[str, Any], version: str) -> dict[str, Any]:
        if kind == "Terms" and "goal" in document:
            return {"aim": document["goal"]}
        return super().migrate(kind, document, version)


class Lossy(NewGame):
    def migrate(self, kind: str, document: dict[str, Any], version: str) -> dict[str, Any]:
        return OneCard.migrate(self, kind, document, version)


class Crash(NewGame):
    def migrate(self, kind: str, document: dict[str, Any], version: str) -> dict[str, Any]:
        return {"aim": document["gaol"]} if kind == "Terms" else document


class Wishing(Classic):
    """A mode that fixes the goal, by whatever name, and wishes for what no game has."""

    id = "wishing"
    graphql = "Wishing"

    def plan(self, run: Any, now: Any) -> RoundPlan:
        return RoundPlan({"goal": 30, "aim": 30, "colour": "red"})


WISHING: Mode[Any] = Wishing()


def test_terms_that_are_read_pass() -> None:
    check_migration(OldGame(), NewGame(), mode=WISHING)


@pytest.mark.parametrize(
    ("new", "told"),
    [
        (Lossy(), """stored as Terms, {"goal": 0}, has lost 'goal': 1.1 has no such term"""),
        (Crash(), """stored as Terms, {"goal": 0}, cannot be read: KeyError: 'gaol'"""),
    ],
)
def test_terms_that_get_lost_are_named(new: Any, told: str) -> None:
    with pytest.raises(AssertionError) as caught:
        check_migration(OldGame(), new, mode=WISHING)
    assert "breaks the law 'readable'" in str(caught.value)
    assert told in str(caught.value)
