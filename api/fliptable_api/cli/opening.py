"""Opening a table from words at the command line, by what the server's catalogue says there is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from fliptable_api.client import Client, ClientError

_OPTIONS = "options { name type list required choices }"
CATALOGUE = f"{{ games {{ id name summary input {_OPTIONS} modes {{ id name summary input {_OPTIONS} }} }} }}"


async def opening_input(
    client: Client,
    game: str | None,
    mode: str | None,
    options: Sequence[str],
    seats: int | None,
    local: Sequence[str],
    public: bool,
) -> dict[str, Any]:
    """The input of createTable. Errors: ClientError says what there is to choose from."""
    games = (await client.ask(CATALOGUE))["games"]
    chosen = _choose(games, game, "game")
    of_mode = None if mode is None else _choose(chosen["modes"], mode, f"mode of {chosen['name']}")
    game_options, mode_options = _options(options, chosen, of_mode)
    wanted: dict[str, Any] = {"game": {chosen["input"]: game_options}}
    if of_mode is not None:
        wanted["mode"] = {of_mode["input"]: mode_options}
    if seats is not None:
        wanted["seats"] = seats
    if local:
        wanted["localSeats"] = list(local)
    if public:
        wanted["visibility"] = "PUBLIC"
    return wanted


def _choose(parts: Sequence[dict[str, Any]], named: str | None, what: str) -> dict[str, Any]:
    """The part that is meant by an id or a name. Errors: ClientError lists them all."""
    wanted = (named or "").lower()
    for part in parts:
        if wanted in (part["id"], part["name"].lower()):
            return part
    known = "".join(f"\n  {part['id']:<12} {part['summary']}" for part in parts)
    if named is None:
        raise ClientError(f"which {what}? There is:{known}")
    raise ClientError(f"there is no {what} called {named!r}; there is:{known}")


def _options(
    given: Sequence[str], game: dict[str, Any], mode: dict[str, Any] | None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options of the game and of the mode. Errors: ClientError."""
    chosen: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
    parts = [game["options"], mode["options"] if mode is not None else []]
    for word in given:
        name, equals, text = word.partition("=")
        if not equals:
            raise ClientError(f"--option {word!r} has no value; it looks like --option name=value")
        place, option = _find(parts, name, game, mode)
        chosen[place][option["name"]] = _value(option, text)
    return chosen


def _find(
    parts: Sequence[Sequence[dict[str, Any]]], name: str, game: dict[str, Any], mode: dict[str, Any] | None
) -> tuple[int, dict[str, Any]]:
    plain = _plain(name)
    for place, options in enumerate(parts):
        for option in options:
            if _plain(option["name"]) == plain:
                return place, option
    names = [option["name"] for options in parts for option in options]
    where = game["name"] + (f" in the mode {mode['id']}" if mode is not None else "")
    known = f"it has {', '.join(names)}" if names else "it has none"
    hint = "; a mode's options go with --mode" if mode is None else ""
    raise ClientError(f"{where} has no option {name!r}; {known}{hint}")


def _plain(name: str) -> str:
    """``field-cards``, ``field_cards`` and ``fieldCards`` are the same."""
    return name.replace("-", "").replace("_", "").lower()


def _value(option: dict[str, Any], text: str) -> Any:
    """An option's value. Errors: ClientError says what would be right."""
    name, kind, choices = option["name"], option["type"], option["choices"]
    if option["list"]:
        return _from_json(name, text)
    if choices:
        if text.upper() in choices:
            return text.upper()
        raise ClientError(f"{name} is {text!r}; it has to be one of {', '.join(choices)}")
    if kind == "Int":
        try:
            return int(text)
        except ValueError:
            raise ClientError(f"{name} is {text!r}; it has to be a whole number") from None
    if kind == "Boolean":
        if text.lower() in ("true", "yes", "on", "1"):
            return True
        if text.lower() in ("false", "no", "off", "0"):
            return False
        raise ClientError(f"{name} is {text!r}; it has to be true or false")
    if kind == "String":
        return text
    return _from_json(name, text)


def _from_json(name: str, text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        raise ClientError(f"{name} is {text!r}; it has to be written in JSON") from None
