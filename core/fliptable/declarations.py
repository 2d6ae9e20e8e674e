"""Whether what a plugin's part declares is of the kind that the contract asks for, told by its name."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Final, get_type_hints

from msgspec import inspect as kinds_of

from fliptable.rules import Result
from fliptable.scores import Better, Metric
from fliptable.signatures import ContractBroken

_TEXTS: Final = ("id", "name", "graphql", "summary", "rules")
_CLASSES: Final = ("Options", "Terms", "State", "Run", "View")
_SHOWN: Final = 80
"""So much of a value is shown."""


def vet_declared(part: Any, kind: str) -> None:
    """See that each class variable is of its kind, as far as it is there. Errors: ContractBroken names it."""
    id = getattr(part, "id", None)
    owner = f"{kind} {id!r}" if isinstance(id, str) else f"{kind} {type(part).__name__}"
    for names, complaints in _CHECKS:
        for name in names:
            if hasattr(part, name):
                for complaint in complaints(getattr(part, name)):
                    raise ContractBroken(f"{owner}: {name} {complaint}")
    for name in ("State", "Run"):
        if hasattr(part, name):
            _stored(owner, getattr(part, name))


def vet_texts(owner: str, one: Any, *names: str) -> None:
    """See that fields of an object are texts that say something. Errors: ContractBroken names one."""
    for name in names:
        for complaint in _text(getattr(one, name, None)):
            raise ContractBroken(f"{owner}: {name} {complaint}")


def _text(value: Any) -> Iterator[str]:
    if not isinstance(value, str) or not value.strip():
        yield f"is {_shown(value)}, and has to be a text that says something"
    elif any("\ud800" <= letter <= "\udfff" for letter in value):
        yield f"is {_shown(value)}, which has half a character in it"


def _class(value: Any) -> Iterator[str]:
    yield from (f"has to be a dataclass; {wrong}" for wrong in _no_dataclass(value))


def _no_dataclass(value: Any) -> Iterator[str]:
    if isinstance(value, type):
        if not is_dataclass(value):
            yield f"{value.__name__} is not a dataclass: write @dataclass(frozen=True) over it"
    elif is_dataclass(value):
        yield f"{_shown(value)} is not a dataclass but an object of one: write {type(value).__name__}"
    else:
        yield f"{_shown(value)} is not a dataclass"


@dataclass(frozen=True, slots=True)
class _Tuple:
    """A tuple, or a list, of entries of a kind."""

    of: str
    wrong: Callable[[Any], Iterator[str]]
    may_be_empty: bool = True

    def __call__(self, value: Any) -> Iterator[str]:
        """What is wrong with a value."""
        if not isinstance(value, tuple | list):
            yield f"has to be a tuple of {self.of}; it is {_named(value)}{self._instead(value)}"
            return
        if not value and not self.may_be_empty:
            yield f"is empty, and has to be a tuple of {self.of}"
        for entry in value:
            for wrong in self.wrong(entry):
                yield f"has to be a tuple of {self.of}; {wrong}"

    def _instead(self, value: Any) -> str:
        """How it is written, where that can be told."""
        if next(self.wrong(value), None) is None:
            return f": write ({_written(value)},)"
        if isinstance(value, Collection) and not isinstance(value, str | Mapping):
            return ": write it with ( and ), so that it has an order"
        return ""


def _set_of_results(value: Any) -> Iterator[str]:
    asked = "has to be a frozenset of Result"
    if isinstance(value, Result):
        yield f"{asked}; it is {value}: write frozenset({{{value}}})"
    elif not isinstance(value, set | frozenset):
        yield f"{asked}; it is {_named(value)}: write frozenset(…) around them"
    elif not value:
        yield f"is empty, and {asked}"
    else:
        for one in sorted(value, key=repr):
            if not isinstance(one, Result):
                there = ", ".join(map(str, Result))
                yield f"{asked}; {_shown(one)} is none: there are {there}"


def _set_of_modes(value: Any) -> Iterator[str]:
    asked = "has to be a frozenset of ids of modes, or None"
    if value is None:
        return
    if isinstance(value, str):
        yield f"{asked}; it is the text {value!r}: write frozenset({{{value!r}}})"
    elif not isinstance(value, set | frozenset | tuple | list):
        yield f"{asked}; it is {_named(value)}"
    elif not value:
        yield f"is empty, so the game could never be played; it {asked}"
    else:
        for one in value:
            for complaint in _text(one):
                yield f"{asked}; one {complaint}"


def _codes(value: Any) -> Iterator[str]:
    asked = "has to map codes to what they mean"
    if not isinstance(value, Mapping):
        example = next(iter(value), None) if isinstance(value, set | frozenset | tuple | list) else value
        hint = f': write {{"{example}": "What it means."}}' if isinstance(example, str) else ""
        yield f"{asked}; it is {_named(value)}{hint}"
        return
    for code in value:
        for complaint in _text(code):
            yield f"{asked}; a code {complaint}"


def _totals(value: Any) -> Iterator[str]:
    if value is not None and not (isinstance(value, range) and value):
        yield f"is {_shown(value)}, and has to be a range of totals, or None"


def _metric(value: Any) -> Iterator[str]:
    if not isinstance(value, Metric):
        yield f"{_shown(value)} is no Metric"
        return
    for name in ("title", "unit"):
        for complaint in _text(getattr(value, name)):
            yield f"the {name} of one {complaint}"
    better: Any = value.better
    if not isinstance(better, Better):
        yield f"better of one is {_shown(better)}, and has to be {' or '.join(map(str, Better))}"


_CHECKS: Final[tuple[tuple[tuple[str, ...], Callable[[Any], Iterator[str]]], ...]] = (
    (_TEXTS, _text),
    (("default_mode",), _text),
    (_CLASSES, _class),
    (("moves",), _Tuple("dataclasses", _no_dataclass, may_be_empty=False)),
    (("events",), _Tuple("dataclasses", _no_dataclass)),
    (("games",), _Tuple("ids of games", _text, may_be_empty=False)),
    (("metrics",), _Tuple("Metric", _metric)),
    (("refusals", "reasons"), _codes),
    (("results",), _set_of_results),
    (("modes",), _set_of_modes),
    (("totals",), _totals),
)
"""What each class variable has to be."""


def _stored(owner: str, kind: type) -> None:
    """See that values of a class survive storage, as far as its types can say that."""
    try:
        hints = get_type_hints(kind)
        for field in fields(kind):
            unknown = next(_custom(kinds_of.type_info(hints[field.name]), set()), None)
            if unknown is not None:
                where = f"{kind.__name__}.{field.name}"
                raise ContractBroken(
                    f"{owner}: {where} is {_hint(hints[field.name])}, and no {_hint(unknown)} can be stored: "
                    "take numbers, texts, enums, tuples, dicts and further dataclasses"
                )
    except (NameError, TypeError, ValueError):
        return  # What msgspec cannot say beforehand shows when it is stored.


def _custom(info: Any, seen: set[type]) -> Iterator[Any]:
    """The types in one that storage does not know."""
    if isinstance(info, kinds_of.CustomType):
        yield info.cls
    elif isinstance(info, kinds_of.DataclassType):
        if info.cls not in seen:
            seen.add(info.cls)
            for field in info.fields:
                yield from _custom(field.type, seen)
    else:
        for name in ("types", "item_types", "item_type", "key_type", "value_type", "type"):
            inner = getattr(info, name, None)
            for one in inner if isinstance(inner, tuple) else [] if inner is None else [inner]:
                yield from _custom(one, seen)


def _hint(kind: Any) -> str:
    return kind.__name__ if isinstance(kind, type) else str(kind).removeprefix("typing.")


def _named(value: Any) -> str:
    if isinstance(value, type):
        return f"the class {value.__name__}"
    return f"the text {_shown(value)}" if isinstance(value, str) else _shown(value)


def _written(value: Any) -> str:
    return value.__name__ if isinstance(value, type) else repr(value)


def _shown(value: Any) -> str:
    text = value.__name__ if isinstance(value, type) else repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


__all__ = ["vet_declared", "vet_texts"]
