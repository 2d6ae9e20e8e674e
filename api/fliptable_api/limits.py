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
    cost: int = 60_000


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


_TOLD = {
    "depth": "The document is {} levels deep; {} are allowed.",
    "cost": "The operation costs {}; {} is allowed.",
}


def too_large(what: str, most: int, count: int | None = None) -> CodedError:
    """The error of a document that has more of something than allowed; how much, where that is known.

    Its extensions say the same: what there is too much ``of``, the ``count`` and the ``limit``.
    """
    found = {"of": what, "limit": most}
    if count is None:
        told = "levels" if what == "depth" else what
        return CodedError(
            "DOCUMENT_TOO_LARGE", f"The document has more {told} than are allowed: {most}.", **found
        )
    sentence = _TOLD.get(what, f"The operation has {{}} {what}; {{}} are allowed.")
    if what == "cost":
        found["cost"] = count
    return CodedError("DOCUMENT_TOO_LARGE", sentence.format(count, most), count=count, **found)


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
                problems.append(too_large(what, most, count))
    return problems
