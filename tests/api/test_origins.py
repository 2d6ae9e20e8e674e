"""One setting says pages of which origins may use the server, over HTTP and over WebSocket."""

from __future__ import annotations

import logging

import httpx
import pytest
from inprocess import local
from serverkit import raw_socket
from websockets.exceptions import InvalidStatus

from fliptable_api.origins import BadOrigin, Origins
from fliptable_api.settings import BadSetting, Settings

pytestmark = pytest.mark.anyio

ORIGINS: list[tuple[tuple[str, ...], str, str, bool]] = [
    # what is set, the page's origin, the host it asked, whether it may
    ((), "http://cards.example", "cards.example", True),
    ((), "https://cards.example", "cards.example", True),
    ((), "https://cards.example", "cards.example:443", True),
    ((), "http://cards.example:8000", "cards.example:8000", True),
    ((), "http://cards.example:8001", "cards.example:8000", False),
    ((), "http://localhost:5173", "localhost:8000", True),
    ((), "http://127.0.0.1:5173", "localhost:8000", True),
    ((), "http://[::1]:5173", "127.0.0.1:8000", True),
    ((), "http://localhost:5173", "cards.example", False),
    ((), "https://evil.example", "localhost:8000", False),
    ((), "http://localhost.evil.example", "localhost:8000", False),
    ((), "null", "localhost:8000", False),
    ((), "", "localhost:8000", False),
    (("https://app.example",), "https://app.example", "api.example", True),
    (("https://app.example/",), "https://app.example:443", "api.example", True),
    (("https://app.example",), "http://app.example", "api.example", False),
    (("https://app.example",), "https://app.example.evil", "api.example", False),
    (("https://app.example",), "http://localhost:5173", "localhost:8000", False),
    (("https://app.example", "localhost"), "http://localhost:5173", "api.example", True),
    (("*",), "https://evil.example", "api.example", True),
]


@pytest.mark.parametrize(("allowed", "origin", "host", "may"), ORIGINS)
def test_an_origin(allowed: tuple[str, ...], origin: str, host: str, may: bool) -> None:
    assert Origins(allowed).allows(origin, host) is may


@pytest.mark.parametrize("wrong", ["app.example", "https://app.example/path", "https://[", ""])
def test_what_is_no_origin_is_refused_at_the_start(wrong: str) -> None:
    with pytest.raises(BadOrigin, match="no origin"):
        Origins([wrong])


async def test_the_server_does_not_start_with_an_origin_that_is_none() -> None:
    with pytest.raises(BadSetting, match=r"app\.example"):
        async with local(allowed_origins=("app.example",)):
            pass


def test_a_refusal_is_logged_once_for_each_origin(caplog: pytest.LogCaptureFixture) -> None:
    origins = Origins()
    with caplog.at_level(logging.WARNING, logger="fliptable.origins"):
        for number in range(5000):
            origins.allows("https://evil.example", "localhost")
            origins.allows(f"https://{number}.example", "localhost")
    lines = [record.getMessage() for record in caplog.records if record.name == "fliptable.origins"]
    assert len(lines) == 1000
    assert "https://evil.example" in lines[0] and "FLIPTABLE_ALLOWED_ORIGINS" in lines[0]


async def test_the_setting_drives_preflights_answers_and_websockets() -> None:
    async with local(allowed_origins=("https://app.example",)) as server, httpx.AsyncClient() as http:
        for origin, may in (("https://app.example", True), ("https://evil.example", False)):
            asked = {
                "origin": origin,
                "access-control-request-method": "POST",
                "access-control-request-headers": "authorization,content-type,x-own",
            }
            preflight = await http.options(server.url, headers=asked)
            answer = await http.post(server.url, json={"query": "{ __typename }"}, headers={"origin": origin})
            refused = await http.post(server.url, content=b"{", headers={"origin": origin})
            if may:
                assert preflight.status_code == 204
                assert (
                    preflight.headers["access-control-allow-headers"]
                    == asked["access-control-request-headers"]
                )
                assert "POST" in preflight.headers["access-control-allow-methods"]
                for one in (preflight, answer, refused):
                    assert one.headers["access-control-allow-origin"] == origin
                    assert "Origin" in one.headers["vary"]
                async with raw_socket(server.socket_url, origin=origin) as one:
                    await one.send({"type": "connection_init"})
                    assert (await one.receive())["type"] == "connection_ack"
            else:
                assert preflight.status_code == 403
                (error,) = preflight.json()["errors"]
                assert error["extensions"] == {"code": "FORBIDDEN", "origin": origin}
                assert origin in error["message"] and "FLIPTABLE_ALLOWED_ORIGINS" in error["message"]
                for one in (preflight, answer, refused):
                    assert "access-control-allow-origin" not in one.headers
                with pytest.raises(InvalidStatus, match="403"):
                    async with raw_socket(server.socket_url, origin=origin):
                        pass
            assert answer.json() == {"data": {"__typename": "Query"}}


async def test_a_page_may_read_why_it_is_refused_and_when_to_come_again() -> None:
    origin = "https://app.example"
    asked = {"origin": origin, "access-control-request-method": "POST"}
    async with (
        local(allowed_origins=(origin,), rate_per_address=1) as server,
        httpx.AsyncClient(headers={"origin": origin}) as http,
    ):
        answers = [await http.post(server.url, json={"query": "{ __typename }"}) for _ in range(10)]
        limited = answers[-1]
        assert limited.status_code == 429
        # A browser would tell the page of a preflight that is refused, and of nothing else.
        for _ in range(20):
            preflight = await http.options(server.url, headers=asked)
            assert preflight.status_code == 204
            assert preflight.headers["vary"] == "Origin, Access-Control-Request-Headers"
        elsewhere = server.base + "/nowhere"
        assert (await http.options(elsewhere, headers=asked)).status_code == 204
        nowhere = await http.post(elsewhere, json={})
        wrong = await http.post(server.base + "/healthz")
        assert (nowhere.status_code, wrong.status_code) == (404, 405)
        assert "GET" in wrong.headers["allow"]
        for one in (limited, nowhere, wrong):
            assert one.headers["access-control-allow-origin"] == origin
            assert one.headers["access-control-expose-headers"] == "Date, ETag, Retry-After"
            assert one.headers.get_list("vary") == ["Origin"]
        evil = {"origin": "https://evil.example"}
        assert (await http.options(elsewhere, headers={**asked, **evil})).status_code == 403
        refused = await http.post(elsewhere, json={}, headers=evil)
        assert "access-control-allow-origin" not in refused.headers


async def test_a_preflight_of_nonsense_names_no_headers() -> None:
    async with local() as server, httpx.AsyncClient() as http:
        asked = {"origin": "http://localhost:1", "access-control-request-method": "POST"}
        for wanted in ("a b", "x" * 2000, "é".encode().decode("latin-1")):
            answer = await http.options(
                server.url,
                headers=[*asked.items(), ("access-control-request-headers", wanted.encode("latin-1"))],
            )
            assert answer.status_code == 204
            assert "access-control-allow-headers" not in answer.headers


def test_the_settings_default_is_development() -> None:
    assert Settings().allowed_origins == ()
