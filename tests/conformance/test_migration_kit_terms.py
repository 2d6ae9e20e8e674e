"""`check_migration` where terms of rounds change: in any mode, also one that changes with the game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest

from fliptable import RoundPlan
from fliptable.testing import OneCard, check_migration, check_migration_case
from fliptable_modes.classic import Classic


@dataclass(frozen=True)
class OldTerms:
    """Terms of version 1.0."""

    goal: int = 10
    slow: bool = False


@dataclass(frozen=True)
class NewTerms:
    """Terms of version 1.1, with another name for the first."""

    tens: int = 1
    slow: bool = False


class Old(OneCard):
    """Version 1.0."""

    Terms = OldTerms

    def begin(self, setup: Any) -> Any:
        # What is dealt is no matter here, so the terms stand where cards are counted.
        return replace(super().begin(setup), drawn=setup.terms.goal // 10 - 1)


class New(OneCard):
    """Version 1.1."""

    version = "1.1"
    Terms = NewTerms

    def begin(self, setup: Any) -> Any:
        return replace(super().begin(setup), drawn=setup.terms.tens - 1)

    def migrate(self, kind: str, document: dict[str, Any], version: str) -> dict[str, Any]:
        if kind != "Terms" or "goal" not in document:
            return super().migrate(kind, document, version)
        rest = {name: value for name, value in document.items() if name != "goal"}
        return {**rest, "tens": document["goal"] // 10}


class Forgotten(New):
    """The name is forgotten."""

    def migrate(self, kind: str, document: dict[str, Any], version: str) -> dict[str, Any]:
        return document


class Hasty(New):
    """It takes every document for a whole one."""

    def migrate(self, kind: str, document: dict[str, Any], version: str) -> dict[str, Any]:
        if kind == "Terms":
            return {"tens": document["goal"] // 10, "slow": document["slow"]}
        return super().migrate(kind, document, version)


class InPlace(New):
    """It writes over what is stored."""

    def migrate(self, kind: str, document: dict[str, Any], version: str) -> dict[str, Any]:
        if kind == "Terms" and "goal" in document:
            document["tens"] = document.pop("goal") // 10
        return document


class Wishing(Classic):
    """A mode, version 1.0, that wishes for what the game has."""

    id = "wishing"
    graphql = "Wishing"

    def plan(self, run: Any, now: Any) -> RoundPlan:
        return RoundPlan({"goal": 20})


class Later(Wishing):
    """Version 1.1, which calls it as the game does."""

    version = "1.1"

    def plan(self, run: Any, now: Any) -> RoundPlan:
        return RoundPlan({"tens": 2})


def failure(old: Any, new: Any, **more: Any) -> str:
    with pytest.raises(AssertionError) as caught:
        check_migration(old, new, **more)
    return str(caught.value)


def test_a_mode_with_wishes_can_be_tried() -> None:
    """What it wishes for is the game's to read, and the game has not changed."""
    check_migration(Wishing(), Later(), game=Old())
    check_migration(Wishing(), Later(), game=New())


@pytest.mark.parametrize(
    "mode", [None, Wishing(), Later()], ids=["no wishes", "the old name", "the new name"]
)
def test_a_game_that_reads_its_terms_passes_in_each_mode(mode: Any) -> None:
    check_migration(Old(), New(), mode=mode)


@pytest.mark.parametrize(
    ("new", "law", "told"),
    [
        (Forgotten, "readable",
         'what 1.0 has stored as Terms, {"goal": 10}, has lost \'goal\': 1.1 has no such term, and `migrate` '
         "leaves it as it was"),
        (Hasty, "readable",
         'what 1.0 has stored as Terms, {"goal": 10}, cannot be read: KeyError: \'slow\'; a mode need '
         "not wish for every term, and may wish for what the game does not know"),
        (InPlace, "purity", "`migrate` changes what it is given, so copy it"),
    ],
)  # fmt: skip
def test_what_is_not_read_is_told_whatever_the_mode_wishes(
    new: Callable[[], Any], law: str, told: str
) -> None:
    for mode in (None, Wishing(), Later()):
        said = failure(Old(), new(), mode=mode)
        assert f"plugin 'one-card', version 1.1 after 1.0, breaks the law {law!r}" in said
        assert told in said, said
        assert "before anything is played" in said


def test_a_game_and_a_mode_may_change_together() -> None:
    check_migration(Old(), New(), mode=Wishing(), new_mode=Later())
    check_migration(Wishing(), Later(), game=Old(), new_game=New())
    check_migration_case(Old(), New(), "readable", mode=Wishing(), new_mode=Later())


@dataclass(frozen=True)
class Pace:
    """Options of version 1.0 of a mode."""

    fast: bool = False


class Paced(Wishing):
    """Version 1.0 with an option."""

    Options = Pace


class Paceless(Later):
    """Version 1.1, which has none, and does not say so."""


def test_what_either_of_them_does_not_read_is_told() -> None:
    said = failure(Old(), New(), mode=Paced(), new_mode=Paceless())
    assert said.startswith(
        "plugin 'one-card', version 1.1 after 1.0, with plugin 'wishing', version 1.1 after 1.0, breaks the "
        "law 'readable': what 1.0 has stored as Options, {\"fast\": False}, cannot be read: "
    )
    assert "new_mode=Paceless()" in said
    said = failure(Wishing(), Later(), game=Old(), new_game=Forgotten())
    assert "has lost 'goal'" in said and "new_game=Forgotten()" in said


@pytest.mark.parametrize(
    ("old", "new", "more", "told"),
    [
        (Old(), New(), {"new_mode": Later()},
         "new_mode is given, and the old version of it is not: pass mode too"),
        (Old(), New(), {"game": Old(), "new_game": New()},
         "new_game does not go with a game as old and new: pass new_mode"),
        (Wishing(), Later(), {"mode": Wishing(), "new_mode": Later()},
         "new_mode does not go with a mode as old and new: pass new_game"),
        (Old(), New(), {"mode": Wishing(), "new_mode": Wishing()},
         "plugin 'wishing', version 1.0 after 1.0, breaks the law 'contract': version is '1.0', which is "
         "not later"),
        (Old, New, {}, "check_migration is for games, modes and constraints, and <class "),
    ],
)  # fmt: skip
def test_what_does_not_go_together_is_told(old: Any, new: Any, more: dict[str, Any], told: str) -> None:
    assert failure(old, new, **more).startswith(told)
