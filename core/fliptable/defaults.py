"""Whether the fields of a plugin's classes have defaults, ones that can be stored and told to clients."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import MISSING, Field, fields
from typing import Any, get_args, get_type_hints

from fliptable.codec import pack, unpack
from fliptable.limits import MAX_INT, limits_of, needed_of
from fliptable.signatures import ContractBroken


def vet_defaults(owner: str, kind: type, but: Collection[str] = ()) -> None:
    """See that each field has a default, but some. Errors: ContractBroken."""
    for field in fields(kind):
        if field.init and not _has_default(field) and field.name not in but:
            raise ContractBroken(f"{owner}: {kind.__name__}.{field.name} has no default")


def needed(kind: type) -> Collection[str]:
    """The fields that have to be chosen, as far as their types can be looked up."""
    try:
        return needed_of(kind)
    except NameError:  # Its types are names that only its own function knows.
        return ()


def vet_values(owner: str, kinds: Iterable[type]) -> None:
    """See that classes can be stored, and clients be told of their defaults. Errors: ContractBroken."""
    for kind in kinds:
        given = list(_given(owner, kind))
        try:
            documents = {name: pack(default) for name, default in given}
            unpack({}, kind)
        except (ValueError, NameError):
            pass  # Not everything has a default, and not every class says by which names its types are known.
        except TypeError as error:
            raise ContractBroken(f"{owner}: {kind.__name__} cannot be stored: {error}") from None
        except Exception:
            pass  # What its __post_init__ raises is told where it matters.
        for name, default in given:
            where = f"{owner}: {kind.__name__}.{name}"
            for part in _numbers(documents[name]):
                if isinstance(part, int) and not -MAX_INT - 1 <= part <= MAX_INT:
                    raise ContractBroken(f"{where} is {part} by default, which is no 32-bit integer")
                if not math.isfinite(part):
                    raise ContractBroken(f"{where} is {part} by default, which is no number in JSON")
            _fits(where, default, kind, name)
        _limits(owner, kind, dict(given))


def vet_options(whose: str, kind: type) -> None:
    """See that what is played where nothing is chosen can be. Errors: ContractBroken."""
    if needed(kind) or any(one.init and not _has_default(one) for one in fields(kind)):
        return
    try:
        kind()
    except ValueError as error:
        raise ContractBroken(
            f"{whose}: {kind.__name__}() refuses its own defaults: {error}. Take others, or mark what has to "
            "be chosen with Needed()"
        ) from error
    except Exception as error:
        raise ContractBroken(
            f"{whose}: {kind.__name__}(), which is played where nothing is chosen, cannot be made: it raises "
            f'{type(error).__name__}: {error}. What it refuses, it refuses with ValueError("field: why")'
        ) from error


def _limits(owner: str, kind: type, given: Mapping[str, Any]) -> None:
    try:
        limits, hints = limits_of(kind), get_type_hints(kind)
    except NameError:
        return
    for name, allowed in limits.items():
        where = f"{owner}: {kind.__name__}.{name}"
        if not _of_integers(hints[name]):
            raise ContractBroken(f"{where} has limits, and is no integer or list of integers")
        if allowed.low > allowed.high:
            raise ContractBroken(f"{where} has limits that nothing is within: {allowed}")
        if name in given and not allowed.has(given[name]):
            raise ContractBroken(f"{where} is {given[name]!r} by default, which is not {allowed}")


def _of_integers(hint: Any) -> bool:
    parts = [part for part in get_args(hint) if part not in (type(None), ...)]
    return hint is int or (bool(parts) and all(map(_of_integers, parts)))


def _given(owner: str, kind: type) -> Iterator[tuple[str, Any]]:
    """The fields that have a default, and what it is. Errors: ContractBroken where it cannot be made."""
    for field in fields(kind):
        if field.default is not MISSING:
            yield field.name, field.default
        elif field.default_factory is not MISSING:
            try:
                default = field.default_factory()
            except Exception as error:
                where = f"{owner}: {kind.__name__}.{field.name}"
                told = f"{type(error).__name__}: {error}"
                raise ContractBroken(f"{where} has a default_factory that raises {told}") from error
            yield field.name, default


def _has_default(field: Field[Any]) -> bool:
    return field.default is not MISSING or field.default_factory is not MISSING


def _numbers(document: Any) -> Iterator[int | float]:
    if isinstance(document, Mapping):
        document = list(document.values())
    if isinstance(document, tuple | list):
        for part in document:
            yield from _numbers(part)
    elif isinstance(document, int | float):
        yield document


def _fits(where: str, default: Any, kind: type, name: str) -> None:
    try:
        hint = get_type_hints(kind)[name]
        same = unpack(pack(default), hint) == default
    except NameError:
        return
    except (TypeError, ValueError):
        same = False
    if not same:
        called = hint.__name__ if isinstance(hint, type) else hint
        raise ContractBroken(f"{where} is {default!r} by default, which is no {called}")


__all__ = ["needed", "vet_defaults", "vet_options", "vet_values"]
