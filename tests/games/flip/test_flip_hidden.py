"""What stays hidden (Y13): face-down cards from all, a drawn card from all but its owner."""

from __future__ import annotations

from dataclasses import fields
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fliptable import PlayingCard, Private, Shuffled
from fliptable.testing import RoundScript, another_world, read_move, seen_of, stacked, write_move
from fliptable_games.flip.options import DeckSplit, FlipOptions
from fliptable_games.flip.vocabulary import DrawReason, PileFlipped
from tests.games.flip.positions import GAME, cards_in, dealt, keen, position, random_round

SHAPES = [
    (2, FlipOptions()),
    (2, FlipOptions(decks=DeckSplit.SUITS)),
    (3, FlipOptions(diagonals=True)),
    (4, FlipOptions(turn_limit=40)),
]


def viewers(seats):
    """A spectator, each seat, and hosts who see for several."""
    return [frozenset(group) for size in range(seats + 1) for group in combinations(range(seats), size)]


def other_world(script, viewer, random):
    """The round as it may be for all that a viewer knows."""
    other = script.branch()
    other.state = another_world(GAME, script.state, frozenset(viewer), random)
    return other


@st.composite
def positions(draw):
    seats, options = draw(st.sampled_from(SHAPES))
    policy = keen(draw(st.sampled_from([0, 0.7])))
    seed, trim = draw(st.integers(0, 2**32)), draw(st.sampled_from([None, 2]))
    script, chooser = random_round(seed, options, seats, trim)
    script.play_on(chooser, policy, moves=draw(st.integers(0, 150)))
    # What comes now is looked at, not how it came to this.
    return RoundScript(GAME, stacked(), seats=seats, state=script.state), chooser


@settings(max_examples=80, deadline=None)
@given(positions())
def test_y13_what_a_viewer_cannot_know_changes_nothing_that_they_get(position):
    script, chooser = position
    state = script.state
    for viewer in viewers(state.layout.seats):
        other = other_world(script, viewer, chooser).state
        assert seen_of(GAME, other, viewer) == seen_of(GAME, state, viewer)
        assert cards_in(other) == cards_in(state)
        assert [len(deck) for deck in other.decks] == [len(deck) for deck in state.decks]
        for deck, own in zip(other.decks, state.layout.own, strict=True):
            assert set(deck) <= own
        assert other.up == state.up


@settings(max_examples=80, deadline=None)
@given(positions())
def test_y13_nor_the_events_of_a_move_that_turns_nothing_up(position):
    script, chooser = position
    for viewer in viewers(script.setup.seats):
        other = other_world(script, viewer, chooser)
        for words in script.legal:
            (player,) = script.to_act
            verb, *space = words.split()
            if verb == "flip" and pile(script, *map(int, space)).face_down:
                continue
            if verb == "place" and player not in viewer:
                continue
            here, there = script.branch(), other.branch()
            here.follow(words)
            there.follow(words)
            if here.view(*viewer).drawn is None:
                assert here.seen(*viewer) == there.seen(*viewer)


def pile(script, row, column):
    view = script.view()
    return view.piles[row * view.columns + column]


def test_y12_and_y13_a_draw_by_repetition_tells_nothing_that_was_hidden():
    """Positions are counted in another world as they are here: it is a draw in both or in neither."""
    entry = {
        "field": [["2C 3D | KC", "4C 5D |"], ["6C 7D |", "8C 9D | KD"]],
        "decks": ["", ""],
        "turn": 0,
    }
    to_and_fro = ["move 0 0 0 1", "move 1 1 1 0", "move 0 1 0 0", "move 1 0 1 1"]
    for start in range(8):
        script = other = position(entry)
        for number, words in enumerate([*to_and_fro, *to_and_fro]):
            if number >= start:
                other = other_world(other, {0, 1}, Random(number + start))
            script, other = script.branch(), other.branch()
            assert script.follow(words) == other.follow(words)
        assert other.state.down != script.state.down
        assert script.view().draw_reason == other.view().draw_reason == DrawReason.REPETITION


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(SHAPES), st.integers(0, 2**32))
def test_y13_the_replay_is_the_same_whatever_lay_where_it_was_never_seen(shape, seed):
    """Deal the cards that a viewer has never seen otherwise, play the same moves: the same log."""
    seats, options = shape
    script, chooser = random_round(seed, options, seats)
    script.play_on(chooser, moves=chooser.randrange(1, 80))
    if script.outcome is not None:
        return
    shuffles = script.of(Shuffled)
    for viewer in [frozenset(), frozenset({0}), frozenset({1})]:
        known = {card for event in script.seen(*viewer) for card in cards_of_event(event)}
        assert known or len(script.steps) == 1
        again = dealt(options, seats, stacked(*restack(shuffles, script.state.layout, known, chooser)))
        for step in script.steps[1:]:
            # Moves are public: a place, a flip and a move are by space and name no card.
            again.take(step.action)
        assert without_proofs(again.seen(*viewer)) == without_proofs(script.seen(*viewer))


