"""The game Flip 7: the contract of a round, by the rule sheet flip7, F1 to F28."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from fliptable import (
    CardTrail,
    Chance,
    Choices,
    Context,
    Events,
    Game,
    MoveRange,
    Outcome,
    Refusal,
    Result,
    Seat,
    SeatOutcome,
    Setup,
    Viewer,
)
from fliptable_games.flip7 import vocabulary
from fliptable_games.flip7.cards import DECK, FLIP_THREE, SEVEN, a_card
from fliptable_games.flip7.events import EVENTS, CardTurned, DealerNamed, Stayed
from fliptable_games.flip7.evolve import APPLY, FIRST_DEALER, with_deck
from fliptable_games.flip7.policies import POLICIES
from fliptable_games.flip7.resolution import DISCARD_PILE, Resolution, plain_hit
from fliptable_games.flip7.state import (
    ACTIVE,
    Choice,
    Flip7Carry,
    Flip7State,
    Line,
    choice_of,
    cycle_with,
    on_turn,
    opening,
    swept,
)
from fliptable_games.flip7.views import Flip7View, view_of
from fliptable_games.flip7.vocabulary import (
    Assign,
    ChoiceKind,
    Flip7Options,
    Hit,
    LineStatus,
    Move,
    Rules,
    Stay,
)

RULES = """\
Push your luck: take cards one at a time and bank before a number comes twice.

The 94 cards: one 0, one 1, two 2s … twelve 12s; one each of +2 +4 +6 +8 +10 and ×2; three each of
Freeze, Flip Three and Second Chance.

On your turn **hit** (take a card) or **stay** (bank your line and be out). A second copy of a number
busts the line: it scores nothing. A line scores the sum of its numbers, doubled with ×2, plus its
plus-cards. Seven different numbers end the round for everybody and score 15 more.

Whoever turns up an action card gives it to any player who is still in, themself included. **Freeze**:
they bank and are out. **Flip Three**: they take three cards; a Freeze or Flip Three among those waits
until the third. **Second Chance** stays with who turns it up and saves the line once; a second one
goes to somebody without one.

The deck goes on from round to round; only when it is empty is the discard pile shuffled.

