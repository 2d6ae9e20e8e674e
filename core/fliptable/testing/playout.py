"""Play that can be repeated: rounds of a game from a list of actions and a seed."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import sha256
from random import Random
from typing import Any

from fliptable.chance import FairChance, Shuffled
from fliptable.rules import Context, Game, Outcome, Refusal, Seat, Setup
from fliptable.testing.actions import Action, Drop, Expire, Leave, NextRound, Play, Return
from fliptable.testing.asked import asked
from fliptable.testing.broken import about
from fliptable.testing.clock import START
from fliptable.testing.evolving import evolved
from fliptable.testing.moves import random_move


@dataclass(frozen=True, slots=True)
class Case:
    """What a playout starts from, and the seed of its chance."""

    game: Game[Any, Any]
    """What is played."""
    seats: int
    """How many seats there are."""
    seed: int
    """What its shuffles come from."""
    options: Any = None
    """The game's own defaults, if left out; so are those of the terms."""
    terms: Any = None
    """What a mode would ask of every round."""

    def __post_init__(self) -> None:
        """Fill in what was left out."""
        if self.options is None:
            object.__setattr__(self, "options", self.game.Options())
        if self.terms is None:
            object.__setattr__(self, "terms", self.game.Terms())

    def __str__(self) -> str:
        """The case on one line."""
        return f"{self.seats} seats, seed {self.seed}, {self.options}, {self.terms}"


@dataclass
class Playout:
    """Rounds of a game, played action by action. The first round is dealt at once."""

    case: Case
    """What it starts from."""
    actions: list[Action] = field(default_factory=list)
    """What was done so far."""
    state: Any = None
    """The state now."""
    before: Any = None
    """The state before the last action; of a new round, as it began."""
    dealt: Any = None
    """The state once the round was dealt."""
    events: list[Any] = field(default_factory=list)
    """All events since the round began."""
    log: list[Any] = field(default_factory=list)
    """All events since the first round began."""
    last: Sequence[Any] = ()
    """The events of the last action."""
    number: int = 0
    """The number of the round, from 1."""
    used: int = 0
    """How many shuffles there were."""
    used_before: int = 0
    """The shuffles before the last action."""
    codes: set[str] = field(default_factory=set)
    """The codes of all cards that were shuffled."""
    gone: set[Seat] = field(default_factory=set)
    """The seats that were left for good."""
    away: set[Seat] = field(default_factory=set)
    """The seats whose players are not there now."""
    moves: int = 0
    """Moves in this round."""
    tried: Action | None = None
    """What is being done; where the game has raised something, what was done then."""

    def __post_init__(self) -> None:
        """Deal the first round. ``game`` is the game that is played, held to what it has to give."""
        self.game: Game[Any, Any] = asked(self.case.game)
        self._secret = sha256(f"playout {self.case.seed}".encode()).digest()
        self._deal(None)

    @property
    def outcome(self) -> Outcome | None:
        """How the round ended; None while it runs."""
        return self.game.outcome(self.state)

    @property
    def setup(self) -> Setup:
        """What this round started from."""
        return self._setup

    def context(self) -> Context:
        """Time and chance for the next action; the same ones however often it is asked for."""
        return self._context(len(self.actions), self.used)

    def asked(self) -> Context:
        """Time and chance as the last action had them."""
        return self._context(self._actions_before, self.used_before)

    def _context(self, actions: int, used: int) -> Context:
        return Context(START + timedelta(seconds=actions), FairChance(self._secret, used))

    def take(self, action: Action) -> Refusal | None:
        """Carry out an action, or say why it cannot be done."""
        self.tried = action
        if isinstance(action, NextRound):
            if self.outcome is None:
                return Refusal("ROUND_RUNNING", "The round is still running.")
            self._deal(self.game.carry(self.state), action)
            self.tried = None
            return None
        with about(action.seat, action.move) if isinstance(action, Play) else nullcontext():
            refusal = self._take(action)
        self.tried = None
        return refusal

    def _take(self, action: Play | Leave | Drop | Return | Expire) -> Refusal | None:
        ctx, number = self.context(), len(self.actions)
        result = self._events(action, ctx)
        if isinstance(result, Refusal):
            return result
        events: Sequence[Any] = result
        self._actions_before = number
        self.actions.append(action)
        self.moves += 1
        self.before = self.state
        self.last = events
        self._apply(events, ctx)
        return None

    def _events(self, action: Play | Leave | Drop | Return | Expire, ctx: Context) -> Sequence[Any] | Refusal:
        game, seat = self.game, action.seat
        if self.outcome is not None and not isinstance(action, Play):
            return Refusal("ROUND_OVER", "The round is over.")
        if isinstance(action, Play | Expire) and seat not in game.to_act(self.state):
            return Refusal("NOT_YOUR_TURN", f"Seat {seat} is not to act.")
        if isinstance(action, Play):
            return game.decide(self.state, seat, action.move, ctx)
        if isinstance(action, Expire):
            return game.expired(self.state, seat, ctx)
        if seat in self.gone:
            return Refusal("NOT_SEATED", f"Seat {seat} has left.")
        if isinstance(action, Leave):
            self.gone.add(seat)
            self.away.discard(seat)
            return game.leave(self.state, seat, ctx)
        if isinstance(action, Drop):
            self.away.add(seat)
            return game.absent(self.state, seat, ctx)
        self.away.discard(seat)
        return game.present(self.state, seat, ctx)

    def _deal(self, carry: Any, action: NextRound | None = None) -> None:
        case = self.case
        if action is not None:
            self.actions.append(action)
        self.number += 1
        self.moves = 0
        gone, away = frozenset(self.gone), frozenset(self.away)
        self._setup = Setup(case.options, case.terms, case.seats, self.number, carry, gone, away)
        self.state = self.before = self.game.begin(self._setup)
        self.events = []
        self._actions_before = len(self.actions)
        ctx = self.context()
        events = self.game.deal(self.state, ctx)
        self._apply(events, ctx)
        self.last = events
        self.dealt = self.state

    def _apply(self, events: Sequence[Any], ctx: Context) -> None:
        for event in events:
            self.state = evolved(self.game, self.state, event)
            if isinstance(event, Shuffled):
                self.codes.update(event.cards)
        self.events.extend(events)
        self.log.extend(events)
        chance: Any = ctx.chance
        self.used_before, self.used = self.used, chance.used


