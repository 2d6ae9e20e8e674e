"""The server with time attacks of a few seconds: as many as ``BENCH_SECONDS`` says."""

from __future__ import annotations

import os
import sys
from datetime import timedelta

from fliptable_api.cli import main
from fliptable_modes import time_attack

time_attack.TIME = timedelta(seconds=float(os.environ["BENCH_SECONDS"]))

if __name__ == "__main__":
    main(sys.argv[1:])
