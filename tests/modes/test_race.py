"""Race at whole tables: rule sheet call-it, R1 to R7."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from random import Random
from typing import Any

import pytest

from fliptable import Outcome, Private, Result, SeatOutcome, Session, decide, lobby
from fliptable.decide import Decision
from fliptable.events import HostChanged, HouseRules, RoundBegan, RoundOver, SeedRevealed, TableOver
from fliptable.plugins import Registry
from fliptable.projection import legal_moves, seen_events, to_act, view_round, view_run
from fliptable.snapshot import from_snapshot, to_snapshot
from fliptable.table import Status
from fliptable.testing import START, TableScript, check_table, stacked
from fliptable_games.call_it.game import CallIt
from fliptable_games.call_it.vocabulary import (
    BustReason,
    Call,
    CallItOptions,
    CallPassed,
    Flip,
    Flipped,
    FlippedUnseen,
    HandStatus,
    Won,
)
from fliptable_modes.race import CallMade, Race, RaceOptions, RaceRun, RaceView, RaceWon, RoundScored

NAMES = ("Ann", "Bob", "Cid", "Dot", "Eve", "Fay", "Gus", "Hal")
WIN = "10H 10D 10C"
"""30 is hit with the third card."""
BUST = "9H 10H KH QH"
"""29, then over 30 with the fourth card."""


@pytest.fixture
def race(registry: Registry) -> Any:
    """A race on stacked decks; its log and a snapshot give the same table in the end."""
    opened: list[TableScript] = []

    def make(players: int = 3, *decks: str, shared: bool = False, score: int = 5, **more: Any) -> TableScript:
        table = TableScript(
            registry,
            "call-it",
            "race",
            players=NAMES[:players],
            game_options=CallItOptions(shared),
            mode_options=RaceOptions(score),
            chance=stacked(*decks) if decks else None,
            **more,
        )
        opened.append(table)
        return table

    yield make
    codec = registry.codec
    for table in opened:
        assert to_snapshot(table.refold()) == to_snapshot(table.table)
        again = from_snapshot(registry, to_snapshot(table.table))
        assert again is not None and to_snapshot(again) == to_snapshot(table.table)
        for event in table.events:
            assert codec.unpack(codec.pack(event)) == event
            assert event.event.text(NAMES) if isinstance(event, Private) else event.text(NAMES)


def win(table: TableScript, seat: int, target: int = 30) -> None:
    """Whoever is to call calls; the seat wins the round on a deck of tens."""
    table.play(to_act(table.table)[0], Call(target))
    table.play(seat, Flip(), Flip(), Flip())


def lose(table: TableScript) -> None:
    """Nobody wins the round on a deck that is no good."""
    table.play(to_act(table.table)[0], Call(30))
    number = table.table.round.number
    while table.table.round.number == number and table.table.round.outcome is None:
        table.play(to_act(table.table)[0], Flip())


def caller(table: TableScript) -> int:
    (seat,) = to_act(table.table)
    return seat


def run_of(table: TableScript) -> RaceView:
    return view_run(table.table, frozenset())


def outcomes(table: TableScript) -> list[Outcome]:
    return [event.outcome for event in table.events if isinstance(event, RoundOver)]


# Which games and tables


def test_two_to_eight_seats_of_a_game_with_a_caller(registry: Registry) -> None:
    mode = registry.mode("race")
    assert [game.id for game in registry.games.values() if mode.supports(game)] == ["call-it"]
    assert list(mode.seats(registry.game("call-it"))) == [2, 3, 4, 5, 6, 7, 8]


def test_any_game_with_a_caller_can_be_raced() -> None:
    class Other(CallIt):
        id = "other"
        seats = range(1, 4)

    class Unlike(CallIt):
        id = "unlike"
        results = frozenset({Result.SCORED})

    class Alone(CallIt):
        id = "alone"
        seats = range(1, 2)

    mode = Race()
    assert mode.supports(Other()) and list(mode.seats(Other())) == [2, 3]
    assert not mode.supports(Unlike()) and not mode.supports(Alone())


@pytest.mark.parametrize("score", [3, 5, 15])
def test_r5_the_winning_score_is_from_3_to_15(score: int) -> None:
    assert RaceOptions(score).winning_score == score


def test_r5_the_winning_score_is_5_where_nobody_chooses() -> None:
    assert RaceOptions().winning_score == 5


@pytest.mark.parametrize("score", [2, 16, 0, -3])
def test_r5_any_other_winning_score_is_refused(score: int) -> None:
    with pytest.raises(ValueError, match=f"^winning_score: {score} is not from 3 to 15$"):
        RaceOptions(score)


# R1: the caller


def test_r1_the_first_caller_is_the_host_and_plays_too(race: Any) -> None:
    table = race(3, WIN)
    assert to_act(table.table) == [0]
    assert table.refused_move(1, Call(30)).code == "NOT_YOUR_TURN"
    assert table.refused_move(1, Flip()).code == "NOT_YOUR_TURN"
    assert [one.seat for one in legal_moves(table.table, frozenset({0, 1, 2}))] == [0]
    refusal = table.refused_move(0, Call(29))
    assert (refusal.code, refusal.field) == ("INVALID_VALUE", "target")
    table.play(0, Call(30))
    assert to_act(table.table) == [0, 1, 2]
    table.play(0, Flip(), Flip(), Flip())
    assert table.table.scores == (1, 0, 0)


def test_r1_the_role_goes_clockwise_each_round_whoever_won(race: Any) -> None:
    table = race(3, *[WIN, BUST] * 4, score=15)
    callers = []
    for number in range(8):
        callers.append(caller(table))
        if number % 2:
            lose(table)
        else:
            win(table, 2)
    assert callers == [0, 1, 2, 0, 1, 2, 0, 1]
    assert table.table.scores == (0, 0, 4)


def test_r1_r6_a_seat_that_is_not_there_is_passed_over(race: Any) -> None:
    table = race(4, *[WIN] * 6, score=15)
    win(table, 0)
    assert caller(table) == 1
    win(table, 0)
    # Seat 2 would be next, and is told of while the round waits for its call.
    table.disconnect("cid")
    assert caller(table) == 3 and table.events[-1] == CallPassed(2, 3)
    table.disconnect("ann")
    win(table, 3)
    assert caller(table) == 1, "seat 0 was passed over when the round was dealt"
    table.reconnect("ann")
    table.reconnect("cid")
    assert caller(table) == 1
    win(table, 1)
    assert caller(table) == 2


def test_r1_the_next_caller_comes_after_the_one_who_called(race: Any) -> None:
    table = race(4, *[WIN] * 3, score=15)
    win(table, 0)
    # Bob's call passes on to Cid; then it is Dot's, not Cid's.
    table.disconnect("bob")
    assert caller(table) == 2
    table.reconnect("bob")
    assert caller(table) == 2, "who is back does not get the call again"
    win(table, 1)
    assert caller(table) == 3


def test_r1_the_call_passes_on_when_the_caller_leaves(race: Any) -> None:
    table = race(4, *[WIN] * 3, score=15)
    win(table, 0)
    table.leave("bob")
    assert caller(table) == 2
    win(table, 2)
    assert caller(table) == 3
    win(table, 3)
    assert caller(table) == 0
    assert table.table.scores == (1, 0, 1, 1)


def test_r1_in_the_first_round_too(race: Any) -> None:
    table = race(3, WIN, seats=4)
    table.disconnect("ann")
    table.start("bob")
    assert caller(table) == 1


def test_r1_what_is_shown_of_the_caller(race: Any) -> None:
    table = race(3, WIN, WIN)
    assert run_of(table).caller is None
    assert view_round(table.table, table.table.round, frozenset()).caller == 0
    win(table, 2)
    assert run_of(table).caller == 0
    table.play(1, Call(40))
    assert run_of(table).caller == 1
    assert view_round(table.table, table.table.round, frozenset()).caller == 1


# R2: identical copies, or one common pile


def test_r2_everybody_flips_from_an_identical_copy(race: Any) -> None:
    table = race(3, "2H 3D 4C 5S")
    table.play(0, Call(100))
    for seat, times in ((1, 4), (0, 2), (2, 3), (0, 1)):
        table.play(seat, *[Flip()] * times)
    shown = [
        [
            card.value
            for card in view_round(table.table, table.table.round, frozenset({seat})).hands[seat].cards
        ]
        for seat in range(3)
    ]
    assert shown == [["2H", "3D", "4C"], ["2H", "3D", "4C", "5S"], ["2H", "3D", "4C"]]
    assert len(table.table.shuffles) == 1, "there is one deck, and one seed of it"


def test_r2_the_first_on_the_target_wins_the_round_and_one_point(race: Any) -> None:
    table = race(3, WIN)
    table.play(0, Call(30))
    table.play(1, Flip(), Flip())
    table.play(2, Flip(), Flip(), Flip())
    (outcome,) = outcomes(table)
    assert [one.result for one in outcome.seats] == [Result.LOST, Result.LOST, Result.WON]
    assert table.table.scores == (0, 0, 1) == run_of(table).points
    assert RoundScored(1, (0, 0, 1)) in table.events


def test_r2_a_fresh_deck_for_every_round(race: Any) -> None:
    table = race(2, WIN, BUST)
    win(table, 0)
    lose(table)
    shuffles = table.table.shuffles
    assert [one.round for one in shuffles] == [1, 2, 3]
    assert all(len(one.cards) == 52 for one in shuffles)


def test_r2_from_a_shared_deck_each_flip_takes_the_next_card(race: Any) -> None:
    table = race(3, "2H 3D 4C 5S", shared=True)
    table.play(0, Call(100))
    for seat in (1, 0, 1, 2):
        table.play(seat, Flip())
    hands = view_round(table.table, table.table.round, frozenset()).hands
    assert [[card.value for card in hand.cards] for hand in hands] == [["3D"], ["2H", "4C"], ["5S"]]


def test_r2_an_empty_shared_deck_busts_everybody_who_is_in(race: Any) -> None:
    table = race(3, "2H", shared=True)
    table.play(0, Call(2**31 - 1))
    table.disconnect("cid")
    for number in range(52):
        table.play(number % 2, Flip())
    (outcome,) = outcomes(table)
    assert [one.reason for one in outcome.seats] == ["DECK_EMPTY"] * 3
    assert table.table.scores == (0, 0, 0) and table.table.staged is not None


# R3: what others see


def seen_by(table: TableScript, *seats: int) -> list[Any]:
    flips = seen_events(table.events, frozenset(seats), table.table.open_rounds())
    return [event for event in flips if isinstance(event, Flipped | FlippedUnseen)]


def test_r3_others_learn_only_how_many_cards_somebody_flipped(race: Any) -> None:
    table = race(3, "10H 9D 2C", WIN)
    table.play(0, Call(100))
    table.play(1, Flip(), Flip())
    for eyes in ((), (0,), (2,), (0, 2)):
        assert seen_by(table, *eyes) == [FlippedUnseen(1), FlippedUnseen(1)]
        hand = view_round(table.table, table.table.round, frozenset(eyes)).hands[1]
        assert (hand.flips, hand.status, hand.cards, hand.universes) == (2, HandStatus.IN, None, None)
    assert [event.card.value for event in seen_by(table, 1)] == ["10H", "9D"]
    # Nor does the seed come out while somebody flips.
    assert table.table.shuffles[0].seed is None


def test_r3_all_is_open_when_the_round_is_over(race: Any) -> None:
    table = race(3, WIN)
    table.play(0, Call(30))
    table.play(1, Flip(), Flip())
    table.play(2, Flip(), Flip(), Flip())
    for eyes in ((), (0,)):
        assert [event.card.value for event in seen_by(table, *eyes)] == ["10H", "10D", "10H", "10D", "10C"]
        hands = view_round(table.table, table.table.round, frozenset(eyes)).hands
        assert [hand.flips for hand in hands] == [0, 2, 3]
        assert all(hand.cards is not None for hand in hands)
    assert any(isinstance(event, SeedRevealed) for event in table.commits[-1].events)
    # The round that waits is as closed as ever.
    assert table.table.shuffles[1].seed is None


def test_r3_who_is_bust_still_does_not_see_the_others(race: Any) -> None:
    table = race(3, BUST)
    table.play(0, Call(30))
    table.play(1, *[Flip()] * 4)
    table.play(2, Flip())
    hands = view_round(table.table, table.table.round, frozenset({2})).hands
    assert hands[1].status is HandStatus.BUST and hands[1].cards is None
    assert seen_by(table, 1)[-1] == FlippedUnseen(2)


def test_r3_who_is_away_sees_no_more_and_shows_no_more(race: Any) -> None:
    table = race(3, "10H 9D 2C")
    table.play(0, Call(100))
    table.play(1, Flip(), Flip())
    table.disconnect("bob")
    table.play(2, Flip())
    assert seen_by(table, 0) == [FlippedUnseen(1), FlippedUnseen(1), FlippedUnseen(2)]
    assert view_round(table.table, table.table.round, frozenset({0})).hands[1].cards is None
    assert seen_by(table, 1)[-1] == FlippedUnseen(2)


def test_r3_with_a_shared_deck_all_is_public(race: Any) -> None:
    table = race(2, "2H 3D", shared=True)
    table.play(0, Call(100))
    table.play(1, Flip(), Flip())
    assert [event.card.value for event in seen_by(table)] == ["2H", "3D"]


# R4: who was first


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_r4_order_of_arrival_decides(race: Any, order: tuple[int, ...]) -> None:
    """All are a flip from the target, and all have asked for it: the log takes one after the other."""
    table = race(3, WIN)
    table.play(0, Call(30))
    for seat in range(3):
        table.play(seat, Flip(), Flip())
    table.play(order[0], Flip())
    for late in order[1:]:
        before, log = to_snapshot(table.table), len(table.commits)
        # The next round waits for seat 1's call, so that nobody's late flip goes there either.
        assert table.refused_move(late, Flip()).code == ("ILLEGAL_MOVE" if late == 1 else "NOT_YOUR_TURN")
        assert to_snapshot(table.table) == before and len(table.commits) == log
    assert table.table.scores == tuple(int(seat == order[0]) for seat in range(3))
    statuses = [hand.status for hand in view_round(table.table, table.table.round, frozenset()).hands]
    assert statuses == [HandStatus.WON if seat == order[0] else HandStatus.LOCKED for seat in range(3)]


def test_r4_two_decisions_on_the_same_version_cannot_both_be_stored(race: Any) -> None:
    table = race(2, WIN)
    table.play(0, Call(30), Flip(), Flip())
    table.play(1, Flip(), Flip())
    first, second = Decision(table.table, table.clock()), Decision(table.table, table.clock())
    for decision, seat in ((first, 0), (second, 1)):
        decision.context = lambda deck=None: table._decision_type()(table.table, table.clock()).context(deck)
        assert decide.play(decision, seat, Flip()) is None
        assert Won(seat, 3) in decision.events
    # Both would be the same version; the log takes one, and the other is decided anew.
    table.play(1, Flip())
    assert table.refused_move(0, Flip()).code == "NOT_YOUR_TURN"
    assert table.table.scores == (0, 1)


def test_r4_a_bust_scores_nothing_and_the_round_ends_when_all_are_bust(race: Any) -> None:
    table = race(3, BUST)
    table.play(0, Call(30))
    for seat in (2, 0, 1):
        assert outcomes(table) == []
        table.play(seat, *[Flip()] * 4)
    (outcome,) = outcomes(table)
    assert [(one.result, one.points) for one in outcome.seats] == [(Result.BUST, 0)] * 3
    assert table.table.scores == (0, 0, 0)
    assert RoundScored(1, (0, 0, 0)).text(NAMES) == "Nobody scores in round 1."


@pytest.mark.parametrize("shared", [False, True])
def test_r4_random_races_have_one_winner_a_round_at_most(race: Any, shared: bool) -> None:
    for seed in range(8):
        random = Random(seed)
        table = race(random.randint(2, 8), shared=shared, score=3, secret=random.randbytes(32))
        while table.table.status is not Status.OVER:
            seat = random.choice(to_act(table.table))
            called = table.table.playable.state.target is not None
            table.play(seat, Flip() if called else Call(random.choice([30, 31, 45, 60])))
        results = [[one.result for one in outcome.seats] for outcome in outcomes(table)]
        assert all(one.count(Result.WON) <= 1 for one in results)
        wins = [sum(one[seat] is Result.WON for one in results) for seat in range(len(table.table.seats))]
        assert table.table.scores == tuple(wins)
        assert sorted(wins)[-1] == 3 and sorted(wins)[-2] < 3


# R5: the end of the match


def test_r5_the_first_to_reach_the_winning_score_wins_the_match(race: Any) -> None:
    table = race(3, *[WIN] * 7, score=3)
    for seat in (0, 1, 2, 1, 0):
        win(table, seat)
        assert table.table.status is Status.PLAYING
    win(table, 1)
    assert table.table.status is Status.OVER and table.table.over_reason == "WON"
    kept = [event for event in table.commits[-1].events if not isinstance(event, SeedRevealed)]
    assert kept[-2:] == [RaceWon(1, 3), TableOver("WON")]
    assert RaceWon(1, 3).text(NAMES) == "Bob wins the race with 3 points."
    view = run_of(table)
    assert view == RaceView(winning_score=3, points=(2, 3, 1), rounds=6, caller=2, leader=1, winner=1)
    assert table.table.staged is None and to_act(table.table) == []
    assert table.refused_move(0, Flip()).code == "TABLE_OVER"
    assert all(one.seed is not None for one in table.table.shuffles)


def test_r5_what_is_shown_of_the_match(race: Any) -> None:
    table = race(3, *[WIN, BUST, WIN], score=15)
    assert run_of(table) == RaceView(15, (0, 0, 0), 0, None, None, None)
    win(table, 2)
    lose(table)
    assert run_of(table) == RaceView(15, (0, 0, 1), 2, 1, 2, None)
    win(table, 0)
    assert run_of(table).leader is None, "two are level"
    assert view_run(table.table, frozenset({1})) == run_of(table)


def test_r5_the_host_sets_it_before_the_match_and_it_stays(race: Any) -> None:
    table = race(2, seats=4, score=7)
    table.do("ann", lambda d: lobby.hand_over(d, "ann", 1))
    table.start("bob")
    assert run_of(table).winning_score == 7 and len(run_of(table).points) == 2


def after(score: int, *rounds: Sequence[int]) -> RaceRun:
    """The run after rounds with these points, as of any game."""
    mode = Race()
    run = mode.begin(Session(RaceOptions(score), len(rounds[0]), START))
    for points in rounds:
        assert mode.over(run) is None
        (call,) = mode.moved(run, 0, Call(30), START)
        run = mode.evolve(run, call)
        outcome = Outcome(tuple(SeatOutcome(Result.WON if one else Result.LOST, one) for one in points))
        for event in mode.round_over(run, outcome, START):
            run = mode.evolve(run, event)
    return run


def test_r5_several_at_the_winning_score_at_once_play_on() -> None:
    """Call It and Flip has one winner a round; another game may have several."""
    run = after(3, (1, 1), (1, 1), (1, 1))
    assert Race().over(run) is None and run.winner is None
    run = after(3, (1, 1), (1, 1), (1, 1), (0, 1))
    assert Race().over(run) == "WON" and run.winner == 1


def test_only_the_call_is_noted() -> None:
    mode = Race()
    run = mode.begin(Session(RaceOptions(), 3, START))
    assert mode.moved(run, 2, Call(30), START) == [CallMade(2)]
    assert mode.moved(run, 2, Flip(), START) == ()
    assert CallMade(2).text(NAMES) == "The round is Cid's call."


# R6: who is not there


def test_r6_a_round_does_not_wait_and_they_come_back_to_seat_score_and_hand(race: Any) -> None:
    table = race(3, WIN, "10H 10D 10C")
    win(table, 1)
    table.play(1, Call(30))
    table.play(2, Flip(), Flip())
    table.disconnect("cid")
    assert to_act(table.table) == [0, 1]
    table.reconnect("cid")
    assert table.table.seat_of("cid") == 2
    assert to_act(table.table) == [0, 1, 2]
    table.play(2, Flip())
    assert table.table.scores == (0, 1, 1)


def test_r6_the_round_ends_with_everybody_who_is_there_bust(race: Any) -> None:
    table = race(3, BUST)
    table.play(0, Call(30))
    table.play(1, Flip())
    table.disconnect("bob")
    table.play(0, *[Flip()] * 4)
    table.play(2, *[Flip()] * 4)
    (outcome,) = outcomes(table)
    assert [one.reason for one in outcome.seats] == ["OVER", "AWAY", "OVER"]
    assert outcome.seats[1].points == 0


@pytest.mark.parametrize("shared", [False, True])
def test_r6_the_same_with_a_shared_deck(race: Any, shared: bool) -> None:
    table = race(3, "10H 9D KC QC JC KS 8S", shared=shared)
    table.play(0, Call(30))
    table.disconnect("bob")
    while not outcomes(table):
        table.play(to_act(table.table)[-1], Flip())
    assert outcomes(table)[0].seats[1].reason == "AWAY"


def test_r6_with_fewer_than_two_there_the_match_waits_and_ends_after_a_limit(race: Any) -> None:
    table = race(3, WIN, house=HouseRules(wait_seconds=90))
    win(table, 1)
    table.disconnect("bob")
    table.disconnect("ann")
    assert table.table.status is Status.PAUSED
    assert table.refused_move(2, Call(30)).code == "TABLE_PAUSED"
    table.clock.advance(89)
    assert not table.tick()
    table.reconnect("bob")
    assert table.table.status is Status.PLAYING and table.table.scores == (0, 1, 0)
    table.disconnect("cid")
    table.clock.advance(90)
    assert table.tick()
    assert table.table.over_reason == "NOT_ENOUGH_PLAYERS" and run_of(table).winner is None


def test_r6_local_seats_count_as_long_as_their_host_is_there(race: Any) -> None:
    table = race(1, WIN, local_seats=("Uncle",))
    assert table.table.status is Status.PLAYING
    win(table, 1)
    assert table.table.scores == (0, 1)
    table.disconnect("ann")
    assert table.table.status is Status.PAUSED


def test_leaving_keeps_the_points_of_those_who_stay(race: Any) -> None:
    table = race(3, WIN, WIN, score=3)
    win(table, 1)
    table.leave("ann")
    win(table, 2)
    assert run_of(table).points == (0, 1, 1)
    table.leave("bob")
    assert table.table.over_reason == "NOT_ENOUGH_PLAYERS"


# R7: the host


def test_r7_the_host_leaves_and_the_next_connected_seat_clockwise_is_host(race: Any) -> None:
    table = race(4, WIN)
    win(table, 3)
    table.disconnect("bob")
    table.leave("ann")
    assert table.table.host == "cid" and HostChanged(2, "cid") in table.commits[-1].events
    # The race goes on for the others.
    assert table.table.status is Status.PLAYING and table.table.scores == (0, 0, 0, 1)
    assert caller(table) == 2


def test_r7_a_host_whose_connection_is_gone_passes_the_role_on(race: Any) -> None:
    table = race(3)
    table.disconnect("ann")
    assert table.table.host == "bob"
    table.reconnect("ann")
    assert table.table.host == "bob"


# Time limits


def test_a_race_that_nobody_plays_any_more_ends(race: Any) -> None:
    table = race(3, WIN, house=HouseRules(turn_seconds=10))
    win(table, 0)
    table.clock.advance(1000)
    table.tick()
    # In each of three rounds the call went round once in vain.
    assert table.table.over_reason == "NOT_PLAYED"
    over = outcomes(table)[1:]
    assert [[one.reason for one in outcome.seats] for outcome in over] == [["NOT_CALLED"] * 3] * 3
    assert (table.commits[-1].at - START).total_seconds() == 90
    assert run_of(table).winner is None


def test_one_call_in_between_and_the_race_goes_on(race: Any) -> None:
    table = race(2, house=HouseRules(turn_seconds=10))
    for _ in range(3):
        table.clock.advance(40)
        table.tick()
        assert [one.seats[0].reason for one in outcomes(table)[-2:]] == ["NOT_CALLED"] * 2
        assert table.table.status is Status.PLAYING
        table.play(caller(table), Call(100))
        table.clock.advance(10)
        table.tick()
        assert outcomes(table)[-1].seats[0].reason == BustReason.TIME_UP.value


def test_a_slow_caller_loses_the_call_and_not_the_round(race: Any) -> None:
    table = race(3, WIN, WIN, house=HouseRules(turn_seconds=10))
    win(table, 0)
    table.clock.advance(10)
    table.tick()
    assert RoundBegan(2) in table.commits[-1].events and caller(table) == 2
    table.play(2, Call(30))
    table.play(1, Flip(), Flip(), Flip())
    assert table.table.scores == (1, 1, 0)
    assert caller(table) == 0


# Laws


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
