"""Pages of which origins may use the server: one list for WebSockets and for HTTP (CORS).

No answer depends on cookies, so what this protects is that a page cannot act through the network
position of whoever looks at it; tokens are safe from other origins anyway.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from urllib.parse import urlsplit

logger = logging.getLogger("fliptable.origins")

_PORTS = {"http": 80, "https": 443}
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_TOLD = 1000
"""How many origins are told of in the log, each once."""


class BadOrigin(ValueError):
    """Something in the list of origins is none."""


class Origins:
    """The origins whose pages may use the server, besides the server's own."""

    def __init__(self, allowed: Iterable[str] = ()) -> None:
        """``*`` allows all, ``localhost`` the pages of the same machine at any port.

        Without any, pages of the same machine are allowed as long as the server is addressed as one
        there itself, as in development. Errors: BadOrigin.
        """
        given = [one.strip() for one in allowed]
        self._all = "*" in given
        self._loopback = "localhost" in given
        self._development = not given
        self._allowed = frozenset(_checked(one) for one in given if one not in ("*", "localhost"))
        self._told: set[str] = set()

    def allows(self, origin: str, host: str | None) -> bool:
        """Whether a page of that origin may use the server at that host; a refusal is logged once."""
        if self._all:
            return True
        page = _split(origin)
        if page is not None:
            scheme, name, port = page
            here = _split(f"{scheme}://{host}") if host else None
            # A proxy may have taken TLS off, so the scheme does not matter here.
            if here is not None and here[1:] == (name, port):
                return True
            if f"{scheme}://{name}:{port}" in self._allowed:
                return True
            local = _is_loopback(name) and (
                self._loopback or (self._development and here is not None and _is_loopback(here[1]))
            )
            if local:
                return True
        self._tell(origin, host)
        return False

    def _tell(self, origin: str, host: str | None) -> None:
        if origin in self._told or len(self._told) >= _TOLD:
            return
        self._told.add(origin)
        logger.warning(
            "a page of the origin %.200r was refused at %.200r; to let it in, name it in "
            "FLIPTABLE_ALLOWED_ORIGINS",
            origin,
            host,
        )


def _is_loopback(name: str) -> bool:
    return name in _LOOPBACK or name.endswith(".localhost")


def _split(origin: str) -> tuple[str, str, int] | None:
    try:
        parts = urlsplit(origin)
        port = parts.port
    except ValueError:
        return None
    if not parts.scheme or not parts.hostname:
        return None
    return parts.scheme, parts.hostname, port or _PORTS.get(parts.scheme, 0)


def _checked(origin: str) -> str:
    found = _split(origin)
    if found is None or urlsplit(origin).path not in ("", "/"):
        raise BadOrigin(f"{origin!r} is no origin; it has to be like https://example.com, `localhost` or *")
    scheme, name, port = found
    return f"{scheme}://{name}:{port}"
