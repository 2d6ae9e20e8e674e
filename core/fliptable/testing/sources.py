"""Whether a plugin's code keeps away from clocks, chance and I/O of its own, as far as it can be read."""

from __future__ import annotations

import dis
import inspect
import sys
from collections.abc import Iterator
from functools import lru_cache
from importlib.metadata import packages_distributions
from pathlib import Path
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
    "__import__": "what is imported like this cannot be read: write import at the top of the module",
}
_SERVER = frozenset(("fliptable", "fliptable_api"))
"""What is no plugin, though built-in ones are of the same distribution."""
_SITES = frozenset(("site-packages", "dist-packages"))
"""Folders in which the modules of several distributions lie."""
_CLOCKS = frozenset(("now", "utcnow", "today"))
_TIME = "the time is an argument: ctx.now in a game; now, at or session.now in a mode"


def impure(part: Any) -> Iterator[str]:
    """Complaints about what the methods of a plugin's part use, and the functions that they call.

    Only code of the part's own distribution is looked at. It cannot see everything: what is passed
    around or looked up by name stays unseen.
    """
    home = _home(type(part).__module__.partition(".")[0])
    seen: set[CodeType] = set()
    for kind in type(part).__mro__:
        if not _is_of(kind, home):
            continue
        for name, member in vars(kind).items():
            function = _function(member)
            if function is not None:
                yield from _uses(function, f"{name} uses", home, seen, part)


def _uses(
    function: FunctionType, whose: str, home: frozenset[str], seen: set[CodeType], me: Any
) -> Iterator[str]:
    """What a function uses; ``me`` is whose method it is, if it is one."""
    names = function.__globals__
    for code in _codes(function.__code__):
        if code in seen:
            continue
        seen.add(code)
        held: Any = None
        where = ""
        for one in dis.get_instructions(code):
            if one.positions is not None and one.positions.lineno is not None:
                where = f" ({Path(code.co_filename).name}, line {one.positions.lineno})"
            if one.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
                held = names.get(one.argval)
                if held is None and one.argval in _BUILT_IN:
                    yield f"{whose} {one.argval}; {_BUILT_IN[one.argval]}{where}"
                yield from [f"{complaint}{where}" for complaint in _forbidden(held, whose)]
                if isinstance(held, FunctionType) and _is_of(held, home):
                    yield from _uses(held, _calls(whose, one.argval), home, seen, None)
            elif one.opname == "LOAD_FAST":
                held = me if one.argval == "self" else None
            elif one.opname in ("LOAD_ATTR", "LOAD_METHOD"):
                if isinstance(held, type) and held.__module__ == "datetime" and one.argval in _CLOCKS:
                    yield f"{whose} {held.__name__}.{one.argval}; {_TIME}{where}"
                owner, held = held, _part(held, one.argval, home)
                method = _function(held)
                if method is not None and _is_of(method, home) and owner is not me:
                    called = f"{_named(owner)}.{one.argval}"
                    yield from _uses(method, _calls(whose, called), home, seen, owner)
            elif one.opname == "IMPORT_NAME" and one.argval.partition(".")[0] in FORBIDDEN:
                yield f"{whose} {one.argval}; time and chance are arguments, and rules have no I/O{where}"


@lru_cache(maxsize=64)
def _home(top: str) -> frozenset[str]:
    """The tops of the modules of the distribution that a module is of, as far as that can be told."""
    folder = _folder(top)
    if folder is None:
        return frozenset((top,))
    if folder.name in _SITES:
        known = packages_distributions()
        mine = set(known.get(top, ()))
        beside = [name for name, brought in known.items() if mine & set(brought)]
    else:
        beside = [name for name in list(sys.modules) if "." not in name and _folder(name) == folder]
    return frozenset(beside) - _SERVER | {top}


def _folder(top: str) -> Path | None:
    """The folder in which a module or package lies."""
    file = getattr(sys.modules.get(top), "__file__", None)
    if not file:
        return None
    return Path(file).parent.parent if Path(file).name == "__init__.py" else Path(file).parent


def _part(owner: Any, name: str, home: frozenset[str]) -> Any:
    """What an attribute is, as far as it can be looked up without running anything."""
    if isinstance(owner, ModuleType):
        return getattr(owner, name, None)
    kind = owner if isinstance(owner, type) else type(owner)
    return inspect.getattr_static(owner, name, None) if _is_of(kind, home) else None


def _function(member: Any) -> FunctionType | None:
    """The function behind a method or a property."""
    found = getattr(member, "fget", None) or getattr(member, "__func__", member)
    return found if isinstance(found, FunctionType) else None


def _is_of(one: Any, home: frozenset[str]) -> bool:
    return str(one.__module__).partition(".")[0] in home


def _named(owner: Any) -> str:
    if isinstance(owner, ModuleType):
        return owner.__name__
    return (owner if isinstance(owner, type) else type(owner)).__name__


def _calls(whose: str, what: str) -> str:
    return f"{whose.removesuffix(' uses')} calls {what}, which uses"


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
