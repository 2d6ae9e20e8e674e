"""Playthroughs of nested Flip Threes stay as they were read and found right.

After a change that is meant: ``python -m tests.games.flip7.golden``, and read the difference.
"""

from __future__ import annotations

import pytest
from flip7_golden import FOLDER, playthroughs, transcript


@pytest.mark.parametrize("name", playthroughs())
def test_f13_a_playthrough_is_as_it_was(name):
    expected = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert transcript(name, playthroughs()[name]) == expected


def test_there_are_no_others():
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(playthroughs())
