"""A frontend for the terminal that plays any game of a Fliptable server.

    python play.py [URL] [GAME]

It knows no game: what can be played comes from ``legalMoves``, what happened from the events of the
table's subscription (as server-sent events). Everybody sits at this terminal. Needs ``httpx``.
"""

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any
from uuid import uuid4

import httpx

SIGN_IN = 'mutation { signInAsGuest(input: {name: "Ann"}) { token } }'
GAMES = "{ games { id input minSeats } }"
OPEN = """mutation ($input: CreateTableInput!) { createTable(input: $input) {
  ... on TableOpened { table { id } } ... on Refusal { code message } } }"""
TABLE = """table { seats { name } legalMoves {
  seat label input fields { path type description min max choices list } } }"""
FOLLOW = f"""subscription ($table: ID!, $after: Int) {{
  tableUpdates(tableId: $table, after: $after) {{ version events {{ text }} {TABLE} }} }}"""
PLAY = f"""mutation ($input: PlayMoveInput!) {{ playMove(input: $input) {{
  ... on Refusal {{ code message {TABLE} }} }} }}"""
PASSING = {"RATE_LIMITED", "UNAVAILABLE", "INTERRUPTED", "TOO_SLOW"}

Json = dict[str, Any]
URL = sys.argv[1] if len(sys.argv) > 1 else "http://localhost:8000/graphql"
GAME = sys.argv[2] if len(sys.argv) > 2 else "call-it"
http = httpx.Client(timeout=60, headers={"accept": "text/event-stream"})


def pause_after(error: Json) -> float:
    """Seconds until the next try. Errors: SystemExit for what stays wrong, as a dead token does."""
    told = error["extensions"]
    if told["code"] not in PASSING and not told.get("retryable"):
        raise SystemExit(f"{told['code']}: {error['message']}")
    return float(told.get("retryAfter", 1))


def answers(query: str, **variables: Any) -> Iterator[Any]:
    """The one field of each answer. After a cut line, updates go on where they were."""
    while True:
        pause, why = 1.0, "The line was cut."
        try:
            with http.stream("POST", URL, json={"query": query, "variables": variables}) as answer:
                for line in answer.iter_lines():
                    if line == "event: complete":
                        return
                    if line.startswith(("data: {", "{")):  # an event, or what is told in place of events
                        told = json.loads(line.removeprefix("data: "))
                        if "errors" in told:
                            pause, why = pause_after(told["errors"][0]), told["errors"][0]["message"]
                            break
                        (field,) = told["data"].values()
                        if "after" in variables:
                            variables["after"] = field["version"]
                        yield field
        except (httpx.TransportError, ValueError) as error:
            why = f"{error}."
        print(f"{why} Trying again.", file=sys.stderr)
        time.sleep(pause)


def ask(query: str, **variables: Any) -> Any:
    """The answer to a query or mutation; what was refused has a code."""
    (answer,) = answers(query, **variables)
    return answer


def typed(prompt: str, read: Callable[[str], Any]) -> list[Any]:
    """What the words mean that are typed in."""
    while True:
        try:
            return [read(word) for word in input(prompt).split()]
        except (KeyError, ValueError):
            print("That is none of these.")


def chosen(table: Json) -> Json:
    """The move whose number is typed in."""
    moves = {str(number): move for number, move in enumerate(table["legalMoves"], 1)}
    for number, move in moves.items():
        name = "" if move["seat"] is None else table["seats"][move["seat"]]["name"] + ": "
        print(f"{number:>3}. {name}{move['label']}")
    return (typed("> ", moves.__getitem__) or [chosen(table)])[0]


def fill(move: Json) -> None:
    """Set the fields of a move to what is typed in; an empty answer leaves what stands there."""
    for field in move["fields"]:
        place, (*outer, last) = move["input"], field["path"].split(".")
        for step in outer:
            place = place[step]
        known = {json.dumps(one).strip('"'): one for one in field["choices"] or ()}
        read = known.__getitem__ if known else int if field["type"] == "Int" else str
        limits = ", ".join(known) or f"{field['min']} to {field['max']}"
        if values := typed(f"{field['description']} ({limits}) [{place[last]}] ", read):
            place[last] = values if field["list"] else values[0]


def main() -> None:
    """Open a table and play at it until it is over."""
    http.headers["Authorization"] = f"Bearer {ask(SIGN_IN)['token']}"
    games = {game["id"]: game for game in ask(GAMES)}
    if GAME not in games:
        raise SystemExit(f"There is no game {GAME}; there are {', '.join(games)}.")
    seats = games[GAME]["minSeats"]
    others = [f"Player {number}" for number in range(2, seats + 1)]
    opened = ask(OPEN, input={"game": {games[GAME]["input"]: {}}, "seats": seats, "localSeats": others})
    if "code" in opened:
        raise SystemExit(f"{opened['code']}: {opened['message']}")
    id = opened["table"]["id"]
    for update in answers(FOLLOW, table=id, after=0):  # until the table is over
        print(*(f"  {event['text']}" for event in update["events"]), sep="\n", flush=True)
        table = update["table"]
        while table and table["legalMoves"]:
            fill(move := chosen(table))
            played = {"tableId": id, "seat": move["seat"], "move": move["input"]}
            answer = ask(PLAY, input={**played, "idempotencyKey": str(uuid4())})
            if "code" in answer:
                print(f"{answer['code']}: {answer['message']}")
            table = answer.get("table")  # if it was refused; otherwise the next update has it


if __name__ == "__main__":
    with suppress(EOFError, KeyboardInterrupt):  # Ctrl-D and Ctrl-C
        main()
