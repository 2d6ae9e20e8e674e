"""FLIP once more, as plainly as it can be said, to be held against the real one. It shares no code with it.

A pile is a list of ``[card, face_up]`` from the bottom to the top, a card its code (``"10H"``).
Everything that ever began a turn is kept in a list and counted again each time.
"""

from __future__ import annotations

import copy

ORDER = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]


class NaiveFlip:
    def __init__(self, piles, decks, *, colors, diagonals=False, limit=100):
        self.piles = piles
        self.rows, self.columns = len(piles), len(piles[0])
        self.decks = decks
        self.colors, self.diagonals, self.limit = colors, diagonals, limit
        self.turn = None
        self.holds = None
        self.placed_at = None
        self.did_nothing = True
        self.drew = False
        self.flipped_before = None
        self.flipped_now = None
        self.out = set()
        self.history = []
        self.without_draw = 0
        self.lazy = []
        self.result = None

    @classmethod
    def deal(cls, decks, field, rows, columns, first, **options):
        """Start with the decks, the field's cards row by row, and who is first."""
        piles = [
            [[[field[row * columns + column], False]] for column in range(columns)] for row in range(rows)
        ]
        game = cls(piles, decks, **options)
        game.begin_turn(first)
        return game

    def whose(self, card):
        suit = card[-1]
        if self.colors:
            return 0 if suit in "CS" else 1
        return "CDHS".index(suit)

    def top(self, row, column):
        """The top card if it is face-up."""
        pile = self.piles[row][column]
        if pile and pile[-1][1]:
            return pile[-1][0]
        return None

    def everywhere(self):
        return [(row, column) for row in range(self.rows) for column in range(self.columns)]

    def open_spaces(self):
        return [
            space for space in self.everywhere() if not any(up for _, up in self.piles[space[0]][space[1]])
        ]

    def wins_against(self, card, other):
        """Whether card may take other by value."""
        if card[:-1] == "A" or other[:-1] == "A":
            return True
        return ORDER.index(card[:-1]) >= ORDER.index(other[:-1])

    def touching(self, a, b):
        apart = sorted([abs(a[0] - b[0]), abs(a[1] - b[1])])
        return apart == [0, 1] or (self.diagonals and apart == [1, 1])

    def legal(self):
        """All moves in words: ``place 0 1``, ``flip 0 1``, ``move 0 1 0 2`` or ``pass``."""
        if self.result is not None:
            return []
        if self.holds is not None:
            return [f"place {row} {column}" for row, column in self.open_spaces()]
        moves = ["pass"]
        for a in self.everywhere():
            if self.piles[a[0]][a[1]] and a != self.flipped_before:
                moves.append(f"flip {a[0]} {a[1]}")
            card = self.top(*a)
            if card is None or self.whose(card) != self.turn or a == self.placed_at:
                continue
            for b in self.everywhere():
                if not self.touching(a, b):
                    continue
                other = self.top(*b)
                if other is None or (self.whose(other) != self.turn and self.wins_against(card, other)):
                    moves.append(f"move {a[0]} {a[1]} {b[0]} {b[1]}")
        return moves

    def play(self, move):
        assert move in self.legal(), move
        verb, *words = move.split()
        numbers = [int(word) for word in words]
        if verb == "place":
            row, column = numbers
            self.piles[row][column].append([self.holds, True])
            self.placed_at = (row, column)
            self.holds = None
            self.did_nothing = False
            return
        if verb == "flip":
            row, column = numbers
            pile = self.piles[row][column]
            pile.reverse()
            for entry in pile:
                entry[1] = not entry[1]
            self.flipped_now = (row, column)
            self.did_nothing = False
        if verb == "move":
            row, column, to_row, to_column = numbers
            self.piles[to_row][to_column].append(self.piles[row][column].pop())
            self.did_nothing = False
        self.end_turn()

    def end_turn(self):
        for seat in range(len(self.decks)):
            shows = any(
                self.top(*space) is not None and self.whose(self.top(*space)) == seat
                for space in self.everywhere()
            )
            if shows or self.decks[seat]:
                self.out.discard(seat)
            else:
                self.out.add(seat)
        inside = [seat for seat in range(len(self.decks)) if seat not in self.out]
        if len(inside) == 1:
            self.result = ("won", inside[0])
            return
        if not inside:
            self.result = ("draw", "NOBODY_IN")
            return
        self.without_draw = 0 if self.drew else self.without_draw + 1
        if self.without_draw >= self.limit:
            self.result = ("draw", "TURN_LIMIT")
            return
        self.lazy = [*self.lazy, self.turn] if self.did_nothing else []
        if set(inside) <= set(self.lazy):
            self.result = ("draw", "ALL_IDLE")
            return
        self.flipped_before = self.flipped_now
        following = (self.turn + 1) % len(self.decks)
        while following in self.out:
            following = (following + 1) % len(self.decks)
        self.begin_turn(following)

    def begin_turn(self, seat):
        self.turn = seat
        self.placed_at = self.flipped_now = None
        self.did_nothing = True
        self.drew = False
        if self.decks[seat] and self.open_spaces():
            self.holds = self.decks[seat].pop(0)
            self.drew = True
        now = repr([self.piles, self.decks, self.holds, self.turn, self.flipped_before])
        self.history.append(now)
        if self.history.count(now) >= 3:
            self.result = ("draw", "REPETITION")

    def copy(self):
        return copy.deepcopy(self)
