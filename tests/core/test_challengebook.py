"""Making, finding and playing challenges, with both stores (call-it M8)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from servicekit import opening

from fliptable import challengebook
from fliptable.challengebook import MAX_CONSTRAINTS, MAX_TITLE, ChallengeBook
from fliptable.challenges import Challenge, ChosenConstraint
from fliptable.codec import EventCodec, options_of
from fliptable.evolve import fold
from fliptable.ids import challenge_code, challenge_id, new_id
from fliptable.log import Account, CodeTaken, Store
from fliptable.memory import MemoryStore
from fliptable.opening import Opening, OpeningRefused
from fliptable.plugins import Registry
from fliptable.rules import Refusal
from fliptable.service import TableService

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)
ANN = Account("ply_ann", "Ann", NOON)


@pytest.fixture
def codec(registry: Registry) -> EventCodec:
    """The stores know the events of all games."""
    return registry.codec


@pytest.fixture
def book(registry: Any, store: Store) -> ChallengeBook:
    return ChallengeBook(registry, store, lambda: NOON)


def chosen(registry: Any, id: str, **options: Any) -> tuple[str, Any]:
    return id, options_of(registry.constraint(id).Options, options)


def of_challenge(registry: Any, code: str, mode: str = "custom") -> Opening:
    options = options_of(registry.mode(mode).Options, {"challenge": code})
    return opening(registry, "call-it", mode, mode_options=options, host="ply_bob", host_name="Bob")


async def test_m8_a_challenge_is_found_by_its_code_however_it_is_typed(book: Any, registry: Any) -> None:
    constraints = [chosen(registry, "use-ace"), chosen(registry, "include-rank", rank="K")]
    made = await book.create(ANN, "call-it", "  Cafe\u0301  king ", 31, constraints)
    assert isinstance(made, Challenge)
    assert (made.title, made.game, made.target, made.author) == ("Caf\u00e9 king", "call-it", 31, "ply_ann")
    assert made.constraints == (ChosenConstraint("use-ace"), ChosenConstraint("include-rank", {"rank": "K"}))
    typed = f" {made.code[:3].lower()}-{made.code[3:]} "
    assert await book.find(made.code) == await book.find(typed) == made
    assert await book.find("NOSUCH") is None


async def test_m8_anybody_plays_it_by_its_code(book: Any, store: Store, registry: Any) -> None:
    made = await book.create(ANN, "call-it", "Ace", 31, [chosen(registry, "use-ace")])
    service = TableService(registry, store, clock=lambda: NOON)
    update = await service.open(of_challenge(registry, made.code.lower()))
    assert update.table.run.challenge == made
    assert update.table.round.state.target == 31
    # The table's log has all of it, so a table does not need the book.
    assert fold(registry, await store.read(update.table.id)) == update.table
    await service.stop()


@pytest.mark.parametrize("code", ["", "NOSUCH", "x" * 1000])
async def test_m8_a_code_that_nobody_made_is_refused(store: Store, registry: Any, code: str) -> None:
    service = TableService(registry, store, clock=lambda: NOON)
    with pytest.raises(OpeningRefused) as refused:
        await service.open(of_challenge(registry, code))
    assert (refused.value.refusal.code, refused.value.refusal.field) == ("CHALLENGE_NOT_FOUND", "challenge")
    await service.stop()


@pytest.mark.parametrize(
    ("game", "title", "target", "ids", "code", "field"),
    [
        ("no-such", "Title", None, [], "INVALID_VALUE", "game"),
        ("flip7", "Title", None, [], "INVALID_VALUE", "game"),
        ("call-it", "  ", None, [], "INVALID_VALUE", "title"),
        ("call-it", "\x07", None, [], "INVALID_VALUE", "title"),
        ("call-it", "Tit\u200dle", None, [], "INVALID_VALUE", "title"),
        ("call-it", "\u3164", None, [], "INVALID_VALUE", "title"),
        ("call-it", "x" * (MAX_TITLE + 1), None, [], "INVALID_VALUE", "title"),
        ("call-it", "Title", 29, [], "INVALID_VALUE", "target"),
        ("call-it", "Title", 2**31, [], "INVALID_VALUE", "target"),
        ("call-it", "Title", 379, [], "CHALLENGE_IMPOSSIBLE", "target"),
        ("call-it", "Title", None, ["use-ace", "no-such"], "INVALID_VALUE", "constraints.1"),
        ("call-it", "Title", None, ["use-ace", "no-ace"], "CHALLENGE_IMPOSSIBLE", "constraints"),
        ("call-it", "Title", None, ["no-ace"] * (MAX_CONSTRAINTS + 1), "INVALID_VALUE", "constraints"),
    ],
)
async def test_m8_a_bad_challenge_is_refused_by_field(
    registry: Any, game: str, title: str, target: int | None, ids: list[str], code: str, field: str
) -> None:
    store = MemoryStore(registry.codec)
    book = ChallengeBook(registry, store, lambda: NOON)
    no_options = registry.constraint("use-ace").Options()
    refusal = await book.create(ANN, game, title, target, [(id, no_options) for id in ids])
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.field) == (code, field)
    assert store.challenges._challenges == {}


async def test_the_challenges_of_a_player_come_in_pages_the_newest_first(registry: Any, store: Store) -> None:
    times = iter([NOON + timedelta(seconds=second) for second in (0, 1, 1, 2, 3)])
    book = ChallengeBook(registry, store, lambda: next(times))
    bob = Account("ply_bob", "Bob", NOON)
    made = [await book.create(one, "call-it", "Any", None, []) for one in (ANN, ANN, ANN, bob, ANN)]
    assert all(isinstance(one, Challenge) for one in made)
    mine: list[Any] = sorted(
        [one for one in made if one.author == "ply_ann"],  # type: ignore[union-attr]
        key=lambda one: (one.created_at, one.code),  # type: ignore[union-attr]
        reverse=True,
    )
    places = [(one.created_at, one.code) for one in mine]
    assert await book.made_by("ply_ann", 9) == mine
    assert await book.made_by("ply_bob", 9) == [made[3]]
    assert await book.made_by("ply_cid", 9) == []
    assert await book.made_by("ply_ann", 2) == mine[:2]
    # Of those that were made at the same time the code says which comes first.
    assert await book.made_by("ply_ann", 9, before=places[1]) == mine[2:]
    assert await book.made_by("ply_ann", 9, since=places[2]) == mine[:2]
    assert await book.made_by("ply_ann", 1, before=places[0], since=places[3]) == [mine[1]]
    assert await book.made_by("ply_ann", 2, oldest_first=True) == mine[:1:-1]
    assert await book.made_by("ply_ann", 1, since=places[3], oldest_first=True) == [mine[2]]


def test_a_challenge_has_an_id_by_which_its_code_is_found() -> None:
    assert challenge_code(challenge_id("K7M2QX")) == "K7M2QX"
    for other in (
        "",
        "K7M2QX",
        "chl_",
        "chl_k7m2qx",
        "chl_K7M2Q",
        "chl_K7M2QXX",
        new_id("table"),
        "chl_K7M 2Q",
    ):
        assert challenge_code(other) is None


async def test_m8_a_code_that_is_taken_is_drawn_again(
    book: Any, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    codes = iter(["AAAAAA", "AAAAAA", "BBBBBB"])
    monkeypatch.setattr(challengebook, "new_code", lambda: next(codes))
    made = [await book.create(ANN, "call-it", title, None, []) for title in ("One", "Two")]
    assert [one.code for one in made] == ["AAAAAA", "BBBBBB"]
    with pytest.raises(CodeTaken):
        await store.challenges.add(made[0])
