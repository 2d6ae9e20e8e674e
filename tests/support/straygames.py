"""Games that give what they must not give, keep what they must not keep, and change what they are given.

``STRAY_GAMES`` has for each the law that it breaks, and a part of what is said of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Annotated, Any, ClassVar

from highcard import HighCard, HighState, Keep

from fliptable import CARD, Between, Result, SeatOutcome, Setup, Shuffled
from fliptable.rules import Outcome
from fliptable.testing import OneCard
from fliptable.testing.toys import OneCardState, OneCardView, TurnedUp


class KeepsTheDeck(OneCard):
    """The deck lies on the object, and not in the state."""

    deck: Any = ()

    def evolve(self, state: OneCardState, event: Any) -> OneCardState:
        if isinstance(event, Shuffled):
            self.deck = event.order
        return super().evolve(state, event)

    def decide(self, state: OneCardState, seat: int, move: Any, ctx: Any) -> Any:
        return [TurnedUp(seat, CARD[self.deck[state.drawn]])]


class KeepsOptions(HighCard):
    """What was chosen is kept on the object when a round begins."""

    def begin(self, setup: Setup) -> HighState:
        self.least = setup.options.least
        return super().begin(setup)

    def cards_left(self, state: HighState) -> int:
        return len(state.pile) + self.least


class CountsItsTurns(OneCard):
    """It counts the cards that were turned up, at whatever table."""

    def __init__(self) -> None:
        self.turned = 0

    def evolve(self, state: OneCardState, event: Any) -> OneCardState:
        if isinstance(event, TurnedUp):
            self.turned += 1
        return super().evolve(state, event)

    def cards_left(self, state: OneCardState) -> int:
        return max(0, 52 - self.turned)


class KeepsALog(OneCard):
    """All objects of the class write into one list."""

    log: ClassVar[list[Any]] = []

    def decide(self, state: OneCardState, seat: int, move: Any, ctx: Any) -> Any:
        self.log.append(move)
        return super().decide(state, seat, move, ctx)


class Notebook:
    """Something that a game has."""

    def __init__(self) -> None:
        self.pages: dict[int, str] = {}


class WritesDown(OneCard):
    """It has a helper that remembers."""

    def __init__(self) -> None:
        self.notes = Notebook()

    def view(self, state: OneCardState, viewer: Any) -> OneCardView:
        self.notes.pages[state.drawn] = "seen"
        return super().view(state, viewer)


@dataclass
class HandState:
    """A state that can be changed."""

    cards: tuple[str, ...]
    gone: frozenset[int] = frozenset()
    deck: tuple[str, ...] = ()
    drawn: int = 0
    hands: list[list[str]] = field(default_factory=list)

    @property
    def waiting(self) -> list[int]:
        return [seat for seat, card in enumerate(self.cards) if not card and seat not in self.gone]


class _WithHands(OneCard):
    """Cards are in hands, which are lists."""

    State: ClassVar[type] = HandState

    def begin(self, setup: Setup) -> Any:
        return HandState(("",) * setup.seats, setup.gone, hands=[[] for _ in range(setup.seats)])


class ChangesInPlace(_WithHands):
    """The state after an event is the one before it, changed."""

    def evolve(self, state: Any, event: Any) -> Any:
        after = super().evolve(state, event)
        state.cards, state.deck, state.drawn, state.gone = after.cards, after.deck, after.drawn, after.gone
        return state


class SharesItsLists(_WithHands):
    """States have the same lists in them."""

    def evolve(self, state: Any, event: Any) -> Any:
        if isinstance(event, TurnedUp):
            state.hands[event.seat].append(event.card.value)
        return super().evolve(state, event)


class OneEvent(OneCard):
    """It gives an event, and no list."""

    def decide(self, state: OneCardState, seat: int, move: Any, ctx: Any) -> Any:
        return super().decide(state, seat, move, ctx)[0]  # type: ignore[index]


class NoEvents(OneCard):
    """It forgets to return the events."""

    def decide(self, state: OneCardState, seat: int, move: Any, ctx: Any) -> Any:
        super().decide(state, seat, move, ctx)


class EventsOneByOne(OneCard):
    """Events can be gone over once."""

    def decide(self, state: OneCardState, seat: int, move: Any, ctx: Any) -> Any:
        return (one for one in super().decide(state, seat, move, ctx))  # type: ignore[union-attr]


class WordsForEvents(OneCard):
    """It says what happens."""

    def decide(self, state: OneCardState, seat: int, move: Any, ctx: Any) -> Any:
        return "turned up"


class WordAmongEvents(OneCard):
    """It says who leaves."""

    def leave(self, state: OneCardState, seat: int, ctx: Any) -> Any:
        return [*super().leave(state, seat, ctx), "left"]


class TakesItsTime(OneCard):
    """What is seen has to be waited for."""

    def view(self, state: OneCardState, viewer: Any) -> Any:
        async def seen() -> Any:
            return super(TakesItsTime, self).view(state, viewer)

        return seen()


class Bare(OneCard):
    """It shows the cards and nothing around them."""

    def view(self, state: OneCardState, viewer: Any) -> Any:
        return state.cards


class SeatAlone(OneCard):
    """It is the turn of a seat, and not of seats."""

    def to_act(self, state: OneCardState) -> Any:
        return (*state.waiting, None)[0]


class MoveAlone(OneCard):
    """There is one move, and no list of moves."""

    def legal_moves(self, state: OneCardState, seat: int) -> Any:
        return super().legal_moves(state, seat)[0]


class SaysWhoWon(OneCard):
    """The round is over with a word."""

    def outcome(self, state: OneCardState) -> Any:
        return super().outcome(state) and "red"


class Points(int):
    """A number with something more to it."""


class PointsOfItsOwn(HighCard):
    """Points are of a class of its own."""

    def outcome(self, state: HighState) -> Outcome | None:
        found = super().outcome(state)
        return found and Outcome(tuple([SeatOutcome(Result.SCORED, Points(1)) for _ in found.seats]))


class SeatsOfItsOwn(OneCard):
    """So are the numbers of seats in its events."""

    def decide(self, state: OneCardState, seat: int, move: Any, ctx: Any) -> Any:
        return super().decide(state, Points(seat), move, ctx)


@dataclass(frozen=True, slots=True)
class HeavyState(OneCardState):
    """A state with a lot in it."""

    ballast: tuple[str, ...] = ()


class Heavy(OneCard):
    """It does not fit into the database."""

    State = HeavyState

    def begin(self, setup: Setup) -> Any:
        return HeavyState(("",) * setup.seats, setup.gone, ballast=("x" * 1000,) * 2000)


class ThreeIsTooMany(HighCard):
    """Nobody can keep a card once three were drawn."""

    def decide(self, state: HighState, seat: int, move: Any, ctx: Any) -> Any:
        if isinstance(move, Keep) and len(state.discards) == 2:
            raise KeyError("three")
        return super().decide(state, seat, move, ctx)


class WaitsForEver(OneCard):
    """Who has left is dealt in again."""

    def begin(self, setup: Setup) -> OneCardState:
        return OneCardState(("",) * setup.seats)


class WaitsLater(OneCard):
    """Who has left is dealt in again once somebody has a card."""

    def begin(self, setup: Setup) -> OneCardState:
        return OneCardState(("",) * setup.seats, setup.gone)

    def evolve(self, state: OneCardState, event: Any) -> OneCardState:
        after = super().evolve(state, event)
        again = isinstance(event, TurnedUp) and not after.waiting
        return replace(after, gone=frozenset()) if again else after


@dataclass(frozen=True)
class NumberOptions:
    """A number within limits, and one that may be left out."""

    cards: Annotated[int, Between(1, 5), "How many cards."] = 2
    first: Annotated[int | None, Between(0, 3), "Who begins."] = None
    loud: Annotated[bool | None, "Whether it is loud."] = None


class _OfNumbers(OneCard):
    """It has options."""

    Options = NumberOptions


class OnlyTwo(_OfNumbers):
    """It can be played with two cards alone."""

    def begin(self, setup: Setup) -> OneCardState:
        return {2: super().begin(setup)}[setup.options.cards]


class NotAtTheTop(_OfNumbers):
    """With the most cards there are not enough for many."""

    def begin(self, setup: Setup) -> OneCardState:
        if setup.options.cards * setup.seats == 30:
            raise IndexError("no cards")
        return super().begin(setup)


class NobodyBegins(_OfNumbers):
    """Who begins has to be there, and nobody says so beforehand."""

    def begin(self, setup: Setup) -> OneCardState:
        return (super().begin(setup),)[(setup.options.first or 0) // setup.seats]


class NobodyBeginsRefused(NobodyBegins):
    """The same, and it says so."""

    def check(self, options: NumberOptions, seats: int) -> None:
        if (options.first or 0) >= seats:
            raise ValueError("first: there is no such seat")


class NeverQuiet(_OfNumbers):
    """It cannot be told to be quiet."""

    def begin(self, setup: Setup) -> OneCardState:
        if setup.options.loud is False:
            raise KeyError("quiet")
        return super().begin(setup)


class RemembersWell(OneCard):
    """What it works out once it need not work out again, and that is nobody's business."""

    @cached_property
    def red(self) -> frozenset[str]:
        return frozenset(code for code in CARD if code[-1] in "HD")

    @staticmethod
    @lru_cache(maxsize=8)
    def _left(drawn: int) -> int:
        return 52 - drawn

    def cards_left(self, state: OneCardState) -> int:
        return self._left(state.drawn) + (0 if self.red else 1)


