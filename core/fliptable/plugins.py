"""Loading plugins: built-in and foreign ones the same way, each failure reported by name."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType
from typing import Any, TypeVar

import pluggy

from fliptable import hookspecs
from fliptable.blame import as_exception
from fliptable.chance import Shuffled
from fliptable.codec import TABLE, EventCodec
from fliptable.constraints import Constraint
from fliptable.events import TABLE_EVENTS, Commit
from fliptable.hookmarks import vet_hooks
from fliptable.loadfaults import LoadFailure, not_imported, reason_of
from fliptable.modes import Mode, seat_counts
from fliptable.owners import Owner
from fliptable.queries import PluginQuery
from fliptable.refusals import REFUSALS
from fliptable.rules import Game
from fliptable.vetting import ContractBroken, vet_constraint, vet_game, vet_mode, vet_query

BUILTIN = "fliptable"
"""The distribution of the built-in plugins."""

logger: logging.Logger = logging.getLogger("fliptable.plugins")

PartT = TypeVar("PartT", Game[Any, Any], Mode[Any], Constraint)
FoundT = TypeVar("FoundT")


class PluginMissing(LookupError):
    """A game, mode or constraint that is asked for, or that a stored table needs, is not loaded."""


class PluginError(Exception):
    """A plugin could not be loaded and plugins are strict."""


@dataclass(frozen=True, slots=True)
class LoadedPlugin:
    """Where a plugin came from and what it brought."""

    name: str
    distribution: str
    brings: tuple[str, ...]


class Registry:
    """The games, modes and constraints that are there. It is the :class:`Catalogue` of all folds."""

    def __init__(self) -> None:
        """Empty but for the table's own events and refusal codes."""
        self._games: dict[str, Game[Any, Any]] = {}
        self._modes: dict[str, Mode[Any]] = {}
        self._constraints: dict[str, Constraint] = {}
        self._queries: dict[str, PluginQuery] = {}
        self._owners: dict[str, str] = {}
        self._codes: dict[str, dict[str, str]] = {}
        self._manager = pluggy.PluginManager(hookspecs.PROJECT)
        self._manager.add_hookspecs(hookspecs)
        self.plugins: list[LoadedPlugin] = []
        self.failures: list[LoadFailure] = []
        self.codec: EventCodec = EventCodec()
        self.codec.register(TABLE, Shuffled, *TABLE_EVENTS)

    @property
    def games(self) -> MappingProxyType[str, Game[Any, Any]]:
        """All games by id."""
        return MappingProxyType(self._games)

    @property
    def modes(self) -> MappingProxyType[str, Mode[Any]]:
        """All modes by id."""
        return MappingProxyType(self._modes)

    @property
    def constraints(self) -> MappingProxyType[str, Constraint]:
        """All constraints by id."""
        return MappingProxyType(self._constraints)

    @property
    def queries(self) -> MappingProxyType[str, PluginQuery]:
        """All queries by name."""
        return MappingProxyType(self._queries)

    @property
    def refusals(self) -> dict[str, str]:
        """All refusal codes, each with what it means.

        Where plugins mean different things by one, each meaning has the names of its plugins, in their order.
        """
        return {**REFUSALS, **{code: _meaning(texts) for code, texts in self._codes.items()}}

    def asker(self, query: str) -> str:
        """The plugin that brings the query of that name, with its distribution."""
        return self._owners[f"query {query!r}"]

    def game(self, id: str) -> Game[Any, Any]:
        """The game of that id. Errors: PluginMissing."""
        return _find(self._games, id, "game")

    def mode(self, id: str) -> Mode[Any]:
        """The mode of that id. Errors: PluginMissing."""
        return _find(self._modes, id, "mode")

    def constraint(self, id: str) -> Constraint:
        """The constraint of that id. Errors: PluginMissing."""
        return _find(self._constraints, id, "constraint")

    def modes_for(self, game: Game[Any, Any]) -> list[Mode[Any]]:
        """The modes that the game can be played in, the default one first."""
        fitting = [
            mode
            for mode in self._modes.values()
            if mode.supports(game)
            and (game.modes is None or mode.id in game.modes)
            and seat_counts(game, mode)
        ]
        return sorted(fitting, key=lambda mode: (mode.id != game.default_mode, mode.id))

    def register(self, plugin: Any, name: str, distribution: str = "-") -> LoadedPlugin:
        """Add one plugin, a module or object with hook implementations.

        Errors: whatever the plugin raises; ContractBroken and ValueError name what does not fit.
        Nothing of a plugin that fails stays.
        """
        vet_hooks(plugin)
        self._manager.register(plugin, name=name)
        try:
            self._manager.check_pending()
            games = self._brought("fliptable_games", name)
            modes = self._brought("fliptable_modes", name)
            constraints = self._brought("fliptable_constraints", name)
            queries = self._brought("fliptable_queries", name)
            claims = [
                *self._vet(games, vet_game, "game", self._games),
                *self._vet(modes, vet_mode, "mode", self._modes),
                *self._vet(constraints, vet_constraint, "constraint", self._constraints),
            ]
            for query in queries:
                vet_query(query)
                claims.append(("query", query.name, f"query {query.name}"))
            for mode in modes:
                mode.connect(self)
            codes = _codes_of([*games, *modes])
            self._claim(claims, f"{name} ({distribution})")
        except BaseException:
            self._manager.unregister(name=name)
            raise
        for kind, parts in (("game", games), ("mode", modes)):
            for part in parts:
                part.source = f"{name} ({distribution})"
                id = part.id if kind == "game" else f"mode:{part.id}"
                self.codec.register(id, *part.events, owner=Owner.of(kind, part))
        for one in constraints:
            one.source = f"{name} ({distribution})"
        for code, text in codes.items():
            self._codes.setdefault(code, {})[name] = text
        self._games.update({game.id: game for game in games})
        self._modes.update({mode.id: mode for mode in modes})
        self._constraints.update({one.id: one for one in constraints})
        self._queries.update({query.name: query for query in queries})
        brings = [f"{kind} {id}" for kind, id, _ in claims]
        loaded = LoadedPlugin(name, distribution, tuple(brings))
        self.plugins.append(loaded)
        return loaded

    def _brought(self, hook: str, name: str) -> list[Any]:
        """What a plugin brings by a hook. Errors: ContractBroken names the hook; what the plugin raises."""
        parts: list[Any] = []
        for impl in getattr(self._manager.hook, hook).get_hookimpls():
            if impl.plugin_name == name:
                brought = impl.function()
                if not isinstance(brought, Iterable):
                    raise ContractBroken(
                        f"{hook}() gives {brought!r}, not a list of {hook.partition('_')[2]}"
                    )
                parts += brought
        return parts

    def _vet(
        self, parts: Iterable[PartT], vet: Callable[[PartT], None], kind: str, known: dict[str, Any]
    ) -> Iterator[tuple[str, str, str]]:
        for part in parts:
            vet(part)
            yield kind, part.id, part.graphql

    def _claim(self, claims: Iterable[tuple[str, str, str]], owner: str) -> None:
        """Give every id and GraphQL prefix one owner. Errors: ContractBroken names both.

        Ids are one's own over all kinds, since caches of frontends go by them alone.
        """
        mine: dict[str, str] = {}
        for kind, id, graphql in claims:
            names = [f"{kind} {id!r}", f"the id {id!r}", f"GraphQL name {graphql!r}"]
            for what in names if kind != "query" else (names[0], names[2]):
                if what in self._owners or what in mine:
                    other = self._owners.get(what) or mine[what]
                    raise ContractBroken(f"{what} is brought by both {other} and {owner}")
                mine[what] = owner
        self._owners.update(mine)

    def committed(self, commit: Commit) -> None:
        """Tell the observers of a stored commit; what they raise is logged."""
        for impl in self._manager.hook.fliptable_committed.get_hookimpls():
            try:
                impl.function(**({"commit": commit} if impl.argnames else {}))
            except BaseException as error:
                raised = as_exception(error)
                sentence = "plugin %s failed on a commit of table %s"
                logger.error(sentence, impl.plugin_name, commit.table, exc_info=raised)


