"""The laws of a game that only a whole play can break: that rounds end, and that something is hidden."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from random import Random
from typing import Any, Final

from fliptable.rules import Policy
from fliptable.testing.actions import Action, Expire, Play
from fliptable.testing.leaks import announced, hides_something
from fliptable.testing.playout import Case, Playout, random_action
from fliptable.testing.storage import storable
from fliptable.testing.watchdog import called

MOST_MOVES = 20_000
"""So many moves a round may have, unless a check says otherwise."""
_REMEMBERED = 2_000
"""So many states are remembered, to find out whether a round goes in circles."""
_ROUNDS = 2


class RaisedLater(Exception):
    """What a game has raised in a round that was only played to see whether it ends."""

    def __init__(self, playout: Playout, error: BaseException) -> None:
        """The round, and what was raised."""
        super().__init__(str(error))
        self.actions: list[Action] = [*playout.actions, *([] if playout.tried is None else [playout.tried])]
        self.error = error


@contextmanager
def _to_the_end(playout: Playout) -> Iterator[None]:
    try:
        yield
    except BaseException as error:
        raise RaisedLater(playout, error) from error


LongLaw = Callable[[Playout, int], str | None]


def rounds_end(playout: Playout, most_moves: int) -> str | None:
    """A round ends: by lot, by the game's own policies, and when everybody lets their time pass, unless the
    game waits for them.
    """
    random = Random(playout.case.seed)
    before = list(playout.actions)
    while playout.outcome is None:
        action = random_action(playout, random)
        if action is None or playout.take(action) is not None:
            return None
        if playout.moves > most_moves:
            return f"not over after {most_moves} moves{_circle(playout, before)}"
    idle = idle_rounds_end(Playout(playout.case), most_moves)
    return rounds_end_by_policies(playout.case, most_moves) if idle is None else idle


def idle_rounds_end(playout: Playout, most_moves: int) -> str | None:
    """A round in which everybody lets their time pass ends, unless the game waits for them."""
    with _to_the_end(playout):
        while playout.outcome is None:
            acting = sorted(playout.game.to_act(playout.state))
            if not acting or playout.take(Expire(acting[0])) is not None or not playout.last:
                return None
            if playout.moves > most_moves:
                return f"not over after the time of whoever was to act was up {playout.moves} times"
    return None


def rounds_end_by_policies(case: Case, most_moves: int) -> str | None:
    """A round ends in which everybody plays by one of the game's own policies."""
    for name, policy in case.game.policies.items():
        playout = Playout(case)
        with _to_the_end(playout):
            if not _ends_by(playout, policy, most_moves):
                return f"not over after {most_moves} moves by the policy {name!r}"
    return None


def _ends_by(playout: Playout, policy: Policy, most_moves: int) -> bool:
    game, random = playout.game, Random(playout.case.seed)
    while playout.outcome is None and playout.moves <= most_moves:
        seat = min(game.to_act(playout.state))
        legal = list(game.legal_moves(playout.state, seat))
        with called():
            move = policy(game.view(playout.state, frozenset({seat})), seat, legal, random)
        if playout.take(Play(seat, move)) is not None:
            return True  # That is for the law of policies.
    return playout.outcome is not None


def _circle(playout: Playout, before: list[Any]) -> str:
    """Where a round comes back to a state that it has been in, to say so."""
    again, seen = Playout(playout.case), dict[str, int]()
    for action in playout.actions[: len(before) + _REMEMBERED]:
        stood = repr(storable(again.state))
        if stood in seen:
            return f"; after move {again.moves} it stands again as it did after move {seen[stood]}"
        seen[stood] = again.moves
        again.take(action)
    return ""


def something_hidden(playout: Playout, most_moves: int) -> str | None:
    """Where cards are shuffled, ``shuffle_unknown`` changes something at some time."""
    random = Random(playout.case.seed)
    shuffled = announced(playout.log)
    while playout.number <= _ROUNDS and playout.moves <= most_moves:
        if hides_something(playout, random):
            return None
        action = random_action(playout, random)
        if action is None or playout.take(action) is not None:
            return None
        shuffled = max(shuffled, announced(playout.last))
    return None if shuffled < 2 else "cards are shuffled, and shuffle_unknown never changes anything"


LONG_LAWS: Final[Mapping[str, LongLaw]] = {
    "rounds end": rounds_end,
    "something is hidden": something_hidden,
}
"""Each law by name; a law plays on by lot, and says what is wrong."""
