"""Play FLIP against the naive implementation of the tests, move by move, over many random games."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "games" / "flip"))

from test_flip_naive import SHAPES, agree


def main() -> None:
    """Print how the games ended; stop at the first disagreement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=5000, help="how many in all")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the first one")
    args, _ = parser.parse_known_args()
    ends: Counter[str] = Counter()
    moves, begin = 0, time.monotonic()
    for number in range(args.games):
        end, length = agree(number % len(SHAPES), args.seed + number)
        ends[end[0] if end[0] == "won" else end[1]] += 1
        moves += length
    took = time.monotonic() - begin
    print(f"{args.games:,} games of {moves:,} moves agree in every state and legal move ({took:.0f} s)")
    for name, count in ends.most_common():
        print(f"  {name}: {count:,}")


if __name__ == "__main__":
    main()
