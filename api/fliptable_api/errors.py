"""What goes wrong apart from refusals: coded errors for clients, and masking of everything else."""

from __future__ import annotations

import logging
import secrets
from types import MappingProxyType
from typing import Any

from graphql import GraphQLError
from strawberry.exceptions import MissingQueryError
from strawberry.schema.exceptions import CannotGetOperationTypeError, InvalidOperationTypeError

from fliptable.accounts import InvalidName
from fliptable.codec import UnknownEvent
from fliptable.feed import TooSlow
from fliptable.log import Unavailable
from fliptable.migrations import OtherVersion, UnreadableLog
from fliptable.plugins import PluginMissing
from fliptable.requests import Interrupted, TableNotFound, UnknownVersion
from fliptable.tokens import SignedOut, TokenExpired
from fliptable_api.faults import whose
from fliptable_api.naming import sentence
from fliptable_api.places import place_of
from fliptable_api.quoting import LONGEST_MESSAGE, shortened
from fliptable_api.scalars import write_time
from fliptable_api.wording import worded

logger = logging.getLogger("fliptable.errors")

ERRORS = MappingProxyType(
    {
        "BAD_REQUEST": "The HTTP request or WebSocket message is not a GraphQL request.",
        "GRAPHQL_PARSE_FAILED": "The document is not GraphQL.",
        "GRAPHQL_VALIDATION_FAILED": "The document or its variables do not fit the schema.",
        "DOCUMENT_TOO_LARGE": "The document is deeper, or has more of something, than allowed.",
        "SUBSCRIPTION_TRANSPORT": "A subscription came by a plain request; `transports` says what it takes.",
        "PERSISTED_QUERY_NOT_FOUND": "No document of this hash is known; send it once with its hash.",
        "PERSISTED_QUERY_NOT_SUPPORTED": "The server keeps no documents; send them whole, without a hash.",
        "DOCUMENT_NOT_TRUSTED": "The server carries out trusted documents only, and this is none.",
        "RATE_LIMITED": "Too many requests; `retryAfter` says after how many seconds to come again.",
        "PAYLOAD_TOO_LARGE": "The request's body, or its headers, have more bytes than allowed.",
        "UNAUTHENTICATED": "A player's token is needed, or the one that came is not known or was signed out.",
        "TOKEN_EXPIRED": "The token was good until `expiredAt`; sign in again, and renew the next in time.",
        "FORBIDDEN": "The caller may not see or follow this.",
        "NOT_FOUND": "There is nothing of that id or code that the caller may see.",
        "INVALID_ARGUMENT": "The value of `field` is not allowed; the message says why.",
        "INVALID_CURSOR": "The cursor in `field` is not one that this connection gave out.",
        "UNKNOWN_VERSION": "The table has not reached the version that `after` names; it is at `version`.",
        "SUBSCRIPTION_LIMIT": "The connection has as many operations under way as it may have: `limit`.",
        "CONNECTION_LIMIT": "The address, or the player, has as many connections as it may have: `limit`.",
        "TOO_SLOW": "The subscriber did not keep up and was cut off; resume with `after`.",
        "INTERRUPTED": "The server stops; come again, to a table with `after`.",
        "UNAVAILABLE": "The database did not answer or did not confirm; try again with the same key.",
        "PLUGIN_MISSING": "The table was made with a plugin that is not loaded here; it is kept as it is.",
        "TABLE_UNREADABLE": "What is stored of the table cannot be read here, for example since another "
        "version of its game stored it; it is kept as it is. If `retryable`, another worker may be able to.",
        "CHALLENGE_UNREADABLE": "What is stored of the challenge cannot be read here, since another version "
        "of a constraint stored it; it is kept as it is. If `retryable`, another worker may be able to.",
        "INTERNAL": "Something unexpected happened; the id in the message is in the server's log.",
    }
)
"""Every code that `extensions.code` of an error can have, with its meaning."""


_AGAIN = "sign in again, without the Authorization header"
TOKEN_UNKNOWN = f"The token is not known, or was signed out; {_AGAIN}."
"""What somebody is told whose token is none, or is none any more."""


class CodedError(GraphQLError):
    """An error that a client is meant to see as it is."""

    def __init__(self, code: str, message: str, **extensions: Any) -> None:
        """``code`` is one of :data:`ERRORS`."""
        assert code in ERRORS, code
        super().__init__(message, extensions={"code": code, **extensions})


class InvalidArgument(CodedError):
    """An argument's value that is not allowed."""

    def __init__(self, field: str, message: str) -> None:
        """``field`` is where it is, as that of a refusal: with dots, and without ``input``."""
        super().__init__("INVALID_ARGUMENT", message, field=field)


