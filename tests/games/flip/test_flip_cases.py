"""What the rule sheet says of single positions; see cases/README.md."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fliptable.testing import RoundScript, WrittenCase, read_action, read_cases
from tests.games.flip.positions import GAME, KEYS, facts, naive_facts, naive_position, position

CASES = read_cases(Path(__file__).parent / "cases", keys=KEYS)
REFUSING = [case for case in CASES if any(code for _, code in case.steps)]


def found(script: RoundScript) -> dict[str, Any]:
    owners = {f"{pile.row} {pile.column}": pile.owner for pile in script.view().piles}
    moving = [words for words in script.legal if words.startswith("move")]
    return {**facts(script), "top": owners, "moves": moving}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_rule(case: WrittenCase) -> None:
    case.play(position(case.entry), found)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_naive_implementation_says_the_same(case: WrittenCase) -> None:
    script, naive = position(case.entry), naive_position(case.entry)
    for words, code in case.steps:
        if code is None:
            script.follow(words)
            naive.play(words)
        else:
            assert words not in naive.legal()
    assert naive_facts(naive) == facts(script)
    assert sorted(naive.legal()) == sorted(script.legal)


@pytest.mark.parametrize("case", REFUSING, ids=str)
def test_a_refusal_is_a_sentence(case: WrittenCase) -> None:
    script = position(case.entry)
    for words, code in case.steps:
        action = read_action(GAME, words, script.to_act)
        if code is None:
            script.take(action)
        else:
            assert script.refused_action(action).message.endswith(".")


def test_every_line_with_positions_has_cases() -> None:
    assert {line for case in CASES for line in case.cites} == {f"Y{line}" for line in range(3, 13)}
