"""Who asks too often is told when to come again; nobody else is."""

from __future__ import annotations

import httpx
import pytest
from inprocess import local
from serverkit import Failed, caller, socket

from fliptable_api.errors import CodedError
from fliptable_api.ratelimits import BURST, RateLimit, address_of

pytestmark = pytest.mark.anyio


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def spent(limit: RateLimit, key: str) -> int:
    """How many requests go through until one is refused."""
    count = 0
    while True:
        try:
            limit.take(key)
        except CodedError as error:
            assert error.extensions is not None
            assert error.extensions["retryAfter"] >= 1
            return count
        count += 1


def test_so_many_at_once_and_then_so_many_a_second() -> None:
    clock = Clock()
    limit = RateLimit(10, "A player", clock=clock)
    assert spent(limit, "a") == 10 * BURST
    clock.now += 1
    assert spent(limit, "a") == 10
    clock.now += 1000
    assert spent(limit, "a") == 10 * BURST
    assert spent(limit, "b") == 10 * BURST


def test_memory_is_bounded_however_many_ask() -> None:
    limit = RateLimit(10, "An address", most=100)
    for number in range(10_000):
        limit.take(str(number))
    assert len(limit) == 100


@pytest.mark.parametrize(
    ("client", "address"),
    [
        (("10.0.0.1", 5), "10.0.0.1"),
        (("2001:db8:1:2:3:4:5:6", 5), "2001:db8:1:2::/64"),
        (("2001:db8:1:2::9", 5), "2001:db8:1:2::/64"),
        (("fe80::1%eth0", 5), "fe80::/64"),
        (("::ffff:10.0.0.1", 5), "10.0.0.1"),
        (("::ffff:10.0.0.2", 5), "10.0.0.2"),
        (("::1", 5), "::/64"),
        (("x" * 50_000, 0), "x" * 64),
        ((":" * 50_000, 0), ":" * 64),
        (None, ""),
        (("unix:", 0), "unix:"),
    ],
)
def test_an_address(client: tuple[str, int] | None, address: str) -> None:
    assert address_of(client) == address


async def test_a_player_who_asks_too_often_is_told_when_to_come_again() -> None:
    async with local(rate_per_player=2) as server, caller(server.url) as ann, caller(server.url) as bob:
        answers = [
            await ann.http.post(server.url, json={"query": "{ me { id } }"}, headers=ann.headers)
            for _ in range(2 * BURST + 1)
        ]
        assert [one.status_code for one in answers] == [200] * 2 * BURST + [429]
        refused = answers[-1]
        assert refused.headers["retry-after"] == "1"
        assert refused.json()["errors"][0]["extensions"] == {"code": "RATE_LIMITED", "retryAfter": 1}
        assert (await bob.data("{ me { name } }"))["me"]["name"] == "Ann"
        async with socket(server.socket_url, ann.token) as one:
            codes = set()
            for _ in range(5):
                try:
                    async for _ in one.run("{ __typename }"):
                        pass
                except Failed as failed:
                    codes.add(failed.code)
            assert codes == {"RATE_LIMITED"}
            assert one.connection.close_code is None


async def test_an_address_that_asks_too_often_is_told_when_to_come_again() -> None:
    async with local(rate_per_address=2) as server, httpx.AsyncClient() as http:
        answers = [
            await http.post(server.url, json={"query": "{ __typename }"}) for _ in range(2 * BURST + 2)
        ]
        assert answers[0].status_code == 200 and answers[-1].status_code == 429
        assert answers[-1].json()["errors"][0]["extensions"]["code"] == "RATE_LIMITED"
