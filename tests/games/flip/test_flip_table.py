"""FLIP at a table: its log, its snapshots, its seeds and what opens when the game is over."""

from __future__ import annotations

import random

import pytest
from flip_positions import GAME, choose, codes, legal, to_move, to_words

from fliptable import Private, Shuffled
from fliptable.events import RoundOver, SeedRevealed
from fliptable.projection import legal_moves, seen_events, view_round
from fliptable.shuffle import verify
from fliptable.snapshot import from_snapshot, to_snapshot
from fliptable.table import Status
from fliptable.testing import TableScript
from fliptable_games.flip.options import FlipOptions
from fliptable_games.flip.vocabulary import Drew, DrewUnseen


def finished(registry, seats, seed, **options):
    chooser = random.Random(seed)
    names = ("Ann", "Bob", "Cid", "Dot")[:seats]
    script = TableScript(
        registry,
        "flip",
        players=names,
        game_options=FlipOptions(turn_limit=20, **options),
        secret=chooser.randbytes(32),
    )
    watched = []
    while script.table.status is not Status.OVER:
        state = script.table.round.state
        if chooser.random() < 0.02:
            watched.append(script.table)
        words = choose(state, legal(state), chooser, 0.9)
        script.play(state.player, to_move(words))
    return script, watched


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_log_is_the_table_and_a_snapshot_is_too(registry, seats):
    script, watched = finished(registry, seats, seats)
    assert script.refold() == script.table
    for table in [*watched, script.table]:
        assert from_snapshot(registry, to_snapshot(table)) == table
    packed = [registry.codec.pack(event) for event in script.events]
    assert [registry.codec.unpack(document) for document in packed] == script.events


@pytest.mark.parametrize("seats", [2, 4])
def test_y13_seeds_stay_hidden_until_the_game_is_over(registry, seats):
    script, watched = finished(registry, seats, 7 + seats)
    for table in watched:
        assert all(shuffle.seed is None for shuffle in table.shuffles)
    over = next(at for at, event in enumerate(script.events) if isinstance(event, RoundOver))
    revealed = [at for at, event in enumerate(script.events) if isinstance(event, SeedRevealed)]
    assert len(revealed) == seats + 2 and min(revealed) > over
    shuffles = {event.shuffle: event for event in script.events if isinstance(event, Shuffled)}
    for at in revealed:
        event = script.events[at]
        one = shuffles[event.shuffle]
        assert verify(bytes.fromhex(event.seed), one.commitment, one.cards, one.order) is None


def test_y13_private_events_open_when_the_game_is_over(registry):
    script, _ = finished(registry, 2, 11)
    closed = seen_events(script.events, frozenset({0}), frozenset())
    assert any(isinstance(event, DrewUnseen) and event.seat == 1 for event in closed)
    assert not any(isinstance(event, Drew) and event.seat == 1 for event in closed)
    opened = seen_events(script.events, frozenset(), script.table.open_rounds())
    assert not any(isinstance(event, (DrewUnseen, Private)) for event in opened)
    # What was drawn is each deck behind its cards in the field, in order (Y2, Y3).
    layout = script.table.round.state.layout
    for seat, name in enumerate(layout.deck_names):
        deck = next(event for event in script.events if isinstance(event, Shuffled) and event.name == name)
        drawn = [event.card.value for event in opened if isinstance(event, Drew) and event.seat == seat]
        assert tuple(drawn) == deck.order[layout.field_cards :][: len(drawn)]


def test_y3_the_player_to_act_alone_is_given_moves_and_the_others_are_refused(registry):
    script = TableScript(registry, "flip", players=("Ann", "Bob"), game_options=FlipOptions(first=1))
    assert legal_moves(script.table, frozenset({0})) == []
    moves = legal_moves(script.table, frozenset({1}))
    assert {to_words(one.move)[0] for one in moves} == {"place"} and len(moves) == 16
    assert script.refused_move(0, moves[0].move).code == "NOT_YOUR_TURN"
    before = script.table
    assert script.refused_move(1, to_move(("pass",))).code == "PLACE_FIRST"
    assert script.table == before


def test_y13_a_host_with_local_seats_sees_for_them(registry):
    script = TableScript(registry, "flip", players=("Ann",), local_seats=("Bob",))
    state = script.table.round.state
    view = view_round(script.table, script.table.round, script.viewer("ann"))
    assert view.drawn is not None and codes(state.drawn) == [view.drawn.value]
    assert view_round(script.table, script.table.round, frozenset()).drawn is None


def test_y11_a_player_who_leaves_the_table_loses_the_game(registry):
    script = TableScript(registry, "flip", players=("Ann", "Bob"))
    script.leave("ann")
    assert script.table.status is Status.OVER
    assert script.table.round.outcome.winners == [1]
    assert script.refold() == script.table
    assert all(shuffle.seed is not None for shuffle in script.table.shuffles)


def test_y10_with_three_the_others_play_on(registry):
    script = TableScript(registry, "flip", players=("Ann", "Bob", "Cid"), game_options=FlipOptions(first=1))
    script.leave("bob")
    assert script.table.status is Status.PLAYING
    assert list(GAME.to_act(script.table.round.state)) == [2]
    assert script.refold() == script.table
    assert from_snapshot(registry, to_snapshot(script.table)) == script.table
