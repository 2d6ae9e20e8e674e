"""`check_api` where other people's plugins are installed: what a server leaves out is no fault of others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from brokenoverapi import failure

from fliptable import Between, Game
from fliptable.plugins import load_plugins
from fliptable.testing import OneCard
from fliptable_api.testing import check_api
from fliptable_modes.classic import Classic

HEAD = """
from __future__ import annotations
from dataclasses import dataclass
from enum import Enum
from fliptable import hookimpl
from fliptable.testing import OneCard
from fliptable_modes.classic import Classic

@hookimpl
def fliptable_games():
    return [kind() for kind in (globals().get("Mine"),) if kind]

@hookimpl
def fliptable_modes():
    return [kind() for kind in (globals().get("Picky"),) if kind]
"""
VIEW = """
class Odd(Enum):
    true = "true"

@dataclass(frozen=True)
class V:
    {field}

class Mine(OneCard):
    id, graphql, View = {id!r}, {graphql!r}, V
"""
ODD = {
    "hands": VIEW.format(field="hands: dict[str, list[int]]", id="hands", graphql="Hands"),
    "ident": VIEW.format(field="id: int", id="ident", graphql="Ident"),
    "truth": VIEW.format(field="odd: Odd", id="truth", graphql="Truth"),
    "picky": """
class Picky(Classic):
    id, graphql = "picky", "Picky"
    def supports(self, game): raise KeyError(game.id)
""",
}
FINE = """
class Mine(OneCard):
    id, graphql = "fine", "Fine"
"""

Install = Callable[[str, str], None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Installs a distribution with one plugin."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def add(name: str, source: str) -> None:
        module = f"among_others_{name}"
        (tmp_path / f"{module}.py").write_text(HEAD + source)
        info = tmp_path / f"{module}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[fliptable]\n{name} = {module}\n")

    return add


class Other(OneCard):
    """A game that is installed nowhere."""

    id = "other"
    graphql = "Other"


def test_a_sound_plugin_has_nothing_to_do_with_the_others(install: Install) -> None:
    install("fine", FINE)
    for name, source in ODD.items():
        install(name, source)
    check_api(Other(), seeds=())
    check_api(load_plugins(strict=False).game("fine"), seeds=[0], most_moves=2)
    check_api(Classic(), seeds=())


def test_the_others_are_told_of_themselves(install: Install) -> None:
    for name, source in ODD.items():
        install(name, source)
    installed = load_plugins(strict=False)
    assert "V.hands is dict[str, list[int]], which has no GraphQL form" in failure(installed.game("hands"))
    assert "V.id cannot be called that" in failure(installed.game("ident"))
    assert "whose member 'true' has no name that GraphQL allows" in failure(installed.game("truth"))
    said = failure(installed.mode("picky"))
    assert said.startswith(
        "plugin 'picky' breaks the law 'api': no schema can be made with it: KeyError: 'call-it'"
    )
    assert "raised by Picky.supports (among_others_picky.py, line " in said


class Lost(OneCard):
    """A game whose default mode is nowhere."""

    id = "lost"
    graphql = "Lost"
    default_mode = "nope"


class Lonely(OneCard):
    """A game that no mode is for."""

    id = "lonely"
    graphql = "Lonely"
    modes = frozenset({"nope"})


class Wide(Classic):
    """A mode with limits of what it has not."""

    id = "wide"
    graphql = "Wide"

    def limits(self, game: Game[object, object]) -> dict[str, Between]:
        return {"laps": Between(1, 2)}


def test_what_no_table_can_be_opened_of_is_told() -> None:
    assert "default_mode is 'nope', which is no installed mode that suits it" in failure(Lost())
    assert "no installed mode suits it" in failure(Lonely())
    said = failure(Wide())
    assert said.startswith("plugin 'wide' breaks the contract: mode 'wide': limits at the game '")
    assert "there is no option 'laps'; there are none" in said


def test_a_game_without_moves_is_told_as_such() -> None:
    idle = type("Idle", (OneCard,), {"id": "idle", "graphql": "Idle", "moves": ()})()
    assert "game 'idle': moves is empty" in failure(idle)
