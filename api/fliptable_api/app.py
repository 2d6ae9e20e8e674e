"""The ASGI application: the GraphQL endpoint, and what tells whether the server is well."""

from __future__ import annotations

import logging
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from fliptable.accounts import Accounts
from fliptable.challengebook import ChallengeBook
from fliptable.log import Store, Unavailable
from fliptable.memory import MemoryStore
from fliptable.mongo import MongoStore
from fliptable.plugins import Registry
from fliptable.recordkeeper import RecordKeeper
from fliptable.service import TableService
from fliptable_api import cors, graphiql
from fliptable_api.context import Shared
from fliptable_api.http import View
from fliptable_api.limits import Limits
from fliptable_api.loading import load
from fliptable_api.metrics import Metrics
from fliptable_api.negotiation import JSON
from fliptable_api.offered import public
from fliptable_api.schema import Built, build_schema
from fliptable_api.settings import Settings, from_environment, tell_unknown
from fliptable_api.trustchecks import tell
from fliptable_api.wire import refused, turned_away

logger = logging.getLogger("fliptable")


class Server:
    """A server's parts, from start to stop."""

    def __init__(self, settings: Settings, registry: Registry | None = None) -> None:
        """Loads plugins and builds the schema. Errors: PluginError, SchemaCollision."""
        self.settings = settings
        self.registry: Registry
        self.built: Built
        if registry is None:
            self.registry, self.built = load(settings, _limits(settings))
        else:
            self.registry, self.built = registry, build_schema(registry, _limits(settings))
        self.store: Store | None = None
        self.service: TableService | None = None
        self.view: View | None = None
        self._public = public(settings)
        self._metrics = Metrics()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Open the store and start the service; stop both at the end. Errors: Unavailable."""
        self.store = store = await self._open_store()
        try:
            secret = self.settings.secret.encode() or await store.shared_secret(secrets.token_bytes(32))
            shared_store = self.settings.shared_store and not self.settings.memory
            self.service = service = TableService(
                self.registry,
                store,
                shared_secret=secret,
                shared_store=shared_store,
                cached_tables=self.settings.cached_tables,
                queue=self.settings.subscriber_queue,
            )
            accounts = Accounts(
                store,
                service.clock,
                lifetime=timedelta(days=self.settings.token_days) if self.settings.token_days else None,
                shared_store=shared_store,
            )
            shared = Shared(
                self.registry,
                service,
                accounts,
                self.built.catalogue,
                self.built.moves,
                self.built.names,
                ChallengeBook(self.registry, store, service.clock),
            )
            keeper = RecordKeeper(service)
            self.view = View(
                self.built.schema,
                shared,
                self.built.documents,
                self._public,
            )
            await accounts.start()
            await service.start()
            await keeper.start()
            try:
                yield
            finally:
                await accounts.stop()
                await keeper.stop()
                await service.stop()
        finally:
            await store.close()

    def interrupt(self) -> None:
        """Tell whoever follows something that the server stops; what else is under way goes on."""
        if self.service is not None:
            self.service.interrupt()

    async def check(self) -> None:
        """Tell of trusted documents, and see whether the store can be used. Errors: Unavailable."""
        tell(self.settings, self._public.by_hash, self.built)
        store = await self._open_store()
        await store.close()

    async def _open_store(self) -> Store:
        if self.settings.memory:
            return MemoryStore(self.registry.codec)
        store = MongoStore(self.settings.mongo_url, self.registry.codec, self.settings.mongo_database)
        try:
            await store.open()
        except Unavailable:
            await store.close()
            raise
        return store

    async def metrics(self, request: Request) -> Response:
        """Numbers for Prometheus."""
        assert self.service is not None
        text = self._metrics.text(self.service, len(self._public.connections))
        return Response(text, media_type=self._metrics.content_type)

    async def healthz(self, request: Request) -> Response:
        """The process is alive."""
        return PlainTextResponse("ok")

    async def readyz(self, request: Request) -> Response:
        """The database answers."""
        assert self.store is not None
        try:
            await self.store.ready()
        except Unavailable:
            return refused(JSON, 503, "UNAVAILABLE", "The database does not answer.")
        return PlainTextResponse("ready")


def _limits(settings: Settings) -> Limits:
    return Limits(
        tokens=settings.max_tokens,
        depth=settings.max_depth,
        fields=settings.max_fields,
        aliases=settings.max_aliases,
        mutations=settings.max_mutations,
        cost=settings.max_cost,
    )


def create_app(settings: Settings, registry: Registry | None = None) -> ASGIApp:
    """The application of some settings. Errors: PluginError, SchemaCollision."""
    return app_of(Server(settings, registry))


def app_of(server: Server) -> ASGIApp:
    """The application of a server, which starts and stops with it."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with server.running():
            yield

    origins = server._public.origins

    def refuse(request: Request, error: Exception) -> Response:
        response = _refused(request, error)
        cors.mark(request, response, origins)
        return response

    beside = Starlette(
        routes=[
            Route("/healthz", server.healthz),
            Route("/readyz", server.readyz),
            Route("/metrics", server.metrics),
            *graphiql.routes(server.registry, server.built.moves, graphiql.missing(server.settings)),
        ],
        exception_handlers={404: refuse, 405: refuse},
        lifespan=lifespan,
    )
    beside.router.redirect_slashes = False

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        # The one busy path goes past routing and middleware.
        if scope["type"] in ("http", "websocket") and scope["path"] == "/graphql":
            assert server.view is not None, "the server is not running"
            await server.view(scope, receive, send)
        elif scope["type"] == "http" and (asked := cors.preflight(Request(scope), origins)) is not None:
            await asked(scope, receive, send)
        elif scope["type"] == "websocket":
            await turned_away(WebSocket(scope, receive, send), refused(JSON, 404, "BAD_REQUEST", _NOTHING))
        else:
            await beside(scope, receive, send)

    return app


_NOTHING = "There is nothing at this path; the endpoint is /graphql."


def _refused(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException) or error.status_code == 404:
        return refused(JSON, 404, "BAD_REQUEST", _NOTHING)
    response = refused(JSON, 405, "BAD_REQUEST", f"{request.method} is not possible here.")
    response.headers.update(error.headers or {})
    return response


def app_from_environment() -> ASGIApp:
    """The application of the environment's settings, for a worker process."""
    settings = from_environment()
    tell_unknown()
    return create_app(settings)
