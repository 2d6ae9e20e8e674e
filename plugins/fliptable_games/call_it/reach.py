"""Which targets some order of the deck can hit, under demands on the cards (call-it C5, M8).

Only the set of cards turned up matters, not its order: whatever set has a reading that is exactly the
target can be turned up without an earlier hit or a bust, aces last. Before the first ace there is only
one reading, and it is below the target. With all but j of the aces out (0 < j < 10) the lowest reading
is below the target, and its gap to the target is j more than a multiple of ten, which no choice of high
aces makes up for. So a target can be hit just when a set of cards that meets the demands can be read as it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from fliptable import Demand

HIGH = 10
"""What an ace at 11 counts more than one at 1."""


@lru_cache(maxsize=1024)
def reachable(demands: tuple[Demand, ...], deck: tuple[tuple[str, int], ...]) -> frozenset[int]:
    """The targets that can be hit with the cards of ``deck``, each a code with its lowest worth.

    An exact count over sets of cards: for each number of aces and each choice of sets in ``includes``
    that are still to be met, one integer has a bit for every pair of a number of cards and a sum.
    """
    barred = frozenset[str]().union(*[demand.excludes for demand in demands])
    cards = [(code, worth) for code, worth in deck if code not in barred]
    there = {code for code, _ in cards}
    wanted = {group & there for demand in demands for group in demand.includes}
    if frozenset() in wanted:
        return frozenset()
    # A set that holds another wanted one is met with it.
    groups = [group for group in wanted if not any(other < group for other in wanted)]
    # The cards of one rank lie together, so that a wanted rank is soon settled.
    cards.sort(key=lambda card: (card[0][:-1], card[0]))
    width = sum(worth for _, worth in cards) + 1
    sums = _sums(cards, groups, width)
    least = max([demand.least for demand in demands], default=0)
    most = min([demand.most for demand in demands if demand.most is not None], default=len(cards))
    highest = any(demand.highest for demand in demands)
    targets = 0
    for aces, bits in sums.items():
        totals = 0
        for count in range(max(least, 1), min(most, len(cards)) + 1):
            totals |= bits >> (count * width) & ((1 << width) - 1)
        for high in range(aces if highest else 0, aces + 1):
            targets |= totals << (HIGH * high)
    return frozenset(_places(targets))


def _sums(
    cards: Sequence[tuple[str, int]], groups: Sequence[frozenset[str]], width: int
) -> Mapping[int, int]:
    """By the number of aces: a bit at ``count * width + sum`` for each set of cards that meets the groups."""
    last = {group: max(place for place, (code, _) in enumerate(cards) if code in group) for group in groups}
    states: dict[tuple[int, frozenset[frozenset[str]]], int] = {(0, frozenset(groups)): 1}
    for place, (code, worth) in enumerate(cards):
        for (aces, open_groups), bits in list(states.items()):
            rest = frozenset([group for group in open_groups if code not in group])
            key = (aces + code.startswith("A"), rest)
            states[key] = states.get(key, 0) | bits << (width + worth)
        # What a group's last card has not met cannot be met any more.
        missed = {group for group in groups if last[group] == place}
        states = {key: bits for key, bits in states.items() if missed.isdisjoint(key[1])}
    return {aces: bits for (aces, _), bits in states.items()}


def _places(bits: int) -> list[int]:
    return [place for place in range(bits.bit_length()) if bits >> place & 1]
