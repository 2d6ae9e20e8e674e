"""Cross-origin requests: preflights are answered, answers say who may read them."""

from __future__ import annotations

import re

from starlette.requests import Request
from starlette.responses import Response

from fliptable_api.answers import not_let_in
from fliptable_api.origins import Origins

METHODS = "GET, POST"

_HEADERS = re.compile(r"[\w!#$%&'*+.^`|~-]+( *, *[\w!#$%&'*+.^`|~-]+)*")
_EXPOSED = "Date, ETag, Retry-After"
_KEPT = "7200"
"""Seconds that a browser may remember a preflight's answer."""


def preflight(request: Request, origins: Origins) -> Response | None:
    """The answer to a preflight; None when the request is none."""
    if request.method != "OPTIONS":
        return None
    wanted = request.headers.get("access-control-request-headers", "")
    origin = request.headers.get("origin")
    if origin is None or "access-control-request-method" not in request.headers:
        return None
    if not origins.allows(origin, request.headers.get("host")):
        return not_let_in(origin)
    headers = {
        "Access-Control-Allow-Origin": origin,
        "Access-Control-Allow-Methods": METHODS,
        "Access-Control-Max-Age": _KEPT,
        "Vary": "Origin, Access-Control-Request-Headers",
    }
    # There are no cookies, so which headers a client sends is its own affair.
    if len(wanted) <= 1000 and _HEADERS.fullmatch(wanted):
        headers["Access-Control-Allow-Headers"] = wanted
    return Response(status_code=204, headers=headers)


def readable(origin: str | None, host: str | None, origins: Origins) -> dict[str, str]:
    """The headers with which a page may read an answer; none for a page whose origin is not let in."""
    if origin is None or not origins.allows(origin, host):
        return {}
    return {"Access-Control-Allow-Origin": origin, "Access-Control-Expose-Headers": _EXPOSED}


def mark(request: Request, response: Response, origins: Origins) -> None:
    """Let the page that asked read the answer, if its origin is let in."""
    origin = request.headers.get("origin")
    if origin is None or "Access-Control-Allow-Origin" in response.headers:
        return
    response.headers.add_vary_header("Origin")
    response.headers.update(readable(origin, request.headers.get("host"), origins))
