"""A frontend for the terminal that plays any game of a Fliptable server.

    python play.py [URL] [--game ID] [--auto] [--moves N]

It knows no game: what can be played comes from ``legalMoves``, what happened from the events of the
table's subscription (as server-sent events). Everybody sits at this terminal. Needs ``httpx``.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any
from uuid import uuid4

import httpx

TABLE = """table { id version status seats { name } legalMoves {
  seat label input fields { path type description min max choices list maxItems } } }"""
GAMES = "{ games { id name input minSeats } }"
SIGN_IN = 'mutation { signInAsGuest(input: {name: "Ann"}) { token } }'
OPEN = f"""mutation ($input: CreateTableInput!) {{ createTable(input: $input) {{
  ... on TableOpened {{ {TABLE} }} ... on Refusal {{ code message }} }} }}"""
PLAY = f"""mutation ($input: PlayMoveInput!) {{ playMove(input: $input) {{
  ... on MovePlayed {{ {TABLE} }} ... on Refusal {{ code message {TABLE} }} }} }}"""
FOLLOW = """subscription ($table: ID!, $after: Int) {
  tableUpdates(tableId: $table, after: $after) { version events { text } } }"""
PASSING = {"RATE_LIMITED", "UNAVAILABLE", "INTERRUPTED", "TOO_SLOW"}


def pause_after(errors: list[dict[str, Any]]) -> float:
    """Seconds until the next try. Errors: SystemExit for what stays wrong, as a dead token does."""
    message, told = errors[0]["message"], errors[0]["extensions"]
    if told["code"] not in PASSING and not told.get("retryable"):
        raise SystemExit(f"{told['code']}: {message}")
    print(f"{message} Trying again.", file=sys.stderr)
    return float(told.get("retryAfter", 1))


class Server:
    """The server, and the player's token."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.http = httpx.Client(timeout=60, headers={"accept": "text/event-stream"})

    def answers(self, query: str, **variables: Any) -> Iterator[Any]:
        """The one field of each answer. After a cut line, updates go on where they were."""
        while True:
            pause, asked = 1.0, {"query": query, "variables": variables}
            try:
                with self.http.stream("POST", self.url, json=asked) as answer:
                    if answer.status_code >= 500:
                        raise httpx.TransportError(f"The server answers with {answer.status_code}")
                    if answer.status_code != 200:
                        pause = pause_after(json.loads(answer.read())["errors"])
                    for line in answer.iter_lines():
                        if line == "event: complete":
                            return
                        if line.startswith("data: {"):
                            told = json.loads(line[6:])
                            if "errors" in told:
                                pause = pause_after(told["errors"])
                                break
                            (field,) = told["data"].values()
                            if "after" in variables:
                                variables["after"] = field["version"]
                            yield field
            except (httpx.TransportError, ValueError) as error:  # a cut line, or half of one
                print(f"{error}. Trying again.", file=sys.stderr)
            time.sleep(pause)

    def ask(self, query: str, **variables: Any) -> Any:
        """The answer to a query or mutation."""
        (answer,) = self.answers(query, **variables)
        return answer


def chosen(moves: list[dict[str, Any]], names: list[str], auto: bool) -> dict[str, Any]:
    """The move to play: by lot, or asked for."""
    if auto:
        return random.choice(moves)
    for number, move in enumerate(moves, 1):
        seat = "" if move["seat"] is None else f"{names[move['seat']]}: "
        print(f"{number:3}. {seat}{move['label']}")
    while True:
        answer = input("> ").strip()
        if answer.isdigit() and 1 <= int(answer) <= len(moves):
            return moves[int(answer) - 1]


def value(field: dict[str, Any], stands: Any) -> Any:
    """What is typed in for a field; an empty answer leaves what stands there."""
    known = {str(one).lower() if one in (True, False) else str(one): one for one in field["choices"] or ()}
    limits = ", ".join(known) or f"{field['min']} to {field['max']}"
    read = known.__getitem__ if known else int if field["type"] == "Int" else str
    while words := input(f"{field['description']} ({limits}) [{stands}] ").split():
        try:
            values = [read(word) for word in words]
            return values if field["list"] else values[0]
        except (KeyError, ValueError):
            print("That is none of these.")
    return stands


def fill(move: dict[str, Any], auto: bool) -> None:
    """Give the fields of a move their values."""
    for field in move["fields"]:
        *outer, last = field["path"].split(".")
        place = move["input"]
        for step in outer:
            place = place[step]
        if auto and field["choices"]:
            drawn = random.sample(field["choices"], field["maxItems"] or 1)
            place[last] = drawn if field["list"] else drawn[0]
        elif not auto:
            place[last] = value(field, place[last])


def main() -> None:
    """Open a table and play at it until it is over."""
    parser = argparse.ArgumentParser()
    parser.add_argument("url", nargs="?", default="http://localhost:8000/graphql")
    parser.add_argument("--game", default="call-it")
    parser.add_argument("--auto", action="store_true", help="choose the moves by lot")
    parser.add_argument("--moves", type=int, default=10_000, help="stop after so many")
    options = parser.parse_args()
    server = Server(options.url)
    server.http.headers["Authorization"] = f"Bearer {server.ask(SIGN_IN)['token']}"
    games = {one["id"]: one for one in server.ask(GAMES)}
    if options.game not in games:
        raise SystemExit(f"There is no game {options.game}; there are {', '.join(games)}.")
    game = games[options.game]
    others = [f"Player {number}" for number in range(2, game["minSeats"] + 1)]
    wanted: dict[str, Any] = {"game": {game["input"]: {}}, "seats": game["minSeats"], "localSeats": others}
    opened = server.ask(OPEN, input=wanted)
    if "code" in opened:
        raise SystemExit(f"{opened['code']}: {opened['message']}")
    table, shown = opened["table"], 0
    updates = server.answers(FOLLOW, table=table["id"], after=0)
    for left in range(options.moves, -1, -1):
        while shown < table["version"]:
            update = next(updates)
            shown = update["version"]
            print(*(f"  {event['text']}" for event in update["events"]), sep="\n", flush=True)
        if not left or table["status"] == "OVER" or not table["legalMoves"]:
            break
        move = chosen(table["legalMoves"], [seat["name"] for seat in table["seats"]], options.auto)
        fill(move, options.auto)
        wanted = {"move": move["input"], "seat": move["seat"], "idempotencyKey": str(uuid4())}
        answer = server.ask(PLAY, input={"tableId": table["id"], **wanted})
        if "code" in answer:
            print(f"{answer['code']}: {answer['message']}")
        table = answer["table"]
    print(table["status"])


if __name__ == "__main__":
    with suppress(EOFError, KeyboardInterrupt):  # Ctrl-D and Ctrl-C
        main()
