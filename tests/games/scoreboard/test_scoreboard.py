"""Keeping score for people with real cards: entries, corrections, refusals, and who wins (F29, F30)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fliptable import Choices, MoveRange, Result, Several
from fliptable.testing import RoundScript, TableScript, play_random, stacked
from fliptable_games.scoreboard.game import Scoreboard
from fliptable_games.scoreboard.vocabulary import (
    DeleteEntry,
    EnterLine,
    EnterPoints,
    EntryDeleted,
    Finish,
    LineEntered,
    PointsEntered,
    Rules,
    ScoreboardOptions,
)

GAME = Scoreboard()


def board(seats: int = 3, threshold: int = 200, rules: Rules = Rules.OFFICIAL) -> RoundScript:
    """An empty scoreboard."""
    return RoundScript(GAME, stacked(), seats=seats, options=ScoreboardOptions(threshold, rules))


def enter(script: RoundScript, *rounds: tuple[int, ...]) -> None:
    """Rounds of points, each seat by seat."""
    for points in rounds:
        for seat, one in enumerate(points):
            script.play(seat, EnterPoints(one))


def test_a_line_and_points():
    script = board()
    script.play(1, EnterLine((3, 11, 5, 7, 10), ("+10", "x2")))
    script.play(0, EnterPoints(17))
    view = script.view()
    assert view.current == 1
    assert view.totals == (17, 82, 0)
    assert view.leaders == (1,)
    (round_,) = view.rounds
    assert round_.missing == (2,)
    assert not round_.complete
    ann, bob = round_.entries
    assert (ann.points, ann.line, ann.score) == (17, None, None)
    assert bob.line.numbers == (3, 11, 5, 7, 10)
    assert (bob.score.numbers, bob.score.doubled, bob.score.plus, bob.score.bonus) == (36, 36, 10, 0)


def test_a_flip_7_is_recognised_by_itself():
    script = board()
    script.play(0, EnterLine((0, 1, 2, 3, 4, 5, 6)))
    (entry,) = script.view().rounds[0].entries
    assert entry.points == 36
    assert entry.score.flip_seven


def test_a_bust_line_scores_nothing_with_and_without_the_second_copy():
    script = board()
    script.play(0, EnterLine((7, 12, 7), ("+10",), bust=True))
    script.play(1, EnterLine((7, 12), bust=True))
    assert script.view().totals == (0, 0, 0)


def test_an_empty_line():
    script = board()
    script.play(0, EnterLine())
    assert script.view().rounds[0].entries[0].points == 0


@pytest.mark.parametrize(
    ("line", "field", "words"),
    [
        (EnterLine((7, 7)), "numbers", "more than one 7"),
        (EnterLine((1, 2, 3, 4, 5, 6, 7, 8)), "numbers", "8 numbers"),
        (EnterLine((13,)), "numbers", "no number card 13"),
        (EnterLine((3,), ("+5",)), "modifiers", 'no modifier "+5"'),
        (EnterLine((3,), ("x2", "x2")), "modifiers", "the deck has only 1"),
    ],
)
def test_a_bad_line_is_refused_with_the_reason(line, field, words):
    script = board()
    refusal = script.refused(0, line)
    assert (refusal.code, refusal.field) == ("BAD_LINE", field)
    assert words in refusal.message
    assert script.view().rounds == ()


def test_more_copies_over_the_lines_of_a_round_than_the_deck_has():
    script = board()
    script.play(0, EnterLine((2, 5), ("x2",)))
    script.play(1, EnterLine((2, 6)))
    refusal = script.refused(2, EnterLine((2, 7)))
    assert refusal.code == "BAD_LINE"
    assert "3 copies of the 2" in refusal.message
    assert "only 2" in refusal.message
    assert script.refused(2, EnterLine((7,), ("x2",))).code == "BAD_LINE"
    script.play(2, EnterLine((7,)))
    # In the next round all cards are there again.
    script.play(2, EnterLine((2, 7), ("x2",)))


def test_copies_count_over_what_a_correction_leaves():
    script = board()
    script.play(0, EnterLine((0,)))
    assert script.refused(1, EnterLine((0,))).code == "BAD_LINE"
    script.play(0, EnterLine((0, 5), round=1))
    script.play(0, EnterLine((5,), round=1))
    script.play(1, EnterLine((0,)))


def test_four_second_chances_are_too_many():
    script = board(seats=4)
    for seat in range(3):
        script.play(seat, EnterLine((5,), second_chance=True))
    assert "Second Chance" in script.refused(3, EnterLine((5,), second_chance=True)).message


def test_points_have_a_range():
    script = board()
    for points in (-1, 1001):
        refusal = script.refused(0, EnterPoints(points))
        assert (refusal.code, refusal.field) == ("INVALID_VALUE", "points")


def test_a_round_is_complete_when_everybody_has_an_entry():
    script = board()
    enter(script, (10, 20, 30))
    assert script.view().current == 2
    assert script.view().rounds[0].complete
    script.play(2, EnterPoints(5))
    assert script.view().totals == (10, 20, 35)
    assert script.view().rounds[1].totals == (10, 20, 35)


def test_a_second_entry_has_to_name_the_round():
    script = board()
    script.play(0, EnterPoints(10))
    refusal = script.refused(0, EnterPoints(11))
    assert (refusal.code, refusal.field) == ("ALREADY_ENTERED", "round")
    script.play(0, EnterPoints(11, round=1))
    assert script.view().totals[0] == 11


def test_an_earlier_entry_is_corrected_by_a_further_event():
    script = board()
    enter(script, (10, 20, 30), (1, 2, 3))
    events = script.play(1, EnterLine((12, 9), round=1))
    assert [type(event) for event in events] == [LineEntered]
    assert events[0].corrects
    assert script.view().totals == (11, 23, 33)
    assert script.view().rounds[0].entries[1].changes == 1
    entered = [event.points for event in script.of(PointsEntered) if event.seat == 1]
    assert entered == [20, 2], "the history stays"


def test_an_earlier_entry_is_deleted_by_a_further_event():
    script = board()
    enter(script, (10, 20, 30), (1, 2, 3))
    events = script.play(0, DeleteEntry(1))
    assert events == [EntryDeleted(0, 1, 10)]
    view = script.view()
    assert view.totals == (1, 22, 33)
    assert view.current == 1
    assert view.rounds[0].missing == (0,)
    script.play(0, EnterPoints(15))
    assert script.view().totals == (16, 22, 33)
    assert script.view().current == 3


def test_only_what_was_entered_can_be_corrected_or_deleted():
    script = board()
    enter(script, (10, 20, 30))
    script.play(0, EnterPoints(5))
    for move in (DeleteEntry(2), DeleteEntry(0), DeleteEntry(-1), EnterPoints(4, 3), EnterPoints(4, 0)):
        refusal = script.refused(1, move)
        assert (refusal.code, refusal.field) == ("NO_ENTRY", "round")


def test_a_round_that_is_deleted_entry_by_entry_is_gone():
    script = board()
    enter(script, (10, 20, 30))
    script.play(0, EnterPoints(5))
    script.play(0, DeleteEntry(2))
    assert len(script.view().rounds) == 1


def test_f29_the_threshold_reached():
    script = board()
    enter(script, (190, 100, 50))
    assert script.view().winners == ()
    assert script.refused(0, Finish()).code == "NOT_DECIDED"
    enter(script, (10, 0, 20))
    view = script.view()
    assert (view.passed, view.leaders, view.winners) == ((0,), (0,), (0,))


def test_f29_hosted_the_threshold_has_to_be_passed():
    script = board(rules=Rules.HOSTED)
    enter(script, (190, 100, 50), (10, 0, 20))
    assert script.view().winners == ()
    enter(script, (1, 0, 0))
    assert script.view().winners == (0,)


def test_f29_somebody_who_passed_it_waits_for_the_others_entries():
    script = board()
    script.play(0, EnterPoints(201))
    view = script.view()
    assert (view.passed, view.winners) == ((0,), ())
    assert "Round 1 lacks 2 entries" in script.refused(0, Finish()).message
    script.play(1, EnterPoints(210))
    script.play(2, EnterPoints(0))
    assert script.view().winners == (1,)


def test_f30_official_a_tie_is_played_on():
    script = board()
    enter(script, (200, 200, 0))
    assert script.view().winners == ()
    assert "tie" in script.refused(0, Finish()).message
    enter(script, (0, 5, 0))
    assert script.view().winners == (1,)


def test_f30_hosted_all_who_are_tied_win():
    script = board(rules=Rules.HOSTED)
    enter(script, (201, 201, 0))
    assert script.view().winners == (0, 1)
    script.play(2, Finish())
    assert script.outcome.winners == [0, 1]


def test_a_win_can_still_be_corrected_away():
    script = board()
    enter(script, (200, 100, 50))
    assert script.refused(1, EnterPoints(5)).code == "MATCH_DECIDED"
    script.play(0, EnterPoints(20, round=1))
    assert script.view().winners == ()
    script.play(1, EnterPoints(5))


def test_finish_closes_the_scoreboard():
    script = board()
    enter(script, (200, 100, 50))
    assert script.outcome is None
    script.play(1, Finish())
    ends = [(one.result, one.points) for one in script.outcome.seats]
    assert ends == [(Result.WON, 200), (Result.LOST, 100), (Result.LOST, 50)]
    assert script.view().closed
    assert script.to_act == []


def test_who_leaves_is_waited_for_no_longer():
    script = board()
    enter(script, (10, 20, 30))
    script.play(0, EnterPoints(5))
    script.leave(1)
    assert script.to_act == [0, 2]
    script.play(2, EnterPoints(5))
    view = script.view()
    assert view.current == 3
    assert view.totals == (15, 20, 35)


def test_hosted_what_to_ask():
    script = board()
    names = ["Ann", "Bob", "Cid"]
    assert GAME.ask(script.state, 1, names) == ("Ask Bob: what is your line, or how many points, in round 1?")
    script.play(1, EnterPoints(5))
    assert GAME.ask(script.state, 1, names) is None
    script.play(0, EnterPoints(200))
    script.play(2, EnterPoints(0))
    assert "finished" in GAME.ask(script.state, 0, names)


@pytest.mark.parametrize("threshold", [49, 1001])
def test_f29_a_threshold_out_of_range_is_refused(threshold):
    with pytest.raises(ValueError, match=rf"^threshold: {threshold} is not possible, only from 50 to 1000$"):
        ScoreboardOptions(threshold)


def test_a_host_keeps_the_score_for_the_whole_table(table_script: Callable[..., TableScript]):
    """Local seats are entered by the host, and the end of the scoreboard ends the table."""
    table = table_script(
        "scoreboard", players=["Ann"], local_seats=["Bob", "Cid"], game_options=ScoreboardOptions(60)
    )
    assert table.viewer("ann") == {0, 1, 2}
    table.play(0, EnterLine((12, 11)))
    assert (table.prompt.seat, table.prompt.name) == (1, "Bob"), "the next whose line is awaited"
    table.play(1, EnterPoints(30))
    table.play(2, EnterLine((4,), bust=True))
    table.play(1, EnterLine((12, 10), ("x2",), round=1))
    table.play(0, EnterPoints(38))
    table.play(1, EnterPoints(0))
    table.play(2, EnterPoints(0))
    assert table.view().totals == (61, 44, 0)
    table.check_log()
    table.play(0, Finish())
    assert table.over is not None
    assert table.scores == (61, 44, 0)


def test_what_takes_the_match_on_is_offered_first():
    """Taking back comes last; with a winner, the end of the match comes first."""
    script = board(seats=2, threshold=60)

    def ends(seat: int) -> list[object]:
        moves = GAME.legal_moves(script.state, seat)
        return [one.example if isinstance(one, MoveRange) else one for one in (moves[0], moves[-1])]

    assert ends(0) == [EnterLine(), EnterPoints(0, 1)]
    enter(script, (30, 0))
    assert ends(0) == [EnterLine(), DeleteEntry(1)]
    enter(script, (40, 0))
    assert ends(0) == ends(1) == [Finish(), DeleteEntry(2)]


def test_a_time_limit_enters_nothing():
    script = board()
    assert list(script.expire(0)) == []


def offered(script: RoundScript, seat: int, bust: bool = False) -> list[MoveRange]:
    """The lines that are among the legal moves of a seat."""
    ranges = [move for move in GAME.legal_moves(script.state, seat) if isinstance(move, MoveRange)]
    return [one for one in ranges if isinstance(one.example, EnterLine) and one.example.bust is bust]


def test_a_line_can_be_entered_by_whoever_knows_only_the_legal_moves():
    """F9, F23: up to seven different numbers, six where the line is bust; each modifier once."""
    script = board()
    line, same = offered(script, 0)
    assert line.example == EnterLine() and same.example == EnterLine(round=1)
    numbers, modifiers = Choices(tuple(range(13))), Choices(("+2", "+4", "+6", "+8", "+10", "x2"))
    assert line.fields == {
        "numbers": Several(numbers, 7),
        "modifiers": Several(modifiers, 6),
        "second_chance": Choices((False, True)),
    }
    bust, _ = offered(script, 0, bust=True)
    assert bust.fields == {"numbers": Several(numbers, 6), "modifiers": Several(modifiers, 6)}


def test_only_cards_that_the_other_lines_leave_are_offered():
    script = board(4)
    script.play(0, EnterLine((0, 2), ("x2",), second_chance=True))
    script.play(1, EnterLine((2, 1), second_chance=True))
    script.play(2, EnterLine((5,), second_chance=True))
    line = offered(script, 3)[0]
    assert line.fields["numbers"].of == Choices(tuple(range(3, 13)))
    assert "x2" not in line.fields["modifiers"].of.values
    assert "second_chance" not in line.fields
    assert 0 in offered(script, 0)[0].fields["numbers"].of.values, "its own line does not count"


def test_every_list_that_is_offered_is_accepted():
    for seed in range(30):
        play_random(GAME, seats=1 + seed % 5, seed=seed, options=ScoreboardOptions(100))
