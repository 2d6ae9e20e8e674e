"""Match: how totals grow and when they end it, F29 and F30 of the rule sheet flip7."""

from __future__ import annotations

from random import Random

import pytest

from fliptable import Refusal, Session, Shuffled
from fliptable.testing import (
    START,
    Policy,
    Registry,
    RunScript,
    SeedRevealed,
    TableOver,
    TableScript,
    any_move,
)
from fliptable_games.flip7.vocabulary import Flip7Options, Hit, Rules, Stay
from fliptable_modes.match import Match, MatchOptions, Reach, Ties
from tests.modes.call_it_tables import OpenTable

OFFICIAL = MatchOptions(200, Reach.AT_LEAST, Ties.PLAY_ON)
HOSTED = MatchOptions(200, Reach.MORE_THAN, Ties.ALL_WIN)
BOTH = pytest.mark.parametrize("rules", list(Rules))


def after(options: MatchOptions, *rounds: tuple[int, ...]) -> RunScript:
    """The session after rounds with these points."""
    return RunScript(Match(), options, seats=len(rounds[0])).rounds(*rounds)


def test_f29_over_with_the_threshold_reached():
    run = after(OFFICIAL, (190, 100, 50), (10, 0, 20))
    assert run.over == "WON"
    assert run.run.winners == (0,)


def test_f29_hosted_the_threshold_has_to_be_passed():
    run = after(HOSTED, (190, 100, 50), (10, 0, 20))
    assert run.over is None
    run = after(HOSTED, (190, 100, 50), (10, 0, 20), (1, 0, 0))
    assert run.run.winners == (0,)


@pytest.mark.parametrize("options", [OFFICIAL, HOSTED])
def test_f29_not_over_below_the_threshold(options):
    assert after(options, (199, 100, 50)).over is None


@pytest.mark.parametrize("options", [OFFICIAL, HOSTED])
def test_f29_the_highest_total_wins_not_the_first_to_cross(options):
    run = after(options, (150, 190, 50), (70, 20, 0))
    assert run.run.totals == (220, 210, 50)
    assert run.run.winners == (0,)


def test_f30_official_a_tie_is_played_on():
    tied = after(OFFICIAL, (150, 150, 50), (60, 60, 0))
    assert tied.over is None
    view = tied.view()
    assert (view.leaders, view.passed, view.playing_on, view.winners) == ((0, 1), (0, 1), True, ())
    still = after(OFFICIAL, (150, 150, 50), (60, 60, 0), (0, 0, 100))
    assert still.over is None
    won = after(OFFICIAL, (150, 150, 50), (60, 60, 0), (0, 0, 100), (1, 0, 100))
    assert won.run.winners == (2,)
    assert won.over == "WON"


def test_f30_hosted_all_who_are_tied_win():
    run = after(HOSTED, (150, 150, 50), (60, 60, 0))
    assert run.run.winners == (0, 1)
    assert run.over == "SHARED"


def test_f30_a_tie_for_second_place_is_no_tie():
    run = after(OFFICIAL, (201, 200, 200))
    assert run.run.winners == (0,)


def test_f29_alone():
    assert after(OFFICIAL, (199,)).over is None
    assert after(OFFICIAL, (199,), (1,)).run.winners == (0,)


def test_totals_are_the_sums_of_the_rounds():
    view = after(OFFICIAL, (10, 0, 5), (0, 7, 5), (30, 2, 0)).view()
    assert [one.number for one in view.rounds] == [1, 2, 3]
    assert [one.points for one in view.rounds] == [(10, 0, 5), (0, 7, 5), (30, 2, 0)]
    assert [one.totals for one in view.rounds] == [(10, 0, 5), (10, 7, 10), (40, 9, 10)]
    assert view.totals == (40, 9, 10)
    assert view.leaders == (0,)
    assert view.passed == ()


def test_nobody_leads_before_the_first_round_ends():
    assert RunScript(Match(), OFFICIAL, seats=3).view().leaders == ()


@pytest.mark.parametrize("threshold", [1001, 0, -200])
def test_f29_a_threshold_out_of_any_range_is_refused(threshold):
    with pytest.raises(ValueError, match=rf"^threshold: {threshold} is not possible, only from 1 to 1000$"):
        MatchOptions(threshold)


def check(registry: Registry, game: str, threshold: int) -> Refusal | None:
    return Match().check(Session(MatchOptions(threshold), 3, START, game), registry.game(game))


@pytest.mark.parametrize(("game", "threshold"), [("flip7", 49), ("flip7", 1), ("flip", 101)])
def test_f29_a_threshold_out_of_the_games_range_is_refused(registry: Registry, game: str, threshold: int):
    refusal = check(registry, game, threshold)
    assert refusal is not None
    assert (refusal.code, refusal.field) == ("INVALID_VALUE", "threshold")
    assert f"The threshold is {threshold}; a match of " in refusal.message
    assert " takes one from " in refusal.message


@pytest.mark.parametrize(("game", "threshold"), [("flip7", 50), ("flip7", 200), ("flip7", 1000), ("flip", 1)])
def test_f29_a_threshold_in_range(registry: Registry, game: str, threshold: int):
    assert check(registry, game, threshold) is None


