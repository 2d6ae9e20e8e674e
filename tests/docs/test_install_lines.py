"""What docs/clients.md says to install is what the tests use, and fits together."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
from nodekit import INTEROP, NODE_MODULES, node, package

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "clients.md").read_text(encoding="utf-8")
PACKAGE: dict[str, Any] = json.loads((INTEROP / "package.json").read_text(encoding="utf-8"))
TESTED: dict[str, str] = PACKAGE["dependencies"] | PACKAGE["devDependencies"]
SECTIONS = {part.splitlines()[0]: part for part in re.split(r"^##+ ", PAGE, flags=re.MULTILINE)[1:]}
"""What the page says, by heading."""

_ALIASES = {"typescript": "typescript-7"}
"""What is beside something else of its name in tests/interop."""


def lines(section: str) -> list[list[str]]:
    """The packages of each line with which npm installs something."""
    found = re.findall(r"^\$ npm install (.*)$", section, re.MULTILINE)
    return [[word for word in shlex.split(line) if word != "--save-dev"] for line in found]


def installed(wanted: str) -> str:
    """The name in tests/interop of what a line calls ``name@major``."""
    name, _, version = wanted.rpartition("@")
    alias = "npm:" in wanted
    if alias:
        name, _, target = wanted.partition("@")
        assert TESTED[name].startswith(target.rpartition("@")[0]), wanted
    else:
        name = _ALIASES.get(name, name)
    assert re.fullmatch(r"\d+", version), f"{wanted}: a major version"
    assert TESTED[name].rpartition("@")[2].rpartition("^")[2].split(".")[0] == version, wanted
    return name


def told(name: str) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads((package(name) / "package.json").read_text(encoding="utf-8"))
    return answer


@pytest.mark.parametrize("heading", [heading for heading, text in SECTIONS.items() if lines(text)])
def test_the_lines_install_what_the_tests_use_with_all_that_it_needs(heading: str) -> None:
    names = {installed(wanted) for line in lines(SECTIONS[heading]) for wanted in line}
    pairs = []
    for name in sorted(names):
        description = told(name)
        meta = description.get("peerDependenciesMeta", {})
        for peer, span in description.get("peerDependencies", {}).items():
            if meta.get(peer, {}).get("optional") or peer in PACKAGE["overrides"].get(name, {}):
                continue
            beside = _ALIASES.get(peer, peer) if _ALIASES.get(peer, peer) in names else peer
            assert beside in names, f"{name} needs {peer}"
            pairs.append([told(beside)["version"], span])
    program = """const { satisfies } = require('semver')
      const wrong = JSON.parse(process.argv[1]).filter(([version, span]) => !satisfies(version, span))
      console.log(JSON.stringify(wrong))"""
    command = [node(), "-e", program, json.dumps(pairs)]
    done = subprocess.run(command, cwd=NODE_MODULES, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == []


def imported(section: str) -> set[str]:
    """The packages whose modules the programs of a section import."""
    programs = "".join(re.findall(r"^```[jt]s\n(.*?)^```", section, re.MULTILINE | re.DOTALL))
    modules = re.findall(r"from '((?:@[\w-]+/)?[\w.-]+)[^']*'", programs)
    return {name for name in modules if name not in (".", "..")}


@pytest.mark.parametrize("heading", [heading for heading, text in SECTIONS.items() if imported(text)])
def test_what_a_program_imports_is_installed(heading: str) -> None:
    names = {installed(wanted) for line in lines(SECTIONS[heading]) for wanted in line}
    assert imported(SECTIONS[heading]) <= names


def test_gql_is_installed_with_what_the_tests_use() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (used,) = [one for one in project["optional-dependencies"]["dev"] if one.startswith("gql[")]
    pages = [PAGE, (ROOT / "README.md").read_text(encoding="utf-8")]
    extras = set(re.split(r"[\[\],]", used)[1:-1])
    for page in pages:
        (wanted,) = re.findall(r"pip install '(gql[^']*)'", page)
        name, _, version = wanted.partition("]")
        assert set(name.removeprefix("gql[").split(",")) <= extras
        assert version in ("", used.partition("]")[2])


@pytest.mark.parametrize("tool", ["graphql-codegen", "gql.tada", "relay-compiler"])
def test_the_commands_are_ones_that_come_along(tool: str) -> None:
    assert re.search(rf"`npx {re.escape(tool)}[ `]", PAGE)
    assert (NODE_MODULES / ".bin" / tool).exists()
