"""Every hook that a plugin may implement."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import pluggy

if TYPE_CHECKING:
    from fliptable.constraints import Constraint
    from fliptable.events import Commit
    from fliptable.modes import Mode
    from fliptable.queries import PluginQuery
    from fliptable.rules import Game

PROJECT = "fliptable"
"""The name of the entry-point group and of pluggy's project."""

hookspec: pluggy.HookspecMarker = pluggy.HookspecMarker(PROJECT)
hookimpl: pluggy.HookimplMarker = pluggy.HookimplMarker(PROJECT)
"""Marks a function of a plugin as the implementation of a hook."""


@hookspec
def fliptable_games() -> Iterable[Game[Any, Any]]:  # type: ignore[empty-body]
    """The games that the plugin brings."""


@hookspec
def fliptable_modes() -> Iterable[Mode[Any]]:  # type: ignore[empty-body]
    """The modes that the plugin brings."""


@hookspec
def fliptable_constraints() -> Iterable[Constraint]:  # type: ignore[empty-body]
    """The constraints that the plugin brings."""


@hookspec
def fliptable_queries() -> Iterable[PluginQuery]:  # type: ignore[empty-body]
    """The questions about rules that the plugin answers."""


@hookspec
def fliptable_committed(commit: Commit) -> None:
    """Something happened at a table and is stored. Called once a commit, on the worker that made it.

    It must return quickly; what it raises is logged and changes nothing.
    """
