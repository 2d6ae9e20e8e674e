"""Whether a plugin's methods can be called as the contract calls them."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

_WAITS = "is async, and nothing here is waited for: write it with def, and take time and chance as arguments"
_ODD = (
    (inspect.iscoroutinefunction, _WAITS),
    (inspect.isasyncgenfunction, _WAITS),
    (
        inspect.isgeneratorfunction,
        "has a yield, and its answer is read more than once: return a tuple or a list",
    ),
)
"""What a method cannot be."""


class ContractBroken(Exception):
    """A plugin does not keep the contract; the message says where."""


def vet_methods(part: object, contract: type, owner: str) -> None:
    """See that every method of the contract takes what it is given. Errors: ContractBroken."""
    for name, method in vars(contract).items():
        if name.startswith("_") or not inspect.isfunction(method):
            continue
        kind = next(one for one in type(part).__mro__ if name in vars(one))
        if kind is not contract:
            given = list(inspect.signature(method).parameters)[1:]
            vet_call(owner, kind, name, given, getattr(part, name))


def vet_call(
    owner: str, kind: type, name: str, given: Sequence[str], method: Any, *, bound: bool = True
) -> None:
    """See that a method takes the given arguments, in their order. Errors: ContractBroken."""
    called = f"and is called with ({', '.join(given)})"
    if not callable(method):
        raise ContractBroken(f"{owner}: {kind.__name__}.{name} is {method!r}, {called}")
    for odd, told in _ODD:
        if odd(inspect.unwrap(method)):
            raise ContractBroken(f"{owner}: {kind.__name__}.{name} {told}")
    try:
        signature = inspect.signature(method)
    except (TypeError, ValueError):
        return  # What is not written in Python need not say what it takes.
    try:
        signature.bind(*(() if bound else ("self",)), *given)
    except TypeError:
        takes = [str(one.replace(annotation=one.empty)) for one in signature.parameters.values()]
        takes = takes if bound else takes[1:]
        raise ContractBroken(
            f"{owner}: {kind.__name__}.{name} takes ({', '.join(takes)}), {called}"
        ) from None


__all__ = ["ContractBroken", "vet_call", "vet_methods"]
