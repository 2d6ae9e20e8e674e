"""How large a document may be, checked before it is validated."""

from __future__ import annotations

from dataclasses import dataclass

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    InlineFragmentNode,
    OperationDefinitionNode,
    OperationType,
    SelectionSetNode,
)

from fliptable_api.errors import CodedError


@dataclass(frozen=True, slots=True)
class Limits:
    """The most that a document may ask for."""

    tokens: int = 4000
    depth: int = 20
    fields: int = 2000
    aliases: int = 50
    mutations: int = 20
    cost: int = 100_000


@dataclass(slots=True)
class _Size:
    depth: int = 0
    fields: int = 0
    aliases: int = 0
    roots: int = 0
    """The fields of the selection itself, without those below them."""


class _Measure:
    """Sizes with fragments spread out; each fragment is measured once, so that this stays linear."""

    def __init__(self, document: DocumentNode) -> None:
        self._fragments = {
            node.name.value: node for node in document.definitions if isinstance(node, FragmentDefinitionNode)
        }
        self._known: dict[str, _Size | None] = {}

    def fragment(self, name: str) -> _Size:
        if name not in self._known:
            # Inside its own cycle a fragment counts as nothing; validation refuses it by name.
            self._known[name] = None
            node = self._fragments.get(name)
            self._known[name] = _Size() if node is None else self.selections(node.selection_set)
        return self._known[name] or _Size()

    def selections(self, chosen: SelectionSetNode) -> _Size:
        size = _Size()
        for node in chosen.selections:
            if isinstance(node, FieldNode):
                size.fields += 1
                size.roots += 1
                size.aliases += node.alias is not None
                inner = self.selections(node.selection_set) if node.selection_set else _Size()
                inner.depth += 1
                inner.roots = 0
            elif isinstance(node, FragmentSpreadNode):
                inner = self.fragment(node.name.value)
            else:
                assert isinstance(node, InlineFragmentNode)
                inner = self.selections(node.selection_set)
            size.depth = max(size.depth, inner.depth)
            size.fields += inner.fields
            size.aliases += inner.aliases
            size.roots += inner.roots
        return size


def check(document: DocumentNode, limits: Limits) -> list[CodedError]:
    """What in a document is beyond the limits; nothing is when the list is empty."""
    measure = _Measure(document)
    problems: list[CodedError] = []
    for node in document.definitions:
        if not isinstance(node, OperationDefinitionNode):
            continue
        size = measure.selections(node.selection_set)
        found = {"depth": size.depth, "fields": size.fields, "aliases": size.aliases}
        if node.operation is OperationType.MUTATION:
            found["mutations"] = size.roots
        for what, count in found.items():
            most = getattr(limits, what)
            if count > most:
                problems.append(
                    CodedError(
                        "DOCUMENT_TOO_LARGE", f"The document's {what} count is {count}; {most} is allowed."
                    )
                )
    return problems
