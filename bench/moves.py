"""Moves per second through HTTP with durable writes, against a bare resolver of the same shape."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bench.load import Connection, run
from fliptable.mongo import initiate_replica_set
from fliptable_api.embedded import EmbeddedMongo

CONNECTIONS = 32
SECONDS = 6.0
RUNS = 3
FLIPS = 51
QUERY = """mutation Play($input: PlayMoveInput!) { playMove(input: $input) { __typename
  ... on MovePlayed {
    update { version at events { __typename seat text ... on CallItFlipped { card { text } } } }
    table { id version status toAct legalMoves { name label } round { __typename number status
      ... on CallItRound { target hands { seat status flips cards { text }
        universes { sum readings status } cardsLeft } } } } }
  ... on Refusal { code message } } }"""


def free_port() -> int:
    """A port of the loopback that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def serving(command: list[str], port: int, **environment: str) -> Iterator[int]:
    """Run a server program until the end of the block, there once the port answers; its process number."""
    process = subprocess.Popen(command, env={**os.environ, **environment})
    try:
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield process.pid
    finally:
        process.terminate()
        process.wait()


def body(table: str, move: object) -> bytes:
    """The request that plays a move."""
    variables = {"input": {"tableId": table, "move": {"callIt": move}}}
    return json.dumps({"query": QUERY, "variables": variables}).encode()


async def prepared_tables(port: int, token: str, count: int) -> list[str]:
    """Open tables and call a target that no deck reaches, so that each has 51 flips that go on."""
    create = "mutation { createTable(input: {game: {callIt: {}}}) { ... on TableOpened { table { id } } } }"
    tables: list[str] = []

    async def some(number: int) -> None:
        connection = await Connection.open("127.0.0.1", port, token)
        for _ in range(number):
            answer = json.loads(await connection.post(json.dumps({"query": create}).encode()))
            table = answer["data"]["createTable"]["table"]["id"]
            await connection.post(body(table, {"call": {"target": 1000}}))
            tables.append(table)
        connection.close()

    await asyncio.gather(*[some(count // 16) for _ in range(16)])
    return tables


async def fliptable(port: int) -> float:
    """Flips per second of the server at a port."""
    guest = await Connection.open("127.0.0.1", port)
    sign_in = b'{"query": "mutation { signInAsGuest(input: {name: \\"Ann\\"}) { token } }"}'
    token = json.loads(await guest.post(sign_in))["data"]["signInAsGuest"]["token"]
    guest.close()
    tables = await prepared_tables(port, token, 16 * 32)
    left = dict.fromkeys(tables, FLIPS)
    current = [tables.pop() for _ in range(CONNECTIONS)]

    def next_body(index: int) -> bytes:
        if left[current[index]] == 0:
            current[index] = tables.pop()
        left[current[index]] -= 1
        return body(current[index], {"flip": True})

    connections = [await Connection.open("127.0.0.1", port, token) for _ in range(CONNECTIONS)]
    rate = await run(connections, next_body, SECONDS)
    for connection in connections:
        connection.close()
    return rate


async def bare(port: int) -> float:
    """Calls per second of the bare resolver at a port."""
    connections = [await Connection.open("127.0.0.1", port) for _ in range(CONNECTIONS)]
    request = body("tbl_x", {"flip": True})
    rate = await run(connections, lambda index: request, SECONDS)
    for connection in connections:
        connection.close()
    return rate


async def measure() -> None:
    """One mongod, both servers, turn about; print the best of each and the ratios."""
    rates: dict[str, list[float]] = {"fliptable": [], "bare": [], "bare with caches": []}
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        async with EmbeddedMongo(Path(folder), initiate=initiate_replica_set) as mongo:
            ports = [free_port() for _ in range(3)]
            url = {"FLIPTABLE_MONGO_URL": mongo.url, "FLIPTABLE_SHARED_STORE": "false"}
            serve = [sys.executable, "-m", "fliptable_api", "serve", "--port", str(ports[0])]
            stack.enter_context(serving(serve, ports[0], **url))
            uvicorn = [sys.executable, "-m", "uvicorn", "bench.bare:app", "--log-level", "warning", "--port"]
            stack.enter_context(serving([*uvicorn, str(ports[1])], ports[1], **url))
            stack.enter_context(serving([*uvicorn, str(ports[2])], ports[2], BENCH_CACHES="1", **url))
            for _ in range(RUNS):
                rates["fliptable"].append(await fliptable(ports[0]))
                rates["bare"].append(await bare(ports[1]))
                rates["bare with caches"].append(await bare(ports[2]))
            stack.close()
    ours = max(rates["fliptable"])
    for name, found in rates.items():
        print(f"{name}: {max(found):,.0f} moves/s (runs: {', '.join(f'{rate:,.0f}' for rate in found)})")
    for name in ("bare", "bare with caches"):
        print(f"fliptable against {name}: ratio {ours / max(rates[name]):.2f}")


def main() -> None:
    """Print the rates and ratios."""
    asyncio.run(measure())
