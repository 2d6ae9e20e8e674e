"""Positions and moves of Flip 7 in words, and a round that is played by them.

Seats are letters from A. A line is its cards and, if the seat is out, how: ``12 +6 CHANCE``,
``7 stayed``, ``frozen``, ``7 3 bust 7``, ``3 left``. Moves are ``A hits``, ``B stays``,
``B gives C``, ``A leaves`` and ``A expires`` (their time is up); with ``-> CODE`` behind it a move has
to be refused with that code.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import Any

from flip7_laws import FULL_DECK, check_laws

from fliptable import SPECTATOR, Context, Refusal, Setup
from fliptable.chance import StackedChance
from fliptable_games.flip7 import Flip7
from fliptable_games.flip7.state import Flip7State, Line
from fliptable_games.flip7.vocabulary import Assign, Flip7Options, Hit, LineStatus, Rules, Stay

GAME = Flip7()
NOW = datetime(2026, 1, 1, tzinfo=UTC)
LETTERS = "ABCDEFGHIJKLMNOPQR"
_MODIFIERS = ("+2", "+4", "+6", "+8", "+10", "x2")


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


def line_text(view) -> str:
    """A line of a view in words."""
    words = [*map(str, view.numbers), *view.modifiers]
    words += ["CHANCE"] * view.second_chance + ["FREEZE"] * view.frozen
    if view.status.value != "ACTIVE":
        words.append(view.status.value.lower().replace("_", " "))
    if view.bust_card is not None:
        words.append(str(view.bust_card))
    return " ".join(words)


class Round:
    """A round that is played in words. The laws of the sheet are held against every step."""

    def __init__(self, case: dict[str, Any], rules: str) -> None:
        """Deals by the case, or starts from its ``lines``."""
        self.seats = len(case["lines"]) if "lines" in case else case.get("seats", 3)
        self.events: list[Any] = []
        options = Flip7Options(Rules(rules))
        dealer = LETTERS.index(case.get("dealer", LETTERS[self.seats - 1]))
        top = tuple(case.get("deck", "").split())
        stacks = [stack.split() for stack in case.get("reshuffles", [])]
        if "lines" in case:
            self.chance = StackedChance(*stacks, used=2)
            self.state = self._position(case, rules, dealer, top)
        else:
            self.chance = StackedChance((str(dealer),), top, *stacks)
            self.state = GAME.begin(Setup(options, None, self.seats))
            self._apply(GAME.deal(self.state, self._context()))
        check_laws(self.state)

    def _position(self, case: dict[str, Any], rules: str, dealer: int, top: tuple[str, ...]) -> Flip7State:
        lines = tuple(read_line(case["lines"][LETTERS[seat]]) for seat in range(self.seats))
        discard = tuple(case.get("discard", "").split())
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
        piles = Counter(deck) + Counter(discard)
        return Flip7State(
            hosted=rules == "HOSTED",
            lines=lines,
            active=sum(line.status is LineStatus.ACTIVE for line in lines),
            deck=deck,
            discard=discard,
            plain=sum(copies for code, copies in piles.items() if code not in ("FREEZE", "FLIP3", "CHANCE")),
            shuffle=2,
            dealer=dealer,
            turn=(LETTERS.index(case["turn"]) - 1) % self.seats,
            deal_at=self.seats,
            cycle=1,
        )

    def _context(self) -> Context:
        return Context(NOW, self.chance)

    def _apply(self, events: Any) -> None:
        for event in events:
            self.events.append(event)
            self.state = GAME.evolve(self.state, event)

    def do(self, words: str) -> None:
        """One move in words. Errors: AssertionError says what went otherwise."""
        move, _, refused = (part.strip() for part in words.partition("->"))
        who, verb, *whom = move.split()
        seat = LETTERS.index(who)
        if verb == "leaves":
            self._apply(GAME.leave(self.state, seat, self._context()))
            check_laws(self.state)
            return
        assert list(GAME.to_act(self.state)) == [seat], f"{words!r}: it is {self.next}'s turn"
        if verb == "expires":
            self._apply(GAME.expired(self.state, seat, self._context()))
            check_laws(self.state)
            return
        played = {"hits": Hit, "stays": Stay}[verb]() if verb != "gives" else Assign(LETTERS.index(whom[0]))
        before = self.state
        events = GAME.decide(before, seat, played, self._context())
        assert self.state == before
        if refused:
            assert isinstance(events, Refusal), f"{words!r} is accepted"
            assert events.code == refused
            return
        assert not isinstance(events, Refusal), f"{words!r} is refused: {events.message}"
        self._apply(events)
        check_laws(self.state)

    @property
    def view(self) -> Any:
        """What everybody sees."""
        return GAME.view(self.state, SPECTATOR)

    @property
    def next(self) -> str:
        """Who is to act, as a letter; "over" when nobody is."""
        seats = list(GAME.to_act(self.state))
        return LETTERS[seats[0]] if seats else "over"

    @property
    def pending(self) -> str:
        """The open choice in words, for example ``B: FREEZE to A C``; empty at a hit-or-stay choice."""
        pending = self.view.pending
        if pending is None:
            return ""
        to = " ".join(LETTERS[seat] for seat in pending.targets)
        return f"{LETTERS[pending.seat]}: {pending.kind.value}" + (f" to {to}" if to else "")

    def lines(self) -> dict[str, str]:
        """All lines in words."""
        return {LETTERS[line.seat]: line_text(line) for line in self.view.lines}

    def scores(self) -> dict[str, int]:
        """All scores."""
        return {LETTERS[line.seat]: line.score for line in self.view.lines}


def play_case(case: dict[str, Any], rules: str) -> Round:
    """Play a case and hold its ``then`` against what came out."""
    played = Round(case, rules)
    for move in case.get("moves", []):
        played.do(move)
    then = case["then"]
    found = {
        "next": played.next,
        "pending": played.pending,
        "discard": " ".join(played.view.discarded),
        "cards_left": played.view.cards_left,
        "lines": played.lines(),
        "scores": played.scores(),
        "events": [type(event).__name__ for event in played.events],
    }
    unknown = set(then) - {*found, "discard_ends", "without"}
    assert not unknown, f"the case expects {unknown}, which nothing checks"
    for what in ("next", "pending", "discard", "cards_left"):
        if what in then:
            assert found[what] == then[what], what
    for what in ("lines", "scores"):
        for seat, expected in then.get(what, {}).items():
            assert found[what][seat] == expected, f"{what} of {seat}"
    if "discard_ends" in then:
        assert found["discard"].endswith(then["discard_ends"])
    if "events" in then:
        names = iter(found["events"])
        assert all(name in names for name in then["events"]), f"{then['events']} in {found['events']}"
    for name in then.get("without", []):
        assert name not in found["events"]
    return played
