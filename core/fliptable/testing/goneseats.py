"""What is left of the law of leaving once a round is over: the next one is dealt without who has left."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from random import Random

from fliptable.rules import Seat
from fliptable.testing.actions import NextRound
from fliptable.testing.leaks import some_seats
from fliptable.testing.playout import Playout, random_action

_MOST = 300
"""So many actions of the next round are played."""


def next_round_without(playout: Playout, random: Random) -> Iterator[str]:
    """Of a round that is over: in the next one nobody waits for who has left."""
    staying = [seat for seat in range(playout.case.seats) if seat not in playout.gone]
    if len(staying) < 2:
        return
    leavers = some_seats(staying, random)
    longer = random.choice(leavers)
    for seat in leavers:
        dealt = _dealt_without(playout, seat)
        lot = Random(random.random())
        most = _MOST if seat == longer else 0
        for _ in range(most + 1):
            turn = set(dealt.game.to_act(dealt.state))
            if dealt.outcome is not None:
                break
            if seat in turn:
                yield (
                    f"seat {seat} has left, and in the next round {sorted(turn)} are to act: "
                    "begin has to go by setup.gone"
                )
                return
            if not turn:
                yield (
                    f"seat {seat} has left, and in the next round nobody is to act and it is not over: "
                    "begin has to go by setup.gone"
                )
                return
            action = random_action(dealt, lot)
            if action is None or dealt.take(action) is not None:
                break  # That is for other laws.


def _dealt_without(playout: Playout, seat: Seat) -> Playout:
    """The next round of a copy of the playout, after the seat has left."""
    dealt = copy(playout)
    dealt.actions, dealt.events, dealt.log = [*playout.actions], [], [*playout.log]
    dealt.codes, dealt.away = set(playout.codes), playout.away - {seat}
    dealt.gone = playout.gone | {seat}
    dealt.take(NextRound())
    return dealt
