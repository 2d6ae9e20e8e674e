"""Tables of Call It, on decks that are laid down and by a clock that stands still."""

from __future__ import annotations

from typing import Any

import pytest

from fliptable.testing import TableScript, stacked
from fliptable_games.call_it.vocabulary import CallItOptions
from fliptable_modes.race import RaceOptions
from tests.modes.call_it_tables import NAMES, OpenTable


@pytest.fixture
def solo(table_script: OpenTable) -> OpenTable:
    """Opens a table for one player in a mode, with the decks of its rounds to come; else they are fair."""

    def open_solo(mode: str, *decks: str, player: str = "Ann", **more: Any) -> TableScript:
        chance = stacked(*decks) if decks else None
        return table_script("call-it", mode, players=(player,), chance=chance, **more)

    return open_solo


@pytest.fixture
def race(table_script: OpenTable) -> OpenTable:
    """Opens a race of so many players, with the decks of its rounds to come; else they are fair."""

    def open_race(
        players: int = 3, *decks: str, shared: bool = False, score: int = 5, **more: Any
    ) -> TableScript:
        return table_script(
            "call-it",
            "race",
            players=NAMES[:players],
            game_options=CallItOptions(shared),
            mode_options=RaceOptions(score),
            chance=stacked(*decks) if decks else None,
            **more,
        )

    return open_race
