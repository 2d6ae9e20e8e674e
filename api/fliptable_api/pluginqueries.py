"""Fields of Query that plugins bring: questions about rules, answered from their arguments alone."""

# No postponed annotations here: the argument types are made from the plugins that are loaded.

import inspect
from typing import Annotated, Any

import strawberry

from fliptable import PluginQuery, Refusal
from fliptable.blame import asking
from fliptable.plugins import Registry
from fliptable_api.faults import PluginFault
from fliptable_api.naming import camel, pascal, sentence
from fliptable_api.typegen import SchemaCollision, TypeMaker
from fliptable_api.typemaking import REQUIRED, union_of
from fliptable_api.values import given_hints, value_of
from fliptable_api.vocabulary import Vocabulary

_OURS = "given_"
"""Before the names of arguments in Python, where ``self`` and ``info`` are not theirs to have."""


def with_plugin_queries(base: Any, registry: Registry, words: Vocabulary) -> Any:
    """The Query type with the plugins' questions added to it. Errors: SchemaCollision names both."""
    if not registry.queries:
        return base
    taken = {
        camel(one.name): f"the schema's own Query.{camel(one.name)}"
        for one in base.__strawberry_definition__.fields
    }
    namespace = {}
    for query in registry.queries.values():
        name, source = camel(query.name), registry.asker(query.name)
        mine = f"the query {query.name} of {source}"
        if (other := taken.setdefault(name, mine)) != mine:
            raise SchemaCollision(f"Query.{name} is wanted by {other} and {mine}")
        namespace[f"asked_{query.name}"] = _field(query, words, source)
    made = type("Query", (base,), {**namespace, "__module__": __name__})
    return strawberry.type(made, name="Query", description="What can be looked up.")


def _field(query: PluginQuery, words: Vocabulary, source: str) -> Any:
    hints = given_hints(query.Arguments)

    def resolve(self: Any, **given: Any) -> Any:
        try:
            with asking("query", query, source):
                arguments = query.Arguments(
                    **{name: value_of(given[_OURS + name], hint) for name, (hint, _) in hints.items()}
                )
                answer = query.answer(arguments)
                if not isinstance(answer, Refusal | query.Result):
                    raise PluginFault(f"the answer is {answer!r}, which is no {query.Result.__name__}")
        except ValueError as error:
            name, _, why = str(error).partition(": ")
            answer = Refusal("INVALID_VALUE", sentence(why or str(error)), name if why else None)
        if isinstance(answer, Refusal):
            path = ".".join(map(camel, answer.field.split("."))) if answer.field else None
            return words.refused(Refusal(answer.code, answer.message, path))
        return answer

    resolve.__signature__ = _signature(query, words.maker)  # type: ignore[attr-defined]
    resolve.__name__ = query.name
    resolve.__annotations__ = {}
    result = words.maker.output(query.Result, query.graphql)
    accept = classmethod(lambda cls, obj, info: isinstance(obj, query.Result))
    result.__strawberry_definition__.is_type_of = accept.__get__(None, result)
    name = words.maker.claim(f"{pascal(query.name)}Result", f"the answer of the query {query.name}")
    union = union_of(name, result, words.refusal)
    return strawberry.field(
        resolver=resolve, name=camel(query.name), graphql_type=union, description=query.description
    )


class _List(list[Any]):
    __hash__ = object.__hash__  # type: ignore[assignment]


class _Dict(dict[str, Any]):
    __hash__ = object.__hash__  # type: ignore[assignment]


def _hashable(default: Any) -> Any:
    """A default that never changes: Strawberry hashes the parameters of resolvers."""
    if isinstance(default, list):
        return _List(default)
    return _Dict(default) if isinstance(default, dict) else default


def _signature(query: PluginQuery, maker: TypeMaker) -> inspect.Signature:
    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    for one in maker.given(query.Arguments, query.graphql):
        if camel(one.name) == "info":
            where = f"{query.Arguments.__module__}.{query.Arguments.__qualname__}.{one.name}"
            raise SchemaCollision(f"{where} cannot be called that: resolvers have an argument of that name")
        annotation: Any = Annotated[
            one.type, strawberry.argument(name=camel(one.name), description=one.description)
        ]
        default = inspect.Parameter.empty if one.default is REQUIRED else _hashable(one.default)
        parameters.append(
            inspect.Parameter(
                _OURS + one.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
            )
        )
    return inspect.Signature(parameters, return_annotation=Any)
