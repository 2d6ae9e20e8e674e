"""What events and refusals tell of hands, decks and secret choices is found, and named; what is told by the
rules is not."""

from __future__ import annotations

from typing import Any

import pytest
from fewcards import (
    FewCards,
    HintsAndRemembers,
    HintsAtABurntCard,
    TellsAColour,
    TellsAKeptCard,
    TellsAKeptCardToOne,
    TellsAnAce,
    TellsARank,
    TellsASum,
)
from honestgame import Bazaar
from tellingbazaar import (
    ShowsMixed,
    TellsAtTheDeal,
    TellsAtTheNextDeal,
    TellsSeldom,
    TellsTheMover,
    TellsTheMoverOfASeven,
    TellsTheNext,
    TellsTheOrder,
    TellsWhileItShows,
    ViewTellsSeldom,
)
from tellinggames import (
    CountsHearts,
    MuttersAtAnswers,
    MuttersOthers,
    MuttersOwn,
    RefusalTells,
    TellsChoices,
    TellsOnLeaving,
)

from fliptable.testing import check_game

EVENTS, VIEWS = "events leak nothing", "nothing leaks"


@pytest.mark.parametrize(
    ("game", "law", "said", "most"),
    [
        (TellsChoices, EVENTS, "Chose.card", 2),
        (MuttersOthers, EVENTS, "Muttered.what", 1),
        (MuttersOwn, EVENTS, "Muttered.what", 1),
        (CountsHearts, EVENTS, "Muttered.what", 1),
        (MuttersAtAnswers, EVENTS, "Muttered.what", 4),
        (TellsOnLeaving, EVENTS, "Muttered.what", 1),
        (RefusalTells, VIEWS, "refusal.message", 1),
        (TellsTheMover, EVENTS, "is told what they cannot know: Did.card", 1),
        (TellsTheMoverOfASeven, EVENTS, "the events are", 1),
        (TellsTheNext, EVENTS, "plays Do(deed=Deed.DRAW)", 2),
        (ShowsMixed, EVENTS, "plays Do(deed=Deed.MIX)", 2),
        (TellsTheOrder, EVENTS, "is told what they cannot know: Did.card", 2),
        (TellsWhileItShows, EVENTS, "plays Do(deed=Deed.OPEN)", 2),
        (TellsAtTheDeal, EVENTS, "when the round is dealt, ", 0),
        (TellsAtTheNextDeal, EVENTS, "when the round is dealt, ", 30),
        (TellsAKeptCard, EVENTS, "is dealt, a spectator is told what they cannot know: Glimpsed.card is", 0),
        (TellsAKeptCardToOne, EVENTS, "is dealt, seat 0 is told what they cannot know: Glimpsed.card is", 0),
        (TellsAColour, EVENTS, "is dealt, a spectator is told what they cannot know: Hinted.what is '", 0),
        (TellsARank, EVENTS, "is dealt, a spectator is told what they cannot know: Hinted.what is '", 0),
        (TellsASum, EVENTS, "is dealt, a spectator is told what they cannot know: Hinted.what is '", 0),
        (TellsAnAce, EVENTS, "is dealt, seat 0 is told what they cannot know: the events are", 0),
        (TellsSeldom, EVENTS, "the events are", 30),
        (ViewTellsSeldom, VIEWS, "view.open is", 7),
    ],
)
def test_what_is_told_of_hidden_things_is_found(game: type[Any], law: str, said: str, most: int) -> None:
    with pytest.raises(AssertionError) as caught:
        check_game(game())
    told = str(caught.value).partition("As a test")[0]
    first = told.splitlines()[0]
    assert first.startswith(f"plugin {game.id!r} breaks the law {law!r}: ") and said in first, told
    assert "a spectator" in first or "seat " in first
    assert len([line for line in told.splitlines() if line.strip()[:1].isdigit()]) <= most, told


@pytest.mark.parametrize("seeds", [range(4), range(4, 8)], ids=str)
@pytest.mark.parametrize("game", [Bazaar, FewCards, HintsAtABurntCard, HintsAndRemembers])
def test_what_is_told_by_the_rules_is_no_leak(game: type[Any], seeds: range) -> None:
    check_game(game(), seeds=seeds)
