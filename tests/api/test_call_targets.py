"""The targets that a call may have, as they come over the wire (call-it C2)."""

from __future__ import annotations

from typing import Any

from serverkit import PLAY, Caller, Server, caller


async def call(ann: Caller, target: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The whole answer to a call at a new table, and the table after it."""
    table = (await ann.open())["id"]
    answer = await ann.ask(PLAY, i={"tableId": table, "move": {"callIt": {"call": {"target": target}}}})
    return answer, await ann.table(table)


async def test_c2_30_0_in_json_is_30(server: Server) -> None:
    async with caller(server.url) as ann:
        for target in (30, 30.0):
            answer, table = await call(ann, target)
            assert answer["data"]["playMove"]["__typename"] == "MovePlayed"
            assert table["round"]["target"] == 30


async def test_c2_each_target_that_is_none_is_refused_with_a_reason_of_its_own(server: Server) -> None:
    async with caller(server.url) as ann:
        answer, table = await call(ann, 29)
        reasons = [answer["data"]["playMove"]["message"]]
        assert table["round"]["target"] is None
        for target in (30.5, "30", True):
            answer, table = await call(ann, target)
            (error,) = answer["errors"]
            reasons.append(error["message"])
            assert table["round"]["target"] is None
    assert len(set(reasons)) == 4
    for reason, told in zip(reasons, ("29", "30.5", '"30"', "true"), strict=True):
        assert told in reason and "target" in reason
