"""Cursors and pages of connections."""

from __future__ import annotations

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Any, Generic, TypeVar

from fliptable.quoting import quoted
from fliptable_api.errors import CodedError, InvalidArgument
from fliptable_api.types import PageInfo

PAGE = 20
"""The page of a connection when nobody says how large."""
MOST = 100
"""The largest page of a connection."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class EdgeNode(Generic[T]):
    """An entry with its cursor."""

    cursor: str
    node: T


@dataclass(frozen=True, slots=True)
class ConnectionNode(Generic[T]):
    """A page of entries."""

    edges: list[EdgeNode[T]]
    page_info: PageInfo

    @property
    def nodes(self) -> list[T]:
        """The entries without their cursors."""
        return [edge.node for edge in self.edges]


def page_size(first: int | None, name: str = "first") -> int:
    """How many entries a page has. Errors: CodedError for a size that is not allowed."""
    size = PAGE if first is None else first
    if not 1 <= size <= MOST:
        raise InvalidArgument(name, f"{name} is {size}; it has to be from 1 to {MOST}.")
    return size


@dataclass(frozen=True, slots=True)
class Window:
    """Which part of a connection is asked for."""

    size: int
    after: str | None
    before: str | None
    backward: bool
    """Whether it is the last entries before a place, rather than the first after one."""


def window(first: int | None, after: str | None, last: int | None, before: str | None) -> Window:
    """The part of a connection that its arguments mean. Errors: CodedError."""
    if first is not None and last is not None:
        raise InvalidArgument("last", "first and last exclude one another.")
    backward = last is not None or (first is None and before is not None and after is None)
    return Window(
        page_size(last if backward else first, name="last" if backward else "first"),
        after,
        before,
        backward,
    )


def list_of(kind: str, *names: str) -> str:
    """What cursors call one of several lists of a kind, which these names tell apart."""
    return f"{kind}:{blake2b(chr(0).join(names).encode(), digest_size=6).hexdigest()}"


def to_cursor(kind: str, value: str) -> str:
    """An opaque cursor of a kind of connection, or of one list of it: :func:`list_of`."""
    return urlsafe_b64encode(f"{kind}|{value}".encode()).decode().rstrip("=")


def from_cursor(kind: str, cursor: str, read: Callable[[str], T], name: str = "after") -> T:
    """What a cursor stands for. Errors: CodedError when the connection did not give it out."""
    try:
        text = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
        found, _, value = text.partition("|")
        if found != kind:
            raise ValueError(found)
        return read(value)
    except (ValueError, binascii.Error, UnicodeError):
        message = f"{name}: {quoted(cursor)} is not a cursor of this connection."
        raise CodedError("INVALID_CURSOR", message, field=name) from None


def read_place(text: str) -> tuple[datetime, str]:
    """A time and a name from ``TIME|NAME``. Errors: ValueError, also for a time that is not in UTC."""
    at, _, name = text.partition("|")
    time = datetime.fromisoformat(at)
    if time.utcoffset() != timedelta(0) or "\0" in name:
        raise ValueError(text)
    return time, name


def page(
    entries: Sequence[tuple[str, T]], size: int, started: bool, backward: bool = False
) -> ConnectionNode[Any]:
    """A page of (cursor, entry) pairs, of which one more than ``size`` was looked up.

    ``started`` says whether there is something on the side from which the page was counted; of a page that
    was counted from the end, the one more comes first.
    """
    more = len(entries) > size
    shown = entries[-size:] if backward else entries[:size]
    edges = [EdgeNode(cursor, node) for cursor, node in shown]
    return ConnectionNode(
        edges,
        PageInfo(
            has_next_page=started if backward else more,
            has_previous_page=more if backward else started,
            start_cursor=edges[0].cursor if edges else None,
            end_cursor=edges[-1].cursor if edges else None,
        ),
    )
