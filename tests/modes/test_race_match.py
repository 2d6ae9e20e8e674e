"""The winning score of a race: rule sheet call-it, R5."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from fliptable import Result, SeatOutcome
from fliptable.testing import Registry, RunScript, SeedRevealed, Status, TableOver, check_table
from fliptable_games.call_it.vocabulary import Call, CallItOptions, Flip
from fliptable_modes.race import CallMade, Race, RaceOptions, RaceView, RaceWon
from tests.modes.call_it_tables import BUST, NAMES, WIN, OpenTable, play_round, win


@pytest.mark.parametrize("score", [3, 5, 15])
def test_r5_the_winning_score_is_from_3_to_15(score: int) -> None:
    assert RaceOptions(score).winning_score == score


def test_r5_the_winning_score_is_5_where_nobody_chooses() -> None:
    assert RaceOptions().winning_score == 5


@pytest.mark.parametrize("score", [2, 16, 0, -3])
def test_r5_any_other_winning_score_is_refused(score: int) -> None:
    with pytest.raises(ValueError, match=f"^winning_score: {score} is not possible, only from 3 to 15$"):
        RaceOptions(score)


def after(*rounds: Sequence[int]) -> RunScript:
    """The session to 3 points after rounds with these points, as of any game."""
    script = RunScript(Race(), RaceOptions(3), seats=len(rounds[0]))
    for points in rounds:
        assert script.moved(0, Call(30)) == [CallMade(0)]
        script.rounds([SeatOutcome(Result.WON if one else Result.LOST, one) for one in points])
    return script


def test_r5_the_first_to_reach_the_winning_score_wins_the_match(race: OpenTable) -> None:
    table = race(3, *[WIN] * 7, score=3)
    for seat in (0, 1, 2, 1, 0):
        win(table, seat)
        assert table.table.status is Status.PLAYING
    win(table, 1)
    assert table.table.status is Status.OVER and table.over == "WON"
    kept = [event for event in table.commits[-1].events if not isinstance(event, SeedRevealed)]
    assert kept[-2:] == [RaceWon(1, 3), TableOver("WON")]
    assert RaceWon(1, 3).text(NAMES) == "Bob wins the race with 3 points."
    view = table.run()
    assert view == RaceView(winning_score=3, points=(2, 3, 1), rounds=6, caller=2, leader=1, winner=1)
    assert table.table.staged is None and table.to_act == []
    assert table.refused_move(0, Flip()).code == "TABLE_OVER"
    assert all(one.seed is not None for one in table.table.shuffles)


def test_r5_what_is_shown_of_the_match(race: OpenTable) -> None:
    table = race(3, *[WIN, BUST, WIN], score=15)
    assert table.run() == RaceView(15, (0, 0, 0), 0, None, None, None)
    win(table, 2)
    play_round(table)
    assert table.run() == RaceView(15, (0, 0, 1), 2, 1, 2, None)
    win(table, 0)
    assert table.run().leader is None, "two are level"
    assert table.run(1) == table.run()


def test_r5_the_host_sets_it_before_the_match_and_it_stays(race: OpenTable) -> None:
    table = race(2, seats=4, score=7)
    table.hand_over("ann", 1)
    table.start("bob")
    assert table.run().winning_score == 7 and len(table.run().points) == 2


def test_r5_several_at_the_winning_score_at_once_play_on() -> None:
    """Call It and Flip has one winner a round; another game may have several."""
    level = after((1, 1), (1, 1), (1, 1))
    assert level.over is None and level.view().winner is None
    won = after((1, 1), (1, 1), (1, 1), (0, 1))
    assert won.over == "WON" and won.view().winner == 1


def test_only_the_call_is_noted() -> None:
    script = RunScript(Race(), seats=3)
    assert script.moved(2, Call(30)) == [CallMade(2)]
    assert script.moved(2, Flip()) == ()
    assert CallMade(2).text(NAMES) == "The round is Cid's call."


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("seats", [2, 3, 8])
def test_whole_races_keep_the_laws_with_people_who_come_and_go(
    registry: Registry, seats: int, shared: bool
) -> None:
    options = CallItOptions(shared)
    seeds = range(2) if seats == 8 else range(4)
    check_table(
        registry,
        "call-it",
        "race",
        seats=seats,
        seeds=seeds,
        game_options=options,
        leaving=0.02,
        dropping=0.1,
    )
