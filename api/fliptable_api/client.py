"""A small GraphQL client: requests over HTTP, subscriptions over graphql-transport-ws."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit, urlunsplit

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, WebSocketException
from websockets.typing import Subprotocol

DEFAULT_SERVER = "http://127.0.0.1:8000"
"""Where `fliptable serve` listens when it is not told otherwise."""

_PROTOCOL = Subprotocol("graphql-transport-ws")
_TIMEOUT = 30.0
_FORBIDDEN = 4403
_EXPIRED = "TOKEN_EXPIRED"
_AWAY = frozenset(("INTERRUPTED", "TOO_SLOW", "UNAVAILABLE"))


class ClientError(Exception):
    """Something that is to be expected of a server or its user; the message is for a person."""


class BadAddress(ClientError):
    """The server's address is not one."""


class Unreachable(ClientError):
    """The server does not answer, or not any more. Trying again may help."""


class Denied(ClientError):
    """The server does not know the token."""

    def __init__(self, message: str = "the server does not know the token") -> None:
        """A sentence for a person."""
        super().__init__(message)


class Expired(Denied):
    """The time of the token is over."""

    def __init__(self) -> None:
        """Says what can be done."""
        super().__init__("the token has expired; sign in again (without --token, `fliptable play` does)")


class ServerError(ClientError):
    """An error that the server reported, with its code."""

    def __init__(self, code: str, message: str, retryable: bool = False) -> None:
        """``code`` and ``retryable`` are of the error's ``extensions``."""
        super().__init__(f"{message} ({code})")
        self.code = code
        self.retryable = retryable
        self.message = message


def is_passing(error: ClientError) -> bool:
    """Whether the same request may succeed later."""
    if isinstance(error, ServerError):
        return error.retryable or error.code in _AWAY
    return isinstance(error, Unreachable)


def endpoint(server: str) -> str:
    """The address of a server's GraphQL endpoint. Errors: BadAddress."""
    address = server.strip()
    parts = urlsplit(address if "://" in address else f"http://{address}")
    try:
        named = parts.hostname and (parts.port is None or parts.port > 0)
    except ValueError:
        named = None
    if parts.scheme not in ("http", "https") or not named:
        raise BadAddress(
            f"{server!r} is not the address of a server; it looks like http://127.0.0.1:8000 or https://HOST"
        )
    path = parts.path.rstrip("/") or "/graphql"
    return urlunsplit((parts.scheme, parts.netloc, path, "", ""))


class Client:
    """Speaks to one server as one player, or as nobody. Use it as ``async with``."""

    def __init__(self, server: str, token: str | None = None) -> None:
        """``server`` with or without the endpoint's path. Errors: BadAddress."""
        self.url = endpoint(server)
        self.token = token
        self._http = httpx.AsyncClient(timeout=_TIMEOUT)

    async def __aenter__(self) -> Self:
        """Nothing is sent yet."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def ask(self, document: str, **variables: Any) -> dict[str, Any]:
        """The data of a query or mutation. Errors: ClientError."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        try:
            body = {"query": document, "variables": variables}
            response = await self._http.post(self.url, json=body, headers=headers)
        except (httpx.HTTPError, OSError) as error:
            raise Unreachable(f"the server at {self.url} cannot be reached: {_reason(error)}") from None
        try:
            answer = response.json()
        except ValueError:
            answer = None
        if response.status_code == 401:
            raise _denied(answer)
        if not isinstance(answer, dict) or not ("data" in answer or "errors" in answer):
            raise ClientError(f"there is no GraphQL at {self.url}; it answered HTTP {response.status_code}")
        return _data(answer)

    async def follow(self, document: str, **variables: Any) -> AsyncIterator[dict[str, Any]]:
        """The data of a subscription's events, until it completes. Errors: ClientError."""
        address = "ws" + self.url.removeprefix("http")
        try:
            async with connect(address, subprotocols=[_PROTOCOL], max_size=None) as socket:
                await self._begin(socket)
                payload = {"query": document, "variables": variables}
                await socket.send(json.dumps({"id": "1", "type": "subscribe", "payload": payload}))
                async for message in self._messages(socket):
                    yield message
        except ConnectionClosed as error:
            if error.rcvd is not None and error.rcvd.code == _FORBIDDEN:
                raise (Expired() if error.rcvd.reason.startswith(_EXPIRED) else Denied()) from None
            raise Unreachable(f"the server at {self.url} closed the connection") from None
        except InvalidHandshake as error:
            raise Unreachable(f"the server at {self.url} takes no WebSockets: {_reason(error)}") from None
        except (OSError, WebSocketException) as error:
            raise Unreachable(f"the server at {self.url} cannot be reached: {_reason(error)}") from None

    async def _begin(self, socket: ClientConnection) -> None:
        payload = {"authorization": f"Bearer {self.token}"} if self.token else {}
        await socket.send(json.dumps({"type": "connection_init", "payload": payload}))
        while json.loads(await socket.recv())["type"] != "connection_ack":
            pass

    async def _messages(self, socket: ClientConnection) -> AsyncIterator[dict[str, Any]]:
        while True:
            message = json.loads(await socket.recv())
            match message["type"]:
                case "next":
                    yield _data(message["payload"])
                case "error":
                    raise _server_error(message["payload"])
                case "complete":
                    return
                case "ping":
                    await socket.send(json.dumps({"type": "pong"}))


def _data(answer: dict[str, Any]) -> dict[str, Any]:
    if answer.get("errors"):
        raise _server_error(answer["errors"])
    data: dict[str, Any] = answer["data"]
    return data


def _server_error(errors: list[dict[str, Any]]) -> ServerError | Expired:
    first = errors[0]
    more = first.get("extensions", {})
    code = more.get("code", "ERROR")
    if code == _EXPIRED:
        return Expired()
    return ServerError(code, first["message"], more.get("retryable") is True)


def _denied(answer: Any) -> Denied:
    """Why a token is refused; whatever answers with 401 may be no server of ours."""
    try:
        error = _server_error(answer["errors"])
    except (TypeError, LookupError, AttributeError):
        return Denied()
    return error if isinstance(error, Expired) else Denied()


def _reason(error: Exception) -> str:
    if isinstance(error, httpx.TimeoutException | TimeoutError):
        return "it does not answer in time"
    cause: BaseException = error
    while (deeper := cause.__cause__ or cause.__context__) is not None:
        cause = deeper
    if isinstance(cause, ConnectionRefusedError) or "Connection refused" in str(cause):
        return "nothing listens there (start a server with `fliptable serve`)"
    if isinstance(cause, OSError) and cause.strerror:
        return cause.strerror
    return str(cause) or type(cause).__name__
