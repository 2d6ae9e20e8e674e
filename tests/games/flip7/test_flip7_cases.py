"""Single positions by the rule sheet; see cases/README.md."""

from __future__ import annotations

from pathlib import Path

import pytest

from fliptable.testing import WrittenCase, read_cases
from tests.games.flip7.flip7_rounds import KEYS, Round, facts

CASES = read_cases(Path(__file__).parent / "cases", keys=KEYS, each={"rules": ["OFFICIAL"]})


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: WrittenCase) -> None:
    case.play(Round(case.entry, case["rules"]), facts)


def cited(rules: str) -> set[str]:
    return {line for case in CASES for line in case.cites if case["rules"] == rules}


def test_lines_that_differ_have_cases_in_both_rule_sets() -> None:
    differing = {"F2", "F8", "F11", "F14", "F18"}
    assert differing <= cited("OFFICIAL")
    assert differing <= cited("HOSTED")
