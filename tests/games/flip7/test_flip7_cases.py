"""Single positions by the rule sheet. A case is a table in a file of ``cases``; see its README.md."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from flip7_script import play_case

FOLDER = Path(__file__).parent / "cases"
CASES = [
    (case, rules)
    for path in sorted(FOLDER.glob("*.toml"))
    for case in tomllib.loads(path.read_text(encoding="utf-8"))["case"]
    for rules in case.get("rules", ["OFFICIAL"])
]
KNOWN = {
    "name", "cites", "rules", "seats", "dealer", "lines", "turn", "deck", "discard", "draw_only",
    "reshuffles", "moves", "then",
}  # fmt: skip


def title(param):
    case, rules = param
    return f"{'+'.join(case['cites'])} {rules}: {case['name']}"


@pytest.mark.parametrize("param", CASES, ids=title)
def test_case(param):
    case, rules = param
    assert set(case) <= KNOWN
    play_case(case, rules)


def cited(rules: str | None = None) -> set[str]:
    return {line for case, played in CASES for line in case["cites"] if rules in (None, played)}


def test_names_of_cases_are_unique():
    names = [title(param) for param in CASES]
    assert len(set(names)) == len(names)


def test_every_line_of_the_sheet_has_a_case_or_a_test_that_names_it():
    named = {line.upper() for line in map(_line_of, _test_names()) if line}
    assert {f"F{number}" for number in range(1, 31)} <= cited() | named


def test_lines_that_differ_have_cases_in_both_rule_sets():
    differing = {"F2", "F8", "F11", "F14", "F18"}
    assert differing <= cited("OFFICIAL")
    assert differing <= cited("HOSTED")


def _test_names() -> list[str]:
    here = Path(__file__).parent
    files = [*here.glob("test_*.py"), *(here.parents[1] / "modes").glob("test_match*.py")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in files)
    return [
        line.split("(")[0].removeprefix("def ") for line in text.splitlines() if line.startswith("def test_")
    ]


def _line_of(name: str) -> str:
    words = name.split("_")
    return next((word for word in words if word[:1] == "f" and word[1:].isdigit()), "")
