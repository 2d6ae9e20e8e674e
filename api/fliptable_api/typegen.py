"""GraphQL types from plugin dataclasses: what a plugin declares is what clients get, typed."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import partial, reduce
from operator import or_
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import strawberry

from fliptable import NoOptions, PlayingCard, Rank, Suit
from fliptable_api.naming import camel, first_sentence, type_name, uncited

_PLAIN = (int, str, bool, float, datetime)
_CORE_NAMES: dict[type, str] = {PlayingCard: "PlayingCard", Rank: "Rank", Suit: "Suit"}


class SchemaCollision(Exception):
    """Two plugins' classes claim one GraphQL name, or a field's type has no GraphQL form."""


@strawberry.type(description="A number with a name.")
class NamedNumber:
    """A name and a number, for what is a dict in a plugin."""

    name: str = strawberry.field(description="What the number is of.")
    value: int = strawberry.field(description="The number.")


REQUIRED: Any = object()
"""The default of an input field that has none."""


@dataclass(frozen=True, slots=True)
class InputField:
    """A field of a generated input type."""

    name: str
    type: Any
    description: str
    default: Any = REQUIRED


def documented(hint: Any) -> tuple[Any, str]:
    """A field's type without ``Annotated``, and the description that was in it."""
    if get_origin(hint) is Annotated:
        kind, *extras = get_args(hint)
        return kind, uncited(next((extra for extra in extras if isinstance(extra, str)), ""))
    return hint, ""


def hints_of(kind: type) -> dict[str, tuple[Any, str]]:
    """The types and descriptions of a dataclass's fields, by name."""
    hints = get_type_hints(kind, include_extras=True)
    return {field.name: documented(hints[field.name]) for field in fields(kind)}


class TypeMaker:
    """Makes each GraphQL type once and sees to it that no name is claimed twice."""

    def __init__(self, known: Mapping[Any, Any]) -> None:
        """``known`` are classes whose output types are written by hand."""
        self._outputs: dict[Any, Any] = dict(known)
        self._inputs: dict[Any, Any] = {}
        self._owners: dict[str, object] = {}

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
        origin, args = get_origin(kind), get_args(kind)
        if origin in (Union, types.UnionType):
            rest = [arg for arg in args if arg is not type(None)]
            if len(rest) == 1:
                return self.output(rest[0], prefix) | None
        elif origin in (tuple, list, frozenset, set, Sequence):
            return list[self.output(args[0], prefix)]  # type: ignore[misc]
        elif origin in (dict, Mapping) and args[1] is int:
            return list[NamedNumber]
        elif isinstance(kind, type) and issubclass(kind, Enum) and kind is not PlayingCard:
            return self._enum(kind, prefix)
        elif kind is PlayingCard:
            return self._playing_card()
        elif isinstance(kind, type) and is_dataclass(kind):
            return self.object(kind, self._name(kind, prefix), prefix)
        raise SchemaCollision(f"{kind!r} in a type of {prefix} has no GraphQL form")

    def _name(self, kind: type, prefix: str) -> str:
        core = kind.__module__.split(".")[0] == "fliptable"
        return _CORE_NAMES.get(kind, kind.__name__) if core else type_name(prefix, kind.__name__)

    def object(
        self, kind: type, name: str, prefix: str, base: type | None = None, only: Sequence[str] | None = None
    ) -> Any:
        """The output type of a dataclass, with all its fields or ``only`` some.

        It may implement the interface ``base``. Errors: SchemaCollision.
        """
        if kind in self._outputs:
            return self._outputs[kind]
        if (kind, base) not in self._outputs:
            self.claim(name, kind)
            columns = [
                (field, self.output(hint, prefix), text, _collecting(field, hint))
                for field, (hint, text) in hints_of(kind).items()
                if only is None or field in only
            ]
            self._outputs[kind, base] = make_type(name, first_sentence(kind.__doc__), columns, base)
        return self._outputs[kind, base]

    def _enum(self, kind: Any, prefix: str) -> Any:
        if kind not in self._outputs:
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
        origin, args = get_origin(kind), get_args(kind)
        if origin in (Union, types.UnionType):
            rest = [arg for arg in args if arg is not type(None)]
            if len(rest) == 1:
                return self.input_annotation(rest[0], prefix) | None
        elif origin in (tuple, list, Sequence):
            return list[self.input_annotation(args[0], prefix)]  # type: ignore[misc]
        elif kind is PlayingCard:
            return str
        elif isinstance(kind, type) and issubclass(kind, Enum):
            return self._enum(kind, prefix)
        elif isinstance(kind, type) and is_dataclass(kind):
            return self.input(kind, self._name(kind, prefix) + "Input", prefix)
        raise SchemaCollision(f"{kind!r} in an input of {prefix} has no GraphQL form")

    def input(self, kind: type, name: str, prefix: str) -> Any:
        """The input type of a dataclass.

        GraphQL has no input without fields, so one for nothing gets a field that may be left out.
        """
        if kind in self._inputs:
            return self._inputs[kind]
        if not fields(kind):
            nothing = InputField("nothing", bool | None, "Leave it out: there is nothing to choose.", None)
            name = "NoOptionsInput" if kind is NoOptions else name
            self.claim(name, kind)
            self._inputs[kind] = self.make_input(name, "For what has no options: {}.", [nothing])
            return self._inputs[kind]
        self.claim(name, kind)
        hints = hints_of(kind)
        wanted = [
            InputField(
                field.name,
                self.input_annotation(hints[field.name][0], prefix),
                hints[field.name][1],
                _default(field),
            )
            for field in fields(kind)
        ]
        self._inputs[kind] = self.make_input(name, first_sentence(kind.__doc__), wanted)
        return self._inputs[kind]

    def make_input(
        self, name: str, description: str, wanted: Sequence[InputField], one_of: bool = False
    ) -> Any:
        """An input type of the given fields, or one of which exactly one field has to be given."""
        namespace: dict[str, Any] = {"__annotations__": {}, "__module__": __name__}
        # Fields without a default go first, as dataclasses want it.
        for field in sorted(wanted, key=lambda field: field.default is not REQUIRED):
            namespace["__annotations__"][field.name] = field.type
            options: dict[str, Any] = {"description": field.description or None}
            if isinstance(field.default, list | dict):
                options["default_factory"] = partial(deepcopy, field.default)
            elif field.default is not REQUIRED:
                options["default"] = field.default
            namespace[field.name] = strawberry.field(**options)
        made = type(name, (), namespace)
        return strawberry.input(made, name=name, description=description, one_of=one_of)


