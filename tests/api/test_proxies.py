"""Whose address counts: a proxy that is known is believed, and nobody can give themself another address."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from inprocess import Local, local
from serverkit import raw_socket
from websockets.exceptions import InvalidStatus

from fliptable.plugins import Registry
from fliptable_api.ratelimits import BURST

pytestmark = pytest.mark.anyio

PER_SECOND = 1


async def statuses(server: Local, count: int, **headers: str) -> list[int]:
    """Of so many requests, a ``%d`` in a header being the request's number."""
    async with httpx.AsyncClient() as http:
        found = []
        for number in range(count):
            given = {
                name.replace("_", "-"): value.replace("%d", str(number)) for name, value in headers.items()
            }
            answer = await http.post(server.url, json={"query": "{ __typename }"}, headers=given)
            found.append(answer.status_code)
        return found


TOO_MANY = PER_SECOND * BURST * 10
"""Requests that nobody can make in the time that they take."""

FORGED = [
    {"x_forwarded_for": "203.0.113.%d"},
    {"x_forwarded_for": "203.0.113.%d, 198.51.100.1"},
    {"forwarded": "for=203.0.113.%d"},
    {"x_real_ip": "203.0.113.%d"},
    {"x_client_ip": "203.0.113.%d", "true_client_ip": "203.0.113.%d", "cf_connecting_ip": "203.0.113.%d"},
]


@pytest.mark.parametrize("headers", FORGED, ids=[" ".join(one) + f" {n}" for n, one in enumerate(FORGED)])
async def test_who_is_no_proxy_has_the_address_it_comes_from(
    registry: Registry, monkeypatch: pytest.MonkeyPatch, headers: dict[str, str]
) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "192.0.2.1")
    async with local(registry, rate_per_address=PER_SECOND) as server:
        assert 429 in await statuses(server, TOO_MANY, **headers)
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        with pytest.raises(InvalidStatus) as told:
            async with raw_socket(server.socket_url, additional_headers=given):
                pass
        assert told.value.response.status_code == 429


async def test_of_a_proxy_that_adds_to_the_header_the_last_address_counts(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others are what the client wrote itself; behind several proxies, all of which have to be named."""
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "127.0.0.1, 10.0.0.0/8")
    async with local(registry, rate_per_address=PER_SECOND) as server:
        assert 429 in await statuses(server, TOO_MANY, x_forwarded_for="203.0.113.%d, 198.51.100.1")
        assert 429 in await statuses(server, TOO_MANY, x_forwarded_for="203.0.113.%d, 198.51.100.2, 10.0.0.7")
        assert await statuses(server, 1, x_forwarded_for="198.51.100.3") == [200]


async def test_the_clients_of_a_proxy_count_each_for_themselves(registry: Registry) -> None:
    """One of the same machine is believed as long as nothing is said."""
    async with local(registry, rate_per_address=PER_SECOND) as server:
        assert await statuses(server, TOO_MANY, x_forwarded_for="198.51.100.%d") == [200] * TOO_MANY
        assert 429 in await statuses(server, TOO_MANY, x_forwarded_for="2001:db8::%d")


async def test_what_is_no_address_is_one_all_the_same(registry: Registry) -> None:
    async with local(registry, rate_per_address=PER_SECOND) as server:
        found: Any = await statuses(server, TOO_MANY, x_forwarded_for="x" * 20_000 + "%d")
        assert 429 in found
        assert all(len(key) <= 64 for key in server.parts._public.rates.addresses._buckets)
