"""Pyright, as the interop tests install it, run on what a test has made."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nodekit import node, package


def pyright(*arguments: str, path: Sequence[Path] = ()) -> dict[str, Any]:
    """What it says, as JSON; ``path`` are folders where it finds packages before all others."""
    # Not every one of its commands takes an option for the interpreter; all ask the one on the path.
    here = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    environment = {**os.environ, "PATH": here, "PYTHONPATH": os.pathsep.join(map(str, path))}
    command = [node(), str(package("pyright") / "index.js"), "--outputjson", *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.stdout.startswith("{"), done.stdout + done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def check_strictly(folder: Path, installed: Path) -> None:
    """Hold everything in a folder to the strict mode. Errors: AssertionError lists what is wrong."""
    (folder / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}')
    told = pyright("--project", str(folder), path=[installed])
    assert told["summary"]["filesAnalyzed"] > 0
    assert complaints(told["generalDiagnostics"]) == []


def complaints(diagnostics: Sequence[dict[str, Any]]) -> list[str]:
    """Diagnostics in a line each: file, line, rule and message."""
    found = []
    for one in diagnostics:
        line = one.get("range", {}).get("start", {}).get("line", -1) + 1
        found.append(f"{Path(one.get('file', '')).name}:{line} {one.get('rule', '')}: {one['message']}")
    return found
