"""Two versions of a plugin: what one has stored, the next reads through its migration, or refuses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest
from graphql import GraphQLError

from fliptable import hookimpl
from fliptable.codec import UnknownPart
from fliptable.commits import from_document, to_document
from fliptable.events import TableUpgraded
from fliptable.evolve import fold
from fliptable.migrations import OtherVersion, UnreadableLog, is_newer
from fliptable.plugins import Registry, load_plugins
from fliptable.snapshot import from_snapshot, to_snapshot
from fliptable.testing import OneCard, TableScript
from fliptable.testing.toys import TurnedUp, TurnUp
from fliptable_api.errors import coded


@dataclass(frozen=True, slots=True)
class OldOptions:
    """Options of version 1.0."""

    slow: bool = False


@dataclass(frozen=True, slots=True)
class NewOptions:
    """Options of version 1.1: a speed instead of a switch."""

    speed: int = 2


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


class Bare(New):
    """Version 1.1, of which somebody forgot the migration."""

    def migrate(self, kind: str, document: dict[str, Any], version: str) -> dict[str, Any]:
        return OneCard.migrate(self, kind, document, version)


class Crash(New):
    """Version 1.1, the migration of which has a mistake in it."""

    def migrate(self, kind: str, document: dict[str, Any], version: str) -> dict[str, Any]:
        return {"speed": document["sloth"]}


class Silent(Old):
    """What stored the tables had another name for its field, and no other version."""

    events = (_turned_up(), *OneCard.events[1:])


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


def play_on(registry: Registry, stored: Sequence[dict[str, Any]], options: Any) -> list[dict[str, Any]]:
    """The stored table, with one more commit by the plugin of the registry."""
    script = TableScript(registry, "one-card", local_seats=["Lou"], game_options=options)
    script.commits[:] = [from_document(registry.codec, one) for one in stored]
    script.table = script.refold()
    script.play(1, TurnUp())
    assert script.table.round is not None and script.table.round.outcome is not None
    documents = [*stored, to_document(registry.codec, script.commits[-1])]
    assert to_snapshot(read(registry, documents)) == to_snapshot(script.table)
    return documents


def test_it_goes_on_with_events_of_both_versions(stored: list[dict[str, Any]]) -> None:
    registry = having(New())
    documents = play_on(registry, stored, NewOptions(2))
    upgraded, kept = from_document(registry.codec, documents[-1]).events[0], documents[-1]["e"][1]
    assert upgraded == TableUpgraded("one-card", "1.1", "classic", "1.0")
    assert upgraded.text(["Ann"]) == "The table goes on with one-card 1.1 and classic 1.0."
    assert (kept["@"], kept["@v"]) == ("one-card/TurnedUp", "1.1")
    table = read(registry, documents)
    assert table.played_with == table.loaded == ("1.1", "1.0") and table.opening.game_version == "1.0"


def test_only_what_a_new_version_does_first_says_so(stored: list[dict[str, Any]]) -> None:
    registry = having(New())
    script = TableScript(registry, "one-card", local_seats=["Lou"], game_options=NewOptions(2))
    script.commits[:] = [from_document(registry.codec, one) for one in stored]
    script.table = script.refold()
    script.disconnect("ann")
    script.reconnect("ann")
    script.play(1, TurnUp())
    told = [commit.version for commit in script.commits if TableUpgraded in map(type, commit.events)]
    assert told == [len(stored) + 1]


def refusal(registry: Registry, documents: Sequence[dict[str, Any]]) -> OtherVersion:
    """Why the documents cannot be read."""
    with pytest.raises(UnreadableLog) as caught:
        read(registry, documents)
    assert "table tbl_script: version " in str(caught.value)
    assert isinstance(caught.value.__cause__, OtherVersion), caught.value
    return caught.value.__cause__


@pytest.mark.parametrize("table_alone", [False, True])
def test_what_a_newer_version_has_moved_is_refused(stored: list[dict[str, Any]], table_alone: bool) -> None:
    """Also where the older one could read every document, as it would not know what has changed."""
    documents = play_on(having(New()), stored, NewOptions(2))
    if table_alone:
        documents[-1]["e"] = documents[-1]["e"][:1]
    error = refusal(having(Old()), documents)
    assert (error.part, error.stored, error.loaded, error.newer) == ("game 'one-card'", "1.1", "1.0", True)
    assert "stored by version 1.1 of the game 'one-card'" in str(error)
    assert "loaded by plugin one-card (fliptable-one-card) is 1.0" in str(error)
    assert "Load version 1.1 or a later one" in str(error)


def test_what_a_newer_version_has_opened_is_refused() -> None:
    registry = having(Minor())
    script = TableScript(registry, "one-card", local_seats=["Lou"])
    documents = [to_document(registry.codec, commit) for commit in script.commits]
    assert refusal(having(Old()), documents).stored == "1.2"
    assert read(having(Minor()), documents).opening.game_version == "1.2"


def test_a_snapshot_of_another_version_is_not_used(stored: list[dict[str, Any]]) -> None:
    snapshot = to_snapshot(read(having(Old()), stored))
    assert from_snapshot(having(Old()), snapshot) is not None
    assert from_snapshot(having(Minor()), snapshot) is None


def test_a_minor_version_reads_what_is_stored_as_it_is(stored: list[dict[str, Any]]) -> None:
    assert read(having(Minor()), stored).game_options == OldOptions(slow=True)


@pytest.mark.parametrize("game", [Next(), Bare(), Crash()])
def test_without_a_migration_that_reads_it_it_is_refused(stored: list[dict[str, Any]], game: Any) -> None:
    error = refusal(having(game), stored)
    assert (error.stored, error.loaded, error.newer) == ("1.0", game.version, False)
    assert "stored by version 1.0 of the game 'one-card'" in str(error)
    assert f"version {game.version} is loaded by plugin one-card (fliptable-one-card)" in str(error)
    why = "the migration of which fails" if isinstance(game, Crash) else "which declares no migration for it"
    assert f"{why} (Options cannot be read)" in str(error)
    assert "Load version 1.0 again" in str(error)


def test_a_field_without_a_place_is_not_lost_without_a_word() -> None:
    registry = having(OneCard())
    script = TableScript(registry, "one-card")
    script.play(0, TurnUp())
    documents = [to_document(registry.codec, commit) for commit in script.commits]
    documents[-1]["e"][0]["more"] = 1
    error = refusal(having(OneCard()), documents)
    assert error.stored == error.loaded == "1.0" and "its TurnedUp has changed since" in str(error)


def test_a_change_without_a_new_version_is_told_as_such(stored: list[dict[str, Any]]) -> None:
    error = refusal(having(Silent()), stored)
    assert error.stored == error.loaded == "1.0"
    assert "its TurnedUp has changed since" in str(error) and "with a new version" in str(error)


def test_a_table_without_its_game_says_which_one_it_needs(stored: list[dict[str, Any]]) -> None:
    with pytest.raises(UnreadableLog) as caught:
        read(load_plugins(), stored)
    assert isinstance(caught.value.__cause__, UnknownPart)
    wanted = "needs version 1.0 of the game 'one-card', which plugin one-card (fliptable-one-card) brought"
    assert wanted in str(caught.value)


@pytest.mark.parametrize(
    ("version", "other", "newer"),
    [("1.1", "1.0", True), ("1.0", "1.0", False), ("1.10", "1.9", True), ("2", "1.9.9", True)],
)
def test_versions_are_compared_number_by_number(version: str, other: str, newer: bool) -> None:
    assert is_newer(version, other) is newer and not is_newer(other, version)


def test_the_first_version_leaves_no_mark(stored: list[dict[str, Any]]) -> None:
    assert not [event for commit in stored for event in commit["e"] if "@v" in event]
    assert TurnedUp in Old.events


def told_of(error: Exception) -> Any:
    """What a client is told."""
    return coded(GraphQLError("?", original_error=error))


def test_clients_are_told_which_versions_do_not_fit(stored: list[dict[str, Any]]) -> None:
    with pytest.raises(UnreadableLog) as caught:
        read(having(Bare()), stored)
    told = told_of(caught.value)
    assert told.extensions == {
        "code": "TABLE_UNREADABLE",
        "part": "game 'one-card'",
        "stored": "1.0",
        "loaded": "1.1",
        "retryable": False,
    }
    assert told.message.startswith(
        "The table was stored by version 1.0 of the game 'one-card', and version 1.1"
    )
    assert told.message.endswith("until then the table is kept as it is.")


def test_clients_may_try_again_what_another_worker_can_read(stored: list[dict[str, Any]]) -> None:
    with pytest.raises(UnreadableLog) as caught:
        read(having(Old()), play_on(having(New()), stored, NewOptions(2)))
    assert told_of(caught.value).extensions["retryable"] is True


def test_clients_are_told_nothing_of_what_does_not_fit() -> None:
    """It may be hidden, as a card of a hand is."""
    registry = having(OneCard())
    script = TableScript(registry, "one-card")
    script.play(0, TurnUp())
    documents = [to_document(registry.codec, commit) for commit in script.commits]
    documents[-1]["e"][0]["card"] = "13H"
    with pytest.raises(UnreadableLog, match="13H") as caught:
        read(having(OneCard()), documents)
    assert "13H" not in told_of(caught.value).message
