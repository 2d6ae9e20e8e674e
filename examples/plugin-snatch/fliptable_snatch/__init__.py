"""Snatch: everybody chooses a card unseen; the highest takes the trick, unless the lowest snatches it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

import fliptable as ft

HAND, RANKS = 3, "2345678910JQKA"


@dataclass(frozen=True, slots=True)
class Choose:
    """Choose a card, which the others see when all have chosen."""

    card: Annotated[ft.PlayingCard, "A card of the hand."]


@dataclass(frozen=True, slots=True)
class Answer:
    """Take the trick with the lowest card, once a round, or let it go."""

    snatch: Annotated[bool, "Whether the trick is snatched."]


@dataclass(frozen=True, slots=True)
class Chose:
    """A card was chosen."""

    seat: Annotated[int, "Who chose."]
    card: Annotated[ft.PlayingCard | None, "The card, for its owner."]

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} chooses {self.card or 'a card'}."


@dataclass(frozen=True, slots=True)
class Shown:
    """All chosen cards are turned up, and one seat is asked before the trick is taken."""

    cards: Annotated[tuple[ft.PlayingCard, ...], "The cards, in the order of the seats that are in."]
    asked: Annotated[int | None, "Who may snatch the trick."]

    def text(self, names: Sequence[str]) -> str:
        return f"The cards are {' '.join(card.text for card in self.cards)}."


@dataclass(frozen=True, slots=True)
class Taken:
    """A trick was taken."""

    seat: Annotated[int, "Who took it."]

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} takes the trick."


@dataclass(frozen=True, slots=True)
class Out:
    """A seat is out of the round."""

    seat: Annotated[int, "Who is out."]

    def text(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} is out."


@dataclass(frozen=True, slots=True)
class SnatchState:
    """The round, all hands included."""

    hands: dict[int, tuple[str, ...]]
    tricks: tuple[int, ...]
    out: frozenset[int]
    chosen: dict[int, str] = field(default_factory=dict[int, str])
    used: frozenset[int] = frozenset()
    asked: int | None = None
    deck: tuple[str, ...] = ()
    played: tuple[str, ...] = ()

    @property
    def inside(self) -> list[int]:
        return [seat for seat in range(len(self.hands)) if seat not in self.out]

    @property
    def waiting(self) -> list[int]:
        return [seat for seat in self.inside if self.hands[seat] and seat not in self.chosen]


@dataclass(frozen=True, slots=True)
class SnatchView:
    """A round of Snatch as somebody sees it."""

    hands: Annotated[tuple[tuple[ft.PlayingCard, ...] | None, ...], "The hands that the viewer sees."]
    chosen: Annotated[tuple[ft.PlayingCard | None, ...], "The chosen cards that the viewer sees."]
    asked: Annotated[int | None, "Who may snatch the trick."]
    tricks: Annotated[tuple[int, ...], "The tricks of each seat."]


class Snatch(ft.Game[SnatchState, Any]):
    """Snatch."""

    id, name, graphql = "snatch", "Snatch", "Snatch"
    summary = rules = (
        "Choose a card each, unseen. The highest takes the trick; once a round the lowest may snatch it."
    )
    seats = range(2, 6)
    State, View = SnatchState, SnatchView
    moves, events = (Choose, Answer), (Chose, Shown, Taken, Out)

    def begin(self, setup: ft.Setup) -> SnatchState:
        return SnatchState(dict.fromkeys(range(setup.seats), ()), (0,) * setup.seats, setup.gone)

    def deal(self, state: SnatchState, ctx: ft.Context) -> ft.Events:
        return [ctx.chance.shuffle(ft.STANDARD_DECK)]

    def to_act(self, state: SnatchState) -> Sequence[int]:
        if self.outcome(state) is not None:
            return []
        return state.waiting if state.asked is None else [state.asked]

    def legal_moves(self, state: SnatchState, seat: int) -> Sequence[Any]:
        if state.asked == seat:
            return [Answer(True), Answer(False)]
        hand = _cards(state.hands[seat])
        return [ft.MoveRange(Choose(hand[0]), {"card": ft.Choices(hand)})]

    def decide(self, state: SnatchState, seat: int, move: Any, ctx: ft.Context) -> ft.Events | ft.Refusal:
        if isinstance(move, Choose) is (state.asked is not None):
            return ft.Refusal("ILLEGAL_MOVE", "Now it is about the trick: snatch it, or let it go.")
        if isinstance(move, Answer):
            return [Taken(seat if move.snatch else _order(state)[-1])]
        if move.card.value not in state.hands[seat]:
            return ft.Refusal("INVALID_VALUE", f"{move.card} is not in your hand.", "card")
        chose = Chose(seat, move.card)
        return [ft.Private(chose, frozenset({seat}), Chose(seat, None)), *_next(self.evolve(state, chose))]

    def evolve(self, state: SnatchState, event: Any) -> SnatchState:
        match event:
            case ft.Shuffled():
                hands = {seat: event.order[seat * HAND :][:HAND] for seat in state.hands}
                return replace(state, hands=hands, deck=event.order[HAND * len(hands) :])
            case Chose(seat=seat, card=ft.PlayingCard(value=code)):
                hand = tuple([one for one in state.hands[seat] if one != code])
                return replace(state, hands=state.hands | {seat: hand}, chosen=state.chosen | {seat: code})
            case Shown():
                return replace(state, asked=event.asked)
            case Taken():
                tricks = tuple([each + (seat == event.seat) for seat, each in enumerate(state.tricks)])
                used = state.used | ({event.seat} & {state.asked})
                played = (*state.played, *state.chosen.values())
                return replace(state, tricks=tricks, used=used, played=played, chosen={}, asked=None)
            case _:
                return replace(state, out=state.out | {event.seat})

    def view(self, state: SnatchState, viewer: ft.Viewer) -> SnatchView:
        hands = [_cards(hand) if seat in viewer else None for seat, hand in state.hands.items()]
        seen = [seat in state.chosen and (seat in viewer or state.asked is not None) for seat in state.hands]
        chosen = [ft.CARD[state.chosen[seat]] if seen[seat] else None for seat in state.hands]
        return SnatchView(tuple(hands), tuple(chosen), state.asked, state.tricks)

    def outcome(self, state: SnatchState) -> ft.Outcome | None:
        inside = state.inside
        if len(inside) > 1 and (not state.deck or state.chosen or state.waiting):
            return None
        best = max([state.tricks[seat] for seat in inside], default=0)
        top = [seat for seat in inside if state.tricks[seat] == best]
        result = ft.Result.WON if len(top) == 1 else ft.Result.DRAWN
        ends = [(result, best) if seat in top else (ft.Result.LOST, 0) for seat in state.hands]
        return ft.Outcome(tuple([ft.SeatOutcome(*end) for end in ends]))

    def leave(self, state: SnatchState, seat: int, ctx: ft.Context) -> ft.Events:
        after = self.evolve(state, Out(seat))
        if state.asked == seat and _order(after):
            return [Out(seat), Taken(_order(after)[-1])]
        return [Out(seat), *(_next(after) if state.asked is None else [])]

    def all_cards(self, state: SnatchState) -> Sequence[str]:
        return [*sum(state.hands.values(), ()), *state.chosen.values(), *state.deck, *state.played]

    def shuffle_unknown(self, state: SnatchState, viewer: ft.Viewer, chance: ft.Chance) -> SnatchState:
        secret = [seat for seat in state.hands if seat not in viewer]
        unseen = [seat for seat in secret if seat in state.chosen and state.asked is None]
        cards = [*state.deck, *sum((state.hands[seat] for seat in secret), ())]
        mixed = list(chance.shuffle([*cards, *[state.chosen[seat] for seat in unseen]]).order)
        chosen = {**state.chosen, **{seat: mixed.pop() for seat in unseen}}
        other = {seat: tuple([mixed.pop() for _ in state.hands[seat]]) for seat in secret}
        return replace(state, hands={**state.hands, **other}, chosen=chosen, deck=tuple(mixed))


def _next(state: SnatchState) -> list[Any]:
    """What follows once everybody who is in has chosen: the cards, and the trick if nobody may snatch it."""
    order = _order(state)
    if state.waiting or len(order) < 2:
        return []
    asked = None if order[0] in state.used else order[0]
    cards = tuple([ft.CARD[state.chosen[seat]] for seat in sorted(order)])
    return [Shown(cards, asked), *([Taken(order[-1])] if asked is None else [])]


def _order(state: SnatchState) -> list[int]:
    """The seats that are in and have chosen, the lowest card first; between equal ranks the suit decides."""
    chosen = {seat: state.chosen[seat] for seat in state.inside if seat in state.chosen}
    return sorted(chosen, key=lambda seat: (RANKS.index(chosen[seat][:-1]), chosen[seat][-1]))


def _cards(codes: Sequence[str]) -> tuple[ft.PlayingCard, ...]:
    return tuple([ft.CARD[code] for code in codes])


@ft.hookimpl
def fliptable_games() -> list[ft.Game[Any, Any]]:
    return [Snatch()]
