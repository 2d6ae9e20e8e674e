"""What the server uses of Strawberry beyond its documented API, as it was when it was last looked at.

A test here fails when an upgrade changes such a place. Then read what has changed, see whether what is built
on it still holds (the place that uses it is named), and only then bring the entry up to date: the failure
shows the new digest.
"""

from __future__ import annotations

import inspect
import tomllib
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
import strawberry
from packaging.requirements import Requirement
from strawberry.asgi import ASGIWebSocketAdapter, GraphQL
from strawberry.http import process_result
from strawberry.http.async_base_view import AsyncBaseHTTPView
from strawberry.http.base import BaseView
from strawberry.http.streaming import MultipartSubscriptionTransport, SSETransport
from strawberry.schema.schema import Schema, validate_document
from strawberry.subscriptions.protocols.graphql_transport_ws.handlers import (
    BaseGraphQLTransportWSHandler,
    Operation,
)
from strawberry.types.execution import ExecutionContext

from fliptable_api.http import View
from fliptable_api.sockets import SocketAdapter, SocketHandler

PROJECT = Path(__file__).parents[2] / "pyproject.toml"


def digest(what: Any) -> str:
    """A digest of the source, whatever its layout."""
    return sha256("".join(inspect.getsource(what).split()).encode()).hexdigest()[:12]


Handler: Any = BaseGraphQLTransportWSHandler

SEAMS: list[tuple[str, Any, str]] = [
    # who builds on it, what, and its digest
    ("http.View.run", AsyncBaseHTTPView.run, "e5b881246ef5"),
    ("http.View.execute_operation", AsyncBaseHTTPView.execute_operation, "2333d6256dbd"),
    ("http.View.execute_operation", AsyncBaseHTTPView._create_streaming_response, "59f48fbe1b23"),
    ("http.View.execute_operation", AsyncBaseHTTPView._stream_result, "76babafef440"),
    ("http.View.parse_http_body", AsyncBaseHTTPView.parse_http_body, "21c2552931ff"),
    ("http.View.process_result", process_result, "bbdbf50a0fb5"),
    ("http.View.create_response", GraphQL.create_response, "98ad936a7772"),
    ("http.View.__call__", GraphQL.__call__, "50fe4121dddb"),
    ("http.View._open", AsyncBaseHTTPView._check_websocket_origin, "74156bbb17d3"),
    ("http.View.stream_transport_classes_by_protocol", BaseView._get_stream_transport, "42374709959c"),
    ("streams.EventStream", SSETransport, "cdb1caf2fa95"),
    ("streams.TRANSPORTS", MultipartSubscriptionTransport, "e1a4a807b7c2"),
    ("sockets.SocketAdapter", ASGIWebSocketAdapter, "f5609985d723"),
    ("sockets.SocketHandler.handle", Handler.handle, "e3598c478c49"),
    ("sockets.SocketHandler.handle", Handler.shutdown, "cdd178965051"),
    ("sockets.SocketHandler.handle", Handler.handle_message, "d9a865f5a667"),
    ("sockets.SocketHandler.handle_connection_init", Handler.handle_connection_init, "f60c0f452efe"),
    ("sockets.SocketHandler.handle_subscribe", Handler.handle_subscribe, "b6b7b423d4ad"),
    ("sockets.SocketHandler.run_operation", Handler.run_operation, "faf7baf1b888"),
    ("sockets.SocketHandler._send_result_stream", Handler._send_result_stream, "9761430edd3d"),
    ("sockets.SocketHandler.run_operation", Operation, "4c973e6de41b"),
    ("guard.DocumentCache.validate", validate_document, "88a4e8591134"),
    ("guard.Guard, fanout: schema._schema", Schema.__init__, "4cc73950429c"),
    ("guard.Guard", Schema.execute, "d3b6fad98d0e"),
    ("guard.Guard", Schema.stream, "e2078469bdff"),
    ("schema.Schema.process_errors", Schema.process_errors, "9e816c5c5b70"),
    ("guard.Guard", ExecutionContext, "7e23d15b5643"),
]


@pytest.mark.parametrize(("user", "seam", "known"), SEAMS, ids=[one.__qualname__ for _, one, _ in SEAMS])
def test_a_seam_is_as_it_was(user: str, seam: Any, known: str) -> None:
    found = digest(seam)
    assert found == known, f"{seam.__qualname__} has changed (now {found}); look at fliptable_api.{user}"


def test_the_private_names_that_are_used_exist() -> None:
    made = strawberry.Schema(query=strawberry.type(type("Query", (), {"__annotations__": {"a": int}})))
    assert made._schema.query_type is not None
    assert made._schema.query_type.extensions["strawberry-definition"].name == "Query"
    context = ExecutionContext(query=None, schema=made, allowed_operations=())
    assert context._provided_operation_name is None


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [(View, GraphQL), (SocketHandler, BaseGraphQLTransportWSHandler), (SocketAdapter, ASGIWebSocketAdapter)],
)
def test_what_is_overridden_is_there_to_be_overridden(ours: type, theirs: type) -> None:
    """A method that an upgrade renames would silently no longer be called."""
    own = {
        name
        for base in ours.__mro__[: ours.__mro__.index(theirs)]
        for name in vars(base)
        if not name.startswith("__")
    }
    added = {
        View: {"_answer", "_execute", "_is_subscription", "_open"},
        SocketHandler: {
            *("_serve", "_refuse", "_admitted", "_fail", "_ping", "_ping_later", "_send_ping"),
            *("_own_context", "_shared", "_hang_up"),
        },
        SocketAdapter: {"send_encoded"},
    }[ours]
    assert {name for name in own if not hasattr(theirs, name)} <= added
    assert added <= own


def test_upgrades_that_may_change_a_seam_have_to_be_asked_for() -> None:
    wanted = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["dependencies"]
    (one,) = [Requirement(text) for text in wanted if text.startswith("strawberry-graphql")]
    assert str(one.specifier).startswith("~=0.")
    assert one.specifier.contains(version("strawberry-graphql"))
