"""What the server uses of its libraries beyond their documented API, as it was when it was last looked at.

A test here fails when an upgrade changes such a place. Then read what has changed, see whether what is built
on it still holds (the place that uses it is named), and only then bring the entry up to date: the failure
shows the new digest.
"""

from __future__ import annotations

import inspect
import json
import tomllib
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import strawberry
import uvicorn
from graphql import (
    GraphQLArgument,
    GraphQLError,
    GraphQLField,
    GraphQLInputField,
    GraphQLInputObjectType,
    GraphQLInt,
    GraphQLSyntaxError,
    ValuesOfCorrectTypeRule,
    get_argument_values,
    graphql_sync,
    parse,
)
from graphql.execution.values import get_variable_values
from packaging.requirements import Requirement
from starlette.responses import StreamingResponse
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState
from strawberry.asgi import ASGIWebSocketAdapter, GraphQL
from strawberry.extensions import SchemaExtension
from strawberry.http import process_result
from strawberry.http.async_base_view import AsyncBaseHTTPView
from strawberry.http.base import BaseView
from strawberry.http.streaming import (
    MultipartSubscriptionTransport,
    SSETransport,
    merge_stream_with_heartbeat,
)
from strawberry.schema.schema import Schema
from strawberry.subscriptions.protocols.graphql_transport_ws.handlers import (
    BaseGraphQLTransportWSHandler,
    Operation,
)
from strawberry.types.execution import ExecutionContext
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware, _TrustedHosts
from uvicorn.protocols.http import httptools_impl as uvicorn_http
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import OPEN
from websockets.server import ServerProtocol

from fliptable_api.guard import DocumentCache, guard
from fliptable_api.http import View
from fliptable_api.httpprotocol import HttpProtocol
from fliptable_api.limits import Limits
from fliptable_api.serving import Worker
from fliptable_api.socketadapter import SocketAdapter
from fliptable_api.sockets import SocketHandler
from fliptable_api.streams import EventStream, Parts
from fliptable_api.wsprotocol import Conversation, Protocol, framed

PROJECT = Path(__file__).parents[2] / "pyproject.toml"


def digest(what: Any) -> str:
    """A digest of the source, whatever its layout."""
    return sha256("".join(inspect.getsource(what).split()).encode()).hexdigest()[:12]


