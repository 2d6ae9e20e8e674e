"""What events and refusals tell of hands and secret choices is found, and named."""

from __future__ import annotations

from typing import Any

import pytest
from tellinggames import (
    CountsHearts,
    MuttersAtAnswers,
    MuttersOthers,
    MuttersOwn,
    RefusalTells,
    TellsChoices,
    TellsOnLeaving,
)

from fliptable.testing import check_game


@pytest.mark.parametrize(
    ("game", "law", "said"),
    [
        (TellsChoices, "events leak nothing", "Chose.card"),
        (MuttersOthers, "events leak nothing", "Muttered.what"),
        (MuttersOwn, "events leak nothing", "Muttered.what"),
        (CountsHearts, "events leak nothing", "Muttered.what"),
        (MuttersAtAnswers, "events leak nothing", "Muttered.what"),
        (TellsOnLeaving, "events leak nothing", "Muttered.what"),
        (RefusalTells, "nothing leaks", "refusal.message"),
    ],
)
def test_what_is_told_of_hands_is_found(game: type[Any], law: str, said: str) -> None:
    with pytest.raises(AssertionError) as caught:
        check_game(game())
    first = str(caught.value).splitlines()[0]
    assert f"breaks the law {law!r}" in first and said in first
    assert "a spectator" in first or "seat " in first
