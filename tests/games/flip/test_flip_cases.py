"""What the rule sheet says of single positions: a position in, moves, a position or a refusal out."""

from __future__ import annotations

import pytest
from flip_positions import (
    CTX,
    GAME,
    data,
    engine_facts,
    engine_position,
    legal,
    naive_facts,
    naive_position,
    play,
    read_move,
    to_move,
)

from fliptable import Refusal

CASES = [case for name in ("turns.toml", "ends.toml") for case in data(name)["case"]]
KNOWN = {"rule", "name", "field", "decks", "split", "diagonals", "limit", "drawless", "turn", "holds"}
KNOWN |= {"placed", "flipped", "out", "do", "refused", "after"}


def title(case):
    return f"{case['rule']}: {case['name']}"


@pytest.mark.parametrize("case", CASES, ids=title)
def test_rule(case):
    assert set(case) <= KNOWN
    state = engine_position(case)
    moves = [read_move(text) for text in case["do"]]
    last = moves.pop() if "refused" in case else None
    for words in moves:
        assert words in legal(state), words
        _, state = play(state, words)
    if last is not None:
        refused(state, last, case["refused"])
    for fact, wanted in case.get("after", {}).items():
        assert fact_of(state, fact) == wanted if fact not in CHECKS else CHECKS[fact](state, wanted), fact


@pytest.mark.parametrize("case", CASES, ids=title)
def test_the_naive_implementation_says_the_same(case):
    state, naive = engine_position(case), naive_position(case)
    moves = [read_move(text) for text in case["do"]]
    last = moves.pop() if "refused" in case else None
    for words in moves:
        _, state = play(state, words)
        naive.play(words)
    assert last not in naive.legal()
    assert naive_facts(naive) == engine_facts(state)
    assert sorted(naive.legal()) == sorted(legal(state))


def refused(state, words, code):
    before = engine_facts(state)
    result = GAME.decide(state, state.player, to_move(words), CTX)
    assert isinstance(result, Refusal), f"{words} was accepted"
    assert result.code == code
    assert result.message.endswith(".")
    assert words not in legal(state)
    assert engine_facts(state) == before


def fact_of(state, fact):
    facts = engine_facts(state)
    if fact == "winner":
        return facts["result"][1] if facts["result"] and facts["result"][0] == "won" else None
    if fact == "draw":
        return facts["result"][1] if facts["result"] and facts["result"][0] == "draw" else None
    if fact == "legal":
        return sorted(written(state))
    if fact == "moves":
        return [text for text in written(state) if text.startswith("move")]
    assert fact in facts, f"{fact} is not there: {facts['result']}"
    return facts[fact]


def written(state):
    return [" ".join(map(str, words)) for words in legal(state)]


def top_owners(state, wanted):
    view = GAME.view(state, frozenset())
    owners = {f"{pile.row} {pile.column}": pile.owner for pile in view.piles}
    return all(owners[space] == owner for space, owner in wanted.items())


CHECKS = {
    "can": lambda state, wanted: set(wanted) <= set(written(state)),
    "cannot": lambda state, wanted: not set(wanted) & set(written(state)),
    "top": top_owners,
}


def test_every_line_with_positions_has_cases():
    assert {case["rule"] for case in CASES} == {f"Y{line}" for line in range(3, 13)}
