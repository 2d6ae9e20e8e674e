"""The fair shuffle against docs/fair-shuffle.md, by an implementation that shares nothing with the core.

Run as a program it prints docs/fair-shuffle-vectors.json.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import subprocess
from collections import Counter
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from nodekit import node

from fliptable import STANDARD_DECK
from fliptable.shuffle import ALGORITHM, commitment, derive_seed, number, shuffle, verify

DOCS = Path(__file__).parents[2] / "docs"
SECRETS = ["00" * 32, "ff" * 32, bytes(range(32)).hex()]
LABELS = ["shuffle/1", "shuffle/2", "shuffle/17", "shared:daily/2026-03-01/1", "größer"]
SEEDS = ["00" * 32, "ff" * 32, hashlib.sha256(b"fliptable").hexdigest()]
SIZES = [0, 1, 2, 3, 7, 8, 9, 16, 26]
SUITS, RANKS = "CDHS", ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
FRESH_DECK = [rank + suit for suit in SUITS for rank in RANKS]
LARGE = 100_000


class Reference:
    """The steps of the page as plainly as they can be written down."""

    def __init__(self, seed_hex: str) -> None:
        self.seed = bytes.fromhex(seed_hex)
        self.counter = 0
        self.block = b""
        self.rejected = 0

    @staticmethod
    def seed_of(secret_hex: str, label: str) -> str:
        return hmac.new(bytes.fromhex(secret_hex), label.encode("utf-8"), hashlib.sha256).hexdigest()

    @staticmethod
    def commitment_of(seed_hex: str) -> str:
        return hashlib.sha256(bytes.fromhex(seed_hex)).hexdigest()

    def word(self) -> int:
        if not self.block:
            counter = bytes(
                [
                    self.counter >> 24 & 255,
                    self.counter >> 16 & 255,
                    self.counter >> 8 & 255,
                    self.counter & 255,
                ]
            )
            self.block = hashlib.sha256(self.seed + counter).digest()
            self.counter += 1
        first, self.block = self.block[:4], self.block[4:]
        return first[0] * 2**24 + first[1] * 2**16 + first[2] * 2**8 + first[3]

    def below(self, left: int) -> int:
        while True:
            word = self.word()
            if word < 2**32 - 2**32 % left:
                return word % left
            self.rejected += 1

    def order(self, cards: list[Any]) -> list[Any]:
        pile = list(cards)
        for i in range(len(pile) - 1):
            j = i + self.below(len(pile) - i)
            card = pile[i]
            pile[i] = pile[j]
            pile[j] = card
        return pile


def digest_of(order: list[int]) -> str:
    return hashlib.sha256(",".join(map(str, order)).encode()).hexdigest()


def vectors() -> dict[str, Any]:
    large = Reference(SEEDS[2])
    large_order = large.order(list(range(LARGE)))
    return {
        "algorithm": "fliptable-shuffle-1",
        "seeds": [
            {"secret": secret, "label": label, "seed": Reference.seed_of(secret, label)}
            for secret in SECRETS
            for label in LABELS
        ],
        "commitments": [{"seed": seed, "commitment": Reference.commitment_of(seed)} for seed in SEEDS],
        "words": [
            {"seed": seed, "first": [reference.word() for _ in range(10)]}
            for seed in SEEDS
            for reference in [Reference(seed)]
        ],
        "orders": [
            {"seed": seed, "n": n, "order": Reference(seed).order(list(range(n)))}
            for seed in SEEDS
            for n in SIZES
        ],
        "decks": [
            {"seed": seed, "cards": FRESH_DECK, "order": Reference(seed).order(FRESH_DECK)} for seed in SEEDS
        ],
        "numbers": [
            {"seed": seed, "name": name, "first": first, "last": last, "number": pile[0]}
            for seed in SEEDS
            for name, first, last in (("target", 30, 60), ("größe", -3, 3), ("one", 7, 7))
            for pile in [
                Reference(Reference.seed_of(seed, f"number/{name}")).order([*range(first, last + 1)])
            ]
        ],
        "rejection": {
            "note": "A pile this large throws words away; sha256 is that of the order, joined with commas.",
            "seed": SEEDS[2],
            "n": LARGE,
            "rejected": large.rejected,
            "sha256": digest_of(large_order),
        },
    }


def as_text(document: dict[str, Any]) -> str:
    lines = []
    for name, value in document.items():
        if isinstance(value, list):
            entries = ",\n".join("    " + json.dumps(entry, ensure_ascii=False) for entry in value)
            lines.append(f"  {json.dumps(name)}: [\n{entries}\n  ]")
        else:
            lines.append(f"  {json.dumps(name)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


@pytest.fixture(scope="module")
def published() -> dict[str, Any]:
    document: dict[str, Any] = json.loads((DOCS / "fair-shuffle-vectors.json").read_text("utf-8"))
    return document


def test_the_published_vectors_are_those_of_the_reference() -> None:
    assert (DOCS / "fair-shuffle-vectors.json").read_text("utf-8") == as_text(vectors())


def test_the_name_of_the_derivation_is_frozen(published: dict[str, Any]) -> None:
    assert ALGORITHM == published["algorithm"] == "fliptable-shuffle-1"


def test_the_core_derives_the_published_seeds(published: dict[str, Any]) -> None:
    for one in published["seeds"]:
        assert derive_seed(bytes.fromhex(one["secret"]), one["label"]).hex() == one["seed"]


def test_the_core_commits_as_published(published: dict[str, Any]) -> None:
    for one in published["commitments"]:
        assert commitment(bytes.fromhex(one["seed"])) == one["commitment"]


def test_the_core_shuffles_as_published(published: dict[str, Any]) -> None:
    for one in published["orders"]:
        assert list(shuffle(bytes.fromhex(one["seed"]), range(one["n"]))) == one["order"]
    for one in published["decks"]:
        assert one["cards"] == FRESH_DECK
        assert list(shuffle(bytes.fromhex(one["seed"]), one["cards"])) == one["order"]


def test_the_core_draws_numbers_as_published(published: dict[str, Any]) -> None:
    for one in published["numbers"]:
        span = range(one["first"], one["last"] + 1)
        assert number(bytes.fromhex(one["seed"]), one["name"], span) == one["number"]


def test_words_that_would_favour_some_cards_are_thrown_away(published: dict[str, Any]) -> None:
    one = published["rejection"]
    assert one["rejected"] > 0
    assert digest_of(list(shuffle(bytes.fromhex(one["seed"]), range(one["n"])))) == one["sha256"]


def test_the_fresh_deck_lies_as_the_page_says() -> None:
    assert list(STANDARD_DECK) == FRESH_DECK


@pytest.mark.parametrize(("size", "draws"), [(2, 2_000), (3, 6_000), (4, 12_000)])
def test_every_order_is_equally_likely(size: int, draws: int) -> None:
    counts: Counter[tuple[int, ...]] = Counter()
    for place in range(draws):
        counts[shuffle(derive_seed(b"chi-square", f"shuffle/{place}"), range(size))] += 1
    assert set(counts) == set(permutations(range(size)))
    expected = draws / len(counts)
    chi_square = sum((count - expected) ** 2 / expected for count in counts.values())
    # The 0.999 quantiles of chi-square with 1, 5 and 23 degrees of freedom.
    assert chi_square < {2: 10.83, 3: 20.52, 4: 49.73}[size]


def test_every_card_is_equally_likely_at_every_place_of_a_deck() -> None:
    draws = 2_000
    at = Counter(
        (place, card)
        for turn in range(draws)
        for place, card in enumerate(shuffle(derive_seed(b"places", f"shuffle/{turn}"), range(52)))
    )
    expected = draws / 52
    chi_square = sum(
        (at[place, card] - expected) ** 2 / expected for place in range(52) for card in range(52)
    )
    # 51 x 51 degrees of freedom: the mean is 2601 and the standard deviation 72.1.
    assert abs(chi_square - 2601) < 4 * 72.2


def test_verify_accepts_what_is_right_and_says_what_is_wrong() -> None:
    seed = bytes.fromhex(SEEDS[2])
    order = shuffle(seed, STANDARD_DECK)
    assert verify(seed, commitment(seed), STANDARD_DECK, order) is None
    assert verify(seed, commitment(seed), STANDARD_DECK, order[:5]) is None
    assert verify(seed, commitment(seed), STANDARD_DECK, ()) is None

    assert "commitment" in str(verify(seed, commitment(b"another"), STANDARD_DECK, order))
    swapped = (order[0], order[2], order[1])
    expected = f"card 2 is {order[2]}, but the seed gives {order[1]}"
    assert verify(seed, commitment(seed), STANDARD_DECK, swapped) == expected
    longer = (*order, "AS")
    assert verify(seed, commitment(seed), STANDARD_DECK, longer) == "53 cards were dealt from a deck of 52"


def run_script(document: dict[str, Any]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [node(), str(DOCS / "verify.mjs")],
        input=json.dumps(document),
        capture_output=True,
        text=True,
        timeout=60,
    )


def replay(**changes: Any) -> dict[str, Any]:
    order = Reference(SEEDS[2]).order(FRESH_DECK)
    one = {
        "number": 1,
        "name": "deck",
        "commitment": Reference.commitment_of(SEEDS[2]),
        "seed": SEEDS[2],
        "cards": FRESH_DECK,
        "dealt": order[:7],
    }
    sealed = {**one, "number": 2, "seed": None, "cards": None, "dealt": order[:1]}
    return {"algorithm": "fliptable-shuffle-1", "shuffles": [{**one, **changes}, sealed]}


def test_the_script_accepts_what_is_right() -> None:
    done = run_script(replay())
    assert done.stdout == "shuffle 1 (deck): OK, 7 dealt cards compared\nshuffle 2 (deck): not revealed yet\n"
    assert (done.returncode, done.stderr) == (0, "")
    large = Reference(SEEDS[2]).order([str(card) for card in range(LARGE)])
    cards = [str(card) for card in range(LARGE)]
    assert run_script(replay(cards=cards, dealt=large)).returncode == 0


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"dealt": ["AC", "AC"]}, "card 1 is AC, but the seed gives"),
        (
            {"dealt": [*Reference(SEEDS[2]).order(FRESH_DECK), "AS"]},
            "card 53 is AS, but the seed gives no more cards",
        ),
        ({"commitment": "00" * 32}, "the seed does not match its commitment"),
        ({"seed": SEEDS[2][2:]}, "the seed is not 32 bytes in hex"),
        ({"seed": "zz" * 32}, "the seed is not 32 bytes in hex"),
        ({"cards": None}, "not the cards before the shuffle"),
    ],
)
def test_the_script_says_what_is_wrong(changes: dict[str, Any], complaint: str) -> None:
    done = run_script(replay(**changes))
    assert complaint in done.stdout
    assert done.returncode == 1


def test_the_script_refuses_an_algorithm_that_it_does_not_know() -> None:
    done = run_script({**replay(), "algorithm": "fliptable-shuffle-2"})
    assert done.returncode == 1 and "fliptable-shuffle-2" in done.stdout


if __name__ == "__main__":
    print(as_text(vectors()), end="")
