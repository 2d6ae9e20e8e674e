"""``fliptable serve --reload-plugins``: the server starts anew when the code of a plugin changes."""

from __future__ import annotations

import logging
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

from fliptable.hookspecs import PROJECT

logger = logging.getLogger("fliptable")

FLAG = "--reload-plugins"
PAUSE = 0.5
"""Seconds between two looks at the files."""
PATIENCE = 12.0
"""Seconds that a server has to stop by itself."""


def plugin_files() -> dict[Path, int]:
    """The source files of all plugins that are installed, each with the time of its last change."""
    found: dict[Path, int] = {}
    for point in entry_points(group=PROJECT):
        try:
            spec = find_spec(point.module)
        except (ImportError, SyntaxError):
            continue
        if spec is None or spec.origin is None:
            continue
        origin = Path(spec.origin)
        for path in origin.parent.rglob("*.py") if origin.name == "__init__.py" else [origin]:
            try:
                found[path] = path.stat().st_mtime_ns
            except FileNotFoundError:
                continue
    return found


def serve(arguments: Sequence[str]) -> int:
    """Run ``fliptable`` with these arguments, again after each change; the last exit code.

    A server that ends by itself, since a plugin is broken for example, is started with the next change.
    """
    # The signal goes to the server too, and the wait below ends when it has.
    stopped: list[int] = []
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _: stopped.append(number))
    command = [sys.executable, "-m", "fliptable_api", *[one for one in arguments if one != FLAG]]
    while True:
        files = plugin_files()
        server = subprocess.Popen(command)
        while not stopped and plugin_files() == files:
            time.sleep(PAUSE)
        ended = server.poll()
        if ended is None:
            server.terminate()
            try:
                ended = server.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                server.kill()
                ended = server.wait()
        if stopped:
            return ended
        changed = sorted(str(path) for path, _ in set(files.items()) ^ set(plugin_files().items()))
        logger.info("%s changed: the server starts anew", ", ".join(dict.fromkeys(changed)))