Handler: Any = BaseGraphQLTransportWSHandler
Http = uvicorn_http.HttpToolsProtocol
Ws = WebSocketsSansIOProtocol

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
    ("streams.Parts", MultipartSubscriptionTransport, "e1a4a807b7c2"),
    ("socketadapter.SocketAdapter", ASGIWebSocketAdapter, "f5609985d723"),
    ("sockets.SocketHandler.handle", Handler.handle, "e3598c478c49"),
    ("sockets.SocketHandler.handle", Handler.shutdown, "cdd178965051"),
    ("sockets.SocketHandler.handle", Handler.handle_message, "d9a865f5a667"),
    ("sockets.SocketHandler.handle_connection_init", Handler.handle_connection_init, "f60c0f452efe"),
    ("sockets.SocketHandler.handle_subscribe", Handler.handle_subscribe, "b6b7b423d4ad"),
    ("sockets.SocketHandler.run_operation", Handler.run_operation, "faf7baf1b888"),
    ("sockets.SocketHandler._send_result_stream", Handler._send_result_stream, "9761430edd3d"),
    ("sockets.SocketHandler.run_operation", Operation, "4c973e6de41b"),
    ("coercion.PlacedValues", ValuesOfCorrectTypeRule, "6c1db616cc84"),
    ("guard.Guard, fanout: schema._schema", Schema.__init__, "4cc73950429c"),
    ("guard.Guard", Schema.execute, "d3b6fad98d0e"),
    ("guard.Guard", Schema.stream, "e2078469bdff"),
    ("schema.Schema.process_errors", Schema.process_errors, "9e816c5c5b70"),
    ("guard.Guard", ExecutionContext, "7e23d15b5643"),
    ("http.View.__call__", GraphQL.create_streaming_response, "550200520096"),
    ("http.View.__call__", merge_stream_with_heartbeat, "63ad4b4bf0c9"),
    ("http.INIT_PATIENCE", Handler.on_request_accepted, "78c3a56aaac2"),
    ("http.INIT_PATIENCE", Handler.handle_connection_init_timeout, "b3336ebd1248"),
    ("sockets.SocketHandler.forget_id", Handler.forget_id, "3ac0ce10a587"),
    ("sockets.SocketHandler._leave", Handler.cleanup_operation, "2a7cf0dc3b54"),
    ("guard.Guard", SchemaExtension, "854c98ab9a40"),
    ("httpprotocol.HttpProtocol.__init__", Http.__init__, "eefda6875ebd"),
    ("httpprotocol.HttpProtocol._proxies", ProxyHeadersMiddleware.__init__, "d6f67449a9e2"),
    ("httpprotocol.HttpProtocol", Http.connection_made, "c8b2230c91b4"),
    ("httpprotocol.HttpProtocol", Http.connection_lost, "1b99df458c3b"),
    ("httpprotocol.HttpProtocol.data_received", Http.data_received, "e74b210e3c04"),
    ("httpprotocol.HttpProtocol", Http.on_message_begin, "453ed691ca9d"),
    ("httpprotocol.HttpProtocol", Http.on_url, "5ffd0eec34d7"),
    ("httpprotocol.HttpProtocol", Http.on_header, "b89cbbc6db2a"),
    ("httpprotocol.HttpProtocol", Http.on_headers_complete, "f48ec6bbe75d"),
    ("httpprotocol.HttpProtocol.on_headers_complete", Http._should_upgrade, "33b213065ffa"),
    ("httpprotocol.HttpProtocol", Http.on_body, "a02fa52bdf33"),
    ("httpprotocol.HttpProtocol", Http.shutdown, "3fc90dd3d36a"),
    ("httpprotocol.HttpProtocol.on_response_complete", Http.on_response_complete, "4dfe4f257f50"),
    ("httpprotocol.HttpProtocol", Http.on_message_complete, "87e5be1faf50"),
    (
        "httpprotocol.HttpProtocol, wsprotocol.Protocol.data_received",
        Http.handle_websocket_upgrade,
        "ecdf04e7e953",
    ),
    ("httpprotocol.HttpProtocol._refuse", Http.send_400_response, "769895267c15"),
    ("httpprotocol.HttpProtocol._refuse", uvicorn_http.RequestResponseCycle.send, "089bd8725f6a"),
    ("wsprotocol.Protocol.__init__", Ws.__init__, "cc3743003c5d"),
    ("wsprotocol.Protocol.connection_made", Ws.connection_made, "0c2167e3a06f"),
    ("wsprotocol.Protocol.data_received", Ws.data_received, "9c7fd5fc30fd"),
    ("wsprotocol.Protocol.handle_connect", Ws.handle_connect, "9ed337a10dd4"),
    ("wsprotocol.Protocol.keepalive_timeout", Ws.keepalive_timeout, "8bb5001e0b27"),
    ("wsprotocol.Protocol.keepalive_timeout", Ws.send_keepalive_ping, "402829790631"),
    ("wsprotocol.Protocol.run_asgi", Ws.run_asgi, "9e503eb7c050"),
    ("wsprotocol.Protocol.shutdown", Ws.shutdown, "ba98819a4e60"),
    ("wsprotocol.Protocol.connection_lost", Ws.connection_lost, "ce047f777be7"),
    ("wsprotocol.Protocol.send, send_now, Conversation.reject", Ws.send, "0f5eebb35c44"),
    ("wsprotocol.Protocol.send_now", Ws.pause_writing, "b50d4b2b8890"),
    ("serving.Worker.startup", uvicorn.Server.startup, "b912bccc00bb"),
    ("serving.Worker.shutdown", uvicorn.Server.shutdown, "839636395b3d"),
    ("serving.Worker.capture_signals", uvicorn.Server.capture_signals, "90b741862efc"),
    ("serving.run", uvicorn.Config.get_loop_factory, "d50286d437d6"),
    ("ratelimits.address_of", ProxyHeadersMiddleware.__call__, "562e599443bc"),
    ("ratelimits.address_of", _TrustedHosts.get_trusted_client_address, "1af71d0062ff"),
]


@pytest.mark.parametrize(
    ("user", "seam", "known"), SEAMS, ids=[f"{one.__module__}.{one.__qualname__}" for _, one, _ in SEAMS]
)
def test_a_seam_is_as_it_was(user: str, seam: Any, known: str) -> None:
    found = digest(seam)
    assert found == known, f"{seam.__qualname__} has changed (now {found}); look at fliptable_api.{user}"


