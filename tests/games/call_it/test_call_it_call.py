"""The deck and the call: rule sheet call-it, C1 and C2."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fliptable import MAX_INT, STANDARD_DECK, Between, MoveRange, PlayingCard, Rank, Shuffled
from fliptable.testing import TableScript, options_of
from fliptable_games.call_it.game import WORTH
from fliptable_games.call_it.vocabulary import Call, Called, CallItTerms, Flip, Phase
from tests.games.call_it.call_it_rounds import script, sums


@pytest.mark.parametrize("mode", ["streak", "survival", "practice", "time-attack", "speedrun"])
def test_c1_one_standard_deck_is_shuffled_for_every_round(
    table_script: Callable[..., TableScript], mode: str
) -> None:
    table = table_script("call-it", mode, secret=bytes(range(32)))
    for number in range(1, 4):
        table.play(0, Call(340))  # a certain win, so that every mode goes on (C8)
        while len(table.outcomes) < number:
            table.play(0, Flip())
    shuffles = table.of(Shuffled)
    for one in shuffles:
        assert one.cards == STANDARD_DECK and sorted(one.order) == sorted(STANDARD_DECK)
    # The fourth round waits for its call.
    assert len({one.order for one in shuffles}) == len(shuffles) == 4


def test_c1_the_shuffle_comes_before_the_call() -> None:
    round = script()
    assert [type(event) for event in round.events] == [Shuffled]
    assert round.state.deck == STANDARD_DECK


def test_c1_what_cards_count() -> None:
    expected = {Rank.ACE: 1, Rank.JACK: 10, Rank.QUEEN: 10, Rank.KING: 10}
    for card in PlayingCard:
        worth = expected.get(card.rank) or int(card.rank.value)
        assert WORTH[card.value] == worth
        round = script(card.value)
        round.play(0, Call(100), Flip())
        assert [one[0] for one in sums(round)] == ([1, 11] if card.rank is Rank.ACE else [worth])
    assert sum(WORTH.values()) == 340


def test_c2_a_round_starts_with_the_call() -> None:
    round = script()
    assert round.view(0).phase is Phase.CALL and round.view(0).target is None
    assert round.to_act == [0]
    assert round.legal_moves(0) == [MoveRange(Call(30), {"target": Between(30, MAX_INT)})]
    refusal = round.refused(0, Flip())
    assert refusal.code == "ILLEGAL_MOVE" and "called before" in refusal.message


@pytest.mark.parametrize("target", [30, 31, 379, 380, 381, MAX_INT])
def test_c2_there_is_no_upper_limit(target: int) -> None:
    round = script()
    assert round.play(0, Call(target)) == [Called(0, target)]
    assert round.view(0).target == target and round.view(0).phase is Phase.FLIP


@pytest.mark.parametrize("target", [29, 0, -1, -MAX_INT])
def test_c2_less_than_30_is_refused(target: int) -> None:
    round = script()
    refusal = round.refused(0, Call(target))
    assert (refusal.code, refusal.field) == ("INVALID_VALUE", "target")
    assert str(target) in refusal.message and "30" in refusal.message
    assert round.view(0).phase is Phase.CALL


def test_c2_a_mode_may_ask_for_more() -> None:
    round = script(min_target=50)
    assert round.legal_moves(0) == [MoveRange(Call(50), {"target": Between(50, MAX_INT)})]
    assert "at least 50" in round.refused(0, Call(49)).message
    round.play(0, Call(50))


def test_c2_the_target_is_called_once() -> None:
    round = script()
    round.play(0, Call(31))
    refusal = round.refused(0, Call(32))
    assert refusal.code == "ILLEGAL_MOVE" and "31" in refusal.message
    assert round.view(0).target == 31


def test_c2_a_mode_may_have_called_already() -> None:
    round = script(target=45)
    assert [type(event) for event in round.events] == [Shuffled, Called]
    assert round.legal_moves(0) == [Flip()]


@pytest.mark.parametrize(
    "terms", [{"min_target": 29}, {"target": 29}, {"min_target": 50, "target": 49}, {"target": MAX_INT + 1}]
)
def test_c2_terms_keep_to_it_too(terms: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=next(reversed(terms))):
        CallItTerms(**terms)


@pytest.mark.parametrize("target", [30.5, "30", True, [30]])
def test_c2_a_target_is_an_integer(target: object) -> None:
    with pytest.raises(ValueError, match="target"):
        options_of(CallItTerms, {"target": target})
