"""Records in MongoDB.

A player's best on a board is one document, whose place in the order of the board is a string under an
index. How many players have each value is counted beside it, so that a rank is a sum over values, of
which there are few, and not over players. What a commit brings is applied in one transaction with a
marker of the commit, so that it is applied once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict

from motor.motor_asyncio import AsyncIOMotorClientSession
from pymongo import ASCENDING, DESCENDING, IndexModel, InsertOne, ReplaceOne, UpdateOne

from fliptable.mongo.driver import DURABLE, Database, find_one, reaching
from fliptable.mongo.record_documents import (
    Document,
    best_id,
    bests_of,
    commit_id,
    day_runs,
    order_of,
    scope_id,
    spans_of,
)
from fliptable.records import (
    Board,
    DayRuns,
    RoundRecord,
    Standing,
    Tally,
    board_of,
    ranked,
)
from fliptable.recordstore import PAGE

_LOWEST, _HIGHEST = -(2**63), 2**63 - 1


class MongoRecords:
    """A :class:`fliptable.recordstore.RecordStore` in collections of their own.

    They are numbered, so that records can be made again beside those in use and then take their place.
    """

    def __init__(self, base: Database, number: int) -> None:
        """Nothing is sent yet."""
        self._client = base.client
        self.number = number
        self._state = base["records"]
        self._applied = base[f"records{number}_applied"]
        self._bests = base[f"records{number}_bests"]
        self._counts = base[f"records{number}_counts"]
        self._tallies = base[f"records{number}_tallies"]
        self._days = base[f"records{number}_days"]

    async def make_indexes(self) -> None:
        """Make the indexes. Errors: what the driver raises."""
        board = [("board", ASCENDING), ("period", ASCENDING), ("place", ASCENDING)]
        player = [(field, ASCENDING) for field in ("player", "period", "scope", "board")]
        await self._bests.create_indexes([IndexModel(board, name="board"), IndexModel(player, name="player")])

    async def drop(self) -> None:
        """Delete everything. Errors: Unavailable."""
        async with reaching():
            for each in (self._bests, self._counts, self._tallies, self._days, self._applied):
                await each.drop()
            await self._state.delete_one({"_id": f"mark{self.number}"})

    async def apply(self, records: Sequence[RoundRecord]) -> None:
        """See :class:`fliptable.recordstore.RecordStore`."""
        if not records:
            return

        async def work(session: AsyncIOMotorClientSession) -> None:
            await self._apply(records, session)

        async with reaching(), await self._client.start_session() as session:
            await session.with_transaction(work, write_concern=DURABLE)

    async def _apply(self, records: Sequence[RoundRecord], session: AsyncIOMotorClientSession) -> None:
        current = await self._state.find_one({"_id": "current"}, session=session)
        if current is not None and current["number"] > self.number:
            return  # Others have taken the place of these records.
        by_id = {(one.table, one.version): one for one in records}
        query = {"_id": {"$in": [commit_id(*key) for key in by_id]}}
        async for document in self._applied.find(query, session=session):
            del by_id[document["_id"]["t"], document["_id"]["v"]]
        new = list(by_id.values())
        if not new:
            return
        await self._applied.bulk_write(
            [InsertOne({"_id": commit_id(*key)}) for key in by_id], session=session
        )
        await self._apply_bests(bests_of(new), session)
        await self._apply_tallies(new, session)
        await self._apply_days([one for one in new if one.day is not None], session)

    async def _apply_bests(self, offered: Mapping[str, Document], session: AsyncIOMotorClientSession) -> None:
        changes: Counter[tuple[str, str, int, int]] = Counter()
        writes = []
        known = {}
        async for document in self._bests.find({"_id": {"$in": list(offered)}}, session=session):
            known[document["_id"]] = document
        for id, best in offered.items():
            old = known.get(id)
            if old is not None and order_of(old) <= order_of(best):
                continue
            writes.append(ReplaceOne({"_id": id}, best, upsert=True))
            changes[best["board"], best["period"], best["key"], best["value"]] += 1
            if old is not None:
                changes[old["board"], old["period"], old["key"], old["value"]] -= 1
        if not writes:
            return
        await self._bests.bulk_write(writes, session=session)
        # In order, so that transactions that change the same counts wait for one another.
        counts = [
            UpdateOne(
                {"_id": {"b": board, "p": period, "k": key}},
                {"$inc": {"players": change}, "$set": {"value": value}},
                upsert=True,
            )
            for (board, period, key, value), change in sorted(changes.items())
            if change
        ]
        if counts:
            await self._counts.bulk_write(counts, session=session)

    async def _apply_tallies(self, new: Sequence[RoundRecord], session: AsyncIOMotorClientSession) -> None:
        tallies: dict[str, Tally] = {}
        for one in new:
            key = scope_id(one.game, one.mode, one.scope)
            tallies[key] = tallies.get(key, Tally()).having(one)
        writes = [
            UpdateOne({"_id": key}, {"$inc": asdict(tally)}, upsert=True)
            for key, tally in sorted(tallies.items())
        ]
        await self._tallies.bulk_write(writes, session=session)

    async def _apply_days(self, new: Sequence[RoundRecord], session: AsyncIOMotorClientSession) -> None:
        for one in new:
            assert one.day is not None
            for player in sorted({*one.began, *one.won}):
                id = scope_id(one.game, one.mode, player)
                known = day_runs(await self._days.find_one({"_id": id}, session=session))
                runs = known.having(one.day, player in one.began, player in one.won)
                if runs != known:
                    await self._days.replace_one({"_id": id}, spans_of(runs), upsert=True, session=session)

    async def applied(self, commits: Collection[tuple[str, int]]) -> set[tuple[str, int]]:
        """See :class:`fliptable.recordstore.RecordStore`."""
        async with reaching():
            query = {"_id": {"$in": [commit_id(*key) for key in commits]}}
            documents = await self._applied.find(query).to_list(None)
        return {(one["_id"]["t"], one["_id"]["v"]) for one in documents}

    async def standing(self, board: Board, period: str, player: str) -> Standing | None:
        """See :class:`fliptable.recordstore.RecordStore`."""
        best = await find_one(self._bests, {"_id": best_id(board.key, period, player)})
        return None if best is None else (await self._standings(board.key, period, [best]))[0]

    async def top(
        self,
        board: Board,
        period: str,
        limit: int = PAGE,
        after: str | None = None,
        before: str | None = None,
        backward: bool = False,
    ) -> list[Standing]:
        """See :class:`fliptable.recordstore.RecordStore`."""
        place = {"$gt": after or ""} if before is None else {"$gt": after or "", "$lt": before}
        order = DESCENDING if backward else ASCENDING
        found = await self._range(board.key, period, place, order, limit)
        if backward:
            found.reverse()
        return await self._standings(board.key, period, found)

    async def around(self, board: Board, period: str, player: str, limit: int = PAGE) -> list[Standing]:
        """See :class:`fliptable.recordstore.RecordStore`."""
        mine = await find_one(self._bests, {"_id": best_id(board.key, period, player)})
        if mine is None:
            return []
        before = await self._range(board.key, period, {"$lt": mine["place"]}, DESCENDING, limit - 1)
        after = await self._range(board.key, period, {"$gt": mine["place"]}, ASCENDING, limit - 1)
        # Half of the page lies before the player, more where there are not enough after them.
        many = min(max((limit - 1) // 2, limit - 1 - len(after)), len(before))
        page = [*reversed(before[:many]), mine, *after[: limit - 1 - many]]
        return await self._standings(board.key, period, page)

    async def _range(
        self, board: str, period: str, place: Mapping[str, str], order: int, limit: int
    ) -> list[Document]:
        if limit <= 0:
            return []
        query = {"board": board, "period": period, "place": place}
        async with reaching():
            found: list[Document] = (
                await self._bests.find(query).sort("place", order).limit(limit).to_list(limit)
            )
        return found

    async def _standings(self, board: str, period: str, bests: Sequence[Document]) -> list[Standing]:
        """Bests with their ranks, which need the counts of the values up to the last of them."""
        if not bests:
            return []
        counts = await self._read_counts(board, period, max(one["key"] for one in bests))
        keys = [(one["_id"]["k"], one["players"]) for one in counts]
        ranks = {key: ranked(keys, key) for key in {one["key"] for one in bests}}
        return [
            Standing(one["player"], one["value"], one["at"], one["table"], ranks[one["key"]], one["place"])
            for one in bests
        ]

    async def _read_counts(self, board: str, period: str, upto: int = _HIGHEST) -> list[Document]:
        # Embedded documents compare field by field, so this is one range of the _id index.
        low, high = ({"b": board, "p": period, "k": key} for key in (_LOWEST, upto))
        async with reaching():
            query = {"_id": {"$gte": low, "$lte": high}}
            found: list[Document] = await self._counts.find(query).sort("_id", ASCENDING).to_list(None)
        return [one for one in found if one["players"]]

    async def spread(self, board: Board, period: str) -> dict[int, int]:
        """See :class:`fliptable.recordstore.RecordStore`."""
        return {one["value"]: one["players"] for one in await self._read_counts(board.key, period)}

    async def of_player(self, player: str, period: str) -> list[tuple[Board, Standing]]:
        """See :class:`fliptable.recordstore.RecordStore`."""
        async with reaching():
            query = {"player": player, "period": period, "scope": ""}
            bests = await self._bests.find(query).sort("board", ASCENDING).to_list(None)
        standings = [(await self._standings(one["board"], period, [one]))[0] for one in bests]
        return [(board_of(best["board"]), one) for best, one in zip(bests, standings, strict=True)]

    async def tally(self, game: str, mode: str, scope: str = "") -> Tally:
        """See :class:`fliptable.recordstore.RecordStore`."""
        found = await find_one(self._tallies, {"_id": scope_id(game, mode, scope)})
        return Tally() if found is None else Tally(found["attempts"], found["finished"], found["wins"])

    async def days(self, game: str, mode: str, player: str) -> DayRuns:
        """See :class:`fliptable.recordstore.RecordStore`."""
        return day_runs(await find_one(self._days, {"_id": scope_id(game, mode, player)}))

    async def mark(self) -> str:
        """See :class:`fliptable.recordstore.RecordStore`."""
        found = await find_one(self._state, {"_id": f"mark{self.number}"})
        return "" if found is None else str(found["place"])

    async def move_mark(self, place: str) -> None:
        """See :class:`fliptable.recordstore.RecordStore`."""
        async with reaching():
            id = {"_id": f"mark{self.number}"}
            await self._state.update_one(id, {"$max": {"place": place}}, upsert=True)
