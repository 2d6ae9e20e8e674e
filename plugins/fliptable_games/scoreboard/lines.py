"""Which lines can be entered: what the other lines of a round leave of the deck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from fliptable import Between, Choices, MoveRange, Seat, Several
from fliptable_games.flip7.cards import COPIES, MODIFIERS, NUMBER, SECOND_CHANCE, SEVEN
from fliptable_games.flip7.scoring import Flip7Line
from fliptable_games.scoreboard.board import Board, lines_of
from fliptable_games.scoreboard.vocabulary import EnteredLine, EnterLine


def described(line: EnteredLine) -> Flip7Line:
    """The line in the words of the game."""
    return Flip7Line(line.numbers, line.modifiers, line.second_chance, line.bust)


def line_moves(board: Board, seat: Seat, named: int | None, rounds: Sequence[int]) -> Iterator[MoveRange]:
    """The lines that the seat can enter for any of the rounds, the bust ones apart (flip7 F9, F23).

    ``named`` is the round that the examples name; None where the move names none.
    """
    left = {number: _left(board, seat, number) for number in rounds}
    for has_chance in (True, False):
        some = [number for number in rounds if (SECOND_CHANCE in left[number]) is has_chance]
        if some:
            fields = _fields(set.intersection(*[left[number] for number in some]), SEVEN)
            if has_chance:
                fields["second_chance"] = Choices((False, True))
            yield _move(named, some, fields, bust=False)
    yield _move(named, rounds, _fields(set.intersection(*left.values()), SEVEN - 1), bust=True)


def _left(board: Board, seat: Seat, number: int) -> set[str]:
    """The cards of which the other lines of a round leave at least one copy."""
    entries = board.rounds[number - 1] if number <= len(board.rounds) else ()
    others = lines_of([entry for one, entry in enumerate(entries) if one != seat])
    used = Counter(code for line in others for code in described(line).codes())
    return {code for code, copies in COPIES.items() if used[code] < copies}


def _fields(left: set[str], most: int) -> dict[str, Between | Choices | Several]:
    numbers = tuple([number for code, number in NUMBER.items() if code in left])
    modifiers = tuple([code for code in MODIFIERS if code in left])
    fields: dict[str, Between | Choices | Several] = {}
    if numbers:
        fields["numbers"] = Several(Choices(numbers), min(most, len(numbers)))
    if modifiers:
        fields["modifiers"] = Several(Choices(modifiers), len(modifiers))
    return fields


def _move(
    named: int | None, rounds: Sequence[int], fields: dict[str, Between | Choices | Several], bust: bool
) -> MoveRange:
    if named is None:
        return MoveRange(EnterLine(bust=bust), fields)
    return MoveRange(EnterLine(bust=bust, round=rounds[-1]), {**fields, "round": Choices(tuple(rounds))})
