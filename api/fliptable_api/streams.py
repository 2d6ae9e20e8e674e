"""Streams of answers over plain HTTP: server-sent events, and parts of one multipart answer."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from typing import Any

from graphql import GraphQLError
from strawberry.http.streaming import HTTPStreamTransport, MultipartSubscriptionTransport, SSETransport
from strawberry.subscriptions import GRAPHQL_SSE_PROTOCOL, MULTIPART_SUBSCRIPTION_PROTOCOL
from strawberry.types import ExecutionResult

from fliptable_api.errors import coded


class EventStream(SSETransport):
    """Events with plain line feeds: some clients look for an empty line made of nothing else."""

    def encode_event(self, event: str, data: str | None = None) -> str:
        """One event, its data on one line."""
        return f"event: {event}\ndata: {data or ''}\n\n"

    def encode_comment(self, comment: str) -> str:
        """A comment, which keeps the line open."""
        return f": {comment}\n\n"


TRANSPORTS: Mapping[str, type[HTTPStreamTransport]] = {
    GRAPHQL_SSE_PROTOCOL: EventStream,
    MULTIPART_SUBSCRIPTION_PROTOCOL: MultipartSubscriptionTransport,
}


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
