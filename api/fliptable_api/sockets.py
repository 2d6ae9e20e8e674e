"""GraphQL over WebSocket: Strawberry's handler, made strict about messages and gentle about mistakes.

A malformed *message* closes the connection with a code and a reason, as graphql-transport-ws has it;
a malformed *operation* only ends itself, with an ``error`` message. ``complete`` is sent when an
operation has come to its end, and never after one that failed.
"""

from __future__ import annotations

import asyncio
from contextlib import aclosing, suppress
from typing import Any

import orjson
from graphql import GraphQLError
from starlette.websockets import WebSocketDisconnect
from strawberry.http.exceptions import NonJsonMessageReceived, NonTextMessageReceived, WebSocketDisconnected
from strawberry.subscriptions.protocols.graphql_transport_ws.handlers import (
    BaseGraphQLTransportWSHandler,
    Operation,
)

from fliptable.holds import Hold
from fliptable.log import Unavailable
from fliptable.requests import Interrupted
from fliptable.tokens import TokenOver
from fliptable_api.asking import no_text
from fliptable_api.connections import CONNECTION_LIMIT
from fliptable_api.context import RequestContext
from fliptable_api.errors import CodedError, coded, failed, shown
from fliptable_api.fanout import answers, table_subscription
from fliptable_api.messages import problem_of
from fliptable_api.ratelimits import address_of
from fliptable_api.reading import NotText
from fliptable_api.wsprotocol import PARTING, WHEN_STOPPING

_SPOILT = object()
"""What of a message says where it is no text, which no client can say."""
_RESTART = 1012
_TRY_AGAIN = 1013
FORBIDDEN = 4403
"""The close code of a connection whose token is not good, or is so no more."""

LAST_ANSWERS = 5.0
"""Seconds that operations under way have to be answered when the token of their connection is over."""


def _shown(error: Exception) -> GraphQLError:
    return shown(GraphQLError("", original_error=error))


def _reason(error: Exception) -> str:
    """Why a connection is closed: the code and the message that a request would be answered."""
    told = _shown(error)
    return f"{(told.extensions or {})['code']}: {told.message}"


