"""Published clients behind one face: those of npm in a process of Node.js, those of PyPI in this one."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import count
from typing import Any, Protocol

from gql import Client, GraphQLRequest
from gql.client import AsyncClientSession
from gql.transport.aiohttp import AIOHTTPTransport
from gql.transport.aiohttp_websockets import AIOHTTPWebsocketsTransport
from gql.transport.async_transport import AsyncTransport
from gql.transport.exceptions import (
    TransportClosed,
    TransportConnectionFailed,
    TransportProtocolError,
    TransportQueryError,
)
from gql.transport.httpx import HTTPXAsyncTransport
from gql.transport.requests import RequestsHTTPTransport
from gql.transport.websockets import WebsocketsTransport
from graphql import GraphQLSyntaxError, NameNode, Visitor, parse, visit
from nodekit import INTEROP, node, package

DAMAGED = None
"""In place of a document: one that the client takes for a document and the server cannot read."""

Variables = Mapping[str, Any]


class Errors(Exception):
    """A subscription ended with errors."""

    def __init__(self, errors: list[dict[str, Any]]) -> None:
        super().__init__(json.dumps(errors))
        self.errors = errors


class Broken(Exception):
    """The connection has broken."""


class Unreadable(Exception):
    """The client does not send the document, since it cannot read it itself."""


class Frontend(Protocol):
    """A client with its settings."""

    async def ask(self, query: str | None, variables: Variables) -> dict[str, Any]:
        """The answer's ``data`` and ``errors``. Errors: Broken, Unreadable."""

    def follow(self, query: str, variables: Variables) -> AsyncIterator[dict[str, Any]]:
        """The ``data`` of a subscription until it completes. Errors: Broken, Errors."""

    async def close(self) -> None:
        """Let go of its connections."""


class Npm:
    """The process with the clients of npm; tests/interop/clients.mjs is the other end."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._ids = count(1)
        self._told: dict[int, asyncio.Queue[dict[str, Any]]] = {}

    async def listen(self) -> None:
        """Deal out what the clients say."""
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            said = json.loads(line)
            self._told[said["id"]].put_nowait(said)
        for waiting in self._told.values():
            waiting.put_nowait({"broken": "Node.js has ended"})

    async def order(self, **order: Any) -> AsyncIterator[dict[str, Any]]:
        """What comes of an order until it is carried out. Errors: Broken, Errors, Unreadable."""
        assert self._process.stdin is not None
        id = order.setdefault("id", next(self._ids))
        told = self._told[id] = asyncio.Queue()
        self._process.stdin.write(json.dumps(order).encode() + b"\n")
        try:
            while True:
                said = await told.get()
                if "errors" in said:
                    raise Errors(said["errors"])
                if "broken" in said:
                    raise Broken(said["broken"])
                if "unreadable" in said:
                    raise Unreadable(said["unreadable"])
                if "done" in said:
                    return
                yield said
        finally:
            del self._told[id]

    async def client(self, name: str, url: str, headers: Mapping[str, str]) -> Frontend:
        """One of its clients."""
        one = next(self._ids)
        to = {"url": url, "headers": dict(headers)}
        async for _ in self.order(id=one, order="open", client=name, to=to):
            pass
        return NpmClient(self, one)


class NpmClient:
    """A client of the process."""

    def __init__(self, npm: Npm, id: int) -> None:
        self._npm, self._id = npm, id

    async def ask(self, query: str | None, variables: Variables) -> dict[str, Any]:
        told = self._npm.order(of=self._id, order="ask", query=query, variables=variables)
        (said,) = [one async for one in told]
        answer: dict[str, Any] = said["answer"]
        return answer

    async def follow(self, query: str, variables: Variables) -> AsyncIterator[dict[str, Any]]:
        async for said in self._npm.order(of=self._id, order="follow", query=query, variables=variables):
            yield said["next"]

    async def close(self) -> None:
        async for _ in self._npm.order(of=self._id, order="close"):
            pass


@asynccontextmanager
async def npm() -> AsyncIterator[Npm]:
    """The process, and its end."""
    package("graphql-ws")
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        node(), "clients.mjs", cwd=INTEROP, stdin=pipe, stdout=pipe, limit=2**24
    )
    one = Npm(process)
    listening = asyncio.create_task(one.listen())
    try:
        yield one
    finally:
        assert process.stdin is not None
        process.stdin.close()
        await process.wait()
        await listening


class _Damage(Visitor):
    """Printed, the document is none."""

    def enter_name(self, node: NameNode, *_: Any) -> NameNode | None:
        return NameNode(value="{") if node.value == "id" else None


def _request(query: str | None, variables: Variables) -> GraphQLRequest:
    if query is DAMAGED:
        return GraphQLRequest(visit(parse("{ games { id } }"), _Damage()))
    try:
        return GraphQLRequest(query, variable_values=dict(variables))
    except GraphQLSyntaxError as error:
        raise Unreadable(str(error)) from None


class Gql:
    """A client of gql with an asynchronous transport."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport
        self._open: tuple[AsyncExitStack, AsyncClientSession] | None = None

    async def _session(self) -> AsyncClientSession:
        if self._open is None:
            stack = AsyncExitStack()
            session = await stack.enter_async_context(Client(transport=self._transport))
            self._open = stack, session
        return self._open[1]

    async def ask(self, query: str | None, variables: Variables) -> dict[str, Any]:
        request = _request(query, variables)
        try:
            return {"data": await (await self._session()).execute(request)}
        except TransportQueryError as error:
            return {"data": error.data, "errors": error.errors}

    async def follow(self, query: str, variables: Variables) -> AsyncIterator[dict[str, Any]]:
        request = _request(query, variables)
        try:
            async for data in (await self._session()).subscribe(request):
                yield data
        except TransportQueryError as error:
            raise Errors(error.errors or []) from None
        except (TransportClosed, TransportConnectionFailed, TransportProtocolError) as error:
            await self.close()
            raise Broken(str(error)) from None

    async def close(self) -> None:
        if self._open is not None:
            (stack, _), self._open = self._open, None
            await stack.aclose()


class Requests:
    """A client of gql with the transport that waits."""

    def __init__(self, url: str, headers: Mapping[str, str]) -> None:
        self._client = Client(transport=RequestsHTTPTransport(url=url, headers=dict(headers)))

    async def ask(self, query: str | None, variables: Variables) -> dict[str, Any]:
        request = _request(query, variables)
        try:
            return {"data": await asyncio.to_thread(self._client.execute, request)}
        except TransportQueryError as error:
            return {"data": error.data, "errors": error.errors}

    def follow(self, query: str, variables: Variables) -> AsyncIterator[dict[str, Any]]:
        raise NotImplementedError

    async def close(self) -> None:
        pass


def _web(url: str) -> str:
    return url.replace("http", "ws", 1)


PYPI: dict[str, Callable[[str, Mapping[str, str]], Frontend]] = {
    "gql over httpx": lambda url, headers: Gql(HTTPXAsyncTransport(url=url, headers=headers)),
    "gql over aiohttp": lambda url, headers: Gql(AIOHTTPTransport(url=url, headers=headers)),
    "gql over requests": Requests,
    "gql over websockets": lambda url, headers: Gql(
        WebsocketsTransport(url=_web(url), init_payload=dict(headers), close_timeout=1)
    ),
    "gql over aiohttp's WebSocket": lambda url, headers: Gql(
        AIOHTTPWebsocketsTransport(url=_web(url), init_payload=dict(headers), close_timeout=1)
    ),
}
