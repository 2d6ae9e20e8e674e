"""The game that is none: keeping score for people with real cards on a real table.

One round of this game is a whole session, with rounds, totals and the end of the match (flip7 F29,
F30) of its own, so that an entry of any round can be corrected until the scoreboard is closed.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from fliptable import (
    Between,
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
from fliptable_games.flip7.scoring import Flip7LineScore, over_the_deck, score_line
from fliptable_games.scoreboard.board import Board, Entry, evolve, lines_of
from fliptable_games.scoreboard.lines import described, line_moves
from fliptable_games.scoreboard.vocabulary import (
    EVENTS,
    MOST_POINTS,
    REFUSALS,
    BoardRoundView,
    DeleteEntry,
    EnteredLine,
    EnterLine,
    EnterPoints,
    EntryDeleted,
    EntryView,
    Finish,
    Finished,
    LineEntered,
    Move,
    PointsEntered,
    ScoreboardOptions,
    ScoreboardView,
    ScoreView,
    SeatGone,
)

RULES = """\
Keep the score of Flip 7 played with real cards. After each round enter every player's **line** (the
numbers, the modifiers, whether it is bust; seven different numbers are recognised) or just the
**points**. An earlier entry is **corrected** by entering that round again, or taken back.

The match is decided when, all players having an entry for the round, somebody has reached the
threshold: the highest total wins. **Finish** then closes the scoreboard; until then mistakes can
still be corrected."""


class Scoreboard(Game[Board, Move]):
    """A scoreboard for one to eighteen players (flip7 F1)."""

    id = "scoreboard"
    name = "Flip 7 Scoreboard"
    graphql = "Scoreboard"
    summary = "Keep score for people who play with real cards."
    rules = RULES
    seats = range(1, 19)
    Options = ScoreboardOptions
    State = Board
    View = ScoreboardView
    moves = (EnterLine, EnterPoints, DeleteEntry, Finish)
    events = EVENTS
    refusals = REFUSALS
    results = frozenset((Result.WON, Result.LOST))
    modes = frozenset(("classic",))

    def begin(self, setup: Setup) -> Board:
        """Nothing is entered yet."""
        return Board(
            setup.options.threshold, setup.options.rules, setup.seats, gone=tuple(sorted(setup.gone))
        )

    def deal(self, state: Board, ctx: Context) -> Events:
        """There is nothing to deal."""
        return []

    def to_act(self, state: Board) -> Collection[Seat]:
        """Everybody, at any time: entries come in any order and can be corrected."""
        if state.closed is not None:
            return ()
        return [seat for seat in range(state.seats) if seat not in state.gone]

    def legal_moves(self, state: Board, seat: Seat) -> Sequence[Move | MoveRange]:
        """The end of the match, or an entry for the current round if the seat has none; then corrections.

        A line is offered with the cards that the other lines of its round leave; one that corrects any of
        several rounds with those that all of them leave. A pair in a bust line need not be entered.
        """
        moves: list[Move | MoveRange] = []
        points = Between(0, MOST_POINTS)
        entered = [n for n in range(1, len(state.rounds) + 1) if state.entry(n, seat) is not None]
        named = list(entered)
        if state.winners:
            moves.append(Finish())
        if not state.winners and state.entry(state.current, seat) is None:
            moves += line_moves(state, seat, None, [state.current])
            moves.append(MoveRange(EnterPoints(0), {"points": points}))
            named.append(state.current)
        if named:
            rounds = Choices(tuple(named))
            moves += line_moves(state, seat, named[-1], named)
            moves.append(MoveRange(EnterPoints(0, named[-1]), {"points": points, "round": rounds}))
        if entered:
            moves.append(MoveRange(DeleteEntry(entered[-1]), {"round": Choices(tuple(entered))}))
        return moves

    def decide(self, state: Board, seat: Seat, move: Move, ctx: Context) -> Events | Refusal:
        """An entry, a correction, or the end."""
        if isinstance(move, Finish):
            if not state.winners:
                return Refusal("NOT_DECIDED", _undecided(state))
            return [Finished(seat, state.winners)]
        if isinstance(move, DeleteEntry):
            entry = state.entry(move.round, seat)
            if entry is None:
                return _no_entry(move.round)
            return [EntryDeleted(seat, move.round, entry.points)]
        number = move.round if move.round is not None else state.current
        corrects = state.entry(number, seat) is not None
        refusal = _no_room(state, seat, move.round, corrects)
        if refusal is not None:
            return refusal
        if isinstance(move, EnterPoints):
            if not 0 <= move.points <= MOST_POINTS:
                message = f"{move.points} points cannot be entered: they go from 0 to {MOST_POINTS}."
                return Refusal("INVALID_VALUE", message, "points")
            return [PointsEntered(seat, number, move.points, corrects)]
        line = EnteredLine(move.numbers, move.modifiers, move.second_chance, move.bust)
        score = score_line(described(line))
        if isinstance(score, Refusal):
            return score
        refusal = _beyond_the_deck(state, seat, number, line)
        return refusal or [LineEntered(seat, number, line, score.total, corrects)]

    def evolve(self, state: Board, event: Any) -> Board:
        """Apply an event."""
        return evolve(state, event)

    def outcome(self, state: Board) -> Outcome | None:
        """Over when the scoreboard is closed: each seat's total, and who has won."""
        if state.closed is None and len(state.gone) < state.seats:
            return None
        return Outcome(
            tuple(
                [
                    SeatOutcome(Result.WON if seat in state.winners else Result.LOST, total)
                    for seat, total in enumerate(state.totals)
                ]
            )
        )

    def leave(self, state: Board, seat: Seat, ctx: Context) -> Events:
        """Rounds no longer wait for the seat; its entries stay and count."""
        return [SeatGone(seat)] if seat not in state.gone else []

    def expired(self, state: Board, seat: Seat, ctx: Context) -> Events:
        """Nothing: whoever plays at a real table enters their line when they get to it."""
        return []

    def ask(self, state: Board, seat: Seat, names: Sequence[str]) -> str | None:
        """The question for a seat whose entry is awaited, or whether all is right in the end."""
        name = names[seat]
        if state.winners:
            return f"Ask {name}: is everything entered right, so that the match can be finished?"
        if state.entry(state.current, seat) is None:
            return f"Ask {name}: what is your line, or how many points, in round {state.current}?"
        return None

    def view(self, state: Board, viewer: Viewer) -> ScoreboardView:
        """The same for everybody."""
        return ScoreboardView(
            threshold=state.threshold,
            rules=state.rules,
            current=min(state.current, len(state.rounds)) if state.winners else state.current,
            rounds=tuple([_round(state, number) for number in range(1, len(state.rounds) + 1)]),
            totals=state.totals,
            leaders=state.leaders,
            passed=state.passed,
            winners=state.winners,
            closed=state.closed is not None,
        )

    def shuffle_unknown(self, state: Board, viewer: Viewer, chance: Chance) -> Board:
        """Nothing is hidden."""
        return state


