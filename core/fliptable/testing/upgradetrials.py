"""A table that one version of a plugin has stored and the next one reads, and the laws held there."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fliptable.modes import Mode
from fliptable.plugins import Registry, load_plugins
from fliptable.rules import Game
from fliptable.testing.actions import TableAction
from fliptable.testing.broken import Broken, raised
from fliptable.testing.installed import registry_with
from fliptable.testing.tableplay import PLAYERS, TablePlay, TableSetting
from fliptable.testing.tabletrials import TableTrial
from fliptable.testing.tableupgrades import Upgrade
from fliptable.testing.toys import OneCard
from fliptable.testing.trials import fail, hold
from fliptable.testing.variants import variants

_FEW = 40
"""So many smaller cases are tried."""


@dataclass(frozen=True)
class UpgradeTrial(TableTrial):
    """Tables of an earlier version of a game."""

    check = "check_migration_case"

    upgrade: Upgrade

    @property
    def part(self) -> Any:
        """Both versions."""
        return self.upgrade.old, self.upgrade.new

    @property
    def named(self) -> str:
        """The plugin and both versions."""
        return " with ".join([named(old, new) for old, new in self.upgrade.pairs])

    def hold(self, law: str, actions: Sequence[Any]) -> Broken | None:
        """Let the actions happen with the old version, and see what is broken in the new one."""
        try:
            play = self.play(actions)
            if not isinstance(play, TablePlay):
                return play
            found = self.upgrade.look(play, 0, self.upgrade.steps)
            return next((one for one in found if one.law == law), None)
        except BaseException as error:
            return self.raised(error)

    def raised(self, error: BaseException) -> Broken:
        """What is broken when either version raises."""
        return raised(error, *[one for old, new in self.upgrade.pairs for one in (new, old)])

    def simpler(self) -> Iterator[UpgradeTrial]:
        """Fewer seats, and whatever can be left at its default."""
        return iter([self._at(one) for one in self.where.simpler()])

    def seeded(self, seed: int) -> UpgradeTrial:
        """The same with other decks."""
        return self._at(self.where.having(seed=seed))

    def _at(self, where: TableSetting) -> UpgradeTrial:
        return replace(self, where=where, upgrade=replace(self.upgrade, where=where))

    def arguments(self, law: str) -> Mapping[str, Any]:
        """What :func:`check_migration_case` needs to be told."""
        others = {} if self.upgrade.others is None else {"new_mode": self.upgrade.others[1]}
        return {"mode": self.where.mode, **others, **self.where.chosen()}

    def attempts(self, law: str) -> int:
        """Few, since a table is stored and read in each."""
        return _FEW


class ModeUpgradeTrial(UpgradeTrial):
    """Tables of an earlier version of a mode."""

    kind = "mode"

    def arguments(self, law: str) -> Mapping[str, Any]:
        """What :func:`check_migration_case` needs to be told."""
        others = {} if self.upgrade.others is None else {"new_game": self.upgrade.others[1]}
        return {"game": self.where.game, **others, **self.where.chosen()}


def hold_table_migration(
    old: Game[Any, Any] | Mode[Any],
    new: Game[Any, Any] | Mode[Any],
    game: Game[Any, Any] | None,
    mode: Mode[Any] | None,
    beside: Any,
    options: Iterable[Any] | None,
    seats: Iterable[int] | None,
    seeds: Collection[int],
    steps: int,
) -> None:
    """Hold the laws of a new version of a game or mode at random tables.

    ``beside`` is the new version of the mode, or game, that it is played with, where that changes too.
    Errors: AssertionError names the law and the smallest table that was found, and has a test of it.
    """
    __tracebackhide__ = True
    played, under, registry = _table(old, new, game, mode, beside)
    counts = sorted(under.seats(played)) if seats is None else sorted(seats)
    for chosen in variants(old.Options) if options is None else options:
        given = {"mode_options" if isinstance(old, Mode) else "game_options": chosen}
        for seed in seeds:
            count = min(counts[-seed % len(counts)], len(PLAYERS))
            where = TableSetting.of(played, under, count, seed=seed, **given)
            trial = trial_of(old, new, where, registry, steps, beside)
            for broken, actions in trial.upgrade.hold():
                fail(trial, list(actions), broken)


def hold_table_case(
    old: Game[Any, Any] | Mode[Any],
    new: Game[Any, Any] | Mode[Any],
    law: str,
    actions: Sequence[TableAction],
    game: Game[Any, Any] | None,
    mode: Mode[Any] | None,
    beside: Any,
    seats: int | None,
    steps: int,
    **setting: Any,
) -> None:
    """Hold one law of a new version after these actions. Errors: AssertionError names the law."""
    __tracebackhide__ = True
    played, under, registry = _table(old, new, game, mode, beside)
    where = TableSetting.of(played, under, seats, **setting)
    hold(trial_of(old, new, where, registry, steps, beside), law, actions)


def _table(
    old: Game[Any, Any] | Mode[Any],
    new: Game[Any, Any] | Mode[Any],
    game: Game[Any, Any] | None,
    mode: Mode[Any] | None,
    beside: Any,
) -> tuple[Game[Any, Any], Mode[Any], Registry]:
    """What the old version is played with, and the catalogue with the new one."""
    if isinstance(old, Mode) and isinstance(new, Mode):
        played = game or _game_for(old)
        return played, old, registry_with([beside or played], new)
    assert isinstance(old, Game) and isinstance(new, Game)
    under = mode or _mode_for(old)
    return old, under, registry_with([new], beside or under)


def trial_of(
    old: Any, new: Any, where: TableSetting, registry: Registry, steps: int, beside: Any = None
) -> UpgradeTrial:
    """The trial of a new version at a table of the old one."""
    kind = ModeUpgradeTrial if isinstance(old, Mode) else UpgradeTrial
    before = where.game if isinstance(old, Mode) else where.mode
    others = None if beside is None else (before, beside)
    return kind(where, Upgrade(old, new, where, registry, steps, others))


def named(old: Any, new: Any) -> str:
    """A plugin's part and both of its versions."""
    return f"plugin {new.id!r}, version {new.version} after {old.version},"


def _game_for(mode: Mode[Any]) -> Game[Any, Any]:
    games = [OneCard(), *load_plugins(strict=False).games.values()]
    found = next((game for game in games if mode.supports(game)), None)
    assert found is not None, f"plugin {mode.id!r}: no installed game can be played in it; pass game"
    return found


def _mode_for(game: Game[Any, Any]) -> Mode[Any]:
    return load_plugins(strict=False).mode(min(game.modes or ["classic"]))
