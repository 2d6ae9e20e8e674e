"""The installed plugins' parts, with those that are tested in the place of theirs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from functools import cache
from typing import Any

from fliptable.hookspecs import hookimpl
from fliptable.modes import Mode
from fliptable.plugins import Registry, load_plugins
from fliptable.rules import Game


@cache
def _installed() -> Registry:
    return load_plugins(strict=False)


def registry_with(games: Iterable[Game[Any, Any]], mode: Mode[Any]) -> Registry:
    """A registry of all that is installed, but of these games and this mode instead of those of their ids."""
    installed = _installed()
    registry = Registry()
    registry.register(
        _Brings(
            {**installed.games, **{game.id: game for game in games}},
            {**installed.modes, mode.id: mode},
            installed.constraints,
        ),
        "what is tested",
    )
    return registry


class _Brings:
    """Copies, since a registry writes down in each part who brought it."""

    def __init__(
        self, games: Mapping[str, Any], modes: Mapping[str, Any], constraints: Mapping[str, Any]
    ) -> None:
        self._games, self._modes = list(map(copy, games.values())), list(map(copy, modes.values()))
        self._constraints = list(map(copy, constraints.values()))

    @hookimpl
    def fliptable_games(self) -> list[Any]:
        return self._games

    @hookimpl
    def fliptable_modes(self) -> list[Any]:
        return self._modes

    @hookimpl
    def fliptable_constraints(self) -> list[Any]:
        return self._constraints
