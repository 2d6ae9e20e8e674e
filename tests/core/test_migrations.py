"""Two versions of a plugin: what one has stored, the next reads through its migration, or refuses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from fliptable import hookimpl
from fliptable.commits import from_document, to_document
from fliptable.evolve import fold
from fliptable.log import UnreadableLog
from fliptable.plugins import Registry, load_plugins
from fliptable.snapshot import from_snapshot, to_snapshot
from fliptable.testing import OneCard, TableScript
from fliptable.testing.toys import TurnedUp, TurnUp


@dataclass(frozen=True, slots=True)
class OldOptions:
    """Options of version 1.0."""

    slow: bool = False


@dataclass(frozen=True, slots=True)
class NewOptions:
    """Options of version 1.1: a speed instead of a switch."""

    speed: int


def _turned_up() -> type:
    @dataclass(frozen=True, slots=True)
    class TurnedUp:
        """The event of version 1.1: the seat has another name, and the card is a code."""

        who: int
        code: str
        loud: bool = True

        def text(self, names: Sequence[str]) -> str:
            return f"{names[self.who]} turns up {self.code}."

    return TurnedUp


NewTurnedUp = _turned_up()


class Old(OneCard):
    """Version 1.0."""

    Options = OldOptions


class New(OneCard):
    """Version 1.1, with a migration."""

    version = "1.1"
    Options = NewOptions
    events = (NewTurnedUp, *OneCard.events[1:])

    def evolve(self, state: Any, event: Any) -> Any:
        if isinstance(event, NewTurnedUp):
            cards = (*state.cards[: event.who], event.code, *state.cards[event.who + 1 :])  # type: ignore[attr-defined]
            return replace(state, cards=cards, drawn=state.drawn + 1)
        return super().evolve(state, event)

    def decide(self, state: Any, seat: int, move: Any, ctx: Any) -> Any:
        (event,) = super().decide(state, seat, move, ctx)  # type: ignore[misc]
        return [NewTurnedUp(seat, event.card.value)]

    def migrate(self, kind: str, document: dict[str, Any], version: str) -> dict[str, Any]:
        if version.startswith("1.0"):
            if kind == "Options":
                return {"speed": 1 if document["slow"] else 2}
            if kind == "TurnedUp":
                return {"who": document["seat"], "code": document["card"]}
        return super().migrate(kind, document, version)


class Next(OneCard):
    """Version 2.0, without a migration."""

    version = "2.0"
    Options = OldOptions


class Minor(OneCard):
    """Version 1.2, which has no need of a migration."""

    version = "1.2"
    Options = OldOptions


def having(game: Any) -> Registry:
    class Brings:
        @hookimpl
        def fliptable_games(self) -> list[Any]:
            return [game]

    registry = load_plugins()
    registry.register(Brings(), "one-card", "fliptable-one-card")
    return registry


@pytest.fixture(scope="module")
def stored() -> list[dict[str, Any]]:
    """A table that version 1.0 has stored, in the middle of a round."""
    registry = having(Old())
    script = TableScript(registry, "one-card", local_seats=["Lou"], game_options=OldOptions(slow=True))
    script.play(0, TurnUp())
    return [to_document(registry.codec, commit) for commit in script.commits]


def read(registry: Registry, documents: Sequence[dict[str, Any]]) -> Any:
    return fold(registry, [from_document(registry.codec, one) for one in documents])


def test_a_table_of_the_old_version_is_read_through_the_migration(stored: list[dict[str, Any]]) -> None:
    before, after = read(having(Old()), stored), read(having(New()), stored)
    assert after.game_options == NewOptions(speed=1)
    assert after.round.state.cards == before.round.state.cards != ("", "")
    assert after.opening.game_version == "1.0"


def test_it_goes_on_with_events_of_both_versions(stored: list[dict[str, Any]]) -> None:
    registry = having(New())
    script = TableScript(registry, "one-card", local_seats=["Lou"], game_options=NewOptions(2))
    script.commits[:] = [from_document(registry.codec, one) for one in stored]
    script.table = script.refold()
    script.play(1, TurnUp())
    assert script.table.round is not None and script.table.round.outcome is not None
    documents = [to_document(registry.codec, commit) for commit in script.commits]
    kept = documents[-1]["e"][0]
    assert (kept["@"], kept["@v"]) == ("one-card/TurnedUp", "1.1")
    assert to_snapshot(read(registry, [*stored, documents[-1]])) == to_snapshot(script.table)


def test_a_snapshot_of_another_version_is_not_used(stored: list[dict[str, Any]]) -> None:
    snapshot = to_snapshot(read(having(Old()), stored))
    assert from_snapshot(having(Old()), snapshot) is not None
    assert from_snapshot(having(Minor()), snapshot) is None


def test_a_minor_version_reads_what_is_stored_as_it_is(stored: list[dict[str, Any]]) -> None:
    assert read(having(Minor()), stored).game_options == OldOptions(slow=True)


def test_without_a_migration_the_next_major_version_says_so(stored: list[dict[str, Any]]) -> None:
    with pytest.raises(UnreadableLog) as caught:
        read(having(Next()), stored)
    wanted = "the table was stored by version 1.0 of one-card, which is 2.0 now and declares no migration"
    assert wanted in str(caught.value) and "table tbl_script: version 1 cannot be read" in str(caught.value)


def test_the_first_version_leaves_no_mark(stored: list[dict[str, Any]]) -> None:
    assert not [event for commit in stored for event in commit["e"] if "@v" in event]
    assert TurnedUp in Old.events


def test_clients_are_told_which_versions_do_not_fit(stored: list[dict[str, Any]]) -> None:
    from graphql import GraphQLError

    from fliptable_api.errors import coded

    with pytest.raises(UnreadableLog) as caught:
        read(having(Next()), stored)
    told = coded(GraphQLError("?", original_error=caught.value))
    assert told.extensions is not None and told.extensions["code"] == "TABLE_UNREADABLE"
    assert "version 1.0 of one-card, which is 2.0 now" in told.message
