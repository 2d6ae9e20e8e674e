"""What an HTTP request asks for: its body or its parameters, checked part by part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson
from cross_web import HTTPException
from starlette.datastructures import QueryParams

from fliptable_api.reading import read

_JSON = "application/json"

_PARTS: tuple[tuple[str, type, str], ...] = (
    ("query", str, "a string"),
    ("operationName", str, "a string"),
    ("variables", dict, "an object"),
    ("extensions", dict, "an object"),
)


def of_body(content_type: str | None, encoding: str | None, body: bytes | str) -> dict[str, Any]:
    """The parts of a POST. Errors: HTTPException says what is wrong with it."""
    if encoding is not None and encoding.strip().lower() not in ("", "identity"):
        raise HTTPException(415, f"The body has to come as it is, not in the encoding {encoding[:40]}.")
    kind, _, parameters = (content_type or "").partition(";")
    if kind.strip().lower() != _JSON:
        raise HTTPException(415, "The content type has to be application/json.")
    charset = parameters.lower().partition("charset=")[2].partition(";")[0].strip().strip('"')
    if charset not in ("", "utf-8", "utf8"):
        raise HTTPException(415, "The charset of the content type has to be UTF-8.")
    asked = _read(body, "The body")
    if isinstance(asked, list):
        raise HTTPException(400, "A batch of requests is not possible; send them one by one.")
    if not isinstance(asked, dict):
        raise HTTPException(400, "The body has to be a JSON object with a query.")
    return _checked(asked)


def of_parameters(parameters: QueryParams) -> dict[str, Any]:
    """The parts of a GET. Errors: HTTPException says what is wrong with it."""
    asked: dict[str, Any] = dict(parameters)
    if len(parameters.multi_items()) > len(asked):
        for name in (*(name for name, _, _ in _PARTS), "documentId"):
            if len(parameters.getlist(name)) > 1:
                raise HTTPException(400, f"`{name}` is there more than once.")
    for name in ("variables", "extensions"):
        if name in asked:
            asked[name] = _read(asked[name], f"`{name}`") if asked[name] else None
    return _checked(asked)


def _read(text: bytes | str, what: str) -> Any:
    try:
        return read(text)
    except orjson.JSONDecodeError:
        raise HTTPException(400, f"{what} has to be JSON.") from None


def _checked(asked: dict[str, Any]) -> dict[str, Any]:
    for name, kind, what in _PARTS:
        value = asked.get(name)
        if value is not None and not isinstance(value, kind):
            raise HTTPException(400, f"`{name}` has to be {what}.")
    return asked


COST_HEADER = "graphql-cost"
"""With the value ``report``, the answer says what the operation costs."""


def asks_cost(headers: Mapping[str, str], extensions: Mapping[str, Any] | None) -> bool:
    """Whether the answer is to say what the operation costs. Errors: HTTPException for another header."""
    told = headers.get(COST_HEADER)
    if told is not None and told != "report":
        raise HTTPException(400, "The header GraphQL-Cost can only be `report`.")
    return told is not None or (extensions or {}).get("cost") is True
