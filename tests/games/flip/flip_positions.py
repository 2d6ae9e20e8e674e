"""Positions and moves of FLIP written down, and read into the game and into the naive one.

A pile is written ``"2C 9H | KS"``: face-down cards before the bar, face-up ones after it, each from
the bottom to the top. A move is written ``"place 0 1"``, ``"flip 0 1"``, ``"move 0 1 0 2"`` or ``"pass"``.
"""

from __future__ import annotations

import random
import tomllib
from datetime import UTC, datetime
from pathlib import Path

from naive_flip import NaiveFlip

from fliptable import Context, Private, Refusal, Setup
from fliptable.chance import LooseChance
from fliptable_games.flip.game import FlipGame
from fliptable_games.flip.layout import Layout
from fliptable_games.flip.letters import CARD_OF, run_of
from fliptable_games.flip.options import DeckSplit, FlipOptions
from fliptable_games.flip.state import NOWHERE, FlipState
from fliptable_games.flip.turn import begin_turn
from fliptable_games.flip.vocabulary import FlipPile, MoveCard, PassTurn, PlaceCard

GAME = FlipGame()
DATA = Path(__file__).parent / "data"
VERBS = {"place": PlaceCard, "flip": FlipPile, "move": MoveCard, "pass": PassTurn}
WORDS = {kind: word for word, kind in VERBS.items()}
CTX = Context(datetime(2026, 1, 1, tzinfo=UTC), LooseChance(random.Random(0).shuffle))


def data(name):
    with (DATA / name).open("rb") as file:
        return tomllib.load(file)


# -- moves ----------------------------------------------------------------------------------------


def to_move(words):
    """A move of the game from its words: ``("flip", 0, 1)``."""
    return VERBS[words[0]](*words[1:])


def to_words(move):
    return (WORDS[type(move)], *[getattr(move, name) for name in move.__dataclass_fields__])


def read_move(text):
    verb, *numbers = text.split()
    return (verb, *map(int, numbers))


# -- piles ----------------------------------------------------------------------------------------


def read_pile(text):
    """``([down], [up])`` from a written pile."""
    down, _, up = text.partition("|")
    return down.split(), up.split()


def write_pile(down, up):
    return " ".join([*down, "|", *up]) if down or up else ""


def codes(run):
    return [CARD_OF[letter].value for letter in run]


# -- positions ------------------------------------------------------------------------------------


def engine_position(entry):
    """The game's state in a written position."""
    seats = len(entry["decks"])
    rows = entry["field"]
    piles = [read_pile(pile) for row in rows for pile in row]
    split = DeckSplit[entry.get("split", "COLORS" if seats == 2 else "SUITS")]
    state = FlipState(
        Layout(
            seats, split, 4, len(rows), len(rows[0]), entry.get("diagonals", False), entry.get("limit", 100)
        ),
        decks=tuple([run_of(tuple(deck.split())) for deck in entry["decks"]]),
        down=tuple([run_of(tuple(down)) for down, _ in piles]),
        up=tuple([run_of(tuple(up)) for _, up in piles]),
        flipped=space(entry, "flipped"),
        out=sum(1 << seat for seat in entry.get("out", ())),
        drawless=entry.get("drawless", 0),
    )
    if "holds" not in entry and "placed" not in entry:
        return applied(state, begin_turn(state, entry["turn"]))
    state.player = entry["turn"]
    state.drawn = run_of((entry["holds"],)) if "holds" in entry else ""
    state.placed = space(entry, "placed")
    return state


def space(entry, name):
    if name not in entry:
        return NOWHERE
    row, column = entry[name]
    return row * len(entry["field"][0]) + column


def naive_position(entry):
    """The naive game in a written position."""
    piles = []
    for row in entry["field"]:
        cells = []
        for pile in row:
            down, up = read_pile(pile)
            cells.append([[card, False] for card in down] + [[card, True] for card in up])
        piles.append(cells)
    seats = len(entry["decks"])
    game = NaiveFlip(
        piles,
        [deck.split() for deck in entry["decks"]],
        colors=entry.get("split", "COLORS" if seats == 2 else "SUITS") == "COLORS",
        diagonals=entry.get("diagonals", False),
        limit=entry.get("limit", 100),
    )
    game.out = set(entry.get("out", ()))
    game.without_draw = entry.get("drawless", 0)
    game.flipped_before = tuple(entry["flipped"]) if "flipped" in entry else None
    if "holds" not in entry and "placed" not in entry:
        game.begin_turn(entry["turn"])
    else:
        game.turn = entry["turn"]
        game.holds = entry.get("holds")
        game.placed_at = tuple(entry["placed"]) if "placed" in entry else None
        game.drew = True
        game.did_nothing = game.placed_at is None
    return game


