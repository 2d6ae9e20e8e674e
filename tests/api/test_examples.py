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
from pyrightkit import check_strictly

from fliptable.plugins import load_plugins
from fliptable_api.cli.local import memory_server
from fliptable_api.cli.new_plugin import contents
from fliptable_api.settings import Settings

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = sorted(folder.name for folder in EXAMPLES.iterdir() if (folder / "pyproject.toml").exists())
GENERATED = {"plugin-few-rounds": "mode", "plugin-a-pair": "constraint"}
"""Those of the tutorials are what `fliptable new-plugin` makes, whose tests and types are checked for it."""
OWN = [name for name in NAMES if name not in GENERATED]


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pip has installed them."""
    target = tmp_path_factory.mktemp("installed")
    sources = tmp_path_factory.mktemp("sources") / "all"
    for name in NAMES:
        shutil.copytree(EXAMPLES / name, sources / name)
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


def test_their_own_tests_pass(target: Path, tmp_path: Path) -> None:
    for name in OWN:
        shutil.copytree(EXAMPLES / name / "tests", tmp_path / name)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *OWN]
    assert " passed" in succeeds(command, target, tmp_path)


@pytest.mark.parametrize("name", NAMES)
def test_it_is_small(name: str) -> None:
    lines = [len(path.read_text().splitlines()) for path in (EXAMPLES / name).rglob("*.py")]
    assert sum(lines) < 250


def test_mypy_is_content(target: Path, tmp_path: Path) -> None:
    for name in OWN:
        shutil.copytree(EXAMPLES / name / "tests", tmp_path / name)
    # What is imported from MYPYPATH is checked along with the tests.
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / ".mypy_cache")]
    succeeds([*command, *OWN], target, tmp_path)


def test_pyright_is_content_in_its_strict_mode(target: Path, tmp_path: Path) -> None:
    for name in (*NAMES, "frontend-python"):
        shutil.copytree(EXAMPLES / name, tmp_path / name)
    shutil.copytree(EXAMPLES.parent / "docs" / "example-plugin", tmp_path / "example-plugin")
    check_strictly(tmp_path, target)


@pytest.mark.parametrize(("name", "kind"), GENERATED.items())
def test_the_examples_of_the_tutorials_are_what_new_plugin_makes(name: str, kind: str) -> None:
    for path, text in contents(name.removeprefix("plugin-"), kind).items():
        assert (EXAMPLES / name / path).read_text(encoding="utf-8") == text, path


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
