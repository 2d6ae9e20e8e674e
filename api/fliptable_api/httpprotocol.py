"""The HTTP protocol of uvicorn, with JSON for what it refuses itself, and an end to requests without one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

import orjson
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from fliptable_api import cors
from fliptable_api.connections import Connections
from fliptable_api.errors import CodedError, body
from fliptable_api.lingering import Line
from fliptable_api.origins import Origins
from fliptable_api.ratelimits import address_of
from fliptable_api.wsprotocol import LAST_WORDS

MOST_HEAD = 65_536
"""The most bytes of a request's line and headers."""

_AROUND_HEADER = len(b": \r\n")
_AROUND_LINE = len(b"  HTTP/1.1\r\n\r\n")
_AROUND_CHUNK = len(b"1\r\n\r\n")

MOST_WASTE = 1 << 25
"""The most bytes of a request that nobody gets: they frame its body, or come when it is answered already."""

PATIENCE = 30.0
"""Seconds that a request may take to arrive, and a new connection to begin one."""

TURNED_AWAY = 1.0
"""Seconds that whoever is not served, by a full or a stopping server, has to read that."""


class HeadRefused(Exception):
    """It ends the reading of a request that was refused."""


def _announces_body(headers: list[tuple[bytes, bytes]]) -> bool:
    return any(
        name == b"transfer-encoding" or (name == b"content-length" and value != b"0")
        for name, value in headers
    )


