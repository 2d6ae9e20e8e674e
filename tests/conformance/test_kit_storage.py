"""Whether a value survives storage does not go by the order in which a set happens to be walked through."""

from __future__ import annotations

from dataclasses import dataclass

from fliptable import Suit
from fliptable.testing.storage import storable, storage_trouble


@dataclass(frozen=True)
class Held:
    """What has sets somewhere in it."""

    seats: frozenset[int]
    suits: tuple[frozenset[Suit], ...] = ()


def test_equal_sets_are_stored_alike() -> None:
    one, other = Held(frozenset([8, 0])), Held(frozenset([0, 8]))
    assert one == other and list(one.seats) != list(other.seats)
    assert storable(one) == storable(other)
    assert storable((one,)) == storable((other,))
    assert storable(one) != storable(Held(frozenset([0, 9])))


def test_sets_survive_storage() -> None:
    # Their order in memory goes by how they came about, and is another one when they are read.
    for first in range(0, 64, 8):
        rest = {seat: None for seat in range(0, 64, 8) if seat != first}
        assert storage_trouble(Held(frozenset([first, *rest]), (frozenset(Suit),)), Held) is None
