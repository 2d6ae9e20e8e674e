"""Run the benchmarks that are named, or the standard ones."""

from __future__ import annotations

import importlib
import sys

STANDARD = ("engine", "moves", "memory", "restart")


def main() -> None:
    """Each benchmark is a module of this package with a ``main`` function."""
    for name in sys.argv[1:] or STANDARD:
        print(f"== {name}", flush=True)
        importlib.import_module(f"bench.{name}").main()


main()
