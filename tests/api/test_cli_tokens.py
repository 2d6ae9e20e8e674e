"""The tokens that the command line keeps: renewed in time, and said to have expired when they have."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from clikit import Cli
from inprocess import Local, local
from serverkit import CREATE, caller, eventually

from fliptable import holds
from fliptable.log import Unavailable
from fliptable.testing import FakeClock
from fliptable_api.cli import tokens
from fliptable_api.cli.choosing import ByLot, Choice
from fliptable_api.cli.replay import print_replay
from fliptable_api.cli.session import Ending, Session
from fliptable_api.cli.shapes import Shapes
from fliptable_api.cli.tokens import Tokens, sign_in, stay_signed_in
from fliptable_api.client import Client, Denied, Expired

pytestmark = pytest.mark.anyio

DAYS = 30
A_DAY = 86_400
ME = "{ me { id name } }"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "fliptable" / "tokens.json"


@asynccontextmanager
async def timed(**settings: Any) -> AsyncIterator[tuple[Local, FakeClock]]:
    """A server whose tokens are good for thirty days, by a clock that begins with today."""
    async with local(**{"token_days": DAYS, **settings}) as server:
        assert server.parts.view is not None
        server.parts.view.shared.accounts.clock = clock = FakeClock(datetime.now(UTC))
        yield server, clock


def kept(path: Path, server: Local) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text())[server.url]
    return found


def write(path: Path, stored: object) -> None:
    path.write_text(json.dumps(stored))


def due(path: Path, server: Local) -> None:
    """As it is when the time has come to renew the token of Ann."""
    stored = json.loads(path.read_text())
    stored[server.url]["renew"]["Ann"] = (datetime.now(UTC) - timedelta(seconds=1)).isoformat()
    write(path, stored)


async def who(server: Local, path: Path, name: str | None = None) -> tuple[str, str]:
    """The id of whom the command line makes of somebody, and their token."""
    async with Client(server.base) as client:
        assert await sign_in(client, None, name, path) == "Ann"
        assert client.token is not None
        return (await client.ask(ME))["me"]["id"], client.token


async def test_a_token_is_renewed_once_half_of_its_time_is_over(path: Path) -> None:
    async with timed() as (server, clock):
        ann, first = await who(server, path, "Ann")
        half = datetime.fromisoformat(kept(path, server)["renew"]["Ann"])
        assert abs(half - (clock.now + timedelta(days=DAYS / 2))) < timedelta(minutes=5)
        assert await who(server, path) == (ann, first)
        clock.advance(16 * A_DAY)
        due(path, server)
        same, second = await who(server, path)
        assert same == ann and second != first
        assert kept(path, server)["tokens"] == {"Ann": second}
        assert await who(server, path) == (ann, second)
        clock.advance(16 * A_DAY)
        assert await who(server, path) == (ann, second)


async def test_a_token_that_is_good_for_ever_is_not_renewed(path: Path) -> None:
    async with timed(token_days=0) as (server, _):
        ann, first = await who(server, path, "Ann")
        assert kept(path, server)["renew"] == {}
        assert await who(server, path) == (ann, first)


async def test_a_file_of_before_is_read_as_it_is(path: Path) -> None:
    async with timed() as (server, _):
        ann, token = await who(server, path, "Ann")
        write(path, {server.url: {"last": "Ann", "tokens": {"Ann": token}}})
        assert await who(server, path) == (ann, token)
        assert await who(server, path) == (ann, token)


@pytest.mark.parametrize("when", ["", "soon", 5, "2020-01-01T00:00:00"])
def test_a_time_that_is_none_is_not_come(path: Path, when: object) -> None:
    Tokens(path).keep("http://a/graphql", "Ann", "ft_1", "2100-01-01T00:00:00Z")
    stored = json.loads(path.read_text())
    stored["http://a/graphql"]["renew"]["Ann"] = when
    write(path, stored)
    assert not Tokens(path).is_due("http://a/graphql", "Ann")
    assert Tokens(path).find("http://a/graphql", None) == ("Ann", "ft_1")


async def test_who_cannot_renew_now_plays_on_and_does_it_the_next_time(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with timed() as (server, _):
        ann, first = await who(server, path, "Ann")
        due(path, server)

        async def away(token: object) -> None:
            raise Unavailable("not now")

        with monkeypatch.context() as patch:
            patch.setattr(server.store.tokens, "add", away)
            assert await who(server, path) == (ann, first)
        same, second = await who(server, path)
        assert same == ann and second != first


async def test_who_comes_too_late_is_told_that_they_are_somebody_new(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with timed() as (server, clock):
        ann, first = await who(server, path, "Ann")
        clock.advance(DAYS * A_DAY)
        other, second = await who(server, path)
        assert other != ann and second != first
        assert capsys.readouterr().err == "The token of Ann has expired, so you are a new player.\n"
        assert kept(path, server)["tokens"] == {"Ann": second}


class Waiting(ByLot):
    """Plays by lot, and before its third move waits for what makes the time pass."""

    def __init__(self, pass_time: Callable[[], Awaitable[None]]) -> None:
        super().__init__(1)
        self._until = 3
        self._pass_time = pass_time

    async def choose(
        self, moves: Sequence[dict[str, Any]], names: Sequence[str], question: str = ""
    ) -> Choice | None:
        self._until -= 1
        if self._until == 0:
            await self._pass_time()
        return await super().choose(moves, names, question)


@pytest.mark.parametrize("away", [False, True])
async def test_a_token_is_renewed_in_the_middle_of_a_game(
    path: Path, monkeypatch: pytest.MonkeyPatch, away: bool
) -> None:
    """What follows the table ends with the token that it was opened with, and goes on with the next."""
    monkeypatch.setattr(holds, "_LONGEST", 0.01)
    monkeypatch.setattr(tokens, "LOOK_AGAIN", 0.01)
    monkeypatch.setattr(tokens, "TRY_AGAIN", 0.01)
    async with timed() as (server, clock), Client(server.base) as client:
        await sign_in(client, None, "Ann", path)
        first, failed = client.token, asyncio.Event()
        me = await client.ask(ME)
        table = (await client.ask(CREATE, i={"game": {"callIt": {}}}))["createTable"]["table"]["id"]
        accounts = server.parts.view.shared.accounts  # type: ignore[union-attr]

        async def not_now(token: object) -> None:
            failed.set()
            raise Unavailable("not now")

        async def pass_time() -> None:
            clock.advance(16 * A_DAY)
            if away:
                with monkeypatch.context() as patch:
                    patch.setattr(server.store.tokens, "add", not_now)
                    due(path, server)
                    await asyncio.wait_for(failed.wait(), 30)
            due(path, server)
            await eventually(lambda: client.token != first, "another token")
            (held,) = accounts._holds.hashes()
            clock.advance(16 * A_DAY)
            await eventually(
                lambda: accounts._holds.hashes() and held not in accounts._holds.hashes(), "it follows again"
            )

        told: list[str] = []
        renewing = asyncio.create_task(stay_signed_in(client, path))
        session = Session(client, await Shapes.ask(client), table, Waiting(pass_time), told.append)
        assert await asyncio.wait_for(session.run(0), 60) is Ending.OVER
        renewing.cancel()
        assert await client.ask(ME) == me
        document = "query($t: ID!) { table(id: $t) { updates { nodes { events { text } } } } }"
        updates = (await client.ask(document, t=table))["table"]["updates"]["nodes"]
        texts = [f"· {event['text']}" for update in updates for event in update["events"]]
        assert [line for line in told if line.startswith("·")] == texts
        assert kept(path, server)["tokens"] == {"Ann": client.token}


async def test_a_token_that_nobody_renewed_in_time_ends_the_game(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever signs in again is a new player, who has no seat at the table."""
    monkeypatch.setattr(holds, "_LONGEST", 0.01)
    async with timed() as (server, clock), Client(server.base) as client:
        await sign_in(client, None, "Ann", path)
        table = (await client.ask(CREATE, i={"game": {"callIt": {}}}))["createTable"]["table"]["id"]

        async def pass_time() -> None:
            clock.advance(DAYS * A_DAY)

        session = Session(client, await Shapes.ask(client), table, Waiting(pass_time), lambda line: None)
        with pytest.raises(Expired, match="has expired"):
            await asyncio.wait_for(session.run(0), 60)


