"""What a check is told to try: told in words where it cannot be tried."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from fliptable.rules import Game
from fliptable.testing.literals import shown


def hold_given(**given: Any) -> None:
    """See that what there may be several of is a list, or None where that is left out.

    Errors: AssertionError names it and says what to write.
    """
    __tracebackhide__ = True
    for name, value in given.items():
        if value is not None and (isinstance(value, str) or not isinstance(value, Iterable)):
            one = shown(value)
            raise AssertionError(f"{name} is {one}, and has to be a list: write {name}=[{one}]")


def hold_seats(game: Game[Any, Any], seats: Collection[int] | None) -> None:
    """See that a game is for these numbers of seats. Errors: AssertionError says for which it is."""
    __tracebackhide__ = True
    hold_given(seats=seats)
    for count in seats or ():
        if count not in game.seats:
            there = f"{min(game.seats)} to {max(game.seats)}"
            raise AssertionError(f"seats has {shown(count)}, and {game.id!r} is for {there} seats")


def hold_laws(laws: Collection[str], known: Collection[str]) -> None:
    """See that laws are called so. Errors: AssertionError says which there are."""
    __tracebackhide__ = True
    hold_given(laws=laws)
    for law in laws:
        if law not in known:
            raise AssertionError(f"there is no law {law!r}; there are {', '.join(known)}")


__all__ = ["hold_given", "hold_laws", "hold_seats"]
