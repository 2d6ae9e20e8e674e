"""What a table or a challenge is played with: options with the values that were chosen, and as an input."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, is_dataclass
from enum import Enum
from typing import Any

from fliptable import PlayingCard
from fliptable.table import Table
from fliptable_api.catalogue import OptionNode
from fliptable_api.naming import title_of, uncapitalised
from fliptable_api.values import given_hints, in_order, plain

_NOT_SET = "not set"
_NONE = "none"


@dataclass(frozen=True, slots=True)
class OptionValueNode:
    """An option of the catalogue with the value that it has somewhere."""

    option: OptionNode
    value: Any
    text: str

    @property
    def name(self) -> str:
        """Its name in the input."""
        return self.option.name

    @property
    def title(self) -> str:
        """Its name for people."""
        return self.option.title


def values_of(options: Sequence[OptionNode], chosen: Any) -> list[OptionValueNode]:
    """Options with their values in ``chosen``, an instance of the dataclass that declares them."""
    kind: type = type(chosen)
    values = [getattr(chosen, name) for name in given_hints(kind)]
    return [
        OptionValueNode(option, plain(value), text_of(value))
        for option, value in zip(options, values, strict=True)
    ]


def text_of(value: Any) -> str:
    """A value of an option as people read it, for example ``yes``, ``very wild`` or ``10♥``."""
    if value is None:
        return _NOT_SET
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, PlayingCard):
        return value.text
    if isinstance(value, Enum):
        return value.name.replace("_", " ").lower()
    if isinstance(value, set | frozenset):
        value = in_order(value)
    if isinstance(value, list | tuple):
        between = "; " if any(map(is_dataclass, value)) else ", "
        return between.join(map(text_of, value)) or _NONE
    if is_dataclass(value):
        names = given_hints(type(value))  # type: ignore[arg-type]
        told = [f"{title_of(name).lower()}: {text_of(getattr(value, name))}" for name in names]
        return ", ".join(told) or _NONE
    return str(plain(value)) or _NONE


def input_of(table: Table) -> dict[str, Any]:
    """What opens another table like this one: a CreateTableInput as JSON.

    Who sits there has no part in it but for what belongs to how the table is set up: the local seats, and
    whether the host has one. That they have left, and ended the table by it, changes nothing.
    """
    game, mode = table.game, table.mode
    wanted: dict[str, Any] = {
        "game": {uncapitalised(game.graphql): plain(table.game_options)},
        "mode": {uncapitalised(mode.graphql): plain(table.mode_options)},
        "seats": table.opening.seats,
        "house": plain(table.opening.house),
        "visibility": plain(table.visibility),
    }
    local = table.local_names
    if local:
        wanted["localSeats"] = list(local)
    if len(local) < table.opening.seats and not table.host_plays:
        wanted["hostPlays"] = False
    return wanted