_TABLES = ", and one object serves all tables at once"
_DECIDE = ", and has to give a list of events, or a Refusal"

STRAY_GAMES: Sequence[tuple[str, type[Any], str]] = [
    ("purity", KeepsTheDeck, f"evolve sets self.deck{_TABLES}"),
    ("purity", KeepsOptions, f"begin sets self.least{_TABLES}"),
    ("purity", CountsItsTurns, f"evolve sets self.turned{_TABLES}"),
    ("purity", KeepsALog, f"decide sets KeepsALog.log{_TABLES}"),
    ("purity", WritesDown, f"view sets self.notes{_TABLES}"),
    ("purity", ChangesInPlace, "evolve(Shuffled(…)) changes the state that it is given: state.deck is "),
    (
        "purity",
        SharesItsLists,
        ") changes the state that it is given: state.hands[0] is [] before and ['9S']",
    ),
    (
        "answers",
        OneEvent,
        f"decide gives TurnedUp(seat=0, card=PlayingCard.NINE_OF_SPADES){_DECIDE}: put it ",
    ),
    ("answers", NoEvents, f"decide gives None{_DECIDE}: return the events, when seat 0 plays TurnUp()"),
    ("answers", EventsOneByOne, f"decide gives a generator{_DECIDE}"),
    ("answers", WordsForEvents, f'decide gives "turned up"{_DECIDE}'),
    ("answers", WordAmongEvents, 'and has to give a list of events; "left" is no event'),
    ("answers", TakesItsTime, "view is async, and has to give a OneCardView at once"),
    ("answers", Bare, 'view gives ("",), and has to give a OneCardView'),
    ("answers", SeatAlone, "to_act gives 0, and has to give a list of seats"),
    ("answers", MoveAlone, "legal_moves gives TurnUp(), and has to give a list of moves: put it into a list"),
    ("answers", SaysWhoWon, 'outcome gives "red", and has to give an Outcome, or None while the round runs'),
    ("outcomes", PointsOfItsOwn, "the outcome: Outcome.seats[0].points is 1, which cannot be stored"),
    ("answers", SeatsOfItsOwn, "TurnedUp.seat is 0, which cannot be stored"),
    ("answers", OnlyTwo, "OnlyTwo.begin ("),
    ("answers", NotAtTheTop, "raises IndexError: no cards"),
    ("answers", NobodyBegins, "raises IndexError: tuple index out of range"),
    ("answers", NeverQuiet, "raises KeyError: 'quiet'"),
    (
        "leaving",
        WaitsForEver,
        "seat 0 has left, and in the next round [0] are to act: begin has to go by setup.gone",
    ),
    ("leaving", WaitsLater, "seat 0 has left, and in the next round [0] are to act"),
    ("storage", Heavy, "the state: it takes 2.01 MB to store, and 1 MB is the most"),
    ("answers", ThreeIsTooMany, "raises KeyError: 'three', when seat 0 plays Keep()"),
]
"""The law, the game that breaks it, and a part of what is said."""
