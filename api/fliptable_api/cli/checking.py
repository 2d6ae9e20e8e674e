"""Checking the shuffles of a table from its public replay, as docs/fair-shuffle.md has it.

Two steps, so that the second can be done by any other program: :func:`collect` makes of a replay what
there is to check, and :func:`check` checks that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fliptable.shuffle import ALGORITHM, shuffle, verify


@dataclass(frozen=True, slots=True)
class Finding:
    """What the check of a shuffle came to: honest, not revealed yet, or what is wrong."""

    shuffle: str
    sentence: str
    revealed: bool = True
    wrong: bool = False


_OTHER = "it is not what `fliptable verify --json` prints"


class BadEvidence(ValueError):
    """What is to be checked has not the form that it should have."""


def collect(fairness: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What there is to check: each shuffle as it was announced, and its cards in the order they came out.

    Where the replay and ``fairness`` disagree, the replay counts: it is what the players were shown.
    """
    announced = {one["shuffle"]: one for one in events if one["__typename"] == "DeckShuffled"}
    revealed = {one["shuffle"]: one["seed"] for one in events if one["__typename"] == "SeedRevealed"}
    sequences = _sequences(fairness["trails"], events)
    shuffles = []
    for one in fairness["shuffles"]:
        number = one["number"]
        commitment = announced[number]["commitment"] if number in announced else one["commitment"]
        entry = {
            "number": number,
            "name": one["name"],
            "commitment": commitment,
            "seed": revealed.get(number, one["seed"]),
            "cards": one["cards"],
        }
        seen = [(seat, cards) for (shuffle, seat), cards in sequences.items() if shuffle == number]
        if len(seen) < 2:
            shuffles.append({**entry, "dealt": seen[0][1] if seen else []})
        for seat, cards in seen if len(seen) > 1 else ():
            whose = f"{one['name']}, seat {seat}" if seat is not None else one["name"]
            shuffles.append({**entry, "name": whose, "dealt": cards})
    return {"algorithm": fairness["algorithm"], "shuffles": shuffles}


def _sequences(
    trails: Sequence[Mapping[str, Any]], events: Sequence[Mapping[str, Any]]
) -> dict[tuple[int, int | None], list[str | None]]:
    """The cards by shuffle and seat (None where seats do not matter), each in the order of the replay.

    What came out before any shuffle counts as from a shuffle 0, which there is not.
    """
    found: dict[tuple[int, int | None], list[str | None]] = {}
    shuffles: list[tuple[str, int]] = []
    for event in events:
        if event["__typename"] == "DeckShuffled":
            shuffles.insert(0, (event["name"], event["shuffle"]))
        for trail in trails:
            if event["__typename"] == trail["event"] and trail["seat"] in (None, event["seat"]):
                number = next((number for name, number in shuffles if name in trail["piles"]), 0)
                cards = found.setdefault((number, trail["seat"]), [None] * trail["skip"])
                cards.extend(event["cards"][trail["card"]])
    return found


def disagreements(fairness: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> list[Finding]:
    """Where what the server says of its shuffles is not what its replay says."""
    found = []
    known = {one["number"]: one for one in fairness["shuffles"]}
    announced = {one["shuffle"]: one for one in events if one["__typename"] == "DeckShuffled"}
    for number in sorted(known.keys() | announced.keys()):
        one, told = known.get(number), announced.get(number)
        if one is None or told is None:
            place = "the replay" if told is None else "fairness"
            found.append(_wrong(number, f"it is missing from {place}"))
        elif (one["commitment"], one["name"]) != (told["commitment"], told["name"]):
            found.append(_wrong(number, "the replay announced another commitment or name than fairness has"))
    for event in events:
        if event["__typename"] == "SeedRevealed":
            one = known.get(event["shuffle"])
            if one is not None and one["seed"] != event["seed"]:
                found.append(_wrong(event["shuffle"], "the replay revealed another seed than fairness has"))
    if any(number == 0 for number, _ in _sequences(fairness["trails"], events)):
        found.append(Finding("the replay", "a card came out before its pile was shuffled", wrong=True))
    return found


def _wrong(number: int, sentence: str) -> Finding:
    return Finding(f"shuffle {number}", sentence, wrong=True)


def check(evidence: Mapping[str, Any]) -> list[Finding]:
    """Check what was collected, shuffle by shuffle. Errors: BadEvidence."""
    try:
        if evidence["algorithm"] != ALGORITHM:
            raise BadEvidence(f"the algorithm is {evidence['algorithm']!r}; this program knows {ALGORITHM}")
        return [_check(one) for one in evidence["shuffles"]]
    except KeyError as error:
        raise BadEvidence(f"{_OTHER}: {error} is missing") from None
    except (TypeError, AttributeError):
        raise BadEvidence(f"{_OTHER}: it is built in another way") from None


def _check(one: Mapping[str, Any]) -> Finding:
    what = f"shuffle {one['number']} ({one['name']})"
    if one["seed"] is None:
        return Finding(what, "its seed is not revealed yet", revealed=False)
    try:
        seed = bytes.fromhex(one["seed"])
    except ValueError:
        seed = b""
    if len(seed) != 32:
        return Finding(what, "its seed is not 32 bytes in hex", wrong=True)
    if one["cards"] is None:
        return Finding(what, "its seed is revealed, but not the cards before the shuffle", wrong=True)
    order = shuffle(seed, one["cards"])
    # What came out unseen (null) is taken for what it ought to be.
    dealt = [ought if card is None else card for card, ought in _beside(one["dealt"], order)]
    fault = verify(seed, one["commitment"], one["cards"], dealt)
    if fault is not None:
        return Finding(what, fault, wrong=True)
    seen = sum(card is not None for card in one["dealt"])
    if not seen:
        return Finding(what, "OK, the seed fits its commitment; no event shows its cards in order")
    return Finding(what, f"OK, the seed fits its commitment and gives the {seen} cards that came out")


def _beside(dealt: Sequence[str | None], order: Sequence[str]) -> Iterable[tuple[str | None, str | None]]:
    """Each dealt card with the one of the order; cards beyond its end beside nothing."""
    ends: list[str | None] = [*order, *[None] * max(0, len(dealt) - len(order))]
    return zip(dealt, ends, strict=False)
