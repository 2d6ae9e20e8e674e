"""Positions and moves of Flip 7 in words, and a round that is played by them.

Seats are letters from A. A line is its cards and, if the seat is out, how: ``12 +6 CHANCE``,
``7 stayed``, ``frozen``, ``7 3 bust 7``, ``3 left``. Moves are ``A hits``, ``B stays`` and ``B gives C``;
``A leaves`` and ``A expires`` (their time is up) may happen too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from fliptable.testing import Action, Expire, Leave, Play, Reader, RoundScript, stacked
from fliptable_games.flip7 import Flip7
from fliptable_games.flip7.state import Flip7State, Line
from fliptable_games.flip7.vocabulary import Assign, Flip7Options, Hit, LineStatus, Rules, Stay
from tests.games.flip7.flip7_laws import FULL_DECK, check_laws

GAME = Flip7()
LETTERS = "ABCDEFGHIJKLMNOPQR"
KEYS = ("seats", "dealer", "lines", "turn", "deck", "discard", "draw_only", "reshuffles")
_MODIFIERS = ("+2", "+4", "+6", "+8", "+10", "x2")
_ACTIONS = ("FREEZE", "FLIP3", "CHANCE")


def read_line(text: str) -> Line:
    """A line from words."""
    numbers: list[int] = []
    modifiers: list[str] = []
    line: dict[str, Any] = {}
    words = text.split()
    while words:
        word = words.pop(0)
        if word == "bust":
            line |= {"status": LineStatus.BUST, "bust_card": int(words.pop(0))}
        elif word == "left":
            line |= {"status": LineStatus.LEFT, "gone": True}
        elif word in ("stayed", "frozen"):
            line["status"] = LineStatus(word.upper())
        elif word == "FREEZE":
            line["frozen"] = True
        elif word == "CHANCE":
            line["second_chance"] = True
        elif word in _MODIFIERS:
            modifiers.append(word)
        else:
            numbers.append(int(word))
    return Line(tuple(numbers), tuple(modifiers), **line)


def line_text(view: Any) -> str:
    """A line of a view in words."""
    words = [*map(str, view.numbers), *view.modifiers]
    words += ["CHANCE"] * view.second_chance + ["FREEZE"] * view.frozen
    if view.status.value != "ACTIVE":
        words.append(view.status.value.lower().replace("_", " "))
    if view.bust_card is not None:
        words.append(str(view.bust_card))
    return " ".join(words)


def read_words(words: str) -> Action:
    """What happens, from words."""
    who, verb, *whom = words.split()
    seat = LETTERS.index(who)
    if verb in ("leaves", "expires"):
        return {"leaves": Leave, "expires": Expire}[verb](seat)
    return Play(
        seat, Assign(LETTERS.index(whom[0])) if verb == "gives" else {"hits": Hit, "stays": Stay}[verb]()
    )


class Round(RoundScript):
    """A round that is played in words. The laws of the sheet are held against every step."""

    def __init__(self, case: Mapping[str, Any], rules: str = "OFFICIAL") -> None:
        """Deals by the case, or starts from its ``lines``."""
        self.seats = len(case["lines"]) if "lines" in case else case.get("seats", 3)
        dealer = LETTERS.index(case.get("dealer", LETTERS[self.seats - 1]))
        position = self._position(case, rules, dealer) if "lines" in case else None
        first = [] if position else [str(dealer), case.get("deck", "")]
        super().__init__(
            GAME,
            stacked(*first, *case.get("reshuffles", []), used=0 if position is None else position.shuffle),
            seats=self.seats,
            options=Flip7Options(Rules(rules)),
            invariant=check_laws,
            state=position,
        )

    def _position(self, case: Mapping[str, Any], rules: str, dealer: int) -> Flip7State:
        lines = tuple(read_line(case["lines"][LETTERS[seat]]) for seat in range(self.seats))
        top, discard = tuple(case.get("deck", "").split()), tuple(case.get("discard", "").split())
        rest = Counter(FULL_DECK)
        rest.subtract(code for line in lines for code in line.codes())
        rest.subtract(top)
        rest.subtract(discard)
        assert min(rest.values()) >= 0, "the case uses more cards than the deck has"
        others = tuple(rest.elements())
        if case.get("draw_only"):
            # The draw pile is what the case says; everything else is discarded.
            deck, discard = top, (*others, *discard)
        else:
            deck = (*top, *others)
        return Flip7State(
            hosted=rules == "HOSTED",
            lines=lines,
            active=sum(line.status is LineStatus.ACTIVE for line in lines),
            deck=deck,
            discard=discard,
            plain=sum(code not in _ACTIONS for code in (*deck, *discard)),
            shuffle=2,
            dealer=dealer,
            turn=(LETTERS.index(case["turn"]) - 1) % self.seats,
            deal_at=self.seats,
            cycle=1,
        )

    def follow(self, *lines: str, read: Reader | None = None) -> Sequence[Any]:
        """As every script, in these words."""
        return super().follow(*lines, read=read or read_words)

    @property
    def next(self) -> str:
        """Who is to act, as a letter; "over" when nobody is."""
        return next_of(self.state)

    @property
    def pending(self) -> str:
        """The open choice in words, for example ``B: FREEZE to A C``; empty at a hit-or-stay choice."""
        return pending_of(self.view())

    def lines(self) -> dict[str, str]:
        """All lines in words."""
        return {LETTERS[line.seat]: line_text(line) for line in self.view().lines}

    def scores(self) -> dict[str, int]:
        """All scores."""
        return {LETTERS[line.seat]: line.score for line in self.view().lines}


def next_of(state: Flip7State) -> str:
    """Who is to act in a state, as a letter; "over" when nobody is."""
    seats = list(GAME.to_act(state))
    return LETTERS[seats[0]] if seats else "over"


def pending_of(view: Any) -> str:
    """The open choice of a view in words."""
    if view.pending is None:
        return ""
    to = " ".join(LETTERS[seat] for seat in view.pending.targets)
    return f"{LETTERS[view.pending.seat]}: {view.pending.kind.value}" + (f" to {to}" if to else "")


def facts(round: Round) -> dict[str, Any]:
    """What a case may expect besides what every case may."""
    view = round.view()
    discard = " ".join(view.discarded)
    return {
        "next": round.next,
        "pending": round.pending,
        "discard": discard,
        "discard_ends": lambda wanted: None if discard.endswith(wanted) else f"{discard!r} ends otherwise",
        "cards_left": view.cards_left,
        "lines": round.lines(),
        "scores": round.scores(),
    }
