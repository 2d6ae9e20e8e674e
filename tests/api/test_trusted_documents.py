"""Documents by their hash: automatic persisted queries, and manifests of trusted documents."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import pytest
from inprocess import local
from serverkit import Failed, socket

from fliptable.plugins import Registry
from fliptable_api.app import Server
from fliptable_api.errors import CodedError
from fliptable_api.settings import BadSetting, Settings
from fliptable_api.trusted import BadManifest, Documents, Trust

JSON = "application/json"

pytestmark = pytest.mark.anyio

GAMES = "query Games { games { id } }"
ME = "{ me { id } }"
FOLLOW = 'subscription Follow { tableUpdates(tableId: "tbl_00000000000000000000") { version } }'


def hashed(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def persisted(text: str) -> dict[str, Any]:
    return named(hashed(text))


def named(hash: str) -> dict[str, Any]:
    return {"persistedQuery": {"version": 1, "sha256Hash": hash}}


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    """In the format that Apollo's tools write."""
    operations = [
        {"id": hashed(text), "name": "X", "type": kind, "body": text}
        for text, kind in ((GAMES, "query"), (FOLLOW, "subscription"))
    ]
    path = tmp_path / "manifest.json"
    path.write_text(
        json.dumps({"format": "apollo-persisted-query-manifest", "version": 1, "operations": operations})
    )
    return path


def code_of(answer: httpx.Response) -> str:
    code: str = answer.json()["errors"][0]["extensions"]["code"]
    return code


async def test_a_document_is_sent_once_with_its_hash_and_then_its_hash_alone() -> None:
    async with local() as server, httpx.AsyncClient() as http:
        by_hash = {"extensions": persisted(ME)}
        unknown = await http.post(server.url, json=by_hash)
        assert (unknown.status_code, code_of(unknown)) == (200, "PERSISTED_QUERY_NOT_FOUND")
        assert unknown.json()["errors"][0]["message"] == "PersistedQueryNotFound"
        assert (await http.post(server.url, json={"query": ME, **by_hash})).json() == {"data": {"me": None}}
        assert (await http.post(server.url, json=by_hash)).json() == {"data": {"me": None}}
        asked = {"extensions": json.dumps(persisted(ME))}
        got = await http.get(server.url, params=asked)
        assert got.json() == {"data": {"me": None}} and got.headers["etag"]
        async with socket(server.socket_url) as one:
            await one.send({"id": "1", "type": "subscribe", "payload": by_hash})
            assert (await one.receive())["payload"] == {"data": {"me": None}}
            assert (await one.receive())["type"] == "complete"
            await one.send({"id": "2", "type": "subscribe", "payload": {"extensions": persisted("{ x }")}})
            answer = await one.receive()
            assert answer["payload"][0]["extensions"]["code"] == "PERSISTED_QUERY_NOT_FOUND"
        events = await http.post(server.url, json=by_hash, headers={"accept": "text/event-stream"})
        assert '{"data":{"me":null}}' in events.text


@pytest.mark.parametrize("trust", ["off", "only"])
async def test_a_hash_that_is_not_known_is_told_as_other_errors_of_a_document_are(
    manifest: Path, trust: str
) -> None:
    """In the stream, if the client takes nothing else: clients of streams do not look at other answers."""
    code = "PERSISTED_QUERY_NOT_FOUND" if trust == "off" else "DOCUMENT_NOT_TRUSTED"
    sent: list[dict[str, Any]] = [{"extensions": persisted("{ x }")}]
    sent += [{"query": ME}] if trust == "only" else []
    async with (
        local(trust=trust, trusted_documents=str(manifest)) as server,
        httpx.AsyncClient() as http,
    ):
        for asked in sent:
            events = await http.post(server.url, json=asked, headers={"accept": "text/event-stream"})
            assert events.status_code == 200
            assert events.headers["content-type"].startswith("text/event-stream")
            told, done, rest = events.text.split("\n\n")
            assert (done, rest) == ("event: complete\ndata: ", "")
            error = json.loads(told.removeprefix("event: next\ndata: "))["errors"][0]
            assert error["extensions"]["code"] == code
            multipart = "multipart/mixed;subscriptionSpec=1.0"
            parts = await http.post(server.url, json=asked, headers={"accept": multipart})
            assert parts.status_code == 200
            assert parts.headers["content-type"].startswith("multipart/mixed")
            (part,) = [line for line in parts.text.split("\r\n") if line.startswith("{")]
            assert json.loads(part)["payload"]["errors"][0]["extensions"]["code"] == code
            whole = await http.post(server.url, json=asked, headers={"accept": f"{multipart}, {JSON}"})
            assert (whole.headers["content-type"].partition(";")[0], code_of(whole)) == (JSON, code)


