"""Which media type answers a request: what its Accept header asks for, of what the server can do."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

RESPONSE = "application/graphql-response+json"
JSON = "application/json"

OFFERED = (
    f"{RESPONSE}, {JSON}, text/event-stream or, for a subscription, multipart/mixed;subscriptionSpec=1.0"
)
"""What can be asked for, in words. Streams have to be named; a wildcard is for whole answers."""

Protocol = Literal["http", "sse", "multipart-subscription"]

_LONGEST_KEPT = 500


@dataclass(frozen=True, slots=True)
class Accepted:
    """What an Accept header asks for."""

    json: str | None
    """The media type of a whole answer; None when the client takes none."""
    stream: Protocol | None
    """The way of a stream of answers; None when the client names none."""
    stream_first: bool
    """Whether the client would rather have the stream."""
    page: bool
    """Whether the client would rather have a web page, as a browser's address bar does."""

    @property
    def nothing(self) -> bool:
        """Whether there is nothing that the server has and the client takes."""
        return self.json is None and self.stream is None

    def protocol(self, subscription: bool) -> Protocol:
        """How an operation is answered: a subscription by a stream wherever the client takes one."""
        if self.stream is None:
            return "http"
        if subscription or self.json is None:
            return self.stream
        # Only subscriptions can be answered in parts.
        return self.stream if self.stream_first and self.stream == "sse" else "http"


@dataclass(frozen=True, slots=True)
class _Range:
    kind: str
    parameters: dict[str, str]
    quality: float
    place: int


def negotiate(accept: str | None) -> Accepted:
    """What an Accept header asks for; without one it is JSON."""
    if accept is None or not accept.strip() or accept == "*/*":
        return _ANYTHING
    return _kept(accept) if len(accept) <= _LONGEST_KEPT else _read(accept)


def _read(accept: str) -> Accepted:
    ranges = [_range(part, place) for place, part in enumerate(accept.split(",")) if part.strip()]
    json = {
        kind: found
        for kind in (JSON, RESPONSE)
        if (found := _best(ranges, (kind, "application/*", "*/*"))) is not None
    }
    # A wildcard is not enough for a stream: whoever wants one has to say so.
    streams: dict[Protocol, _Range] = {}
    for one in ranges:
        if one.kind == "text/event-stream":
            streams.setdefault("sse", one)
        elif one.kind == "multipart/mixed" and one.parameters.get("subscriptionspec", "").startswith("1.0"):
            streams.setdefault("multipart-subscription", one)
    streams = {protocol: one for protocol, one in streams.items() if one.quality > 0}
    whole = min(json, key=lambda kind: _order(json[kind]), default=None)
    stream = min(streams, key=lambda protocol: _order(streams[protocol]), default=None)
    pages = [one for one in ranges if one.kind == "text/html" and one.quality > 0]
    return Accepted(
        whole,
        stream,
        stream is not None and (whole is None or _order(streams[stream]) < _order(json[whole])),
        bool(pages) and (whole is None or _order(pages[0]) < _order(json[whole])),
    )


_kept = lru_cache(maxsize=256)(_read)

_ANYTHING = Accepted(JSON, None, False, False)


def _range(text: str, place: int) -> _Range:
    kind, *rest = text.split(";")
    parameters = {}
    for part in rest:
        name, _, value = part.partition("=")
        parameters[name.strip().lower()] = value.strip().strip("\"'")
    try:
        quality = float(parameters.get("q", "1"))
    except ValueError:
        quality = 1.0
    return _Range(kind.strip().lower(), parameters, quality, place)


def _best(ranges: list[_Range], kinds: tuple[str, ...]) -> _Range | None:
    """The range that says most about a media type; None when it forbids it, or none is there."""
    for kind in kinds:
        found = next((one for one in ranges if one.kind == kind), None)
        if found is not None:
            return found if found.quality > 0 else None
    return None


def _order(one: _Range) -> tuple[float, int]:
    return (-one.quality, one.place)
