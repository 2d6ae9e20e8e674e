"""GraphQL types from plugin dataclasses: what a plugin declares is what clients get, typed."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import Field, fields, is_dataclass
from datetime import datetime
from enum import Enum
from typing import Any, get_args, get_origin, get_type_hints

import strawberry

from fliptable import NoOptions, PlayingCard, Rank, Suit
from fliptable.limits import needed_of
from fliptable_api.naming import camel, first_sentence, type_name
from fliptable_api.typemaking import REQUIRED, InputField, make_input, make_type
from fliptable_api.values import (
    NamedNumber,
    default_input,
    default_of,
    documented,
    each,
    form,
    given_hints,
    hints_of,
    optional,
)

_PLAIN = (int, str, bool, float, datetime)
_CORE_NAMES: dict[type, str] = {PlayingCard: "PlayingCard", Rank: "Rank", Suit: "Suit"}
NAME = re.compile(r"(?!__)[_A-Za-z][_0-9A-Za-z]*")
"""What GraphQL allows as a name, but for those of introspection."""
_NO_MEMBERS = frozenset(("true", "false", "null"))
_OF_STRAWBERRY = frozenset(("is_type_of", "resolve_type"))
"""What a class of Strawberry's means something else by than a field."""
_KEYS = (str, int)
"""What a dict may have as keys, besides members of enums."""


class SchemaCollision(Exception):
    """Two plugins' classes claim one GraphQL name, or a field's type has no GraphQL form."""


class TypeMaker:
    """Makes each GraphQL type once and sees to it that no name is claimed twice."""

    def __init__(self, known: Mapping[Any, Any]) -> None:
        """``known`` are classes whose output types are written by hand."""
        self._outputs: dict[Any, Any] = dict(known)
        self._inputs: dict[Any, Any] = {}
        self._owners: dict[str, object] = {}
        self._making: list[type] = []

    def claim(self, name: str, owner: object) -> str:
        """Give a GraphQL name to a class. Errors: SchemaCollision names both that want it."""
        holder = self._owners.setdefault(name, owner)
        if holder is not owner:
            raise SchemaCollision(
                f"the GraphQL type {name} is wanted by {_where(holder)} and {_where(owner)}"
            )
        return name

    def output(self, kind: Any, prefix: str) -> Any:
        """The annotation of a Python type in an output type. Errors: SchemaCollision."""
        kind, _ = documented(kind)
        if kind in _PLAIN:
            return kind
        if (made := self._outputs.get(kind, self._outputs.get((kind, None)))) is not None:
            return made
        if (inner := optional(kind)) is not None:
            return self.output(inner, prefix) | None
        if (inner := each(kind)) is not None:
            return list[self.output(inner, prefix)]  # type: ignore[misc]
        if _is_numbers(kind):
            return list[NamedNumber]
        if kind is PlayingCard:
            return self._playing_card()
        if isinstance(kind, type) and issubclass(kind, Enum):
            return self._enum(kind, prefix)
        if isinstance(kind, type) and is_dataclass(kind):
            if not fields(kind):
                raise SchemaCollision(
                    f"is {_called(kind)}, which has no fields, and GraphQL has no such type"
                )
            return self.object(kind, self._name(kind, prefix), prefix)
        raise SchemaCollision(f"is {_called(kind)}, which has no GraphQL form")

    def _name(self, kind: type, prefix: str) -> str:
        core = kind.__module__.split(".")[0] == "fliptable"
        return _CORE_NAMES.get(kind, kind.__name__) if core else type_name(prefix, kind.__name__)

    def object(
        self,
        kind: type,
        name: str,
        prefix: str,
        base: type | None = None,
        only: Sequence[str] | None = None,
        taken: Collection[str] = (),
        ids: Collection[str] = (),
    ) -> Any:
        """The output type of a dataclass, with all its fields or ``only`` some; ``ids`` of them are IDs.

        It may implement the interface ``base``, which has ``taken`` names that no field can have; those that
        it has too are of the interface's type.
        Errors: SchemaCollision names the class and the field.
        """
        if kind in self._outputs:
            return self._outputs[kind]
        # What implements an interface is told apart by its name; other types are there once.
        key = (kind, base if base is None else name)
        if key not in self._outputs:
            self.claim(name, kind)
            with self._within(kind):
                columns = [
                    (
                        field,
                        strawberry.ID
                        if field in ids
                        else _shared(base, field) or _at(kind, field, self.output, hint, prefix),
                        text,
                        _reading(field, hint),
                    )
                    for field, (hint, text) in hints_of(kind).items()
                    if only is None or field in only
                ]
            _names_of(kind, [column[0] for column in columns], taken)
            _without_id(kind)
            self._outputs[key] = make_type(name, first_sentence(kind.__doc__), columns, base)
        return self._outputs[key]

    @contextmanager
    def _within(self, kind: type) -> Iterator[None]:
        """While the types of a class's fields are made. Errors: SchemaCollision when it is one of them."""
        if kind in self._making:
            raise SchemaCollision(f"is {_called(kind)}, which contains itself")
        self._making.append(kind)
        yield
        self._making.remove(kind)

    def _enum(self, kind: Any, prefix: str) -> Any:
        if kind not in self._outputs:
            for member in kind.__members__:
                if member in _NO_MEMBERS or not NAME.fullmatch(member):
                    raise SchemaCollision(
                        f"is {_called(kind)}, whose member {member!r} has no name that GraphQL allows"
                    )
            name = self.claim(self._name(kind, prefix), kind)
            self._outputs[kind] = strawberry.enum(kind, name=name, description=first_sentence(kind.__doc__))
        return self._outputs[kind]

    def _playing_card(self) -> Any:
        if PlayingCard not in self._outputs:
            columns = [
                ("rank", self._enum(Rank, ""), "Ace to king.", None),
                ("suit", self._enum(Suit, ""), "Clubs, diamonds, hearts or spades.", None),
                ("text", str, "The card as people write it, for example 10♥.", None),
            ]
            name = self.claim("PlayingCard", PlayingCard)
            self._outputs[PlayingCard] = make_type(name, "A standard playing card.", columns)
        return self._outputs[PlayingCard]

    def input_annotation(self, kind: Any, prefix: str) -> Any:
        """The annotation of a Python type in an input type. Errors: SchemaCollision."""
        kind, _ = documented(kind)
        if kind in _PLAIN:
            return kind
        if (inner := optional(kind)) is not None:
            return self.input_annotation(inner, prefix) | None
        if (inner := each(kind)) is not None:
            return list[self.input_annotation(inner, prefix)]  # type: ignore[misc]
        if kind is PlayingCard:
            return str
        if isinstance(kind, type) and issubclass(kind, Enum):
            return self._enum(kind, prefix)
        if isinstance(kind, type) and is_dataclass(kind):
            return self.input(kind, self._name(kind, prefix) + "Input", prefix)
        raise SchemaCollision(f"is {_called(kind)}, which has no GraphQL form in an input")

    def input(self, kind: type, name: str, prefix: str) -> Any:
        """The input type of a dataclass.

        GraphQL has no input without fields, so one for nothing gets a field that may be left out.
        Errors: SchemaCollision names the class and the field.
        """
        if kind in self._inputs:
            return self._inputs[kind]
        hints = given_hints(kind)
        if not hints:
            nothing = InputField(
                "nothing",
                bool | None,
                "There is nothing to choose: leave it out; what it says does not matter.",
                None,
            )
            name = "NoOptionsInput" if kind is NoOptions else name
            self.claim(name, kind)
            self._inputs[kind] = make_input(name, "For what has no options: {}.", [nothing])
            return self._inputs[kind]
        self.claim(name, kind)
        wanted = self.given(kind, prefix)
        self._inputs[kind] = make_input(name, first_sentence(kind.__doc__), wanted)
        return self._inputs[kind]

    def given(self, kind: type, prefix: str) -> list[InputField]:
        """The fields of a dataclass as those of an input. Errors: SchemaCollision names class and field."""
        hints = given_hints(kind)
        _names_of(kind, list(hints), ())
        with self._within(kind):
            return [
                InputField(
                    field.name,
                    _at(kind, field.name, self.input_annotation, hints[field.name][0], prefix),
                    hints[field.name][1],
                    default_given(kind, field, hints[field.name][0]),
                )
                for field in fields(kind)
                if field.init
            ]