Column = tuple[str, Any, str, Callable[..., Any] | None]
"""Name, annotation, description and resolver of a field; without a resolver it is an attribute."""


def make_type(name: str, description: str, columns: Sequence[Column], base: type | None = None) -> Any:
    """An output type of the given fields; with a base it implements that interface."""
    namespace: dict[str, Any] = {"__annotations__": {}, "__module__": __name__}
    if base is not None:
        # The interface has said which type an object is of, so there is nothing left to check.
        namespace["is_type_of"] = classmethod(lambda cls, obj, info: True)
    for field, annotation, text, resolver in columns:
        namespace["__annotations__"][field] = annotation
        options: dict[str, Any] = {"description": text or None}
        if resolver is not None:
            options.update(resolver=resolver, graphql_type=annotation)
        namespace[field] = strawberry.field(**options)
    made = type(name, (base,) if base is not None else (), namespace)
    return strawberry.type(made, name=name, description=description)


def union_of(name: str, *members: Any) -> Any:
    """The annotation of a union of output types that are made while the program runs."""
    choice: Any = reduce(or_, members)
    what = f"{members[0].__name__}, or the Refusal that says why not."
    return Annotated[choice, strawberry.union(name, description=what)]


def value_of(given: Any, kind: Any) -> Any:
    """The plugin's own value for an input. Errors: ValueError("field: why")."""
    kind, _ = documented(kind)
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        rest = [arg for arg in args if arg is not type(None)]
        return None if given is None else value_of(given, rest[0])
    if origin in (tuple, list, Sequence):
        return tuple(value_of(one, args[0]) for one in given)
    if kind is PlayingCard:
        return PlayingCard(given)
    if isinstance(kind, type) and is_dataclass(kind):
        hints = hints_of(kind)
        return kind(**{name: value_of(getattr(given, name), hint) for name, (hint, _) in hints.items()})
    return given


def only(given: Any) -> tuple[str, Any]:
    """The one field of a @oneOf input that was given, with its value."""
    return next(
        (field.name, value)
        for field in fields(given)
        if (value := getattr(given, field.name)) is not strawberry.UNSET
    )


def plain(value: Any, enum: Callable[[Enum], Any] = lambda member: member.name) -> Any:
    """A plugin's own value as it stands in an input: cards by code, enums by name or as ``enum`` says."""
    if isinstance(value, PlayingCard):
        return value.value
    if isinstance(value, Enum):
        return enum(value)
    if isinstance(value, tuple | list):
        return [plain(one, enum) for one in value]
    if is_dataclass(value):
        return {camel(field.name): plain(getattr(value, field.name), enum) for field in fields(value)}
    return value


def default_of(field: Field[Any], otherwise: Any) -> Any:
    """The default of a dataclass's field."""
    if field.default is not MISSING:
        return field.default
    return field.default_factory() if field.default_factory is not MISSING else otherwise


def _default(field: Field[Any]) -> Any:
    # Strawberry has values of enums where GraphQL has their names.
    default = default_of(field, REQUIRED)
    return default if default is REQUIRED else plain(default, lambda member: member)


def _collecting(name: str, hint: Any) -> Callable[..., Any] | None:
    """A resolver where the stored value has another form than GraphQL's; None where it has not."""
    origin = get_origin(hint)
    if origin in (dict, Mapping):

        def numbers(root: Any) -> Any:
            return [NamedNumber(name=str(key), value=value) for key, value in getattr(root, name).items()]

        return numbers
    if origin in (frozenset, set):

        def ordered(root: Any) -> Any:
            return sorted(getattr(root, name))

        return ordered
    return None


def _where(owner: object) -> str:
    return f"{owner.__module__}.{owner.__qualname__}" if isinstance(owner, type) else str(owner)