async def test_persisted_queries_can_be_turned_off() -> None:
    async with local(persisted_queries=False) as server, httpx.AsyncClient() as http:
        by_hash = {"extensions": persisted(ME)}
        assert (await http.post(server.url, json={"query": ME, **by_hash})).json() == {"data": {"me": None}}
        refused = await http.post(server.url, json=by_hash)
        assert (refused.status_code, code_of(refused)) == (200, "PERSISTED_QUERY_NOT_SUPPORTED")
        # What clients look for.
        assert refused.json()["errors"][0]["message"] == "PersistedQueryNotSupported"
        by_id = {"documentId": hashed(ME)}
        assert code_of(await http.post(server.url, json=by_id)) == "PERSISTED_QUERY_NOT_FOUND"
        empty = await http.post(server.url, json={"documentId": ""})
        assert (empty.status_code, code_of(empty)) == (400, "BAD_REQUEST")
        assert "not empty" in empty.text


@pytest.mark.parametrize(
    "extensions",
    [
        {"persistedQuery": {"version": 1, "sha256Hash": "0" * 64}},
        {"persistedQuery": {"version": 2, "sha256Hash": hashed(ME)}},
        {"persistedQuery": {"version": 1, "sha256Hash": 5}},
        {"persistedQuery": {"version": 1}},
        {"persistedQuery": "x"},
    ],
)
async def test_a_hash_that_is_none(extensions: dict[str, Any]) -> None:
    async with local() as server, httpx.AsyncClient() as http:
        answer = await http.post(server.url, json={"query": ME, "extensions": extensions})
        assert (answer.status_code, code_of(answer)) == (400, "BAD_REQUEST")


def test_what_clients_have_sent_is_bounded() -> None:
    documents = Documents()
    for number in range(3000):
        text = f"{{ a{number}: __typename }}"
        documents.find(text, persisted(text))
    assert len(documents) == 1000
    huge = "#" * 30_000
    documents.find(huge, persisted(huge))
    with pytest.raises(CodedError, match="PersistedQueryNotFound"):
        documents.find(None, persisted(huge))


@pytest.mark.parametrize("prefix", ["", "sha256:"])
async def test_trusted_documents_only(manifest: Path, prefix: str) -> None:
    async with (
        local(trusted_documents=str(manifest), trust="only") as server,
        httpx.AsyncClient() as http,
    ):
        id = {"documentId": prefix + hashed(GAMES)}
        for answer in (
            await http.post(server.url, json=id),
            await http.get(server.url, params=id),
            await http.post(server.url, json={"query": GAMES}),
            await http.post(server.url, json={"extensions": persisted(GAMES)}),
            await http.post(server.url, json={"query": GAMES, "extensions": persisted(GAMES)}),
            # What a manifest's hash means counts: clients change operations, and some send both.
            await http.post(server.url, json={"query": GAMES + " ", "extensions": persisted(GAMES)}),
            await http.post(server.url, json={"extensions": named(prefix + hashed(GAMES))}),
        ):
            assert answer.json()["data"]["games"], answer.text
        events = await http.post(server.url, json=id, headers={"accept": "text/event-stream"})
        assert '"games"' in events.text
        for wrong in (
            {"query": ME},
            {"extensions": persisted(ME)},
            {"query": ME, "extensions": persisted(ME)},
            {"query": ME, "extensions": named("of another algorithm")},
            {"query": GAMES + " "},
            {"documentId": "x"},
        ):
            answer = await http.post(server.url, json=wrong)
            assert (answer.status_code, code_of(answer)) == (200, "DOCUMENT_NOT_TRUSTED"), wrong
        async with socket(server.socket_url) as one:
            await one.send({"id": "1", "type": "subscribe", "payload": {"documentId": hashed(FOLLOW)}})
            assert (await one.receive())["payload"][0]["extensions"]["code"] == "NOT_FOUND"
            with pytest.raises(Failed) as failed:
                async for _ in one.run(ME):
                    pass
            assert failed.value.code == "DOCUMENT_NOT_TRUSTED"


async def test_trusted_documents_beside_others(manifest: Path) -> None:
    async with (
        local(trusted_documents=str(manifest), trust="allow") as server,
        httpx.AsyncClient() as http,
    ):
        assert (await http.post(server.url, json={"documentId": hashed(GAMES)})).json()["data"]["games"]
        assert (await http.post(server.url, json={"query": ME})).json() == {"data": {"me": None}}
        missing = await http.post(server.url, json={"documentId": "x"})
        assert code_of(missing) == "PERSISTED_QUERY_NOT_FOUND"
        assert "FLIPTABLE_TRUSTED_DOCUMENTS" in missing.json()["errors"][0]["message"]


