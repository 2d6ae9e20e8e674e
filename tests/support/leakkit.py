"""Two servers that hold the same tables, but for the order of cards that somebody has not seen."""

from __future__ import annotations

import copy
import random
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from inprocess import Local, local
from serverkit import JOIN, START, Caller

from fliptable.plugins import Registry
from fliptable.table import Table
from fliptable_api import guard
from fliptable_games.flip.state import FIELD

ROOMY = {"max_tokens": 10**6, "max_depth": 100, "max_fields": 10**6, "max_aliases": 10**6}

COPIES, FLIP_OF_THREE = "Call It and Flip, copies", "FLIP"
TABLES: dict[str, tuple[dict[str, Any], int]] = {
    "Call It and Flip, alone": ({"game": {"callIt": {}}}, 8),
    "Call It and Flip, a streak": ({"game": {"callIt": {}}, "mode": {"streak": {}}}, 25),
    "Call It and Flip, practice": ({"game": {"callIt": {}}, "mode": {"practice": {}}}, 15),
    "Call It and Flip, a common pile": (
        {"game": {"callIt": {"sharedDeck": True}}, "seats": 3, "localSeats": ["Lou"]},
        10,
    ),
    COPIES: ({"game": {"callIt": {}}, "seats": 3, "localSeats": ["Lou"]}, 10),
    "Flip 7": ({"game": {"flip7": {}}, "seats": 4, "localSeats": ["Lou", "Max"]}, 20),
    FLIP_OF_THREE: ({"game": {"flip": {}}, "seats": 3, "localSeats": ["Lou"]}, 15),
}

OFFERS = (
    "query ($i: ID!) { table(id: $i) { version status "
    "legalMoves { seat input fields { path type min max choices } } } }"
)
MOVE = (
    "mutation ($p: PlayMoveInput!) { playMove(input: $p) { ... on MovePlayed { update { version } } "
    "... on Refusal { code message } } }"
)


