"""The rest of the rule writer's kit: a plugin over the API, as clients meet it."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

from fliptable import Commit, Constraint, Game, Mode, PluginQuery, Private, hookimpl
from fliptable.loadfaults import reason_of
from fliptable.pairs import vet_pair
from fliptable.plugins import BUILTIN, LoadedPlugin, Registry, load_plugins
from fliptable.testing import OneCard
from fliptable.testing.broken import LawFailure
from fliptable.testing.regression import regression
from fliptable.vetting import ContractBroken
from fliptable_api.cli.local import memory_server
from fliptable_api.loading import built, unfit
from fliptable_api.settings import Settings
from fliptable_api.testing.inputs import check_constraint, check_moves, check_options, check_query
from fliptable_api.testing.instances import Instances
from fliptable_api.testing.outputs import check_events, check_round, check_run
from fliptable_api.testing.play import PlayedTable
from fliptable_api.testing.stage import Answer, Stage, puppet
from fliptable_api.testing.told import ApiBroken
from fliptable_api.typegen import SchemaCollision

Part = Game[Any, Any] | Mode[Any] | Constraint | PluginQuery
"""What can be held against the law."""


def check_api(
    part: Part,
    *,
    examples: Iterable[Any] = (),
    seeds: Collection[int] = range(3),
    most_moves: int = 60,
) -> None:
    """Hold the law ``api`` against a game, mode, constraint or question: the API says what it says.

    A game, or a mode with a game that it supports, is played over GraphQL by its legal moves alone.
    Then every event, round and run that its types allow is shown and has to be answered field by
    field as it is, to whom may see it and to nobody else; and every move, option, parameter of a constraint
    and argument of a question is sent and has to arrive as it was, also where it was left out.

    The values are small ones and the limits of each type, and those that were seen in play. ``examples``
    are further ones, instances of the plugin's dataclasses, for what no such value can be made of: a class
    that takes none of them, or an event whose ``text`` makes no sentence of them.

    Errors: AssertionError names the plugin, the law ``api``, the type, the field and the smallest
    value that was found, and has a test of it to paste.
    """
    __tracebackhide__ = True
    given = list(examples)
    try:
        _hold(part, given, seeds, most_moves)
    except ApiBroken as broken:
        raise _failure(part, broken, given) from broken.__cause__


def _failure(part: Part, broken: ApiBroken, given: Sequence[Any]) -> LawFailure:
    """The failure, with a test that holds the law with the value that it was seen with."""
    example = broken.example.event if isinstance(broken.example, Private) else broken.example
    known = [*([] if example is None else [example]), *[one for one in given if one != example]]
    examples = {"examples": known} if known else {}
    played = broken.played or {"seeds": ()}
    kind = next(kind for kind, one in _KINDS.items() if isinstance(part, one))
    test = regression("check_api", kind, part, "api", (), "", {**examples, **played}, __name__)
    return LawFailure(str(broken), test)


def _hold(part: Part, examples: Sequence[Any], seeds: Collection[int], most_moves: int) -> None:
    """Hold the law. Errors: ApiBroken."""
    __tracebackhide__ = True
    instances = Instances(examples)
    if isinstance(part, PluginQuery):
        answer = Answer()
        stage = _stage(part, replace(part, answer=answer))
        asyncio.run(check_query(stage, part, answer, instances))
    elif isinstance(part, Constraint):
        asyncio.run(check_constraint(_stage(part, part), part, instances))
    else:
        stage = _stage(part, puppet(part))
        registry = _registry(part, part, instances)
        tables = _tables(part, registry, seeds, most_moves)
        with memory_server(Settings(memory=True), registry) as address:
            for table in tables:
                asyncio.run(table.play(address))
            asyncio.run(_check(stage, part, instances))
            for table in tables:
                asyncio.run(table.ask_all(address, stage.built.names))


def _stage(part: Part, shows: Any) -> Stage:
    """A stage for what stands for a part. Errors: AssertionError tells what keeps it from being loaded."""
    try:
        registry = _registry(part, shows, Instances())
        if isinstance(part, Mode):
            for one in registry.games.values():
                vet_pair(one, part)
        game, mode = _pair(shows, registry)
        return Stage(registry, puppet(game), puppet(mode))
    except ApiBroken:
        raise
    except ContractBroken as error:
        raise ApiBroken(f"plugin {_id(part)!r} breaks the contract: {error}") from None
    except SchemaCollision as error:
        raise ApiBroken(f"plugin {_id(part)!r} breaks the law 'api': {error}") from None
    except Exception as error:
        told = f"no schema can be made with it: {reason_of(error)}"
        raise ApiBroken(f"plugin {_id(part)!r} breaks the law 'api': {told}") from error


async def _check(stage: Stage, part: Game[Any, Any] | Mode[Any], instances: Instances) -> None:
    """Hold the law against all that the types of a game or mode allow. Errors: AssertionError."""
    names = stage.built.names
    await check_events(stage, part.id, part.events, instances)
    await check_options(stage, part, instances)
    if isinstance(part, Game):
        await check_round(stage, part.id, part.View, names.rounds[part.id], instances)
        await check_moves(stage, part, instances)
    else:
        await check_run(stage, part.id, part.View, names.runs[part.id], instances)


def _id(part: Part) -> str:
    return part.name if isinstance(part, PluginQuery) else part.id


def _registry(part: Part, here: Any, instances: Instances) -> Registry:
    """The installed plugins, with something that stands for a part in its place, and a small game.

    Plugins that a server would leave out are left out. ``instances`` learn what is played.
    Errors: ContractBroken.
    """
    installed = load_plugins(strict=False)
    there = {
        "game": installed.games,
        "mode": installed.modes,
        "constraint": installed.constraints,
        "query": installed.queries,
    }
    itself = next(kind for kind, one in _KINDS.items() if isinstance(part, one)), _id(part)
    own = [one for one in installed.plugins if " ".join(itself) in one.brings]
    # A plugin cannot be loaded without one of its parts, so the others are brought here too.
    brought: dict[str, list[Any]] = {kind: [] for kind in _KINDS}
    for kind, id in [tuple(one.split(" ", 1)) for plugin in own for one in plugin.brings]:
        brought[kind].append(here if (kind, id) == itself else there[kind][id])
    if not own:
        brought[itself[0]].append(here)
    if itself[0] != "game":
        brought["game"].append(OneCard())
    without = [one.name for one in own] + _unfit(installed, own)
    registry = load_plugins(strict=False, deny=without) if without else installed

    class Brings:
        @hookimpl
        def fliptable_games(self) -> list[Game[Any, Any]]:
            return brought["game"]

        @hookimpl
        def fliptable_modes(self) -> list[Mode[Any]]:
            return brought["mode"]

        @hookimpl
        def fliptable_constraints(self) -> list[Constraint]:
            return brought["constraint"]

        @hookimpl
        def fliptable_queries(self) -> list[PluginQuery]:
            return brought["query"]

        @hookimpl
        def fliptable_committed(self, commit: Commit) -> None:
            for event in commit.events:
                instances.learn(event.event if isinstance(event, Private) else event)
                instances.learn(getattr(event, "public", None))

    registry.register(Brings(), "what is tested")
    return registry


def _unfit(installed: Registry, own: Sequence[LoadedPlugin]) -> list[str]:
    """The names of other people's plugins that a server would leave out."""
    if all(one.distribution == BUILTIN or one in own for one in installed.plugins):
        return []
    names = [one.name for one in own]
    others = load_plugins(strict=False, deny=names)
    try:
        built(others)
    except Exception:
        return [failure.name for failure in unfit(others)]
    return []


