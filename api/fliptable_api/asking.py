"""What an HTTP request asks for: its body or its parameters, checked part by part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl

import orjson
from cross_web import HTTPException
from starlette.datastructures import QueryParams

from fliptable_api.errors import CodedError
from fliptable_api.quoting import dotted
from fliptable_api.reading import NotText, read

_JSON = "application/json"
_REPLACED = "\ufffd"
"""What is read in place of what is no UTF-8; somebody may have sent it, too."""

_PARTS: tuple[tuple[str, type, str], ...] = (
    ("query", str, "a string"),
    ("operationName", str, "a string"),
    ("variables", dict, "an object"),
    ("extensions", dict, "an object"),
)
_NAMES = (*(name for name, _, _ in _PARTS), "documentId")


def of_body(content_type: str | None, encoding: str | None, body: bytes | str) -> dict[str, Any]:
    """The parts of a POST. Errors: HTTPException or CodedError says what is wrong with it."""
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


def of_parameters(parameters: QueryParams, sent: str) -> dict[str, Any]:
    """The parts of a GET; ``sent`` is what the parameters were read from.

    Errors: HTTPException or CodedError says what is wrong with it.
    """
    asked: dict[str, Any] = dict(parameters)
    if any(_REPLACED in text for pair in parameters.multi_items() for text in pair):
        _check_utf8(sent)
    if len(parameters.multi_items()) > len(asked):
        for name in _NAMES:
            if len(parameters.getlist(name)) > 1:
                raise HTTPException(400, f"`{name}` is there more than once.")
    for name in ("variables", "extensions"):
        if name in asked:
            asked[name] = _read(asked[name], f"`{name}`", (name,)) if asked[name] else None
    return _checked(asked)


def _read(text: bytes | str, what: str, path: tuple[str, ...] = ()) -> Any:
    try:
        return read(text)
    except orjson.JSONDecodeError:
        raise HTTPException(400, f"{what} has to be JSON.") from None
    except NotText as error:
        if not isinstance(error.found, dict):
            # That it is none is the first thing to be said.
            return error.found
        raise no_text(error, (*path, *error.path)) from None


def no_text(error: NotText, path: Sequence[str | int]) -> CodedError:
    """What is said of a request that is no text at that path in it."""
    return CodedError("BAD_REQUEST", error.told(path), **({"field": dotted(path)} if path else {}))


def _check_utf8(sent: str) -> None:
    """Errors: HTTPException for parameters in which something stands for what is no UTF-8."""
    # Each byte as the character of its number.
    for name, value in parse_qsl(sent, keep_blank_values=True, encoding="latin-1"):
        what = f"`{name}`" if name in _NAMES else "The value of a parameter"
        for text, told in ((name, "The name of a parameter"), (value, what)):
            try:
                text.encode("latin-1").decode()
            except UnicodeDecodeError:
                raise HTTPException(400, f"{told} has to be UTF-8.") from None


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