class HttpProtocol(HttpToolsProtocol):
    """One HTTP connection, until it becomes a WebSocket."""

    transport: Line  # type: ignore[assignment]
    _clock: asyncio.TimerHandle | None = None
    _cut: asyncio.TimerHandle | None = None
    _in_head = True
    _last: Any = None
    """What answers the request before the one that is being read; None before there was one."""
    _refusal: Callable[[], None] | None = None
    """What refuses the request that is being read, once those before it are answered."""
    _counted = _foreign = 0
    """Bytes of what is read now that have been told of, and how many of them belong to earlier requests."""
    _head = 0
    _size = 0
    _waste = 0

    def __init__(
        self,
        *arguments: Any,
        held: Connections | None = None,
        origins: Origins | None = None,
        **named: Any,
    ) -> None:
        """As uvicorn's; ``held`` are all connections of the worker, to be counted.

        Pages of ``origins`` may read why something was refused.
        """
        super().__init__(*arguments, **named)
        self._held = held
        self._origins = origins

    def connection_made(self, transport: Any) -> None:
        """A connection without a request is not kept for ever, and an address has so many of them."""
        super().connection_made(Line(transport, self, self.loop))  # type: ignore[arg-type]
        self._start_clock()
        # A proxy has those of all its clients; how many each of them has is for the proxy to say.
        if self._held is None or self.client is None or self.client[0] in self._proxies():
            return
        try:
            self.transport.counted = self._held.open(address_of(self.client))
        except CodedError as error:
            extensions = dict(error.extensions or {})
            self._refuse(429, extensions.pop("code"), error.message, TURNED_AWAY, **extensions)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is no more."""
        self._stop_clock()
        if self._cut is not None:
            self._cut.cancel()
        self.transport.lost()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read; a head that grows and grows is refused, and so is what never becomes a body."""
        if self._refusal is not None:
            self._waste += len(data)
            if self._waste > MOST_WASTE:
                self.transport.abort()
            return
        self._counted = self._foreign = 0
        super().data_received(data)
        if not self.transport.midway:
            # Lines without anything on them begin no request, but have ended the wait for one.
            if self._clock is None and self.timeout_keep_alive_task is None and self._answered():
                self._start_clock()
        elif self._in_head:
            self._head += len(data) - self._foreign
            if self._head > MOST_HEAD:
                self._refuse_head()
        else:
            self._waste += len(data)
            if self._waste > MOST_WASTE:
                self._refuse(413, "PAYLOAD_TOO_LARGE", "There is too much around the request's body.")

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._in_head = self.transport.midway = True
        self._head = self._size = self._waste = 0
        if self._clock is None:
            self._start_clock()

    def on_url(self, url: bytes) -> None:
        """A part of its line is there."""
        self._size += len(url)
        self._counted += len(url)
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """One of its headers is there. A trailer, behind the head, is none (RFC 9110, 6.5.1)."""
        self._counted += len(name) + len(value) + _AROUND_HEADER
        if not self._in_head:
            # Its bytes count as waste, as all that is no part of the body.
            return
        self._size += len(name) + len(value) + _AROUND_HEADER
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Its headers are there, maybe all at once. Errors: HeadRefused."""
        self._in_head = False
        line = len(self.parser.get_method()) + _AROUND_LINE
        self._counted += line
        if self._size + line > MOST_HEAD:
            self._refuse_head()
            raise HeadRefused
        if self.parser.should_upgrade() and self._should_upgrade() and _announces_body(self.headers):
            self._refuse(400, "BAD_REQUEST", "The request for a WebSocket cannot have a body.")
            raise HeadRefused
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A part of its body is there."""
        super().on_body(body)
        self._counted += len(body)
        if not self._answered():
            self._waste -= len(body)

    def on_chunk_complete(self) -> None:
        """A part of its body that came as one is there."""
        self._counted += _AROUND_CHUNK

    def on_message_complete(self) -> None:
        """All of it is there."""
        self._last = self.cycle
        self.transport.midway = False
        self._foreign = self._counted
        self._stop_clock()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """A request is answered; so it may be the turn of one that is refused."""
        super().on_response_complete()
        if self._refusal is not None and self._last.response_complete:
            self._unset_keepalive_if_required()
            self._refusal()

    def handle_websocket_upgrade(self) -> None:
        """It becomes a WebSocket, which has a patience of its own."""
        self._stop_clock()
        self.transport.midway = True
        super().handle_websocket_upgrade()

    def shutdown(self) -> None:
        """The server stops: what has not arrived wholly is refused, unless its answer has begun already.

        A stream has come to its end, so whoever does not read that is not waited for.
        """
        arriving = self.transport.midway and not self.transport.is_closing()
        if arriving and (self.cycle is self._last or not self.cycle.response_started):
            message = "The server stops, and the request had not arrived; nothing of it was carried out."
            self._refuse(503, "INTERRUPTED", message, TURNED_AWAY)
        else:
            super().shutdown()
            self.transport.hurry()
        if self.cycle is not None and self.cycle.response_started and not self.cycle.response_complete:
            self._cut = self.loop.call_later(LAST_WORDS, self.transport.abort)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP."""
        self._refuse(
            400, "BAD_REQUEST", "This cannot be read as HTTP: its line, a header or its body is malformed."
        )

    def _start_clock(self) -> None:
        self._clock = self.loop.call_later(PATIENCE, self._too_late)

    def _stop_clock(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None

    def _too_late(self) -> None:
        self._clock = None
        if self.transport.midway:
            self._refuse(408, "BAD_REQUEST", f"The request has to arrive within {PATIENCE:.0f} s.")
        else:
            self.transport.close()

    def _refuse_head(self) -> None:
        self._refuse(431, "PAYLOAD_TOO_LARGE", f"A request's line and headers may have {MOST_HEAD} bytes.")

    def _readable(self) -> list[bytes]:
        """The headers with which the page that asked, if one did, may read what it is told."""
        if self._origins is None or not self.headers:
            return []
        named = (b"origin", b"host")
        asked = {name: value.decode("latin-1") for name, value in self.headers if name in named}
        found = cors.readable(asked.get(b"origin"), asked.get(b"host"), self._origins)
        return [f"{name.lower()}: {value}\r\n".encode("latin-1") for name, value in found.items()]

    def _answered(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _proxies(self) -> Any:
        """The addresses of proxies that are believed, as ``FORWARDED_ALLOW_IPS`` names them."""
        return getattr(self.app, "trusted_hosts", ())

    def _refuse(
        self, status: int, code: str, message: str, patience: float | None = None, **extensions: Any
    ) -> None:
        """Answer what no application has seen, and close; requests that came before it are answered first."""
        if self.transport.is_closing():
            return
        cycle, last = self.cycle, self._last
        under_way = last is not None and not last.response_complete
        if under_way and not last.response_started:
            if self._refusal is None:
                self._refusal = partial(self._refuse, status, code, message, patience, **extensions)
                self._forget()
            return
        # Into a stream no other answer can be put, nor behind one that came early.
        if not under_way and (cycle is last or not cycle.response_started):
            content = orjson.dumps(body(code, message, **extensions))
            head = [b"%s: %s\r\n" % one for one in self.server_state.default_headers]
            head += [
                b"content-type: application/json; charset=utf-8\r\n",
                b"cache-control: no-store\r\n",
                b"content-length: %d\r\n" % len(content),
                *self._readable(),
                b"connection: close\r\n\r\n",
            ]
            self.transport.write(b"".join([STATUS_LINE[status], *head, content]))
        if cycle is not None:
            # Whoever waits for the rest of the request waits no more.
            cycle.disconnected = True
            cycle.message_event.set()
        self.transport.linger(patience)

    def _forget(self) -> None:
        """The request that is being read, behind others that are not answered yet, is never carried out."""
        if self.cycle is not self._last:
            self.pipeline.popleft()
            self.cycle = self._last
        self.transport.midway = True
        self._stop_clock()
