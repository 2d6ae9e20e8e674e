"""What shuffle_unknown forgets is named, since the kit takes it for known; what may be known is not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from highcard import HighCard
from honestgame import Bazaar, BazaarState
from tellinggames import Snatch, SnatchState

from fliptable import Chance, Viewer
from fliptable.testing import OneCard, Sealed, check_game
from fliptable.testing.sealed import SealedState
from fliptable_games.call_it.game import CallIt, CallItState

LAW = "nothing is forgotten"


class LeavesHands(Bazaar):
    """For seats the hands of others are as they are; spectators know no hand."""

    def shuffle_unknown(self, state: BazaarState, viewer: Viewer, chance: Chance) -> BazaarState:
        if not viewer:
            return super().shuffle_unknown(state, viewer, chance)
        return replace(state, deck=chance.shuffle(state.deck).order)


class LeavesBids(Bazaar):
    """What was bid in secret stays as it is."""

    def shuffle_unknown(self, state: BazaarState, viewer: Viewer, chance: Chance) -> BazaarState:
        return replace(super().shuffle_unknown(state, viewer, chance), bids=state.bids)


class LeavesNumbers(Sealed):
    """Numbers are no cards, and are hidden all the same."""

    def shuffle_unknown(self, state: SealedState, viewer: Viewer, chance: Chance) -> SealedState:
        return state


class LeavesChosen(Snatch):
    """The cards that were chosen and lie face down stay as they are."""

    def shuffle_unknown(self, state: SnatchState, viewer: Viewer, chance: Chance) -> SnatchState:
        other = super().shuffle_unknown(state, viewer, chance)
        return replace(other, hands=state.hands, chosen=state.chosen)


class LeavesRivals(CallIt):
    """In a race the deck is another one, and the cards that rivals have of it are not."""

    def shuffle_unknown(self, state: CallItState, viewer: Viewer, chance: Chance) -> CallItState:
        return replace(super().shuffle_unknown(state, viewer, chance), hands=state.hands)


@pytest.mark.parametrize(
    ("game", "part", "most"),
    [
        (LeavesHands, "view.hands[", 0),
        (LeavesBids, "view.bids[", 1),
        (LeavesNumbers, "view.numbers[", 1),
        (LeavesChosen, "view.", 1),
        (LeavesRivals, "view.hands[", 2),
    ],
)
def test_what_is_forgotten_is_named(game: type[Any], part: str, most: int) -> None:
    with pytest.raises(AssertionError) as caught:
        check_game(game())
    told = str(caught.value).partition("As a test")[0]
    first = told.splitlines()[0]
    assert first.startswith(f"plugin {game.id!r} breaks the law {LAW!r}: shuffle_unknown forgets"), told
    assert part in first and "Have it exchange that too" in first, told
    assert len([line for line in told.splitlines() if line.strip()[:1].isdigit()]) <= most, told


class Memory(OneCard):
    """All cards lie open as they are turned up, and are face down afterwards: who has looked knows them."""

    def view(self, state: Any, viewer: Viewer) -> Any:
        seen = super().view(state, viewer)
        return replace(
            seen, cards=tuple([card if seat in viewer else None for seat, card in enumerate(seen.cards)])
        )


class AboutOneself(HighCard):
    """A view that says something of the viewer, which hides nothing from others."""

    def ask(self, state: Any, seat: int, names: Any) -> str:
        return f"{names[seat]}, do something."


@pytest.mark.parametrize("seeds", [range(3), range(3, 8)], ids=str)
@pytest.mark.parametrize("game", [Bazaar, HighCard, Sealed, Snatch, OneCard, Memory, CallIt, AboutOneself])
def test_what_may_be_known_may_stay_as_it_is(game: type[Any], seeds: range) -> None:
    check_game(game(), seeds=seeds, laws=[LAW])