@pytest.mark.parametrize("seats", [2, 4])
def test_a_match_of_flip_is_played_up_to_wins(table_script: OpenTable, seats: int):
    players = [f"P{seat}" for seat in range(seats)]
    table = table_script("flip", "match", players=players, mode_options=MatchOptions(threshold=1))
    table.play_on(Random(seats), moves=1_500)
    assert table.run().threshold == 1
    if table.over is not None:
        assert max(table.run().totals) == 1


def test_what_nobody_settles_is_official():
    run = RunScript(Match(), seats=3).run
    assert (run.threshold, run.reach, run.ties) == (200, Reach.AT_LEAST, Ties.PLAY_ON)


def test_which_games_it_is_for(registry: Registry):
    """Those whose rounds are scored in points, or count as points when they are won."""
    fitting = {
        game.id for game in registry.games.values() if "match" in [m.id for m in registry.modes_for(game)]
    }
    assert {"flip7", "flip"} <= fitting
    assert not {"call-it", "scoreboard"} & fitting


@pytest.mark.parametrize(
    ("rules", "reach", "ties"),
    [
        (Rules.OFFICIAL, Reach.AT_LEAST, Ties.PLAY_ON),
        (Rules.HOSTED, Reach.MORE_THAN, Ties.ALL_WIN),
    ],
)
def test_f29_f30_a_table_ends_as_its_rule_set_has_it(table_script: OpenTable, rules, reach, ties):
    table = table_script("flip7", "match", players=["Ann", "Bob"], game_options=Flip7Options(rules))
    assert (table.run().threshold, table.run().reach, table.run().ties) == (200, reach, ties)


def test_f30_what_whoever_opens_the_table_chooses_goes_first(table_script: OpenTable):
    options = MatchOptions(60, reach=Reach.MORE_THAN)
    table = table_script("flip7", "match", players=["Ann", "Bob"], mode_options=options)
    assert (table.run().threshold, table.run().reach, table.run().ties) == (60, Reach.MORE_THAN, Ties.PLAY_ON)


def until(points: int) -> Policy:
    """Hits below so many points and stays from there on; whom to give a card is drawn by lot."""

    def policy(view, seat, moves, random):
        wanted = Hit() if view.lines[seat].score < points else Stay()
        return wanted if wanted in moves else any_move(view, seat, moves, random)

    return policy


@BOTH
@pytest.mark.parametrize("seats", [1, 3, 7])
def test_a_match_of_flip_7_to_its_end(table_script: OpenTable, rules: Rules, seats: int):
    """On the way it survives storage now and then; seeds come out when they may and verify."""
    random = Random(f"{rules} {seats}")
    players = ["Ann", "Bob"][:seats]
    table = table_script(
        "flip7",
        "match",
        players=players,
        local_seats=[f"Local {number}" for number in range(seats - len(players))],
        game_options=Flip7Options(rules),
        mode_options=MatchOptions(90),
        secret=random.randbytes(32),
    )
    while table.over is None:
        table.play_on(random, until(18), moves=20)
        table.check_log()
        assert len(table.commits) < 3000
    totals = tuple(sum(one.seats[seat].points for one in table.outcomes) for seat in range(seats))
    view = table.run()
    assert table.scores == view.totals == totals
    assert max(totals) >= (91 if rules is Rules.HOSTED else 90)
    assert view.winners == tuple(seat for seat, total in enumerate(totals) if total == max(totals))
    assert table.over == ("WON" if len(view.winners) == 1 else "SHARED")
    assert all(table.seed(number) for number, _ in enumerate(table.of(Shuffled), start=1))
    table.check_seeds()
    check_when_seeds_come_out(table)


def check_when_seeds_come_out(table: TableScript) -> None:
    """Who dealt first is revealed at once, a deck with the shuffle after it or at the end."""
    happened = table.of(Shuffled, SeedRevealed, TableOver)
    order = [(type(event).__name__, getattr(event, "shuffle", None)) for event in happened]
    assert order[:3] == [("Shuffled", 1), ("Shuffled", 2), ("SeedRevealed", 1)]
    count = len(table.of(Shuffled))
    for number in range(2, count):
        # A deck's seed never comes before its last card is out: with the next shuffle or just before it.
        place, following = order.index(("SeedRevealed", number)), order.index(("Shuffled", number + 1))
        assert abs(place - following) == 1
    assert order[-2:] == [("TableOver", None), ("SeedRevealed", count)]


def test_somebody_leaves_a_match_and_the_others_play_on(table_script: OpenTable):
    table = table_script("flip7", "match", players=["Ann", "Bob", "Cid"], mode_options=MatchOptions(50))
    table.leave("bob")
    assert table.over is None
    asked = set()

    def policy(view, seat, moves, random):
        asked.add(seat)
        return until(15)(view, seat, moves, random)

    table.play_on(Random(3), policy)
    assert asked == {0, 2}
    assert table.over is not None
    assert table.scores[1] == 0
    assert 1 not in table.run().winners
