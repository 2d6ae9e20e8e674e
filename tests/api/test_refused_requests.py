"""Requests that make sense and are refused, or are about what is not there."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from typing import Any

import pytest
from scenekit import INSIDE, Scene, told
from serverkit import CALL_31, CREATE, FLIP, JOIN, PLAY, SIGN_IN, START

pytestmark = pytest.mark.anyio


REFUSED: dict[str, tuple[str, Callable[[Scene], Any], str, str | None]] = {
    "an unknown table": (
        PLAY,
        lambda s: {"tableId": "tbl_" + "0" * 20, "move": FLIP},
        "TABLE_NOT_FOUND",
        "tableId",
    ),
    "an id of a player": (
        PLAY,
        lambda s: {"tableId": s.player.player, "move": FLIP},
        "TABLE_NOT_FOUND",
        "tableId",
    ),
    "an empty id": (PLAY, lambda s: {"tableId": "", "move": FLIP}, "TABLE_NOT_FOUND", "tableId"),
    "an id with a NUL": (
        PLAY,
        lambda s: {"tableId": s.table + "\0", "move": FLIP},
        "TABLE_NOT_FOUND",
        "tableId",
    ),
    "an id of 100 kilobytes": (
        PLAY,
        lambda s: {"tableId": "t" * 100_000, "move": FLIP},
        "TABLE_NOT_FOUND",
        "tableId",
    ),
    "an id that is a number": (PLAY, lambda s: {"tableId": 5, "move": FLIP}, "TABLE_NOT_FOUND", "tableId"),
    "somebody else's table": (PLAY, lambda s: {"tableId": s.others, "move": CALL_31}, "NOT_SEATED", None),
    "somebody else's seat": (
        PLAY,
        lambda s: {"tableId": s.others, "move": CALL_31, "seat": 0},
        "NOT_YOUR_SEAT",
        "seat",
    ),
    "seat -1": (PLAY, lambda s: {"tableId": s.table, "move": FLIP, "seat": -1}, "INVALID_VALUE", "seat"),
    "seat 2147483647": (
        PLAY,
        lambda s: {"tableId": s.table, "move": FLIP, "seat": 2**31 - 1},
        "INVALID_VALUE",
        "seat",
    ),
    "an old version": (
        PLAY,
        lambda s: {"tableId": s.table, "move": FLIP, "expectedVersion": 1},
        "STALE_VERSION",
        "expectedVersion",
    ),
    "version -5": (
        PLAY,
        lambda s: {"tableId": s.table, "move": FLIP, "expectedVersion": -5},
        "STALE_VERSION",
        "expectedVersion",
    ),
    "a version to come": (
        PLAY,
        lambda s: {"tableId": s.table, "move": FLIP, "expectedVersion": 3},
        "STALE_VERSION",
        "expectedVersion",
    ),
    "an empty key": (
        PLAY,
        lambda s: {"tableId": s.table, "move": FLIP, "idempotencyKey": ""},
        "INVALID_VALUE",
        "idempotencyKey",
    ),
    "a key of 129 letters": (
        PLAY,
        lambda s: {"tableId": s.table, "move": FLIP, "idempotencyKey": "k" * 129},
        "INVALID_VALUE",
        "idempotencyKey",
    ),
    "flip: false": (
        PLAY,
        lambda s: {"tableId": s.table, "move": {"callIt": {"flip": False}}},
        "INVALID_VALUE",
        "move.callIt.flip",
    ),
    "a target below 30": (
        PLAY,
        lambda s: {"tableId": s.fresh, "move": {"callIt": {"call": {"target": 29}}}},
        "INVALID_VALUE",
        "move.callIt.call.target",
    ),
    "a target of -2147483648": (
        PLAY,
        lambda s: {"tableId": s.fresh, "move": {"callIt": {"call": {"target": -(2**31)}}}},
        "INVALID_VALUE",
        "move.callIt.call.target",
    ),
    "the next round now": (
        PLAY,
        lambda s: {"tableId": s.table, "move": {"nextRound": True}},
        "ROUND_RUNNING",
        None,
    ),
    "0 seats": (CREATE, lambda s: {"game": {"callIt": {}}, "seats": 0}, "INVALID_VALUE", "seats"),
    "-1 seats": (CREATE, lambda s: {"game": {"callIt": {}}, "seats": -1}, "INVALID_VALUE", "seats"),
    "2147483647 seats": (
        CREATE,
        lambda s: {"game": {"callIt": {}}, "seats": 2**31 - 1},
        "INVALID_VALUE",
        "seats",
    ),
    "a local seat without a name": (
        CREATE,
        lambda s: {"game": {"callIt": {}}, "seats": 2, "localSeats": [" "]},
        "INVALID_VALUE",
        "localSeats.0",
    ),
    "a local seat of 41 letters": (
        CREATE,
        lambda s: {"game": {"callIt": {}}, "seats": 2, "localSeats": ["x" * 41]},
        "INVALID_VALUE",
        "localSeats.0",
    ),
    "a local seat with a control character": (
        CREATE,
        lambda s: {"game": {"callIt": {}}, "seats": 2, "localSeats": ["a\u202eb"]},
        "INVALID_VALUE",
        "localSeats.0",
    ),
    "more local seats than seats": (
        CREATE,
        lambda s: {"game": {"callIt": {}}, "seats": 1, "localSeats": ["a", "b"]},
        "INVALID_VALUE",
        "localSeats",
    ),
    "10,000 local seats": (
        CREATE,
        lambda s: {"game": {"callIt": {}}, "localSeats": ["a"] * 10_000},
        "INVALID_VALUE",
        "localSeats",
    ),
    "two local seats of the same name": (
        CREATE,
        lambda s: {"game": {"flip7": {}}, "localSeats": ["Lou", "Max", " lou"]},
        "INVALID_VALUE",
        "localSeats.2",
    ),
    "joining nothing": (JOIN, lambda s: {}, "INVALID_VALUE", None),
    "joining by id and code": (
        JOIN,
        lambda s: {"tableId": s.table, "code": "ABCDEF"},
        "INVALID_VALUE",
        None,
    ),
    "joining a code that is not there": (JOIN, lambda s: {"code": "------"}, "TABLE_NOT_FOUND", "code"),
    "joining an empty code": (JOIN, lambda s: {"code": ""}, "TABLE_NOT_FOUND", "code"),
    "joining a code with a NUL": (JOIN, lambda s: {"code": "AB\0CDE"}, "TABLE_NOT_FOUND", "code"),
    "joining a code from the right": (JOIN, lambda s: {"code": "\u202eABCDEF"}, "TABLE_NOT_FOUND", "code"),
    "joining a code of 100 kilobytes": (JOIN, lambda s: {"code": "A" * 100_000}, "TABLE_NOT_FOUND", "code"),
    "joining a table that plays": (JOIN, lambda s: {"tableId": s.others}, "TABLE_STARTED", None),
    "starting somebody else's table": (START, lambda s: {"tableId": s.others}, "NOT_HOST", None),
    "starting a table twice": (START, lambda s: {"tableId": s.table}, "TABLE_STARTED", None),
}


@pytest.mark.parametrize("case", REFUSED)
async def test_a_request_that_is_refused_says_why_and_where(unharmed: Scene, case: str) -> None:
    document, variables, code, field = REFUSED[case]
    answer = next(iter((await unharmed.player.data(document, i=variables(unharmed))).values()))
    assert (answer["__typename"], answer["code"]) == ("Refusal", code)
    assert answer["field"] == field
    assert answer["message"] and not INSIDE.search(answer["message"]) and len(answer["message"]) < 400


@pytest.mark.parametrize("document", [PLAY, CREATE, JOIN, START])
async def test_nobody_can_do_nothing(unharmed: Scene, document: str) -> None:
    inputs: dict[str, Any] = {PLAY: {"move": FLIP}, CREATE: {"game": {"callIt": {}}}}
    wanted = {**inputs.get(document, {}), **({} if document == CREATE else {"tableId": unharmed.table})}
    answer = await unharmed.player.http.post(
        unharmed.player._url(), json={"query": document, "variables": {"i": wanted}}
    )
    told(answer, "UNAUTHENTICATED")


@pytest.mark.parametrize(
    "name",
    ["", "   ", "x" * 41, "a\0b", "a\u202eb", "\u200b", "a\x1bb", "\ufeff", "a\ue000b", "\u2028"],
    ids=ascii,
)
async def test_nobody_is_called_that(unharmed: Scene, name: str) -> None:
    answer = await unharmed.player.http.post(
        unharmed.player._url(), json={"query": SIGN_IN, "variables": {"n": name}}
    )
    error = told(answer, "INVALID_ARGUMENT")
    assert error["message"].startswith("A name ") and error["extensions"]["field"] == "name"
    assert answer.json()["data"] is None


async def test_a_name_may_be_of_any_script(unharmed: Scene) -> None:
    for name in ("Зоя", "愛子", "أمل", "Zoë 🂡", "נועה"):
        made = await unharmed.player.data(SIGN_IN, n=f"  {name} ")
        assert made["signInAsGuest"]["player"]["name"] == name


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ('after: "x"', "INVALID_CURSOR"),
        ('after: ""', "INVALID_CURSOR"),
        ("first: -3", "INVALID_ARGUMENT"),
        ("first: 0", "INVALID_ARGUMENT"),
        ("first: 1000000", "INVALID_ARGUMENT"),
    ],
)
async def test_a_replay_from_nowhere(unharmed: Scene, arguments: str, code: str) -> None:
    text = f"query ($i: ID!) {{ table(id: $i) {{ updates({arguments}) {{ nodes {{ version }} }} }} }}"
    answer = await unharmed.player.http.post(
        unharmed.player._url(), json={"query": text, "variables": {"i": unharmed.table}}
    )
    told(answer, code)


@pytest.mark.parametrize("version", ["xyz", "-5", "0", "", "9" * 24])
async def test_a_forged_place_in_a_replay(unharmed: Scene, version: str) -> None:
    text = "query ($i: ID!, $a: String) { table(id: $i) { updates(after: $a) { edges { cursor } } } }"
    player, table = unharmed.player, unharmed.table
    real = (await player.data(text, i=table))["table"]["updates"]["edges"][0]["cursor"]
    kind, _, first = urlsafe_b64decode(real + "=" * (-len(real) % 4)).decode().partition("|")
    assert first == "1"
    forged = urlsafe_b64encode(f"{kind}|{version}".encode()).decode().rstrip("=")
    answer = await player.http.post(
        player._url(), json={"query": text, "variables": {"i": table, "a": forged}}, headers=player.headers
    )
    told(answer, "INVALID_CURSOR")


@pytest.mark.parametrize("id", ["", "x", "tbl_", "tbl_" + "0" * 20, "ply_" + "0" * 20, "a\0b", "é" * 5000])
async def test_what_is_not_there_is_null(unharmed: Scene, id: str) -> None:
    text = (
        "query ($i: ID!, $s: String!) { node(id: $i) { id } table(id: $i) { id } "
        "tableByCode(code: $s) { id } }"
    )
    assert set((await unharmed.player.data(text, i=id, s=id)).values()) == {None}
