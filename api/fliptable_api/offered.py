"""What a server offers to whom: origins, rates, documents by their hash, sizes."""

from __future__ import annotations

from dataclasses import dataclass

from fliptable_api import graphiql
from fliptable_api.connections import Connections
from fliptable_api.origins import BadOrigin, Origins
from fliptable_api.ratelimits import RateLimits
from fliptable_api.settings import BadSetting, Settings
from fliptable_api.trusted import BadManifest, Documents, Trust


@dataclass(frozen=True, slots=True)
class Public:
    """What a server offers to whom."""

    origins: Origins
    rates: RateLimits
    connections: Connections
    by_hash: Documents
    max_body: int
    ping_message_interval: float
    graphiql: bool


def public(settings: Settings) -> Public:
    """What some settings offer. Errors: BadSetting."""
    try:
        trust = Trust(settings.trust)
    except ValueError:
        raise BadSetting(f"FLIPTABLE_TRUST is {settings.trust!r}; it has to be off, allow or only") from None
    if trust is not Trust.OFF and not settings.trusted_documents:
        raise BadSetting(
            f"FLIPTABLE_TRUST is {settings.trust!r}, so FLIPTABLE_TRUSTED_DOCUMENTS has to name a manifest"
        )
    try:
        origins = Origins(settings.allowed_origins)
    except BadOrigin as error:
        raise BadSetting(f"FLIPTABLE_ALLOWED_ORIGINS: {error}") from None
    try:
        by_hash = Documents(settings.trusted_documents, trust, settings.persisted_queries)
    except BadManifest as error:
        raise BadSetting(f"FLIPTABLE_TRUSTED_DOCUMENTS: {error}") from None
    rates = RateLimits(settings.rate_per_player, settings.rate_per_address)
    connections = Connections(settings.connections_per_address, settings.connections_per_player)
    return Public(
        origins,
        rates,
        connections,
        by_hash,
        settings.max_body,
        settings.ping_message_interval,
        graphiql.missing(settings) is None,
    )
