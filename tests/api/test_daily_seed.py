"""The deck of a day is shared, and its seed is known once the day is over."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import httpx
from serverkit import CREATE, PLAY, SIGN_IN

from fliptable.shuffle import verify
from fliptable_api.app import Server, app_of
from fliptable_api.settings import Settings

FAIRNESS = """query($i: ID!) { table(id: $i) {
  status fairness { shuffles { seed cards commitment label } }
  updates { nodes { events { ... on CallItFlipped { card { text } } } } }
} }"""


async def test_the_seed_of_a_daily_deck_comes_out_when_its_date_is_over() -> None:
    server = Server(Settings(memory=True))
    async with (
        server.running(),
        httpx.AsyncClient(transport=httpx.ASGITransport(app_of(server)), base_url="http://here") as http,
    ):

        async def ask(document: str, **variables: Any) -> Any:
            answer = await http.post("/graphql", json={"query": document, "variables": variables})
            assert "errors" not in answer.json(), answer.json()
            return answer.json()["data"]

        token = (await ask(SIGN_IN, n="Ann"))["signInAsGuest"]["token"]
        http.headers["authorization"] = f"Bearer {token}"
        daily = {"game": {"callIt": {}}, "mode": {"daily": {}}}
        table = (await ask(CREATE, i=daily))["createTable"]["table"]["id"]
        status = "PLAYING"
        while status != "OVER":
            move = {"tableId": table, "move": {"callIt": {"flip": True}}}
            status = (await ask(PLAY, i=move))["playMove"]["table"]["status"]
        [before] = (await ask(FAIRNESS, i=table))["table"]["fairness"]["shuffles"]
        assert before["label"].startswith("shared:")
        assert before["seed"] is None and before["cards"] is None, "others may still play this deck today"
        assert server.service is not None
        tomorrow = server.service.clock() + timedelta(days=1)
        server.service.clock = lambda: tomorrow
        told = (await ask(FAIRNESS, i=table))["table"]
    [after] = told["fairness"]["shuffles"]
    flipped = [
        event["card"]["text"] for node in told["updates"]["nodes"] for event in node["events"] if event
    ]
    signs = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
    cards = [code[:-1] + signs[code[-1]] for code in after["cards"]]
    assert verify(bytes.fromhex(after["seed"]), before["commitment"], cards, flipped) is None
