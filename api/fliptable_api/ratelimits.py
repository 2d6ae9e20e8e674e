"""How often a player, and an address, may ask: token buckets in bounded memory."""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable
from math import ceil

from fliptable_api.errors import CodedError

BURST = 5
"""Seconds' worth of requests that may come at once."""

_MOST = 20_000


class RateLimit:
    """So many requests a second for each key, and some seconds' worth of them at once."""

    def __init__(
        self, per_second: int, whose: str, most: int = _MOST, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """``whose`` says in the message what is counted; of keys, the ``most`` recent are kept."""
        self._rate = per_second
        self._room = per_second * BURST
        self._whose = whose
        self._most = most
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def __len__(self) -> int:
        """How many keys are remembered."""
        return len(self._buckets)

    def take(self, key: str) -> None:
        """Count a request. Errors: CodedError RATE_LIMITED says after how many seconds to come again."""
        now = self._clock()
        left, then = self._buckets.get(key, (self._room, now))
        left = min(self._room, left + (now - then) * self._rate)
        self._buckets[key] = (left - 1 if left >= 1 else left, now)
        self._buckets.move_to_end(key)
        if len(self._buckets) > self._most:
            # The one that asked longest ago has the fullest bucket, so little is forgotten.
            self._buckets.popitem(last=False)
        if left < 1:
            wait = ceil((1 - left) / self._rate)
            raise CodedError(
                "RATE_LIMITED",
                f"{self._whose} may ask {self._rate} times a second; come again in {wait} s.",
                retryAfter=wait,
            )


class RateLimits:
    """Both limits of a server."""

    def __init__(self, per_player: int, per_address: int) -> None:
        """Requests a second."""
        self.players = RateLimit(per_player, "A player")
        self.addresses = RateLimit(per_address, "An address")


_LONGEST = 64
"""The most characters that are kept of what is no address."""


def address_of(client: tuple[str, int] | None) -> str:
    """What is counted as one address: an IPv4 address, or the 64 bits of an IPv6 network.

    ``client`` is that of the ASGI scope: whoever is at the other end of the connection, or whom a proxy
    names that uvicorn is told to believe (``FORWARDED_ALLOW_IPS``).
    """
    if client is None:
        return ""
    host = client[0]
    if ":" not in host:
        return host[:_LONGEST]
    try:
        address = ipaddress.IPv6Address(host.partition("%")[0])
    except ValueError:
        return host[:_LONGEST]
    if address.ipv4_mapped is not None:
        # So an IPv4 client looks to a server that listens at `::`.
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, 64), strict=False))
