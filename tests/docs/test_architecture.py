"""The map of the modules in docs/architecture.md has all of them, and no others."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text()


def listed(package: str) -> list[list[str]]:
    """The modules and folders that each table about a package names."""
    tables = re.findall(rf"^\| of `{package}` \|.*\n\| --- .*\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    assert tables
    return [re.findall(r"`([a-z0-9_/]+)`", table) for table in tables]


@pytest.mark.parametrize("package", ["core/fliptable", "api/fliptable_api"])
def test_every_module_is_on_the_map_once(package: str) -> None:
    folder = ROOT / package
    modules = {path.stem for path in folder.glob("*.py") if not path.stem.startswith("__")}
    packages = {f"{path.parent.name}/" for path in folder.glob("*/__init__.py")}
    names = [name for table in listed(package) for name in table]
    assert sorted(names) == sorted(modules | packages), "docs/architecture.md maps the modules: add or drop"


def test_the_rules_side_on_the_map_is_the_one_that_is_kept_pure() -> None:
    linter = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    (pure,) = [one["source_modules"] for one in linter["contracts"] if one["id"] == "rules-pure"]
    assert sorted(pure) == sorted(f"fliptable.{name}" for name in listed("core/fliptable")[0])


def test_every_module_that_the_text_names_exists() -> None:
    text = re.sub(r"```.*?```|^\| of `.*?\n\n", "", PAGE, flags=re.DOTALL | re.MULTILINE)
    named = set(re.findall(r"`([a-z_]+)`", text))
    there = {path.stem for folder in ("core", "api") for path in (ROOT / folder).glob("*/*.py")}
    assert named <= there