def random_action(playout: Playout, random: Random, leaving: float = 0.0) -> Action | None:
    """What happens next; None when nobody can do anything, which breaks the contract.

    ``leaving`` is how likely somebody leaves; coming and going and being out of time are likelier.
    """
    if playout.outcome is not None:
        return NextRound()
    staying = [seat for seat in range(playout.case.seats) if seat not in playout.gone]
    if len(staying) > 1 and random.random() < leaving:
        return Leave(random.choice(staying))
    if leaving and random.random() < 4 * leaving:
        seat = random.choice(staying)
        return Return(seat) if seat in playout.away else Drop(seat)
    acting = sorted(playout.game.to_act(playout.state))
    if acting and random.random() < leaving:
        return Expire(random.choice(acting))
    # To list the moves of all takes long where many are to act.
    for seat in acting if len(acting) == 1 else random.sample(acting, len(acting)):
        legal = list(playout.game.legal_moves(playout.state, seat))
        if legal:
            return Play(seat, random_move(random.choice(legal), random))
    return None


def play_random(
    game: Game[Any, Any],
    seats: int = 1,
    seed: int = 0,
    *,
    options: Any = None,
    terms: Any = None,
    rounds: int = 1,
    most_moves: int = 20_000,
) -> Playout:
    """Play rounds by random legal moves; the same seed gives the same game.

    Errors: AssertionError when a legal move is refused, nobody can move, or a round has more than
    ``most_moves`` moves.
    """
    random = Random(seed)
    playout = Playout(Case(game, seats, seed, options, terms))
    while playout.outcome is None or playout.number < rounds:
        action = random_action(playout, random)
        assert action is not None, f"{game.id}: the round runs and nobody has a legal move"
        refusal = playout.take(action)
        assert refusal is None, f"{game.id}: the legal move {action} is refused: {refusal}"
        assert playout.moves <= most_moves, f"{game.id}: the round is not over after {most_moves} moves"
    return playout