def _no_room(state: Board, seat: Seat, named: int | None, corrects: bool) -> Refusal | None:
    """Why nothing can be entered for the seat in the round that is named, or in the current one."""
    current = state.current
    if named is None and corrects:
        message = f"Round {current} has an entry for this seat; name the round to correct it."
        return Refusal("ALREADY_ENTERED", message, "round")
    if corrects:
        return None
    if named is not None and named != current:
        return _no_entry(named)
    if state.winners:
        return Refusal("MATCH_DECIDED", "The match is decided: finish it, or correct an entry.")
    return None


def _no_entry(number: int) -> Refusal:
    return Refusal("NO_ENTRY", f"There is no entry for this seat in round {number}.", "round")


def _beyond_the_deck(state: Board, seat: Seat, number: int, line: EnteredLine) -> Refusal | None:
    """Why the lines of a round cannot lie on one table: the deck has not that many cards."""
    entries = state.rounds[number - 1] if number <= len(state.rounds) else ()
    others = lines_of([entry for one, entry in enumerate(entries) if one != seat])
    codes = [code for one in (*others, line) for code in described(one).codes()]
    why = over_the_deck(codes)
    return None if why is None else Refusal("BAD_LINE", f"With the other lines of the round: {why}")


def _undecided(state: Board) -> str:
    missing = state.missing(state.current)
    if state.current <= len(state.rounds) and missing:
        return f"Round {state.current} lacks {len(missing)} entries."
    if state.passed:
        return "There is a tie for the highest total, so another round is played."
    reach = "more than " if state.rules.value == "HOSTED" else ""
    return f"Nobody has {reach}{state.threshold} points yet."


def _round(state: Board, number: int) -> BoardRoundView:
    entries = enumerate(state.rounds[number - 1])
    missing = state.missing(number)
    return BoardRoundView(
        number=number,
        complete=not missing,
        entries=tuple([_entry(seat, entry) for seat, entry in entries if entry is not None]),
        missing=missing,
        totals=state.totals_after(number),
    )


def _entry(seat: Seat, entry: Entry) -> EntryView:
    score = score_line(described(entry.line)) if entry.line is not None else None
    shown = _shown(score) if isinstance(score, Flip7LineScore) else None
    return EntryView(seat, entry.points, entry.line, shown, entry.changes)


def _shown(s: Flip7LineScore) -> ScoreView:
    return ScoreView(s.numbers, s.doubled, s.plus, s.bonus, s.total, s.flip_seven, s.bust)
