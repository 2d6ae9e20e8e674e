"""What an operation may cost at most, told from the document and its variables alone.

A field that holds an object costs 1 (a replay 25), a mutation 10, a scalar nothing; what reads the records
of a challenge costs 10. What stands below a
list counts for each entry that there can be: `first` or `last` of a connection, as many as there are `ids`,
and :data:`ENTRIES` where the document does not say.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLNamedType,
    GraphQLSchema,
    InlineFragmentNode,
    IntValueNode,
    ListValueNode,
    OperationDefinitionNode,
    OperationType,
    SelectionSetNode,
    ValueNode,
    VariableNode,
    get_named_type,
    is_composite_type,
    is_list_type,
    is_non_null_type,
)

from fliptable_api.paging import MOST, PAGE

ENTRIES = 4
"""How many entries a list is taken to have that is no connection."""

MUTATION = 10
"""What a mutation costs besides what it selects."""

_WEIGHTS = {("Table", "updates"): 25, ("Challenge", "counts"): 10, ("Challenge", "bestFlips"): 10}
"""Fields that cost more than others: they read the database, for each entry of a list anew."""

_SIZES = ("first", "last")
_IDS = "ids"
"""The argument of a list that has an entry for each of its values."""
_HIGHEST = 10**12


@dataclass(frozen=True, slots=True)
class Cost:
    """A sum of products: how often each variable's value multiplies how much."""

    terms: Mapping[tuple[str, ...], int]
    defaults: Mapping[str, int]

    @property
    def fixed(self) -> int | None:
        """The cost, if no variable has a part in it."""
        return self.terms.get((), 0) if not any(self.terms) else None

    def of(self, variables: Mapping[str, Any] | None) -> int:
        """The cost with these variables."""
        given = variables or {}
        total = 0
        for names, factor in self.terms.items():
            for name in names:
                value = given.get(name, self.defaults.get(name, PAGE))
                value = len(value) if isinstance(value, list) else value
                factor *= min(MOST, value) if isinstance(value, int) and value > 0 else 1
            total += factor
        return total


def cost_of(document: DocumentNode, schema: GraphQLSchema, operation: OperationDefinitionNode) -> Cost:
    """The cost of an operation of a valid document."""
    counting = _Counting(document, schema)
    root = schema.get_root_type(operation.operation)
    terms = counting.selections(operation.selection_set, root) if root is not None else {}
    if operation.operation is OperationType.MUTATION:
        roots = len(operation.selection_set.selections)
        terms = _sum(terms, {(): (MUTATION - 1) * roots})
    defaults = {
        one.variable.name.value: size
        for one in operation.variable_definitions or ()
        if (size := _number(one.default_value)) is not None
    }
    return Cost(terms, defaults)


_Terms = dict[tuple[str, ...], int]


def _sum(one: _Terms, other: _Terms) -> _Terms:
    total = dict(one)
    for names, factor in other.items():
        total[names] = min(_HIGHEST, total.get(names, 0) + factor)
    return total


def _times(terms: _Terms, factor: int | str) -> _Terms:
    if isinstance(factor, int):
        return {names: min(_HIGHEST, one * factor) for names, one in terms.items()}
    return {tuple(sorted((*names, factor))): one for names, one in terms.items()}


class _Counting:
    """Each fragment is counted once, so that this stays linear in the document."""

    def __init__(self, document: DocumentNode, schema: GraphQLSchema) -> None:
        self._schema = schema
        self._fragments = {
            node.name.value: node for node in document.definitions if isinstance(node, FragmentDefinitionNode)
        }
        self._known: dict[tuple[str, int | str], _Terms] = {}

    def selections(
        self, chosen: SelectionSetNode, parent: GraphQLNamedType, page: int | str = PAGE
    ) -> _Terms:
        """``page`` is how many entries the connection has whose fields these are."""
        total: _Terms = {}
        for node in chosen.selections:
            if isinstance(node, FieldNode):
                total = _sum(total, self._field(node, parent, page))
            elif isinstance(node, FragmentSpreadNode):
                total = _sum(total, self._fragment(node.name.value, page))
            else:
                assert isinstance(node, InlineFragmentNode)
                kind = parent
                if node.type_condition is not None:
                    kind = self._schema.type_map[node.type_condition.name.value]
                total = _sum(total, self.selections(node.selection_set, kind, page))
        return total

    def _fragment(self, name: str, page: int | str) -> _Terms:
        known = self._known.get((name, page))
        if known is None:
            node = self._fragments[name]
            kind = self._schema.type_map[node.type_condition.name.value]
            known = self._known[name, page] = self.selections(node.selection_set, kind, page)
        return known

    def _field(self, node: FieldNode, parent: GraphQLNamedType, page: int | str) -> _Terms:
        field = getattr(parent, "fields", {}).get(node.name.value)
        if field is None:
            return {}
        weight = _WEIGHTS.get((parent.name, node.name.value))
        if node.selection_set is None:
            return {} if weight is None else {(): weight}
        kind = get_named_type(field.type)
        if not is_composite_type(kind):
            return {}
        size = _size(node) if any(name in field.args for name in _SIZES) else PAGE
        terms = _sum(
            {(): 1 if weight is None else weight},
            self.selections(node.selection_set, kind, size),
        )
        holds = field.type.of_type if is_non_null_type(field.type) else field.type
        if not is_list_type(holds):
            return terms
        # The entries of a connection are those of its page.
        of_page = parent.name.endswith("Connection") and node.name.value in ("nodes", "edges")
        return _times(terms, page if of_page else _entries(node))


def _entries(node: FieldNode) -> int | str:
    """How many entries a list has that is no connection's."""
    ids = next((one.value for one in node.arguments or () if one.name.value == _IDS), None)
    if isinstance(ids, VariableNode):
        return ids.name.value
    return max(1, min(MOST, len(ids.values))) if isinstance(ids, ListValueNode) else ENTRIES


def _size(node: FieldNode) -> int | str:
    for argument in node.arguments or ():
        if argument.name.value not in _SIZES:
            continue
        if isinstance(argument.value, VariableNode):
            return argument.value.name.value
        size = _number(argument.value)
        if size is not None:
            return min(MOST, max(1, size))
    return PAGE


def _number(value: ValueNode | None) -> int | None:
    """What a literal says of how many entries there are."""
    if isinstance(value, ListValueNode):
        return len(value.values)
    if not isinstance(value, IntValueNode):
        return None
    # A number of thousands of digits is not worth reading.
    return int(value.value) if len(value.value) < 12 else MOST
