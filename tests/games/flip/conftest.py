"""The tests of FLIP share a second implementation and a way to write positions down."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
