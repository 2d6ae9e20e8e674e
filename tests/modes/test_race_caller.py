"""Which games are raced, and who calls: rule sheet call-it, R1."""

from __future__ import annotations

from fliptable import Result
from fliptable.testing import Registry
from fliptable_games.call_it.game import CallIt
from fliptable_games.call_it.vocabulary import Call, CallPassed, Flip
from fliptable_modes.race import Race
from tests.modes.call_it_tables import BUST, WIN, OpenTable, caller, play_round, win


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


def test_r1_the_first_caller_is_the_host_and_plays_too(race: OpenTable) -> None:
    table = race(3, WIN)
    assert table.to_act == [0]
    assert table.refused_move(1, Call(30)).code == "NOT_YOUR_TURN"
    assert table.refused_move(1, Flip()).code == "NOT_YOUR_TURN"
    assert [seat for seat in range(3) if table.legal_moves(seat)] == [0]
    refusal = table.refused_move(0, Call(29))
    assert (refusal.code, refusal.field) == ("INVALID_VALUE", "target")
    table.play(0, Call(30))
    assert table.to_act == [0, 1, 2]
    table.play(0, Flip(), Flip(), Flip())
    assert table.scores == (1, 0, 0)


def test_r1_the_role_goes_clockwise_each_round_whoever_won(race: OpenTable) -> None:
    table = race(3, *[WIN, BUST] * 4, score=15)
    callers = []
    for number in range(8):
        callers.append(caller(table))
        if number % 2:
            play_round(table)
        else:
            win(table, 2)
    assert callers == [0, 1, 2, 0, 1, 2, 0, 1]
    assert table.scores == (0, 0, 4)


def test_r1_r6_a_seat_that_is_not_there_is_passed_over(race: OpenTable) -> None:
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


def test_r1_the_next_caller_comes_after_the_one_who_called(race: OpenTable) -> None:
    table = race(4, *[WIN] * 3, score=15)
    win(table, 0)
    # Bob's call passes on to Cid; then it is Dot's, not Cid's.
    table.disconnect("bob")
    assert caller(table) == 2
    table.reconnect("bob")
    assert caller(table) == 2, "who is back does not get the call again"
    win(table, 1)
    assert caller(table) == 3


def test_r1_the_call_passes_on_when_the_caller_leaves(race: OpenTable) -> None:
    table = race(4, *[WIN] * 3, score=15)
    win(table, 0)
    table.leave("bob")
    assert caller(table) == 2
    win(table, 2)
    assert caller(table) == 3
    win(table, 3)
    assert caller(table) == 0
    assert table.scores == (1, 0, 1, 1)


def test_r1_in_the_first_round_too(race: OpenTable) -> None:
    table = race(3, WIN, seats=4)
    table.disconnect("ann")
    table.start("bob")
    assert caller(table) == 1


def test_r1_what_is_shown_of_the_caller(race: OpenTable) -> None:
    table = race(3, WIN, WIN)
    assert table.run().caller is None
    assert table.view().caller == 0
    win(table, 2)
    assert table.run().caller == 0
    table.play(1, Call(40))
    assert table.run().caller == 1
    assert table.view().caller == 1