def _codes_of(parts: Iterable[Any]) -> dict[str, str]:
    """A plugin's own refusal codes. Errors: ContractBroken when it means two things by one."""
    codes: dict[str, str] = {}
    for part in parts:
        for code, text in part.refusals.items():
            if code in REFUSALS:
                continue
            if (other := codes.setdefault(code, text)) != text:
                raise ContractBroken(
                    f"{part.id}: the refusal code {code!r} means {text!r}, and {other!r} elsewhere in the "
                    "same plugin: take another code, or the same words where it means the same"
                )
    return codes


def _meaning(texts: Mapping[str, str]) -> str:
    """What a refusal code means, from what each plugin says by its name."""
    plugins: dict[str, list[str]] = {}
    for plugin, text in sorted(texts.items()):
        plugins.setdefault(text, []).append(plugin)
    if len(plugins) == 1:
        return next(iter(plugins))
    return " ".join([f"{', '.join(names)}: {text}" for text, names in plugins.items()])


def _find(parts: dict[str, FoundT], id: str, kind: str) -> FoundT:
    try:
        return parts[id]
    except KeyError:
        known = ", ".join(sorted(parts)) or "none"
        raise PluginMissing(f"no loaded plugin brings the {kind} {id!r} (loaded: {known})") from None


def load_plugins(
    *,
    strict: bool = True,
    allow: Collection[str] | None = None,
    deny: Collection[str] = (),
    builtin_only: bool = False,
    points: Iterable[EntryPoint] | None = None,
) -> Registry:
    """Load every plugin that an installed distribution registers under the group ``fliptable``.

    ``allow`` keeps only the entry points of those names, ``deny`` leaves some out, and
    ``builtin_only`` those of other distributions. A plugin that
    fails is reported in ``failures``. Errors: PluginError lists all failures when ``strict``.
    """
    registry = Registry()
    found = entry_points(group=hookspecs.PROJECT) if points is None else points
    for point in sorted(found, key=lambda point: (distribution_of(point) != BUILTIN, point.name)):
        if builtin_only and distribution_of(point) != BUILTIN:
            continue
        if point.name in deny or (allow is not None and point.name not in allow):
            continue
        plugin = None
        try:
            plugin = point.load()
            registry.register(plugin, point.name, distribution_of(point))
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            reason = not_imported(point, error) if plugin is None else reason_of(error)
            failure = LoadFailure(point.name, distribution_of(point), reason)
            registry.failures.append(failure)
            logger.error("%s", failure, exc_info=not isinstance(error, ContractBroken))
    if strict and registry.failures:
        raise PluginError("\n".join(str(failure) for failure in registry.failures))
    return registry


def distribution_of(point: EntryPoint) -> str:
    """The distribution that registers a plugin, or ``-``."""
    return point.dist.name if point.dist is not None else "-"
