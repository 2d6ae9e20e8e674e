"""GraphQL over HTTP and WebSocket: Strawberry's view with this server's context, encoding and errors."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from datetime import timedelta
from typing import Any

import orjson
from cross_web import AsyncHTTPRequestAdapter, HTTPException
from graphql import GraphQLError
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket
from strawberry.asgi import GraphQL
from strawberry.exceptions import ConnectionRejectionError, MissingQueryError
from strawberry.http import GraphQLHTTPResponse, GraphQLRequestData
from strawberry.http.base import BaseRequestProtocol
from strawberry.schema.exceptions import CannotGetOperationTypeError, InvalidOperationTypeError
from strawberry.subscriptions import (
    GRAPHQL_SSE_PROTOCOL,
    GRAPHQL_TRANSPORT_WS_PROTOCOL,
    MULTIPART_SUBSCRIPTION_PROTOCOL,
)
from strawberry.types import ExecutionResult
from strawberry.types.graphql import OperationType
from strawberry.types.unset import UNSET, UnsetType

from fliptable_api.context import RequestContext, Shared, account_of
from fliptable_api.errors import CodedError, body, coded, shown
from fliptable_api.guard import DocumentCache
from fliptable_api.naming import sentence
from fliptable_api.schema import Schema
from fliptable_api.sockets import SEND_PATIENCE, SocketAdapter, SocketHandler

MAX_OPERATIONS = 100
"""The most operations that one WebSocket may have under way."""

_STATUS = {"UNAUTHENTICATED": 401, "UNAVAILABLE": 503}
"""The HTTP status of what keeps a request from being carried out at all."""

INIT_PATIENCE = timedelta(seconds=10)
"""How long a WebSocket may take until its first message."""


class View(GraphQL[RequestContext, None]):
    """The endpoint ``/graphql``."""

    websocket_adapter_class = SocketAdapter
    graphql_transport_ws_handler_class = SocketHandler

    def __init__(
        self,
        schema: Schema,
        shared: Shared,
        documents: DocumentCache,
        allowed_origins: tuple[str, ...],
        max_body: int,
    ) -> None:
        """Pages on ``allowed_origins`` may open WebSockets, besides those on the server's own."""
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
            allowed_origins=allowed_origins,
        )
        self.shared = shared
        self.documents = documents
        self._max_body = max_body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer; every error of the request itself has a JSON body with a code."""
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
            return
        response: Response
        try:
            response = await self.run(Request(scope, _limited(scope, receive, self._max_body)))
        except ClientDisconnect:
            return
        except HTTPException as error:
            code = "PAYLOAD_TOO_LARGE" if error.status_code == 413 else "BAD_REQUEST"
            response = _refused(error.status_code, code, sentence(error.reason))
            if error.status_code == 405:
                response.headers["Allow"] = "GET, POST"
        except Exception as error:
            masked = shown(GraphQLError("", original_error=error))
            extensions = dict(masked.extensions or {})
            code = extensions.pop("code")
            response = _refused(_STATUS.get(code, 500), code, masked.message, **extensions)
        with suppress(ClientDisconnect, OSError):
            await response(scope, receive, _patient(send))

    async def get_context(
        self, request: Request | WebSocket, response: Response | WebSocket
    ) -> RequestContext:
        """Who is asking: by the Authorization header, or for a WebSocket by its first message."""
        authorization = request.headers.get("authorization")
        if request.scope["type"] == "websocket":
            return RequestContext(self.shared, None, request, response)
        account = await account_of(self.shared.accounts, authorization)
        return RequestContext(self.shared, account, request, response)

    async def on_ws_connect(self, context: RequestContext) -> UnsetType | dict[str, object] | None:
        """Take the token from the connection's first message, or from the handshake's header."""
        params = context.connection_params
        given: Any = None
        if isinstance(params, Mapping):
            given = next((value for key, value in params.items() if key.lower() == "authorization"), None)
        if given is None:
            given = context.request.headers.get("authorization")
        try:
            context.account = await account_of(self.shared.accounts, given)
        except CodedError:
            raise ConnectionRejectionError from None
        nothing: UnsetType = UNSET
        return nothing

    async def parse_http_body(
        self, request: AsyncHTTPRequestAdapter
    ) -> GraphQLRequestData | list[GraphQLRequestData]:
        """The request in an HTTP request. Errors: HTTPException says what is wrong with it."""
        try:
            data = await super().parse_http_body(request)
        except AttributeError:
            raise HTTPException(400, "The body has to be a JSON object with a query.") from None
        if isinstance(data, GraphQLRequestData) and not isinstance(data.operation_name, str | None):
            raise HTTPException(400, "The operationName has to be a string.")
        return data

    async def execute_single(
        self,
        request: Request,
        request_adapter: AsyncHTTPRequestAdapter,
        sub_response: Response,
        context: RequestContext,
        root_value: None,
        request_data: GraphQLRequestData,
    ) -> ExecutionResult:
        """Carry out a query or a mutation. Errors: HTTPException for what needs another transport."""
        allowed = {OperationType.QUERY}
        if request_adapter.method == "POST":
            allowed.add(OperationType.MUTATION)
        try:
            return await self.schema.execute(
                request_data.query,
                variable_values=request_data.variables,
                context_value=context,
                operation_name=request_data.operation_name,
                allowed_operation_types=allowed,
            )
        except (CannotGetOperationTypeError, InvalidOperationTypeError, MissingQueryError) as error:
            raise HTTPException(400, shown(GraphQLError("", original_error=error)).message) from None

    async def process_result(self, request: Request, result: ExecutionResult) -> GraphQLHTTPResponse:
        """A result as JSON. What went wrong before execution is masked here, the rest was before."""
        if result.errors:
            result.errors = [coded(error) for error in result.errors]
        return await super().process_result(request, result)

    def should_render_graphql_ide(self, request: BaseRequestProtocol) -> bool:
        """Never: the server has no pages."""
        return False

    def decode_json(self, data: str | bytes) -> object:
        """JSON as orjson reads it: strict, and without surprises of size."""
        return orjson.loads(data)

    def encode_json(self, data: object) -> str:
        """JSON as text, since a WebSocket client expects text frames."""
        return orjson.dumps(data, option=orjson.OPT_NON_STR_KEYS).decode()


def _limited(scope: Scope, receive: Receive, most: int) -> Receive:
    """Receive a request's body, but no more than ``most`` bytes. Errors: HTTPException 413."""
    too_much = HTTPException(413, f"The request's body may have {most} bytes.")
    declared = next((value for name, value in scope["headers"] if name == b"content-length"), b"")
    if declared.isdigit() and int(declared) > most:
        raise too_much
    left = most

    async def receive_some() -> Any:
        nonlocal left
        message = await receive()
        left -= len(message.get("body", b""))
        if left < 0:
            raise too_much
        return message

    return receive_some


def _patient(send: Send) -> Send:
    """Send, but hang up on a client that does not read. Errors: OSError, as for one that is gone."""

    async def send_soon(message: Any) -> None:
        try:
            async with asyncio.timeout(SEND_PATIENCE):
                await send(message)
        except TimeoutError:
            raise OSError("the client does not read") from None

    return send_soon


def _refused(status: int, code: str, message: str, **extensions: Any) -> Response:
    content = orjson.dumps(body(code, message, **extensions))
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else None
    return Response(content, status, headers, media_type="application/json")
