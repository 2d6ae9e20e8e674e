"""GraphQL over HTTP and WebSocket: Strawberry's view with this server's context, encoding and errors."""

from __future__ import annotations

from contextlib import suppress
from copy import copy
from datetime import timedelta
from typing import Any, cast
from urllib.parse import urlsplit

import orjson
from cross_web import AsyncHTTPRequestAdapter, HTTPException
from graphql import GraphQLError, get_operation_ast
from graphql import OperationType as Kind
from starlette.datastructures import QueryParams
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket
from strawberry.asgi import GraphQL
from strawberry.exceptions import MissingQueryError
from strawberry.http import GraphQLHTTPResponse, GraphQLRequestData
from strawberry.http.base import BaseRequestProtocol
from strawberry.http.streaming import HTTPStreamTransport
from strawberry.schema.exceptions import CannotGetOperationTypeError, InvalidOperationTypeError
from strawberry.subscriptions import (
    GRAPHQL_SSE_PROTOCOL,
    GRAPHQL_TRANSPORT_WS_PROTOCOL,
    MULTIPART_SUBSCRIPTION_PROTOCOL,
)
from strawberry.types import ExecutionResult
from strawberry.types.graphql import OperationType
from strawberry.types.unset import UNSET

from fliptable_api import asking, cors, graphiql
from fliptable_api.answers import cacheable, not_let_in, refusal
from fliptable_api.connections import SCOPE
from fliptable_api.context import RequestContext, Shared, signed_in_by
from fliptable_api.errors import CodedError, coded, failed, shown
from fliptable_api.guard import DocumentCache
from fliptable_api.naming import sentence
from fliptable_api.negotiation import JSON, OFFERED, RESPONSE, negotiate
from fliptable_api.offered import Public
from fliptable_api.ratelimits import address_of
from fliptable_api.reading import NotText, read
from fliptable_api.schema import Schema
from fliptable_api.signingin import signed_in_on
from fliptable_api.socketadapter import SocketAdapter
from fliptable_api.sockets import SocketHandler
from fliptable_api.streams import TRANSPORTS, to_the_end, while_good
from fliptable_api.wire import limited, patient, refused, turned_away, utf8
from fliptable_api.wsprotocol import TRY_AGAIN

MAX_OPERATIONS = 100
"""The most operations that one WebSocket may have under way."""

INIT_PATIENCE = timedelta(seconds=10)
"""How long a WebSocket may take until its first message."""

_STREAM = "fliptable.stream"
"""Where a request has the results that it streams."""


