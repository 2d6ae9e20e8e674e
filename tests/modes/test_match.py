"""Match: how totals grow and when they end it, F29 and F30 of the rule sheet flip7."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from fliptable import Outcome, Result, SeatOutcome, Session, Shuffled
from fliptable.events import RoundOver, SeedRevealed, TableOver
from fliptable.plugins import Registry
from fliptable.projection import view_run
from fliptable.shuffle import verify
from fliptable.snapshot import from_snapshot, to_snapshot
from fliptable.table import Status
from fliptable.testing import START, TableScript
from fliptable.testing.playout import random_move
from fliptable_games.flip7.vocabulary import Flip7Options, Hit, Rules, Stay
from fliptable_modes.match import Match, MatchOptions, MatchRun, Reach, Ties

MODE = Match()
OFFICIAL = MatchOptions(200, Reach.AT_LEAST, Ties.PLAY_ON)
HOSTED = MatchOptions(200, Reach.MORE_THAN, Ties.ALL_WIN)
BOTH = pytest.mark.parametrize("rules", list(Rules))


def after(options: MatchOptions, *rounds: Sequence[int]) -> MatchRun:
    """The run after rounds with these points."""
    run = MODE.begin(Session(options, len(rounds[0]), START))
    for points in rounds:
        assert MODE.over(run) is None, f"the match is over before {points}"
        outcome = Outcome(tuple(SeatOutcome(Result.SCORED, one) for one in points))
        for event in MODE.round_over(run, outcome, START):
            event.text(["Ann", "Bob", "Cid"])
            run = MODE.evolve(run, event)
    return run


def test_f29_over_with_the_threshold_reached():
    run = after(OFFICIAL, (190, 100, 50), (10, 0, 20))
    assert MODE.over(run) == "WON"
    assert run.winners == (0,)


def test_f29_hosted_the_threshold_has_to_be_passed():
    run = after(HOSTED, (190, 100, 50), (10, 0, 20))
    assert MODE.over(run) is None
    run = after(HOSTED, (190, 100, 50), (10, 0, 20), (1, 0, 0))
    assert run.winners == (0,)


@pytest.mark.parametrize("options", [OFFICIAL, HOSTED])
def test_f29_not_over_below_the_threshold(options):
    assert MODE.over(after(options, (199, 100, 50))) is None


@pytest.mark.parametrize("options", [OFFICIAL, HOSTED])
def test_f29_the_highest_total_wins_not_the_first_to_cross(options):
    run = after(options, (150, 190, 50), (70, 20, 0))
    assert run.totals == (220, 210, 50)
    assert run.winners == (0,)


def test_f30_official_a_tie_is_played_on():
    tied = after(OFFICIAL, (150, 150, 50), (60, 60, 0))
    assert MODE.over(tied) is None
    view = MODE.view(tied, frozenset())
    assert (view.leaders, view.passed, view.playing_on, view.winners) == ((0, 1), (0, 1), True, ())
    still = after(OFFICIAL, (150, 150, 50), (60, 60, 0), (0, 0, 100))
    assert MODE.over(still) is None
    won = after(OFFICIAL, (150, 150, 50), (60, 60, 0), (0, 0, 100), (1, 0, 100))
    assert won.winners == (2,)
    assert MODE.over(won) == "WON"


def test_f30_hosted_all_who_are_tied_win():
    run = after(HOSTED, (150, 150, 50), (60, 60, 0))
    assert run.winners == (0, 1)
    assert MODE.over(run) == "SHARED"


def test_f30_a_tie_for_second_place_is_no_tie():
    run = after(OFFICIAL, (201, 200, 200))
    assert run.winners == (0,)


def test_f29_alone():
    assert MODE.over(after(OFFICIAL, (199,))) is None
    assert after(OFFICIAL, (199,), (1,)).winners == (0,)


def test_totals_are_the_sums_of_the_rounds():
    view = MODE.view(after(OFFICIAL, (10, 0, 5), (0, 7, 5), (30, 2, 0)), frozenset())
    assert [one.number for one in view.rounds] == [1, 2, 3]
    assert [one.points for one in view.rounds] == [(10, 0, 5), (0, 7, 5), (30, 2, 0)]
    assert [one.totals for one in view.rounds] == [(10, 0, 5), (10, 7, 10), (40, 9, 10)]
    assert view.totals == (40, 9, 10)
    assert view.leaders == (0,)
    assert view.passed == ()


def test_nobody_leads_before_the_first_round_ends():
    run = MODE.begin(Session(OFFICIAL, 3, START))
    assert MODE.view(run, frozenset()).leaders == ()


@pytest.mark.parametrize("threshold", [1001, 0, -200])
def test_f29_a_threshold_out_of_any_range_is_refused(threshold):
    with pytest.raises(ValueError, match=rf"^threshold: {threshold} is not from 1 to 1000$"):
        MatchOptions(threshold)


@pytest.mark.parametrize(("game", "threshold"), [("flip7", 49), ("flip7", 1), ("flip", 101)])
def test_f29_a_threshold_out_of_the_games_range_is_refused(registry: Registry, game: str, threshold: int):
    refusal = MODE.check(Session(MatchOptions(threshold), 3, START, game), registry.game(game))
    assert refusal is not None
    assert (refusal.code, refusal.field) == ("INVALID_VALUE", "threshold")
    assert f"The threshold is {threshold};" in refusal.message


@pytest.mark.parametrize(("game", "threshold"), [("flip7", 50), ("flip7", 200), ("flip7", 1000), ("flip", 1)])
def test_f29_a_threshold_in_range(registry: Registry, game: str, threshold: int):
    assert MODE.check(Session(MatchOptions(threshold), 3, START, game), registry.game(game)) is None


@pytest.mark.parametrize("seats", [2, 4])
def test_a_match_of_flip_is_played_up_to_wins(registry: Registry, seats: int):
    script = TableScript(
        registry,
        "flip",
        "match",
        players=[f"P{seat}" for seat in range(seats)],
        mode_options=MatchOptions(threshold=1),
    )
    random = Random(seats)
    for _ in range(1_500):
        table = script.table
        if table.status is Status.OVER:
            break
        if table.playable is None:
            script.next_round()
            continue
        (seat,) = table.game.to_act(table.playable.state)
        script.play(seat, random.choice(table.game.legal_moves(table.playable.state, seat)))
    run = script.table.run
    assert run.threshold == 1
    if script.table.status is Status.OVER:
        assert max(run.totals) == 1


def test_what_nobody_settles_is_official():
    run = MODE.begin(Session(MatchOptions(), 3, START))
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
def test_f29_f30_a_table_ends_as_its_rule_set_has_it(registry: Registry, rules, reach, ties):
    script = TableScript(registry, "flip7", "match", players=["Ann", "Bob"], game_options=Flip7Options(rules))
    run = script.table.run
    assert (run.threshold, run.reach, run.ties) == (200, reach, ties)


def test_f30_what_whoever_opens_the_table_chooses_goes_first(registry: Registry):
    script = TableScript(
        registry,
        "flip7",
        "match",
        players=["Ann", "Bob"],
        mode_options=MatchOptions(60, reach=Reach.MORE_THAN),
    )
    run = script.table.run
    assert (run.threshold, run.reach, run.ties) == (60, Reach.MORE_THAN, Ties.PLAY_ON)


@BOTH
@pytest.mark.parametrize("seats", [1, 3, 7])
def test_a_match_of_flip_7_to_its_end(registry: Registry, rules: Rules, seats: int):
    """Every version folds from its log and survives a snapshot; seeds come out when they may and verify."""
    random = Random(f"{rules} {seats}")
    players = ["Ann", "Bob"][:seats]
    script = TableScript(
        registry,
        "flip7",
        "match",
        players=players,
        local_seats=[f"Local {number}" for number in range(seats - len(players))],
        game_options=Flip7Options(rules),
        mode_options=MatchOptions(90),
        secret=random.randbytes(32),
    )
    while script.table.status is not Status.OVER:
        table = script.table
        if table.playable is None:
            script.next_round()
        else:
            (seat,) = table.game.to_act(table.playable.state)
            moves = list(table.game.legal_moves(table.playable.state, seat))
            keeps_on = Hit() in moves and table.playable.state.lines[seat].points < 18
            script.play(seat, Hit() if keeps_on else random_move(moves[-1], random))
        if script.table.version % 7 == 0 or script.table.status is Status.OVER:
            again = to_snapshot(script.table)
            assert to_snapshot(script.refold()) == again
            assert to_snapshot(from_snapshot(registry, again)) == again
        assert len(script.commits) < 3000
    rounds = [event.outcome for event in script.events if isinstance(event, RoundOver)]
    totals = tuple(sum(one.seats[seat].points for one in rounds) for seat in range(seats))
    view = view_run(script.table, frozenset())
    assert script.table.scores == view.totals == totals
    assert max(totals) >= (91 if rules is Rules.HOSTED else 90)
    assert view.winners == tuple(seat for seat, total in enumerate(totals) if total == max(totals))
    assert script.table.over_reason == ("WON" if len(view.winners) == 1 else "SHARED")
    check_seeds(script)


def check_seeds(script: TableScript) -> None:
    """Who dealt first is revealed at once, a deck with the shuffle after it or at the end."""
    revealed = {
        event.shuffle: bytes.fromhex(event.seed) for event in script.events if type(event) is SeedRevealed
    }
    shuffled = [event for event in script.events if type(event) is Shuffled]
    assert [event.shuffle for event in shuffled] == sorted(revealed)
    for event in shuffled:
        assert verify(revealed[event.shuffle], event.commitment, event.cards, event.order) is None
    kinds = [event for event in script.events if type(event) in (Shuffled, SeedRevealed, TableOver)]
    order = [(type(event).__name__, getattr(event, "shuffle", None)) for event in kinds]
    assert order[:3] == [("Shuffled", 1), ("Shuffled", 2), ("SeedRevealed", 1)]
    for number in range(2, len(shuffled)):
        # A deck's seed never comes before its last card is out: with the next shuffle or just before it.
        place, following = order.index(("SeedRevealed", number)), order.index(("Shuffled", number + 1))
        assert abs(place - following) == 1
    assert order[-2:] == [("TableOver", None), ("SeedRevealed", len(shuffled))]


def test_somebody_leaves_a_match_and_the_others_play_on(registry: Registry):
    script = TableScript(
        registry, "flip7", "match", players=["Ann", "Bob", "Cid"], mode_options=MatchOptions(50)
    )
    script.leave("bob")
    assert script.table.status is Status.PLAYING
    random = Random(3)
    while script.table.status is not Status.OVER:
        table = script.table
        if table.playable is None:
            script.next_round()
            continue
        (seat,) = table.game.to_act(table.playable.state)
        assert seat != 1
        moves = list(table.game.legal_moves(table.playable.state, seat))
        enough = table.playable.state.lines[seat].points >= 15
        script.play(seat, Stay() if enough and Stay() in moves else random_move(moves[0], random))
    assert script.table.scores[1] == 0
    assert 1 not in view_run(script.table, frozenset()).winners
