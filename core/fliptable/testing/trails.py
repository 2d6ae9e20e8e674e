"""Whether the cards that events turn up are those of the shuffles that a game says they come from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from fliptable.cards import PlayingCard
from fliptable.chance import Shuffled
from fliptable.rules import CardTrail, Private
from fliptable.testing.literals import shown


def trail_complaints(trails: Sequence[CardTrail], events: Iterable[Any]) -> Iterator[str]:
    """Where a trail goes astray in the events of a table, in their order and with nothing hidden."""
    plain: list[Any] = [event.event if isinstance(event, Private) else event for event in events]
    for trail in trails:
        latest: Shuffled | None = None
        place = 0
        for event in plain:
            if isinstance(event, Shuffled) and event.name in trail.piles:
                latest, place = event, trail.skip
            elif type(event) is trail.event and trail.seat in (None, getattr(event, "seat", None)):
                if latest is None:
                    yield f"{shown(event)} turns a card up before any shuffle of {' or '.join(trail.piles)}"
                    return
                for code in _codes(getattr(event, trail.card)):
                    there = latest.order[place] if place < len(latest.order) else None
                    if code != there:
                        which = f"which is {there}" if there else f"which has {len(latest.order)}"
                        yield f"{shown(event)} is not card {place + 1} of shuffle {latest.shuffle}, {which}"
                        return
                    place += 1


def _codes(value: Any) -> Iterator[str]:
    for one in value if isinstance(value, tuple | list) else (value,):
        yield one.value if isinstance(one, PlayingCard) else str(one)
