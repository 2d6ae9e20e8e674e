"""Whether a plugin's code keeps away from clocks, chance and I/O of its own, as far as it can be read."""

from __future__ import annotations

import dis
import sys
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

_NAMES = "asyncio http httpx os pathlib random secrets socket subprocess threading time urllib uuid"
FORBIDDEN = frozenset(_NAMES.split(" "))
"""The modules that rules have no use for."""
_BUILT_IN = {
    "open": "rules have no I/O",
    "input": "rules have no I/O",
    "hash": "it is another one in each process",
    "id": "it is another one in each process",
}
_CLOCKS = frozenset(("now", "utcnow", "today"))
_TIME = "the time is an argument: ctx.now in a game; now, at or session.now in a mode"


def impure(part: Any) -> Iterator[str]:
    """Complaints about what the methods of a plugin's part use, and the functions that they call.

    Only code of the part's own distribution is looked at. It cannot see everything: what is passed
    around or looked up by name stays unseen.
    """
    home = type(part).__module__.partition(".")[0]
    seen: set[CodeType] = set()
    for kind in type(part).__mro__:
        if kind.__module__.partition(".")[0] != home:
            continue
        for name, member in vars(kind).items():
            function = getattr(member, "__func__", member)
            if isinstance(function, FunctionType):
                yield from _uses(function, f"{name} uses", home, seen)


def _uses(function: FunctionType, whose: str, home: str, seen: set[CodeType]) -> Iterator[str]:
    names = function.__globals__
    for code in _codes(function.__code__):
        if code in seen:
            continue
        seen.add(code)
        held: Any = None
        for one in dis.get_instructions(code):
            if one.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
                held = names.get(one.argval)
                if held is None and one.argval in _BUILT_IN:
                    yield f"{whose} {one.argval}; {_BUILT_IN[one.argval]}"
                yield from _forbidden(held, whose)
                if isinstance(held, FunctionType) and held.__module__.partition(".")[0] == home:
                    yield from _uses(
                        held, f"{whose.removesuffix(' uses')} calls {one.argval}, which uses", home, seen
                    )
            elif one.opname in ("LOAD_ATTR", "LOAD_METHOD"):
                if isinstance(held, type) and held.__module__ == "datetime" and one.argval in _CLOCKS:
                    yield f"{whose} {held.__name__}.{one.argval}; {_TIME}"
                held = getattr(held, one.argval, None) if isinstance(held, ModuleType) else None
            elif one.opname == "IMPORT_NAME" and one.argval.partition(".")[0] in FORBIDDEN:
                yield f"{whose} {one.argval}; time and chance are arguments, and rules have no I/O"


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _forbidden(value: Any, whose: str) -> Iterator[str]:
    if isinstance(value, ModuleType):
        module = value.__name__
    elif callable(value) and not isinstance(value, type):
        module = getattr(value, "__module__", None) or ""
        owner = getattr(value, "__self__", None)
        if owner is not None and not isinstance(owner, ModuleType):
            module = type(owner).__module__
    else:
        return
    top = module.partition(".")[0]
    if top in FORBIDDEN and top in sys.stdlib_module_names | {"httpx"}:
        yield f"{whose} {module}; time and chance are arguments, and rules have no I/O"
