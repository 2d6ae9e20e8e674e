"""The one schema extension: cached parsing and validation, limits before both, cost, masking after."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from graphql import (
    DocumentNode,
    FieldNode,
    GraphQLError,
    GraphQLSchema,
    GraphQLSyntaxError,
    NameNode,
    OperationDefinitionNode,
    OperationType,
    SelectionSetNode,
    ValuesOfCorrectTypeRule,
    get_operation_ast,
    parse,
    specified_rules,
    validate,
)
from strawberry.extensions import SchemaExtension
from strawberry.types.graphql import OperationType as StrawberryOperationType

from fliptable.quoting import quoted
from fliptable_api import limits
from fliptable_api.coercion import PlacedValues, helpful
from fliptable_api.cost import Cost, cost_of
from fliptable_api.errors import CodedError, coded

_CACHED = 512
_LARGEST_CACHED = 20_000


@dataclass(slots=True)
class _Known:
    document: DocumentNode
    errors: list[GraphQLError] | None = None
    costs: dict[str | None, Cost | None] = field(default_factory=dict)


class DocumentCache:
    """Documents that were parsed and checked before, by their text."""

    def __init__(self, allowed: limits.Limits) -> None:
        """``allowed`` is what a document may ask for."""
        self.allowed = allowed
        self._known: OrderedDict[str, _Known] = OrderedDict()

    def parse(self, text: str) -> DocumentNode:
        """The document of a text. Errors: GraphQLError."""
        entry = self._known.get(text)
        if entry is not None:
            self._known.move_to_end(text)
            return entry.document
        try:
            document = parse(text, max_tokens=self.allowed.tokens)
        except GraphQLSyntaxError as error:
            if "nested too deeply" in error.message:
                raise limits.too_large("depth", self.allowed.depth) from None
            if "tokens" not in error.message:
                raise
            raise limits.too_large("tokens", self.allowed.tokens) from None
        except RecursionError:
            raise limits.too_large("depth", self.allowed.depth) from None
        self._keep(text, document, None)
        return document

    def validate(
        self, text: str | None, document: DocumentNode, schema: GraphQLSchema, rules: Any = specified_rules
    ) -> list[GraphQLError]:
        """What is wrong with a document, limits first."""
        entry = self._known.get(text or "")
        if entry is not None and entry.document is document and entry.errors is not None:
            return entry.errors
        errors: list[GraphQLError] = list(limits.check(document, self.allowed))
        if not errors:
            # Strawberry's rules beside them say of @oneOf what graphql-core's own have said.
            placed = [PlacedValues if rule is ValuesOfCorrectTypeRule else rule for rule in rules]
            errors = helpful(validate(schema, document, placed), schema)
        if text is not None:
            self._keep(text, document, errors)
        return errors

    def checked(self, text: str) -> bool:
        """Whether a document was validated before and found to be in order."""
        entry = self._known.get(text)
        return entry is not None and entry.errors == []

    def cost(
        self,
        text: str | None,
        document: DocumentNode,
        schema: GraphQLSchema,
        name: str | None,
        variables: Mapping[str, Any] | None,
    ) -> int:
        """The cost of an operation of a valid document. Errors: CodedError when it is too high."""
        entry = self._known.get(text or "")
        if entry is None or entry.document is not document:
            entry = _Known(document)
        if name in entry.costs:
            found = entry.costs[name]
        else:
            operation = get_operation_ast(document, name)
            found = None if operation is None else cost_of(document, schema, operation)
            # What names no operation of the document is not kept, or anybody could fill the memory.
            if found is not None:
                entry.costs[name] = found
        cost = 0 if found is None else found.of(variables)
        if cost > self.allowed.cost:
            raise limits.too_large("cost", self.allowed.cost, cost)
        return cost

    def _keep(self, text: str, document: DocumentNode, errors: list[GraphQLError] | None) -> None:
        if len(text) > _LARGEST_CACHED:
            return
        self._known[text] = _Known(document, errors)
        if len(self._known) > _CACHED:
            self._known.popitem(last=False)


def _check_operation(document: DocumentNode, name: str | None) -> None:
    """Errors: CodedError when it cannot be said which operation is meant."""
    operations = [one for one in document.definitions if isinstance(one, OperationDefinitionNode)]
    count = len(operations)
    if count == 0:
        raise CodedError("BAD_REQUEST", "The document has no operation.")
    if name is None:
        if count > 1:
            told = f"The document has {count} operations; operationName says which one."
            raise CodedError("BAD_REQUEST", told)
    elif all(one.name is None or one.name.value != name for one in operations):
        told = f"The document has no operation of the name {quoted(name)} that operationName says."
        raise CodedError("BAD_REQUEST", told)


def _stub(name: str | None, allowed: Iterable[StrawberryOperationType]) -> DocumentNode:
    """A document in place of one that is none, with an operation of that name that may be asked for."""
    kinds = {one.value for one in allowed}
    kind = next(one for one in OperationType if one.value in kinds)
    selected = FieldNode(name=NameNode(value="__typename"))
    operation = OperationDefinitionNode(
        operation=kind,
        name=None if name is None else NameNode(value=name),
        selection_set=SelectionSetNode(selections=(selected,)),
    )
    return DocumentNode(definitions=(operation,))


def _mask(result: Any, context: Any) -> None:
    """Make the errors of a result what a client may see."""
    result.errors = [coded(error) for error in helpful(result.errors, context.schema._schema)]


def guard(cache: DocumentCache) -> Callable[[], SchemaExtension]:
    """A factory of the extension for a schema, with the cache that its requests share."""

    class Guard(SchemaExtension):
        problem: GraphQLError | None = None
        spent: int | None = None
        """What the operation costs; None as long as that cannot be said."""

        def on_parse(self) -> Iterator[None]:
            context = self.execution_context
            if context.query:
                try:
                    document = cache.parse(context.query)
                    _check_operation(document, context._provided_operation_name)
                except GraphQLError as error:
                    # What is raised here would be lost on a stream, so it waits until validation.
                    self.problem = error
                    document = _stub(context._provided_operation_name, context.allowed_operations)
                context.graphql_document = document
            yield

        def on_validate(self) -> Iterator[None]:
            context = self.execution_context
            assert context.graphql_document is not None
            if self.problem is not None:
                context.pre_execution_errors = [self.problem]
                yield
                return
            core = context.schema._schema
            document = context.graphql_document
            context.pre_execution_errors = cache.validate(
                context.query, document, core, context.validation_rules
            )
            if not context.pre_execution_errors:
                name = context._provided_operation_name
                try:
                    self.spent = cache.cost(context.query, document, core, name, context.variables)
                except CodedError as error:
                    self.spent = (error.extensions or {}).get("cost")
                    context.pre_execution_errors = [error]
            yield

        def get_results(self) -> dict[str, Any]:
            asked = getattr(self.execution_context.context, "asks_cost", False)
            if not asked or self.spent is None:
                return {}
            return {"cost": {"requested": self.spent, "limit": cache.allowed.cost}}

        def on_operation(self) -> Iterator[None]:
            yield
            result: Any = self.execution_context.result
            if result is not None and result.errors:
                _mask(result, self.execution_context)

        def on_stream_result(self, result: Any) -> Iterator[None]:
            if result.errors:
                _mask(result, self.execution_context)
            yield

    return Guard
