"""The games that other tests install as strangers' distributions keep the laws, where they are to."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from fliptable.testing import check_game

DISTRIBUTIONS = Path(__file__).parents[1] / "api" / "distributions"


@pytest.fixture
def foreign_game(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Gives the game of a distribution by the name of its module."""

    def found(name: str, kind: str) -> Any:
        monkeypatch.syspath_prepend(str(DISTRIBUTIONS / name))
        return getattr(import_module(f"fliptable_{name}"), kind)()

    return found


def test_a_duel_keeps_the_laws_of_a_game(foreign_game: Any) -> None:
    check_game(foreign_game("duel", "Duel"), seeds=range(2))
