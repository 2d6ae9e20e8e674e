"""Signing in on a WebSocket: by its first message, or by the handshake's header."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from fliptable_api.connections import SCOPE
from fliptable_api.context import RequestContext, is_none, signed_in_by

_LIKE_A_TOKEN = re.compile("token|auth|bearer|jwt", re.IGNORECASE)
_DEPTH = 3
"""How deep in a payload a token is looked for that is at the wrong place."""


async def signed_in_on(context: RequestContext) -> dict[str, object]:
    """Sign the player of a connection in; what its ``connection_ack`` says about it.

    Errors: as of :func:`fliptable_api.context.signed_in_by`.
    """
    params = context.connection_params
    given: Any = None
    if isinstance(params, Mapping):
        given = next((value for key, value in params.items() if key.lower() == "authorization"), None)
    if is_none(given):
        given = context.request.headers.get("authorization")
    found = await signed_in_by(context.shared.accounts, given)
    if found is not None:
        context.request.scope[SCOPE].of(found.account.id)
        context.account, context.token = found.account, found.token
        return {"player": {"id": found.account.id, "name": found.account.name}}
    told: dict[str, object] = {"player": None}
    ignored = next(_like_tokens(params), None)
    if ignored is not None:
        told["hint"] = (
            f"Nobody is signed in: {ignored} is not looked at. Send "
            '{"authorization": "Bearer TOKEN"} as the payload of connection_init.'
        )
    return told


def _like_tokens(params: object, path: str = "", depth: int = _DEPTH) -> Iterator[str]:
    """The paths of what looks as if it were meant to be a token."""
    if not isinstance(params, Mapping) or depth == 0:
        return
    for key, value in params.items():
        here = f"{path}{str(key)[:40]}"
        if isinstance(value, str) and value.strip() and _LIKE_A_TOKEN.search(str(key)):
            yield here
        yield from _like_tokens(value, f"{here}.", depth - 1)
