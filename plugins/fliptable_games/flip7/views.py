"""A round of Flip 7 as anybody sees it: all of it is public but the order of the draw pile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fliptable_games.flip7.odds import Odds, next_card, odds
from fliptable_games.flip7.state import (
    Choice,
    Flip7State,
    FlipThree,
    Line,
    Waiting,
    choice_of,
    on_turn,
)
from fliptable_games.flip7.vocabulary import ChoiceKind, LineStatus, Phase, Rules

_CODES = "as codes: 0 to 12, +2 +4 +6 +8 +10, x2, FREEZE, FLIP3, CHANCE."


@dataclass(frozen=True, slots=True)
class LineView:
    """The cards in front of one seat."""

    seat: Annotated[int, "Whose line it is."]
    numbers: Annotated[tuple[int, ...], "The numbers, in the order in which they came."]
    modifiers: Annotated[tuple[str, ...], "The modifiers: +2 +4 +6 +8 +10 x2."]
    second_chance: Annotated[bool, "Whether the seat holds a Second Chance."]
    status: Annotated[LineStatus, "Where the seat stands in the round."]
    score: Annotated[int, "What the line scores, or would score if it were banked now."]
    bust_card: Annotated[int | None, "The second copy of a number that busted the line."]
    frozen: Annotated[bool, "Whether a Freeze lies in front of the seat."]
    dealt: Annotated[bool, "Whether the deal has passed the seat, or there is none."]


@dataclass(frozen=True, slots=True)
class PendingView:
    """A decision that a seat has to make before play goes on."""

    kind: Annotated[ChoiceKind, "What is to be decided."]
    seat: Annotated[int, "Who decides."]
    card: Annotated[str | None, "The action card that waits, as a code."]
    targets: Annotated[tuple[int, ...], "The seats that can get the card."]


@dataclass(frozen=True, slots=True)
class FlipThreeView:
    """The Flip Three that is being resolved."""

    seat: Annotated[int, "Who takes the cards."]
    by: Annotated[int, "Who assigned it."]
    taken: Annotated[int, "How many of the three cards are taken."]
    set_aside: Annotated[tuple[str, ...], "The action cards that wait for the third card, " + _CODES]


@dataclass(frozen=True, slots=True)
class WaitingCardView:
    """An action card that is assigned and has not taken effect yet."""

    card: Annotated[str, "FREEZE, FLIP3 or CHANCE."]
    by: Annotated[int, "Who assigned it."]
    to: Annotated[int, "Who gets it."]


@dataclass(frozen=True, slots=True)
class Flip7View:
    """A round of Flip 7 as everybody sees it."""

    rules: Annotated[Rules, "The rule set."]
    phase: Annotated[Phase, "What the round is at."]
    dealer: Annotated[int, "The dealer."]
    turn: Annotated[int | None, "Whose turn it is, or whom the deal has reached; whoever decides something."]
    cards_left: Annotated[int, "How many cards the draw pile has."]
    discarded: Annotated[tuple[str, ...], "The discard pile, oldest first, " + _CODES]
    lines: Annotated[tuple[LineView, ...], "One line a seat, in seat order."]
    pending: Annotated[PendingView | None, "What a seat has to decide first; null at a hit-or-stay choice."]
    turned_up: Annotated[str | None, "The action card that was just turned up and waits, as a code."]
    flip_three: Annotated[FlipThreeView | None, "The Flip Three that is being resolved."]
    waiting: Annotated[tuple[WaitingCardView, ...], "Assigned cards, in the order in which they take effect."]
    odds: Annotated[Odds | None, "What a hit would do, for the seat that may hit or stay."]


def view_of(state: Flip7State) -> Flip7View:
    """The view, the same for all."""
    choice = choice_of(state)
    over = state.active == 0
    dealing = not over and state.deal_at < len(state.lines)
    chooser = (
        None if over or (choice is not None and choice.card is not None) else _hit_or_stay(state, choice)
    )
    return Flip7View(
        rules=Rules.HOSTED if state.hosted else Rules.OFFICIAL,
        phase=Phase.OVER if over else Phase.DEAL if dealing else Phase.TURNS,
        dealer=state.dealer,
        turn=None if over else choice.seat if choice is not None else on_turn(state),
        cards_left=len(state.deck) - state.place,
        discarded=state.discard,
        lines=tuple([_line(state, seat, line) for seat, line in enumerate(state.lines)]),
        pending=None
        if choice is None
        else PendingView(choice.kind, choice.seat, choice.card, choice.targets),
        turned_up=state.turned,
        flip_three=None if state.flip is None else _flip_three(state.flip),
        waiting=tuple([_waiting(one) for one in state.queue]),
        odds=None if chooser is None else odds(chooser, state.lines[chooser], next_card(state)),
    )


def _hit_or_stay(state: Flip7State, choice: Choice | None) -> int | None:
    """Who may hit or stay; None while an action card waits."""
    if choice is None:
        return on_turn(state)
    return choice.seat if choice.kind is ChoiceKind.OPTIONAL_CARD else None


def _pending(choice: Choice) -> PendingView:
    return PendingView(choice.kind, choice.seat, choice.card, choice.targets)


def _line(state: Flip7State, seat: int, line: Line) -> LineView:
    seats = len(state.lines)
    return LineView(
        seat=seat,
        numbers=line.numbers,
        modifiers=line.modifiers,
        second_chance=line.second_chance,
        status=line.status,
        score=line.points,
        bust_card=line.bust_card,
        frozen=line.frozen,
        dealt=(seat - state.dealer - 1) % seats < state.deal_at,
    )


def _flip_three(flip: FlipThree) -> FlipThreeView:
    return FlipThreeView(flip.taker, flip.by, flip.taken, flip.set_aside)


def _waiting(one: Waiting) -> WaitingCardView:
    return WaitingCardView(one.card, one.by, one.to)
