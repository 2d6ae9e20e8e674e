"""A frontend for the terminal that plays any game of a Fliptable server.

    python play.py [URL] [--game ID] [--auto] [--moves N]

It knows no game: what can be played comes from ``legalMoves``, what happened from the events of the
table's subscription (as server-sent events). Everybody sits at this terminal. Needs ``httpx``.
"""

from __future__ import annotations

import argparse
import json
import random
import threading
from typing import Any

import httpx

MOVES = "legalMoves { seat label input fields { path type description min max choices list maxItems } }"
GAMES = "{ games { id name input minSeats } }"
SIGN_IN = 'mutation { signInAsGuest(input: {name: "Ann"}) { token } }'
OPEN = f"""mutation ($input: CreateTableInput!) {{ createTable(input: $input) {{
  ... on TableOpened {{ table {{ id status seats {{ name }} {MOVES} }} }}
  ... on Refusal {{ code message }} }} }}"""
PLAY = f"""mutation ($input: PlayMoveInput!) {{ playMove(input: $input) {{
  ... on MovePlayed {{ update {{ version table {{ status seats {{ name }} {MOVES} }} }} }}
  ... on Refusal {{ code message table {{ version status seats {{ name }} {MOVES} }} }} }} }}"""
FOLLOW = """subscription ($table: ID!, $after: Int) {
  tableUpdates(tableId: $table, after: $after) { version events { text } } }"""


class Server:
    """The server, and the player's token."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.http = httpx.Client(timeout=60)

    def ask(self, query: str, **variables: Any) -> Any:
        """The one field of the answer's data."""
        answer = self.http.post(self.url, json={"query": query, "variables": variables}).json()
        if "errors" in answer:
            raise SystemExit(answer["errors"][0]["message"])
        return next(iter(answer["data"].values()))

    def follow(self, table: str, seen: dict[str, int], told: threading.Condition) -> None:
        """Print what happens at a table until it is over; after a cut line, go on where it was."""
        accept = {"accept": "text/event-stream"}
        while True:
            asked = {"query": FOLLOW, "variables": {"table": table, "after": seen["version"]}}
            try:
                with self.http.stream("POST", self.url, json=asked, headers=accept) as stream:
                    for line in stream.iter_lines():
                        if line == "event: complete":
                            return
                        if not line.startswith("data: {"):
                            continue
                        update = json.loads(line[6:])["data"]["tableUpdates"]
                        for event in update["events"]:
                            print("  " + event["text"], flush=True)
                        with told:
                            seen["version"] = update["version"]
                            told.notify_all()
            except httpx.TransportError:
                continue


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


def fill(move: dict[str, Any], auto: bool) -> None:
    """Give the fields of a move their values; an empty answer leaves what stands there."""
    for field in move["fields"]:
        *outer, last = field["path"].split(".")
        place = move["input"]
        for step in outer:
            place = place[step]
        if auto and field["choices"]:
            drawn = random.sample(field["choices"], field["maxItems"] or 1)
            place[last] = drawn if field["list"] else drawn[0]
        elif not auto:
            asked = f"{field['description']} {field['choices'] or [field['min'], field['max']]}"
            read = json.loads if field["type"] in ("Int", "Boolean") else str
            if words := [read(word) for word in input(f"{asked} [{place[last]}] ").split()]:
                place[last] = words if field["list"] else words[0]


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
    game = next(one for one in server.ask(GAMES) if one["id"] == options.game)
    others = [f"Player {number}" for number in range(2, game["minSeats"] + 1)]
    wanted: dict[str, Any] = {"game": {game["input"]: {}}, "seats": game["minSeats"], "localSeats": others}
    table = server.ask(OPEN, input=wanted)["table"]
    seen, told, id = {"version": 0}, threading.Condition(), table["id"]
    threading.Thread(target=server.follow, args=(id, seen, told), daemon=True).start()
    for _ in range(options.moves):
        if table["status"] == "OVER" or not table["legalMoves"]:
            break
        move = chosen(table["legalMoves"], [seat["name"] for seat in table["seats"]], options.auto)
        fill(move, options.auto)
        answer = server.ask(PLAY, input={"tableId": id, "move": move["input"], "seat": move["seat"]})
        if "code" in answer:
            print(f"{answer['code']}: {answer['message']}")
        update = answer.get("update") or {"version": answer["table"]["version"], **answer}
        table = update["table"]
        with told:
            told.wait_for(lambda version=update["version"]: seen["version"] >= version, timeout=30)
    print(table["status"])


if __name__ == "__main__":
    main()
