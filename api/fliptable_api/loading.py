"""Loading plugins for a server: those that no schema can be made of have failed to load too."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable
from importlib.metadata import entry_points

from fliptable.hookspecs import PROJECT
from fliptable.plugins import BUILTIN, LoadFailure, PluginError, Registry, distribution_of, load_plugins
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
        return registry, build_schema(registry, limits)
    except Exception:
        failures = _guilty(registry)
        if not failures:
            raise
    if settings.strict_plugins:
        raise PluginError("\n".join(map(str, failures)))
    for failure in failures:
        logger.error("%s", failure)
    left_out = {failure.name for failure in failures}
    sound = _of(registry, {one.name for one in registry.plugins} - left_out)
    sound.failures += [*registry.failures, *failures]
    return sound, build_schema(sound, limits)


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


def _guilty(registry: Registry) -> list[LoadFailure]:
    """The plugins of other distributions with which no schema can be made of the sound ones before them."""
    allowed = {one.name for one in registry.plugins if one.distribution == BUILTIN}
    failures = []
    for one in registry.plugins:
        if one.distribution == BUILTIN:
            continue
        try:
            build_schema(_of(registry, {*allowed, one.name}))
        except PluginError:
            allowed.add(one.name)  # There is no game or mode yet, which may be brought by another.
        except Exception as error:
            failures.append(LoadFailure(one.name, one.distribution, f"{type(error).__name__}: {error}"))
        else:
            allowed.add(one.name)
    return failures


def _of(registry: Registry, names: Collection[str]) -> Registry:
    """Some of the plugins that are loaded, loaded anew."""
    loaded = {(one.name, one.distribution) for one in registry.plugins if one.name in names}
    points = [one for one in entry_points(group=PROJECT) if (one.name, distribution_of(one)) in loaded]
    return load_plugins(points=points)
