"""Dataclasses as documents, and the events of plugins by their kinds."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import Enum
from os import environ
from typing import Any

import pytest

from fliptable import NoOptions, PlayingCard, Private, Shuffled
from fliptable.codec import EventCodec, UnknownEvent, options_of, pack, unpack
from fliptable.owners import Owner


class Colour(Enum):
    RED = "RED"


@dataclass(frozen=True)
class Inner:
    cards: tuple[PlayingCard, ...] = ()


@dataclass(frozen=True)
class Everything:
    number: int = 1
    ratio: float = 0.5
    text: str = "größe"
    flag: bool = True
    colour: Colour = Colour.RED
    inner: Inner = field(default_factory=Inner)
    by_name: dict[str, int] = field(default_factory=dict)
    by_seat: dict[int, Inner] = field(default_factory=dict)
    seats: frozenset[int] = frozenset()
    at: datetime | None = None
    secret: bytes = b""
    nothing: Inner | None = None


FULL = Everything(
    inner=Inner((PlayingCard("AS"),)),
    by_name={"a.b": 1, "$c": 2},
    by_seat={0: Inner(), 11: Inner((PlayingCard("10H"),))},
    seats=frozenset({3, 1}),
    at=datetime(2026, 3, 1, tzinfo=UTC),
    secret=b"\0\xff",
)


@pytest.mark.parametrize("value", [Everything(), FULL])
def test_a_value_comes_back_as_it_was(value: Everything) -> None:
    document = pack(value)
    assert unpack(document, Everything) == value
    assert document["colour"] == "RED" and document["at"] is value.at


@dataclass(frozen=True)
class Held:
    """Sets wherever they may be."""

    seats: frozenset[int] = frozenset()
    suits: tuple[frozenset[Colour], ...] = ()
    by_name: dict[str, frozenset[str]] = field(default_factory=dict)
    others: tuple[Held, ...] = ()
    whatever: Any = None
    cards: tuple[frozenset[Inner], ...] = ()


def test_equal_sets_are_equal_documents() -> None:
    one, other = frozenset([8, 0]), frozenset([0, 8])
    assert list(one) != list(other)
    for wrap in (
        lambda seats: Held(seats),
        lambda seats: Held(others=(Held(whatever=Held(seats)),)),
        lambda seats: Held(whatever={"a": (seats,)}),
        lambda seats: [Held(), {"b": Held(seats)}],
    ):
        assert pack(wrap(one)) == pack(wrap(other))
    assert pack(Held(one))["seats"] == [0, 8]


def test_lists_and_names_stay_in_their_order() -> None:
    value = Held(
        by_name={"b": frozenset(), "a": frozenset()}, others=(Held(frozenset([2])), Held(frozenset([1])))
    )
    document = pack(value)
    assert list(document["by_name"]) == ["b", "a"]
    assert [one["seats"] for one in document["others"]] == [[2], [1]]
    assert unpack(document, Held) == value


PROGRAM = """
import json
from enum import Enum
from dataclasses import dataclass
from fliptable.cards import CARD
from fliptable.codec import pack

@dataclass(frozen=True)
class Kept:
    cards: frozenset[object]

print(json.dumps([pack(Kept(frozenset(CARD.values()))), pack(Kept(frozenset(f"w{n}" for n in range(50))))]))
"""


def test_every_process_stores_the_same_bytes() -> None:
    def by(seed: str) -> str:
        env = {**environ, "PYTHONHASHSEED": seed}
        return subprocess.run(
            [sys.executable, "-c", PROGRAM], env=env, check=True, capture_output=True, text=True
        ).stdout

    assert by("1") == by("2")


def test_keys_of_documents_are_text() -> None:
    assert set(pack(FULL)["by_seat"]) == {"0", "11"}


def test_what_is_no_value_is_refused() -> None:
    with pytest.raises(TypeError):
        pack(object())


@pytest.mark.parametrize(
    ("document", "complaint"),
    [
        ({"number": "1"}, "number"),
        ({"number": 1.5}, "number"),
        ({"number": True}, "number"),
        ({"colour": "BLUE"}, "colour"),
    ],
)
def test_what_does_not_fit_is_named(document: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        unpack(document, Everything)


@dataclass(frozen=True)
class Options:
    target: int = 30

    def __post_init__(self) -> None:
        if self.target < 30:
            raise ValueError("target: it has to be at least 30")


def test_options_are_checked() -> None:
    assert options_of(Options, {}) == Options()
    assert options_of(Options, {"target": 31}) == Options(31)
    assert options_of(NoOptions, {}) == NoOptions()
    for values, complaint in (
        ({"target": 29}, "target: it has to be at least 30"),
        ({"target": "31"}, "target"),
        ({"goal": 31}, "goal: there is no such option"),
    ):
        with pytest.raises(ValueError, match=complaint):
            options_of(Options, values)


def test_events_are_stored_under_their_owner_and_name() -> None:
    codec = EventCodec()
    codec.register("one", Everything)
    codec.register("mode:two", Inner)
    assert codec.kind(Everything) == "one/Everything"
    for event in (FULL, Inner((PlayingCard("AS"),))):
        document = codec.pack(event)
        assert document["@"] == codec.kind(type(event))
        assert codec.unpack(document) == event


def test_events_of_the_same_name_are_kept_apart() -> None:
    twin = dataclass(frozen=True)(
        type("Everything", (), {"__annotations__": {"other": int}, "__module__": __name__})
    )
    codec = EventCodec()
    codec.register("one", Everything)
    codec.register("two", twin)
    assert codec.kind(twin) == "two/Everything"
    assert codec.unpack(codec.pack(twin(3))) == twin(3)
    assert codec.unpack(codec.pack(FULL)) == FULL


def test_events_that_two_have_in_common_belong_to_the_first() -> None:
    """A variant may use the events of the game that it is made from, which goes on without it."""
    codec = EventCodec()
    codec.register("one", Everything, owner=Owner("game 'one'", "2.0"))
    codec.register("variant", Everything, owner=Owner("game 'variant'", "3.1"))
    assert codec.kind(Everything) == "one/Everything" and codec.pack(FULL)["@v"] == "2.0"
    assert codec.unpack({**codec.pack(FULL), "@": "variant/Everything", "@v": "3.1"}) == FULL


def test_private_events_are_wrapped() -> None:
    codec = EventCodec()
    codec.register("one", Everything, Inner)
    for event in (Private(FULL, frozenset({2, 0}), Inner(), 4), Private(FULL, frozenset())):
        document = codec.pack(event)
        assert document["@"] == "private" and document["to"] == sorted(event.to)
        assert codec.unpack(document) == event


def test_unknown_kinds_are_named() -> None:
    codec = EventCodec()
    with pytest.raises(UnknownEvent, match="Everything is declared by no plugin"):
        codec.pack(FULL)
    with pytest.raises(UnknownEvent, match="'gone/Event'"):
        codec.unpack({"@": "gone/Event"})


def test_an_old_event_may_lack_what_has_a_default_since() -> None:
    codec = EventCodec()
    codec.register("table", Shuffled)
    event = Shuffled(1, "deck", "ab", ("AS",), ("AS",), "shuffle/1")
    document = {key: value for key, value in codec.pack(event).items() if key != "until"}
    assert codec.unpack(document) == event
    with pytest.raises(ValueError, match="label"):
        codec.unpack({key: value for key, value in document.items() if key != "label"})
