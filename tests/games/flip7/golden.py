"""Writes the golden playthroughs anew: ``python -m tests.games.flip7.golden``. Read the difference."""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    from flip7_golden import write_all

    write_all()