async def test_a_server_without_a_manifest_says_so_of_an_id() -> None:
    async with local() as server, httpx.AsyncClient() as http:
        missing = await http.post(server.url, json={"documentId": hashed(GAMES)})
        assert code_of(missing) == "PERSISTED_QUERY_NOT_FOUND"
        assert "FLIPTABLE_TRUST is off" in missing.json()["errors"][0]["message"]


def test_a_plain_object_is_a_manifest_too(tmp_path: Path) -> None:
    path = tmp_path / "persisted.json"
    path.write_text(json.dumps({"abc": GAMES}))
    assert Documents(str(path), Trust.ALLOW).find(None, None, "abc").query == GAMES


@pytest.mark.parametrize(
    "content",
    [
        None,
        "{",
        "[]",
        "[" * 100_000,
        '{"a": 5}',
        '{"format": "apollo-persisted-query-manifest"}',
        '{"format": "apollo-persisted-query-manifest", "operations": [["id", "a"]]}',
        '{"a": "{ me { id } }", "a": "{ games { id } }"}',
        '{"a": "{ me { id } }", "sha256:a": "{ games { id } }"}',
        r'{"a": "{ me { id } } # \ud800"}',
    ],
)
def test_a_manifest_that_is_none(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "manifest.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(BadManifest, match=re.escape(str(path))):
        Documents(str(path), Trust.ONLY)


def test_a_document_that_is_in_a_manifest_twice_is_no_contradiction(tmp_path: Path) -> None:
    path = tmp_path / "persisted.json"
    path.write_text(f'{{"abc": "{GAMES}", "sha256:abc": "{GAMES}"}}')
    assert dict(Documents(str(path), Trust.ALLOW).trusted) == {"abc": GAMES}


@pytest.mark.parametrize("settings", [{"trust": "maybe"}, {"trust": "only"}])
async def test_settings_that_do_not_fit_keep_the_server_from_starting(settings: dict[str, str]) -> None:
    with pytest.raises(BadSetting):
        async with local(**settings):
            pass


def start_log(caplog: pytest.LogCaptureFixture, registry: Registry, **settings: Any) -> list[str]:
    """What a server says of trusted documents at its start."""
    parts = Server(Settings(memory=True, **settings), registry)
    caplog.clear()
    with caplog.at_level(logging.INFO, logger="fliptable.trusted"):
        asyncio.run(parts.check())
    told = [record for record in caplog.records if record.name == "fliptable.trusted"]
    return [f"{record.levelname} {record.getMessage()}" for record in told]


def test_the_start_tells_how_many_documents_there_are_and_which_do_not_fit(
    manifest: Path, tmp_path: Path, registry: Registry, caplog: pytest.LogCaptureFixture
) -> None:
    told = start_log(caplog, registry, trusted_documents=str(manifest), trust="only")
    assert told == [f"INFO 2 trusted documents of {manifest} are loaded; FLIPTABLE_TRUST is only"]
    deep = "{ a " * 30 + "}" * 30
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps({"good": GAMES, "old": "{ me { idd } }", "bad": "{ me {", "deep": deep}))
    first, *wrong = start_log(caplog, registry, trusted_documents=str(path), trust="allow")
    assert first.startswith("INFO 4 trusted documents")
    assert len(wrong) == 3
    for line, (hash, why) in zip(
        wrong, [("old", "idd"), ("bad", "Syntax Error"), ("deep", "30 levels deep")], strict=True
    ):
        assert line.startswith(f"WARNING the trusted document {hash} does not fit the schema: ")
        assert why in line


def test_of_many_documents_that_do_not_fit_some_are_told(
    tmp_path: Path, registry: Registry, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps({f"h{n}": f"{{ x{n} }}" for n in range(600)}))
    told = start_log(caplog, registry, trusted_documents=str(path), trust="allow")
    assert len(told) == 1 + 20 + 1
    assert told[-1] == "WARNING 580 more trusted documents do not fit the schema"


def test_a_manifest_that_nobody_reads_is_told(
    manifest: Path, registry: Registry, caplog: pytest.LogCaptureFixture
) -> None:
    (told,) = start_log(caplog, registry, trusted_documents=str(manifest))
    assert told.startswith("WARNING FLIPTABLE_TRUSTED_DOCUMENTS names ") and "FLIPTABLE_TRUST is off" in told
    assert start_log(caplog, registry) == []
