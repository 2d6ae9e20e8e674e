"""The example frontends play every game, knowing none of them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from nodekit import node, package

from fliptable_api.cli.local import memory_server

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"

GAMES = ["call-it", "flip", "flip7", "scoreboard"]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with memory_server() as address:
        yield f"{address}/graphql"


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The TypeScript frontend as JavaScript, after the strict checks of its own configuration."""
    target = tmp_path_factory.mktemp("frontend")
    run(
        node(),
        str(package("typescript-7") / "bin" / "tsc"),
        "--project",
        str(EXAMPLES / "frontend-typescript"),
        "--typeRoots",
        str(package("@types")),
        "--outDir",
        str(target),
    )
    (target / "package.json").write_text('{"type": "module"}')
    return target / "play.js"


def run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def played(output: str) -> None:
    *events, end = output.splitlines()
    assert len(events) > 5 and all(line.startswith("  ") for line in events), output
    assert end in ("PLAYING", "OVER")


@pytest.mark.parametrize("game", GAMES)
def test_the_python_frontend_plays(url: str, game: str) -> None:
    program = EXAMPLES / "frontend-python" / "play.py"
    played(run(sys.executable, str(program), url, "--game", game, "--auto", "--moves", "15"))


@pytest.mark.parametrize("game", GAMES)
def test_the_typescript_frontend_plays(url: str, compiled: Path, game: str) -> None:
    played(run(node(), str(compiled), url, game, "--auto", "--moves=15"))


@pytest.mark.parametrize("name", ["frontend-python/play.py", "frontend-typescript/play.ts"])
def test_they_stay_short(name: str) -> None:
    assert len((EXAMPLES / name).read_text(encoding="utf-8").splitlines()) <= 130
