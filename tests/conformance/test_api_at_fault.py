"""The law `api` holds the API against what it says, so it sees when the API is at fault."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

import pytest
from brokenoverapi import Reason, bad_game, failure

from fliptable import CARD, Choices, MoveRange, PlayingCard, projection
from fliptable.testing import OneCard
from fliptable.testing.toys import TurnedUp, TurnUp
from fliptable_api import moves
from fliptable_api.testing import check_api


@dataclass(frozen=True)
class Lay:
    """Lay a card."""

    card: Annotated[PlayingCard, "The card."]
    why: Annotated[Reason, "Why."] = Reason.BORED


def test_what_is_hidden_must_not_be_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    check_api(bad_game(), seeds=())
    monkeypatch.setattr(projection, "seen", lambda event, viewer, rounds: getattr(event, "event", event))
    assert "the event BadTurnedUp: others are shown [{" in failure(bad_game())


def test_what_may_be_seen_must_not_be_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(projection, "seen", lambda event, viewer, rounds: getattr(event, "public", event))
    assert "the event BadTurnedUp: whoever may see it is shown []" in failure(bad_game())


def test_what_is_listed_has_to_be_what_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    part = bad_game(moves=[Lay])
    check_api(part, seeds=())
    plain = moves.plain
    monkeypatch.setattr(
        moves, "plain", lambda value: {**plain(value), "why": "bored"} if value != TurnUp() else plain(value)
    )
    assert "the move bad.lay, field bad.lay.why: it is listed as " in failure(part)


def test_what_arrives_has_to_be_what_was_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    made = moves.value_of
    monkeypatch.setattr(moves, "value_of", lambda given, kind: replace(made(given, kind), why=Reason.TIRED))
    said = failure(bad_game(moves=[Lay]))
    assert "the move bad.lay, field why: <Reason.BORED: 'BORED'> arrives as <Reason.TIRED: 'TIRED'>" in said


def test_its_own_game_is_one_to_begin_with() -> None:
    """What these plugins are made from keeps the law."""
    assert TurnedUp in OneCard.events and MoveRange(Lay(CARD["AC"]), {"card": Choices(())})
    check_api(OneCard(), seeds=[0])
