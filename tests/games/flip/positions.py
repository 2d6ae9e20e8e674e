"""Positions of FLIP written down, and read into the game and into the naive one; see cases/README.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from fliptable import Private
from fliptable.testing import Policy, RoundScript, any_move, shuffled
from fliptable_games.flip.game import FlipGame
from fliptable_games.flip.layout import Layout
from fliptable_games.flip.letters import CARD_OF, run_of
from fliptable_games.flip.options import DeckSplit, FlipOptions
from fliptable_games.flip.state import NOWHERE, FlipState
from fliptable_games.flip.turn import begin_turn
from fliptable_games.flip.vocabulary import FlipPile, MoveCard
from tests.games.flip.naive_flip import NaiveFlip

GAME = FlipGame()
KEYS = (
    "field",
    "decks",
    "split",
    "diagonals",
    "limit",
    "drawless",
    "turn",
    "holds",
    "placed",
    "flipped",
    "out",
)

Entry = Mapping[str, Any]


def position(entry: Entry) -> RoundScript:
    """The game in a written position."""
    seats = len(entry["decks"])
    rows = entry["field"]
    piles = [_read_pile(pile) for row in rows for pile in row]
    limits = entry.get("diagonals", False), entry.get("limit", 100)
    state = FlipState(
        Layout(seats, _split(entry), 4, len(rows), len(rows[0]), *limits),
        decks=tuple([run_of(tuple(deck.split())) for deck in entry["decks"]]),
        down=tuple([run_of(tuple(down)) for down, _ in piles]),
        up=tuple([run_of(tuple(up)) for _, up in piles]),
        flipped=_space(entry, "flipped"),
        out=sum(1 << seat for seat in entry.get("out", ())),
        drawless=entry.get("drawless", 0),
    )
    if "holds" in entry or "placed" in entry:
        state.player = entry["turn"]
        state.drawn = run_of((entry["holds"],)) if "holds" in entry else ""
        state.placed = _space(entry, "placed")
    else:
        for event in begin_turn(state, entry["turn"]):
            state = GAME.evolve(state, event.event if isinstance(event, Private) else event)
    return RoundScript(GAME, seats=seats, state=state)


def naive_position(entry: Entry) -> NaiveFlip:
    """The naive game in a written position."""
    piles = []
    for row in entry["field"]:
        cells = []
        for pile in row:
            down, up = _read_pile(pile)
            cells.append([[card, False] for card in down] + [[card, True] for card in up])
        piles.append(cells)
    game = NaiveFlip(
        piles,
        [deck.split() for deck in entry["decks"]],
        colors=_split(entry) is DeckSplit.COLORS,
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


def naive_twin(script: RoundScript) -> NaiveFlip:
    """The naive game of a round that was just dealt."""
    state: FlipState = script.state
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


def _split(entry: Entry) -> DeckSplit:
    return DeckSplit[entry.get("split", "COLORS" if len(entry["decks"]) == 2 else "SUITS")]


def _space(entry: Entry, name: str) -> int:
    if name not in entry:
        return NOWHERE
    row, column = entry[name]
    return row * len(entry["field"][0]) + column


def _read_pile(text: str) -> tuple[list[str], list[str]]:
    """The face-down and the face-up cards of a written pile."""
    down, _, up = text.partition("|")
    return down.split(), up.split()


def _write_pile(down: Sequence[str], up: Sequence[str]) -> str:
    return " ".join([*down, "|", *up]) if down or up else ""


def codes(run: str) -> list[str]:
    """The codes of a run of cards."""
    return [CARD_OF[letter].value for letter in run]


def facts(script: RoundScript) -> dict[str, Any]:
    """Everything about the round that the two implementations must agree on, in words."""
    state: FlipState = script.state
    layout = state.layout
    running = not state.over
    flipped = running and state.flipped != NOWHERE
    return {
        "field": [
            [
                _write_pile(codes(state.down[at]), codes(state.up[at]))
                for at in range(row * layout.columns, (row + 1) * layout.columns)
            ]
            for row in range(layout.rows)
        ],
        "decks": [" ".join(codes(deck)) for deck in state.decks],
        "out": [seat for seat in range(layout.seats) if state.out >> seat & 1],
        "winner": state.winner,
        "draw": None if state.draw is None else state.draw.value,
        "turn": state.player if running else None,
        "holds": CARD_OF[state.drawn].value if running and state.drawn else None,
        "flipped": list(divmod(state.flipped, layout.columns)) if flipped else None,
    }


def naive_facts(game: NaiveFlip) -> dict[str, Any]:
    """The same of the naive game."""
    ended, how = game.result or (None, None)
    running = ended is None
    return {
        "field": [
            [
                _write_pile([card for card, up in pile if not up], [card for card, up in pile if up])
                for pile in row
            ]
            for row in game.piles
        ],
        "decks": [" ".join(deck) for deck in game.decks],
        "out": sorted(game.out),
        "winner": how if ended == "won" else None,
        "draw": how if ended == "draw" else None,
        "turn": game.turn if running else None,
        "holds": game.holds if running else None,
        "flipped": list(game.flipped_before) if running and game.flipped_before else None,
    }


def cards_in(state: FlipState) -> list[str]:
    """Every card of the round, sorted: what must never change."""
    return sorted("".join([*state.decks, *state.down, *state.up, state.drawn]))


def dealt(options: FlipOptions | None = None, seats: int = 2, chance: Any = None, **more: Any) -> RoundScript:
    """A round that was just dealt, at random unless chance is given."""
    return RoundScript(GAME, chance or shuffled(0), seats=seats, options=options, **more)


def random_round(
    seed: int, options: FlipOptions | None = None, seats: int = 2, trim: int | None = None
) -> tuple[RoundScript, Random]:
    """A round dealt at random; ``trim`` leaves each deck that many cards, so that players go out."""
    chooser = Random(seed)
    script = dealt(options, seats, shuffled(chooser))
    if trim is not None:
        script.state.decks = tuple([deck[:trim] for deck in script.state.decks])
    return script, chooser


def keen(how_keen: float) -> Policy:
    """The keener, the more often a move that takes a card or turns an enemy's card down."""

    def policy(view: Any, seat: int, moves: Sequence[Any], random: Random) -> Any:
        if random.random() < how_keen:
            moves = [move for move in moves if _hurts(view, seat, move)] or moves
        return any_move(view, seat, moves, random)

    return policy


def _hurts(view: Any, seat: int, move: Any) -> bool:
    if isinstance(move, FlipPile):
        row, column = move.row, move.column
    elif isinstance(move, MoveCard):
        row, column = move.to_row, move.to_column
    else:
        return False
    return view.piles[row * view.columns + column].owner not in (None, seat)
