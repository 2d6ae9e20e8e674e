"""The tests of the built-in plugins are such as a rule writer could have: by the kit, for every rule.

The rule sheets number their lines. A test says in its name, and a case in ``cites``, which ones it is about:
``test_c2_…``, ``test_r1_r6_…``, ``test_y10_and_y11_…``. A range, ``test_y1_to_y13_…``, names none of them.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
PLUGINS = [
    path for name in ("games", "modes", "constraints") for path in sorted((TESTS / name).rglob("*.py"))
]

RULES = {"C": 8, "M": 9, "R": 7, "Y": 13, "F": 30}
"""How many lines the sheets have: of Call It, its modes and races, of FLIP, and of Flip 7."""

ALLOWED = re.compile(
    r"fliptable$|fliptable\.testing$|fliptable_(games|modes|constraints)(\.[a-z]\w*)*$"
    r"|tests\.(games|modes|constraints)\.|bench\."  # helpers beside the tests; the benchmark's known means
)
"""What of the project the tests of plugins may import."""


def imported(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Every module that is imported, and the name that is taken from it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", alias.name) for alias in node.names)


@pytest.mark.parametrize("path", PLUGINS, ids=lambda path: str(path.relative_to(TESTS)))
def test_the_tests_of_plugins_use_the_kit_and_no_private_names(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for module, name in imported(tree):
        if module.startswith(("fliptable", "tests", "bench")):
            assert ALLOWED.match(module), f"{module} is not for plugins' tests"
        assert not name.startswith("_"), f"{name} of {module} is private"
    private = [
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and re.match(r"_[a-z]", node.attr)
        and not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"))
    ]
    assert private == []


def named(name: str) -> Iterator[str]:
    """The lines that the name of a test says it is about."""
    words = name.removeprefix("test_").split("_")
    for place, word in enumerate(words):
        if re.fullmatch(r"[cmryf]\d+", word):
            if "to" not in (words[place - 1 : place] + words[place + 1 : place + 2]):
                yield word.upper()
        elif word not in ("and", "to"):
            return


@pytest.fixture(scope="module")
def covered() -> set[str]:
    """All lines that a test or a case is about."""
    found: set[str] = set()
    for path in TESTS.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                found.update(named(node.name))
    for path in (TESTS / "games").rglob("cases/*.toml"):
        for case in tomllib.loads(path.read_text(encoding="utf-8"))["case"]:
            found.update(case["cites"])
    return found


@pytest.mark.parametrize(
    "line", [f"{sheet}{number + 1}" for sheet, lines in RULES.items() for number in range(lines)]
)
def test_every_line_of_the_rule_sheets_has_a_test(covered: set[str], line: str) -> None:
    assert line in covered


def test_the_names_of_tests_are_read_as_they_are_meant() -> None:
    assert list(named("test_r1_r6_a_seat")) == ["R1", "R6"]
    assert list(named("test_y10_and_y11_the_board")) == ["Y10", "Y11"]
    assert list(named("test_y1_to_y13_after_every_step")) == []
    assert list(named("test_a_c2_thing")) == []
