"""Terms of rounds that another version of a game has stored: read through its migration, or refused."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest

from fliptable import Mode, RoundPlan, hookimpl
from fliptable.commits import from_document, to_document
from fliptable.evolve import fold
from fliptable.migrations import OtherVersion, UnreadableLog
from fliptable.plugins import Registry, load_plugins
from fliptable.testing import OneCard, TableScript
from fliptable_modes.classic import Classic


@dataclass(frozen=True, slots=True)
class OldTerms:
    """Terms of version 1.0."""

    goal: int = 0


@dataclass(frozen=True, slots=True)
class NewTerms:
    """Terms of version 1.1, counted in tens."""

    tens: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.tens <= 9:
            raise ValueError("tens: between 0 and 9")


class Old(OneCard):
    """Version 1.0, which shows what its round was set."""

    Terms = OldTerms

    def begin(self, setup: Any) -> Any:
        # What is dealt is no matter here, so the terms stand where cards are counted.
        return replace(super().begin(setup), drawn=setup.terms.goal)


class New(OneCard):
    """Version 1.1, with a migration."""

    version = "1.1"
    Terms = NewTerms

    def begin(self, setup: Any) -> Any:
        return replace(super().begin(setup), drawn=setup.terms.tens * 10)

    def migrate(self, kind: str, document: dict[str, Any], version: str) -> dict[str, Any]:
        if kind == "Terms":
            rest = {name: value for name, value in document.items() if name != "goal"}
            return {**rest, "tens": document["goal"] // 10}
        return super().migrate(kind, document, version)


class Crash(New):
    """Version 1.1, the migration of which has a mistake in it."""

    def migrate(self, kind: str, document: dict[str, Any], version: str) -> dict[str, Any]:
        return {"tens": document["gaol"]} if kind == "Terms" else document


class Next(New):
    """Version 2.0, with a migration of all but the terms."""

    version = "2.0"

    def migrate(self, kind: str, document: dict[str, Any], version: str) -> dict[str, Any]:
        return OneCard.migrate(self, kind, document, version) if kind == "Terms" else document


class Wishing(Classic):
    """A mode that wishes for something, and for something else that the game does not know."""

    id = "wishing"
    graphql = "Wishing"
    wishes: dict[str, Any] = {"goal": 30, "colour": "red"}  # noqa: RUF012

    def plan(self, run: Any, now: Any) -> RoundPlan:
        return RoundPlan(self.wishes)


class Wishless(Wishing):
    """A mode without wishes."""

    wishes: dict[str, Any] = {}  # noqa: RUF012


def having(game: Any, mode: Mode[Any]) -> Registry:
    class Brings:
        @hookimpl
        def fliptable_games(self) -> list[Any]:
            return [game]

        @hookimpl
        def fliptable_modes(self) -> list[Mode[Any]]:
            return [mode]

    registry = load_plugins()
    registry.register(Brings(), "one-card", "fliptable-one-card")
    return registry


def stored(game: Any, mode: Mode[Any]) -> list[dict[str, Any]]:
    registry = having(game, mode)
    script = TableScript(registry, "one-card", "wishing")
    return [to_document(registry.codec, commit) for commit in script.commits]


def read(registry: Registry, documents: list[dict[str, Any]]) -> Any:
    return fold(registry, [from_document(registry.codec, one) for one in documents])


def test_they_are_read_through_the_migration() -> None:
    documents = stored(Old(), Wishing())
    assert read(having(Old(), Wishing()), documents).round.state.drawn == 30
    assert read(having(New(), Wishing()), documents).round.state.drawn == 30


@pytest.mark.parametrize("game", [Crash(), Next()], ids=["a mistake in the migration", "no migration"])
def test_what_cannot_be_read_is_refused(game: Any) -> None:
    registry = having(game, Wishing())
    with pytest.raises(UnreadableLog, match="table tbl_script: version 1 cannot be read") as caught:
        read(registry, stored(Old(), Wishing()))
    cause = caught.value.__cause__
    assert isinstance(cause, OtherVersion)
    assert (cause.part, cause.stored, cause.loaded) == ("game 'one-card'", "1.0", game.version)
    assert "(Terms cannot be read)" in str(cause)
    # What is wrong with a migration that there is, is in the log.
    assert ("the migration of which fails" in str(cause)) is isinstance(game, Crash)
    assert ("which declares no migration for it" in str(cause)) is isinstance(game, Next)
    assert isinstance(cause.__cause__, KeyError if isinstance(game, Crash) else ValueError)


def test_values_that_the_new_version_does_not_take_are_refused() -> None:
    class Greedy(Wishing):
        wishes = {"goal": 990}  # noqa: RUF012

    with pytest.raises(UnreadableLog) as caught:
        read(having(New(), Greedy()), stored(Old(), Greedy()))
    cause = caught.value.__cause__
    assert isinstance(cause, OtherVersion)
    assert str(cause.__cause__).startswith("tens: ")


def test_a_round_without_terms_needs_no_migration_of_them() -> None:
    """Also of another major version, which cannot have stored anything that means something else."""
    documents = stored(Old(), Wishless())
    assert read(having(Crash(), Wishless()), documents).round.state.drawn == 0
