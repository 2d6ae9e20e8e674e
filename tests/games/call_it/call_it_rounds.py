"""Rounds of Call It and Flip on decks that are laid down, and what is asked of them again and again."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from fliptable.testing import RoundScript, stacked
from fliptable_games.call_it.game import CallIt
from fliptable_games.call_it.vocabulary import Call, CallItOptions, CallItTerms, UniverseStatus

HIT, LIVE, DEAD = UniverseStatus.HIT, UniverseStatus.LIVE, UniverseStatus.DEAD
COPIES = CallItOptions()
SHARED = CallItOptions(shared_deck=True)


def script(
    cards: str = "",
    seats: int = 1,
    options: CallItOptions = COPIES,
    *,
    called: int | None = None,
    number: int = 1,
    gone: Collection[int] = (),
    away: Collection[int] = (),
    **terms: Any,
) -> RoundScript:
    """A round with these cards on top, and with the call made if there is one."""
    found = RoundScript(
        CallIt(),
        stacked(cards),
        seats=seats,
        options=options,
        terms=CallItTerms(**terms),
        number=number,
        gone=gone,
        away=away,
    )
    if called is not None:
        found.play(found.to_act[0], Call(called))
    return found


def sums(round: RoundScript, seat: int = 0) -> list[tuple[int, int, UniverseStatus]]:
    """The sums of a hand as its owner sees them: each with its number of readings and its status."""
    return [(one.sum, one.readings, one.status) for one in round.view(seat).hands[seat].universes]


def reasons(round: RoundScript) -> list[str | None]:
    """Why the round, which has to be over, ended as it did for each seat."""
    assert round.outcome is not None
    return [seat.reason for seat in round.outcome.seats]


def shown(round: RoundScript, *viewer: int) -> list[list[str] | None]:
    """The cards of each hand as a viewer sees them."""
    hands = [hand.cards for hand in round.view(*viewer).hands]
    return [None if cards is None else [card.value for card in cards] for cards in hands]