def default_given(kind: type, field: Field[Any], hint: Any) -> Any:
    """The default of a dataclass's field in an input: null where it may be None, and says nothing else."""
    if field.name in needed_of(kind):
        return REQUIRED
    default = default_of(field, REQUIRED)
    if default is REQUIRED:
        return REQUIRED if optional(hint) is None else None
    # Strawberry has values of enums where GraphQL has their names.
    return default_input(default)


def _shared(base: type | None, field: str) -> Any | None:
    """The type of a field that an interface has too; None of any other.

    A narrower one (``Int!`` for ``Int``) would be allowed, but no document could select both.
    """
    if base is None or field not in base.__annotations__:
        return None
    return get_type_hints(base)[field]


def _reading(name: str, hint: Any) -> Callable[..., Any] | None:
    """A resolver where the stored value has another form than GraphQL's; None where it has not."""
    shown = form(hint)
    if shown is None:
        return None

    def read(root: Any) -> Any:
        return shown(getattr(root, name))

    return read


def _at(kind: type, field: str, make: Callable[[Any, str], Any], hint: Any, prefix: str) -> Any:
    """What is made of the type of a field. Errors: SchemaCollision names it."""
    try:
        return make(hint, prefix)
    except SchemaCollision as error:
        why = str(error)
        raise SchemaCollision(f"{_where(kind)}.{field} {why}" if why.startswith("is ") else why) from None


def _names_of(kind: type, names: Sequence[str], taken: Collection[str]) -> None:
    """See that fields have names that GraphQL can tell apart. Errors: SchemaCollision."""
    shown: dict[str, str] = {}
    for name in names:
        where = f"{_where(kind)}.{name}"
        if not NAME.fullmatch(camel(name)):
            raise SchemaCollision(f"{where} has no name that GraphQL allows")
        if name in taken or name in _OF_STRAWBERRY:
            raise SchemaCollision(
                f"{where} cannot be called that: the API has a field of that name beside it"
            )
        if (other := shown.setdefault(camel(name), name)) != name:
            raise SchemaCollision(f"{where} and {other} are both called {camel(name)} in GraphQL")


def _without_id(kind: type) -> None:
    """See that no field passes for an identity, by which caches keep an object. Errors: SchemaCollision."""
    for field in fields(kind):
        if camel(field.name) in ("id", "_id"):
            raise SchemaCollision(
                f"{_where(kind)}.{field.name} cannot be called that: clients keep objects by their id, and "
                "would take two with the same one for the same; call it number, code or key, for example"
            )


def _is_numbers(kind: Any) -> bool:
    """Whether a type is that of dicts to numbers."""
    if get_origin(kind) not in (dict, Mapping):
        return False
    key, value = [documented(one)[0] for one in get_args(kind)]
    return value is int and (key in _KEYS or (isinstance(key, type) and issubclass(key, Enum)))


def _called(kind: Any) -> str:
    """A type as it is written."""
    return kind.__qualname__ if isinstance(kind, type) and not get_args(kind) else str(kind)


def _where(owner: object) -> str:
    return f"{owner.__module__}.{owner.__qualname__}" if isinstance(owner, type) else str(owner)
