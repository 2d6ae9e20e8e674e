"""deploy/nginx.conf in an nginx, where there is one: what it passes on, and what it refuses, and how."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import socket as sockets
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from inprocess import Local, local
from serverkit import caller, eventually, raw_socket, socket
from websockets.exceptions import InvalidStatus

from fliptable.plugins import Registry

NGINX = shutil.which("nginx")
CONFIGURATION = Path(__file__).parents[2] / "deploy" / "nginx.conf"

pytestmark = [
    pytest.mark.anyio,
    # Where everything is to be tested, its absence is a failure.
    pytest.mark.skipif(NGINX is None and "CI" not in os.environ, reason="there is no nginx"),
]


def free_port() -> int:
    with sockets.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@asynccontextmanager
async def proxied(folder: Path, server: Local, **changed: str) -> AsyncIterator[str]:
    """The address of an nginx before a server; ``changed`` are directives with other values."""
    port = free_port()
    text = CONFIGURATION.read_text().replace("/tmp/", f"{folder}/").replace("listen 8080", f"listen {port}")
    text = re.sub(r"worker-\d:8000", server.base.removeprefix("http://"), text)
    for directive, value in changed.items():
        text, count = re.subn(rf"^( +{directive}) [^;]+;", rf"\1 {value};", text, flags=re.MULTILINE)
        assert count == 1, directive
    (folder / "nginx.conf").write_text(text)
    assert NGINX is not None
    # Its processes have to get at the folder, whoever runs the tests.
    command = [NGINX, "-p", str(folder), "-c", "nginx.conf", "-g", "daemon off; user root;"]
    base = f"http://127.0.0.1:{port}"
    with (folder / "log").open("w") as log:
        nginx = await asyncio.create_subprocess_exec(*command, stderr=log)

    async def answers() -> bool:
        assert nginx.returncode is None, (folder / "log").read_text()
        try:
            async with httpx.AsyncClient() as http:
                return (await http.get(base + "/metrics")).status_code == 404
        except httpx.ConnectError:
            return False

    try:
        await eventually(answers, "nginx")
        yield base
    finally:
        nginx.terminate()
        await nginx.wait()


def error_of(answer: httpx.Response) -> tuple[int, dict[str, Any]]:
    """The status and the extensions of what is refused with JSON."""
    assert answer.headers["content-type"] == "application/json; charset=utf-8"
    (error,) = answer.json()["errors"]
    assert error["message"]
    return answer.status_code, error["extensions"]


async def test_requests_and_websockets_go_through(tmp_path: Path, registry: Registry) -> None:
    async with (
        local(registry) as server,
        proxied(tmp_path, server) as base,
        caller(base + "/graphql") as player,
        socket(base.replace("http", "ws") + "/graphql", player.token) as one,
    ):
        table = (await player.open())["id"]
        assert (await anext(one.follow(table, 0)))["version"] == 1


async def test_an_address_has_so_many_connections_at_all_workers(tmp_path: Path, registry: Registry) -> None:
    async with (
        local(registry) as server,
        proxied(tmp_path, server, limit_conn="connections 3") as base,
        AsyncExitStack() as held,
        httpx.AsyncClient() as http,
    ):
        url = base.replace("http", "ws") + "/graphql"
        for _ in range(3):
            await held.enter_async_context(socket(url))
        with pytest.raises(InvalidStatus) as refused:
            async with raw_socket(url):
                pass
        assert refused.value.response.status_code == 429
        answer = await http.post(base + "/graphql", json={"query": "{ __typename }"})
        assert error_of(answer) == (429, {"code": "RATE_LIMITED", "retryAfter": 1})
        assert answer.headers["retry-after"] == "1"


async def test_an_address_may_ask_so_often_at_all_workers(tmp_path: Path, registry: Registry) -> None:
    async with (
        local(registry) as server,
        proxied(tmp_path, server, limit_req="zone=requests burst=5 nodelay") as base,
        httpx.AsyncClient() as http,
    ):
        sent = [http.post(base + "/graphql", json={"query": "{ __typename }"}) for _ in range(100)]
        answers = await asyncio.gather(*sent)
        assert {one.status_code for one in answers} == {200, 429}
        assert {error_of(one)[1]["code"] for one in answers if one.status_code == 429} == {"RATE_LIMITED"}


async def test_nobody_gives_themself_another_address(
    tmp_path: Path, registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As compose.yaml has it: workers believe whoever reaches them, and the proxy sets the header anew."""
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")
    async with (
        local(registry, rate_per_address=1) as server,
        proxied(tmp_path, server) as base,
        httpx.AsyncClient() as http,
    ):
        found = []
        for number in range(50):
            answer = await http.post(
                base + "/graphql",
                json={"query": "{ __typename }"},
                headers={"x-forwarded-for": f"203.0.113.{number}"},
            )
            found.append(answer.status_code)
        assert 429 in found
        assert list(server.parts._public.rates.addresses._buckets) == ["127.0.0.1"]


async def test_what_no_worker_sees_is_refused_in_the_same_form(tmp_path: Path, registry: Registry) -> None:
    async with httpx.AsyncClient(timeout=30) as http:
        async with local(registry) as server, proxied(tmp_path, server) as base:
            answer = await http.post(base + "/graphql", content=b"a" * 2_000_000)
            assert error_of(answer) == (413, {"code": "PAYLOAD_TOO_LARGE"})
        (tmp_path / "again").mkdir()
        async with proxied(tmp_path / "again", server) as base:
            answer = await http.post(base + "/graphql", json={"query": "{ __typename }"})
            assert error_of(answer) == (503, {"code": "UNAVAILABLE"})


async def test_half_a_request_is_not_waited_for_for_ever(tmp_path: Path, registry: Registry) -> None:
    async with (
        local(registry) as server,
        proxied(tmp_path, server, client_header_timeout="300ms", client_body_timeout="300ms") as base,
    ):
        for sent in (
            b"",
            b"GET /graphql HTTP/1.1\r\n",
            b"POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{",
        ):
            reader, writer = await asyncio.open_connection("127.0.0.1", int(base.rpartition(":")[2]))
            writer.write(sent)
            async with asyncio.timeout(30):
                # A reset spares nginx the memory of a connection that is over.
                with suppress(ConnectionError):
                    assert b" 200 " not in await reader.read()
            writer.close()
