"""The state of a round of Flip 7, what it leaves to the next, and questions it can answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fliptable import Seat
from fliptable_games.flip7.cards import DECK, FLIP_THREE, FREEZE, PLAIN, SECOND_CHANCE
from fliptable_games.flip7.scoring import worth
from fliptable_games.flip7.vocabulary import ChoiceKind, LineStatus

ACTIVE = LineStatus.ACTIVE
_NOTHING = (LineStatus.BUST, LineStatus.LEFT)


@dataclass(slots=True)
class Line:
    """The cards in front of one seat, and where the seat stands."""

    numbers: tuple[int, ...] = ()
    modifiers: tuple[str, ...] = ()
    second_chance: bool = False
    status: LineStatus = ACTIVE
    bust_card: int | None = None
    frozen: bool = False
    """Whether a Freeze lies here until the round ends (F11, OFFICIAL)."""
    optional: bool = False
    """Whether the seat took a Flip Three before it was dealt to (F5)."""
    gone: bool = False
    """Whether nobody holds the seat any more."""

    @property
    def points(self) -> int:
        """What the line scores if it is banked as it lies (F24)."""
        return 0 if self.status in _NOTHING else worth(self.numbers, self.modifiers)

    @property
    def empty(self) -> bool:
        """Whether the seat has no card of any kind in front of it (F8)."""
        return not (self.numbers or self.modifiers or self.second_chance)

    def codes(self) -> list[str]:
        """Every card in front of the seat, as codes."""
        codes = [str(number) for number in self.numbers]
        codes += self.modifiers
        if self.second_chance:
            codes.append(SECOND_CHANCE)
        if self.bust_card is not None:
            codes.append(str(self.bust_card))
        if self.frozen:
            codes.append(FREEZE)
        return codes


@dataclass(slots=True)
class FlipThree:
    """The Flip Three that is being resolved (F12); there is never more than one."""

    taker: Seat
    by: Seat
    taken: int = 0
    set_aside: tuple[str, ...] = ()
    promised: tuple[Seat, ...] = ()
    """Who was assigned a Second Chance set aside in it (F18, HOSTED)."""


@dataclass(slots=True)
class Waiting:
    """An action card that is assigned and has not taken effect yet (F13)."""

    card: str
    by: Seat
    to: Seat


@dataclass(slots=True)
class Flip7Carry:
    """What a round leaves to the next (F28). ``shuffle`` is the number of the one that orders ``draw``."""

    draw: tuple[str, ...]
    discard: tuple[str, ...]
    dealer: Seat
    shuffle: int


@dataclass(slots=True)
class Flip7State:
    """One round. It is never changed in place; :func:`fliptable_games.flip7.evolve.evolve` makes new ones."""

    hosted: bool
    lines: tuple[Line, ...]
    active: int
    """How many seats are in."""
    deck: tuple[str, ...] = ()
    """The draw pile as it was shuffled, top first; its first ``place`` cards are drawn."""
    place: int = 0
    discard: tuple[str, ...] = ()
    plain: int = PLAIN
    """How many numbers and modifiers the two piles hold (F27)."""
    shuffle: int = 0
    """The number of the shuffle that orders the draw pile; 0 before the first."""
    dealer: Seat = 0
    turn: Seat = 0
    """Who hit or stayed last, the dealer before that: the turn is with the next active seat."""
    deal_at: int = 0
    """How far the deal is, in seats from the dealer's left; as many as there are seats when it is over."""
    cycle: int = 0
    """How often the turn has passed the seat to the dealer's left."""
    turned: str | None = None
    """An action card or a second copy of a number that was just turned up."""
    drawer: Seat = 0
    """Who ``turned`` was turned up for."""
    flip: FlipThree | None = None
    queue: tuple[Waiting, ...] = ()
    """Assigned cards in the order in which they take effect (F13)."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A decision that the rules ask of a seat before play goes on. Targets are in seat order."""

    kind: ChoiceKind
    seat: Seat
    card: str | None = None
    targets: tuple[Seat, ...] = ()


_KINDS = {
    FREEZE: ChoiceKind.FREEZE,
    FLIP_THREE: ChoiceKind.FLIP_THREE,
    SECOND_CHANCE: ChoiceKind.SECOND_CHANCE,
}


