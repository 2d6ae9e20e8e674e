"""Players, their tokens, and random ids and codes."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from fliptable import accounts
from fliptable.accounts import MAX_NAME, Accounts, InvalidName, clean_name
from fliptable.ids import PREFIXES, clean_code, kind_of, new_code, new_id
from fliptable.log import Account
from fliptable.memory import MemoryStore
from fliptable.plugins import Registry

NOW = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture
def players(registry: Registry) -> Accounts:
    return Accounts(MemoryStore(registry.codec), lambda: NOW)


async def holder(players: Accounts, token: str) -> Account | None:
    found = await players.find_token(token)
    return None if found is None else found.account


@pytest.mark.parametrize(
    ("name", "cleaned"),
    [
        ("Ann", "Ann"),
        ("  Ann \t of\n Green  ", "Ann of Green"),
        ("Ἀθηνᾶ 🂡", "Ἀθηνᾶ 🂡"),
        ("x" * MAX_NAME, "x" * MAX_NAME),
        (" " + "x" * MAX_NAME + " ", "x" * MAX_NAME),
    ],
)
def test_names(name: str, cleaned: str) -> None:
    assert clean_name(name) == cleaned


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("", "at least one visible character"),
        (" \n\t ", "at least one visible character"),
        ("x" * (MAX_NAME + 1), "40 characters, and this one has 41"),
        ("Ann\0", "printable"),
        ("Ann\u202egnp", "printable"),
        ("\u200b", "printable"),
        ("\ud800", "printable"),
    ],
)
def test_names_that_nobody_can_have(name: str, complaint: str) -> None:
    with pytest.raises(InvalidName, match=complaint):
        clean_name(name)


async def test_a_guest_is_known_by_their_token(players: Accounts) -> None:
    account, token, _ = await players.sign_in_as_guest(" Ann ")
    assert account.name == "Ann" and account.created_at == NOW
    assert await holder(players, token) == account
    assert await players.find(account.id) == account
    for wrong in (token + "x", token[:-1], "", "ft_", account.id, "\ud800"):
        assert await players.find_token(wrong) is None


async def test_two_of_the_same_name_are_two(players: Accounts) -> None:
    (one, first, _), (two, second, _) = [await players.sign_in_as_guest("Ann") for _ in range(2)]
    assert one.id != two.id and first != second
    assert await holder(players, first) == one and await holder(players, second) == two


async def test_of_a_token_only_the_hash_is_kept(players: Accounts) -> None:
    _, text, _ = await players.sign_in_as_guest("Ann")
    found = await players.find_token(text)
    assert found is not None and len(found.token.hash) == 32
    assert text.startswith("ft_") and len(text) >= 43
    assert text not in repr(found) and text.encode() not in found.token.hash


async def test_tokens_out_of_memory_are_still_known(
    players: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accounts, "_CACHED", 2)
    known = [await players.sign_in_as_guest(f"Player {number}") for number in range(5)]
    assert len(players._cache) == 2
    for account, token, _ in known:
        assert await holder(players, token) == account
    assert len(players._cache) == 2


def test_ids_say_what_they_are_of() -> None:
    for kind, prefix in PREFIXES.items():
        one, two = new_id(kind), new_id(kind)
        assert one != two and one.startswith(prefix) and kind_of(one) == kind
    for wrong in ("", "tbl_", "tbl_" + "0" * 19, "tbl_" + "0" * 21, "tbl_" + "O" * 20, "xyz_" + "0" * 20):
        assert kind_of(wrong) is None
    with pytest.raises(KeyError):
        new_id("chair")


def test_codes_are_easy_to_read_out() -> None:
    codes = {new_code() for _ in range(500)}
    assert len(codes) == 500
    assert all(len(code) == 6 and not set(code) & set("01IO") for code in codes)
    for code in codes:
        assert clean_code(code) == code
    assert clean_code(" ab2-3c d\n") == "AB23CD"


def test_random_ids_use_the_whole_alphabet() -> None:
    letters = set("".join(new_id("table").removeprefix("tbl_") for _ in range(200)))
    assert len(letters) == 32
