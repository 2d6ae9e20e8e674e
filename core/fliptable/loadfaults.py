"""Why a plugin could not be loaded, in words for whoever wrote it."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import EntryPoint
from pathlib import Path
from traceback import walk_tb

from fliptable.signatures import ContractBroken

_OURS = frozenset(("fliptable", "fliptable_api", "pluggy", "importlib", "_frozen_importlib"))
"""The top of the modules that ask a plugin, and are not it."""


@dataclass(frozen=True, slots=True)
class LoadFailure:
    """A plugin that could not be loaded, and why."""

    name: str
    distribution: str
    reason: str

    def __str__(self) -> str:
        """One line for a log or a terminal."""
        return f"plugin {self.name} (distribution {self.distribution}) is not loaded: {self.reason}"


def reason_of(error: BaseException) -> str:
    """What was raised while a plugin was asked what it brings, and by which of its functions."""
    told = f"{type(error).__name__}: {error}"
    if isinstance(error, ContractBroken):
        return told
    theirs = [
        (frame.f_code, line)
        for frame, line in walk_tb(error.__traceback__)
        if str(frame.f_globals.get("__name__")).partition(".")[0] not in _OURS
    ]
    if not theirs:
        return told
    code, line = theirs[-1]
    return f"{told}, raised by {code.co_qualname} ({Path(code.co_filename).name}, line {line})"


def not_imported(point: EntryPoint, error: BaseException) -> str:
    """Why an entry point leads to nothing; its value is named where that is what is wrong."""
    if EntryPoint.pattern.match(point.value) is None:
        wanted = f"write {point.name} = 'package.module'"
        return f"its entry point is {point.value!r}, which names no module: {wanted}"
    told = f"{type(error).__name__}: {error}"
    missing = error.name if isinstance(error, ModuleNotFoundError) else None
    if missing is not None and f"{point.module}.".startswith(f"{missing}."):
        return f"{told} (its entry point is {point.value!r})"
    if isinstance(error, AttributeError) and point.attr and error.name in point.attr.split("."):
        return f"{told} (its entry point is {point.value!r})"
    return told


__all__ = ["LoadFailure", "not_imported", "reason_of"]
