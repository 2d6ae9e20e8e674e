"""A new plugin in an environment of its own, made by the lines of its README as they stand there."""

from __future__ import annotations

import re
import subprocess
import sysconfig
import venv
from os import environ
from pathlib import Path

import pytest

from fliptable_api.cli.new_plugin import contents

ROOT = Path(__file__).parents[2]
OWN = re.compile(r"_?_?(editable|fliptable).*", re.IGNORECASE)


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    folder = tmp_path / "fliptable-best-of"
    for path, text in contents("best-of", "mode").items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def index(tmp_path: Path) -> Path:
    """All that this environment has, but Fliptable: what a package index would give."""
    folder = tmp_path / "index"
    folder.mkdir()
    for path in Path(sysconfig.get_path("purelib")).iterdir():
        if not OWN.fullmatch(path.name) and path.suffix != ".pth":
            (folder / path.name).symlink_to(path)
    return folder


def blocks(text: str) -> list[str]:
    return re.findall(r"^```console\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def test_the_lines_of_the_readme_work(plugin: Path, index: Path) -> None:
    try_it, own = blocks((plugin / "README.md").read_text(encoding="utf-8"))
    assert own in blocks((ROOT / "docs" / "rules.md").read_text(encoding="utf-8"))
    make, activate, *install = [line.removeprefix("$ ") for line in own.splitlines()]
    again, test, find, _ = [line.removeprefix("$ ") for line in try_it.splitlines()]
    assert make == "python3 -m venv .venv" and again == install[-1]
    assert test == "pytest"
    # The tests need no network, so its packages lie in a folder that the new environment looks into. The
    # programs of such packages are not in there.
    venv.create(plugin / ".venv", with_pip=True)
    (library,) = (plugin / ".venv" / "lib").glob("python*/site-packages")
    (library / "index.pth").write_text(f"{index}\n")
    # An editable build would fetch one package more.
    lines = [line.replace("path/to/fliptable", str(ROOT)).replace("--editable ", "") for line in install]
    isolated = {"PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    kept = {name: value for name, value in environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    script = "\n".join(["set -e", activate, *lines, "python -m pytest", find])
    done = subprocess.run(
        ["sh", "-c", script],
        cwd=plugin,
        env={**kept, **isolated},
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout
    assert re.search(r"^best-of +fliptable-best-of 0\.1\.0 +mode best-of$", done.stdout, re.MULTILINE)
    assert str(ROOT) not in done.stdout.partition(" passed")[2]
