"""What scripts of rounds and of tables have in common: lines to follow, and events to look for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from fliptable.rules import Game, MoveRange, Private, Refusal, Seat
from fliptable.rules import Policy as Policy
from fliptable.testing.actions import Action
from fliptable.testing.moves import random_move
from fliptable.testing.wording import read_action, split_line

Reader = Callable[[str], Action]
"""How the lines of a notation of one's own are read, for example ``A hits``."""

MOST_MOVES = 20_000
"""So many moves are played by chance at the most."""


def any_move(view: Any, seat: Seat, moves: Sequence[Any | MoveRange], random: Random) -> Any:
    """Any legal move: the policy where none is given."""
    return random_move(random.choice(moves), random)


class Following(ABC):
    """Something that is played action by action."""

    @property
    @abstractmethod
    def events(self) -> list[Any]:
        """Everything that happened, in order, hidden things included."""

    @property
    @abstractmethod
    def played(self) -> Game[Any, Any]:
        """The game that is played."""

    @property
    @abstractmethod
    def to_act(self) -> list[Seat]:
        """The seats that may move now, in order."""

    @abstractmethod
    def take(self, action: Action, said: str = "") -> Sequence[Any]:
        """Let an action happen, ``said`` in these words; its events.

        Errors: AssertionError when it is refused.
        """

    @abstractmethod
    def refused_action(self, action: Action) -> Refusal:
        """The refusal of an action. Errors: AssertionError when it is not refused."""

    def follow(self, *lines: str, read: Reader | None = None) -> Sequence[Any]:
        """Let happen what the lines say, one after the other; the events of the last one.

        ``0: call 30`` is a move, ``call 30`` that of the one seat that is to act; ``0 leaves``,
        ``0 is away``, ``0 is back`` and ``0 is out of time`` are what may happen to a seat, and after a
        round comes ``next round``. With ``-> CODE`` behind it a line has to be refused with that code.
        ``read`` reads the lines of a notation of one's own.

        Errors: AssertionError names the line; ValueError where one cannot be read.
        """
        events: Sequence[Any] = ()
        for line in lines:
            words, code = split_line(line)
            action = read(words) if read else read_action(self.played, words, self.to_act)
            if code is None:
                events = self.take(action, words)
            else:
                refusal = self.refused_action(action)
                assert refusal.code == code, f"{line!r} is refused with {refusal.code}: {refusal.message}"
        return events

    def of(self, *kinds: type) -> list[Any]:
        """What happened of these kinds, in order, hidden events included."""
        plain = [event.event if isinstance(event, Private) else event for event in self.events]
        return [event for event in plain if isinstance(event, kinds)]
