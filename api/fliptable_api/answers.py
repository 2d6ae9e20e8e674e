"""Whole answers over HTTP: of requests that failed as such, and those that may be kept."""

from __future__ import annotations

from hashlib import sha256

from graphql import GraphQLError
from starlette.requests import Request
from starlette.responses import Response

from fliptable_api.errors import body, shown
from fliptable_api.negotiation import JSON, RESPONSE, Protocol
from fliptable_api.streams import only
from fliptable_api.wire import refused

_STATUS = {
    "UNAUTHENTICATED": 401,
    "TOKEN_EXPIRED": 401,
    "UNAVAILABLE": 503,
    "RATE_LIMITED": 429,
    "CONNECTION_LIMIT": 429,
    "SUBSCRIPTION_TRANSPORT": 400,
    "BAD_REQUEST": 400,
}
"""The HTTP status of what keeps a request from being carried out at all."""

_IN_ANSWER = ("PERSISTED_QUERY_NOT_FOUND", "PERSISTED_QUERY_NOT_SUPPORTED", "DOCUMENT_NOT_TRUSTED")
"""What is said by a GraphQL answer, as of a document that is not valid."""


def refusal(kind: str, error: Exception, protocol: Protocol = "http") -> Response:
    """The answer to a request that failed as a whole; ``protocol`` is how its operation would be answered."""
    masked = shown(GraphQLError("", original_error=error))
    extensions = dict(masked.extensions or {})
    code = extensions.pop("code")
    status = _STATUS.get(code, 500)
    if code in _IN_ANSWER:
        streamed = only(protocol, body(code, masked.message, **extensions))
        if streamed is not None:
            return streamed
        status = 400 if kind == RESPONSE else 200
    return refused(kind, status, code, masked.message, **extensions)


def not_let_in(origin: str) -> Response:
    """The answer to a page whose origin may not use the server."""
    named = origin[:200]
    told = (
        f"Pages of the origin {named} may not use this server; "
        "whoever runs it can name it in FLIPTABLE_ALLOWED_ORIGINS."
    )
    return refused(JSON, 403, "FORBIDDEN", told, origin=named)


def cacheable(request: Request, response: Response) -> Response:
    """Let whoever asked keep the answer, and ask again whether it still holds."""
    tag = f'"{sha256(response.body).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache", "Vary": "Accept, Authorization"}
    known = request.headers.get("if-none-match", "")
    if tag in known or known.strip() == "*":
        return Response(status_code=304, headers=headers)
    response.headers.update(headers)
    return response
