"""Between dataclasses and plain documents (dicts, lists, numbers, strings) for storage and transport."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from typing import Any, TypeVar

import msgspec

from fliptable.migrations import is_newer
from fliptable.ordering import in_order
from fliptable.owners import FIRST_VERSION, Owner
from fliptable.rules import NoOptions, Private

NATIVE = (datetime, bytes)
"""What documents hold besides numbers, strings, booleans, lists and dicts."""

PRIVATE = "private"
"""The kind of the wrapper around an event that not everyone may see."""

TABLE = "table"
"""The owner of the events that a table has whatever is played at it."""

_OPENING = f"{TABLE}/TableCreated"
_UPGRADE = f"{TABLE}/TableUpgraded"

T = TypeVar("T")


def pack(value: Any) -> Any:
    """A dataclass (and whatever is in it) as a plain document: equal values give equal ones, sets in order.

    Errors: TypeError for other things.
    """
    return in_order(value, msgspec.to_builtins(value, builtin_types=NATIVE, str_keys=True))


def unpack(document: Any, kind: type[T]) -> T:
    """The dataclass that a document stands for. Errors: ValueError says where it does not fit."""
    return msgspec.convert(document, kind, builtin_types=NATIVE, str_keys=True)


def options_of(kind: type[T], values: Mapping[str, Any]) -> T:
    """Options or terms from their documents. Errors: ValueError names the option and the reason."""
    if kind is NoOptions and not values:
        return kind()
    unknown = set(values) - {field.name for field in fields(kind)}  # type: ignore[arg-type]
    if unknown:
        raise ValueError(f"{min(unknown)}: there is no such option")
    return unpack(dict(values), kind)


class UnknownEvent(ValueError):
    """A stored event has a kind that no loaded plugin brings."""


class UnknownPart(UnknownEvent):
    """A stored table needs a game or mode that no loaded plugin brings."""

    def __init__(self, part: str, version: str, source: str) -> None:
        """``source`` says who brought it when the table was opened, if that is known."""
        brought = f", which plugin {source} brought" if source else ""
        super().__init__(
            f"the table needs version {version} of the {part}{brought}, and no loaded plugin brings it. "
            "Install it again; until then the table is kept as it is"
        )


class EventCodec:
    """Events of known kinds to documents and back. A kind is ``plugin id/class name``.

    The kind stands under ``@``, which no field of a dataclass can be called, and under ``@v`` the
    version of the game or mode that it was stored by, unless that is the first one.
    """

    def __init__(self) -> None:
        """Knows no event at first."""
        self._kinds: dict[str, type] = {}
        self._fields: dict[str, frozenset[str]] = {}
        self._names: dict[type, str] = {}
        self._stamps: dict[type, str] = {}
        self._owners: dict[str, Owner] = {}

    def register(self, id: str, *events: type, owner: Owner | None = None) -> None:
        """Make the events of a plugin (or of the table itself) known.

        A class that another one has already brought stays that one's: a variant of a game may use its events.
        """
        owner = owner or Owner(id)
        self._owners[id] = owner
        for event in events:
            kind = f"{id}/{event.__name__}"
            self._kinds[kind] = event
            self._fields[kind] = frozenset([field.name for field in fields(event)])
            if self._names.setdefault(event, kind) == kind and owner.version != FIRST_VERSION:
                self._stamps[event] = owner.version

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
        """The event that a document stands for. Errors: UnknownEvent, OtherVersion, ValueError."""
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
        id, _, event = name.rpartition("/")
        if name in (_OPENING, _UPGRADE):
            self._check_parts(stored)
        if id == TABLE:
            return unpack(stored, kind)
        version = document.get("@v", FIRST_VERSION)
        owner = self._owners[id]
        stored = owner.as_now(event, stored, version)
        try:
            # What has no place would be lost without a word.
            if not stored.keys() <= self._fields[name]:
                raise ValueError(f"there is no field {min(stored.keys() - self._fields[name])!r}")
            return unpack(stored, kind)
        except (TypeError, ValueError) as error:
            raise owner.unreadable(event, version) from error

    def _check_parts(self, stored: dict[str, Any]) -> None:
        """See that the game and the mode are here that a table is played with, and not older ones.

        The options of a table are stored with its first event; they become those of the versions that are
        loaded. Errors: UnknownPart, OtherVersion.
        """
        for part, id in (("game", stored["game"]), ("mode", f"mode:{stored['mode']}")):
            version = stored[f"{part}_version"]
            owner = self._owners.get(id)
            if owner is None:
                source = stored.get(f"{part}_source", "")
                raise UnknownPart(f"{part} {stored[part]!r}", version, source)
            if is_newer(version, owner.version):
                raise owner.unreadable("Options", version)
            if f"{part}_options" in stored:
                options = owner.as_now("Options", stored[f"{part}_options"], version)
                try:
                    options_of(owner.Options, options)
                except (TypeError, ValueError) as error:
                    raise owner.unreadable("Options", version) from error
                stored[f"{part}_options"] = options
