"""The law `api`: what the types of a plugin allow goes over GraphQL and comes back."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, make_dataclass
from datetime import UTC, datetime
from enum import Enum, IntEnum
from functools import partial
from importlib.metadata import EntryPoint
from types import ModuleType
from typing import Annotated, Any, get_type_hints

import pytest

from fliptable import Game, Needed, PlayingCard, PluginQuery, Suit, hookimpl
from fliptable.plugins import load_plugins
from fliptable.testing import OneCard
from fliptable.testing.toys import TurnUp
from fliptable_api import testing
from fliptable_api.testing import check_api
from fliptable_modes.classic import Classic


class Mood(Enum):
    """What an enum has that is not the name of a member."""

    GLAD = "a smile"
    SAD = "a tear"


class Level(IntEnum):
    """An enum of integers."""

    LOW = 1
    HIGH = 2


@dataclass(frozen=True)
class Pair:
    """A dataclass in another."""

    left: Annotated[int, "One."]
    right: Annotated[PlayingCard | None, "Other."] = None
    moods: Annotated[tuple[Mood, ...], "Several."] = (Mood.SAD,)


@dataclass(frozen=True)
class _Shared:
    """The fields that go both ways."""

    seat: Annotated[int, "A number."]
    name: Annotated[str, "A text."]
    yes: Annotated[bool, "A switch."]
    share: Annotated[float, "A fraction."]
    at: Annotated[datetime, "A time."]
    mood: Annotated[Mood, "A choice."]
    level: Annotated[Level, "A choice of numbers."]
    suit: Annotated[Suit, "A suit."]
    card: Annotated[PlayingCard, "A card."]
    pair: Annotated[Pair, "An object."]
    from_: Annotated[int, "Its name is a word of Python."]
    to_row: Annotated[int, "Two words."]
    x_1: Annotated[int, "A digit."]
    maybe: Annotated[int | None, "A number or nothing."]
    maybe_card: Annotated[PlayingCard | None, "A card or nothing."]
    maybe_pair: Annotated[Pair | None, "An object or nothing."]
    numbers: Annotated[tuple[int, ...], "Numbers."]
    both: Annotated[tuple[int, int], "Two numbers."]
    words: Annotated[Sequence[str], "Texts."]
    cards: Annotated[tuple[PlayingCard, ...], "Cards."]
    pairs: Annotated[tuple[Pair, ...], "Objects."]
    grid: Annotated[tuple[tuple[PlayingCard | None, ...], ...], "Lists of lists."]
    maybe_times: Annotated[tuple[datetime | None, ...] | None, "Times, or nothing."]
    seats: Annotated[frozenset[int], "A set of numbers."]
    suits: Annotated[frozenset[Suit], "A set of choices."]
    hand: Annotated[frozenset[PlayingCard], "A set of cards."]
    maybe_set: Annotated[frozenset[str] | None, "A set or nothing."]
    sets: Annotated[tuple[frozenset[Mood], ...], "Sets in a list."]
    ready: Annotated[bool, "A switch with a default."] = True
    limit: Annotated[int | None, "Nothing by default."] = None
    default_pair: Annotated[Pair, "An object with a default."] = Pair(3, PlayingCard.ACE_OF_CLUBS)
    default_cards: Annotated[tuple[PlayingCard, ...], "Cards with a default."] = (PlayingCard.TEN_OF_HEARTS,)
    default_at: Annotated[datetime, "A time with a default."] = datetime(2030, 1, 31, tzinfo=UTC)
    default_hand: Annotated[frozenset[PlayingCard], "A set with a default."] = frozenset(
        {PlayingCard.TWO_OF_CLUBS, PlayingCard.ACE_OF_SPADES}
    )
    default_list: Annotated[list[int], "A list of its own for each."] = field(default_factory=lambda: [1, 2])


@dataclass(frozen=True)
class _Told(_Shared):
    """The fields that are only shown."""

    scores: Annotated[dict[str, int], "Numbers by name."] = field(default_factory=dict)
    by_seat: Annotated[Mapping[int, int], "Numbers by number."] = field(default_factory=dict)
    by_suit: Annotated[dict[Suit, int], "Numbers by choice."] = field(default_factory=dict)
    by_card: Annotated[dict[PlayingCard, int], "Numbers by card."] = field(default_factory=dict)
    maybe_scores: Annotated[dict[str, int] | None, "Numbers by name, or nothing."] = None
    boards: Annotated[tuple[dict[str, int], ...], "Several."] = ()


@dataclass(frozen=True)
class Happened(_Told):
    """Everything happened."""

    def text(self, names: Sequence[str]) -> str:
        return f"Everything happened to {names[self.seat]}."


@dataclass(frozen=True)
class Do(_Shared):
    """Do everything."""


def _to_be_chosen(name: str, kind: Any) -> Any:
    """The same fields as options: those without a default have to be given."""
    hints = get_type_hints(kind, include_extras=True)
    made: list[Any] = []
    for one in fields(kind):
        if one.default is MISSING and one.default_factory is MISSING:
            made.append((one.name, Annotated[hints[one.name], Needed()], field()))
        else:
            default: Any = {"default": one.default, "default_factory": one.default_factory}
            made.append((one.name, hints[one.name], field(**default)))
    told = {"__module__": __name__, "__doc__": "Everything can be chosen."}
    return make_dataclass(name, made, frozen=True, namespace=told)


Chosen = _to_be_chosen("Chosen", _Shared)


@dataclass(frozen=True)
class AllView(_Told):
    """Everything can be seen."""


@dataclass(frozen=True)
class Asked(_Shared):
    """Everything can be asked."""


class Everything(OneCard):
    """A game with all the types that there are."""

    id = "everything"
    graphql = "Every"
    Options = Chosen
    View = AllView  # type: ignore[assignment]
    moves = (TurnUp, Do)  # type: ignore[assignment]
    events = (*OneCard.events, Happened)


def test_all_types_go_both_ways() -> None:
    check_api(Everything(), seeds=())


def test_all_types_go_both_ways_in_a_question() -> None:
    check_api(PluginQuery("every_thing", "Everything.", "Every", Asked, AllView, lambda asked: asked))


class Only(Classic):
    """A mode of a plugin that has a game too."""

    id = "only"
    graphql = "Only"

    def supports(self, game: Game[Any, Any]) -> bool:
        return game.id == "duo"


class Duo(OneCard):
    """A game that can only be played in a mode of the same plugin."""

    id = "duo"
    graphql = "Duo"
    modes = frozenset({"only"})
    default_mode = "only"


def test_a_plugin_of_several_parts_keeps_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a plugin is installed, its other parts are there beside the one that is tested."""
    brings = ModuleType("fliptable_duo")
    vars(brings)["fliptable_games"] = hookimpl(lambda: [Duo()])
    vars(brings)["fliptable_modes"] = hookimpl(lambda: [Only()])
    monkeypatch.setitem(sys.modules, "fliptable_duo", brings)
    points = [EntryPoint("duo", "fliptable_duo", "fliptable")]
    monkeypatch.setattr(testing, "load_plugins", partial(load_plugins, points=points))
    check_api(Duo(), seeds=[0])
    check_api(Only(), seeds=[0])
