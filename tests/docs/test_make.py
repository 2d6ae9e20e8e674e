"""What `make` prepares is made anew where making it was interrupted."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# No package is needed to tell whether there is a pip; what is installed is another matter.
NO_PACKAGES = "PIP=true"


@pytest.fixture
def venv(tmp_path: Path) -> Iterator[Path]:
    """One without pip, as `python -m venv` leaves it when it is interrupted."""
    if shutil.which("make") is None:
        pytest.skip("there is no make")
    path = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", path], check=True)
    yield path


def prepare(venv: Path, what: str = "run", *more: str) -> subprocess.CompletedProcess[str]:
    command = ["make", f"VENV={venv}", f"PYTHON={sys.executable}", *(more or (NO_PACKAGES,))]
    # This process may be one of make's.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    return subprocess.run(
        [*command, str(venv / f".installed-{what}")],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def has_pip(venv: Path) -> bool:
    return subprocess.run([venv / "bin" / "python", "-m", "pip", "--version"], check=False).returncode == 0


def test_what_was_interrupted_is_made_anew_and_nothing_else(venv: Path) -> None:
    assert not has_pip(venv)
    made = prepare(venv)
    assert made.returncode == 0, made.stderr
    assert "creating" in made.stdout and has_pip(venv)
    # An installation that fails, as without a network, leaves what there was whole.
    assert prepare(venv, "dev", "PIP=false").returncode != 0
    again = prepare(venv, "dev")
    assert again.returncode == 0 and "creating" not in again.stdout
    # One that somebody else is at is left alone.
    marker = venv.with_name("venv.unfinished")
    marker.write_text(str(os.getpid()))
    assert "creating" not in prepare(venv).stdout
    marker.unlink(missing_ok=True)
    # One that is killed in the middle is not.
    assert prepare(venv, "docs", "PIP=kill -9 $$$$; true").returncode != 0
    anew = prepare(venv, "docs")
    assert anew.returncode == 0 and "creating" in anew.stdout and has_pip(venv)
    assert "creating" not in prepare(venv, "docs").stdout


def test_what_is_no_environment_is_not_cleared(tmp_path: Path) -> None:
    if shutil.which("make") is None:
        pytest.skip("there is no make")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter").write_text("x")
    assert prepare(tmp_path / "mine").returncode == 0
    assert (tmp_path / "mine" / "letter").read_text() == "x"


def test_no_target_is_taken_for_a_file_of_its_name() -> None:
    """There are folders called docs and bench, and a file may be called anything."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(r"^([a-z-]+):", text, re.MULTILINE)
    (phony,) = re.findall(r"^\.PHONY: (.*)$", text, re.MULTILINE)
    assert sorted(phony.split()) == sorted(targets)
