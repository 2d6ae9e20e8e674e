"""The provably fair shuffle: from a secret to a seed, its commitment and the order of a deck.

Everything here is a pure function of its arguments and uses SHA-256 alone, so that it can be
checked in any language. The derivation is frozen; docs/fair-shuffle.md has the description and
test vectors.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Sequence
from hashlib import sha256
from struct import Struct
from typing import TypeVar

ALGORITHM = "fliptable-shuffle-1"
"""The name of the derivation that this module implements."""

_WORDS = Struct(">8I").unpack
_SPAN = 1 << 32

T = TypeVar("T")


def derive_seed(secret: bytes, label: str) -> bytes:
    """The 32-byte seed that ``secret`` gives for the use of chance named ``label``.

    One-way: a revealed seed tells nothing of the secret or of any other seed.
    """
    return hmac.digest(secret, label.encode(), "sha256")


def commitment(seed: bytes) -> str:
    """The SHA-256 of the seed, in lower-case hex: published before the seed is of any use."""
    return sha256(seed).hexdigest()


def _words(seed: bytes) -> Iterator[int]:
    """The seed's stream of unsigned 32-bit numbers: SHA-256(seed ‖ counter), big-endian."""
    counter = 0
    while True:
        yield from _WORDS(sha256(seed + counter.to_bytes(4, "big")).digest())
        counter += 1


def shuffle(seed: bytes, cards: Sequence[T]) -> tuple[T, ...]:
    """Put the cards in the order that the seed gives; index 0 is the top of the pile.

    A Fisher–Yates shuffle from the front. A number below n is taken from the seed's stream by
    rejection (words at or above the largest multiple of n are skipped), so every order of the
    deck is equally likely for a random seed.
    """
    deck = list(cards)
    words = _words(seed)
    size = len(deck)
    for index in range(size - 1):
        left = size - index
        limit = _SPAN - _SPAN % left
        word = next(words)
        while word >= limit:
            word = next(words)
        other = index + word % left
        deck[index], deck[other] = deck[other], deck[index]
    return tuple(deck)


def number(seed: bytes, name: str, span: range) -> int:
    """The number of that name that goes with a deck's seed: one of ``span``, each equally likely.

    It tells nothing of the order that the seed gives the deck.
    """
    return shuffle(derive_seed(seed, f"number/{name}"), span)[0]


def verify(seed: bytes, committed: str, cards: Sequence[T], order: Sequence[T]) -> str | None:
    """Check a revealed shuffle; None when it is honest, else a sentence that says what is wrong.

    ``order`` may be shorter than the deck: only the cards that were seen are compared.
    """
    if commitment(seed) != committed:
        return "the seed does not match the commitment that was published before play"
    expected = shuffle(seed, cards)
    for place, (is_card, ought) in enumerate(zip(order, expected, strict=False), start=1):
        if is_card != ought:
            return f"card {place} is {is_card}, but the seed gives {ought}"
    if len(order) > len(expected):
        return f"{len(order)} cards were dealt from a deck of {len(expected)}"
    return None
