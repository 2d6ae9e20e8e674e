"""How a game of FLIP is laid out: decks, field, who begins (Y1, Y2)."""

from __future__ import annotations

import pytest

from fliptable import CARD, CardTrail, Private, Shuffled, Suit
from fliptable.testing import shuffled, stacked
from fliptable_games.flip.layout import DeckKind, layout_of
from fliptable_games.flip.options import DeckSplit, FlipOptions
from fliptable_games.flip.vocabulary import Drew, DrewUnseen, TurnBegan
from tests.games.flip.positions import GAME, cards_in, codes, dealt

SUITS = FlipOptions(decks=DeckSplit.SUITS)


def shape(options, seats):
    layout = layout_of(options, seats)
    return layout.split, layout.field_cards, layout.rows, layout.columns


def test_y1_two_to_four_players():
    assert GAME.seats == range(2, 5)


def test_y1_two_players_have_colors_of_26_cards_by_default():
    layout = layout_of(FlipOptions(), 2)
    assert layout.decks == (DeckKind.BLACK, DeckKind.RED)
    assert [len(deck.codes) for deck in layout.decks] == [26, 26]
    assert {code[-1] for code in DeckKind.BLACK.codes} == {"C", "S"}
    assert {code[-1] for code in DeckKind.RED.codes} == {"D", "H"}
    assert layout.unused == ()


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_y1_suits_go_to_seats_in_order_and_the_rest_is_left_out(seats):
    layout = layout_of(SUITS, seats)
    order = [DeckKind.CLUBS, DeckKind.DIAMONDS, DeckKind.HEARTS, DeckKind.SPADES]
    assert layout.decks == tuple(order[:seats])
    assert [len(deck.codes) for deck in layout.decks] == [13] * seats
    assert layout.unused == tuple([Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES][seats:])
    assert dealt(SUITS, seats).view().unused == layout.unused


@pytest.mark.parametrize("seats", [3, 4])
def test_y1_three_and_four_players_have_suits_only(seats):
    assert layout_of(FlipOptions(), seats).split is DeckSplit.SUITS
    with pytest.raises(ValueError, match=r"^decks: "):
        GAME.check(FlipOptions(decks=DeckSplit.COLORS), seats)


@pytest.mark.parametrize(
    ("seats", "options", "wanted"),
    [
        (2, FlipOptions(), (DeckSplit.COLORS, 8, 4, 4)),
        (2, SUITS, (DeckSplit.SUITS, 4, 2, 4)),
        (3, FlipOptions(), (DeckSplit.SUITS, 4, 3, 4)),
        (4, FlipOptions(), (DeckSplit.SUITS, 4, 4, 4)),
    ],
)
def test_y2_defaults(seats, options, wanted):
    assert shape(options, seats) == wanted


@pytest.mark.parametrize(
    ("seats", "options", "wanted"),
    [
        (2, FlipOptions(rows=2), (8, 2, 8)),
        (2, FlipOptions(columns=2), (8, 8, 2)),
        (2, FlipOptions(field_cards=6), (6, 3, 4)),
        (2, FlipOptions(field_cards=5), (5, 2, 5)),
        (2, FlipOptions(rows=2, columns=5), (5, 2, 5)),
        (3, FlipOptions(field_cards=8, rows=6, columns=4), (8, 6, 4)),
        (4, FlipOptions(rows=2, columns=16), (8, 2, 16)),
    ],
)
def test_y2_other_rectangles_are_an_option(seats, options, wanted):
    assert shape(options, seats)[1:] == wanted


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("cards", range(4, 9))
def test_y2_every_number_of_field_cards_has_a_default_field(seats, cards):
    layout = layout_of(FlipOptions(field_cards=cards), seats)
    assert layout.rows * layout.columns == cards * seats
    assert 2 <= layout.rows <= layout.columns


@pytest.mark.parametrize(
    ("seats", "field", "options"),
    [
        (2, "rows", FlipOptions(rows=3)),
        (2, "columns", FlipOptions(columns=5)),
        (2, "rows", FlipOptions(rows=16)),
        (2, "rows", FlipOptions(rows=3, columns=3)),
        (2, "rows", FlipOptions(rows=2, columns=3)),
        (2, "rows", FlipOptions(rows=5, columns=5)),
        (3, "rows", FlipOptions(rows=4, columns=4)),
        (2, "columns", FlipOptions(field_cards=8, rows=4, columns=5)),
        (2, "first", FlipOptions(first=2)),
        (3, "first", FlipOptions(first=3)),
    ],
)
def test_y2_what_does_not_go_with_the_number_of_players_is_refused_by_name(seats, field, options):
    with pytest.raises(ValueError, match=f"^{field}: "):
        GAME.check(options, seats)
    with pytest.raises(ValueError, match=f"^{field}: "):
        dealt(options, seats)


