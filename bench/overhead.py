"""Moves per second over HTTP of the server as it is, against the same server without what guards requests.

In one run and turn about, since only then both have the same machine; where it is busy with other things,
the processor time of a move says more.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any

import psutil
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from bench.moves import SECONDS, fliptable, free_port, serving
from fliptable.mongo import initiate_replica_set
from fliptable_api import http, limits, ratelimits
from fliptable_api import serving as server
from fliptable_api.embedded import EmbeddedMongo
from fliptable_api.guard import DocumentCache
from fliptable_api.logs import set_up_logging
from fliptable_api.origins import Origins
from fliptable_api.settings import from_environment

RUNS = 6
PROGRAMS = {"guarded": ("fliptable_api", "serve", "--port"), "unguarded": ("bench.overhead",)}
LIMITS = """MAX_TOKENS MAX_DEPTH MAX_FIELDS MAX_ALIASES MAX_MUTATIONS MAX_COST MAX_BODY RATE_PER_PLAYER
RATE_PER_ADDRESS CONNECTIONS_PER_PLAYER CONNECTIONS_PER_ADDRESS"""
OFF = {f"FLIPTABLE_{name}": str(10**9) for name in LIMITS.split()}


def unguarded(port: int) -> None:
    """Serve with the limits of :data:`OFF`, and without the code that would look at them."""
    off: Any = {
        (limits, "check"): lambda document, allowed: (),
        (DocumentCache, "cost"): lambda *asked: 0,
        (ratelimits.RateLimit, "take"): lambda self, key: None,
        (Origins, "allows"): lambda self, origin, host: True,
        (http, "limited"): lambda scope, receive, most: receive,
        (http, "patient"): lambda send: send,
    }
    for (owner, name), nothing in off.items():
        assert hasattr(owner, name), name
        setattr(owner, name, nothing)
    # With uvicorn's own protocol there is no end to heads, waits and numbers of connections.
    server.partial = lambda ours, **_: HttpToolsProtocol  # type: ignore[assignment]
    set_up_logging()
    server.run(from_environment(), "127.0.0.1", port, 1)


def tell(what: str, guarded: list[float], unguarded: list[float]) -> None:
    """Print both, and their ratio with its spread over the pairs of runs."""
    for name, found in (("guarded", guarded), ("unguarded", unguarded)):
        print(f"{name}: {median(found):,.2f} {what}, of", *(f"{one:,.2f}" for one in found))
    pairs = [one / other for one, other in zip(guarded, unguarded, strict=True)]
    print(f"ratio of {what}: {median(pairs):.2f} ({min(pairs):.2f} to {max(pairs):.2f})")


async def measure() -> None:
    """One mongod, both servers; print what a run of each has done, and what it took."""
    rates, spent = ({"guarded": list[float](), "unguarded": list[float]()} for _ in range(2))
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        async with EmbeddedMongo(Path(folder), initiate=initiate_replica_set) as mongo:
            url = {"FLIPTABLE_MONGO_URL": mongo.url, "FLIPTABLE_SHARED_STORE": "false"}
            ports = {name: free_port() for name in rates}
            servers = {}
            for name, port in ports.items():
                program, given = PROGRAMS[name], url | (OFF if name == "unguarded" else {})
                command = [sys.executable, "-m", *program, str(port)]
                servers[name] = psutil.Process(stack.enter_context(serving(command, port, **given)))
            for run in range(RUNS):
                # Whoever is second finds a larger database, so they take turns at that, too.
                for name in sorted(rates, reverse=bool(run % 2)):
                    before = sum(servers[name].cpu_times()[:2])
                    rates[name].append(await fliptable(ports[name]))
                    took = sum(servers[name].cpu_times()[:2]) - before
                    spent[name].append(took * 1e3 / (rates[name][-1] * SECONDS))
            stack.close()
    tell("moves/s", **rates)
    tell("ms of the processor for a move", **spent)
    print("asked is a ratio of at least 0.9 of moves/s")


def main() -> None:
    """Print rates and ratio."""
    asyncio.run(measure())


if __name__ == "__main__":
    unguarded(int(sys.argv[1]))
