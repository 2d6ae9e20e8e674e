"""Rounds of Call It whose cards are laid down, and how constraints stand in them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from fliptable.chance import StackedChance
from fliptable.codec import options_of
from fliptable.constraints import ConstraintStatus
from fliptable.rules import Context, Refusal, Setup

NOW = datetime(2026, 11, 29, tzinfo=UTC)


class RoundOfCards:
    """A round in which the cards were turned up in order. It may be over before the last of them."""

    def __init__(self, game: Any, target: int | None, cards: str) -> None:
        stack = cards.split()
        self.game = game
        self.state = game.begin(Setup(game.Options(), game.Terms(), 1))
        self._apply(game.deal(self.state, Context(NOW, StackedChance(stack))))
        call, flip = game.moves
        if target is not None:
            self._move(call(target))
        for _ in stack:
            self._move(flip())

    def _move(self, move: Any) -> None:
        assert not self.over, "the round is over already"
        events = self.game.decide(self.state, 0, move, Context(NOW, StackedChance()))
        assert not isinstance(events, Refusal), events
        self._apply(events)

    def _apply(self, events: Any) -> None:
        for event in events:
            self.state = self.game.evolve(self.state, event)

    @property
    def over(self) -> bool:
        return self.game.outcome(self.state) is not None

    @property
    def view(self) -> Any:
        return self.game.view(self.state, frozenset((0,)))


@pytest.fixture
def cards(registry: Any) -> Callable[..., RoundOfCards]:
    """Play cards in order for a target; without a target nothing is called yet."""
    return lambda target, cards: RoundOfCards(registry.game("call-it"), target, cards)


@pytest.fixture
def status(registry: Any, cards: Any) -> Callable[..., str]:
    """How a constraint stands after cards were turned up for a target, as its word."""

    def stands(id: str, target: int | None, shown: str, **options: Any) -> str:
        constraint = registry.constraint(id)
        played = cards(target, shown)
        found = constraint.status(options_of(constraint.Options, options), played.view, played.over)
        assert isinstance(found, ConstraintStatus)
        return found.name

    return stands