def test_the_private_names_that_are_used_exist() -> None:
    made = strawberry.Schema(query=strawberry.type(type("Query", (), {"__annotations__": {"a": int}})))
    assert made._schema.query_type is not None, "look at guard, fanout and schema: they use schema._schema"
    definition = made._schema.query_type.extensions["strawberry-definition"]
    assert definition.name == "Query", "look at schema.build_schema"
    assert definition.is_type_of is None, "look at pluginqueries: it sets is_type_of of a definition"
    assert "wrapped_cls" in inspect.signature(type(_enum_definition())).parameters, "look at schema"
    context = ExecutionContext(query=None, schema=made, allowed_operations=())
    assert context._provided_operation_name is None, "look at guard.Guard"


def _enum_definition() -> Any:
    from enum import Enum

    made = strawberry.enum(Enum("Suit", ["CLUBS"]))
    return made.__strawberry_definition__


OVERRIDDEN: list[tuple[type, type, set[str]]] = [
    # ours, theirs, and what ours adds
    (View, GraphQL, {"_answer", "_execute", "is_subscription", "_open"}),
    (
        SocketHandler,
        BaseGraphQLTransportWSHandler,
        {
            *("_serve", "_refuse", "_admitted", "_fail", "_ping", "_ping_later", "_send_ping"),
            *(
                "_own_context",
                "_shared",
                "_hang_up",
                "_token_over",
                "_leave",
                "_close_after",
                "_server_stops",
            ),
        },
    ),
    (SocketAdapter, ASGIWebSocketAdapter, {"send_encoded"}),
    (EventStream, SSETransport, {"_interrupted"}),
    (Parts, MultipartSubscriptionTransport, {"_begun"}),
    (guard(DocumentCache(Limits())), SchemaExtension, {"problem", "spent"}),  # type: ignore[list-item]
    (
        HttpProtocol,
        Http,
        {
            *("_clock", "_in_head", "_head", "_size", "_waste", "_refuse_head"),
            *("_start_clock", "_stop_clock", "_too_late", "_refuse", "_answered"),
            *("_proxies", "_cut", "_last", "_readable", "_refusal", "_forget"),
            *("_counted", "_foreign", "on_chunk_complete"),
        },
    ),
    (Protocol, Ws, {"_cut", "_cut_soon", "send_now", "when_stopping", "_leave"}),
    (Conversation, ServerProtocol, set()),
    (Worker, uvicorn.Server, {"_stop"}),
]


@pytest.mark.parametrize(
    ("ours", "theirs", "added"), OVERRIDDEN, ids=[one.__name__ for one, *_ in OVERRIDDEN]
)
def test_what_is_overridden_is_there_to_be_overridden(ours: type, theirs: type, added: set[str]) -> None:
    """A method that an upgrade renames would silently no longer be called; one of a name of ours would be."""
    own = {
        name
        for base in ours.__mro__[: ours.__mro__.index(theirs)]
        for name in vars(base)
        if not name.startswith("__")
    }
    assert {name for name in own if not hasattr(theirs, name)} == added


def test_the_attributes_of_uvicorns_connections_that_are_used_exist() -> None:
    config = uvicorn.Config(lambda: None, http=HttpProtocol, ws=Protocol, proxy_headers=False)
    config.load()
    assert config.http_protocol_class is HttpProtocol and config.ws_protocol_class is Protocol
    state = uvicorn.server.ServerState()
    http: Any = HttpProtocol(config, state, {}, _loop=object())  # type: ignore[arg-type]
    for name in ("loop", "transport", "cycle", "server_state", "timeout_keep_alive_task"):
        assert hasattr(http, name), f"uvicorn's HttpToolsProtocol has no {name}; look at httpprotocol"
    assert state.default_headers == [], "look at httpprotocol._refuse"
    cycle = inspect.signature(uvicorn_http.RequestResponseCycle).parameters
    source = inspect.getsource(uvicorn_http.RequestResponseCycle.__init__)
    assert "scope" in cycle and "self.response_started = False" in source
    assert "self.response_complete = False" in source, "look at httpprotocol._refuse"
    assert uvicorn_http.STATUS_LINE[408].startswith(b"HTTP/1.1 408 "), "look at httpprotocol._refuse"
    ws: Any = Protocol(config, state, {}, _loop=object())  # type: ignore[arg-type]
    used = (
        *("loop", "transport", "conn", "queue", "config", "logger", "client", "writable", "read_paused"),
        *("handshake_initiated", "close_sent", "disconnected", "pong_timer", "pending_ping_payload"),
    )
    for name in used:
        assert hasattr(ws, name), f"uvicorn's WebSocketsSansIOProtocol has no {name}; look at wsprotocol"


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536, 70_000])
def test_a_message_that_goes_past_the_layers_is_the_one_that_goes_through_them(size: int) -> None:
    """wsprotocol.Protocol.send_now writes what websockets would."""
    text = b"a" * size
    theirs = ServerProtocol(state=OPEN)
    theirs.send_text(text)
    assert framed(text) == b"".join(theirs.data_to_send())
    # What a message leaves behind in the connection: nothing.
    other = ServerProtocol(state=OPEN)
    unlike = {
        name
        for name, value in vars(theirs).items()
        if name not in ("parser", "reader", "logger", "id", "recv_messages") and value != vars(other)[name]
    }
    assert unlike == set(), "look at wsprotocol.Protocol.send_now: a message changes the connection's state"


