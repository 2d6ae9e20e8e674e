"""Strawberry's types, made while the program runs: out of a name, a description and fields."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import partial, reduce
from operator import or_
from typing import Annotated, Any

import strawberry

from fliptable_api.naming import camel, key_of

REQUIRED: Any = object()
"""The default of an input field that has none."""


@dataclass(frozen=True, slots=True)
class InputField:
    """A field of a generated input type."""

    name: str
    type: Any
    description: str
    default: Any = REQUIRED


def make_input(name: str, description: str, wanted: Sequence[InputField], one_of: bool = False) -> Any:
    """An input type of the given fields, or one of which exactly one field has to be given."""
    namespace: dict[str, Any] = {"__annotations__": {}, "__module__": __name__}
    # Fields without a default go first, as dataclasses want it.
    for field in sorted(wanted, key=lambda field: field.default is not REQUIRED):
        key = key_of(field.name)
        namespace["__annotations__"][key] = field.type
        options: dict[str, Any] = {"name": camel(field.name), "description": field.description or None}
        if isinstance(field.default, list | dict):
            options["default_factory"] = partial(deepcopy, field.default)
        elif field.default is not REQUIRED:
            options["default"] = field.default
        namespace[key] = strawberry.field(**options)
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
        options: dict[str, Any] = {"name": camel(field), "description": text or None}
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