def _coded(error: Exception) -> CodedError | None:
    """The coded form of an exception that is expected; None for an unexpected one."""
    match error:
        case CodedError():
            return error
        case TableNotFound():
            return CodedError("NOT_FOUND", f"There is no table {error}.")
        case UnknownVersion():
            return CodedError("UNKNOWN_VERSION", _sentence(error), field="after", version=error.version)
        case TooSlow():
            return CodedError("TOO_SLOW", "You did not keep up; subscribe again with `after`.")
        case Interrupted():
            return CodedError("INTERRUPTED", ERRORS["INTERRUPTED"])
        case TokenExpired():
            at = write_time(error.args[0])
            message = f"The token expired at {at}; {_AGAIN}."
            return CodedError("TOKEN_EXPIRED", message, expiredAt=at)
        case SignedOut():
            return CodedError("UNAUTHENTICATED", TOKEN_UNKNOWN)
        case InvalidName():
            return InvalidArgument("name", _sentence(error))
        case Unavailable():
            logger.warning("%s", error)
            return CodedError(
                "UNAVAILABLE", "The database is not available right now; try again.", retryable=True
            )
        case CannotGetOperationTypeError():
            return CodedError("BAD_REQUEST", sentence(error.as_http_error_reason()))
        case InvalidOperationTypeError():
            kind = error.operation_type.value
            if kind == "subscription":
                return CodedError(
                    "SUBSCRIPTION_TRANSPORT",
                    "A subscription is not possible over plain HTTP; use graphql-transport-ws, or accept "
                    "text/event-stream.",
                    transports=SUBSCRIPTION_TRANSPORTS,
                )
            return CodedError("BAD_REQUEST", f"A {kind} is not possible {_INSTEAD[kind]}.")
        case MissingQueryError():
            return CodedError("BAD_REQUEST", "The request has no query.")
        case PluginMissing():
            return CodedError("PLUGIN_MISSING", _sentence(error))
        case UnreadableLog():
            cause = error.__cause__
            # With what plugins are loaded here, that was to be expected.
            level = logging.WARNING if isinstance(cause, UnknownEvent | OtherVersion) else logging.ERROR
            logger.log(level, "%s", error)
            if isinstance(cause, UnknownEvent):
                return CodedError("PLUGIN_MISSING", _sentence(cause))
            if isinstance(cause, OtherVersion):
                return _of_another_version("TABLE_UNREADABLE", cause)
            return CodedError("TABLE_UNREADABLE", ERRORS["TABLE_UNREADABLE"])
        case OtherVersion():
            logger.warning("%s", error)
            return _of_another_version("CHALLENGE_UNREADABLE", error)
    return None


def _of_another_version(code: str, error: OtherVersion) -> CodedError:
    return CodedError(
        code,
        _sentence(error),
        part=error.part,
        stored=error.stored,
        loaded=error.loaded,
        retryable=error.newer,
    )


def _sentence(error: Exception) -> str:
    return sentence(str(error.args[0]) if error.args else str(error))


def coded(error: GraphQLError) -> GraphQLError:
    """An error as a client may see it; one that has been made so already is left as it is."""
    already = error.original_error is None and error.extensions and "code" in error.extensions
    return error if already else shown(error)


def failed(result: Any) -> bool:
    """Whether the operation itself failed, rather than a field of one of its results."""
    errors = result.errors or ()
    return result.data is None and bool(errors) and all(error.path is None for error in errors)


def shown(error: GraphQLError) -> GraphQLError:
    """An error as a client may see it: coded, and without what only the log should have."""
    original = error.original_error
    if original is None:
        if error.extensions and "code" in error.extensions:
            return error
        code = "GRAPHQL_PARSE_FAILED" if error.message.startswith("Syntax Error") else _VALIDATION
        return _like(error, shortened(worded(error.message), _LONGEST), {**_extensions(error), "code": code})
    of_output = error.path is not None and "cannot represent" in error.message
    if isinstance(original, GraphQLError) and not isinstance(original, CodedError) and not of_output:
        # Coercion of a literal or a scalar: the message is graphql-core's own.
        return _like(
            error, shortened(worded(error.message), _LONGEST), {**_extensions(error), "code": _VALIDATION}
        )
    coded = _coded(original)
    if coded is not None:
        return _like(error, shortened(coded.message, LONGEST_MESSAGE), coded.extensions or {})
    trace = secrets.token_hex(8)
    where = ".".join(map(str, error.path or ("the request",)))
    blame = whose(original)
    logger.error("error %s at %s: %s", trace, where, blame or "no table", exc_info=original)
    return _like(error, f"Something unexpected happened (error {trace}).", {"code": "INTERNAL", "id": trace})


def _extensions(error: GraphQLError) -> dict[str, Any]:
    return {**(error.extensions or {}), **place_of(error.message)}


SUBSCRIPTION_TRANSPORTS = [
    {"transport": "websocket", "protocol": "graphql-transport-ws"},
    {"transport": "sse", "accept": "text/event-stream"},
    {"transport": "multipart", "accept": "multipart/mixed;subscriptionSpec=1.0"},
]
"""What a subscription can be made by."""

_INSTEAD = {
    "query": "over this kind of request",
    "mutation": "with GET; send it with POST",
}

_VALIDATION = "GRAPHQL_VALIDATION_FAILED"

_LONGEST = 500
"""The most characters of a message that quotes what a client sent."""


def _like(error: GraphQLError, message: str, extensions: dict[str, Any]) -> GraphQLError:
    """The same place in the document and the answer, with another message."""
    return GraphQLError(
        message,
        nodes=error.nodes,
        source=error.source,
        positions=error.positions,
        path=error.path,
        extensions=extensions,
    )


def body(code: str, message: str, **extensions: Any) -> dict[str, Any]:
    """A whole response body for an error that concerns the request itself."""
    assert code in ERRORS, code
    return {"errors": [{"message": message, "extensions": {"code": code, **extensions}}]}
