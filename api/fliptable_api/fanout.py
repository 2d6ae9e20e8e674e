"""Fan-out: subscribers who get the same answer to an update share its execution and its encoding.

The answer to an update depends on the document, its variables and the rights of whoever looks on.
All spectators have the same rights; somebody with a seat, or the host, has their own.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

import orjson
from graphql import (
    FieldNode,
    GraphQLError,
    OperationType,
    VariableNode,
    get_argument_values,
    get_operation_ast,
)
from graphql.execution.values import get_variable_values

from fliptable.feed import Update
from fliptable_api.context import RequestContext
from fliptable_api.guard import DocumentCache
from fliptable_api.nodes import UpdateNode
from fliptable_api.subscriptions import check_look, checked_table

FIELD = "tableUpdates"


@dataclass(frozen=True, slots=True)
class TableSubscription:
    """A subscription to nothing but one table's updates."""

    query: str
    variables: Mapping[str, Any]
    operation_name: str | None
    table_id: str
    after: int | None
    key: str
    """The same for all whose answers may differ by their rights only."""


def table_subscription(
    schema: Any, cache: DocumentCache, query: str, variables: Any, operation_name: str | None
) -> TableSubscription | None:
    """What an operation asks for, if it is a plain, valid subscription to a table; otherwise None.

    Everything else, mistakes included, is left to the general way of carrying out operations.
    Errors: CodedError for one that costs too much.
    """
    core = schema._schema
    variables = variables or {}
    try:
        document = cache.parse(query)
        if not cache.checked(query):
            cache.validate(query, document, core)
        if not cache.checked(query):
            return None
    except GraphQLError:
        return None
    operation = get_operation_ast(document, operation_name)
    if operation is None or operation.operation is not OperationType.SUBSCRIPTION or operation.directives:
        return None
    chosen = operation.selection_set.selections
    root = chosen[0]
    if len(chosen) != 1 or not isinstance(root, FieldNode) or root.name.value != FIELD or root.directives:
        return None
    cache.cost(query, document, core, operation_name, variables)
    values = get_variable_values(core, operation.variable_definitions or (), variables)
    if isinstance(values, list):
        return None
    try:
        arguments = get_argument_values(core.subscription_type.fields[FIELD], root, values)
    except GraphQLError:
        return None
    # What is declared fits by now; what else is sent may be anything, and changes no answer.
    declared = {one.variable.name.value for one in operation.variable_definitions or ()}
    declared.discard(_only_after(query, root) or "")
    rest = {name: value for name, value in variables.items() if name in declared}
    key = orjson.dumps([query, operation_name, rest], option=orjson.OPT_SORT_KEYS).decode()
    found = arguments.coerced if hasattr(arguments, "coerced") else arguments
    return TableSubscription(query, variables, operation_name, found["tableId"], found.get("after"), key)


def _only_after(query: str, root: FieldNode) -> str | None:
    """The variable of the argument ``after``, if it is used for nothing else."""
    for argument in root.arguments or ():
        if argument.name.value == "after" and isinstance(argument.value, VariableNode):
            name = argument.value.name.value
            if len(re.findall(rf"\${name}\b", query)) == 2:
                return name
    return None


async def answers(
    schema: Any, context: RequestContext, asked: TableSubscription
) -> AsyncGenerator[bytes, None]:
    """The answers to a table's updates, encoded. Errors: those of the service, and CodedError."""
    await checked_table(context, asked.table_id)
    updates = context.shared.service.subscribe(asked.table_id, asked.after, context.player)
    async with aclosing(updates):
        async for update in updates:
            check_look(update.table, context.player)
            yield await _answer(schema, context, asked, update)


async def _answer(schema: Any, context: RequestContext, asked: TableSubscription, update: Update) -> bytes:
    """The answer to an update, made by the first who needs it."""
    player = context.player
    own = player is not None and (bool(update.table.viewer(player)) or player == update.table.host)
    key = (asked.key, player if own else None)
    while True:
        made: asyncio.Future[bytes] | None = update.memo.get(key)
        if made is None:
            break
        if not made.done():
            await asyncio.wait([made])
        if not made.cancelled():
            return made.result()
        # Whoever began it has gone away, or failed; so does this one, or not, by itself.
        if update.memo.get(key) is made:
            del update.memo[key]
    update.memo[key] = made = asyncio.get_running_loop().create_future()
    try:
        # In this task and not in one of its own: the others find it made when their turn comes.
        text = await _render(schema, context, asked, update, own)
    except BaseException:
        made.cancel()
        raise
    made.set_result(text)
    return text


async def _render(
    schema: Any, context: RequestContext, asked: TableSubscription, update: Update, own: bool
) -> bytes:
    account = context.account if own else None
    eyes = RequestContext(context.shared, account, context.request, context.response)
    result = await schema.execute(
        asked.query,
        variable_values=dict(asked.variables),
        context_value=eyes,
        root_value=UpdateNode(context.shared, update, eyes.player),
        operation_name=asked.operation_name,
    )
    payload: dict[str, Any] = {"data": result.data}
    if result.errors:
        payload["errors"] = [error.formatted for error in result.errors]
    return orjson.dumps(payload, option=orjson.OPT_NON_STR_KEYS)
