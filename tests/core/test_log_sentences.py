"""What a table asks and what its log says, as sentences for people."""

from __future__ import annotations

import pytest

from fliptable.events import RoundDealt, RoundOver
from fliptable.plugins import Registry
from fliptable.projection import prompt
from fliptable.rules import Outcome, Result, SeatOutcome
from fliptable.testing import TableScript
from fliptable_games.call_it.vocabulary import Call

NAMES = ["Ann", "Bob", "Cyd"]


def test_who_may_act_together_is_asked_together(registry: Registry) -> None:
    script = TableScript(registry, "call-it", "race", players=NAMES)
    asked = prompt(script.table)
    assert asked is not None
    assert (asked.seat, asked.text) == (0, "Ann, call a target of 30 or more.")
    script.play(0, Call(50))
    asked = prompt(script.table)
    assert asked is not None
    assert (asked.seat, asked.name) == (0, "Ann")
    assert asked.text == "Ann, Bob and Cyd: turn the top card up."
    script.leave("bob")
    asked = prompt(script.table)
    assert asked is not None
    assert asked.text == "Ann and Cyd: turn the top card up."


WON, LOST, BUST, DRAWN = (SeatOutcome(one) for one in (Result.WON, Result.LOST, Result.BUST, Result.DRAWN))
LEFT = SeatOutcome(Result.BUST, reason="ABANDONED")


@pytest.mark.parametrize(
    ("ends", "text"),
    [
        ((WON, LOST, BUST), "Ann wins, Bob loses, Cyd is bust"),
        ((DRAWN, DRAWN, DRAWN), "it is a draw"),
        ((DRAWN, LOST, DRAWN), "Ann gets a draw, Bob loses, Cyd gets a draw"),
        ((WON, LEFT, LOST), "Ann wins, Bob is out, Cyd loses"),
        ((SeatOutcome(Result.WON, reason="ABANDONED"), LEFT), "Ann wins, Bob is out"),
        ((SeatOutcome(Result.SCORED, 7),), "Ann scores 7"),
    ],
)
def test_how_a_round_ended(ends: tuple[SeatOutcome, ...], text: str) -> None:
    assert RoundOver(1, Outcome(ends)).text(NAMES) == f"Round 1 is over: {text}."


def test_every_round_is_dealt_in_the_same_words() -> None:
    assert {RoundDealt(2, {}, ahead).text(NAMES) for ahead in (False, True)} == {"Round 2 is dealt."}
