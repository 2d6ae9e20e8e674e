"""The contract of a game: the rules of one round, as pure functions.

``decide`` says what a move leads to and changes nothing; ``evolve`` applies what happened and
refuses nothing. Time and chance are arguments. A game that keeps to this gets persistence, replay,
live events, a typed API and a fair shuffle for nothing.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Generic, TypeVar

from fliptable.chance import Chance
from fliptable.limits import Between
from fliptable.migrations import unchanged

if TYPE_CHECKING:
    from random import Random

    from fliptable.constraints import Demand

Seat = int
"""The index of a place at a table, from 0, clockwise."""

Viewer = frozenset[int]
"""Whose eyes a view is for: the seats that somebody acts for; empty for a spectator."""

SPECTATOR: Viewer = frozenset()
"""The viewer without a seat."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a move was not accepted. A refused move changes nothing."""

    code: str
    """One of every table's (:data:`fliptable.REFUSALS`), or one that the plugin declares in ``refusals``."""
    message: str
    """Why, as a sentence for a person."""
    field: str | None = None
    """The field at fault, of the move, the options or the arguments, in Python's spelling."""


@dataclass(frozen=True, slots=True)
class Private:
    """An event that only some may see, with what the others see instead.

    It opens to everybody when the shuffles of its round are revealed.
    """

    event: Any
    """What has happened. ``evolve`` gets it, and so do the seats in ``to``."""
    to: frozenset[int]
    """The seats that see it."""
    public: Any = None
    """The event that all others are shown instead; None: nothing."""
    round: int = 0
    """The number of the round it belongs to, by which it opens. The table fills it in; leave it out."""

    @property
    def seat(self) -> int | None:
        """The seat of the event inside."""
        return getattr(self.event, "seat", None)


@dataclass(frozen=True, slots=True)
class Choices:
    """A field of a move that takes one of the listed values."""

    values: tuple[Any, ...]
    """The values, as the move has them in Python."""


@dataclass(frozen=True, slots=True)
class Several:
    """A field of a move that takes a list, a tuple in Python, of different values in any order.

    Every such list within the limits is accepted, whatever the other fields are. Other lists, such as ones
    with a value twice, may be accepted too; they are too many to say.
    """

    of: Between | Choices
    """What each value may be."""
    most: int
    """How many values there may be at most."""
    least: int = 0
    """How many values there have to be at least."""


@dataclass(frozen=True, slots=True)
class CardTrail:
    """Where the cards of a shuffled pile come out in the replay, so that a stranger can check the shuffle.

    Every event of the kind turns up the next card of the latest shuffle that has one of the names, from
    its top.
    """

    event: type
    """The class of the event; it may be a private one, since a check comes when all is revealed."""
    card: str = "card"
    """Its field with the card: a PlayingCard or the code of a card."""
    piles: tuple[str, ...] = ("deck",)
    """The names of the shuffles."""
    seat: int | None = None
    """Whose events they are, where each seat has a pile or a copy of its own; None: everybody's."""
    skip: int = 0
    """How many cards on top of the pile went where no event shows them."""


@dataclass(frozen=True, slots=True)
class MoveRange:
    """Legal moves that differ only in the values of some fields."""

    example: Any
    """One of the moves, which is legal as it is."""
    fields: Mapping[str, Between | Choices | Several]
    """What the fields that differ may be, by name; the others are as in the example."""


class Result(Enum):
    """How a round ended for a seat."""

    WON = "WON"
    """The seat won the round, alone or with others."""
    LOST = "LOST"
    """Others won the round."""
    BUST = "BUST"
    """The seat lost by its own cards."""
    DRAWN = "DRAWN"
    """The round has no winner."""
    SCORED = "SCORED"
    """The round is only counted in points."""


@dataclass(frozen=True, slots=True)
class SeatOutcome:
    """How a round ended for one seat."""

    result: Annotated[Result, "Won, lost, bust, drawn, or scored where points alone count."]
    points: Annotated[int, "The points that the seat gets for the round."] = 0
    reason: Annotated[str | None, "Why, as a code of the game, for example DECK_EMPTY."] = None
    measures: Annotated[dict[str, int], "Other numbers of the round by name, for example flips."] = field(
        default_factory=dict
    )


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a round ended, seat by seat in seat order."""

    seats: Annotated[tuple[SeatOutcome, ...], "One outcome a seat, in seat order."]

    @property
    def winners(self) -> list[Seat]:
        """The seats whose result is WON."""
        return [seat for seat, one in enumerate(self.seats) if one.result is Result.WON]


@dataclass(frozen=True, slots=True)
class NoOptions:
    """For a game or mode without options."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What a round starts from."""

    options: Any
    """What whoever opened the table chose, an instance of the game's ``Options``."""
    terms: Any
    """What the mode asks of the round, an instance of the game's ``Terms``."""
    seats: int
    """How many seats the table has, those that were left included."""
    number: int = 1
    """The number of the round at its table, from 1."""
    carry: Any = None
    """What ``carry`` said of the round before; None in the first round."""
    gone: frozenset[int] = frozenset()
    """The seats that were left for good in earlier rounds: nobody moves for them any more."""
    away: frozenset[int] = frozenset()
    """The seats whose players are not there when the round is dealt; they may come back."""


