"""The distributions in examples/ install, pass their own tests and play, as a stranger's plugin would."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from clikit import Cli

from fliptable.plugins import load_plugins
from fliptable_api.cli.local import memory_server
from fliptable_api.settings import Settings

EXAMPLES = Path(__file__).parents[2] / "examples"
PYRIGHT = Path(__file__).parents[1] / "interop" / "node_modules" / "pyright" / "index.js"
NAMES = sorted(folder.name for folder in EXAMPLES.iterdir() if (folder / "pyproject.toml").exists())


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pip has installed them."""
    target = tmp_path_factory.mktemp("installed")
    sources = tmp_path_factory.mktemp("sources") / "all"
    shutil.copytree(EXAMPLES, sources)
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index"]
    options = ["--no-deps", "--no-build-isolation", "--no-compile", "--target", str(target)]
    folders = [str(sources / name) for name in NAMES]
    subprocess.run([*command, *options, *folders], check=True, timeout=110)
    return target


def succeeds(command: list[str], target: Path, cwd: Path) -> str:
    environment = {**os.environ, "PYTHONPATH": str(target), "MYPYPATH": str(target)}
    done = subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=110, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("name", NAMES)
def test_its_own_tests_pass(name: str, target: Path, tmp_path: Path) -> None:
    shutil.copytree(EXAMPLES / name / "tests", tmp_path / "tests")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"]
    assert " passed" in succeeds(command, target, tmp_path)


@pytest.mark.parametrize("name", NAMES)
def test_it_is_small(name: str) -> None:
    lines = [len(path.read_text().splitlines()) for path in (EXAMPLES / name).rglob("*.py")]
    assert sum(lines) < 250


@pytest.mark.parametrize("name", NAMES)
def test_type_checkers_are_content(name: str, target: Path, tmp_path: Path) -> None:
    shutil.copytree(EXAMPLES / name, tmp_path / "source")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / ".mypy_cache")]
    succeeds([*command, "source/tests"], target, tmp_path)
    node = shutil.which("node")
    if node is None or not PYRIGHT.exists():
        assert not os.environ.get("CI"), "Node.js or pyright is missing: run `npm ci` in tests/interop"
        return
    checked = succeeds([node, str(PYRIGHT), "--pythonpath", sys.executable, "source"], target, tmp_path)
    assert "0 errors" in checked


@pytest.fixture
def address(target: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.syspath_prepend(str(target))
    with memory_server(Settings(memory=True), load_plugins()) as address:
        yield address


def test_snatch_plays_in_the_terminal(address: str, tmp_path: Path) -> None:
    cli = Cli(tmp_path, address)
    played = cli("play", "snatch", "--auto", "--seed", "4", "--seats", "2", "--local", "Bob")
    assert played.exit_code == 0, played.output
    assert "takes the trick." in played.output and "The table is over" in played.output
    assert cli("verify", played.output.split("Table ")[1].split(",")[0]).exit_code == 0
