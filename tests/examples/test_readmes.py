"""What the READMEs of the example frontends have one type, from nothing to a move."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from nodekit import NODE_MODULES, node, package

from fliptable_api.cli.local import memory_server

EXAMPLES = Path(__file__).parents[2] / "examples"
FRONTENDS = ["frontend-python", "frontend-typescript"]
ADDRESS = "http://localhost:8000/graphql"


def commands(frontend: str) -> list[list[str]]:
    """The lines that the README has one type."""
    text = (EXAMPLES / frontend / "README.md").read_text(encoding="utf-8")
    return [shlex.split(line) for line in re.findall(r"^\$ (.*)$", text, re.MULTILINE)]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with memory_server() as address:
        yield f"{address}/graphql"


@pytest.fixture
def folder(request: pytest.FixtureRequest, address: str, tmp_path: Path) -> Path:
    """A copy of a frontend, at this server in place of that of `make serve`, with what it installs."""
    target = tmp_path / "frontend"
    shutil.copytree(
        EXAMPLES / request.param, target, ignore=shutil.ignore_patterns("node_modules", ".venv", "play.js")
    )
    for program in target.glob("play.*"):
        text = program.read_text(encoding="utf-8")
        assert ADDRESS in text
        program.write_text(text.replace(ADDRESS, address), encoding="utf-8")
    if (target / "package.json").exists():
        (target / "node_modules" / ".bin").mkdir(parents=True)
        (target / "node_modules" / ".bin" / "tsc").symlink_to(package("typescript-7") / "bin" / "tsc")
        (target / "node_modules" / "@types").symlink_to(package("@types"))
        (target / "node_modules" / "undici-types").symlink_to(package("undici-types"))
    return target


@pytest.mark.parametrize("folder", FRONTENDS, indirect=True)
def test_it_plays(request: pytest.FixtureRequest, folder: Path, address: str) -> None:
    serve, change, *lines = commands(request.node.callspec.params["folder"])
    assert serve == ["make", "serve"]
    assert change == ["cd", f"examples/{request.node.callspec.params['folder']}"]
    path = os.pathsep.join([str(Path(sys.executable).parent), str(Path(node()).parent), os.environ["PATH"]])
    played = 0
    for line in lines:
        if line[0] == "npm" and line[1] == "run":
            assert shutil.which("npm", path=path), "npm is missing; it comes with Node.js"
        elif line[0] == ".venv/bin/python":
            line = [sys.executable, *line[1:]]
        else:
            continue
        words = [address if word == ADDRESS else word for word in line]
        done = subprocess.run(
            words,
            cwd=folder,
            env={**os.environ, "PATH": path},
            input="1\n",
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )
        told = done.stdout + done.stderr
        assert done.returncode == 0 and re.search(r"^ *1\. .*\n(.*\n)*> ", done.stdout, re.MULTILINE), told
        played += 1
    assert played == 2


def test_npm_ci_finds_what_is_asked_for_and_no_address() -> None:
    assert ["npm", "ci"] in commands("frontend-typescript")
    frontend = EXAMPLES / "frontend-typescript"
    wanted = json.loads((frontend / "package.json").read_text(encoding="utf-8"))
    text = (frontend / "package-lock.json").read_text(encoding="utf-8")
    locked = json.loads(text)["packages"]
    assert locked[""]["devDependencies"] == wanted["devDependencies"]
    assert locked[""]["engines"] == wanted["engines"]
    assert "://" not in text and '"resolved"' not in text
    assert all("integrity" in one for name, one in locked.items() if name)
    # It is compiled by what the tests compile it by.
    for name, tested in (("typescript", "typescript-7"), ("@types/node", "@types/node")):
        version = json.loads((NODE_MODULES / tested / "package.json").read_text(encoding="utf-8"))["version"]
        assert locked[f"node_modules/{name}"]["version"] == version


def test_pip_installs_what_is_imported() -> None:
    (install,) = [line for line in commands("frontend-python") if line[0] == ".venv/bin/pip"]
    text = (EXAMPLES / "frontend-python" / "play.py").read_text(encoding="utf-8")
    imported = set(re.findall(r"^(?:from|import) (\w+)", text, re.MULTILINE))
    assert install[1:] == ["install", *sorted(imported - sys.stdlib_module_names)]


def test_what_running_leaves_is_not_for_git() -> None:
    ignored = (EXAMPLES.parent / ".gitignore").read_text(encoding="utf-8").split()
    assert {"/examples/frontend-typescript/play.js", "node_modules/", ".venv*/"} <= set(ignored)