class SocketHandler(BaseGraphQLTransportWSHandler[RequestContext, None]):
    """One WebSocket from handshake to close."""

    async def handle(self) -> None:
        """Serve until either side closes; a peer that does not read is hung up on."""
        self._main = asyncio.current_task()
        self._hung_up = self._ending = False
        self._pinging: asyncio.TimerHandle | None = None
        self._ping_sent: asyncio.Task[None] | None = None
        self._asking_cost: set[str] = set()
        self._hold: Hold | None = None
        self._leaving: asyncio.Task[None] | None = None
        self._stopping = False
        when_stopping = self.context.request.scope.get("extensions", {}).get(WHEN_STOPPING)
        if when_stopping is not None:
            when_stopping(self._server_stops)
        try:
            await self._serve()
        except asyncio.CancelledError:
            if not self._hung_up or self._main is None:
                raise
            self._main.uncancel()

    async def _serve(self) -> None:
        self.on_request_accepted()
        try:
            async for message in self.websocket.iter_json():
                spoilt = message if isinstance(message, NotText) else None
                sent: Any = message if spoilt is None else spoilt.found
                problem = problem_of(sent, spoilt)
                if problem is not None:
                    await self.handle_invalid_message(problem)
                else:
                    if spoilt is not None:
                        sent[_SPOILT] = spoilt
                    await self.handle_message(sent)
        except NonTextMessageReceived:
            await self._refuse("A message has to be text.")
        except NonJsonMessageReceived:
            await self._refuse("A message has to be JSON.")
        except (WebSocketDisconnected, WebSocketDisconnect):
            pass
        finally:
            self._ending = True
            if self._pinging is not None:
                self._pinging.cancel()
            if self._hold is not None:
                self._hold.release()
            await self.shutdown()

    async def _refuse(self, reason: str) -> None:
        with suppress(WebSocketDisconnected):
            await self.handle_invalid_message(reason)

    async def handle_connection_init(self, message: Any) -> None:
        """Take the token, and hold on to it: the connection ends with it.

        Without a database nobody can say whether it is known, so ask to come again.
        """
        if message.get("payload") is None:
            message = {"type": "connection_init", "payload": {}}
        try:
            await super().handle_connection_init(message)
            if self.connection_acknowledged and self._pinging is None:
                self._ping_later()
                if self.context.token is not None:
                    accounts = self.context.shared.accounts
                    self._hold = await accounts.hold(self.context.token, self._token_over)
        except (CodedError, TokenOver) as error:
            reason = _reason(error)
            # Whoever has too many connections may come again once others are closed.
            code = _TRY_AGAIN if reason.startswith(CONNECTION_LIMIT) else FORBIDDEN
            await self.websocket.close(code, reason)
        except Unavailable as error:
            await self.websocket.close(_TRY_AGAIN, _reason(error))

    def _token_over(self, why: TokenOver) -> None:
        if not self._ending:
            self._leaving = asyncio.ensure_future(self._leave(why))

    async def _leave(self, why: TokenOver) -> None:
        """Close, once whatever has but one answer was answered: a sign-out over this very connection too."""
        view: Any = self.view
        asked = [
            one.task
            for one in self.operations.values()
            if one.task is not None and not view.is_subscription(one.query, one.operation_name)
        ]
        await self._close_after(asked, LAST_ANSWERS, FORBIDDEN, why)

    def _server_stops(self) -> None:
        self._stopping = True
        if not self._ending and self._leaving is None:
            # Subscriptions have come to their end by now, and say so as what else is under way is answered.
            asked = [one.task for one in self.operations.values() if one.task is not None]
            closing = self._close_after(asked, PARTING, _RESTART, Interrupted())
            self._leaving = asyncio.ensure_future(closing)

    async def _close_after(
        self, asked: list[asyncio.Task[None]], patience: float, code: int, why: Exception
    ) -> None:
        if asked:
            await asyncio.wait(asked, timeout=patience)
        with suppress(WebSocketDisconnected):
            await self.websocket.close(code, _reason(why))
        self._hang_up()

    async def handle_subscribe(self, message: Any) -> None:
        """Start an operation, unless there are too many."""
        if self.connection_acknowledged and message["id"] not in self.operations:
            try:
                message = self._admitted(message)
            except (CodedError, TokenOver, Interrupted) as error:
                await self._fail(message["id"], error)
                return
        most = self.max_subscriptions_per_connection or 0
        if (
            self.connection_acknowledged
            and message["id"] not in self.operations
            and len(self.operations) >= most
        ):
            full = CodedError(
                "SUBSCRIPTION_LIMIT", f"The connection has {most} operations under way already.", limit=most
            )
            await self._fail(message["id"], full)
            return
        await super().handle_subscribe(message)

    def _admitted(self, message: Any) -> Any:
        """The message with its document, also if it has but a hash.

        Errors: CodedError, TokenOver, Interrupted.
        """
        if self._stopping:
            raise Interrupted
        if self._hold is not None and not self._hold.good():
            assert self._hold.over is not None
            raise self._hold.over
        offered = self.view.offered  # type: ignore[attr-defined]
        account = self.context.account
        if account is not None:
            offered.rates.players.take(account.id)
        else:
            offered.rates.addresses.take(address_of(self.context.request.scope.get("client")))
        spoilt = message.get(_SPOILT)
        if spoilt is not None:
            path = spoilt.path
            raise no_text(spoilt, path[1:] if path[0] == "payload" else path)
        payload = message["payload"]
        extensions = payload.get("extensions")
        found = offered.by_hash.find(payload.get("query"), extensions, payload.get("documentId"))
        if extensions and extensions.get("cost") is True:
            self._asking_cost.add(message["id"])
        return {**message, "payload": {**payload, "query": found.query or ""}}

    async def _fail(self, id: str, error: Exception) -> None:
        await self.send_message({"id": id, "type": "error", "payload": [_shown(error).formatted]})

    def _ping_later(self) -> None:
        """Ping from time to time: scripts in a browser see no other sign of a server that is gone."""
        seconds = self.view.offered.ping_message_interval  # type: ignore[attr-defined]
        self._pinging = asyncio.get_running_loop().call_later(seconds, self._ping)

    def _ping(self) -> None:
        if not self._ending:
            self._ping_sent = asyncio.ensure_future(self._send_ping())
            self._ping_later()

    async def _send_ping(self) -> None:
        with suppress(WebSocketDisconnected):
            await self.send_message({"type": "ping"})

    async def run_operation(self, operation: Operation[RequestContext, None]) -> None:
        """Run one operation. What goes wrong in it does not touch the others."""
        try:
            if await self._shared(operation):
                return
            results = await self.schema.stream(
                operation.query,
                variable_values=operation.variables,
                context_value=self._own_context(operation.id),
                operation_name=operation.operation_name,
            )
            async with aclosing(results):
                await self._send_result_stream(operation, results)
            await operation.send_operation_message({"id": operation.id, "type": "complete"})
        except WebSocketDisconnected:
            self._hang_up()
        except Exception as error:
            if not isinstance(error, GraphQLError):
                error = GraphQLError("", original_error=error)
            with suppress(WebSocketDisconnected):
                await operation.send_initial_errors([coded(error)])

    def _own_context(self, id: str) -> RequestContext:
        whole = self.context
        own = RequestContext(whole.shared, whole.account, whole.request, whole.response, whole.token)
        own.asks_cost = id in self._asking_cost
        return own

    async def _shared(self, operation: Operation[RequestContext, None]) -> bool:
        """Run a plain subscription to a table, its answers shared with others; False if it is none."""
        if operation.id in self._asking_cost:
            return False
        documents = self.view.documents  # type: ignore[attr-defined]
        asked = table_subscription(
            self.schema, documents, operation.query, operation.variables, operation.operation_name
        )
        if asked is None:
            return False
        head = b'{"id":' + orjson.dumps(operation.id) + b',"type":"next","payload":'
        async with aclosing(answers(self.schema, self.context, asked)) as payloads:
            async for payload in payloads:
                await self.websocket.send_encoded(head + payload + b"}")  # type: ignore[attr-defined]
        await operation.send_operation_message({"id": operation.id, "type": "complete"})
        return True

    async def _send_result_stream(self, operation: Any, result_source: Any) -> None:
        async for result in result_source:
            if failed(result):
                await operation.send_initial_errors([coded(error) for error in result.errors])
                return
            await operation.send_next(result)

    def forget_id(self, id: str) -> None:
        """Free the id of an operation for another one."""
        self.operations.pop(id, None)
        self._asking_cost.discard(id)

    def _hang_up(self) -> None:
        if self._main is not None and not self._ending:
            self._hung_up = self._ending = True
            self._main.cancel()
