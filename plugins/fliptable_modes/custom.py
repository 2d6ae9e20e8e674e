"""Custom: rounds of a challenge that a player made, with a target and constraints (call-it M8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Any

from fliptable import (
    Between,
    Challenge,
    Choices,
    Condition,
    ConstraintStatus,
    Game,
    Mode,
    MoveRange,
    Needed,
    Outcome,
    Parts,
    Refusal,
    Result,
    RoundPlan,
    Seat,
    SeatOutcome,
    Session,
    Several,
    Viewer,
    clean_code,
    conditions_of,
    hookimpl,
    impossible,
    quoted,
)
from fliptable_modes._solo import FEWEST_FLIPS, Solo, flips_of, flips_scored, has_term, own, won

TARGET = "target"
"""The term that fixes the target, and the field of the move that calls a free one."""

_NEEDS_CODE = "The mode custom needs the code of a challenge"


@dataclass(frozen=True, slots=True)
class CustomOptions:
    """Which challenge is played."""

    challenge: Annotated[str, Needed(), "The short code of the challenge."] = ""


@dataclass(frozen=True, slots=True)
class CustomRun:
    """The challenge, and what was made of it so far."""

    challenge: Challenge
    rounds: int = 0
    wins: int = 0
    best: int | None = None


@dataclass(frozen=True, slots=True)
class ConditionView:
    """A constraint of the challenge, and how it stands in the round."""

    constraint: Annotated[
        str, "The id of the constraint; its values stand at the same place of the table's `challenge`."
    ]
    text: Annotated[str, "What it asks, in a few words."]
    status: Annotated[ConstraintStatus, "How it stands in the running or the last round."]


@dataclass(frozen=True, slots=True)
class CustomView:
    """Rounds of a challenge."""

    challenge: Annotated[str, "The short code of the challenge."]
    title: Annotated[str, "What its maker called it."]
    target: Annotated[int | None, "The target if it is fixed; null when the player calls it."]
    constraints: Annotated[tuple[ConditionView, ...], "What has to hold at the hit, besides."]
    rounds: Annotated[int, "How many rounds of this run are over."]
    wins: Annotated[int, "How many of them were won."]
    best_flips: Annotated[int | None, "The fewest flips of a win in this run."]


@dataclass(frozen=True, slots=True)
class AttemptOver:
    """A round of the challenge is over."""

    won: Annotated[bool, "Whether it was won, all constraints included."]
    flips: Annotated[int | None, "How many flips the win took."]

    def text(self, names: Sequence[str]) -> str:
        """The sentence for a log."""
        return f"{names[0]} {'meets' if self.won else 'does not meet'} the challenge."


REASONS = {
    "CONSTRAINT_FAILED": "Of a seat: the target was reached, but a constraint is not met.",
}
"""Why a round is lost that reached its target, and what that means."""


class Custom(Solo[CustomRun]):
    """A player's challenge, as often as one likes."""

    id = "custom"
    name = "Custom Challenge"
    graphql = "Custom"
    summary = "Play a challenge by its code: a target and constraints that a player chose."
    Options = CustomOptions
    Run = CustomRun
    View = CustomView
    events = (AttemptOver,)
    reasons = REASONS
    metrics = (FEWEST_FLIPS,)
    sees_round = True

    def __init__(self) -> None:
        self._parts: Parts | None = None

    def connect(self, parts: Parts) -> None:
        self._parts = parts

    def supports(self, game: Game[Any, Any]) -> bool:
        return super().supports(game) and has_term(game, TARGET)

    def challenge(self, options: CustomOptions) -> str:
        return options.challenge

    def check(self, session: Session, game: Game[Any, Any]) -> Refusal | None:
        challenge = session.challenge
        if challenge is None:
            code = session.options.challenge.strip()
            says = f"There is no challenge with the code {quoted(code, 40)}."
            return Refusal("CHALLENGE_NOT_FOUND", says if code else f"{_NEEDS_CODE}.", "challenge")
        if challenge.game != game.id:
            return Refusal(
                "WRONG_GAME", f"It is a challenge at {challenge.game}, not at {game.id}.", "challenge"
            )
        return None

    def begin(self, session: Session) -> CustomRun:
        assert session.challenge is not None, "check() refuses a session without a challenge"
        run = CustomRun(session.challenge)
        # A table whose constraints are not loaded cannot be played, so it is not loaded either.
        self._conditions(run)
        return run

    def plan(self, run: CustomRun, now: datetime) -> RoundPlan:
        target = run.challenge.target
        return RoundPlan({} if target is None else {TARGET: target})

    def moved(self, run: CustomRun, seat: Seat, move: Any, now: datetime) -> Sequence[Any] | Refusal:
        target = getattr(move, TARGET, None)
        if target is None or run.challenge.target is not None:
            return ()
        return impossible(self._game(run), target, self._conditions(run)) or ()

    def narrow(self, run: CustomRun, seat: Seat, move: Any) -> Any | None:
        if not isinstance(move, MoveRange) or TARGET not in move.fields:
            return move
        targets = self._game(run).targets([one.demand for one in self._conditions(run)])
        if targets is None:
            return move
        allowed = sorted(target for target in targets if _within(target, move.fields[TARGET]))
        if not allowed:
            return None
        unbroken = len(allowed) == allowed[-1] - allowed[0] + 1
        span = Between(allowed[0], allowed[-1]) if unbroken else Choices(tuple(allowed))
        return MoveRange(replace(move.example, **{TARGET: allowed[0]}), {**move.fields, TARGET: span})

    def judge(self, run: CustomRun, outcome: Outcome, view: Any) -> Outcome:
        if not won(outcome) or all(one is ConstraintStatus.MET for one in self._statuses(run, view, True)):
            return outcome
        return Outcome((SeatOutcome(Result.LOST, 0, "CONSTRAINT_FAILED", own(outcome).measures),))

    def round_over(self, run: CustomRun, outcome: Outcome, now: datetime) -> Sequence[Any]:
        return [AttemptOver(won(outcome), flips_of(outcome) if won(outcome) else None)]

    def over(self, run: CustomRun) -> str | None:
        return None

    def evolve(self, run: CustomRun, event: Any) -> CustomRun:
        flips = [each for each in (run.best, event.flips) if each is not None]
        return CustomRun(run.challenge, run.rounds + 1, run.wins + event.won, min(flips) if flips else None)

    def scores(self, run: CustomRun, seat: Seat, outcome: SeatOutcome) -> Mapping[str, int]:
        return flips_scored(outcome)

    def scope(self, run: CustomRun) -> str:
        return run.challenge.code

    def check_scope(self, scope: str) -> str:
        code = clean_code(scope)
        if not code:
            raise ValueError(f"{_NEEDS_CODE} as scope")
        return code

    def view(self, run: CustomRun, viewer: Viewer) -> CustomView:
        return self._view(run, [ConstraintStatus.OPEN] * len(run.challenge.constraints))

    def view_beside(self, run: CustomRun, viewer: Viewer, round: Any, over: bool) -> CustomView:
        return self._view(run, self._statuses(run, round, over))

    def _view(self, run: CustomRun, statuses: Sequence[ConstraintStatus]) -> CustomView:
        conditions = zip(self._conditions(run), statuses, strict=True)
        shown = [ConditionView(one.constraint.id, one.text, status) for one, status in conditions]
        made = run.challenge
        return CustomView(made.code, made.title, made.target, tuple(shown), run.rounds, run.wins, run.best)

    def _statuses(self, run: CustomRun, view: Any, over: bool) -> list[ConstraintStatus]:
        return [one.constraint.status(one.options, view, over) for one in self._conditions(run)]

    def _conditions(self, run: CustomRun) -> list[Condition]:
        assert self._parts is not None, "the mode is not registered"
        return conditions_of(self._parts, run.challenge.constraints)

    def _game(self, run: CustomRun) -> Game[Any, Any]:
        assert self._parts is not None, "the mode is not registered"
        return self._parts.game(run.challenge.game)


def _within(target: int, allowed: Between | Choices | Several) -> bool:
    if isinstance(allowed, Between):
        return allowed.low <= target <= allowed.high
    return isinstance(allowed, Choices) and target in allowed.values


@hookimpl
def fliptable_modes() -> list[Mode[Any]]:
    """Custom challenges."""
    return [Custom()]
