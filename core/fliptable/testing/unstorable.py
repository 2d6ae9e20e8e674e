"""What of a value cannot be stored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from fliptable.codec import pack
from fliptable.testing.literals import shown


def unstorable(value: Any, error: TypeError) -> str:
    """Which part of a value cannot be stored, and why: by its class and field, as far as there is one."""
    where, part = type(value).__name__, value
    while (inner := next(_unpacked(part), None)) is not None:
        path, part = inner
        where += path
    what = f"a {type(part).__name__}" if repr(part).startswith("<") else shown(part)
    return f"{where} is {what}, which cannot be stored: {error}"


def _unpacked(value: Any) -> Iterator[tuple[str, Any]]:
    """The parts of a value that cannot be stored by themselves."""
    parts: list[tuple[str, Any]] = []
    if is_dataclass(value):
        parts = [(f".{one.name}", getattr(value, one.name)) for one in fields(value)]
    elif isinstance(value, Mapping):
        parts = [(f"[{key!r}]", part) for key, part in value.items()]
    elif isinstance(value, list | tuple | set | frozenset):
        parts = [(f"[{index}]", part) for index, part in enumerate(value)]
    for path, part in parts:
        try:
            pack(part)
        except TypeError:
            yield path, part


def unpacked(error: BaseException) -> str | None:
    """What is told where an error comes of storing what cannot be stored; None where it does not."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None or trace.tb_frame.f_code is not pack.__code__ or not isinstance(error, TypeError):
        return None
    return unstorable(trace.tb_frame.f_locals["value"], error)
