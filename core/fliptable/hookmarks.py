"""Whether a plugin has hooks, and whether nothing of it only looks like one."""

from __future__ import annotations

from difflib import get_close_matches
from inspect import isroutine
from typing import Any

from fliptable import hookspecs
from fliptable.signatures import ContractBroken

_MARK = f"{hookspecs.PROJECT}_impl"
_PREFIX = f"{hookspecs.PROJECT}_"
_ALIKE = 0.8
"""So much alike, from 0 to 1, a name is taken for a slip."""


def vet_hooks(plugin: Any) -> None:
    """See that something would ask the plugin, a module or an object. Errors: ContractBroken."""
    routines = {name: found for name in dir(plugin) if isroutine(found := getattr(plugin, name))}
    hooks = [name for name in vars(hookspecs) if name.startswith(_PREFIX)]
    *others, last = [f"{hook}()" for hook in hooks]
    for name, found in routines.items():
        mark = getattr(found, _MARK, None)
        hook = name if mark is None else mark["specname"] or name
        if mark is not None and hook not in hooks and not mark["optionalhook"]:
            close = get_close_matches(hook, hooks, 1, _ALIKE)
            told = f"is {close[0]}() meant?" if close else f"there are {', '.join(others)} and {last}"
            raise ContractBroken(f"unknown hook {hook!r}: {told}")
    for name, found in routines.items():
        if name.startswith(_PREFIX) and not hasattr(found, _MARK):
            raise ContractBroken(f"{name}() is not marked with @hookimpl, so nothing would ask it")
    if any(hasattr(found, _MARK) for found in routines.values()):
        return
    told = (
        f"it has no hook, so nothing would ask it: mark at least one of {', '.join(others)} and {last} with "
        "@hookimpl"
    )
    for name in routines:
        for meant in get_close_matches(name, hooks, 1, _ALIKE):
            told += f". Is {name}() meant as {meant}()?"
    raise ContractBroken(told)
