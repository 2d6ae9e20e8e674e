"""The law that what is given arrives as it was given: every move, and whatever can be chosen."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import MISSING, fields
from datetime import datetime
from typing import Any, get_args, get_origin

from fliptable import Choices, Constraint, Game, MoveRange, PlayingCard, PluginQuery, Several, projection
from fliptable.limits import needed_of
from fliptable_api.naming import camel, type_name, uncapitalised
from fliptable_api.testing.coding import Unwritable, all_of, difference, each, given, is_record, maybe, typed
from fliptable_api.testing.instances import Instances, with_field
from fliptable_api.testing.outputs import agree, shown_of, values_of
from fliptable_api.testing.stage import TABLE, Answer, NotAnswered, Stage
from fliptable_api.testing.told import What, field_of

_PLAY = (
    "mutation ($i: PlayMoveInput!) { playMove(input: $i) { __typename ... on Refusal { message field } } }"
)
_OPEN = (
    "mutation ($i: CreateTableInput!) { createTable(input: $i) "
    "{ __typename ... on Refusal { message field } } }"
)
_CHALLENGE = (
    "mutation ($i: CreateChallengeInput!) { createChallenge(input: $i) "
    "{ __typename ... on Refusal { message field } } }"
)
_LEGAL = """query ($t: ID!) { table(id: $t) { legalMoves {
  label input fields { name path type list choices minItems maxItems } } } }"""

_SCALARS = {
    int: "Int",
    float: "Float",
    bool: "Boolean",
    str: "String",
    PlayingCard: "String",
    datetime: "DateTime",
}

Send = Callable[[Any], Awaitable[Any]]
"""Gives the API something in JSON; what arrives of it."""


async def check_moves(stage: Stage, game: Game[Any, Any], instances: Instances) -> None:
    """Have every move played as clients send it, and listed as they read it. Errors: AssertionError."""
    key = uncapitalised(game.graphql)
    for kind in game.moves:
        name = uncapitalised(kind.__name__)
        what = What(game.id, "the move", f"{key}.{name}")

        async def send(content: Any, key: str = key, name: str = name) -> Any:
            stage.moves.last = None
            move = {key: {name: content or True}}
            await stage.ask(_PLAY, i={"tableId": TABLE, "move": move})
            return stage.moves.last

        values = await _arrive(what, kind, instances, send)
        if (trouble := _trouble(values[0])) is not None:
            raise what.broken(f"{trouble} (if there is no such move, pass examples)", "label", values[0])
        for one in values:
            # Not everything that the types allow has to make sense, so not all of it has to have a name.
            if _trouble(one) is None:
                listed = await _listed(stage, what, one, one)
                found = difference({key: {name: _given(what, one) or True}}, listed["input"])
                if found is not None:
                    raise what.broken(f"it is listed as {listed['input']}", found[0], one)
        await _check_ranges(stage, what, values, f"{key}.{name}", send)


async def _check_ranges(stage: Stage, what: What, values: Sequence[Any], path: str, send: Send) -> None:
    """Have the values listed that a field of a move may have, and send each of them back."""
    base = values[0]
    for field, hint in typed(type(base)):
        listed_in = maybe(hint) or hint
        several = get_origin(listed_in) in (tuple, list, Sequence)
        is_tuple = get_origin(listed_in) is tuple
        if is_tuple and get_args(listed_in)[-1] is not ...:
            continue
        parts = [getattr(one, field.name) for one in values]
        if several:
            parts = [one for part in parts for one in part or ()]
        choices = tuple({repr(one): one for one in parts if one is not None}.values())
        if not choices or not field.init:
            continue
        allowed = Several(Choices(choices), len(choices)) if several else Choices(choices)
        listed = await _listed(stage, what, MoveRange(base, {field.name: allowed}), base)
        (told,) = listed["fields"]
        expected = {"path": f"{path}.{camel(field.name)}", "list": several, "type": _scalar(hint)}
        if not expected.items() <= told.items():
            raise what.broken(f"its limits are listed as {told}", field.name, base)
        sent = [(choices, told["choices"])] if several else zip(choices, told["choices"], strict=True)
        for wanted, choice in sent:
            # Values of a list are told apart as a tuple, whatever the field keeps them in.
            value = with_field(base, field.name, list(wanted) if several and not is_tuple else wanted)
            if value is not None:
                await _arrives(what, value, {**_given(what, base), camel(field.name): choice}, send)


async def check_options(stage: Stage, part: Any, instances: Instances) -> None:
    """Have tables opened with all sorts of options of a game or mode. Errors: AssertionError."""
    field = "game" if isinstance(part, Game) else "mode"
    key = uncapitalised(part.graphql)
    what = What(part.id, "the options", type_name(part.graphql, "OptionsInput"))
    least = {
        name: {uncapitalised(one.graphql): given(instances.first(one.Options), one.Options)}
        for name, one in stage.parts.items()
        if name != field
    }

    async def send(content: Any) -> Any:
        stage.opened = None
        await stage.ask(_OPEN, i={**least, field: {key: content}})
        opened = stage.opened
        return None if opened is None else getattr(opened, f"{field}_options")

    await _arrive(what, part.Options, instances, send)
    catalogue = (await stage.ask(f"{{ all: {field}s {{ id options {{ name required default }} }} }}"))["all"]
    listed = next(one["options"] for one in catalogue if one["id"] == part.id)
    for (one, hint), told in zip(typed(part.Options), listed, strict=True):
        default = _default(part.Options, one, hint)
        required = default is MISSING
        expected = {
            "name": camel(one.name),
            "required": required,
            "default": None if required else given(default, hint),
        }
        if difference(expected, told) is not None:
            raise what.broken(f"the catalogue has {told} instead of {expected}", one.name)


async def check_constraint(stage: Stage, constraint: Constraint, instances: Instances) -> None:
    """Have challenges made with all sorts of a constraint. Errors: AssertionError."""
    key = uncapitalised(constraint.graphql)
    what = What(constraint.id, "the constraint", f"ConstraintInput.{key}")

    async def send(content: Any) -> Any:
        stage.challenged = []
        made = {"title": "Tested", "constraints": [{key: content}]}
        await stage.ask(_CHALLENGE, i=made)
        return stage.challenged[0][1] if stage.challenged else None

    await _arrive(what, constraint.Options, instances, send)


async def check_query(stage: Stage, query: PluginQuery, answer: Answer, instances: Instances) -> None:
    """Have a question asked and answered in all sorts of ways. Errors: AssertionError.

    ``answer`` is what gives the answers.
    """
    name, result = camel(query.name), type_name(query.graphql, query.Result.__name__)
    arguments = stage.built.schema._schema.query_type.fields[name].args  # type: ignore[union-attr]

    async def ask(content: Any) -> Any:
        declared = ", ".join(f"${one}: {arguments[one].type}" for one in content)
        passed = ", ".join(f"{one}: ${one}" for one in content)
        chosen = f"__typename ... on {result} {{ {all_of(query.Result)} }}"
        document = f"{{ {name}{f'({passed})' if passed else ''} {{ {chosen} }} }}"
        return (await stage.ask(f"query ({declared}) {document}" if declared else document, **content))[name]

    what = What(query.name, "the question", f"Query.{name}")
    answers = values_of(What(query.name, "the answer", result), query.Result, instances)

    async def send(content: Any) -> Any:
        answer.said, answer.asked = answers[0], None
        await ask(content)
        return answer.asked

    values = await _arrive(what, query.Arguments, instances, send)
    what = What(query.name, "the answer", result)
    for one in answers:
        answer.said = one
        try:
            told = await ask(_given(what, values[0]))
        except NotAnswered as error:
            raise what.broken(f"the API has no answer: {error}", field_of(error.path[1:]), one) from error
        agree(what, [one], [shown_of(what, one)], [told])


async def _arrive(what: What, kind: type, instances: Instances, send: Send) -> list[Any]:
    """Send all sorts of values of a class, with and without what may be left out; the values."""
    values = values_of(what, kind, instances)
    for one in values:
        await _arrives(what, one, _given(what, one), send)
    base = values[0]
    whole = _given(what, base)
    for field, hint in typed(kind):
        default = _default(kind, field, hint)
        if field.init and default is not MISSING:
            least = {name: part for name, part in whole.items() if name != camel(field.name)}
            wanted = with_field(base, field.name, default)
            if wanted is not None:
                await _arrives(what, wanted, least, send)
    return values


async def _arrives(what: What, value: Any, content: Any, send: Send) -> None:
    try:
        arrived = await send(content)
    except NotAnswered as error:
        raise what.broken(f"the API does not take {content}: {error}", example=value) from error
    if arrived is None:
        raise what.broken(f"the API refuses {content}", example=value)
    for field in fields(value):
        sent, came = getattr(value, field.name), getattr(arrived, field.name)
        if sent != came or type(sent) is not type(came):
            raise what.broken(f"{sent!r} arrives as {came!r}", field.name, value)


def _default(kind: type, field: Any, hint: Any) -> Any:
    """What a field is when it is left out; MISSING where it may not be."""
    if field.name in needed_of(kind):
        return MISSING
    if field.default is not MISSING:
        return field.default
    if field.default_factory is not MISSING:
        return field.default_factory()
    return None if maybe(hint) is not None else MISSING


def _scalar(hint: Any) -> str:
    """What is said to be the type of a field, or of its entries where it is a list."""
    inner = maybe(hint) or each(hint)
    if inner is not None:
        return _scalar(inner)
    return _SCALARS.get(hint, "Object" if is_record(hint) else "Enum")


def _trouble(move: Any) -> str | None:
    """What is wrong with what a move is called."""
    try:
        label = projection.label(move)
    except Exception as error:
        return f"it raises {type(error).__name__}: {error}"
    return None if label.strip() and "\n" not in label else f"it is {label!r}, which is no name for a button"


async def _listed(stage: Stage, what: What, legal: Any, example: Any) -> dict[str, Any]:
    """What is listed of a legal move."""
    stage.show([stage.table(state=[legal])])
    try:
        (one,) = (await stage.ask(_LEGAL, t=TABLE))["table"]["legalMoves"]
    except NotAnswered as error:
        raise what.broken(f"it cannot be listed: {error}", example=example) from error
    found: dict[str, Any] = one
    return found


def _given(what: What, value: Any) -> dict[str, Any]:
    try:
        content: dict[str, Any] = given(value, type(value))
    except Unwritable as error:
        raise what.broken(f"it {error.why}", error.path, value) from None
    return content
