"""Players, their tokens and the shared secret, in memory and in a real MongoDB."""

from __future__ import annotations

import asyncio
from typing import Any

from servicekit import until
from storekit import AT, LATER, Opener

from fliptable.log import (
    Account,
)
from fliptable.tokens import Token


async def test_accounts_are_found_by_id_and_by_token(opener: Opener) -> None:
    one, other = await opener(), await opener()
    account, token = Account("ply_ann", "Ann Größe", AT), Token(b"\0\xff" * 16, "ply_ann")
    await one.add_account(account, token)
    await one.add_account(Account("ply_bob", "Ann Größe", AT), Token(b"\1" * 32, "ply_bob", LATER))
    assert await other.find_account("ply_ann") == account
    assert await other.tokens.find(b"\0\xff" * 16) == token
    assert await other.tokens.find(b"\1" * 32) == Token(b"\1" * 32, "ply_bob", LATER)
    assert await other.find_account("ply_cid") is None
    assert await other.tokens.find(b"\2" * 32) is None


async def test_a_player_has_as_many_tokens_as_they_are_given(opener: Opener) -> None:
    one, other = await opener(), await opener()
    tokens = [Token(bytes([n]) * 32, "ply_ann", LATER if n % 2 else None) for n in range(4)]
    await one.add_account(Account("ply_ann", "Ann", AT), tokens[0])
    for token in tokens[1:]:
        await one.tokens.add(token)
    for token in tokens:
        assert await other.tokens.find(token.hash) == token


async def test_a_token_that_was_ended_is_nobodys_for_good(opener: Opener) -> None:
    one, other = await opener(), await opener()
    first, second, third = [Token(bytes([n]) * 32, "ply_ann", LATER) for n in range(3)]
    await one.add_account(Account("ply_ann", "Ann", AT), first)
    await one.tokens.add(second)
    await one.tokens.add(third)
    hashes = [one.hash for one in (first, second, third)]
    assert await other.tokens.ended(hashes) == set()
    for token in (first, second, second):
        await one.tokens.end(token, AT)
        assert await other.tokens.find(token.hash) is None
    assert await other.tokens.find(third.hash) == third
    assert await other.tokens.ended(hashes) == {first.hash, second.hash}
    assert await other.tokens.ended([third.hash]) == await other.tokens.ended([]) == set()
    # Who they are is no matter of their tokens.
    assert await other.find_account("ply_ann") == Account("ply_ann", "Ann", AT)


async def test_all_hear_of_the_tokens_that_one_ends(opener: Opener) -> None:
    one, other = await opener(), await opener()
    first, second, third = [Token(bytes([n]) * 32, "ply_ann") for n in range(3)]
    await one.add_account(Account("ply_ann", "Ann", AT), first)
    heard: list[bytes | None] = []

    async def listen() -> None:
        async for hash in other.tokens.watch():
            heard.append(hash)  # noqa: PERF401

    listening = asyncio.create_task(listen())
    await until(lambda: heard == [None])
    await one.tokens.add(second)
    await one.tokens.add(third)
    for token in (first, third):
        await one.tokens.end(token, AT)
    await until(lambda: len(heard) == 3)
    assert heard == [None, first.hash, third.hash]
    listening.cancel()
    await asyncio.gather(listening, return_exceptions=True)


async def test_the_first_proposal_is_the_secret_of_all(opener: Opener) -> None:
    one, other = await opener(), await opener()
    results = await asyncio.gather(
        *[server.shared_secret(bytes([n]) * 32) for n in range(4) for server in (one, other)]
    )
    assert len(set(results)) == 1 and type(results[0]) is bytes and len(results[0]) == 32
    assert await other.shared_secret(b"late") == results[0]


async def test_a_store_that_answers_is_ready(store: Any) -> None:
    await store.ready()
