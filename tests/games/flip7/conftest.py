"""The tests of Flip 7 share a way to write positions down, the laws of the sheet, and playthroughs.

They also use the benchmarks' ways to play, which lie at the top of the project.
"""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[3])]
