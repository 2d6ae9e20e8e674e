"""The scalars of the schema."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, NewType

import strawberry

from fliptable.quoting import as_json

JSON = NewType("JSON", object)

JSON_SCALAR = strawberry.scalar(
    name="JSON", description="Any JSON value.", serialize=lambda value: value, parse_value=lambda value: value
)


def write_time(value: datetime) -> str:
    """A time as ISO 8601 in UTC with milliseconds and a Z."""
    return value.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def read_time(value: Any) -> datetime:
    """A time from ISO 8601. Errors: ValueError says what is expected."""
    try:
        time = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        raise ValueError(f"{as_json(value)} is not a time in ISO 8601, like 2030-01-31T12:00:00Z") from None
    return time if time.tzinfo is not None else time.replace(tzinfo=UTC)


DATE_TIME_SCALAR = strawberry.scalar(
    name="DateTime",
    description="A time in ISO 8601, in UTC, for example 2030-01-31T12:00:00.000Z.",
    serialize=write_time,
    parse_value=read_time,
)