class View(GraphQL[RequestContext, None]):
    """The endpoint ``/graphql``."""

    websocket_adapter_class = SocketAdapter
    graphql_transport_ws_handler_class = SocketHandler
    stream_transport_classes_by_protocol = TRANSPORTS

    def __init__(
        self,
        schema: Schema,
        shared: Shared,
        documents: DocumentCache,
        offered: Public,
    ) -> None:
        """``documents`` are those that were parsed before."""
        super().__init__(
            schema,
            graphql_ide=None,
            subscription_protocols=(
                GRAPHQL_TRANSPORT_WS_PROTOCOL,
                GRAPHQL_SSE_PROTOCOL,
                MULTIPART_SUBSCRIPTION_PROTOCOL,
            ),
            connection_init_wait_timeout=INIT_PATIENCE,
            max_subscriptions_per_connection=MAX_OPERATIONS,
        )
        self.shared = shared
        self.documents = documents
        self.offered = offered

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer; every error of the request itself has a JSON body with a code."""
        if scope["type"] != "http":
            await self._open(scope, receive, send)
            return
        request = Request(scope, limited(scope, receive, self.offered.max_body))
        try:
            with suppress(ClientDisconnect, OSError):
                response = await self._answer(request)
                if "origin" in request.headers:
                    cors.mark(request, response, self.offered.origins)
                await response(scope, receive, patient(send))
        finally:
            if SCOPE in scope:
                scope[SCOPE].close()
            if _STREAM in scope:
                # Of a stream that was cut off, nobody else does.
                await scope[_STREAM].aclose()

    async def _open(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a WebSocket; a handshake that is refused has a JSON body with a code, too."""
        socket = WebSocket(scope, receive, send)
        address = address_of(scope.get("client"))
        origin = socket.headers.get("origin")
        try:
            self.offered.rates.addresses.take(address)
            if origin is not None and not self.offered.origins.allows(origin, socket.headers.get("host")):
                await turned_away(socket, not_let_in(origin))
                return
            connection = scope[SCOPE] = self.offered.connections.open(address)
        except CodedError as error:
            await turned_away(socket, refusal(JSON, error), TRY_AGAIN)
            return
        try:
            await super().__call__(scope, receive, send)
        finally:
            connection.close()

    async def _answer(self, request: Request) -> Response:
        accepted = negotiate(request.headers.get("accept"))
        kind = accepted.json or JSON
        try:
            # Nothing is carried out for a preflight, and refused it would hide from its page why.
            allowed = cors.preflight(request, self.offered.origins)
            if allowed is not None:
                return allowed
            self.offered.rates.addresses.take(address_of(request.scope.get("client")))
            if accepted.page and self.offered.graphiql and _asks_nothing(request):
                return graphiql.page()
            if accepted.nothing:
                raise HTTPException(406, f"The answer can be {OFFERED}.")
            response: Response = await self.run(request)
            return response
        except HTTPException as error:
            code = "PAYLOAD_TOO_LARGE" if error.status_code == 413 else "BAD_REQUEST"
            response = refused(kind, error.status_code, code, sentence(error.reason))
            if error.status_code == 405:
                response.headers["Allow"] = "POST" if request.method == "GET" else cors.METHODS
            return response
        except ClientDisconnect:
            raise
        except Exception as error:
            return refusal(kind, error, accepted.protocol(False))

    def is_websocket_origin_allowed(self, request: WebSocket, origin: str) -> bool:
        """Yes: what is not has been turned away before."""
        return True

    async def get_context(
        self, request: Request | WebSocket, response: Response | WebSocket
    ) -> RequestContext:
        """Who is asking: by the Authorization header, or for a WebSocket by its first message."""
        authorization = request.headers.get("authorization")
        if request.scope["type"] == "websocket":
            return RequestContext(self.shared, None, request, response)
        found = await signed_in_by(self.shared.accounts, authorization)
        if found is None:
            return RequestContext(self.shared, None, request, response)
        self.offered.rates.players.take(found.account.id)
        return RequestContext(self.shared, found.account, request, response, found.token)

    async def on_ws_connect(self, context: RequestContext) -> dict[str, object]:
        """Who is signed in by the connection's first message, or by the handshake's header; said to them.

        Errors: as of :func:`signed_in_by`.
        """
        return await signed_in_on(context)

    async def parse_http_body(self, request: AsyncHTTPRequestAdapter) -> GraphQLRequestData:
        """The request in an HTTP request. Errors: HTTPException or CodedError says what is wrong with it."""
        if request.method == "GET":
            parameters = cast(QueryParams, request.query_params)
            asked = asking.of_parameters(parameters, urlsplit(request.url).query)
        else:
            encoding = request.headers.get("content-encoding")
            asked = asking.of_body(request.content_type, encoding, await request.get_body())
        extensions = asked.get("extensions")
        found = self.offered.by_hash.find(asked.get("query"), extensions, asked.get("documentId"))
        name = asked.get("operationName")
        accepted = negotiate(request.headers.get("accept"))
        streamed = accepted.stream is not None and self.is_subscription(found.query, name)
        return GraphQLRequestData(
            query=found.query,
            variables=asked.get("variables"),
            operation_name=name,
            extensions=extensions,
            protocol=accepted.protocol(streamed),
        )

    def is_subscription(self, query: str | None, name: str | None) -> bool:
        """Whether the operation of that name is a subscription; False for what is no document."""
        try:
            operation = get_operation_ast(self.documents.parse(query), name) if query else None
        except GraphQLError:
            return False
        return operation is not None and operation.operation is Kind.SUBSCRIPTION

    async def execute_operation(
        self,
        request: Request,
        request_adapter: AsyncHTTPRequestAdapter,
        request_data: Any,
        context: RequestContext,
        root_value: None,
        sub_response: Response,
    ) -> Any:
        """Carry out an operation, at once or as a stream. Errors: HTTPException, CodedError."""
        context.asks_cost = asking.asks_cost(request.headers, request_data.extensions)
        allowed = {OperationType.QUERY}
        if request_adapter.method == "POST":
            allowed.add(OperationType.MUTATION)
        if request_data.protocol == "http":
            return await self._execute(request_data, context, allowed)
        allowed.add(OperationType.SUBSCRIPTION)
        # Until the stream has come to its end, or its client is gone: see __call__.
        address = address_of(request.scope.get("client"))
        request.scope[SCOPE] = self.offered.connections.open(address, context.player)
        results: Any = await self.schema.stream(
            request_data.query,
            variable_values=request_data.variables,
            context_value=context,
            operation_name=request_data.operation_name,
            allowed_operation_types=allowed,
        )
        if context.token is not None and self.is_subscription(
            request_data.query, request_data.operation_name
        ):
            results = while_good(results, self.shared.accounts, context.token)
        stream = request.scope[_STREAM] = to_the_end(results)
        return stream

    def _stream_result(self, request: Any, result: Any, transport: HTTPStreamTransport) -> Any:
        """The text of a stream, by a transport of its own."""
        return super()._stream_result(request, result, copy(transport))

    async def _execute(
        self, asked: GraphQLRequestData, context: RequestContext, allowed: set[OperationType]
    ) -> ExecutionResult:
        try:
            return await self.schema.execute(
                asked.query,
                variable_values=asked.variables,
                context_value=context,
                operation_name=asked.operation_name,
                allowed_operation_types=allowed,
            )
        except InvalidOperationTypeError as error:
            if error.operation_type is OperationType.SUBSCRIPTION:
                raise
            raise HTTPException(405, shown(GraphQLError("", original_error=error)).message) from None
        except (CannotGetOperationTypeError, MissingQueryError) as error:
            raise HTTPException(400, shown(GraphQLError("", original_error=error)).message) from None

    async def process_result(self, request: Request, result: ExecutionResult) -> GraphQLHTTPResponse:
        """A result as JSON. What went wrong before execution is masked here, the rest was before."""
        if result.errors:
            result.errors = [coded(error) for error in result.errors]
        answer = await super().process_result(request, result)
        if failed(result):
            # The operation was not begun, so there is no data, not even null.
            answer.pop("data", None)
        return answer

    def create_response(self, response_data: Any, sub_response: Response) -> Response:
        """A whole answer; see :meth:`run` for what depends on the request."""
        return Response(self.encode_json(response_data), sub_response.status_code or 200)

    async def run(self, request: Any, context: Any = UNSET, root_value: Any = UNSET) -> Any:
        """Answer a request as its Accept header asks."""
        response = await super().run(request, context, root_value)
        if request.scope["type"] != "http" or "content-type" in response.headers:
            return response
        kind = negotiate(request.headers.get("accept")).json or JSON
        response.headers["Content-Type"] = utf8(kind)
        if kind == RESPONSE and not response.body.startswith(b'{"data":'):
            response.status_code = 400
        if request.method == "GET":
            return cacheable(request, response)
        return response

    def should_render_graphql_ide(self, request: BaseRequestProtocol) -> bool:
        """Never: pages are served beside the endpoint."""
        return False

    def decode_json(self, data: str | bytes) -> object:
        """JSON as orjson reads it: strict, and without surprises of size; NotText itself for what is none."""
        try:
            return read(data)
        except NotText as error:
            return error

    def encode_json(self, data: object) -> str:
        """JSON as text, since a WebSocket client expects text frames."""
        return orjson.dumps(data, option=orjson.OPT_NON_STR_KEYS).decode()


def _asks_nothing(request: Request) -> bool:
    return request.method == "GET" and not request.url.query
