"""Playthroughs of nested Flip Threes stay as they were read and found right; written to be read.

After a change that is meant: ``pytest --regenerate-golden``, and read the difference.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from fliptable import SPECTATOR
from fliptable.testing import Golden, playthrough
from fliptable_games.flip7.state import Flip7State
from tests.games.flip7.flip7_rounds import GAME, LETTERS, Round, line_text, next_of, pending_of

SCRIPTS = tomllib.loads(Path(__file__).with_name("playthroughs.toml").read_text(encoding="utf-8"))


def table(state: Flip7State) -> Iterator[str]:
    """How the table looks, and what it waits for."""
    view = GAME.view(state, SPECTATOR)
    yield " | ".join(f"{LETTERS[line.seat]}: {line_text(line) or '-'} = {line.score}" for line in view.lines)
    discarded = " ".join(view.discarded[-8:]) or "-"
    more = f"{len(view.discarded) - 8} more, " if len(view.discarded) > 8 else ""
    yield f"draw pile {view.cards_left}, discard pile: {more}{discarded}"
    if view.flip_three is not None:
        flip = view.flip_three
        aside = ", ".join(flip.set_aside) or "nothing"
        yield f"Flip Three of {LETTERS[flip.seat]}: {flip.taken} taken, set aside: {aside}"
    if view.waiting:
        yield f"waiting: {', '.join(f'{one.card} for {LETTERS[one.to]}' for one in view.waiting)}"
    if view.pending is not None:
        yield f"to decide: {pending_of(view)}"
    elif view.odds is not None:
        bust, gain = view.odds.bust, view.odds.gain
        odds = f"bust {bust.numerator}/{bust.denominator}, a card brings {gain.numerator}/{gain.denominator}"
        yield f"{next_of(state)} to hit or stay: {odds}"
    else:
        yield "the round is over"


@pytest.mark.parametrize("name", SCRIPTS)
def test_f13_a_playthrough_is_as_it_was(golden: Golden, name: str) -> None:
    script = SCRIPTS[name]
    played = Round(script, script["rules"])
    played.follow(*script["moves"])
    head = [name, script["about"], f"Rules: {script['rules']}. Cards to come: {script['deck']}", "", ""]
    golden(name, "\n".join(head) + playthrough(played, LETTERS, table))


def test_there_are_no_others(golden: Golden) -> None:
    golden.no_others(SCRIPTS)
