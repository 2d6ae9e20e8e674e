"""`fliptable new-plugin` makes a distribution that installs, keeps the laws and passes the type checkers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from pyrightkit import check_strictly

from fliptable_api.cli import main

KINDS = ("game", "mode", "constraint")
NAMES = [f"my-very-own-{kind}" for kind in KINDS]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    for kind, name in zip(KINDS, NAMES, strict=True):
        told = CliRunner().invoke(main, ["new-plugin", name, f"--{kind}", "--folder", str(folder)])
        assert told.exit_code == 0, told.output
    return folder


@pytest.fixture(scope="module")
def installed(made: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which the new distributions are installed, as pip does it."""
    target = tmp_path_factory.mktemp("installed")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index"]
    options = ["--no-deps", "--no-build-isolation", "--no-compile", "--target", str(target)]
    subprocess.run([*command, *options, *map(str, sorted(made.iterdir()))], check=True, timeout=110)
    return {**os.environ, "PYTHONPATH": str(target), "MYPYPATH": str(target)}


def succeeds(command: list[str], cwd: Path, environment: dict[str, str]) -> str:
    done = subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=110, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_their_own_tests_pass(made: Path, installed: dict[str, str]) -> None:
    folders = [f"fliptable-{name}/tests" for name in NAMES]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *folders]
    assert " passed" in succeeds(command, made, installed)


def test_a_server_finds_them(made: Path, installed: dict[str, str]) -> None:
    command = [sys.executable, "-m", "fliptable_api", "plugins", "--json"]
    plugins = json.loads(succeeds(command, made, installed))["plugins"]
    brought = {one["distribution"]: one["brings"] for one in plugins}
    for kind, name in zip(KINDS, NAMES, strict=True):
        assert brought[f"fliptable-{name}"] == [f"{kind} {name}"]


def test_mypy_is_content_with_them(made: Path, installed: dict[str, str]) -> None:
    folders = [str(made / f"fliptable-{name}" / "tests") for name in NAMES]
    modules = [str(made / f"fliptable-{name}" / f"fliptable_{name.replace('-', '_')}") for name in NAMES]
    cache = ["--cache-dir", str(made / ".mypy_cache")]
    command = [sys.executable, "-m", "mypy", "--strict", *cache, *folders]
    assert "no issues found in 3" in succeeds(command, made, installed)
    succeeds(
        [sys.executable, "-m", "mypy", "--strict", *cache, *modules], made, {**installed, "MYPYPATH": ""}
    )


def test_pyright_is_content_with_them(made: Path, installed: dict[str, str]) -> None:
    check_strictly(made, Path(installed["PYTHONPATH"]))


def test_ruff_is_content_with_them(made: Path, installed: dict[str, str]) -> None:
    for name in NAMES:
        command = [sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", "."]
        succeeds(command, made / f"fliptable-{name}", installed)


def test_nothing_is_written_over(made: Path) -> None:
    told = CliRunner().invoke(main, ["new-plugin", NAMES[0], "--folder", str(made)])
    assert told.exit_code == 1 and "is there already" in told.output


@pytest.mark.parametrize("name", ["High-Card", "high_card", "7up", "-", "table", "class"])
def test_a_name_that_will_not_do_is_refused(name: str, tmp_path: Path) -> None:
    told = CliRunner().invoke(main, ["new-plugin", "--folder", str(tmp_path), "--", name])
    assert told.exit_code == 2 and not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["call-it", "flip7", "classic", "no-ace"])
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_built_in_is_not_made_again(tmp_path: Path, name: str, kind: str) -> None:
    told = CliRunner().invoke(main, ["new-plugin", name, f"--{kind}", "--folder", str(tmp_path)])
    assert told.exit_code == 2
    assert f"'{name}' is built in already" in told.output
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", NAMES)
def test_nor_is_what_is_installed(tmp_path: Path, installed: dict[str, str], name: str) -> None:
    told = subprocess.run(
        [sys.executable, "-m", "fliptable_api", "new-plugin", name, "--folder", str(tmp_path)],
        env=installed,
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )
    assert told.returncode == 2, told.stdout
    assert f"an installed plugin is called '{name}' already" in " ".join(told.stderr.split())
    assert not list(tmp_path.iterdir())
