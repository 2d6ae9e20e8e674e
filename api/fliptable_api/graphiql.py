"""GraphiQL, from files of this package: its page, what that loads, and examples for the games there are."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fliptable.plugins import Registry
from fliptable_api.naming import uncapitalised
from fliptable_api.negotiation import JSON
from fliptable_api.settings import Settings
from fliptable_api.trusted import Trust
from fliptable_api.wire import refused

PATH = "/graphiql"

_NOT_TRUSTED = (
    "There is no GraphiQL here, since this server carries out the documents of its manifest only and what is "
    "typed into GraphiQL is none; run one with FLIPTABLE_TRUST=allow to have it."
)
_TURNED_OFF = "There is no GraphiQL here: FLIPTABLE_GRAPHIQL is false."

_KINDS = {"html": "text/html", "js": "text/javascript", "css": "text/css", "json": "application/json"}

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "font-src 'self' data:; connect-src 'self' ws: wss:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
"""What the page may load: nothing from elsewhere."""

_SIGN_IN = """\
# Sign in first. Then put the token into the headers of the other tabs (below):
# {"Authorization": "Bearer ft_YOUR_TOKEN"}
# By expiresAt have another one, with renewToken; null means that there is no need.
mutation SignIn($name: String!) {
  signInAsGuest(input: {name: $name}) {
    token
    expiresAt
    player {
      id
      name
    }
  }
}
"""

_OPEN = """\
# A table of {name}: open it, look at legalMoves, and send one of their inputs as `move` in the tab Play.
# The headers (below) need the token of the tab SignIn: {{"Authorization": "Bearer ft_YOUR_TOKEN"}}
mutation Open{type}($input: CreateTableInput!) {{
  createTable(input: $input) {{
    ... on TableOpened {{
      table {{
        id
        code
        status
        toAct
        legalMoves {{
          label
          input
        }}
      }}
    }}
    ... on Refusal {{
      code
      message
      field
    }}
  }}
}}
"""

_PLAY = """\
# A move of any game. What is refused brings the moves that are legal.
# The headers (below) need the token of the tab SignIn: {"Authorization": "Bearer ft_YOUR_TOKEN"}
mutation Play($input: PlayMoveInput!) {
  playMove(input: $input) {
    ... on MovePlayed {
      update {
        version
        events {
          __typename
          text
        }
      }
    }
    ... on Refusal {
      code
      message
      legalMoves {
        label
        input
      }
    }
  }
}
"""

_FOLLOW = """\
# What happens at a table, from its beginning and then live, over a WebSocket. Only a table without spectators
# asks for a token, and what only a player sees.
subscription Follow($tableId: ID!) {
  tableUpdates(tableId: $tableId, after: 0) {
    version
    events {
      __typename
      text
    }
    table {
      status
      toAct
    }
  }
}
"""

_ID = "tbl_00000000000000000000"


def examples(registry: Registry) -> list[dict[str, Any]]:
    """The tabs of the page: signing in, a table of each game, a move, and a table followed live."""
    opened = []
    first: dict[str, Any] = {}
    for game in registry.games.values():
        seats = min(game.seats)
        wanted: dict[str, Any] = {"game": {uncapitalised(game.graphql): {}}, "seats": seats}
        if seats > 1:
            wanted["localSeats"] = [f"Player {number + 1}" for number in range(1, seats)]
        query = _OPEN.format(name=game.name, type=game.graphql)
        opened.append({"query": query, "variables": {"input": wanted}, "headers": {}})
        first = first or {uncapitalised(game.graphql): {}}
    move: dict[str, Any] = {"tableId": _ID, "move": first}
    return [
        {"query": _SIGN_IN, "variables": {"name": "Ann"}, "headers": {}},
        *opened,
        {"query": _PLAY, "variables": {"input": move}, "headers": {}},
        # With a token that is none the WebSocket would be closed, and GraphiQL shows nothing of that.
        {"query": _FOLLOW, "variables": {"tableId": _ID}, "headers": {}},
    ]


@cache
def _file(name: str) -> tuple[bytes, str]:
    content = (files("fliptable_api") / "static" / name).read_bytes()
    return content, f'"{sha256(content).hexdigest()[:32]}"'


_FILES = (
    "graphiql.min.css",
    "graphiql.min.js",
    "page.css",
    "page.js",
    "react.production.min.js",
    "react-dom.production.min.js",
)


def page() -> Response:
    """The page itself."""
    headers = {
        "Content-Security-Policy": _POLICY,
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-cache",
        "Vary": "Accept",
    }
    return Response(_file("graphiql.html")[0], 200, headers, media_type="text/html")


def missing(settings: Settings) -> str | None:
    """Why a server of these settings has no such page; None when it has."""
    if not settings.graphiql:
        return _TURNED_OFF
    return _NOT_TRUSTED if settings.trust == Trust.ONLY else None


def routes(registry: Registry, missing: str | None) -> list[Route]:
    """The page and its files as routes, or the answer to whoever looks for it, where it is ``missing``."""
    if missing is not None:

        async def told(request: Request) -> Response:
            return refused(JSON, 404, "BAD_REQUEST", missing)

        return [Route(PATH, told), Route(f"{PATH}/{{file:path}}", told)]
    tabs = orjson.dumps(examples(registry))

    async def of_page(request: Request) -> Response:
        return page()

    async def of_examples(request: Request) -> Response:
        return Response(tabs, media_type="application/json")

    def of_file(name: str) -> Any:
        async def answer(request: Request) -> Response:
            content, tag = _file(name)
            headers = {"ETag": tag, "Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"}
            if request.headers.get("if-none-match") == tag:
                return Response(status_code=304, headers=headers)
            return Response(content, 200, headers, media_type=_KINDS[name.rpartition(".")[2]])

        return answer

    return [
        Route(PATH, of_page),
        Route(f"{PATH}/examples.json", of_examples),
        *[Route(f"{PATH}/{name}", of_file(name)) for name in _FILES],
    ]