async def test_nothing_is_renewed_that_was_not_kept(path: Path) -> None:
    async with timed() as (server, _), caller(server.url) as ann, Client(server.base, ann.token) as client:
        await asyncio.wait_for(stay_signed_in(client, path), 30)
        await who(server, path, "Ann")
        await asyncio.wait_for(stay_signed_in(client, path), 30)
        assert client.token == ann.token


async def test_a_token_that_another_terminal_has_renewed_is_taken_over(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokens, "LOOK_AGAIN", 0.01)
    async with timed() as (server, _), Client(server.base) as client:
        await sign_in(client, None, "Ann", path)
        renewing = asyncio.create_task(stay_signed_in(client, path))
        async with Client(server.base) as other:
            await sign_in(other, None, "Bob", path)
            bob = other.token
        assert await asyncio.to_thread(lambda: kept(path, server)["last"]) == "Bob"
        first = client.token
        due(path, server)
        await eventually(
            lambda: first != kept(path, server)["tokens"]["Ann"] == client.token, "another token, and kept"
        )
        (ann, second) = await who(server, path, "Ann")
        await eventually(lambda: client.token == second, "the same token")
        assert (await client.ask(ME))["me"]["id"] == ann
        assert kept(path, server)["tokens"]["Bob"] == bob
        renewing.cancel()


