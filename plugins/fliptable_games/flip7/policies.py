"""Ways to play Flip 7 that are quickly said, for simulations and to compare others with.

Whoever has an action card to give away does it the same way in all of them, as it hurts others most and
helps them least: a Freeze or a Second Chance to the lowest line, a Flip Three to the one with most numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fliptable import Policy, Seat
from fliptable_games.flip7.views import Flip7View, PendingView
from fliptable_games.flip7.vocabulary import Assign, ChoiceKind, Hit, Stay

if TYPE_CHECKING:
    from random import Random

Stays = Callable[[Flip7View, Seat], bool]
"""Whether a seat that may stay does."""


def hitting(stays: Stays, told: str) -> Policy:
    """The policy that hits until ``stays``; ``told`` says so."""

    def policy(view: Flip7View, seat: Seat, moves: Sequence[Any], random: Random) -> Any:
        if view.pending is not None and view.pending.card is not None:
            return Assign(_target(view, seat, view.pending))
        return Stay() if Stay() in moves and stays(view, seat) else Hit()

    policy.__doc__ = told
    return policy


def stay_at(points: int) -> Policy:
    """The policy that stays with so many points."""
    return hitting(
        lambda view, seat: view.lines[seat].score >= points,
        f"Hit until the line has {points} points or more.",
    )


def _by_the_odds(view: Flip7View, seat: Seat) -> bool:
    return view.odds is not None and view.odds.gain.value <= 0


def _never(view: Flip7View, seat: Seat) -> bool:
    return False


def _target(view: Flip7View, seat: Seat, pending: PendingView) -> Seat:
    others = [target for target in pending.targets if target != seat]
    if not others:
        return seat
    lines = view.lines
    if pending.kind is ChoiceKind.FLIP_THREE:
        return max(others, key=lambda target: len(lines[target].numbers))
    return min(others, key=lambda target: lines[target].score)


POLICIES: Mapping[str, Policy] = {
    "stay-at-20": stay_at(20),
    "stay-at-27": stay_at(27),
    "by-the-odds": hitting(_by_the_odds, "Hit as long as the next card adds points on average."),
    "never-stay": hitting(_never, "Hit whatever comes."),
}
"""By their names. Alone and with a fresh deck each round, they score 18.2, 19.1, 20.3 and 9.8 on average."""
