"""Between dataclasses and plain documents (dicts, lists, numbers, strings) for storage and transport."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import datetime
from typing import Any, TypeVar

import msgspec

from fliptable.rules import NoOptions, Private

NATIVE = (datetime, bytes)
"""What documents hold besides numbers, strings, booleans, lists and dicts."""

FIRST_VERSION = "1.0"
"""The version of a plugin's part that stored what does not say by which version it was stored."""

PRIVATE = "private"
"""The kind of the wrapper around an event that not everyone may see."""

_OPENING = "table/TableCreated"

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


Migration = Callable[[str, dict[str, Any], str], dict[str, Any]]
"""Of a class name, a stored document and the version that stored it: the document as it is now."""


class EventCodec:
    """Events of known kinds to documents and back. A kind is ``plugin id/class name``.

    The kind stands under ``@``, which no field of a dataclass can be called, and under ``@v`` the
    version of the game or mode that it was stored by, unless that is the first one.
    """

    def __init__(self) -> None:
        """Knows no event at first."""
        self._kinds: dict[str, type] = {}
        self._names: dict[type, str] = {}
        self._stamps: dict[type, str] = {}
        self._owners: dict[str, tuple[str, Migration | None]] = {}

    def register(
        self, owner: str, *events: type, version: str = FIRST_VERSION, migrate: Migration | None = None
    ) -> None:
        """Make the events of a plugin (or of the table itself) known.

        ``migrate`` is asked for what another version than ``version`` has stored.
        """
        self._owners[owner] = (version, migrate)
        for event in events:
            kind = f"{owner}/{event.__name__}"
            self._kinds[kind] = event
            self._names[event] = kind
            if version != FIRST_VERSION:
                self._stamps[event] = version

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
        if type(event) in self._stamps:
            document["@v"] = self._stamps[type(event)]
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
        stored = {key: value for key, value in document.items() if key not in ("@", "@v")}
        owner, _, event = name.rpartition("/")
        if name == _OPENING:
            # The options of a table are stored with its first event, by the versions that it names.
            for part, owner in (("game", stored["game"]), ("mode", f"mode:{stored['mode']}")):
                options, version = stored[f"{part}_options"], stored[f"{part}_version"]
                stored[f"{part}_options"] = self._migrated(owner, "Options", options, version)
        else:
            stored = self._migrated(owner, event, stored, document.get("@v", FIRST_VERSION))
        return unpack(stored, kind)

    def _migrated(self, owner: str, kind: str, document: dict[str, Any], version: str) -> dict[str, Any]:
        """What a version has stored, as it is now. Errors: ValueError says why it cannot be read."""
        now, migrate = self._owners.get(owner, (version, None))
        if version == now or migrate is None:
            return document
        return migrate(kind, document, version)