def engine_facts(state):
    """Everything about the game's state that the two implementations must agree on."""
    layout = state.layout
    result = None
    if state.winner is not None:
        result = ("won", state.winner)
    elif state.draw is not None:
        result = ("draw", state.draw.value)
    facts = {
        "field": [
            [
                write_pile(codes(state.down[at]), codes(state.up[at]))
                for at in range(row * layout.columns, (row + 1) * layout.columns)
            ]
            for row in range(layout.rows)
        ],
        "decks": [" ".join(codes(deck)) for deck in state.decks],
        "out": [seat for seat in range(layout.seats) if state.out >> seat & 1],
        "result": result,
    }
    if result is None:
        facts |= {
            "turn": state.player,
            "holds": CARD_OF[state.drawn].value if state.drawn else None,
            "flipped": None if state.flipped == NOWHERE else divmod(state.flipped, layout.columns),
        }
    return facts


def naive_facts(game):
    facts = {
        "field": [
            [
                write_pile([card for card, up in pile if not up], [card for card, up in pile if up])
                for pile in row
            ]
            for row in game.piles
        ],
        "decks": [" ".join(deck) for deck in game.decks],
        "out": sorted(game.out),
        "result": game.result,
    }
    if game.result is None:
        facts |= {"turn": game.turn, "holds": game.holds, "flipped": game.flipped_before}
    return facts


# -- play -----------------------------------------------------------------------------------------


def applied(state, events):
    for event in events:
        state = GAME.evolve(state, event.event if type(event) is Private else event)
    return state


def dealt(options=None, seats=2, chance=None):
    """The events of a deal and the state after them."""
    ctx = Context(CTX.now, chance or CTX.chance)
    state = GAME.begin(Setup(options or FlipOptions(), GAME.Terms(), seats))
    events = GAME.deal(state, ctx)
    return events, applied(state, events)


def naive_twin(state):
    """The naive game of a round that was just dealt."""
    layout = state.layout
    decks = [codes(deck) for deck in state.decks]
    decks[state.player].insert(0, CARD_OF[state.drawn].value)
    return NaiveFlip.deal(
        decks,
        codes("".join(state.down)),
        layout.rows,
        layout.columns,
        state.player,
        colors=layout.split is DeckSplit.COLORS,
        diagonals=layout.diagonals,
        limit=layout.turn_limit,
    )


def legal(state):
    return [to_words(move) for move in GAME.legal_moves(state, state.player)] if not state.over else []


def play(state, words):
    """The events of a legal move and the state after them."""
    events = GAME.decide(state, state.player, to_move(words), CTX)
    assert not isinstance(events, Refusal), f"{words}: {events}"
    return events, applied(state, events)


def cards_in(state):
    """Every card of the round, sorted: what must never change."""
    return sorted("".join([*state.decks, *state.down, *state.up, state.drawn]))


def random_round(seed, options=None, seats=2, trim=None):
    """A round dealt at random; ``trim`` leaves each deck that many cards, so that players go out."""
    chooser = random.Random(seed)
    _, state = dealt(options, seats, LooseChance(chooser.shuffle))
    if trim is not None:
        state.decks = tuple([deck[:trim] for deck in state.decks])
    return state, chooser


def choose(state, moves, chooser, keen):
    """A legal move; the keener, the more often one that takes a card or turns an enemy's card down."""
    if chooser.random() < keen:
        layout, up = state.layout, state.up

        def hurts(words):
            if words[0] not in ("flip", "move"):
                return False
            row, column = words[-2:]
            run = up[row * layout.columns + column]
            return bool(run) and layout.owner[run[-1]] != state.player

        moves = [words for words in moves if hurts(words)] or moves
    return chooser.choice(moves)
