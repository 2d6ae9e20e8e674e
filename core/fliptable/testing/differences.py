"""Where two values differ, in few words."""

from __future__ import annotations

from typing import Any

from fliptable.codec import pack

_LONG = 80


def difference(one: Any, other: Any, name: str = "", between: str = "or") -> str | None:
    """The first place where two documents differ, as in ``hands[0] is '3' or '5'``; None for none."""
    found = _where(one, other, name)
    if found is None:
        return None
    path, here, there = found
    return f"{path or 'it'} is {_short(here)} {between} {_short(there)}"


def apart(one: Any, other: Any, name: str) -> str | None:
    """The first place where two values differ; None where they are equal."""
    if one == other:
        return None
    try:
        found = difference(pack(one), pack(other), name)
    except TypeError:
        found = None
    return found or f"{name} is {one} or {other}"


def changes(before: Any, after: Any, name: str) -> str | None:
    """What has changed in a document, part by part, as in ``state.turn is 1 before and 2 after``."""
    parts = [(name, before, after)]
    if isinstance(before, dict) and isinstance(after, dict) and list(before) == list(after):
        parts = [(f"{name}.{key}", part, after[key]) for key, part in before.items()]
    found = [difference(one, other, path, "before and") for path, one, other in parts]
    return ", ".join([f"{one} after" for one in found if one is not None]) or None


def _where(one: Any, other: Any, path: str) -> tuple[str, Any, Any] | None:
    if isinstance(one, dict) and isinstance(other, dict) and list(one) == list(other):
        for key, part in one.items():
            found = _where(part, other[key], f"{path}.{key}" if path else str(key))
            if found is not None:
                return found
        return None
    if type(one) is type(other) and isinstance(one, list | tuple) and len(one) == len(other):
        for index, (part, another) in enumerate(zip(one, other, strict=True)):
            found = _where(part, another, f"{path}[{index}]")
            if found is not None:
                return found
        return None
    # Two dicts that are equal apart from their order are stored differently.
    same = type(one) is type(other) and one == other and not isinstance(one, dict)
    return None if same else (path, one, other)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _LONG else f"{text[:_LONG]}…"