@pytest.mark.parametrize(
    ("field", "low", "high"),
    [("field_cards", 4, 8), ("rows", 2, 16), ("columns", 2, 16), ("turn_limit", 20, 1000), ("first", 0, 3)],
)
def test_y2_and_y12_bounds_of_options(field, low, high):
    for value in (low, high):
        assert getattr(FlipOptions(**{field: value}), field) == value
    for value in (low - 1, high + 1):
        with pytest.raises(
            ValueError, match=f"^{field}: {value} is not possible, only from {low} to {high}$"
        ):
            FlipOptions(**{field: value})


def test_y12_the_limit_is_100_turns_by_default():
    assert FlipOptions().turn_limit == 100


@pytest.mark.parametrize(
    ("seats", "options"), [(2, FlipOptions()), (2, SUITS), (3, FlipOptions()), (4, SUITS)]
)
def test_y2_each_deck_is_shuffled_then_the_field_then_who_begins(seats, options):
    script = dealt(options, seats, shuffled(4))
    state, shuffles = script.state, script.of(Shuffled)
    layout = state.layout
    assert [one.name for one in shuffles] == [*layout.deck_names, "field", "starting order"]
    assert len({one.name for one in shuffles}) == len(shuffles)
    *decks, field, order = shuffles
    taken = layout.field_cards
    for seat, deck in enumerate(decks):
        assert sorted(deck.cards) == sorted(layout.decks[seat].codes)
        gone = taken + (1 if seat == state.player else 0)
        assert codes(state.decks[seat]) == list(deck.order[gone:])
    assert list(field.cards) == [code for deck in decks for code in deck.order[:taken]]
    assert codes("".join(state.down)) == list(field.order)
    assert all(len(run) == 1 for run in state.down) and not any(state.up)
    assert sorted(order.cards) == [str(seat) for seat in range(seats)]
    assert state.player == int(order.order[0])


def test_y2_cards_in_play():
    for seats, options, wanted in [
        (2, FlipOptions(), 52),
        (2, SUITS, 26),
        (3, FlipOptions(), 39),
        (4, FlipOptions(), 52),
    ]:
        assert len(cards_in(dealt(options, seats).state)) == wanted


def test_y2_the_first_player_is_drawn_by_lot():
    firsts = {dealt(None, 3, shuffled(seed)).view().player for seed in range(40)}
    assert firsts == {0, 1, 2}


def test_y2_or_chosen_by_the_host():
    for first in range(3):
        script = dealt(FlipOptions(first=first), 3)
        assert script.view().player == first
        assert script.of(Shuffled)[-1].name == "field"


def test_y3_the_first_turn_begins_with_a_draw_that_its_player_alone_sees():
    script = dealt(SUITS, 2, stacked("2C 3C 4C 5C KC", "", "", "0"))
    drew = Private(Drew(0, CARD["KC"]), frozenset({0}), DrewUnseen(0))
    assert script.events[-2:] == [TurnBegan(0), drew]
    assert script.view(0).drawn is CARD["KC"] and script.view(1).drawn is None


def test_y2_a_seat_that_was_left_before_the_round_never_plays():
    for first in (None, 0, 1, 2):
        script = dealt(FlipOptions(first=first), 3, gone=[1])
        player = script.view().player
        assert player == {None: player, 0: 0, 1: 2, 2: 2}[first] != 1
        assert script.outcome is None
    script = dealt(None, 3, gone=[0, 2])
    assert script.outcome.winners == [1]
    assert [one.reason for one in script.outcome.seats] == ["GAVE_UP", "LAST_IN", "GAVE_UP"]


def test_y3_whoever_checks_a_deck_finds_its_cards_in_the_order_of_the_draws():
    assert GAME.trails(SUITS, 2) == [
        CardTrail(Drew, piles=("clubs deck",), seat=0, skip=4),
        CardTrail(Drew, piles=("diamonds deck",), seat=1, skip=4),
    ]