def without_proofs(log):
    """The log, but of a shuffle only its name and size."""
    return [(event.name, event.size) if isinstance(event, Shuffled) else event for event in log]


def cards_of_event(event):
    if isinstance(event, Shuffled):
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
    script, _ = random_round(1)
    state = script.state
    worlds = [other_world(script, {state.player}, Random(seed)).state for seed in range(30)]
    assert len({world.down for world in worlds}) == 30
    assert len({world.decks for world in worlds}) == 30
    assert {world.drawn for world in worlds} == {state.drawn}
    enemy = 1 - state.player
    assert len({other_world(script, {enemy}, Random(seed)).state.drawn for seed in range(60)}) > 10
    # Whose a face-down card is, is hidden too: it lies now here, now there.
    owners = {tuple([state.layout.owner[run] for run in world.down]) for world in worlds}
    assert len(owners) > 5


def test_y13_everything_is_shown_when_the_game_is_over():
    field = [["2C | 8C", "2D | 5D"], ["2H |", "3H |"]]
    script = position({"field": field, "decks": ["", ""], "turn": 0})
    assert [pile.revealed for pile in script.view(0, 1).piles] == [None] * 4
    script.follow("move 0 0 0 1")
    piles = script.view().piles
    assert [[card.value for card in pile.revealed] for pile in piles] == [["2C"], ["2D"], ["2H"], ["3H"]]
    assert other_world(script, (), Random(1)).state == script.state


def test_y13_who_has_seen_a_card_before_is_not_shown_it_again():
    field = [["2C | KS", "2D | 5D"], ["2H |", "3H |"]]
    script = position({"field": field, "decks": ["", ""], "turn": 0})
    events = script.follow("flip 0 0")
    (flipped,) = script.of(PileFlipped)
    assert (flipped.face_down, [card.value for card in flipped.face_up]) == (1, ["2C"])
    assert "KS" not in {card for event in events for card in cards_of_event(event)}
    seen = script.view(0, 1).piles[0]
    assert (seen.face_down, [card.value for card in seen.face_up], seen.revealed) == (1, ["2C"], None)
    assert other_world(script, {0, 1}, Random(3)).state.down != script.state.down


def test_y13_face_up_runs_are_public_in_order():
    field = [["2C 3D | KS 4H AS", "2D | 5D"], ["2H |", "3H |"]]
    seen = pile(position({"field": field, "decks": ["", ""], "turn": 0}), 0, 0)
    assert [card.value for card in seen.face_up] == ["KS", "4H", "AS"]
    assert seen.face_down == 2 and seen.owner == 0


@pytest.mark.parametrize("seed", range(5))
def test_y13_a_drawn_card_is_its_owners_alone_until_it_is_placed(seed):
    script, _ = random_round(seed, None, 4)
    for _ in range(8):
        (owner,) = script.to_act
        drawn = script.view(owner).drawn
        for viewer in viewers(4):
            assert script.view(*viewer).drawn == (drawn if owner in viewer else None)
        (placed,) = script.follow(script.legal[0])
        assert placed.card == drawn
        events = script.follow("pass")
        (following,) = script.to_act
        assert [event.to for event in events if isinstance(event, Private)] == [{following}]
        for viewer in viewers(4):
            told = script.seen(*viewer)[-len(events) :]
            shown = [card for event in told for card in cards_of_event(event)]
            assert bool(shown) == (following in viewer)


def test_y13_the_number_of_cards_left_is_public_and_a_card_counts_as_drawn_when_the_turn_begins():
    script = dealt()
    (player,) = script.to_act
    left = [deck.cards_left for deck in script.view().decks]
    assert left[player] == 17 and left[1 - player] == 18
    assert GAME.cards_left(script.state) == 35


@pytest.mark.parametrize("words", ["place 0 0", "move 0 0 0 1", "move 1 0 0 1", "flip 5 5", "move 1 0 1 0"])
def test_y13_refusals_name_no_hidden_card(words):
    field = [["2C 9D |", "2D |"], ["2H | KS", "3H |"]]
    script = position({"field": field, "decks": ["", "QD"], "turn": 0})
    hidden = [card.text for card in PlayingCard if card.value in ("2C", "9D", "2D", "2H", "3H", "QD")]
    refusal = script.refused(0, read_move(GAME, words))
    assert not any(card in refusal.message for card in hidden)


def test_y13_moves_are_by_space_and_never_name_a_card():
    for seed in range(5):
        script, _ = random_round(seed)
        for words in script.legal:
            move = read_move(GAME, words)
            assert write_move(GAME, move) == words
            assert all(type(getattr(move, field.name)) is int for field in fields(move))
