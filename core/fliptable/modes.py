"""The contract of a mode: how rounds make up a session at a table.

A mode sees outcomes and the clock, never cards. It says what the next round is played for, when
the session is over and what happens at a deadline. Its state, the run, is a fold over its events.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, ClassVar, Generic, TypeVar

from fliptable.challenges import Challenge, Parts
from fliptable.limits import Between
from fliptable.migrations import unchanged
from fliptable.rules import Game, NoOptions, Outcome, Refusal, Seat, SeatOutcome, Viewer
from fliptable.scores import Metric

RunT = TypeVar("RunT")


@dataclass(frozen=True, slots=True)
class Session:
    """What a run starts from."""

    options: Any
    """What whoever opens the table chose, an instance of the mode's ``Options``."""
    seats: int
    """How many seats the table has; once it has started, those that somebody holds."""
    now: datetime
    """When the table was opened, in UTC."""
    game: str = ""
    """The id of the game."""
    challenge: Challenge | None = None
    """What :meth:`Mode.challenge` asked for."""


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """What the mode asks of the next round."""

    terms: Mapping[str, Any] = field(default_factory=dict)
    """Values for fields of the game's ``Terms``, by name. Those that the game has not are left out, so a
    mode can serve games that it does not know."""
    deck: str | None = None
    """The name of a deck that all tables share: its seed comes from the server's secret and this name, and
    is not revealed with the round. None: the table shuffles for itself."""
    draws: Mapping[str, range] = field(default_factory=dict)
    """Further terms by name, each drawn by lot from its numbers, with the seed of the round's first
    shuffle."""
    until: datetime | None = None
    """From when on everybody knows the seed of the shared deck."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What only one table may have, for example a player's attempt at the daily deck of a date."""

    key: str
    """What is claimed, the same for every table that wants it."""
    refusal: Refusal
    """What whoever opens another table with the same key is told."""