async def test_what_another_terminal_keeps_meanwhile_stays(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with timed() as (server, _), Client(server.base) as client, Client(server.base) as other:
        await sign_in(client, None, "Ann", path)
        ask = client.ask
        names = iter(("Bob", "Cleo"))

        async def slow(*arguments: Any, **variables: Any) -> Any:
            answer = await ask(*arguments, **variables)
            other.token = None
            await sign_in(other, None, next(names), path)
            return answer

        due(path, server)
        monkeypatch.setattr(client, "ask", slow)
        # Somebody is there while it is asked who Ann is, and somebody while her token is renewed.
        assert await sign_in(client, None, "Ann", path) == "Ann"
        assert kept(path, server)["tokens"].keys() == {"Ann", "Bob", "Cleo"}
        assert kept(path, server)["tokens"]["Ann"] == client.token


SAID = "Error: The token has expired; sign in again (without --token, `fliptable play` does)\n"


@pytest.mark.parametrize("command", [("play", "call-it"), ("replay",), ("replay", "--follow")])
async def test_an_expired_token_is_said_so(tmp_path: Path, command: tuple[str, ...]) -> None:
    async with timed() as (server, clock), caller(server.url) as ann:
        table = (await ann.open())["id"]
        clock.advance(DAYS * A_DAY)
        more = (table,) if command[0] == "replay" else ()
        cli = Cli(tmp_path, server.base)
        result = await asyncio.to_thread(cli, *command, *more, "--token", str(ann.token))
        assert (result.exit_code, result.stderr) == (1, SAID)


async def test_a_token_that_expires_while_a_table_is_followed_is_said_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(holds, "_LONGEST", 0.01)
    async with timed() as (server, clock), caller(server.url) as ann:
        table = (await ann.open())["id"]
        following = asyncio.create_task(print_replay(server.base, table, ann.token, False, follow=True))
        accounts = server.parts.view.shared.accounts  # type: ignore[union-attr]
        await eventually(accounts._holds.hashes, "it follows")
        clock.advance(DAYS * A_DAY)
        with pytest.raises(Expired, match="has expired"):
            await asyncio.wait_for(following, 30)
    assert "Ann sits down." in capsys.readouterr().out


async def test_a_token_that_was_signed_out_is_not_said_to_have_expired() -> None:
    async with timed() as (server, _), caller(server.url) as ann:
        await ann.data("mutation { signOut { player { id } } }")
        async with Client(server.base, ann.token) as client:
            with pytest.raises(Denied, match="does not know the token") as denied:
                await client.ask(ME)
            assert type(denied.value) is Denied
            with pytest.raises(Denied, match="does not know the token") as denied:
                await anext(client.follow("subscription { myTables { id } }"))
            assert type(denied.value) is Denied


@pytest.mark.parametrize(
    "body", ["", "no", "[]", "{}", '{"errors": []}', '{"errors": [{}]}', '{"errors": 5}']
)
async def test_whatever_else_answers_with_401_is_a_refusal_too(body: str) -> None:
    async with Client("http://a.example", "ft_1") as client:
        answer = httpx.MockTransport(lambda request: httpx.Response(401, text=body))
        client._http = httpx.AsyncClient(transport=answer)
        with pytest.raises(Denied, match="does not know the token"):
            await client.ask(ME)
