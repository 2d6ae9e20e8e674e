"""Streams of answers over plain HTTP: server-sent events, and parts of one multipart answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from typing import Any

import orjson
from graphql import GraphQLError
from starlette.responses import Response
from strawberry.http import GraphQLHTTPResponse
from strawberry.http.streaming import (
    HTTPStreamTransport,
    JSONEncoder,
    MultipartSubscriptionTransport,
    SSETransport,
)
from strawberry.subscriptions import GRAPHQL_SSE_PROTOCOL, MULTIPART_SUBSCRIPTION_PROTOCOL
from strawberry.types import ExecutionResult

from fliptable.accounts import Accounts
from fliptable.tokens import Token, TokenOver
from fliptable_api.errors import coded
from fliptable_api.negotiation import Protocol


class EventStream(SSETransport):
    """Events with plain line feeds: some clients look for an empty line made of nothing else.

    One for each stream, so that it can know how the stream ends.
    """

    _interrupted = False

    def encode_next(self, response: GraphQLHTTPResponse, encode_json: JSONEncoder) -> str:
        """An answer."""
        errors: Any = response.get("errors") or ()
        for error in errors:
            self._interrupted |= (error.get("extensions") or {}).get("code") == "INTERRUPTED"
        return super().encode_next(response, encode_json)

    def encode_complete(self) -> str:
        """The end of what was asked for; a server that stops does not say that it has come."""
        return "" if self._interrupted else super().encode_complete()

    def encode_event(self, event: str, data: str | None = None) -> str:
        """One event, its data on one line."""
        return f"event: {event}\ndata: {data or ''}\n\n"

    def encode_comment(self, comment: str) -> str:
        """A comment, which keeps the line open."""
        return f": {comment}\n\n"


class Parts(MultipartSubscriptionTransport):
    """The parts of one answer, as RFC 2046 has them; one for each stream.

    What ends a part is sent with it, so that nobody has to wait for the next one to read it.
    """

    _begun = False

    @property
    def headers(self) -> Mapping[str, str]:
        """The media type is that of Apollo's protocol for subscriptions."""
        return {"Content-Type": f"multipart/mixed;boundary={self.separator};subscriptionSpec=1.0"}

    def encode_multipart_data(self, data: object, encode_json: JSONEncoder) -> str:
        """A part, before the first of them what begins it."""
        begin, self._begun = "" if self._begun else f"--{self.separator}", True
        return begin + super().encode_multipart_data(data, encode_json)

    def encode_complete(self) -> str:
        """What makes the end of the last part that of all."""
        return "--\r\n"


TRANSPORTS: Mapping[str, type[HTTPStreamTransport]] = {
    GRAPHQL_SSE_PROTOCOL: EventStream,
    MULTIPART_SUBSCRIPTION_PROTOCOL: Parts,
}

_OF_PROTOCOL: Mapping[Protocol, type[HTTPStreamTransport]] = {
    "sse": EventStream,
    "multipart-subscription": Parts,
}


def only(protocol: Protocol, answer: Any) -> Response | None:
    """A stream of one answer; None where the protocol is none of a stream."""
    if protocol not in _OF_PROTOCOL:
        return None
    transport = _OF_PROTOCOL[protocol]()
    text = transport.encode_next(answer, lambda one: orjson.dumps(one).decode())
    return Response(text + transport.encode_complete(), headers={**transport.headers})


async def while_good(
    results: AsyncGenerator[ExecutionResult, None], accounts: Accounts, token: Token
) -> AsyncGenerator[ExecutionResult, None]:
    """The results of a subscription for as long as the token is good. Errors: TokenOver, Unavailable."""
    waiting: asyncio.Timeout | None = None

    def tell(why: TokenOver) -> None:
        if waiting is not None:
            waiting.reschedule(asyncio.get_running_loop().time())

    hold = await accounts.hold(token, tell)
    try:
        while hold.over is None:
            try:
                async with asyncio.timeout(None) as waiting:
                    result = await anext(results)
            except StopAsyncIteration:
                return
            except TimeoutError:
                if hold.over is None:
                    raise
            else:
                waiting = None
                yield result
        raise hold.over
    finally:
        hold.release()
        await results.aclose()


async def to_the_end(results: Any) -> AsyncGenerator[ExecutionResult, None]:
    """The results of an operation; one that breaks off ends with a result that says why."""
    iterator: AsyncIterator[ExecutionResult] = aiter(results)
    try:
        async for result in iterator:
            yield result
    except Exception as error:
        if not isinstance(error, GraphQLError):
            error = GraphQLError("", original_error=error)
        yield ExecutionResult(data=None, errors=[coded(error)])
    finally:
        close = getattr(results, "aclose", None)
        if close is not None:
            await close()
