"""Scripts are told what they cannot be: of too many seats, with no such choice, about no such metric."""

from __future__ import annotations

from typing import Any

import pytest
from brokenmodes import NaiveDeadline
from brokentables import registry_of

from fliptable import ConstraintStatus, Suit
from fliptable.plugins import load_plugins
from fliptable.testing import (
    OneCard,
    RecordBook,
    RoundScript,
    TableScript,
    check_table,
    constraint_status,
    stacked,
)
from fliptable_games.call_it.game import CallIt
from fliptable_games.call_it.vocabulary import Call, Flip


class Three(OneCard):
    """A game for three or four."""

    id = "three"
    seats = range(3, 5)


def test_a_round_has_as_many_seats_as_the_game_takes() -> None:
    assert RoundScript(Three()).setup.seats == 3
    assert RoundScript(Three(), seats=4).setup.seats == 4
    for seats in (1, 5):
        with pytest.raises(ValueError, match=f"three is for 3, 4 seats, and not for {seats}"):
            RoundScript(Three(), seats=seats)


@pytest.mark.parametrize("suit", ["C", "CLUBS", Suit.CLUBS])
def test_a_choice_may_be_given_by_its_name(suit: Any) -> None:
    script = RoundScript(CallIt(), stacked("10C 9D"))
    script.play(0, Call(30), Flip())
    wanted = load_plugins().constraint("include-suit")
    assert constraint_status(wanted, script, suit=suit) is ConstraintStatus.MET
    with pytest.raises(ValueError, match=r"suit: 'clubs' is no choice; there are CLUBS \('C'\), "):
        constraint_status(wanted, script, suit="clubs")


def test_a_deadline_in_no_zone_is_the_modes() -> None:
    registry = registry_of(OneCard(), NaiveDeadline())
    told = r"deadline of the mode 'short' gives datetime.datetime\(.*\), which is in no zone"
    with pytest.raises(AssertionError, match=told):
        TableScript(registry, "one-card", "short").tick()
    with pytest.raises(AssertionError, match=told):
        check_table(registry, "one-card", "short", seats=1)


def test_a_metric_that_there_is_not_is_refused() -> None:
    table = TableScript(load_plugins(), "call-it", "streak", chance=stacked("10C JC QC"))
    table.follow("call 30", "flip", "flip", "flip")
    book = RecordBook(table)
    assert book.best("streak") == 1
    for ask in (book.best, book.ranking, book.spread):
        with pytest.raises(ValueError, match="streak has no metric 'streaks'; there are streak"):
            ask("streaks")
