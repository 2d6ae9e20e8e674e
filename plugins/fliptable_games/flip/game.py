"""FLIP as a game of Fliptable (rule sheet flip, Y1-Y13)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from fliptable import (
    CardTrail,
    Chance,
    Context,
    Events,
    Game,
    Outcome,
    Refusal,
    Result,
    Seat,
    SeatOutcome,
    Setup,
    Viewer,
)
from fliptable_games.flip import turn
from fliptable_games.flip.layout import layout_of
from fliptable_games.flip.letters import CARD_OF
from fliptable_games.flip.options import FlipOptions
from fliptable_games.flip.policies import POLICIES
from fliptable_games.flip.state import FIELD, STARTING_ORDER, FlipState, evolve
from fliptable_games.flip.unknown import shuffle_unknown
from fliptable_games.flip.view import FlipView, view_of
from fliptable_games.flip.vocabulary import (
    REASONS,
    AnyMove,
    CameBack,
    Drew,
    DrewUnseen,
    FlipPile,
    GaveUp,
    MoveCard,
    Moved,
    Passed,
    PassTurn,
    PileFlipped,
    PlaceCard,
    Placed,
    Stalemate,
    TurnBegan,
    WentOut,
    Won,
)

RULES = """\
The field is made of face-down cards from all decks. On your turn, if your deck has a card and the
field an open space (one without a face-up card), draw and place the card face-up on an open space.
Then **flip** any pile upside-down (not one that was flipped in the turn before), **move** one of your
cards on top of a pile to an adjacent space that is open or shows an enemy's card of equal or lower
value (not the card you have just placed), or pass. K Q J 10 … 2; an ace takes anything and anything
takes an ace. Covered cards do nothing until they are uncovered, and what was on top of a flipped pile
is its bottom. With an empty deck and no card on top of a pile you are out, until somebody turns up a
card of yours. The last player in wins. A position that occurs three times, many turns without a draw
or a round of turns in which nobody does anything end the game as a draw."""


class FlipGame(Game[FlipState, AnyMove]):
    """FLIP for two to four seats (Y1)."""

    id = "flip"
    name = "FLIP"
    graphql = "Flip"
    summary = "Battle over a field of piles that anybody may turn upside-down."
    rules = RULES
    seats = range(2, 5)
    Options = FlipOptions
    State = FlipState
    View = FlipView
    moves = (PlaceCard, FlipPile, MoveCard, PassTurn)
    events = (
        TurnBegan,
        Drew,
        DrewUnseen,
        Placed,
        PileFlipped,
        Moved,
        Passed,
        WentOut,
        CameBack,
        GaveUp,
        Won,
        Stalemate,
    )
    refusals = turn.REFUSALS
    reasons = REASONS
    results = frozenset((Result.WON, Result.LOST, Result.DRAWN))
    totals = range(1, 101)
    policies = POLICIES

    def check(self, options: FlipOptions, seats: int) -> None:
        """Refuse a split or a field that so many seats cannot play with (Y1, Y2)."""
        layout_of(options, seats)

    def suggest(self, mode: str, options: FlipOptions) -> Mapping[str, Any]:
        """A match is played up to three wins, each of which is a point."""
        return {"threshold": 3} if mode == "match" else {}

    def begin(self, setup: Setup) -> FlipState:
        """Nothing lies on the table yet. Errors: ValueError as :meth:`check`."""
        layout = layout_of(setup.options, setup.seats)
        left = sum(1 << seat for seat in setup.gone)
        return FlipState(layout, decks=("",) * layout.seats, left=left)

    def deal(self, state: FlipState, ctx: Context) -> Events:
        """Shuffle the decks, make the field of them, choose who begins; the first turn (Y2).

        The deck of a seat that was left in an earlier round is dealt too, and counts for nobody.
        """
        layout = state.layout
        events: list[Any] = []
        taken: list[str] = []
        for deck, name in zip(layout.decks, layout.deck_names, strict=True):
            shuffled = ctx.chance.shuffle(deck.codes, name)
            events.append(shuffled)
            taken.extend(shuffled.order[: layout.field_cards])
        events.append(ctx.chance.shuffle(taken, FIELD))
        inside = state.inside()
        first = layout.first
        if first is None:
            order = ctx.chance.shuffle([str(seat) for seat in inside], STARTING_ORDER)
            events.append(order)
            first = int(order.order[0])
        for event in events:
            state = evolve(state, event)
        return [*events, *turn.first_turn(state, first)]

    def to_act(self, state: FlipState) -> Collection[Seat]:
        """The player whose turn it is."""
        return () if state.over else (state.player,)

    def legal_moves(self, state: FlipState, seat: Seat) -> Sequence[AnyMove]:
        """Where the drawn card can go (Y3), else every flip and move, and the pass (Y4)."""
        return turn.legal_moves(state, seat)

    def decide(self, state: FlipState, seat: Seat, move: AnyMove, ctx: Context) -> Events | Refusal:
        """The move, and with the end of a turn the beginning of the next."""
        return turn.decide(state, seat, move)

    def evolve(self, state: FlipState, event: Any) -> FlipState:
        """Apply an event."""
        return evolve(state, event)

    def view(self, state: FlipState, viewer: Viewer) -> FlipView:
        """Face-down cards are shown to nobody, a drawn card to its owner alone (Y13)."""
        return view_of(state, viewer)

    def outcome(self, state: FlipState) -> Outcome | None:
        """Over with the last player in (Y11), who gets one point, or drawn (Y12)."""
        if not state.over:
            return None
        return Outcome(tuple([_outcome(state, seat) for seat in range(state.layout.seats)]))

    def leave(self, state: FlipState, seat: Seat, ctx: Context) -> Events:
        """Who leaves is out for good: their cards stay, are taken and turned, and count for nobody.

        If it is their turn it ends there, with an unplaced card back on their deck.
        """
        return turn.give_up(state, seat)

    def expired(self, state: FlipState, seat: Seat, ctx: Context) -> Events:
        """The turn ends with a pass, after a drawn card was placed on the first open space (Y3, Y4)."""
        return turn.time_up(state, seat)

    def cards_left(self, state: FlipState) -> int:
        """How many cards the decks have together."""
        return sum(len(deck) for deck in state.decks)

    def ask(self, state: FlipState, seat: Seat, names: Sequence[str]) -> str | None:
        """Ask for the card to be placed, or for the action."""
        if state.over or seat != state.player:
            return None
        if state.drawn:
            return f"{names[seat]}, place the card that you have drawn on an open space."
        return f"{names[seat]}, flip a pile, move a card or pass."

    def trails(self, options: FlipOptions, seats: int) -> Sequence[CardTrail]:
        """A deck comes out as its player draws, behind the cards that went into the field (Y2, Y3)."""
        layout = layout_of(options, seats)
        return [
            CardTrail(Drew, piles=(name,), seat=seat, skip=layout.field_cards)
            for seat, name in enumerate(layout.deck_names)
        ]

    def all_cards(self, state: FlipState) -> Sequence[str]:
        """The decks, the field and what is drawn: no card ever leaves the game (Y9)."""
        letters = "".join([*state.decks, *state.down, *state.up, state.drawn])
        return [CARD_OF[letter].value for letter in letters]

    def shuffle_unknown(self, state: FlipState, viewer: Viewer, chance: Chance) -> FlipState:
        """The decks, the face-down cards and what others have drawn (Y13)."""
        return shuffle_unknown(state, viewer, chance)


def _outcome(state: FlipState, seat: Seat) -> SeatOutcome:
    measures = {"turns": state.turns}
    if state.winner == seat:
        return SeatOutcome(Result.WON, 1, "LAST_IN", measures)
    if state.left >> seat & 1:
        return SeatOutcome(Result.LOST, 0, "GAVE_UP", measures)
    if state.draw is not None:
        return SeatOutcome(Result.DRAWN, 0, state.draw.value, measures)
    return SeatOutcome(Result.LOST, 0, "OUT", measures)
