"""Between dataclasses and plain documents (dicts, lists, numbers, strings) for storage and transport."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from typing import Any, TypeVar

import msgspec

from fliptable.rules import NoOptions, Private

NATIVE = (datetime, bytes)
"""What documents hold besides numbers, strings, booleans, lists and dicts."""

PRIVATE = "private"
"""The kind of the wrapper around an event that not everyone may see."""

T = TypeVar("T")


def pack(value: Any) -> Any:
    """A dataclass (and whatever is in it) as a plain document. Errors: TypeError for other things."""
    return msgspec.to_builtins(value, builtin_types=NATIVE, str_keys=True)


def unpack(document: Any, kind: type[T]) -> T:
    """The dataclass that a document stands for. Errors: ValueError says where it does not fit."""
    return msgspec.convert(document, kind, builtin_types=NATIVE, str_keys=True)


def options_of(kind: type[T], values: Mapping[str, Any]) -> T:
    """Options or terms from their documents. Errors: ValueError names the option and the reason."""
    if kind is NoOptions:
        return kind()
    unknown = set(values) - {field.name for field in fields(kind)}  # type: ignore[arg-type]
    if unknown:
        raise ValueError(f"{min(unknown)}: there is no such option")
    return unpack(dict(values), kind)


class UnknownEvent(ValueError):
    """A stored event has a kind that no loaded plugin brings."""


class EventCodec:
    """Events of known kinds to documents and back. A kind is ``plugin id/class name``.

    The kind stands under ``@``, which no field of a dataclass can be called.
    """

    def __init__(self) -> None:
        """Knows no event at first."""
        self._kinds: dict[str, type] = {}
        self._names: dict[type, str] = {}

    def register(self, owner: str, *events: type) -> None:
        """Make the events of a plugin (or of the table itself) known."""
        for event in events:
            kind = f"{owner}/{event.__name__}"
            self._kinds[kind] = event
            self._names[event] = kind

    def kind(self, event: type) -> str:
        """The kind under which an event class is stored. Errors: UnknownEvent."""
        try:
            return self._names[event]
        except KeyError:
            raise UnknownEvent(f"{event.__qualname__} is declared by no plugin's events") from None

    def pack(self, event: Any) -> dict[str, Any]:
        """An event as a document. Errors: UnknownEvent, TypeError."""
        if type(event) is Private:
            return {
                "@": PRIVATE,
                "event": self.pack(event.event),
                "to": sorted(event.to),
                "public": None if event.public is None else self.pack(event.public),
                "round": event.round,
            }
        document: dict[str, Any] = {"@": self.kind(type(event))}
        document.update(pack(event))
        return document

    def unpack(self, document: Mapping[str, Any]) -> Any:
        """The event that a document stands for. Errors: UnknownEvent, ValueError."""
        name = document["@"]
        if name == PRIVATE:
            public = document["public"]
            return Private(
                self.unpack(document["event"]),
                frozenset(document["to"]),
                None if public is None else self.unpack(public),
                document["round"],
            )
        kind = self._kinds.get(name)
        if kind is None:
            raise UnknownEvent(f"no loaded plugin knows the event {name!r}")
        return unpack({key: value for key, value in document.items() if key != "@"}, kind)
