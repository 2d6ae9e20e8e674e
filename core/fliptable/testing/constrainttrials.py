"""A constraint in a setting, and its laws held in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fliptable.constraints import Constraint, ConstraintStatus, Demand
from fliptable.plugins import load_plugins
from fliptable.rules import Game, Viewer
from fliptable.testing.actions import Action
from fliptable.testing.broken import SAME, Broken, caught, in_words, raised
from fliptable.testing.classlaws import hold_class_in_case
from fliptable.testing.culprits import kept
from fliptable.testing.elsewhere import differing
from fliptable.testing.keeping import memory_of, remember
from fliptable.testing.literals import Literals, shown
from fliptable.testing.playout import Case, Playout
from fliptable.testing.shrinking import ATTEMPTS, is_default, more_default
from fliptable.testing.storage import storable, storage_trouble
from fliptable.testing.trials import Trial, hold
from fliptable.testing.watchdog import CALL_SECONDS, called, watching

WHOLE = ("lasting", "end")
"""The laws of a round as a whole, for those who play it alone: of others they may see more at its end."""
_ENDS = (".", "!", "?", ";", ":", ",")
_FEW = 3
"""So many smaller cases are tried for a law that takes long to hold."""


@dataclass(frozen=True)
class ConstraintTrial(Trial):
    """A constraint in rounds of a game."""

    kind = "constraint"
    check = "check_constraint_case"

    constraint: Constraint
    options: Any
    case: Case

    @property
    def part(self) -> Constraint:
        """The constraint."""
        return self.constraint

    def hold(self, law: str, actions: Sequence[Action]) -> Broken | None:
        """Play the actions, and see whether the law is broken at any time."""
        memory_of(self.constraint).restore()
        if law == SAME:
            found = differing([(self, actions)])
            return None if found is None else found[-1]
        return self.words() or self._watched(actions, law in WHOLE)

    def words(self) -> Broken | None:
        """What is broken by its options, and by what it says of itself."""
        constraint, options = self.constraint, self.options
        trouble = storage_trouble(options, constraint.Options)
        if trouble:
            return Broken("storage", f"the options: {trouble}")
        text: Any
        demand: Any
        try:
            with called():
                text, demand = constraint.text(options), constraint.demand(options)
                again = constraint.text(options), constraint.demand(options)
        except BaseException as error:
            found = raised(error, constraint)
            return Broken("status", found.complaint, found.error)
        if not isinstance(text, str) or not text.strip() or "\n" in text:
            return Broken("text", f"its text is {text!r}")
        if text.rstrip()[-1] in _ENDS:
            why = 'it stands in a list or within a sentence, such as "in exactly 5 flips", so nothing ends it'
            return Broken("text", f"its text is {text!r}; {why}")
        if demand is not None:
            wrong = _demand_trouble(demand)
            if wrong is not None:
                return Broken("demand", f"its demand is {shown(demand)}{wrong}")
        if (text, demand) != again:
            return Broken("purity", "text or demand is not the same when it is asked for again")
        told = kept(memory_of(constraint), constraint, "text or demand")
        if told is not None:
            return Broken("purity", told.partition(":")[0] + ": they go by the options alone")
        return None

    def _watched(self, actions: Sequence[Action], whole: bool) -> Broken | None:
        playout, watch = Playout(self.case), Watch(self.constraint, self.options, whole)
        broken = watch.look(playout)
        for action in actions:
            if broken is not None or playout.outcome is not None or playout.take(action) is not None:
                break
            broken = watch.look(playout)
        return broken

    def record(self, actions: Sequence[Action]) -> Iterator[Any]:
        """What it says, and how it stands after each action."""
        try:
            constraint, options = self.constraint, self.options
            yield {"text": constraint.text(options), "demand": storable(constraint.demand(options))}
            playout = Playout(self.case)
            for action in actions:
                if playout.take(action) is not None:
                    return
                view = playout.game.view(playout.state, frozenset({0}))
                yield {"status": constraint.status(options, view, playout.outcome is not None).value}
        except BaseException as error:
            yield {"raises": in_words(caught(error))}

    def simpler(self) -> Iterator[ConstraintTrial]:
        """Fewer seats, and options at their defaults."""
        for count in sorted(self.case.game.seats):
            if count < self.case.seats:
                yield replace(self, case=replace(self.case, seats=count))
        for options in more_default(self.options):
            yield replace(self, options=options)

    def seeded(self, seed: int) -> ConstraintTrial:
        """The same with another seed."""
        return replace(self, case=replace(self.case, seed=seed))

    def seats(self) -> int:
        """How many seats there are."""
        return self.case.seats

    def seed(self) -> int:
        """What chance goes by."""
        return self.case.seed

    def setting(self) -> Sequence[str]:
        """The game and the options."""
        return [f"game {self.case.game.id!r}", *map(Literals().write, self._chosen().values())]

    def arguments(self, law: str) -> Mapping[str, Any]:
        """What :func:`check_constraint_case` needs to be told."""
        return {"game": self.case.game, **self._chosen()}

    def _chosen(self) -> dict[str, Any]:
        return {} if is_default(self.options, self.constraint.Options) else {"options": self.options}

    def attempts(self, law: str) -> int:
        """Few in another process."""
        return _FEW if law == SAME else ATTEMPTS


def _demand_trouble(demand: Any) -> str | None:
    """What is wrong with a demand."""
    if not isinstance(demand, Demand):
        return ", which is no Demand"
    least, most = demand.least, demand.most
    if type(least) is not int or least < 0:
        return f": least is {least!r}, and has to be 0 or more"
    if most is not None and (type(most) is not int or most < least):
        return f": most is {most!r}, and has to be {least} or more, as least is, or None"
    for name, sets in (("includes", demand.includes), ("excludes", (demand.excludes,))):
        for codes in sets:
            if not isinstance(codes, frozenset) or not all(isinstance(code, str) for code in codes):
                return f": {name} has {codes!r}, which is no frozenset of cards' codes"
    for codes in demand.includes:
        if not codes - demand.excludes:
            return f": of {sorted(codes)} a card has to be there, and none of them can be"
    return None


class Watch:
    """How a constraint stood for each viewer of a round."""

    def __init__(self, constraint: Constraint, options: Any, whole: bool = True) -> None:
        """Nobody has looked yet. ``whole`` says whether it matters how one look goes with another."""
        self._whole = whole
        self._constraint = constraint
        self._options = options
        self._stood: dict[Viewer, ConstraintStatus] = {}

    def look(self, playout: Playout) -> Broken | None:
        """The first law that is broken as the round stands."""
        over = playout.outcome is not None
        everybody: Viewer = frozenset(range(playout.case.seats))
        for viewer in (frozenset({0}), everybody, frozenset[int]()):
            view = playout.game.view(playout.state, viewer)
            broken = self._ask(view, over, viewer, viewer == everybody)
            if broken is not None:
                return broken
        return None

    def _ask(self, view: Any, over: bool, viewer: Viewer, plays: bool) -> Broken | None:
        seats = " and ".join(map(str, sorted(viewer)))
        who = (
            f"for seat {seats}" if len(viewer) == 1 else f"for seats {seats}" if viewer else "for a spectator"
        )
        before = storable(view)
        ask: Callable[[], Any] = lambda: self._constraint.status(self._options, view, over)  # noqa: E731
        try:
            with called():
                status, again = ask(), ask()
        except BaseException as error:
            found = raised(error, self._constraint)
            return Broken("status", f"{who}, {found.complaint}", found.error)
        if not isinstance(status, ConstraintStatus):
            return Broken("status", f"{who} it gives {status!r}, which is no ConstraintStatus")
        if status is not again:
            return Broken(
                "purity", f"{who} it gives {status.value} and then {again.value} for the same round"
            )
        if storable(view) != before:
            return Broken("purity", f"{who} it changes the view that it is shown")
        told = kept(memory_of(self._constraint), self._constraint, "status")
        if told is not None:
            return Broken("purity", told.partition(":")[0] + ": it goes by the view alone")
        if not self._whole:
            return None
        stood = self._stood.get(viewer, ConstraintStatus.OPEN)
        if stood is not ConstraintStatus.OPEN and status is not stood:
            return Broken("lasting", f"{who} it was {stood.value} and is {status.value} in the same round")
        if over and plays and status is ConstraintStatus.OPEN:
            return Broken("end", f"the round is over, and {who} it is still OPEN")
        self._stood[viewer] = status
        return None


def installed_games(constraint: Constraint) -> list[Game[Any, Any]]:
    """The installed games that the constraint names."""
    registry = load_plugins(strict=False)
    return [registry.games[id] for id in constraint.games if id in registry.games]


def check_constraint_case(
    constraint: Constraint,
    law: str,
    actions: Sequence[Action] = (),
    *,
    game: Game[Any, Any] | None = None,
    options: Any = None,
    seats: int | None = None,
    seed: int = 0,
) -> None:
    """Play one round and hold one law of a constraint; failures of :func:`check_constraint` print such cases.

    The game is the first installed one of those that the constraint names, where none is given.
    Errors: AssertionError names the law and what is wrong.
    """
    __tracebackhide__ = True
    hold_class_in_case(constraint, law)
    remember(constraint)
    played = game or next(iter(installed_games(constraint)), None)
    assert played is not None, f"none of {list(constraint.games)} is installed; pass the game"
    count = min(played.seats) if seats is None else seats
    case = Case(played, count, seed)
    chosen = constraint.Options() if options is None else options
    with watching(CALL_SECONDS):
        hold(ConstraintTrial(constraint, chosen, case), law, actions)
