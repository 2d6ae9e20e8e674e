"""What a mode of days (one shared deck a UTC date) says of a date: its terms, its shuffle, its numbers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any

from fliptable.chance import FairChance
from fliptable.modes import Mode, Session
from fliptable.plugins import Registry
from fliptable.rules import Game
from fliptable.shuffle import commitment, derive_seed
from fliptable.table import SHARED
from fliptable.terms import known_terms


@dataclass(frozen=True, slots=True)
class DayPlan:
    """What is played on a date, as far as it may be known."""

    date: date
    terms: dict[str, Any]
    commitment: str
    seed: str | None
    until: datetime | None


class FutureDay(ValueError):
    """The date has not come yet, so nothing may be known of it."""


class NotDaily(LookupError):
    """The mode has no deck of a date, or not for the game."""


def day_plan(
    registry: Registry, game: str, mode: str, day: date, now: datetime, shared_secret: bytes
) -> DayPlan:
    """What a mode has everybody play on a UTC date.

    Errors: FutureDay, NotDaily, PluginMissing.
    """
    played, part = registry.game(game), registry.mode(mode)
    if part not in registry.modes_for(played):
        raise NotDaily(f"{played.name} cannot be played in the mode {mode}")
    if day > now.astimezone(UTC).date():
        raise FutureDay(f"{day.isoformat()} has not come yet")
    plan = _plan_of(part, played, day)
    terms = dict(known_terms(played, plan.terms))
    chance = FairChance(shared_secret, 0, SHARED + (plan.deck or ""))
    for name, span in known_terms(played, plan.draws).items():
        terms[name] = chance.number(name, span)
    seed = derive_seed(shared_secret, FairChance.label(1, SHARED + (plan.deck or "")))
    over = plan.until is not None and now >= plan.until
    return DayPlan(day, terms, commitment(seed), seed.hex() if over else None, plan.until)


def _plan_of(part: Mode[Any], game: Game[Any, Any], day: date) -> Any:
    start = datetime.combine(day, time(tzinfo=UTC))
    run = part.begin(Session(part.Options(), 1, start, game.id))
    plan = part.plan(run, start)
    if plan.deck is None or part.day(run) is None:
        raise NotDaily(f"the mode {part.id} has no deck of a date")
    return plan
