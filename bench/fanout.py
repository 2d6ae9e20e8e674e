"""Subscribers of one table: from the acknowledged move until the last of them has it.

Against a plain Starlette WebSocket broadcast of the same bytes, and against the same server with a
subscription in which each subscriber's selection runs by itself. The processor time of the server,
which other programs disturb less, is given too.
"""

from __future__ import annotations

import json
import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from statistics import mean, median
from typing import Any

import psutil

from bench.load import Connection
from bench.moves import free_port, serving
from bench.sockets import Crowd, run

SUBSCRIBERS = 500
MOVES = 20
NAIVE_MOVES = 4
ROUNDS = 3
PROTOCOL = "graphql-transport-ws"

FOLLOW = """subscription Follow($table: ID!) { tableUpdates(tableId: $table) {
  version at events { __typename seat text ... on CallItFlipped { card { text } } }
  table { id version status toAct seats { name score connected } legalMoves { name label }
    round { __typename number status
      ... on CallItRound { target hands { seat status flips cards { text }
        universes { sum readings status } cardsLeft } } } } } }"""


@dataclass
class Times:
    """Of each move, in milliseconds: what went by until the last subscriber had it."""

    after_answer: list[float] = field(default_factory=list)
    after_request: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    def middles(self) -> list[float]:
        """The median of each; of processor time, which is counted coarsely, the mean."""
        return [median(self.after_answer), median(self.after_request), mean(self.processor)]


class Watch:
    """Takes the times of moves at a server."""

    def __init__(self, process: int, times: Times, crowd: Crowd) -> None:
        """``process`` is the server's number."""
        self._process = psutil.Process(process)
        self._times, self._crowd = times, crowd

    async def time(self, move: Any) -> None:
        """Make a move and wait until everybody has heard of it."""
        self._crowd.expect()
        before, asked = self._used(), time.perf_counter()
        await move()
        answered = time.perf_counter()
        last = await self._crowd.all()
        # Whoever has it last does not tell when it has gone by the others, so the end is waited for.
        self._times.after_answer.append((last - answered) * 1e3)
        self._times.after_request.append((last - asked) * 1e3)
        self._times.processor.append((self._used() - before) * 1e3)

    def _used(self) -> float:
        used = self._process.cpu_times()
        return float(used.user + used.system)


async def ask(port: int, token: str | None, query: str, **variables: Any) -> Any:
    """The data of one request."""
    connection = await Connection.open("127.0.0.1", port, token)
    answer = json.loads(await connection.post(json.dumps({"query": query, "variables": variables}).encode()))
    connection.close()
    assert "errors" not in answer, answer
    return answer["data"]


class Table:
    """A table of Call It and Flip on a server, with a target that is out of reach."""

    def __init__(self, id: str, mover: Connection) -> None:
        """``mover`` sends the moves."""
        self.id, self._mover = id, mover

    @classmethod
    async def open(cls, port: int) -> Table:
        """Open one and call 1000."""
        signed = await ask(port, None, 'mutation { signInAsGuest(input: {name: "Ann"}) { token } }')
        token = signed["signInAsGuest"]["token"]
        create = (
            "mutation { createTable(input: {game: {callIt: {}}}) { ... on TableOpened { table { id } } } }"
        )
        table = (await ask(port, token, create))["createTable"]["table"]["id"]
        one = cls(table, await Connection.open("127.0.0.1", port, token))
        await one.play("{call: {target: 1000}}")
        return one

    async def play(self, move: str = "{flip: true}") -> None:
        """Play a move; returns when it is acknowledged."""
        asked = f'{{tableId: "{self.id}", move: {{callIt: {move}}}}}'
        query = f"mutation {{ playMove(input: {asked}) {{ __typename }} }}"
        answer = await self._mover.post(json.dumps({"query": query}).encode())
        assert b"MovePlayed" in answer, answer

    def close(self) -> None:
        """Send no more."""
        self._mover.close()


async def followed(port: int, process: int, moves: int, times: Times) -> list[bytes]:
    """Let a crowd follow a table on a server; the messages of one of them."""
    table = await Table.open(port)
    crowd = await Crowd.open(port, SUBSCRIBERS, "/graphql", PROTOCOL)
    await crowd.subscribe(lambda _: {"query": FOLLOW, "variables": {"table": table.id}})
    watch = Watch(process, times, crowd)
    texts = []
    for _ in range(moves):
        await watch.time(table.play)
        texts.append(crowd.members[0].last)
    crowd.close()
    table.close()
    return texts


async def broadcast(port: int, process: int, texts: list[bytes], times: Times) -> None:
    """Let the plain broadcast send the same."""
    crowd = await Crowd.open(port, SUBSCRIBERS, "/ws")
    teller = await Connection.open("127.0.0.1", port, path="/tell")
    setter = await Connection.open("127.0.0.1", port, path="/set")
    watch = Watch(process, times, crowd)
    for text in texts:
        await setter.post(text)
        await watch.time(lambda: teller.post(b"{}"))
    crowd.close()
    teller.close()
    setter.close()


async def measure(ports: list[int], processes: list[int]) -> None:
    """Take turns, and print the medians and the ratios."""
    ours, plain, naive = Times(), Times(), Times()
    for number in range(ROUNDS):
        texts = await followed(ports[0], processes[0], MOVES, ours)
        await broadcast(ports[1], processes[1], texts, plain)
        if number == 0:
            await followed(ports[2], processes[2], NAIVE_MOVES, naive)
    size = len(texts[MOVES // 2])
    print(
        f"{SUBSCRIBERS} subscribers, messages of about {size} bytes; milliseconds until the last one has it"
    )
    named = (("fliptable", ours), ("plain broadcast", plain), ("selection by selection", naive))
    for name, times in named:
        answer, request, processor = times.middles()
        print(
            f"{name}: {answer:.1f} after the answer, {request:.1f} after the request, "
            f"{processor:.1f} of processor time"
        )
    for name, times in named[1:]:
        _, request, processor = (
            mine / theirs for mine, theirs in zip(ours.middles(), times.middles(), strict=True)
        )
        print(
            f"fliptable against {name}: ratio {request:.2f} after the request, {processor:.2f} of "
            f"processor time ({1 / request:.1f} times as fast)"
        )


def main() -> None:
    """Start the three servers and print the ratios."""
    ports = [free_port() for _ in range(3)]
    serve = ["serve", "--memory", "--port"]
    with ExitStack() as stack:
        commands = [
            ["fliptable_api", *serve, str(ports[0])],
            ["bench.broadcast", str(ports[1])],
            ["bench.naive", *serve, str(ports[2])],
        ]
        processes = [
            stack.enter_context(serving([sys.executable, "-m", *command], port))
            for command, port in zip(commands, ports, strict=True)
        ]
        run(measure(ports, processes))


if __name__ == "__main__":
    main()