By the **official** rules everybody is dealt a card first, and a Second Chance works at once, also in a
Flip Three. By the **hosted** rules there is no deal, staying without a card is allowed, a Second Chance
in a Flip Three waits like the other actions, and who busts in one still gives away its Freezes and
Flip Threes."""

_OFFICIAL = {"threshold": 200, "reach": "AT_LEAST", "ties": "PLAY_ON"}
_HOSTED = {"threshold": 200, "reach": "MORE_THAN", "ties": "ALL_WIN"}
_ENDS = {
    LineStatus.BUST: Result.BUST,
    LineStatus.LEFT: Result.LOST,
}


class Flip7(Game[Flip7State, Move]):
    """Flip 7 for one to eighteen seats (F1), in two rule sets."""

    id = "flip7"
    name = "Flip 7"
    graphql = "Flip7"
    summary = "Flip cards without a pair; seven different numbers end the round."
    rules = RULES
    seats = range(1, 19)
    totals = range(50, 1001)
    Options = Flip7Options
    State = Flip7State
    Carry = Flip7Carry | None
    View = Flip7View
    moves = (Hit, Stay, Assign)
    events = EVENTS
    refusals = vocabulary.REFUSALS
    reasons = vocabulary.REASONS
    results = frozenset((Result.SCORED, Result.BUST, Result.LOST))
    policies = POLICIES
    default_mode = "match"

    def begin(self, setup: Setup) -> Flip7State:
        """Empty lines, the piles as the last round left them (F20, F28)."""
        hosted = setup.options.rules is Rules.HOSTED
        return opening(hosted, setup.seats, setup.gone, setup.carry)

    def deal(self, state: Flip7State, ctx: Context) -> Events:
        """In a first round chance names the dealer and shuffles the deck; then the deal (F2 to F6)."""
        play = Resolution(state, ctx.chance)
        if state.shuffle == 0:
            seats = [str(seat) for seat, line in enumerate(state.lines) if not line.gone]
            play.emit(ctx.chance.shuffle(seats, FIRST_DEALER))
            play.emit(ctx.chance.shuffle(DECK))
        play.emit(DealerNamed(play.state.dealer))
        return play.run()

    def to_act(self, state: Flip7State) -> Collection[Seat]:
        """Who has something to decide, else the seat whose turn it is (F7)."""
        choice = choice_of(state)
        if choice is not None:
            return (choice.seat,)
        if state.active == 0:
            return ()
        return (on_turn(state),)

    def legal_moves(self, state: Flip7State, seat: Seat) -> Sequence[Move | MoveRange]:
        """Hit, and stay with a card in front (F8); or who gets an action card."""
        choice = choice_of(state)
        if choice is not None and choice.card is not None:
            return [MoveRange(Assign(choice.targets[0]), {"to": Choices(choice.targets)})]
        if _may_stay(state, state.lines[seat]):
            return [Hit(), Stay()]
        return [Hit()]

    def decide(self, state: Flip7State, seat: Seat, move: Move, ctx: Context) -> Events | Refusal:
        """A move with all that follows from it, up to the next decision."""
        choice = choice_of(state)
        if choice is None and type(move) is Hit:
            settled = plain_hit(state, seat)
            if settled is not None:
                return settled
        play = Resolution(state, ctx.chance)
        if type(move) is Assign:
            if choice is None or choice.card is None:
                return Refusal("NO_CHOICE_OPEN", "No action card waits: hit or stay.")
            if move.to not in choice.targets:
                return Refusal("NOT_A_TARGET", _not_a_target(state, choice, move.to), "to")
            play.assign(seat, choice.card, move.to)
        elif choice is not None and choice.card is not None:
            message = f"{a_card(choice.card).capitalize()} waits: first say who gets it."
            return Refusal("CHOICE_OPEN", message)
        elif type(move) is Stay:
            if not _may_stay(state, state.lines[seat]):
                return Refusal("EMPTY_LINE", "There is no card in front of you yet: you have to hit.")
            if choice is None:
                return [Stayed(seat, state.lines[seat].points)]
            play.stay(seat)
        elif choice is not None:
            play.take_optional(seat)
        else:
            play.hit(seat)
        return play.run()

    def evolve(self, state: Flip7State, event: Any) -> Flip7State:
        """Apply an event."""
        return APPLY[type(event)](state, event)

    def outcome(self, state: Flip7State) -> Outcome | None:
        """Over when nobody is in (F6, F25); what each line scores (F9, F23, F24)."""
        if state.active:
            return None
        return Outcome(tuple([_outcome(line) for line in state.lines]))

    def leave(self, state: Flip7State, seat: Seat, ctx: Context) -> Events:
        """A seat that is in is out and banks nothing; one that is out keeps what it has banked.

        Its line stays on the table. What it had to assign is discarded; what it has assigned stays
        in force. In later rounds it is not dealt to, and the dealer's role passes it by.
        """
        if state.lines[seat].gone:
            return []
        play = Resolution(state, ctx.chance)
        play.leave(seat)
        return play.run()

    def expired(self, state: Flip7State, seat: Seat, ctx: Context) -> Events:
        """The seat banks, or hits where it cannot; an action card goes to itself, else clockwise."""
        events = self.decide(state, seat, _unasked(state, seat), ctx)
        assert not isinstance(events, Refusal), events.message
        return events

    def view(self, state: Flip7State, viewer: Viewer) -> Flip7View:
        """The same for everybody: only the order of the draw pile is hidden."""
        return view_of(state)

    def carry(self, state: Flip7State) -> Flip7Carry:
        """The piles, every line gone to the discard pile, and the dealer (F20, F28)."""
        return swept(state)

    def hides(self, state: Flip7State) -> Collection[int]:
        """The shuffle of the draw pile, as long as a card of it is not drawn."""
        return (state.shuffle,) if state.place < len(state.deck) else ()

    def all_cards(self, state: Flip7State) -> Sequence[str]:
        """The piles, the lines, and the cards that wait for somebody or to take effect (F1)."""
        piles = swept(state)
        cards = [*piles.draw, *piles.discard, *[one.card for one in state.queue]]
        cards += [] if state.turned is None else [state.turned]
        return cards if state.flip is None else [*cards, FLIP_THREE, *state.flip.set_aside]

    def suggest(self, mode: str, options: Any) -> Mapping[str, Any]:
        """How a match ends by the rule set (F29, F30)."""
        if mode != "match":
            return {}
        return _HOSTED if options.rules is Rules.HOSTED else _OFFICIAL

    def cards_left(self, state: Flip7State) -> int:
        """The size of the draw pile."""
        return len(state.deck) - state.place

    def cycle(self, state: Flip7State) -> int:
        """From 1, one more each time the turn passes the seat to the dealer's left, active or not."""
        settled = state.active == 0 or choice_of(state) is not None
        return max(1, state.cycle if settled else cycle_with(state, on_turn(state)))

    def ask(self, state: Flip7State, seat: Seat, names: Sequence[str]) -> str:
        """The question for the seat that is to act."""
        name = names[seat]
        choice = choice_of(state)
        if choice is None or choice.card is None:
            if not _may_stay(state, state.lines[seat]):
                return f"Ask {name} to hit: there is no card to stay with yet."
            card = "take the card of the deal" if choice is not None else "hit"
            return f"Ask {name}: {card} or stay?"
        whom = _or_list([names[target] if target != seat else "themself" for target in choice.targets])
        return f"Ask {name}: {_QUESTIONS[choice.kind]}, {whom}?"

    def trails(self, options: Any, seats: int) -> Sequence[CardTrail]:
        """Every card that is turned up is the next of the draw pile, whoever it is for."""
        return (CardTrail(CardTurned, piles=("deck", DISCARD_PILE)),)

    def shuffle_unknown(self, state: Flip7State, viewer: Viewer, chance: Chance) -> Flip7State:
        """The draw pile in another order, for every viewer."""
        drawn, hidden = state.deck[: state.place], state.deck[state.place :]
        return with_deck(state, (*drawn, *chance.shuffle(hidden).order))


