"""A game in a setting, and the laws held in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from random import Random
from typing import Any

from fliptable.rules import Game
from fliptable.testing.actions import Action, Play
from fliptable.testing.answering import answers
from fliptable.testing.broken import ANSWERS, SAME, Broken, caught, in_words, raised
from fliptable.testing.classlaws import hold_class_in_case
from fliptable.testing.differences import difference
from fliptable.testing.elsewhere import differing
from fliptable.testing.evolving import game_raised
from fliptable.testing.keeping import memory_of, remember
from fliptable.testing.laws import FORGOTTEN, GLANCES, LAWS, PURITY, Law
from fliptable.testing.leaks import seen_of
from fliptable.testing.literals import Literals, shown
from fliptable.testing.longplay import LONG_LAWS, MOST_MOVES, RaisedLater
from fliptable.testing.moves import covers
from fliptable.testing.playout import Case, Playout
from fliptable.testing.shrinking import ATTEMPTS, is_default, more_default
from fliptable.testing.storage import storable
from fliptable.testing.trials import Trial, hold
from fliptable.testing.watchdog import CALL_SECONDS, called, watching

_FEW = 12
_VERY_FEW = 3
"""So many smaller cases are tried for a law that takes long to hold, or another process."""

_GLANCES = 12
_OFTEN = {**dict.fromkeys([*GLANCES, FORGOTTEN], 6), PURITY: 40}
"""So many times some laws are held in a smaller case: those that are held on samples, and what may go by how
often something was asked; and so many times briefly.
"""


@dataclass(frozen=True, slots=True)
class GameTrial(Trial):
    """Rounds of a game."""

    kind = "game"
    check = "check_case"

    case: Case
    most_moves: int = MOST_MOVES

    @property
    def part(self) -> Game[Any, Any]:
        """The game."""
        return self.case.game

    def unfit(self) -> str | None:
        """Why the game cannot be played like this, since options may rule out a number of seats.

        Errors: what ``check`` raises besides refusals.
        """
        case = self.case
        try:
            with called():
                case.game.check(case.options, case.seats)
        except ValueError as error:
            return str(error)
        return None if case.seats in case.game.seats else f"it is for {case.game.seats} seats"

    def unchecked(self) -> Broken | None:
        """What is broken where ``check`` neither takes the options nor refuses one of them."""
        case = self.case
        names = [field.name for field in fields(case.game.Options)]
        try:
            with called():
                case.game.check(case.options, case.seats)
        except ValueError as error:
            name, _, why = str(error).partition(": ")
            if name in names and why:
                return None
            there = ", ".join(names) or "none"
            told = f"which is not 'field: why' with one of the options: {there}"
            return Broken(ANSWERS, f"check refuses with {str(error)!r}, {told}")
        except BaseException as error:
            return raised(error, case.game)
        return None

    def hold(self, law: str, actions: Sequence[Any]) -> Broken | None:
        """Play the actions, and see whether the law is broken then."""
        memory_of(self.case.game).restore()
        broken = self.unchecked()
        if broken is not None or self.unfit() is not None:
            return broken
        if law == SAME:
            return self._same(actions)
        playout = self.play(actions)
        if not isinstance(playout, Playout):
            return playout
        if law in LONG_LAWS:
            return self._long(law, playout, actions)
        if law == ANSWERS:
            everything = [(ANSWERS, answers), *LAWS.items(), *GLANCES.items()]
            found = (first_broken(playout, {name: one}) for name, one in everything)
            return next((one for one in found if one is not None and one.law == ANSWERS), None)
        if law not in _OFTEN:
            return first_broken(playout, {law: LAWS[law]})
        tried = [(LAWS[law], attempt) for attempt in range(_OFTEN[law])]
        if law in GLANCES:
            tried[1:1] = [(GLANCES[law], attempt) for attempt in range(_GLANCES)]
        found = (first_broken(playout, {law: one}, attempt) for one, attempt in tried)
        return next((one for one in found if one is not None), None)

    def _long(self, law: str, playout: Playout, actions: Sequence[Action]) -> Broken | None:
        try:
            complaint = LONG_LAWS[law](playout, self.most_moves)
        except RaisedLater as later:
            return self.raised(later.error, later.actions)
        except BaseException as error:
            return self.raised(error, actions)
        return None if complaint is None else Broken(law, complaint)

    def play(self, actions: Sequence[Action]) -> Playout | Broken | None:
        """The actions played; None where one of them is not legal, and what is broken by playing them."""
        try:
            playout = Playout(self.case)
            for action in actions:
                if isinstance(action, Play) and not _is_legal(playout, action):
                    return None
                refusal = playout.take(action)
                if refusal is not None and isinstance(action, Play):
                    return Broken("moves", f"{action} is refused: {refusal.code}: {refusal.message}")
                if refusal is not None:
                    return None
        except BaseException as error:
            return self.raised(error, actions)
        return playout

    def raised(self, error: BaseException, actions: Sequence[Action]) -> Broken:
        """What is broken where the game has raised something after the actions."""
        return game_raised(error, self.part, lambda: _replayed(self.case, actions))

    def fit(self, actions: Sequence[Action]) -> list[Action]:
        """Those of the actions that are legal in this setting, one after the other.

        A move that is somebody else's turn is played by whoever is to act.
        """
        taken: list[Action] = []
        action: Action | None = None
        try:
            playout = Playout(self.case)
            for action in actions:
                acting = sorted(playout.game.to_act(playout.state))
                if isinstance(action, Play) and action.seat not in acting and len(acting) == 1:
                    action = replace(action, seat=acting[0])
                legal = not isinstance(action, Play) or _is_legal(playout, action)
                if legal and playout.take(action) is None:
                    taken.append(action)
        except BaseException as error:
            # What it raises may be what is looked for.
            caught(error)
            return taken if action is None else [*taken, action]
        return taken

    def _same(self, actions: Sequence[Action]) -> Broken | None:
        asked, unasked = self._steps(actions, asking=True), self._steps(actions, asking=False)
        for one, other in zip(asked, unasked, strict=False):
            changed = difference({**one, "seen": None}, {**other, "seen": None}, "what comes of the moves")
            if changed is not None:
                return Broken(SAME, f"the same moves lead to something else the second time: {changed}")
        found = differing([(self, actions)])
        return None if found is None else found[-1]

    def record(self, actions: Sequence[Action]) -> Iterator[Any]:
        """The events, the state and what is seen of it after each action."""
        return self._steps(actions, asking=True)

    def _steps(self, actions: Sequence[Action], asking: bool) -> Iterator[dict[str, Any]]:
        eyes = [frozenset[int](), frozenset({0}), frozenset(range(self.case.seats))]
        try:
            playout = Playout(self.case)
            for action in [None, *actions]:
                if action is not None and playout.take(action) is not None:
                    return
                seen = [self._seen(playout, viewer) for viewer in eyes] if asking else []
                yield {
                    "events": storable(list(playout.last)),
                    "state": storable(playout.state),
                    **({"seen": seen} if asking else {}),
                }
        except BaseException as error:
            yield {"raises": in_words(caught(error))}

    def _seen(self, playout: Playout, viewer: frozenset[int]) -> Any:
        seen = seen_of(playout.game, playout.state, viewer)
        return [shown(seen.pop("legal_moves")), storable(seen)]

    def simpler(self) -> Iterator[GameTrial]:
        """Fewer seats, then options and terms at their defaults."""
        case = self.case
        found = [replace(case, seats=count) for count in sorted(case.game.seats) if count < case.seats]
        found += [replace(case, options=one) for one in more_default(case.options)]
        found += [replace(case, terms=one) for one in more_default(case.terms)]
        return iter([GameTrial(one, self.most_moves) for one in found])

    def seeded(self, seed: int) -> GameTrial:
        """The same with another seed."""
        return GameTrial(replace(self.case, seed=seed), self.most_moves)

    def seats(self) -> int:
        """How many seats there are."""
        return self.case.seats

    def seed(self) -> int:
        """What chance goes by."""
        return self.case.seed

    def setting(self) -> Sequence[str]:
        """Options and terms that are not the default ones."""
        return [Literals().write(value) for value in self._chosen().values()]

    def arguments(self, law: str) -> Mapping[str, Any]:
        """What :func:`check_case` needs to be told."""
        bound = {"most_moves": self.most_moves} if law in LONG_LAWS and self.most_moves != MOST_MOVES else {}
        return {**self._chosen(), **bound}

    def _chosen(self) -> dict[str, Any]:
        case = self.case
        default = {"options": case.game.Options, "terms": case.game.Terms}
        given = {name: getattr(case, name) for name in default}
        return {name: value for name, value in given.items() if not is_default(value, default[name])}

    def attempts(self, law: str) -> int:
        """Few where a law plays on for long, or in another process."""
        return _VERY_FEW if law == SAME else _FEW if law in LONG_LAWS else ATTEMPTS


def first_broken(playout: Playout, laws: Mapping[str, Law], attempt: int = 0) -> Broken | None:
    """The first law that the playout breaks as it stands; other attempts try other samples."""
    for name, law in laws.items():
        # A law that raises is broken as well: a game has to answer whatever it is asked.
        try:
            complaint = next(law(playout, _lot(playout, attempt)), None)
        except BaseException as error:
            return game_raised(error, playout.case.game, partial(_all, law, playout, attempt))
        if complaint is not None:
            return Broken(name, complaint)
    return None


def _lot(playout: Playout, attempt: int) -> Random:
    return Random(f"{playout.case.seed} {len(playout.actions)} {attempt}")


def _all(law: Law, playout: Playout, attempt: int) -> list[str]:
    return list(law(playout, _lot(playout, attempt)))


def _replayed(case: Case, actions: Sequence[Action]) -> None:
    playout = Playout(case)
    for action in actions:
        playout.take(action)


def check_case(
    game: Game[Any, Any],
    law: str,
    actions: Sequence[Action] = (),
    *,
    seats: int | None = None,
    seed: int = 0,
    options: Any = None,
    terms: Any = None,
    most_moves: int = MOST_MOVES,
) -> None:
    """Play one case of a game and hold one law at its end; failures of :func:`check_game` print such cases.

    ``seats`` is the smallest number where none is given. A case that cannot be played any more, since a
    move is not legal, passes. Errors: AssertionError names the law and what is wrong.
    """
    __tracebackhide__ = True
    hold_class_in_case(game, law)
    remember(game)
    case = Case(game, min(game.seats) if seats is None else seats, seed, options, terms)
    with watching(CALL_SECONDS):
        hold(GameTrial(case, most_moves), law, actions)


def _is_legal(playout: Playout, action: Play) -> bool:
    if action.seat not in playout.game.to_act(playout.state):
        return False
    return any(covers(move, action.move) for move in playout.game.legal_moves(playout.state, action.seat))
