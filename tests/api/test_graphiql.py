"""The page to try the API with comes whole from the server itself, and its examples work."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from graphql import OperationDefinitionNode, get_introspection_query, parse, validate
from graphql.execution.values import get_variable_values
from inprocess import local
from serverkit import caller, socket

from fliptable.plugins import load_plugins
from fliptable_api.graphiql import examples
from fliptable_api.schema import build_schema

pytestmark = pytest.mark.anyio

BROWSER = {"accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


async def test_a_browser_gets_the_page_and_everything_it_loads() -> None:
    async with local() as server, httpx.AsyncClient() as http:
        for url in (server.url, server.base + "/graphiql"):
            page = await http.get(url, headers=BROWSER)
            assert page.status_code == 200
            assert page.headers["content-type"].startswith("text/html")
        loaded = re.findall(r'(?:src|href)="([^"]+)"', page.text)
        assert len(loaded) == 7
        for path in [*loaded, "/graphiql/examples.json"]:
            if path != "data:,":
                assert path.startswith("/graphiql/")
                found = await http.get(server.base + path)
                assert found.status_code == 200 and found.content, path
        assert not re.search(r"https?://", page.text)
        policy = page.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "script-src 'self';" in policy
        script = await http.get(server.base + "/graphiql/graphiql.min.js")
        again = await http.get(
            server.base + "/graphiql/graphiql.min.js", headers={"if-none-match": script.headers["etag"]}
        )
        assert (again.status_code, again.content) == (304, b"")


async def test_a_query_in_the_address_bar_is_answered_as_one() -> None:
    async with local() as server, httpx.AsyncClient() as http:
        answer = await http.get(server.url, params={"query": "{ __typename }"}, headers=BROWSER)
        assert answer.json() == {"data": {"__typename": "Query"}}


@pytest.mark.parametrize(
    ("settings", "told"),
    [({"graphiql": False}, "FLIPTABLE_GRAPHIQL"), ({"trust": "only"}, "FLIPTABLE_TRUST")],
    ids=["turned off", "trusted documents only"],
)
async def test_where_there_is_no_page_it_is_said_why(
    tmp_path: Path, settings: dict[str, Any], told: str
) -> None:
    manifest = tmp_path / "manifest.json"
    manifest.write_text("{}")
    async with (
        local(trusted_documents=str(manifest), **settings) as server,
        httpx.AsyncClient() as http,
    ):
        for path in ("/graphiql", "/graphiql/", "/graphiql/examples.json", "/graphiql/graphiql.min.js"):
            answer = await http.get(server.base + path, headers=BROWSER)
            assert answer.status_code == 404
            (error,) = answer.json()["errors"]
            assert error["extensions"]["code"] == "BAD_REQUEST"
            assert told in error["message"]
        answer = await http.get(server.url, headers=BROWSER)
        assert (answer.status_code, answer.json()["errors"][0]["extensions"]["code"]) == (400, "BAD_REQUEST")


@pytest.mark.parametrize("listed", [False, True])
async def test_introspection_has_to_be_a_trusted_document_too(tmp_path: Path, listed: bool) -> None:
    asked = get_introspection_query()
    manifest = tmp_path / "manifest.json"
    manifest.write_text(json.dumps({"schema": asked} if listed else {}))
    async with (
        local(trusted_documents=str(manifest), trust="only") as server,
        httpx.AsyncClient() as http,
    ):
        answer = (await http.post(server.url, json={"query": asked})).json()
    if listed:
        assert answer["data"]["__schema"]["types"]
    else:
        assert answer["errors"][0]["extensions"]["code"] == "DOCUMENT_NOT_TRUSTED"


async def test_trusted_documents_beside_others_leave_the_page(tmp_path: Path) -> None:
    manifest = tmp_path / "manifest.json"
    manifest.write_text("{}")
    async with (
        local(trusted_documents=str(manifest), trust="allow") as server,
        httpx.AsyncClient() as http,
    ):
        assert (await http.get(server.base + "/graphiql", headers=BROWSER)).status_code == 200


async def test_the_examples_of_every_game_work() -> None:
    registry = load_plugins(builtin_only=True)
    built = build_schema(registry)
    tabs = examples(registry, built.moves)
    schema = built.schema._schema
    for tab in tabs:
        document = parse(tab["query"])
        assert validate(schema, document) == []
        (operation,) = document.definitions
        assert isinstance(operation, OperationDefinitionNode)
        given = get_variable_values(schema, operation.variable_definitions, tab["variables"])
        assert not isinstance(given, list), given
    opening = [tab for tab in tabs if "createTable" in tab["query"]]
    assert len(opening) == len(registry.games)
    async with local(registry) as server, caller(server.url) as player:
        for tab in opening:
            made = (await player.data(tab["query"], **tab["variables"]))["createTable"]
            assert made["table"]["legalMoves"], made
            first, *_ = made["table"]["legalMoves"]
            move = {"tableId": made["table"]["id"], "move": first["input"], "seat": first["seat"]}
            if tab is opening[0]:
                assert move == {**tabs[-2]["variables"]["input"], "tableId": made["table"]["id"]}
            played = (await player.data(tabs[-2]["query"], input=move))["playMove"]
            assert played["update"]["version"] > 1
            assert all(
                {"seat", "label", "input"} <= one.keys() for one in played["update"]["table"]["legalMoves"]
            )
            async with socket(server.socket_url, player.token) as one:
                update: dict[str, Any]
                async for update in one.run(tabs[-1]["query"], tableId=made["table"]["id"]):
                    assert update["data"]["tableUpdates"]["version"] == 1
                    break


async def test_a_game_whose_first_move_fails_has_a_tab_all_the_same(caplog: pytest.LogCaptureFixture) -> None:
    registry = load_plugins(builtin_only=True)
    built = build_schema(registry)

    class Failing:
        def legal(self, *_: Any) -> Any:
            raise RuntimeError("no moves today")

    tabs = examples(registry, cast(Any, Failing()))
    assert len(tabs) == len(examples(registry, built.moves))
    assert tabs[-2]["variables"]["input"]["move"] == {"nextRound": True}
    assert "no moves today" in caplog.text
