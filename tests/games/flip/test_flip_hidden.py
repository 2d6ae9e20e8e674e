"""What stays hidden (Y13): face-down cards from all, a drawn card from all but its owner."""

from __future__ import annotations

import random
from dataclasses import fields
from itertools import combinations

import pytest
from flip_positions import (
    CTX,
    GAME,
    FlipOptions,
    cards_in,
    choose,
    dealt,
    engine_position,
    legal,
    play,
    random_round,
    to_move,
    to_words,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from fliptable import PlayingCard, Private, Shuffled
from fliptable.chance import LooseChance, StackedChance
from fliptable.projection import seen_events
from fliptable_games.flip.options import DeckSplit
from fliptable_games.flip.vocabulary import DrawReason, PileFlipped

SHAPES = [
    (2, FlipOptions()),
    (2, FlipOptions(decks=DeckSplit.SUITS)),
    (3, FlipOptions(diagonals=True)),
    (4, FlipOptions(turn_limit=40)),
]


def viewers(seats):
    """A spectator, each seat, and hosts who see for several."""
    return [frozenset(group) for size in range(seats + 1) for group in combinations(range(seats), size)]


def other_world(state, viewer, seed):
    return GAME.shuffle_unknown(state, viewer, LooseChance(random.Random(seed).shuffle))


def everything(state, viewer):
    """What a viewer gets of a position."""
    names = ["Ann", "Bob", "Cid", "Dot"]
    mine = [seat for seat in GAME.to_act(state) if seat in viewer]
    return (
        GAME.view(state, viewer),
        list(GAME.to_act(state)),
        GAME.outcome(state),
        [list(GAME.legal_moves(state, seat)) for seat in mine],
        [GAME.ask(state, seat, names) for seat in range(state.layout.seats)],
        GAME.cards_left(state),
    )


@st.composite
def positions(draw):
    seats, options = draw(st.sampled_from(SHAPES))
    keen = draw(st.sampled_from([0, 0.7]))
    state, chooser = random_round(
        draw(st.integers(0, 2**32)), options, seats, draw(st.sampled_from([None, 2]))
    )
    for _ in range(draw(st.integers(0, 150))):
        moves = legal(state)
        if not moves:
            break
        state = play(state, choose(state, moves, chooser, keen))[1]
    return state, chooser


@settings(max_examples=80, deadline=None)
@given(positions())
def test_y13_what_a_viewer_cannot_know_changes_nothing_that_they_get(position):
    state, chooser = position
    for viewer in viewers(state.layout.seats):
        seen = everything(state, viewer)
        other = other_world(state, viewer, chooser.random())
        assert everything(other, viewer) == seen
        assert cards_in(other) == cards_in(state)
        assert [len(deck) for deck in other.decks] == [len(deck) for deck in state.decks]
        for deck, own in zip(other.decks, state.layout.own, strict=True):
            assert set(deck) <= own
        assert other.up == state.up


@settings(max_examples=80, deadline=None)
@given(positions())
def test_y13_nor_the_events_of_a_move_that_turns_nothing_up(position):
    state, chooser = position
    for viewer in viewers(state.layout.seats):
        other = other_world(state, viewer, chooser.random())
        for words in legal(state):
            if words[0] == "flip" and state.down[words[1] * state.layout.columns + words[2]]:
                continue
            if words[0] == "place" and state.player not in viewer:
                continue
            here, there = play(state, words), play(other, words)
            drawn = here[1].player in viewer and here[1].drawn
            if not drawn:
                assert seen_events(here[0], viewer, frozenset()) == seen_events(there[0], viewer, frozenset())


def test_y12_and_y13_a_draw_by_repetition_tells_nothing_that_was_hidden():
    """Positions are counted in another world as they are here: it is a draw in both or in neither."""
    position = {
        "field": [["2C 3D | KC", "4C 5D |"], ["6C 7D |", "8C 9D | KD"]],
        "decks": ["", ""],
        "turn": 0,
    }
    to_and_fro = [("move", 0, 0, 0, 1), ("move", 1, 1, 1, 0), ("move", 0, 1, 0, 0), ("move", 1, 0, 1, 1)]
    for start in range(8):
        state = other = engine_position(position)
        for number, words in enumerate([*to_and_fro, *to_and_fro]):
            if number >= start:
                other = other_world(other, frozenset({0, 1}), number + start)
            here, state = play(state, words)
            there, other = play(other, words)
            assert here == there
        assert other.down != state.down
        assert state.draw == other.draw == DrawReason.REPETITION


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(SHAPES), st.integers(0, 2**32))
def test_y13_the_replay_is_the_same_whatever_lay_where_it_was_never_seen(shape, seed):
    """Deal the cards that a viewer has never seen otherwise, play the same moves: the same log."""
    seats, options = shape
    chooser = random.Random(seed)
    events, start = dealt(options, seats, LooseChance(chooser.shuffle))
    state, moves, log = start, [], list(events)
    for _ in range(chooser.randrange(1, 80)):
        allowed = legal(state)
        if not allowed:
            break
        moves.append(chooser.choice(allowed))
        more, state = play(state, moves[-1])
        log += more
    if state.over:
        return
    for viewer in [frozenset(), frozenset({0}), frozenset({1})]:
        known = {card for event in seen(log, viewer) for card in cards_of_event(event)}
        shuffles = [event for event in events if isinstance(event, Shuffled)]
        redealt = StackedChance(*restack(shuffles, start.layout, known, chooser))
        again, other = dealt(options, seats, redealt)
        assert known or not moves
        for words in moves:
            # The player's own hidden choice of words is public: places, flips and moves are by space.
            more, other = play(other, words)
            again = [*again, *more]
        assert seen(again, viewer) == seen(log, viewer)


