"""Flips from the first to the last card, and what is locked then: rule sheet call-it, C3, C6 to C8, M5."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fliptable import MAX_INT, STANDARD_DECK, Outcome, PlayingCard, Result, SeatOutcome
from fliptable.testing import RoundScript, TableScript, shuffled, stacked, suited
from fliptable_games.call_it.game import CallIt
from fliptable_games.call_it.vocabulary import Busted, BustReason, Call, Flip, Flipped
from tests.games.call_it.call_it_rounds import reasons, script


def test_c3_a_flip_turns_the_top_card_up() -> None:
    round = script("10H 2C KS")
    round.play(0, Call(50))
    for code, flips in (("10H", 1), ("2C", 2), ("KS", 3)):
        assert round.play(0, Flip()) == [Flipped(0, PlayingCard(code))]
        hand = round.view(0).hands[0]
        assert hand.cards[-1] is PlayingCard(code) and hand.flips == flips
        assert hand.cards_left == 52 - flips


def test_c3_there_is_no_other_move() -> None:
    assert CallIt.moves == (Call, Flip)
    round = script()
    round.play(0, Call(300))
    for _ in range(20):
        assert round.legal_moves(0) == [Flip()]
        round.play(0, Flip())


@pytest.mark.parametrize("moves", [[], [Call(40)], [Call(40), Flip()]])
def test_c3_leaving_is_a_bust(moves: list[Any]) -> None:
    round = script("5H")
    round.play(0, *moves)
    assert round.leave(0) == [Busted(0, BustReason.ABANDONED)]
    assert round.outcome == Outcome(
        (SeatOutcome(Result.BUST, 0, "ABANDONED", {"flips": sum(move == Flip() for move in moves)}),)
    )
    assert round.leave(0) == []


def test_c6_the_last_card_without_a_hit_is_a_bust() -> None:
    round = script()
    round.play(0, Call(381), *[Flip()] * 51)
    assert round.outcome is None and round.view(0).hands[0].cards_left == 1
    assert round.play(0, Flip())[1:] == [Busted(0, BustReason.DECK_EMPTY)]
    assert reasons(round) == ["DECK_EMPTY"] and round.view(0).hands[0].cards_left == 0


@pytest.mark.parametrize("last", ["10S", "9S"])
def test_c6_the_last_card_may_be_over(last: str) -> None:
    # 339 is jumped over by the last card: 331 or 330 before it, 340 after it.
    rest = [code for code in STANDARD_DECK if code != last and code[0] != "A"]
    aces = [code for code in STANDARD_DECK if code[0] == "A"]
    round = script(" ".join([*aces, *rest, last]))
    round.play(0, Call(339), *[Flip()] * 51)
    assert round.outcome is None
    round.play(0, Flip())
    assert reasons(round) == ["OVER"]


def test_c6_a_hit_with_the_last_card_is_a_win() -> None:
    round = script()
    round.play(0, Call(380), *[Flip()] * 52)
    assert round.outcome is not None and round.outcome.winners == [0]
    assert round.outcome.seats[0].measures == {"flips": 52}


@pytest.mark.parametrize("ranks", ["10 10 10", "10 10 9 2"])
def test_c7_after_the_end_the_deck_locks(ranks: str) -> None:
    round = script(suited(ranks))
    round.play(0, Call(30), *[Flip()] * len(ranks.split()))
    before, view = round.state, round.view(0)
    assert round.to_act == [] and round.legal_moves(0) == []
    assert round.refused(0, Flip()) and round.refused(0, Call(40))
    assert round.state is before and round.view(0) == view


def test_c7_at_a_table(table_script: Callable[..., TableScript]) -> None:
    table = table_script("call-it", chance=stacked(suited("10 10 10")))
    table.play(0, Call(30), Flip(), Flip(), Flip())
    version = table.table.version
    assert table.refused_move(0, Flip()).code == "TABLE_OVER"
    assert table.table.version == version == len(table.commits)


@pytest.mark.parametrize("target", [379, 381, 390, 1000, MAX_INT])
@pytest.mark.parametrize("seed", range(5))
def test_c8_unreachable_targets_are_legal_and_end_as_busts(target: int, seed: int) -> None:
    round = RoundScript(CallIt(), shuffled(seed))
    round.play(0, Call(target), *[Flip()] * 52)
    assert reasons(round) == ["DECK_EMPTY"]


@pytest.mark.parametrize("target", [340, 350, 360, 370, 380])
@pytest.mark.parametrize("seed", range(10))
def test_c8_certain_wins(target: int, seed: int) -> None:
    round = RoundScript(CallIt(), shuffled(seed))
    round.play(0, Call(target))
    while round.outcome is None:
        round.play(0, Flip())
    assert round.outcome.winners == [0]


def test_c8_the_rules_tell_players_so() -> None:
    for number in ("340", "350", "360", "370", "380", "379"):
        assert number in CallIt.rules


def test_m5_the_next_cards_are_for_their_owner_alone() -> None:
    round = script("2C 3D 4H 5S", peek=3)
    assert [card.value for card in round.view(0).hands[0].peek] == ["2C", "3D", "4H"]
    assert round.view().hands[0].peek is None
    round.play(0, Call(400), Flip())
    assert [card.value for card in round.view(0).hands[0].peek] == ["3D", "4H", "5S"]
    round.play(0, *[Flip()] * 49)
    assert len(round.view(0).hands[0].peek) == 2
    assert script().view(0).hands[0].peek is None
