"""The form of what clients send over a WebSocket."""

from __future__ import annotations

from fliptable.quoting import quoted
from fliptable_api.reading import NotText, is_text


def problem_of(message: object, spoilt: NotText | None = None) -> str | None:
    """What is wrong with the form of a message; None when nothing is.

    ``spoilt`` says where it is no text. The payload of an operation may be none, since that ends only itself.
    """
    if not isinstance(message, dict):
        return "A message has to be a JSON object."
    kind = message.get("type")
    if not isinstance(kind, str):
        return "A message has to have a type, a string."
    if kind not in ("connection_init", "ping", "pong", "subscribe", "complete"):
        return f"There is no message type {quoted(kind, 40)} for a client to send."
    if kind == "connection_init" and spoilt is not None and spoilt.path[:1] == ["payload"]:
        return spoilt.told(spoilt.path)
    if kind not in ("subscribe", "complete"):
        return None
    id = message.get("id")
    if not isinstance(id, str) or not id:
        return f"{kind} has to have an id, a string that is not empty."
    if kind == "subscribe" and not is_text(id):
        return "subscribe has to have an id of Unicode text, without half a character in it."
    return _problem_of_payload(message.get("payload")) if kind == "subscribe" else None


def _problem_of_payload(payload: object) -> str | None:
    if not isinstance(payload, dict):
        return "subscribe has to have a payload, an object."
    by_hash = bool(payload.get("extensions")) or payload.get("documentId") is not None
    if not isinstance(payload.get("query"), str) and not (by_hash and payload.get("query") is None):
        return "subscribe: payload.query has to be a string."
    for name, kind, what in (
        ("variables", dict, "an object"),
        ("operationName", str, "a string"),
        ("extensions", dict, "an object"),
    ):
        if payload.get(name) is not None and not isinstance(payload[name], kind):
            return f"subscribe: payload.{name} has to be {what}."
    return None