def seen(log, viewer):
    """The log as the viewer gets it: of a shuffle only its name and size."""
    return [
        (event.name, len(event.cards)) if isinstance(event, Shuffled) else event
        for event in seen_events(log, viewer, frozenset())
    ]


def cards_of_event(event):
    if isinstance(event, tuple):
        return []
    values = [getattr(event, field.name) for field in fields(event)]
    flat = [one for value in values for one in (value if isinstance(value, tuple) else (value,))]
    return [one.value for one in flat if isinstance(one, PlayingCard)]


def restack(shuffles, layout, known, chooser):
    """Other shuffles with every card that is known where it was."""
    *decks, field, order = shuffles
    taken = layout.field_cards
    orders = []
    for deck in decks:
        unseen = [card for card in deck.order if card not in known]
        chooser.shuffle(unseen)
        orders.append([card if card in known else unseen.pop() for card in deck.order])
    # What was seen of the field stays on its space; the deck's other cards that went there do so anyhow.
    new = [card for deck in orders for card in deck[:taken] if card not in known]
    chooser.shuffle(new)
    return [*orders, [card if card in known else new.pop() for card in field.order], list(order.order)]


def test_y13_other_worlds_are_other_worlds():
    state = random_round(1)[0]
    worlds = [other_world(state, frozenset({state.player}), seed) for seed in range(30)]
    assert len({world.down for world in worlds}) == 30
    assert len({world.decks for world in worlds}) == 30
    assert {world.drawn for world in worlds} == {state.drawn}
    enemy = 1 - state.player
    assert len({other_world(state, frozenset({enemy}), seed).drawn for seed in range(60)}) > 10
    # Whose a face-down card is, is hidden too: it lies now here, now there.
    owners = {tuple([state.layout.owner[run] for run in world.down]) for world in worlds}
    assert len(owners) > 5


