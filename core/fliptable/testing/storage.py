"""Whether values survive storage as they are."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from math import isfinite, isnan
from typing import Any

from fliptable.codec import pack, unpack
from fliptable.limits import MAX_INT
from fliptable.testing.broken import LawBroken
from fliptable.testing.differences import difference
from fliptable.testing.unstorable import unstorable

_MOST = 2**63 - 1
LARGEST = 1_000_000
"""So many characters a value may have, written down."""


def storable(value: Any) -> Any:
    """A value as the document that is stored, to compare by. Errors: LawBroken where it cannot be stored."""
    try:
        return pack(value)
    except TypeError as error:
        raise LawBroken("storage", unstorable(value, error)) from error


def storage_trouble(value: Any, kind: Any) -> str | None:
    """Why a value does not survive storage; None when it does."""
    try:
        document = pack(value)
        if _odd(document):
            if (trouble := _no_number(document)) is not None:
                return trouble
            for path, part in _parts(document, ""):
                if isinstance(part, int) and not isinstance(part, bool) and abs(part) > _MOST:
                    return f"{path or 'it'} is {part}, which has more than 64 bits"
                if isinstance(part, datetime) and (part.tzinfo is None or part.microsecond % 1000):
                    return f"{path or 'it'} is {part}: times need a zone and have milliseconds at most"
        again = unpack(document, kind)
    except NameError as error:
        where = f"; {kind.__name__} is of {kind.__module__}" if isinstance(kind, type) else ""
        return (
            "it cannot be read once it is stored, since an annotation names what is not found at the top of "
            f"its module: {error}{where}. Define classes there, and not inside of a function"
        )
    except ValueError as error:
        return f"it cannot be stored and read: {error}"
    except TypeError as error:
        return unstorable(value, error) if _is_unstorable(value) else f"it cannot be stored and read: {error}"
    after, written = pack(again), repr(document)
    if len(written) > LARGEST:
        return (
            f"it takes {_megabytes(len(written))} to store, and {_megabytes(LARGEST)} is the most: "
            "a table is stored whole now and then, and the database takes no document of 16 MB"
        )
    # What is written alike is alike; to look for the place where it is not takes long.
    if repr(after) != written:
        changed = difference(document, after, between="and after storage")
        if changed is not None:
            return changed
    if again != value:
        return f"it is {value} and after storage {again}"
    return None


def _megabytes(size: int) -> str:
    return f"{size / 1_000_000:.3g} MB"


def _is_unstorable(value: Any) -> bool:
    try:
        pack(value)
    except TypeError:
        return True
    return False


def number_trouble(value: Any) -> str | None:
    """Which number in a value is none that JSON has; None when all are, or the value cannot be stored."""
    try:
        return _no_number(pack(value))
    except (TypeError, ValueError):
        return None


def _odd(document: Any) -> bool:
    """Whether there is anything but words and small numbers in a document, which needs a closer look."""
    kind = type(document)
    if kind is str or kind is bool or document is None:
        return False
    if kind is int:
        return not -MAX_INT - 1 <= document <= MAX_INT
    if kind is dict:
        document = document.values()
    elif kind is not list and kind is not tuple:
        return True
    for part in document:
        inside = type(part)
        if inside is not str and inside is not bool and _odd(part):
            return True
    return False


def _no_number(document: Any) -> str | None:
    if not _odd(document):
        return None
    for path, part in _parts(document, ""):
        if isinstance(part, float) and not isfinite(part):
            why = "not equal to itself once it is stored" if isnan(part) else "no number in JSON"
            return f"{path or 'it'} is {part}, which is {why}"
    return None


def int_trouble(value: Any) -> str | None:
    """Which integer in a value does not fit GraphQL's Int; None when all do."""
    try:
        document = pack(value)
    except TypeError as error:
        return unstorable(value, error)
    if not _odd(document):
        return None
    for path, part in _parts(document, ""):
        if isinstance(part, int) and not isinstance(part, bool) and not -MAX_INT - 1 <= part <= MAX_INT:
            return f"{path or 'it'} is {part}, which is no 32-bit integer"
    return None


def _parts(document: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(document, dict):
        for key, value in document.items():
            yield from _parts(value, f"{path}.{key}" if path else str(key))
    elif isinstance(document, list | tuple):
        for index, value in enumerate(document):
            yield from _parts(value, f"{path}[{index}]")
    else:
        yield path, document
