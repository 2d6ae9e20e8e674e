"""Purity as far as code can be read: over all modules of a distribution, with the line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from fliptable.plugins import load_plugins
from fliptable.testing import check_game
from fliptable.testing.sources import impure

GAME = """
from fliptable.testing import OneCard
{imports}

class Mine(OneCard):
    id, graphql = "mine", "Mine"

    def decide(self, state, seat, move, ctx):
        {line}
        return super().decide(state, seat, move, ctx)
"""
HELPER = """
import random

def roll(sides):
    return random.randint(1, sides)

class Dice:
    @staticmethod
    def roll():
        return roll(6)
"""
TOLD = "time and chance are arguments, and rules have no I/O"

Made = Callable[..., Any]


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Made]:
    """Imports a game of several modules that lie in a folder."""
    names: list[str] = []

    def make(folder: Path, name: str, imports: str, line: str) -> Any:
        folder.mkdir(exist_ok=True)
        monkeypatch.syspath_prepend(str(folder))
        (folder / f"{name}_dice.py").write_text(HELPER)
        (folder / f"{name}.py").write_text(GAME.format(imports=imports, line=line))
        names.extend([name, f"{name}_dice"])
        return import_module(name).Mine()

    yield make
    for name in names:
        sys.modules.pop(name, None)


@pytest.mark.parametrize(
    ("name", "imports", "line", "told"),
    [
        ("src_one", "from src_one_dice import roll", "roll(6)", "decide calls roll, which uses random"),
        ("src_two", "import src_two_dice", "src_two_dice.roll(6)",
         "decide calls src_two_dice.roll, which uses random"),
        ("src_three", "from src_three_dice import Dice", "Dice.roll()",
         "decide calls Dice.roll, which calls roll, which uses random"),
    ],
)  # fmt: skip
def test_modules_that_lie_beside_a_game_are_read_too(
    made: Made, tmp_path: Path, name: str, imports: str, line: str, told: str
) -> None:
    game = made(tmp_path, name, imports, line)
    (complaint,) = set(impure(game))
    assert complaint == f"{told}; {TOLD} ({name}_dice.py, line 5)"
    with pytest.raises(AssertionError, match="breaks the law 'purity': decide calls"):
        check_game(game)


def test_in_an_environment_they_are_those_of_the_same_distribution(made: Made, tmp_path: Path) -> None:
    site = tmp_path / "site-packages"
    game = made(site, "own_site", "from own_site_dice import roll", "roll(6)")
    foreign = made(site, "of_others", "from own_site_dice import roll", "roll(6)")
    for dist, names in (("own", ["own_site", "own_site_dice"]), ("others", ["of_others"])):
        info = site / f"{dist}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {dist}\nVersion: 1.0\n")
        (info / "top_level.txt").write_text("\n".join(names))
    assert [one.partition(";")[0] for one in impure(game)] == ["decide calls roll, which uses random"]
    assert list(impure(foreign)) == []


@pytest.mark.parametrize(
    ("name", "line", "told"),
    [
        (
            "line_one",
            '__import__("random").random()',
            "decide uses __import__; what is imported like this cannot be",
        ),
        ("line_two", "open('x')", "decide uses open; rules have no I/O"),
        ("line_three", "import random", f"decide uses random; {TOLD}"),
    ],
)
def test_the_line_is_told(made: Made, tmp_path: Path, name: str, line: str, told: str) -> None:
    (complaint,) = set(impure(made(tmp_path, name, "", line)))
    assert complaint.startswith(told) and complaint.endswith(f" ({name}.py, line 9)")


def test_what_is_built_in_keeps_it() -> None:
    registry = load_plugins(strict=False)
    for part in (*registry.games.values(), *registry.modes.values(), *registry.constraints.values()):
        assert list(impure(part)) == []
