"""What holds after every step of every game, for all numbers of players, splits, fields and options."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from fliptable import Private
from fliptable.testing import storage_trouble
from fliptable_games.flip.options import DeckSplit, FlipOptions
from fliptable_games.flip.state import FlipState
from fliptable_games.flip.vocabulary import FlipPile, MoveCard, PassTurn, PlaceCard
from tests.games.flip.positions import GAME, cards_in, keen, random_round

FIELDS = [
    (seats, cards, rows)
    for seats in (2, 3, 4)
    for cards in range(4, 9)
    for rows in range(2, 17)
    if cards * seats % rows == 0 and cards * seats // rows >= 2
]
IN_PLAY = {
    (2, DeckSplit.COLORS): 52,
    (2, DeckSplit.SUITS): 26,
    (3, DeckSplit.SUITS): 39,
    (4, DeckSplit.SUITS): 52,
}


@st.composite
def games(draw):
    seats, cards, rows = draw(st.sampled_from(FIELDS))
    split = draw(st.sampled_from(DeckSplit)) if seats == 2 else DeckSplit.SUITS
    options = FlipOptions(
        decks=split,
        field_cards=cards,
        rows=rows,
        diagonals=draw(st.booleans()),
        turn_limit=draw(st.sampled_from([20, 60, 1000])),
        first=draw(st.none() | st.integers(0, seats - 1)),
    )
    return seats, options, draw(st.integers(0, 2**32)), draw(st.sampled_from([0, 0.5, 0.95]))


@settings(max_examples=120, deadline=None)
@given(games())
def test_y1_to_y13_after_every_step(game):
    seats, options, seed, how_keen = game
    script, chooser = random_round(seed, options, seats)
    everything = cards_in(script.state)
    assert len(set(everything)) == len(everything) == IN_PLAY[seats, options.decks]
    for _ in range(250):
        state = script.state
        check_state(state)
        if script.outcome is not None:
            assert script.to_act == []
            break
        assert script.to_act == [state.player]
        script.play_on(chooser, keen(how_keen), moves=1)
        last = script.steps[-1]
        check_step(state, last.action.move, last.events, script.state)
        # The cards in play are conserved (the counts of the sheet), and the state is storable.
        assert cards_in(script.state) == everything
    assert storage_trouble(script.state, FlipState) is None


def check_state(state):
    layout = state.layout
    # Every card lies in one run of one pile; the drawn card is of its player's deck.
    assert len(state.down) == len(state.up) == layout.rows * layout.columns
    assert state.drawn == "" or layout.owner[state.drawn] == state.player
    for seat, deck in enumerate(state.decks):
        assert set(deck) <= layout.own[seat]
    view = GAME.view(state, frozenset())
    # The pile law: a run of face-down cards below a run of face-up cards, one owner on top.
    for pile in view.piles:
        assert (pile.owner is None) == (pile.face_up == ())
    open_spaces = [pile for pile in view.piles if not pile.face_up]
    if state.over:
        return
    # Y3: in the draw phase there is somewhere to place the card.
    assert not state.drawn or open_spaces
    # Y10, Y11: who is to act is in, and is not the only one.
    inside = state.inside()
    assert state.player in inside and len(inside) > 1
    # Y12: no limit was passed without an end.
    assert state.drawless < layout.turn_limit
    assert max(state.seen.values(), default=0) < 3


def check_step(state, move, events, after):
    layout, seat = state.layout, state.player
    changed = [at for at in layout.spaces if (state.down[at], state.up[at]) != (after.down[at], after.up[at])]
    if isinstance(move, PlaceCard):
        # Y3: onto an open space; the player goes on with the action.
        (at,) = changed
        assert state.up[at] == "" and after.up[at] == state.drawn
        assert after.player == seat and after.placed == at
        return
    if isinstance(move, FlipPile):
        # Y5: the runs change places, both reversed.
        (at,) = changed
        assert at != state.flipped
        assert after.down[at] == state.up[at][::-1] and after.up[at] == state.down[at][::-1]
    elif isinstance(move, MoveCard):
        # Y6: one's own top card, onto nothing or onto an enemy's.
        start, goal = sorted(changed, key=lambda at: len(after.up[at]) > len(state.up[at]))
        card = state.up[start][-1]
        assert layout.owner[card] == seat and start != state.placed
        assert after.up[goal] == state.up[goal] + card
        assert not state.up[goal] or layout.owner[state.up[goal][-1]] != seat
    else:
        assert changed == []
    drew = [event for event in events if isinstance(event, Private)]
    assert len(drew) == (sum(map(len, state.decks)) - sum(map(len, after.decks)))
    if after.over:
        return
    # Y3: the next player draws exactly when they can.
    had = len(state.decks[after.player])
    could = had > 0 and not all(after.up)
    assert bool(after.drawn) == could == bool(drew)
    assert after.flipped == (changed[0] if isinstance(move, FlipPile) else -1)


@settings(max_examples=60, deadline=None)
@given(games())
def test_y4_every_move_that_is_not_legal_is_refused(game):
    seats, options, seed, how_keen = game
    script, chooser = random_round(seed, options, seats)
    if script.play_on(chooser, keen(how_keen), moves=chooser.randrange(60)) is not None:
        return
    (seat,) = script.to_act
    allowed = set(script.legal_moves(seat))
    for move in thinkable(script.state.layout):
        if move in allowed:
            script.branch().play(seat, move)
        else:
            script.refused(seat, move)


def thinkable(layout):
    """Every move from and to a space of the field or beside it."""
    yield PassTurn()
    for row, column in product(range(-1, layout.rows + 1), range(-1, layout.columns + 1)):
        yield PlaceCard(row, column)
        yield FlipPile(row, column)
        for down, across in product((-1, 0, 1), repeat=2):
            yield MoveCard(row, column, row + down, column + across)