_QUESTIONS = {
    ChoiceKind.FREEZE: "who is frozen",
    ChoiceKind.FLIP_THREE: "who has to flip three",
    ChoiceKind.SECOND_CHANCE: "who gets the Second Chance",
}


def _may_stay(state: Flip7State, line: Line) -> bool:
    return state.hosted or not line.empty


def _unasked(state: Flip7State, seat: Seat) -> Move:
    """What is done for a seat that does not say what it wants: what harms nobody else."""
    choice = choice_of(state)
    if choice is None or choice.card is None:
        return Stay() if _may_stay(state, state.lines[seat]) else Hit()
    return Assign(min(choice.targets, key=lambda to: (to - seat) % len(state.lines)))


def _not_a_target(state: Flip7State, choice: Choice, to: Seat) -> str:
    if not 0 <= to < len(state.lines):
        return f"There is no seat {to}; the seats are 0 to {len(state.lines) - 1}."
    if state.lines[to].status is not ACTIVE:
        return f"Seat {to} is out of the round; the card can go to {_seats(choice)}."
    return f"Seat {to} has a Second Chance already; the card can go to {_seats(choice)}."


def _seats(choice: Choice) -> str:
    return "seat " + _or_list([str(seat) for seat in choice.targets])


def _or_list(words: Sequence[str]) -> str:
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _outcome(line: Line) -> SeatOutcome:
    status = line.status
    measures = {"numbers": len(line.numbers), "flip7": int(len(line.numbers) == SEVEN)}
    return SeatOutcome(_ENDS.get(status, Result.SCORED), line.points, status.value, measures)
