"""Fields of Query that plugins bring: questions about rules, answered from their arguments alone."""

# No postponed annotations here: the argument types are made from the plugins that are loaded.

import inspect
from typing import Annotated, Any

import strawberry

from fliptable import PluginQuery, Refusal
from fliptable_api.naming import camel, pascal, sentence, why_not
from fliptable_api.typegen import TypeMaker
from fliptable_api.typemaking import REQUIRED, union_of
from fliptable_api.values import given_hints, value_of
from fliptable_api.vocabulary import Vocabulary


def with_plugin_queries(base: Any, queries: list[PluginQuery], words: Vocabulary) -> Any:
    """The Query type with the plugins' questions added to it."""
    if not queries:
        return base
    namespace = {query.name: _field(query, words) for query in queries}
    made = type("Query", (base,), {**namespace, "__module__": __name__})
    return strawberry.type(made, name="Query", description="What can be looked up.")


def _field(query: PluginQuery, words: Vocabulary) -> Any:
    hints = given_hints(query.Arguments)

    def resolve(self: Any, **given: Any) -> Any:
        try:
            arguments = query.Arguments(
                **{name: value_of(given[name], hint) for name, (hint, _) in hints.items()}
            )
            answer = query.answer(arguments)
        except ValueError as error:
            name, _, why = str(error).partition(": ")
            told = why_not(name, why) if why else sentence(str(error))
            answer = Refusal("INVALID_VALUE", told, name if why else None)
        if isinstance(answer, Refusal):
            path = ".".join(map(camel, answer.field.split("."))) if answer.field else None
            return words.refused(Refusal(answer.code, answer.message, path))
        return answer

    resolve.__signature__ = _signature(query, words.maker)  # type: ignore[attr-defined]
    resolve.__name__ = query.name
    resolve.__annotations__ = {}
    result = words.maker.output(query.Result, query.graphql)
    accept = classmethod(lambda cls, obj, info: type(obj) is query.Result)
    result.__strawberry_definition__.is_type_of = accept.__get__(None, result)
    union = union_of(f"{pascal(query.name)}Result", result, words.refusal)
    return strawberry.field(resolver=resolve, graphql_type=union, description=query.description)


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
        annotation: Any = Annotated[
            one.type, strawberry.argument(name=camel(one.name), description=one.description)
        ]
        default = inspect.Parameter.empty if one.default is REQUIRED else _hashable(one.default)
        parameters.append(
            inspect.Parameter(
                one.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
            )
        )
    return inspect.Signature(parameters, return_annotation=Any)
