"""Everything about the server that can be set, by environment variable or option."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import Field, dataclass, field, fields
from difflib import get_close_matches
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from fliptable_api import settingvalues
from fliptable_api.settingvalues import MOST_DAYS, BadSetting

__all__ = [
    "MOST_DAYS",
    "PREFIX",
    "BadSetting",
    "Settings",
    "from_environment",
    "tell_unknown",
    "to_environment",
]

logger = logging.getLogger("fliptable.settings")

PREFIX = "FLIPTABLE_"
ELSEWHERE = ("FLIPTABLE_MONGOD", "FLIPTABLE_SERVER", "FLIPTABLE_TOKEN")
"""The beginnings of what is no setting of the server, but read by the command line."""

OPTIONS = ("HOST", "PORT", "WORKERS", "RELOAD_PLUGINS")
"""What `fliptable serve` has options for that are no settings."""


def _setting(default: Any, description: str, read: Callable[[str, str], Any] | None = None) -> Any:
    """``read`` is for values that are not read as others of the type of the default are."""
    return field(default=default, metadata={"description": description, "read": read})


@dataclass(frozen=True, slots=True)
class Settings:
    """The server's settings. Each is read from ``FLIPTABLE_`` and its name in upper case."""

    mongo_url: str = _setting(
        "",
        "The MongoDB replica set; without it the server runs a mongod of its own.",
        read=settingvalues.mongo_url,
    )
    mongo_database: str = _setting("fliptable", "The name of the database.", read=settingvalues.database)
    memory: bool = _setting(False, "Keep everything in memory and forget it at the end.")
    data: str = _setting(".fliptable", "The folder of the server's own mongod.", read=settingvalues.folder)
    strict_plugins: bool = _setting(False, "Do not start when a plugin fails to load.")
    allow_plugins: tuple[str, ...] = _setting((), "Load only the plugins of these names.")
    deny_plugins: tuple[str, ...] = _setting((), "Leave out the plugins of these names.")
    shared_store: bool = _setting(
        True,
        "Whether other servers may write to the database that `mongo_url` names; false spares some work.",
    )
    token_days: float = _setting(
        0.0,
        "For how many days a player's token is good, also parts of one; 0 for ever. A guest has nothing "
        "but their token: let tokens expire only for clients that renew them.",
        read=settingvalues.days,
    )
    secret: str = _setting("", "The secret of decks that tables share; without it the database keeps one.")
    allowed_origins: tuple[str, ...] = _setting(
        (),
        "Other origins whose pages may use the server, over HTTP and WebSocket; `localhost` for those of "
        "the same machine at any port, * for all. Without any, pages of the same machine may, where the "
        "server is addressed as localhost too.",
    )
    max_body: int = _setting(262_144, "The most bytes of a request's body.")
    max_message: int = _setting(262_144, "The most bytes of a WebSocket message.")
    ping_frame_interval: float = _setting(
        2.0,
        "Seconds between the ping frames of the WebSocket protocol, which find out who is gone; every "
        "client answers them by itself.",
    )
    ping_frame_timeout: float = _setting(
        2.0, "Seconds that a WebSocket's client has to answer a ping frame before it counts as gone."
    )
    ping_message_interval: float = _setting(
        30.0,
        "Seconds between the `ping` messages of graphql-transport-ws, by which a script can tell a quiet "
        "line from a dead one: it sees no frames.",
    )
    max_tokens: int = _setting(4000, "The most tokens of a document.")
    max_depth: int = _setting(20, "The deepest nesting of a document.")
    max_fields: int = _setting(2000, "The most fields of an operation, its fragments spread out.")
    max_aliases: int = _setting(50, "The most aliases of an operation.")
    max_mutations: int = _setting(20, "The most mutations of an operation.")
    max_cost: int = _setting(60_000, "The most that an operation may cost.")
    rate_per_player: int = _setting(
        5000,
        "How many requests and operations a second a player may make at one worker; 5 times that at once.",
    )
    rate_per_address: int = _setting(
        20_000,
        "How many requests, handshakes of WebSockets and operations a second may come from one address at "
        "one worker; 5 times that at once.",
    )
    connections_per_player: int = _setting(
        100, "How many WebSockets and streams (events, multipart) a player may have open at one worker."
    )
    connections_per_address: int = _setting(
        1000,
        "How many connections may be open from one address at one worker, idle ones among them. Of those "
        "that come through a proxy, only WebSockets and streams are counted.",
    )
    trusted_documents: str = _setting(
        "", "A manifest of trusted documents: Apollo's format, or a JSON object of hashes and documents."
    )
    trust: str = _setting(
        "off",
        "What the manifest is for: `off`; `allow`, documents may be named by their hash; `only`, "
        "and no others are carried out.",
        read=settingvalues.one_of("off", "allow", "only"),
    )
    persisted_queries: bool = _setting(
        True, "Whether clients may send a document with its hash once, and then its hash alone."
    )
    graphiql: bool = _setting(
        True,
        "Whether there is a page at /graphiql to try the API with. There is none where trusted documents are "
        "all that is carried out (`FLIPTABLE_TRUST=only`).",
    )
    cached_tables: int = _setting(20_000, "The most idle tables that stay in memory.")
    subscriber_queue: int = _setting(256, "How many updates a subscriber may be behind before it is cut off.")

    @property
    def data_folder(self) -> Path:
        """The folder of the server's own mongod."""
        return Path(self.data)


