"""Loading plugins for a server: those that no schema can be made of have failed to load too."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable
from importlib.metadata import entry_points

from fliptable.hookspecs import PROJECT
from fliptable.loadfaults import LoadFailure, reason_of
from fliptable.pairs import vet_pair
from fliptable.plugins import BUILTIN, PluginError, Registry, distribution_of, load_plugins
from fliptable_api.limits import Limits
from fliptable_api.schema import Built, build_schema
from fliptable_api.settings import Settings

logger = logging.getLogger("fliptable.plugins")


def load(settings: Settings, limits: Limits) -> tuple[Registry, Built]:
    """The plugins that the settings ask for, and the schema of them.

    Errors: PluginError when plugins are strict and some fail, with all of them; what makes a schema
    impossible when that is no other distribution's fault.
    """
    for sentence in unknown_plugins(settings):
        logger.warning("%s", sentence)
    registry = load_plugins(
        strict=settings.strict_plugins, allow=settings.allow_plugins or None, deny=settings.deny_plugins
    )
    try:
        return _with_schema(registry, limits)
    except Exception:
        failures = unfit(registry)
        if not failures:
            raise
    if settings.strict_plugins:
        raise PluginError("\n".join(map(str, failures)))
    for failure in failures:
        logger.error("%s", failure)
    left_out = {failure.name for failure in failures}
    sound = _of(registry, {one.name for one in registry.plugins} - left_out)
    sound.failures += [*registry.failures, *failures]
    return _with_schema(sound, limits)


def _with_schema(registry: Registry, limits: Limits) -> tuple[Registry, Built]:
    schema = built(registry, limits)
    for sentence in hard_to_open(registry):
        logger.warning("%s", sentence)
    return registry, schema


def built(registry: Registry, limits: Limits | None = None) -> Built:
    """The schema of what is loaded, once modes and games were asked whether they go together.

    Errors: what keeps a schema from being made; ContractBroken and SchemaCollision name whose fault it is.
    """
    for game in registry.games.values():
        for mode in registry.modes.values():
            vet_pair(game, mode)
    return build_schema(registry, limits)


def hard_to_open(registry: Registry) -> Iterable[str]:
    """A sentence for each game of which no table can be opened, or none without naming a mode."""
    for game in registry.games.values():
        fitting = [mode.id for mode in registry.modes_for(game)]
        named = f"the game {game.id!r} of {game.source}"
        if not fitting:
            only = "" if game.modes is None else f"; its modes are {', '.join(map(repr, sorted(game.modes)))}"
            yield f"{named} cannot be played, since none of the loaded modes is for it{only}"
        elif game.default_mode not in fitting:
            why = "not for it" if game.default_mode in registry.modes else "not loaded"
            yield (
                f"{named} has the default_mode {game.default_mode!r}, which is {why}, so that no table of it "
                f"can be opened without a mode; there are {', '.join(fitting)}"
            )


def unknown_plugins(settings: Settings) -> Iterable[str]:
    """A sentence for each plugin that the settings name and no installed distribution has."""
    known = sorted({point.name for point in entry_points(group=PROJECT)})
    for variable, names in (
        ("FLIPTABLE_ALLOW_PLUGINS", settings.allow_plugins),
        ("FLIPTABLE_DENY_PLUGINS", settings.deny_plugins),
    ):
        for name in names:
            if name not in known:
                there = ", ".join(known)
                yield f"{variable} names {name!r}, and no such plugin is installed; there are {there}"


def unfit(registry: Registry, but: Collection[str] = ()) -> list[LoadFailure]:
    """The plugins of other distributions with which no schema can be made of the sound ones before them.

    ``but`` are the names of some that are left out beforehand.
    """
    allowed = {one.name for one in registry.plugins if one.distribution == BUILTIN}
    failures = []
    for one in registry.plugins:
        if one.distribution == BUILTIN or one.name in but:
            continue
        try:
            built(_of(registry, {*allowed, one.name}))
        except PluginError:
            allowed.add(one.name)  # There is no game or mode yet, which may be brought by another.
        except Exception as error:
            failures.append(LoadFailure(one.name, one.distribution, reason_of(error)))
        else:
            allowed.add(one.name)
    return failures


def _of(registry: Registry, names: Collection[str]) -> Registry:
    """Some of the plugins that are loaded, loaded anew."""
    loaded = {(one.name, one.distribution) for one in registry.plugins if one.name in names}
    points = [one for one in entry_points(group=PROJECT) if (one.name, distribution_of(one)) in loaded]
    return load_plugins(points=points)