def choice_of(state: Flip7State) -> Choice | None:
    """What a seat has to decide before the next hit-or-stay choice; None when nothing is open."""
    if state.turned is not None:
        return _assignment(state, state.drawer, state.turned) if state.turned in _KINDS else None
    if state.flip is not None:
        aside = state.flip.set_aside
        return _assignment(state, state.flip.taker, aside[0]) if aside else None
    if state.deal_at < len(state.lines):
        seat = dealt_next(state)
        return Choice(ChoiceKind.OPTIONAL_CARD, seat) if state.lines[seat].optional else None
    return None


def _assignment(state: Flip7State, seat: Seat, card: str) -> Choice:
    return Choice(_KINDS[card], seat, card, targets(state, card))


def targets(state: Flip7State, card: str) -> tuple[Seat, ...]:
    """Who can get the action card: anybody active (F11, F12), without a Second Chance for one (F17).

    A Second Chance that was assigned earlier in the same Flip Three counts as held (F18).
    """
    lines = state.lines
    if card != SECOND_CHANCE:
        return tuple([seat for seat, line in enumerate(lines) if line.status is ACTIVE])
    promised = state.flip.promised if state.flip is not None else ()
    return tuple(
        [
            seat
            for seat, line in enumerate(lines)
            if line.status is ACTIVE and not line.second_chance and seat not in promised
        ]
    )


def dealt_next(state: Flip7State) -> Seat:
    """The seat that the deal has reached."""
    return (state.dealer + 1 + state.deal_at) % len(state.lines)


def on_turn(state: Flip7State) -> Seat:
    """The seat whose turn it is, somebody being active and the deal over: the next one that is active."""
    lines = state.lines
    seats = len(lines)
    seat = (state.turn + 1) % seats
    while lines[seat].status is not ACTIVE:
        seat = (seat + 1) % seats
    return seat


def cycle_with(state: Flip7State, seat: Seat) -> int:
    """The cycle once the turn has come to the seat: one more if it passes the dealer's left on its way."""
    seats = len(state.lines)
    before = state.turn + 1
    passes = (state.dealer + 1 - before) % seats <= (seat - before) % seats
    return state.cycle + 1 if passes else state.cycle


def in_flight(state: Flip7State) -> Iterator[str]:
    """The cards neither in a pile nor in front of a seat: turned up, set aside, waiting, being resolved."""
    if state.turned is not None:
        yield state.turned
    if state.flip is not None:
        yield FLIP_THREE
        yield from state.flip.set_aside
    for waiting in state.queue:
        yield waiting.card


def swept(state: Flip7State) -> Flip7Carry:
    """The piles once every line has gone to the discard pile (F20), and the dealer."""
    lines = [code for line in state.lines for code in line.codes()]
    return Flip7Carry(state.deck[state.place :], (*state.discard, *lines), state.dealer, state.shuffle)


def opening(hosted: bool, seats: int, gone: frozenset[Seat], carry: Flip7Carry | None) -> Flip7State:
    """A round before its first event. Seats that nobody holds any more are out from the start."""
    lines = tuple(
        [Line(status=LineStatus.LEFT, gone=True) if seat in gone else Line() for seat in range(seats)]
    )
    deal_at = seats if hosted else 0
    if carry is None:
        return Flip7State(hosted, lines, seats - len(gone), deal_at=deal_at)
    dealer = (carry.dealer + 1) % seats
    while dealer in gone and len(gone) < seats:
        dealer = (dealer + 1) % seats
    return Flip7State(
        hosted,
        lines,
        seats - len(gone),
        carry.draw,
        0,
        carry.discard,
        PLAIN,
        carry.shuffle,
        dealer,
        dealer,
        deal_at,
    )


__all__ = [
    "ACTIVE",
    "DECK",
    "Choice",
    "Flip7Carry",
    "Flip7State",
    "FlipThree",
    "Line",
    "Waiting",
    "choice_of",
    "cycle_with",
    "dealt_next",
    "in_flight",
    "on_turn",
    "opening",
    "swept",
    "targets",
]