def filled(move: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """A legal move with its open fields filled in by lot."""
    given: dict[str, Any] = copy.deepcopy(move["input"])
    for field in move["fields"]:
        *way, last = field["path"].split(".")
        place = given
        for step in way:
            place = place[step]
        if field["choices"] is not None:
            place[last] = rng.choice(field["choices"])
        else:
            place[last] = rng.randint(field["min"], min(field["max"], field["min"] + 20))
    return given


async def play(players: list[Caller], table: str, moves: int, rng: random.Random) -> None:
    """Play at random, with nothing but what legalMoves offers."""
    for _ in range(moves):
        for player in rng.sample(players, len(players)):
            offer = (await player.data(OFFERS, i=table))["table"]
            if offer["legalMoves"]:
                break
        if offer["status"] != "PLAYING" or not offer["legalMoves"]:
            return
        move = rng.choice(offer["legalMoves"])
        asked = {"tableId": table, "move": filled(move, rng), "seat": move["seat"]}
        answer = (await player.data(MOVE, p=asked))["playMove"]
        assert "update" in answer, answer


def hidden_from(table: Table, viewer: frozenset[int]) -> dict[int, int]:
    """For each shuffle with hidden cards: how many cards from its top the viewer knows.

    It is written down per game, apart from the games' own code for views.
    """
    current = table.round
    sealed = [one for one in table.shuffles if one.seed is None]
    if table.game.id == "call-it":
        known = {}
        for one in sealed:
            staged = table.staged is not None and one.round == table.staged.number
            assert current is not None or staged
            state: Any = table.staged.state if staged else current.state  # type: ignore[union-attr]
            if state.shared:
                known[one.number] = state.taken + state.terms.peek
            else:
                flips = [len(hand.cards) for seat, hand in enumerate(state.hands) if seat in viewer]
                own = len(state.hands) == 1
                known[one.number] = (len(state.hands[0].cards) if own else max(flips, default=0)) + (
                    state.terms.peek if viewer else 0
                )
        return known
    assert current is not None
    if table.game.id == "flip7":
        pile, left = sealed[-1], len(current.state.deck) - current.state.place
        return {pile.number: len(pile.cards) - left}
    assert table.game.id == "flip"
    # A card that was drawn and not placed is known to its owner alone.
    holder = current.state.player if current.state.drawn else None
    return {
        one.number: len(one.cards) - len(left) - (seat == holder and seat not in viewer)
        for seat, (one, left) in enumerate(zip(sealed, current.state.decks, strict=False))
    }


def events_of(commits: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for commit in commits:
        yield from commit["e"]


def turned(commits: list[dict[str, Any]]) -> list[Any]:
    """What was turned up unseen by others."""
    private = [event["event"] for event in events_of(commits) if event["@"] == "private"]
    return [event for event in private if event["@"] == "call-it/Flipped"]


def mixed(commits: list[dict[str, Any]], known: dict[int, int], rng: random.Random) -> list[dict[str, Any]]:
    """The log with the cards behind the known ones in another order.

    Where others have turned some of them up unseen, each becomes one of the same rank, so that all
    that followed from their values still holds.
    """
    commits = copy.deepcopy(commits)
    if not known:
        return commits
    orders: dict[int, list[str]] = {}
    unseen = turned(commits)
    for event in events_of(commits):
        if event["@"] == "table/Shuffled" and event["shuffle"] in known:
            order, first = event["order"], known[event["shuffle"]]
            tail = list(order[first:])
            if unseen:
                groups = defaultdict(list)
                for place, card in enumerate(tail):
                    groups[card[:-1]].append(place)
                for places in groups.values():
                    cards = [tail[place] for place in places]
                    rng.shuffle(cards)
                    for place, card in zip(places, cards, strict=True):
                        tail[place] = card
            else:
                rng.shuffle(tail)
            event["order"] = [*order[:first], *tail]
            orders[event["shuffle"]] = event["order"]
    if unseen:
        (order,) = orders.values()
        flips: dict[int, int] = defaultdict(int)
        for event in unseen:
            event["card"] = order[flips[event["seat"]]]
            flips[event["seat"]] += 1
    return commits


def field_mixed(table: Table, commits: list[dict[str, Any]], rng: random.Random) -> int:
    """Put the cards of FLIP's field that never lay face-up in another order; says how many those are.

    A card of the field stays where it was laid until its pile is flipped for the first time.
    """
    columns = table.round.state.layout.columns  # type: ignore[union-attr]
    flips = [event for event in events_of(commits) if event["@"] == "flip/PileFlipped"]
    turned = {event["row"] * columns + event["column"] for event in flips}
    (field,) = [
        event for event in events_of(commits) if event["@"] == "table/Shuffled" and event["name"] == FIELD
    ]
    order = list(field["order"])
    hidden = [space for space in range(len(order)) if space not in turned]
    cards = [order[space] for space in hidden]
    rng.shuffle(cards)
    for space, card in zip(hidden, cards, strict=True):
        order[space] = card
    field["order"] = order
    return len(hidden)


def hold(server: Local, table: str, log: list[dict[str, Any]]) -> None:
    """Make a server hold a table with exactly that log."""
    server.store._commits[table] = copy.deepcopy(log)
    cache = server.parts.service._cache  # type: ignore[union-attr]
    live = cache.peek(table)
    if live is not None:
        cache.drop(live)


@asynccontextmanager
async def twins(plugins: Registry) -> AsyncIterator[tuple[Local, Local]]:
    """Two servers without tables. Documents may be larger than any client's."""
    with pytest.MonkeyPatch.context() as patch:
        # Keep even those checked, so that they are not checked again for each.
        patch.setattr(guard, "_LARGEST_CACHED", 10**7)
        async with local(plugins, **ROOMY) as one, local(plugins, **ROOMY) as other:
            yield one, other


@dataclass
class Scene:
    """A table in the middle of its play, on one of two servers."""

    pair: tuple[Local, Local]
    kind: str
    id: str
    code: str
    table: Table
    log: list[dict[str, Any]]
    players: list[Caller]
    rng: random.Random

    def spread(self, viewer: Caller | None) -> bool:
        """Have both hold it, in two versions that the viewer cannot tell apart. False if there is but one.

        Where others turn up or draw cards unseen, one has.
        """
        seats = self.table.viewer(None if viewer is None else viewer.player)
        known = hidden_from(self.table, seats)
        changed = mixed(self.log, known, self.rng)
        if self.table.game.id == "flip" and known:
            assert field_mixed(self.table, changed, self.rng) > 1
        if changed == self.log:
            return False  # Every card has been seen, or the table is over.
        if self.kind == COPIES and turned(changed) == turned(self.log):
            return False
        if self.kind == FLIP_OF_THREE and self._drawn_by(seats):
            return False
        for server, log in zip(self.pair, (self.log, changed), strict=True):
            hold(server, self.id, log)
        return True

    def _drawn_by(self, seats: frozenset[int]) -> bool:
        """Whether the card that was drawn and not placed, if there is one, is known in these seats."""
        current: Any = self.table.round
        return not current.state.drawn or current.state.player in seats


@asynccontextmanager
async def scene(
    pair: tuple[Local, Local], ann: Caller, bob: Caller, kind: str, seed: int
) -> AsyncIterator[Scene]:
    """A table of one of the kinds, opened by Ann and played by lot; Bob is at it if it has room.

    Nobody may change it, and afterwards it is forgotten.
    """
    one, other = pair
    opening, most = TABLES[kind]
    rng = random.Random(f"{kind} {seed}")
    opened = await ann.open(**opening, house={"graceSeconds": 3600}, visibility="PUBLIC")
    table = opened["id"]
    players = [ann]
    if opened["status"] == "OPEN":
        await bob.data(JOIN, i={"tableId": table})
        await ann.data(START, i={"tableId": table})
        players.append(bob)
    await play(players, table, rng.randint(1, most), rng)
    found = await one.parts.service.get(table)  # type: ignore[union-attr]
    log = copy.deepcopy(one.store._commits[table])
    for name in ("_accounts", "tokens", "_heads", "_codes", "_secret"):
        setattr(other.store, name, copy.copy(getattr(one.store, name)))
    try:
        yield Scene(pair, kind, table, opened["code"], found, log, players, rng)
        assert one.store._commits[table] == log
    finally:
        for server in pair:
            hold(server, table, [])
            server.store._heads.clear()