def test_a_handshake_is_refused_by_one_method() -> None:
    """wsprotocol.Conversation.reject answers for all."""
    conversation = Conversation()
    conversation.receive_data(b"GET / HTTP/1.1\r\n" + b"X: 1\r\n" * 200 + b"\r\n")
    assert not conversation.events_received()
    head, _, content = b"".join(conversation.data_to_send()).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 431 ") and b"application/json" in head
    assert json.loads(content)["errors"][0]["extensions"]["code"] == "PAYLOAD_TOO_LARGE"


class Told(Exception):
    pass


async def _nothing() -> Any:
    raise Told


@pytest.mark.anyio
async def test_a_websocket_that_is_gone_is_told_by_these_exceptions() -> None:
    """socketadapter.SocketAdapter turns them into one."""

    async def gone(_: Any) -> None:
        raise OSError

    scope = {"type": "websocket", "path": "/", "headers": [], "extensions": {}}
    one = WebSocket(scope, _nothing, gone)
    one.application_state = one.client_state = WebSocketState.CONNECTED
    with pytest.raises(WebSocketDisconnect):
        await one.send_text("x")
    for after in (one.send_text("x"), one.close()):
        with pytest.raises(RuntimeError):
            await after
    # wire.turned_away: a handshake can be answered where the server says so, and nowhere else.
    with pytest.raises(RuntimeError):
        await WebSocket(scope, _nothing, gone).send_denial_response(StreamingResponse(iter(())))


def test_what_is_read_from_the_messages_of_graphql_core() -> None:
    """errors.shown and guard.DocumentCache.parse tell its errors apart by these words."""
    with pytest.raises(GraphQLSyntaxError, match=r"^Syntax Error"):
        parse("{")
    with pytest.raises(GraphQLSyntaxError, match="tokens"):
        parse("{ a b c }", max_tokens=3)
    deep = "{ a" * 500 + "}" * 500
    with pytest.raises((GraphQLSyntaxError, RecursionError), match=r"nested too deeply|recursion"):
        parse(deep)
    made = strawberry.Schema(query=strawberry.type(type("Query", (), {"__annotations__": {"a": int}})))
    (error,) = graphql_sync(made._schema, "{ a }", SimpleNamespace(a="x")).errors or ()
    assert "cannot represent" in error.message and isinstance(error.original_error, GraphQLError)


def test_how_graphql_core_reads_variables_and_arguments() -> None:
    """fanout.table_subscription asks for them by itself."""
    made = strawberry.Schema(query=strawberry.type(type("Query", (), {"__annotations__": {"a": int}})))
    document: Any = parse("query ($n: Int) { a(n: $n) }")
    operation: Any = document.definitions[0]
    good: Any = get_variable_values(made._schema, operation.variable_definitions, {"n": 1})
    assert not isinstance(good, list)
    assert isinstance(get_variable_values(made._schema, operation.variable_definitions, {"n": "x"}), list)
    field = GraphQLField(GraphQLInt, args={"n": GraphQLArgument(GraphQLInt)})
    found: Any = get_argument_values(field, operation.selection_set.selections[0], good)
    assert (found.coerced if hasattr(found, "coerced") else found) == {"n": 1}
    # schema.build_schema makes them so.
    assert GraphQLInputObjectType("I", {"a": GraphQLInputField(GraphQLInt)}).is_one_of is False


PINNED = {"strawberry-graphql": "~=0.", "uvicorn": "~=0.", "graphql-core": "~=3.3.", "websockets": "~=17."}


@pytest.mark.parametrize("name", PINNED)
def test_upgrades_that_may_change_a_seam_have_to_be_asked_for(name: str) -> None:
    wanted = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["dependencies"]
    (one,) = [found for text in wanted if (found := Requirement(text)).name == name]
    assert str(one.specifier).startswith(PINNED[name]), f"{name} has to be pinned with ~="
    assert one.specifier.contains(version(name))