def test_y13_everything_is_shown_when_the_game_is_over():
    position = {
        "field": [["2C | 8C", "2D | 5D"], ["2H |", "3H |"]],
        "decks": ["", ""],
        "turn": 0,
    }
    state = engine_position(position)
    assert [pile.revealed for pile in GAME.view(state, frozenset({0, 1})).piles] == [None] * 4
    state = play(state, ("move", 0, 0, 0, 1))[1]
    piles = GAME.view(state, frozenset()).piles
    assert [[card.value for card in pile.revealed] for pile in piles] == [["2C"], ["2D"], ["2H"], ["3H"]]
    assert other_world(state, frozenset(), 1) == state


def test_y13_who_has_seen_a_card_before_is_not_shown_it_again():
    position = {"field": [["2C | KS", "2D | 5D"], ["2H |", "3H |"]], "decks": ["", ""], "turn": 0}
    state = engine_position(position)
    events, state = play(state, ("flip", 0, 0))
    (flipped,) = [event for event in events if isinstance(event, PileFlipped)]
    assert (flipped.face_down, [card.value for card in flipped.face_up]) == (1, ["2C"])
    assert "KS" not in {card for event in events for card in cards_of_event(event)}
    pile = GAME.view(state, frozenset({0, 1})).piles[0]
    assert (pile.face_down, [card.value for card in pile.face_up], pile.revealed) == (1, ["2C"], None)
    assert other_world(state, frozenset({0, 1}), 3).down != state.down


def test_y13_face_up_runs_are_public_in_order():
    position = {"field": [["2C 3D | KS 4H AS", "2D | 5D"], ["2H |", "3H |"]], "decks": ["", ""], "turn": 0}
    pile = GAME.view(engine_position(position), frozenset()).piles[0]
    assert [card.value for card in pile.face_up] == ["KS", "4H", "AS"]
    assert pile.face_down == 2 and pile.owner == 0


@pytest.mark.parametrize("seed", range(5))
def test_y13_a_drawn_card_is_its_owners_alone_until_it_is_placed(seed):
    state = random_round(seed, None, 4)[0]
    for _ in range(8):
        owner = state.player
        for viewer in viewers(4):
            shown = GAME.view(state, viewer).drawn
            assert (shown is not None) == (owner in viewer)
        drawn = GAME.view(state, frozenset({owner})).drawn
        events, state = play(state, legal(state)[0])
        (placed,) = events
        assert placed.card == drawn
        events, state = play(state, ("pass",))
        private = [event for event in events if isinstance(event, Private)]
        assert [event.to for event in private] == [{state.player}]
        for viewer in viewers(4):
            shown = [
                card for event in seen_events(events, viewer, frozenset()) for card in cards_of_event(event)
            ]
            assert bool(shown) == (state.player in viewer)


def test_y13_the_number_of_cards_left_is_public_and_a_card_counts_as_drawn_when_the_turn_begins():
    state = dealt(None, 2)[1]
    left = [deck.cards_left for deck in GAME.view(state, frozenset()).decks]
    assert left[state.player] == 17 and left[1 - state.player] == 18
    assert GAME.cards_left(state) == 35


def test_y13_refusals_name_no_hidden_card():
    position = {
        "field": [["2C 9D |", "2D |"], ["2H | KS", "3H |"]],
        "decks": ["", "QD"],
        "turn": 0,
    }
    state = engine_position(position)
    hidden = [card.text for card in PlayingCard if card.value in ("2C", "9D", "2D", "2H", "3H", "QD")]
    tries = [
        ("place", 0, 0),
        ("move", 0, 0, 0, 1),
        ("move", 1, 0, 0, 1),
        ("flip", 5, 5),
        ("move", 1, 0, 1, 0),
    ]
    for words in tries:
        refusal = GAME.decide(state, 0, to_move(words), CTX)
        assert not any(card in refusal.message for card in hidden)


def test_y13_moves_are_by_space_and_never_name_a_card():
    for seed in range(5):
        state = random_round(seed)[0]
        for words in legal(state):
            assert to_words(to_move(words)) == words
            assert all(isinstance(one, int) for one in words[1:])
