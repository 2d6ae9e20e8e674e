"""What is seen once something has happened tells nobody what ``shuffle_unknown`` still lays otherwise."""

from __future__ import annotations

import re
from typing import Any

import pytest
from potgames import (
    AddsAfterDraws,
    PotOfDraws,
    PotOfNumbers,
    PotOfShown,
    PotOfTheDeal,
    PotOnLeaving,
    ShowsAHint,
    ShowsAndForgets,
    SkipsAfterDraws,
)

from fliptable.testing import check_game

CASES: list[tuple[type[Any], str, int]] = [
    # The game, what is said of it, and how many actions the example has at the most.
    (
        PotOfDraws,
        r"when seat \d plays Do\(deed=Deed\.(DRAW|MIX)\), .*: view\.pot is \d+ or \d+ as state\.",
        2,
    ),
    (
        PotOfNumbers,
        r"plays Do\(deed=Deed\.BID\), .*: view\.pot is \d+ or \d+ as state\.bids\[\d\] is \d or \d",
        2,
    ),
    (
        PotOfTheDeal,
        r"when the round is dealt, .*: view\.pot is \d+ or \d+ as state\.hands\[\d\]\[\d\] is '",
        0,
    ),
    (
        PotOnLeaving,
        r"when (seat \d leaves|the time of seat \d is up), .*: view\.pot is \d+ or \d+ as state\.hands",
        4,
    ),
    (SkipsAfterDraws, r"plays Do\(deed=Deed\.(DRAW|MIX)\), .*: view\.turn is \d+ or \d+", 2),
    (AddsAfterDraws, r"plays Do\(deed=Deed\.DRAW\), .*: view\.pot is \d+ or \d+", 2),
    (ShowsAndForgets, r"when the round is dealt, .*: view\.suit is '.' or '.'", 0),
]


@pytest.mark.parametrize(("game", "said", "most"), CASES, ids=[one[0].__name__ for one in CASES])
def test_what_is_seen_of_hidden_things_is_found_although_it_is_kept(
    game: type[Any], said: str, most: int
) -> None:
    with pytest.raises(AssertionError) as caught:
        check_game(game())
    told = str(caught.value).partition("As a test")[0]
    first = told.splitlines()[0]
    assert first.startswith(f"plugin {game.id!r} breaks the law 'nothing leaks': when "), told
    assert re.search(said, first), told
    assert re.search(r"(a spectator|seat \d|for seats .*) is shown what they cannot know: ", first), told
    # Both ways out are told.
    assert "show nothing that goes by it, or keep in the state" in first, told
    assert len([line for line in told.splitlines() if line.strip()[:1].isdigit()]) <= most, told
    # And the test that is printed fails in the same way.
    names: dict[str, Any] = {}
    exec(caught.value.test, names)  # type: ignore[attr-defined]
    with pytest.raises(AssertionError, match=said):
        names["test_nothing_leaks_in_a_case_that_failed"]()


@pytest.mark.parametrize("seeds", [range(2), range(2, 4)], ids=str)
@pytest.mark.parametrize("game", [PotOfShown, ShowsAHint])
def test_what_is_seen_by_the_rules_is_no_leak(game: type[Any], seeds: range) -> None:
    check_game(game(), seeds=seeds)