@dataclass(frozen=True, slots=True)
class Context:
    """The arguments that are not the game's own: when it is, and chance."""

    now: datetime
    """When it happens, in UTC."""
    chance: Chance
    """Where shuffles and numbers drawn by lot come from."""


StateT = TypeVar("StateT")
MoveT = TypeVar("MoveT")

Events = Sequence[Any]
"""What a decision returns: events of the game, :class:`Private` ones and :class:`Shuffled`."""


Policy = Callable[[Any, Seat, Sequence[Any], "Random"], Any]
"""How a seat chooses: given what it sees, the seat, its legal moves (and MoveRanges) and chance, a move."""


class Game(ABC, Generic[StateT, MoveT]):
    """The rules of one round. Subclass it, fill in the class variables, register an instance.

    Options, Terms, State, View, the moves and the events are dataclasses (frozen ones, except
    where a state is cheaper otherwise) whose fields are typed with ints, strings, booleans, enums,
    tuples, dicts, datetimes, :class:`PlayingCard` and further dataclasses.
    """

    id: ClassVar[str]
    """The name that stored tables refer to: lower case and hyphens, never changed."""
    name: ClassVar[str]
    """What people call the game."""
    graphql: ClassVar[str]
    """The prefix of its GraphQL types, in PascalCase."""
    summary: ClassVar[str]
    """One line for the catalogue."""
    rules: ClassVar[str]
    """The rules for a player, as Markdown."""
    source: str = ""
    """Who brings it, plugin and distribution; filled in when it is loaded."""
    version: ClassVar[str] = "1.0"
    """Numbers with dots between them, stored with every table; raise it when stored events or states change
    their meaning. An earlier version refuses what a later one has stored."""
    seats: ClassVar[range]
    """The numbers of seats that it can be played with."""
    Options: ClassVar[type] = NoOptions
    """What whoever opens a table may choose. ``__post_init__`` raises ValueError("field: why")."""
    Terms: ClassVar[type] = NoOptions
    """What a mode may set for a round; every field has a default."""
    State: ClassVar[type]
    """The round, hidden things included; it must survive storage."""
    Carry: ClassVar[Any] = type(None)
    """The class of what a finished round leaves to the next; there may always be none."""
    View: ClassVar[type]
    """What a viewer may see of the round."""
    moves: ClassVar[tuple[type, ...]]
    """The dataclasses of all moves. One with a class variable ``prelude = True`` only settles what the
    round is about: a mode's clock does not start with it."""
    events: ClassVar[tuple[type, ...]]
    """The dataclasses of all events; each has ``text(names)``, a sentence for a log. One that follows
    from what a seat does has it as ``seat``: the time that the seat has for its turn starts anew."""
    refusals: ClassVar[Mapping[str, str]] = {}
    """Refusal codes of its own, each with a description. Those of every table need not be declared, and have
    one meaning. Where another plugin means something else by a code, clients are told both."""
    reasons: ClassVar[Mapping[str, str]] = {}
    """The codes that it gives as the ``reason`` of a seat's outcome, each with what it means: for clients,
    which find them in the catalogue."""
    results: ClassVar[frozenset[Result]] = frozenset((Result.WON, Result.LOST, Result.BUST, Result.DRAWN))
    """How a round can end for a seat; modes go by it to say whether the game suits them."""
    totals: ClassVar[range | None] = None
    """The totals of points that a match may be played up to; None: any, if rounds are SCORED at all."""
    default_mode: ClassVar[str] = "classic"
    """The mode of a table for which none was chosen."""
    modes: ClassVar[frozenset[str] | None] = None
    """The ids of the only modes that it can be played in; None: of every mode that supports it."""
    policies: ClassVar[Mapping[str, Policy]] = {}
    """Ways to play by name, lower-case words with hyphens, for simulations; the first sentence of a
    function's docstring says what it does. They see no more than the seat, so they may use no more."""
    deals_ahead: ClassVar[bool] = False
    """Whether dealing shows nothing, so that the next round is dealt as soon as one is over and
    begins with its first move. Otherwise the next round is dealt when it is asked for."""

    @abstractmethod
    def begin(self, setup: Setup) -> StateT:
        """The state of a round before its first event."""

    @abstractmethod
    def deal(self, state: StateT, ctx: Context) -> Events:
        """The events that open the round: the shuffle, what is dealt."""

    @abstractmethod
    def to_act(self, state: StateT) -> Collection[Seat]:
        """The seats that may move now: one, several (a race) or none."""

    @abstractmethod
    def legal_moves(self, state: StateT, seat: Seat) -> Sequence[MoveT | MoveRange]:
        """Every move that ``decide`` would accept from the seat.

        First what takes the round on, last what takes something back: clients that know no game may
        go by the order.
        """

    @abstractmethod
    def decide(self, state: StateT, seat: Seat, move: MoveT, ctx: Context) -> Events | Refusal:
        """What the move of a seat that is to act leads to, or why it is refused."""

    @abstractmethod
    def evolve(self, state: StateT, event: Any) -> StateT:
        """The state after an event; the state it was given stays as it was."""

    @abstractmethod
    def view(self, state: StateT, viewer: Viewer) -> Any:
        """What the viewer sees of the round: the only way out for what is hidden."""

    @abstractmethod
    def outcome(self, state: StateT) -> Outcome | None:
        """How the round ended; None while it runs."""

    @abstractmethod
    def leave(self, state: StateT, seat: Seat, ctx: Context) -> Events:
        """What happens in the running round when a seat leaves for good."""

    def expired(self, state: StateT, seat: Seat, ctx: Context) -> Events:
        """What happens when the time of a seat that is to act is up. Default: as if it left the round.

        With no events the round waits for the seat, from then on as long as it takes.
        """
        return self.leave(state, seat, ctx)

    def absent(self, state: StateT, seat: Seat, ctx: Context) -> Events:
        """What happens in the round when a player is not there any more. Default: it waits for them.

        It may be told more than once, and of seats that were away when the round was dealt.
        """
        return ()

    def present(self, state: StateT, seat: Seat, ctx: Context) -> Events:
        """What happens in the round when a player is there again; it may not have heard that they went."""
        return ()

    def check(self, options: Any, seats: int) -> None:
        """Refuse options that cannot be played with so many seats, before a table is opened.

        Errors: ValueError("field: why").
        """
        return

    def carry(self, state: StateT) -> Any:
        """What a finished round leaves to the next; it arrives as ``setup.carry``."""
        return None

    def hides(self, state: StateT) -> Collection[int] | None:
        """The numbers of the shuffles whose order still matters and is not all seen.

        All others are revealed. None, the default, means: all of them while the round runs and
        none afterwards.
        """
        return None

    def targets(self, demands: Sequence[Demand]) -> Collection[int] | None:
        """The targets that some order of the cards can win with, meeting all demands.

        None, the default: the game has no targets, or does not reckon with demands.
        """
        return None

    def suggest(self, mode: str, options: Any) -> Mapping[str, Any]:
        """Values for options of a mode that are None because nobody chose, by name."""
        return {}

    def cards_left(self, state: StateT) -> int | None:
        """How many cards the draw pile has, where there is one and its size is public."""
        return None

    def cycle(self, state: StateT) -> int | None:
        """How often the turn has passed the round's first seat, from 1, where turns go round."""
        return None

    def ask(self, state: StateT, seat: Seat, names: Sequence[str]) -> str | None:
        """What whoever runs the table should ask the seat next, as a sentence; None: the default one."""
        return None

    def trails(self, options: Any, seats: int) -> Sequence[CardTrail]:
        """Which events turn up the cards of which shuffles, for whoever checks them from the replay."""
        return ()

    def all_cards(self, state: StateT) -> Sequence[str] | None:
        """Every card of the round, wherever it lies, in any order; before the first shuffle: none.

        The conformance kit sees that no card is lost or doubled by a move. None, the default: there
        is no such set of cards.
        """
        return None

    def migrate(self, kind: str, document: dict[str, Any], version: str) -> dict[str, Any]:
        """What an earlier version of the game has stored, as this one would have stored it.

        ``kind`` is the name of an event's class, "Options" or "Terms"; ``document`` has its fields as plain
        values. It is asked whenever a table is read, and never for what a later version has stored, which
        is refused. The default takes what the same major version has stored as it is. Errors: ValueError
        says what cannot be read any more.
        """
        return unchanged(self.id, self.version, document, version)

    def shuffle_unknown(self, state: StateT, viewer: Viewer, chance: Chance) -> StateT:
        """The state with everything that the viewer cannot know put in another order.

        The conformance kit holds it against ``view``: what a viewer gets must not change.
        """
        raise TypeError(f"{self.id} does not say what is hidden (shuffle_unknown)")
