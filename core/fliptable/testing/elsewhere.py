"""The same in another process, where sets of words lie in another order: what a worker's neighbour gets."""

from __future__ import annotations

import importlib
import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any

from fliptable.testing.broken import SAME, Broken
from fliptable.testing.differences import difference
from fliptable.testing.trials import Trial, fail

_PROGRAM = "from fliptable.testing.elsewhere import answer; answer()"

_UNKNOWN = 3
"""How the process ends that cannot import the plugin."""

Job = tuple[Trial, Sequence[Any]]


def differing(jobs: Sequence[Job]) -> tuple[int, int, Broken] | None:
    """Which job, after how many actions, comes to something else in a process with another hash seed.

    None when all are the same there, and where the plugin cannot be brought there, since its classes are
    made inside of a function or in a module that only the tests can import.
    """
    try:
        sent = pickle.dumps(list(jobs))
    except (pickle.PicklingError, AttributeError, TypeError):
        return None
    head = pickle.dumps((sys.path, _files(jobs)))
    seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    child = subprocess.run(
        [sys.executable, "-c", _PROGRAM],
        input=len(head).to_bytes(8, "big") + head + sent,
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        check=False,
    )
    if child.returncode == _UNKNOWN:
        return None
    if child.returncode:
        raise AssertionError(f"the same in another process: it has failed:\n{child.stderr.decode()}")
    theirs: list[list[Any]] = pickle.loads(child.stdout)
    for number, ((trial, actions), there) in enumerate(zip(jobs, theirs, strict=True)):
        for step, (one, other) in enumerate(zip(trial.record(actions), there, strict=False)):
            changed = difference(one, other, "what comes of the actions", "here and there")
            if changed is not None:
                return number, step, Broken(SAME, f"{_WHY}: {changed}")
    return None


_WHY = (
    "the same actions lead to something else in another process, where sets of words and of cards have "
    "another order; what goes over a set has to sort it"
)


def hold_elsewhere(jobs: Sequence[Job], most: int) -> None:
    """See that the actions lead to the same in another process, ``most`` of them in all.

    Errors: LawFailure.
    """
    __tracebackhide__ = True
    each = max(1, most // max(1, len(jobs)))
    some = [(trial, actions[:each]) for trial, actions in jobs]
    found = differing(some)
    if found is not None:
        number, step, broken = found
        trial, actions = some[number]
        fail(trial, actions[:step], broken)


def _files(jobs: Sequence[Job]) -> dict[str, str]:
    """Where the modules of the plugins are, which may be tests that cannot be imported by name."""
    modules = {
        type(value).__module__ for trial, _ in jobs for value in (trial.part, *trial.arguments(SAME).values())
    }
    files = {name: getattr(sys.modules.get(name), "__file__", None) for name in modules}
    return {name: file for name, file in files.items() if file}


def answer() -> None:
    """Be the other process: read jobs from the standard input, and write what comes of them."""
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # A plugin may print.
    path, files = pickle.loads(source.read(int.from_bytes(source.read(8), "big")))
    sys.path[:] = path
    try:
        for name, file in files.items():
            _load(name, file)
        jobs: list[Job] = pickle.loads(source.read())
    except (AttributeError, ImportError):
        sys.exit(_UNKNOWN)
    sink.write(pickle.dumps([list(trial.record(actions)) for trial, actions in jobs]))


def _load(name: str, file: str) -> None:
    try:
        importlib.import_module(name)
    except ImportError:
        spec = spec_from_file_location(name, file)
        if spec is not None and spec.loader is not None:
            module = module_from_spec(spec)
            sys.modules[name] = module
            spec.loader.exec_module(module)
