"""What a move is measured against: a bare Strawberry resolver of the same shape on the same stack.

It stores one document with Motor's ``insert_one`` under the same write concern and answers with
objects that are ready. Run as a program, it serves until it is stopped.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from enum import Enum
from typing import Any

import strawberry
from motor.motor_asyncio import AsyncIOMotorClient
from pymongo import WriteConcern
from strawberry.asgi import GraphQL
from strawberry.extensions import ParserCache, ValidationCache


@strawberry.enum
class Status(Enum):
    """Where the table is."""

    PLAYING = "PLAYING"


@strawberry.type
class Card:
    """A card."""

    text: str


@strawberry.interface
class Event:
    """Something that happened."""

    seat: int | None
    text: str


@strawberry.type
class CallItFlipped(Event):
    """A card was turned up."""

    card: Card


@strawberry.type
class Universe:
    """A sum."""

    sum: int
    readings: int
    status: str


@strawberry.type
class Hand:
    """A hand."""

    seat: int
    status: Status
    flips: int
    cards: list[Card]
    universes: list[Universe]
    cards_left: int


@strawberry.interface
class Round:
    """A round."""

    number: int
    status: str


@strawberry.type
class CallItRound(Round):
    """A round of Call It."""

    target: int
    hands: list[Hand]


@strawberry.type
class LegalMove:
    """A legal move."""

    name: str
    label: str


@strawberry.type
class Table:
    """A table."""

    id: strawberry.ID
    version: int
    status: Status
    to_act: list[int]
    round: Round
    legal_moves: list[LegalMove]


@strawberry.type
class Update:
    """An update."""

    version: int
    at: datetime
    events: list[Event]


@strawberry.type
class MovePlayed:
    """An accepted move."""

    update: Update
    table: Table


@strawberry.type
class Refusal:
    """A refused move."""

    code: str
    message: str


@strawberry.input
class CallItMoveInput:
    """A move of Call It."""

    flip: bool | None = None


@strawberry.input
class MoveInput:
    """A move."""

    call_it: CallItMoveInput | None = None


@strawberry.input
class PlayMoveInput:
    """A move at a table."""

    table_id: strawberry.ID
    move: MoveInput


@strawberry.type
class Query:
    """Nothing."""

    ok: bool = True


def _collection() -> Any:
    client: AsyncIOMotorClient[Any] = AsyncIOMotorClient(os.environ["FLIPTABLE_MONGO_URL"])
    concern = WriteConcern(w="majority", j=True)
    return client["bench_bare"].get_collection("commits", write_concern=concern)


@strawberry.type
class Mutation:
    """The one mutation."""

    @strawberry.mutation
    async def play_move(self, input: PlayMoveInput, info: strawberry.Info) -> MovePlayed | Refusal:
        """Store a document and answer."""
        now = datetime.now(UTC)
        event = {"@": "call-it/Flipped", "seat": 0, "card": "10H"}
        await COLLECTION.insert_one({"t": input.table_id, "s": 1, "at": now, "e": [event], "by": "ply_x"})
        cards = [Card(text="10♥")] * 25
        hand = Hand(
            seat=0,
            status=Status.PLAYING,
            flips=25,
            cards=cards,
            universes=[Universe(sum=250, readings=1, status="LIVE")] * 3,
            cards_left=27,
        )
        return MovePlayed(
            update=Update(
                version=25,
                at=now,
                events=[CallItFlipped(seat=0, text="Ann flips 10♥.", card=Card(text="10♥"))],
            ),
            table=Table(
                id=input.table_id,
                version=25,
                status=Status.PLAYING,
                to_act=[0],
                round=CallItRound(number=1, status="RUNNING", target=1000, hands=[hand]),
                legal_moves=[LegalMove(name="flip", label="Turn the top card up")],
            ),
        )


COLLECTION = _collection()
CACHES: Any = [ParserCache, ValidationCache] if os.environ.get("BENCH_CACHES") else []
app = GraphQL(strawberry.Schema(Query, Mutation, types=[CallItFlipped, CallItRound], extensions=CACHES))