def from_environment(environment: Mapping[str, str] = os.environ, **overrides: Any) -> Settings:
    """The settings of an environment; an override that is None counts as not given.

    Errors: BadSetting names the variable (or option), its value and what would be right.
    """
    values: dict[str, Any] = {}
    for setting in fields(Settings):
        name = PREFIX + setting.name.upper()
        if environment.get(name, "") != "":
            values[setting.name] = _read(setting, name, environment[name])
        given = overrides.get(setting.name)
        if given is not None:
            option = f"--{setting.name.replace('_', '-')}"
            values[setting.name] = _read(setting, option, given) if isinstance(given, str) else given
    return Settings(**values)


def tell_unknown(environment: Mapping[str, str] = os.environ) -> None:
    """Log a warning for each variable that looks like a setting and is none.

    Plugins may have settings of their own, which begin with the prefix and the plugin's name.
    """
    for told in _unknown(environment):
        logger.warning("%s", told)


def _unknown(environment: Mapping[str, str]) -> Iterator[str]:
    known = [PREFIX + setting.name.upper() for setting in fields(Settings)]
    of_plugins = tuple(
        f"{PREFIX}{one.name.upper().replace('-', '_')}_" for one in entry_points(group="fliptable")
    )
    for name, value in sorted(environment.items()):
        if not name.startswith(PREFIX) or name in known or value == "":
            continue
        if name in ELSEWHERE or name.startswith(of_plugins + ELSEWHERE[-1:]):
            continue
        own = name.removeprefix(PREFIX)
        near = get_close_matches(own, [one.removeprefix(PREFIX) for one in known], 1, 0.7)
        if own in OPTIONS:
            meant = f"--{own.lower().replace('_', '-')} of fliptable serve says it"
        else:
            meant = f"did you mean {PREFIX}{near[0]}?" if near else "docs/settings.md has all that there are"
        yield f"{name} is no setting, and nothing goes by it; {meant}"


def to_environment(settings: Settings) -> dict[str, str]:
    """Settings as environment variables, to hand them to worker processes."""
    return {
        PREFIX + setting.name.upper(): _write(getattr(settings, setting.name)) for setting in fields(Settings)
    }


def _read(setting: Field[Any], name: str, text: str) -> Any:
    reader = setting.metadata["read"]
    return reader(name, text) if reader else settingvalues.read(name, text, setting.default)


def _write(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(value) if isinstance(value, tuple) else str(value)
