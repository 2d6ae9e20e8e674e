"""Games that each break one law, for the tests of the kit: One Card and High Card with something wrong.

``BROKEN_GAMES`` has for each the law and a part of what is said of it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar

from highcard import DECK, Dealt, DealtUnseen, Gone, HighCard, HighState, Keep, Swap
from impuregames import (
    ChangesTheState,
    ClockUse,
    EvolvesByItself,
    GoesOverASet,
    ImpureDecide,
    Restless,
    StateOfLists,
    UnserialisableState,
)
from leakygames import (
    AskingTells,
    ForgetsHands,
    LeakingView,
    MovesTell,
    ShowsDraws,
    ShowsHands,
    UnsaidSecrets,
)
from rawgames import RAW_GAMES
from straygames import STRAY_GAMES

from fliptable import (
    CARD,
    CardTrail,
    PlayingCard,
    Policy,
    Refusal,
    Result,
    SeatOutcome,
)
from fliptable.rules import Outcome
from fliptable.testing import OneCard
from fliptable.testing.toys import OneCardState, OneCardView, TurnedUp, TurnUp


@dataclass(frozen=True, slots=True)
class Pass:
    """Do nothing."""


@dataclass(frozen=True, slots=True)
class Name:
    """Name a card."""

    card: Annotated[PlayingCard, "The card."]


class NoTurn(HighCard):
    """Once the first seat has kept its card, nobody is to act any more."""

    def to_act(self, state: HighState) -> Collection[int]:
        return () if state.kept[0] else super().to_act(state)


class GoneActs(OneCard):
    """Who has left is still to act."""

    def to_act(self, state: OneCardState) -> Sequence[int]:
        return [seat for seat, card in enumerate(state.cards) if not card][:1] if state.waiting else ()


class Unlisted(HighCard):
    """Of the bonuses that can be chosen only one is listed."""

    def legal_moves(self, state: HighState, seat: int) -> Sequence[Any]:
        return [Keep(state.options.least)]


class ListedButRefused(HighCard):
    """The highest bonus is listed and refused."""

    def decide(self, state: HighState, seat: int, move: Any, ctx: Any) -> Any:
        if isinstance(move, Keep) and move.bonus == state.options.least + 9:
            return Refusal("ILLEGAL_MOVE", "That is too much.")
        return super().decide(state, seat, move, ctx)


class AcceptsAnyCard(OneCard):
    """Only the ace of spades may be named, and all cards are accepted."""

    moves = (Name,)  # type: ignore[assignment]

    def legal_moves(self, state: OneCardState, seat: int) -> Sequence[Any]:
        return [Name(CARD["AS"])]


class UndeclaredRefusal(HighCard):
    """It refuses with a code that is not declared."""

    def decide(self, state: HighState, seat: int, move: Any, ctx: Any) -> Any:
        result = super().decide(state, seat, move, ctx)
        return replace(result, code="OH_NO") if isinstance(result, Refusal) else result


class MutatingRefusal(OneCard):
    """Who passes is told that it cannot be done, and loses a card all the same."""

    id = "mutating-refusal"
    moves = (TurnUp, Pass)  # type: ignore[assignment]

    def decide(self, state: OneCardState, seat: int, move: Any, ctx: Any) -> Any:
        if isinstance(move, Pass):
            object.__setattr__(state, "drawn", state.drawn + 1)
            return Refusal("ILLEGAL_MOVE", "Nobody can pass.")
        return super().decide(state, seat, move, ctx)


class UndeclaredEvent(HighCard):
    """It does not declare that cards are kept."""

    events = (Dealt, DealtUnseen, Gone)  # type: ignore[assignment]


class SilentShuffle(OneCard):
    """It shuffles once more than it says."""

    def deal(self, state: OneCardState, ctx: Any) -> Any:
        ctx.chance.shuffle(("1", "2"))
        return super().deal(state, ctx)


class LoserLeads(HighCard):
    """The winner has fewer points than the losers."""

    def outcome(self, state: HighState) -> Outcome | None:
        found = super().outcome(state)
        if found is None:
            return None
        lost = SeatOutcome(Result.LOST, 3)
        return Outcome((SeatOutcome(Result.WON, 1), *[lost] * (len(found.seats) - 1)))

    results = frozenset({Result.WON, Result.LOST})


class BustLeads(LoserLeads):
    """The same, of who is bust."""

    def outcome(self, state: HighState) -> Outcome | None:
        found = super().outcome(state)
        return found and Outcome(tuple([replace(one, result=self.other[one.result]) for one in found.seats]))

    other: Mapping[Result, Result] = {Result.WON: Result.WON, Result.LOST: Result.BUST}
    results = frozenset({Result.WON, Result.BUST})


class UndeclaredResult(HighCard):
    """Rounds end as it does not say that they can end."""

    results = frozenset({Result.WON})


class NobodyLeaves(HighCard):
    """Nothing happens when somebody leaves."""

    def leave(self, state: HighState, seat: int, ctx: Any) -> Any:
        return []


class OddFacts(HighCard):
    """It has fewer cards than none."""

    def cards_left(self, state: HighState) -> int:
        return -1


class DoublesACard(HighCard):
    """The first hand is there twice as soon as somebody has kept it."""

    def all_cards(self, state: HighState) -> Sequence[str]:
        hands = [card for card in state.hands if card]
        return [*state.pile, *state.discards, *hands, *hands[:1]] if any(state.kept) else list(DECK)


class PlaysTooHigh(HighCard):
    """Its policy boasts with more than can be chosen."""

    policies: ClassVar[Mapping[str, Policy]] = {"bold": lambda view, seat, moves, random: Keep(10_000)}


class GoesAstray(HighCard):
    """It says that its cards come from one card further down."""

    def trails(self, options: Any, seats: int) -> Sequence[CardTrail]:
        return [CardTrail(Dealt, "card", ("deck",), skip=1)]


class UnendingRound(OneCard):
    """Everybody turns up cards for ever."""

    id = "unending-round"

    def evolve(self, state: OneCardState, event: Any) -> OneCardState:
        after = super().evolve(state, event)
        return replace(after, cards=("",) * len(after.cards), drawn=after.drawn % 52)


class UnendingWait(HighCard):
    """Whoever lets their time pass gets a three."""

    def expired(self, state: HighState, seat: int, ctx: Any) -> Any:
        return [Dealt(seat, "3")]


class SwapsForEver(HighCard):
    """Whoever plays by its policy never keeps a card."""

    policies: ClassVar[Mapping[str, Policy]] = {"restless": lambda view, seat, moves, random: Swap()}


@dataclass(frozen=True, slots=True)
class Passed:
    """Somebody did nothing."""

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return "Somebody passes."


class ForgetsPasses(OneCard):
    """Who passes is asked again, with nothing that says so."""

    moves = (TurnUp, Pass)  # type: ignore[assignment]
    events = (*OneCard.events, Passed)

    def legal_moves(self, state: OneCardState, seat: int) -> Sequence[Any]:
        return [TurnUp(), Pass()]

    def decide(self, state: OneCardState, seat: int, move: Any, ctx: Any) -> Any:
        return [Passed()] if isinstance(move, Pass) else super().decide(state, seat, move, ctx)

    def evolve(self, state: OneCardState, event: Any) -> OneCardState:
        return state if isinstance(event, Passed) else super().evolve(state, event)


class MissingHandler(OneCard):
    """Nothing is done for the event that a card was turned up."""

    id = "missing-handler"

    def evolve(self, state: OneCardState, event: Any) -> OneCardState:
        if isinstance(event, TurnedUp):
            raise NotImplementedError(f"no handler for {type(event).__name__}")
        return super().evolve(state, event)


class ExceptionInView(OneCard):
    """Once somebody has a card, it cannot be looked at any more."""

    id = "exception-in-view"

    def view(self, state: OneCardState, viewer: Any) -> OneCardView:
        if state.drawn:
            raise KeyError("cards")
        return super().view(state, viewer)


class UndealtRound(OneCard):
    """It cannot be dealt."""

    def deal(self, state: OneCardState, ctx: Any) -> Any:
        return [ctx.chance.shuffle(tuple(int(card) for card in "AS"))]


class LowerCase(OneCard):
    """Its types would not be called as types are."""

    graphql = "oneCard"


BROKEN_GAMES: Sequence[tuple[str, type[Any], str]] = [
    ("turns", NoTurn, "the round runs, and nobody is to act"),
    ("moves", Unlisted, "is not among the legal moves, and is accepted"),
    ("moves", ListedButRefused, "is refused: ILLEGAL_MOVE: That is too much."),
    ("moves", AcceptsAnyCard, "is not among the legal moves, and is accepted"),
    (
        "moves",
        UndeclaredRefusal,
        "the refusal code OH_NO is neither the table's nor declared in the game's refusals",
    ),
    (
        "moves",
        MutatingRefusal,
        "Pass() is refused, and changes the state: state.drawn is 1 before and 2 after",
    ),
    ("purity", ChangesTheState, "legal_moves changes the state that it is given: state.turn is "),
    ("purity", ImpureDecide, "decide(TurnUp()) changes the state that it is given: state.drawn is 0 before"),
    ("purity", ClockUse, "decide uses time; time and chance are arguments"),
    ("events", UndeclaredEvent, "Kept(seat=0, bonus=0) is of no class in events; add Kept to them"),
    ("events", SilentShuffle, "ctx.chance has shuffled 2 times, and 1 Shuffled is among the events"),
    (
        "events",
        ForgetsPasses,
        "Pass() is accepted, and what comes of it, [Passed()], leaves the state as it is",
    ),
    ("storage", StateOfLists, "the state: hands is ['1'] and after storage ('1',)"),
    ("storage", UnserialisableState, "the state: cards is ['9S'] and after storage ('9S',)"),
    (
        "replay",
        EvolvesByItself,
        "the events alone do not give the state that was reached: state.turn is",
    ),
    (
        "same seed, same game",
        Restless,
        "the same moves lead to something else the second time: what comes of the moves",
    ),
    ("same seed, same game", GoesOverASet, "in another process, where sets"),
    ("outcomes", LoserLeads, "seat 1 has LOST with 3 points, and seat 0 has WON with 1"),
    ("outcomes", BustLeads, "seat 1 has BUST with 3 points, and seat 0 has WON with 1"),
    ("outcomes", UndeclaredResult, "the results ['SCORED'] are not declared in the game's results"),
    ("leaving", NobodyLeaves, "after seat 0 has left, [0] are to act"),
    ("leaving", GoneActs, "after seat 0 has left, [0] are to act"),
    ("facts", OddFacts, "cards_left gives -1"),
    ("cards", DoublesACard, "1 made up: all_cards had 9 cards and has 10"),
    ("policies", PlaysTooHigh, "the policy 'bold' plays Keep(bonus=10000), which is not legal"),
    ("trails", GoesAstray, 'Dealt(seat=0, card="1") is not card 2 of shuffle 1, which is 3'),
    (
        "nothing leaks",
        ShowsHands,
        "a spectator can tell hidden things apart: view.hands[0] is '1' or '",
    ),
    ("nothing leaks", LeakingView, "a spectator can tell hidden things apart: view.cards[0] is '9S' or '"),
    ("nothing leaks", AskingTells, "can tell hidden things apart: what is asked next (`ask`; by default"),
    ("nothing leaks", MovesTell, "what is asked next (`ask`; by default the labels of the legal moves"),
    ("events leak nothing", ShowsDraws, "a spectator is told what they cannot know: Dealt.card is "),
    (
        "nothing is forgotten",
        ForgetsHands,
        "shuffle_unknown forgets something: view.hands[0] is '",
    ),
    ("something is hidden", UnsaidSecrets, "shuffle_unknown never changes anything"),
    ("rounds end", UnendingRound, "not over after 200 moves"),
    ("rounds end", UnendingWait, "not over after the time of whoever was to act was up 201 times"),
    ("rounds end", SwapsForEver, "not over after 200 moves by the policy 'restless'"),
    ("answers", MissingHandler, "raises NotImplementedError: no handler for TurnedUp"),
    ("answers", ExceptionInView, "ExceptionInView.view (brokengames.py, line "),
    ("answers", UndealtRound, "UndealtRound.deal (brokengames.py, line "),
    ("contract", LowerCase, "GraphQL name 'oneCard' is not in PascalCase"),
    *RAW_GAMES,
    *STRAY_GAMES,
]
"""The law, the game that breaks it, and a part of what is said."""