_KINDS = {"game": Game, "mode": Mode, "constraint": Constraint, "query": PluginQuery}


def _pair(part: Any, registry: Registry) -> tuple[Game[Any, Any], Mode[Any]]:
    """A game and a mode that go together, of which the part is one if it can be. Errors: AssertionError."""
    if isinstance(part, Mode):
        fitting = [one for one in registry.games.values() if part in registry.modes_for(one)]
        if not fitting:
            raise ApiBroken(f"plugin {part.id!r} breaks the law 'api': no installed game suits it")
        return min(fitting, key=lambda one: one.id != OneCard.id), part
    game = part if isinstance(part, Game) else registry.game(OneCard.id)
    modes = registry.modes_for(game)
    if not modes:
        raise ApiBroken(f"plugin {game.id!r} breaks the law 'api': no installed mode suits it")
    if game.default_mode not in [mode.id for mode in modes]:
        raise ApiBroken(
            f"plugin {game.id!r} breaks the law 'api': default_mode is {game.default_mode!r}, which is no "
            f"installed mode that suits it, so that no table can be opened without a mode; there are "
            f"{', '.join([mode.id for mode in modes])}"
        )
    return game, modes[0]


def _tables(
    part: Game[Any, Any] | Mode[Any], registry: Registry, seeds: Collection[int], most_moves: int
) -> list[PlayedTable]:
    game, mode = _pair(part, registry)
    counts = sorted(mode.seats(game))
    return [
        PlayedTable(part.id, game, mode, counts[min(number, len(counts) - 1)], seed, most_moves, number)
        for number, seed in enumerate(seeds)
    ]


__all__ = ["check_api"]
