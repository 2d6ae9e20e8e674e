"""Loading plugins for a server: those that no schema can be made of have failed to load too."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from importlib.metadata import entry_points

from fliptable.hookspecs import PROJECT
from fliptable.plugins import BUILTIN, LoadedPlugin, LoadFailure, PluginError, Registry, load_plugins
from fliptable_api.limits import Limits
from fliptable_api.schema import Built, build_schema
from fliptable_api.settings import Settings

logger = logging.getLogger("fliptable.plugins")


def load(settings: Settings, limits: Limits) -> tuple[Registry, Built]:
    """The plugins that the settings ask for, and the schema of them.

    Errors: PluginError when plugins are strict and one fails; what makes a schema impossible when
    that is no other distribution's fault.
    """
    for sentence in unknown_plugins(settings):
        logger.warning("%s", sentence)
    deny = set(settings.deny_plugins)
    allow = settings.allow_plugins or None
    failures: list[LoadFailure] = []
    while True:
        registry = load_plugins(strict=settings.strict_plugins, allow=allow, deny=deny)
        try:
            built = build_schema(registry, limits)
        except Exception as error:
            guilty = _guilty(registry)
            if guilty is None:
                raise
            reason = f"{type(error).__name__}: {error}"
            failure = LoadFailure(guilty.name, guilty.distribution, reason)
            if settings.strict_plugins:
                raise PluginError(str(failure)) from error
            logger.error("%s", failure)
            failures.append(failure)
            deny.add(guilty.name)
        else:
            registry.failures += failures
            return registry, built


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


def _guilty(registry: Registry) -> LoadedPlugin | None:
    """The first plugin of another distribution with which no schema can be made of those before it."""
    allowed = {one.name for one in registry.plugins if one.distribution == BUILTIN}
    for one in registry.plugins:
        if one.distribution != BUILTIN:
            allowed.add(one.name)
            try:
                build_schema(load_plugins(strict=False, allow=allowed))
            except Exception:
                return one
    return None
