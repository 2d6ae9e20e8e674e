"""GraphiQL, from files of this package: its page, what that loads, and examples for the games there are."""

from __future__ import annotations

import logging
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fliptable import Game
from fliptable.house import Visibility
from fliptable.opening import Opening, open_table
from fliptable.plugins import Registry
from fliptable.requests import utc_now
from fliptable_api.moves import NEXT_ROUND, Moves
from fliptable_api.naming import uncapitalised
from fliptable_api.negotiation import JSON
from fliptable_api.settings import Settings
from fliptable_api.trusted import Trust
from fliptable_api.wire import refused

logger = logging.getLogger("fliptable")

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
# Sign in first. The page keeps the token, in the field above, and sends it with all tabs.
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
# A table of {name}: open it, look at legalMoves, and send one of their inputs as `move` in the tab Play,
# with its seat. The page keeps the table, in the field above.
mutation Open{type}($input: CreateTableInput!) {{
  createTable(input: $input) {{
    ... on TableOpened {{
      table {{
        id
        code
        status
        toAct
        legalMoves {{
          seat
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
# A move of any game. It comes back with legalMoves: go on with the seat and the input of one, as `seat` and
# `move` of the variables (below).
# A tableId of zeros alone means the table that was opened last.
mutation Play($input: PlayMoveInput!) {
  playMove(input: $input) {
    ... on MovePlayed {
      update {
        version
        events {
          __typename
          text
        }
        table {
          status
          toAct
          legalMoves {
            seat
            label
            input
          }
        }
      }
    }
    ... on Refusal {
      code
      message
      legalMoves {
        seat
        label
        input
      }
    }
  }
}
"""

_FOLLOW = """\
# What happens at a table, from its beginning and then live, over a WebSocket, with the eyes of the token.
# A tableId of zeros alone means the table that was opened last.
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

NO_TABLE = "tbl_00000000000000000000"
"""What the page takes for the table that was opened last."""


def examples(registry: Registry, moves: Moves) -> list[dict[str, Any]]:
    """The tabs of the page: signing in, a table of each game, a move, and a table followed live."""
    opened = []
    first: dict[str, Any] | None = None
    for game in registry.games.values():
        seats = min(game.seats)
        wanted: dict[str, Any] = {"game": {uncapitalised(game.graphql): {}}, "seats": seats}
        if seats > 1:
            wanted["localSeats"] = [f"Player {number + 1}" for number in range(1, seats)]
        query = _OPEN.format(name=game.name, type=game.graphql)
        opened.append({"query": query, "variables": {"input": wanted}})
        first = first or _first_move(registry, moves, game, seats)
    # Valid whatever is played, though there is no next round yet.
    first = first or {"move": {NEXT_ROUND: True}}
    return [
        {"query": _SIGN_IN, "variables": {"name": "Ann"}},
        *opened,
        {"query": _PLAY, "variables": {"input": {"tableId": NO_TABLE, **first}}},
        {"query": _FOLLOW, "variables": {"tableId": NO_TABLE}},
    ]


def _first_move(registry: Registry, moves: Moves, game: Game[Any, Any], seats: int) -> dict[str, Any] | None:
    """A move that may be the first at the table that the game's tab opens; None if the game has none."""
    mode = registry.mode(game.default_mode)
    ann = "ply_00000000000000000000"
    try:
        opening = Opening(
            id=NO_TABLE,
            code="000000",
            secret=bytes(32),
            game=game.id,
            mode=mode.id,
            game_options=game.Options(),
            mode_options=mode.Options(),
            seats=seats,
            local_seats=tuple(f"Player {number + 1}" for number in range(1, seats)),
            visibility=Visibility.UNLISTED,
            host=ann,
            host_name="Ann",
        )
        table = open_table(registry, opening, utc_now(), bytes(32)).table
        move, *_ = moves.legal(table, table.viewer(ann), True)
    except Exception as error:
        # The page is there to find such things out.
        logger.warning("GraphiQL has no example of a move of %s: %s", game.name, error)
        return None
    return {"seat": move.seat, "move": move.input}


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


def routes(registry: Registry, moves: Moves, missing: str | None) -> list[Route]:
    """The page and its files as routes, or the answer to whoever looks for it, where it is ``missing``."""
    if missing is not None:

        async def told(request: Request) -> Response:
            return refused(JSON, 404, "BAD_REQUEST", missing)

        return [Route(PATH, told), Route(f"{PATH}/{{file:path}}", told)]
    tabs = orjson.dumps(examples(registry, moves))

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