class Mode(ABC, Generic[RunT]):
    """How rounds make up a session. Subclass it, fill in the class variables, register an instance."""

    id: ClassVar[str]
    """The name that stored tables refer to: lower case and hyphens, never changed."""
    name: ClassVar[str]
    """What people call the mode."""
    graphql: ClassVar[str]
    """The prefix of its GraphQL types, in PascalCase."""
    summary: ClassVar[str]
    """One line for the catalogue."""
    source: str = ""
    """Who brings it, plugin and distribution; filled in when it is loaded."""
    version: ClassVar[str] = "1.0"
    """Numbers with dots between them, stored with every table; raise it when stored events or runs change
    their meaning. An earlier version refuses what a later one has stored."""
    Options: ClassVar[type] = NoOptions
    """What whoever opens a table may choose. ``__post_init__`` raises ValueError("field: why")."""
    Run: ClassVar[type]
    """The state of a session; it must survive storage."""
    View: ClassVar[type]
    """What is shown of the run."""
    events: ClassVar[tuple[type, ...]] = ()
    """The dataclasses of the mode's events; each has ``text(names)``, a sentence for a log."""
    sees_round: ClassVar[bool] = False
    """Whether what it shows goes by the round too, so that ``view_beside`` is asked and not ``view``."""
    refusals: ClassVar[Mapping[str, str]] = {}
    """Refusal codes of its own, each with a description. Those of every table need not be declared, and have
    one meaning. Where another plugin means something else by a code, clients are told both."""
    reasons: ClassVar[Mapping[str, str]] = {}
    """The codes that it gives for the end of a session (``over``), and of its own for that of a seat's round
    (``judge``), each with what it means: for clients, which find them in the catalogue."""

    metrics: ClassVar[tuple[Metric, ...]] = ()
    """What players are compared by. Without any, nothing of the mode counts for records."""

    def supports(self, game: Game[Any, Any]) -> bool:
        """Whether rounds of the game make sense under this mode. Default: of every game."""
        return True

    def seats(self, game: Game[Any, Any]) -> range:
        """The numbers of seats that a table of the game may have under this mode."""
        return game.seats

    def limits(self, game: Game[Any, Any]) -> Mapping[str, Between]:
        """Limits of options at a game that are narrower than those of :attr:`Options`, by name.

        The catalogue tells them; :meth:`check` holds what is chosen to them.
        """
        return {}

    def connect(self, parts: Parts) -> None:
        """Given once, when the mode is registered: the games and constraints that are loaded."""
        return

    def challenge(self, options: Any) -> str | None:
        """The short code of the challenge that a session is played for; it arrives with the session."""
        return None

    def check(self, session: Session, game: Game[Any, Any]) -> Refusal | None:
        """Why no table can be opened for such a session; its field is one of the options."""
        return None

    def claim(self, session: Session, player: str) -> Claim | None:
        """What a table that the player opens takes for itself, so that no second one has it too."""
        return None

    @abstractmethod
    def begin(self, session: Session) -> RunT:
        """The run before its first event."""

    def plan(self, run: RunT, now: datetime) -> RoundPlan:
        """What the next round is played for. Asked only while the session goes on."""
        return RoundPlan()

    def plan_for(self, run: RunT, now: datetime, present: frozenset[Seat]) -> RoundPlan:
        """As :meth:`plan`, for a mode to which it matters for which seats somebody is there."""
        return self.plan(run, now)

    def quorum(self, run: RunT) -> int:
        """With fewer seats that somebody is there for, the table waits. Default: it never does."""
        return 0

    def moved(self, run: RunT, seat: Seat, move: Any, now: datetime) -> Sequence[Any] | Refusal:
        """Asked before each move that the game accepts: events of the mode, or a refusal."""
        return ()

    def narrow(self, run: RunT, seat: Seat, move: Any) -> Any | None:
        """A legal move (or MoveRange) of the game, as far as ``moved`` allows it; None: not at all."""
        return move

    def judge(self, run: RunT, outcome: Outcome, view: Any) -> Outcome:
        """The outcome as the mode sees it. ``view`` is the finished round as a spectator sees it."""
        return outcome

    @abstractmethod
    def round_over(self, run: RunT, outcome: Outcome, now: datetime) -> Sequence[Any]:
        """The mode's events at the end of a round."""

    @abstractmethod
    def over(self, run: RunT) -> str | None:
        """Why the session is over, as a code; None while it goes on."""

    @abstractmethod
    def evolve(self, run: RunT, event: Any) -> RunT:
        """The run after an event of the mode."""

    def deadline(self, run: RunT) -> datetime | None:
        """When something happens by itself; None when nothing will."""
        return None

    def at_deadline(self, run: RunT, at: datetime) -> Sequence[Any]:
        """The mode's events at its deadline. If the session is over by them, a running round is dropped."""
        return ()

    def scores(self, run: RunT, seat: Seat, outcome: SeatOutcome) -> Mapping[str, int]:
        """What a seat's round enters in the records when it is over, by the name of the metric.

        ``run`` is as the round has left it.
        """
        return {}

    def scope(self, run: RunT) -> str:
        """Which of several boards the session counts for, for example a date; the one there is: ""."""
        return ""

    def check_scope(self, scope: str) -> str:
        """The scope that somebody means who looks boards up, as :meth:`scope` would write it.

        Default: a mode without scopes has only "". Errors: ValueError("why"), part of a sentence.
        """
        if scope and type(self).scope is Mode.scope:
            raise ValueError(f"the mode {self.id} has only one list for each metric, so it takes no scope")
        return scope

    def day(self, run: RunT) -> str | None:
        """The UTC date (ISO) that the session belongs to, if players' runs of days are to be kept."""
        return None

    def migrate(self, kind: str, document: dict[str, Any], version: str) -> dict[str, Any]:
        """What an earlier version of the mode has stored, as this one would have stored it.

        ``kind`` is the name of an event's class, or "Options"; ``document`` has its fields as plain
        values. It is asked whenever a table is read, and never for what a later version has stored, which
        is refused. The default takes what the same major version has stored as it is. Errors: ValueError
        says what cannot be read any more.
        """
        return unchanged(self.id, self.version, document, version)

    @abstractmethod
    def view(self, run: RunT, viewer: Viewer) -> Any:
        """What the viewer sees of the run."""

    def view_beside(self, run: RunT, viewer: Viewer, round: Any, over: bool) -> Any:
        """What the viewer sees of the run beside a round, where ``sees_round`` says so.

        ``round`` is the running or the last round as the viewer sees it, ``over`` says which.
        """
        return self.view(run, viewer)


def seat_counts(game: Game[Any, Any], mode: Mode[Any]) -> list[int]:
    """The numbers of seats that a table of the two can have, the smallest first; none: they do not fit."""
    return sorted(set(mode.seats(game)) & set(game.seats))
