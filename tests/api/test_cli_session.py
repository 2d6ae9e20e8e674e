"""Playing goes on after the server was away, and choices are made as they should."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from serverkit import CREATE, eventually
from wire import Wire, wire

from fliptable_api.cli.choosing import ByHand, ByLot, Choice, label
from fliptable_api.cli.fields import NotAllowed, allowed, parsed
from fliptable_api.cli.local import memory_server
from fliptable_api.cli.session import Ending, Session
from fliptable_api.cli.shapes import Shapes, lines_of
from fliptable_api.cli.tokens import Tokens
from fliptable_api.client import Client, ClientError, Denied, ServerError, Unreachable, endpoint


async def opened(client: Client) -> str:
    data = await client.ask('mutation { signInAsGuest(input: {name: "Ann"}) { token } }')
    client.token = data["signInAsGuest"]["token"]
    data = await client.ask(CREATE, i={"game": {"callIt": {}}})
    table: str = data["createTable"]["table"]["id"]
    return table


class Cutting(ByLot):
    """Plays by lot, and does something before one of its moves."""

    def __init__(self, at: int, act: Callable[[], Awaitable[None]]) -> None:
        super().__init__(1)
        self._at = at
        self._act = act

    async def choose(
        self, moves: Sequence[dict[str, Any]], names: Sequence[str], question: str = ""
    ) -> Choice | None:
        self._at -= 1
        if self._at == 0:
            await self._act()
        return await super().choose(moves, names, question)


async def blink(line: Wire) -> None:
    await line.cut()
    asyncio.get_running_loop().call_later(0.5, lambda: asyncio.ensure_future(line.mend()))


async def test_it_goes_on_where_it_was_when_the_server_comes_back(address: str) -> None:
    """Nothing is told twice, nothing is left out, and no move is played twice."""
    async with wire(int(address.rpartition(":")[2])) as line, Client(f"127.0.0.1:{line.port}") as client:
        table = await opened(client)
        told: list[str] = []
        chooser = Cutting(3, lambda: blink(line))
        session = Session(client, await Shapes.ask(client), table, chooser, told.append)
        assert await session.run(0) is Ending.OVER
    assert "The server is away; trying again …" in told
    assert "The server is back." in told
    async with Client(address) as past:
        document = "query($t: ID!) { table(id: $t) { updates { nodes { events { text } } } } }"
        updates = (await past.ask(document, t=table))["table"]["updates"]["nodes"]
    texts = [f"· {event['text']}" for update in updates for event in update["events"]]
    assert [line for line in told if line.startswith("·")] == texts


async def test_it_gives_up_when_the_server_stays_away(address: str) -> None:
    async with wire(int(address.rpartition(":")[2])) as line, Client(f"127.0.0.1:{line.port}") as client:
        table = await opened(client)
        told: list[str] = []
        chooser = Cutting(2, line.cut)
        session = Session(client, await Shapes.ask(client), table, chooser, told.append, patience=0.5)
        with pytest.raises(Unreachable):
            await session.run(0)
    assert "The server is away; trying again …" in told


async def test_a_table_that_is_gone_after_a_restart_ends_it(address: str) -> None:
    """As with a server in memory that was started anew."""
    with memory_server() as other:
        async with Client(other) as client:
            table = await opened(client)
            here = await Shapes.ask(client)
    async with Client(address) as client:
        with pytest.raises(ServerError, match="NOT_FOUND"):
            await Session(client, here, table, ByLot(), lambda line: None).run(0)


async def test_a_question_is_taken_back_when_the_table_moves_on(address: str) -> None:
    """While one thinks, the host's other client plays."""
    async with Client(address) as client:
        table = await opened(client)
        told: list[str] = []
        lines: asyncio.Queue[str | None] = asyncio.Queue()
        chooser = ByHand(lines.get, told.append)
        session = Session(client, await Shapes.ask(client), table, chooser, told.append)
        playing = asyncio.create_task(session.run(0))
        await eventually(lambda: any(line.startswith("target?") for line in told), "the question")
        async with Client(address, client.token) as other:
            call = {"tableId": table, "move": {"callIt": {"call": {"target": 44}}}}
            await other.ask("mutation($i: PlayMoveInput!) { playMove(input: $i) { __typename } }", i=call)
        await eventually(lambda: "Enter plays it, q stops" in told, "the next question")
        assert "· Ann calls 44." in told
        lines.put_nowait(None)
        assert await playing is Ending.STOPPED


async def test_a_client_tells_what_went_wrong(address: str) -> None:
    async with Client(address) as client:
        with pytest.raises(ServerError, match="GRAPHQL_VALIDATION_FAILED") as failed:
            await client.ask("{ nothing }")
        assert failed.value.code == "GRAPHQL_VALIDATION_FAILED"
        with pytest.raises(ServerError, match="NOT_FOUND"):
            async for _ in client.follow('subscription { tableUpdates(tableId: "x") { version } }'):
                pass
        client.token = "ft_nobody"
        with pytest.raises(Denied):
            await client.ask("{ me { id } }")
        with pytest.raises(Denied):
            async for _ in client.follow('subscription { tableUpdates(tableId: "x") { version } }'):
                pass
    async with Client("127.0.0.1:9") as client:
        with pytest.raises(Unreachable):
            await client.ask("{ me { id } }")
        with pytest.raises(Unreachable):
            async for _ in client.follow("subscription { x }"):
                pass
    async with Client(f"{address}/healthz") as client:
        with pytest.raises(ClientError):
            async for _ in client.follow("subscription { x }"):
                pass


@pytest.mark.parametrize(
    ("server", "url"),
    [
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000/graphql"),
        ("http://127.0.0.1:8000/", "http://127.0.0.1:8000/graphql"),
        ("https://play.example.org/api/graphql", "https://play.example.org/api/graphql"),
        ("localhost:8000", "http://localhost:8000/graphql"),
        ("http://[::1]:8000", "http://[::1]:8000/graphql"),
    ],
)
def test_a_server_may_be_named_with_or_without_the_path(server: str, url: str) -> None:
    assert endpoint(server) == url


def move(label: str, input: Any = True, seat: int = 0, **fields: Any) -> dict[str, Any]:
    given = [
        {"name": name, "path": f"g.m.{name}", "description": "what it is", **about}
        for name, about in fields.items()
    ]
    return {"seat": seat, "label": label, "input": {"g": {"m": input}}, "fields": given}


NUMBER = {"type": "Int", "min": 1, "max": 9, "choices": None, "list": False}
SEAT = {"type": "Int", "min": None, "max": None, "choices": [0, 2], "list": False}
WORD = {"type": "Enum", "min": None, "max": None, "choices": ["HIGH", "LOW"], "list": False}
TEXT = {"type": "String", "min": None, "max": None, "choices": None, "list": False}
FLAG = {"type": "Boolean", "min": None, "max": None, "choices": [False, True], "list": False}
NUMBERS = {**NUMBER, "list": True, "minItems": 0, "maxItems": 3}
WORDS = {**WORD, "list": True, "minItems": 1, "maxItems": 2}


async def typed(moves: list[dict[str, Any]], *lines: str | None) -> tuple[Choice | None, list[str]]:
    """What is chosen by typing those lines, and what was said."""
    queue: asyncio.Queue[str | None] = asyncio.Queue()
    for line in lines:
        queue.put_nowait(line)
    told: list[str] = []
    chosen = await asyncio.wait_for(ByHand(queue.get, told.append).choose(moves, ["Ann", "Bob", "Cleo"]), 5)
    assert queue.empty()
    return chosen, told


async def test_a_move_is_chosen_by_its_number() -> None:
    moves = [move("Hit"), move("Stay")]
    chosen, told = await typed(moves, "", "0", "3", "two", "2")
    assert chosen == Choice(0, {"g": {"m": True}})
    assert told.count("It has to be 1 to 2.") == 4
    assert told[:2] == ["  1  Hit", "  2  Stay"]


async def test_values_come_on_the_line_or_are_asked_for() -> None:
    moves = [move("Pass"), move("Bet", {"n": 5, "side": "LOW"}, n=NUMBER, side=WORD)]
    assert (await typed(moves, "2 7 high"))[0] == Choice(0, {"g": {"m": {"n": 7, "side": "HIGH"}}})
    chosen, told = await typed(moves, "2", "12", "3", "")
    assert chosen == Choice(0, {"g": {"m": {"n": 3, "side": "LOW"}}})
    assert "  2  Bet (n: 1 to 9, side: HIGH or LOW)" in told
    assert "n? 1 to 9; Enter for 5" in told
    assert "n cannot be 12: it is 1 to 9." in told
    assert moves[1]["input"] == {"g": {"m": {"n": 5, "side": "LOW"}}}, "the legal move stays as it is"


async def test_json_after_the_number_sets_any_fields() -> None:
    moves = [move("Pass"), move("Line", {"cards": [], "bust": False})]
    chosen, told = await typed(moves, "2 {", '2 {"cards": [1, 2]}')
    assert chosen == Choice(0, {"g": {"m": {"cards": [1, 2], "bust": False}}})
    assert any("is not JSON" in line for line in told)


@pytest.mark.parametrize("word", ["q", "Quit", None])
async def test_one_may_stop_at_any_question(word: str | None) -> None:
    assert (await typed([move("Hit")], word))[0] is None
    assert (await typed([move("Bet", {"n": 1}, n=NUMBER)], word))[0] is None


async def test_the_list_says_whose_move_it_is_when_one_acts_for_several() -> None:
    chosen, told = await typed([move("Hit"), move("Hit", seat=2)], "2")
    assert chosen == Choice(2, {"g": {"m": True}})
    assert told[:2] == ["  1  Ann: Hit", "  2  Cleo: Hit"]


def test_moves_of_one_label_are_told_apart_by_their_values() -> None:
    moves = [move("Go", {"row": 0, "far": False}), move("Go", {"row": 2, "far": False})]
    assert [label(one, moves) for one in moves] == ["Go (row 0)", "Go (row 2)"]
    assert label(move("Stop"), [move("Stop"), move("Stop")]) == "Stop"


def test_what_would_be_long_in_a_list_is_told_when_it_is_asked_for() -> None:
    sides = {**WORDS, "choices": ["NORTH", "EAST", "SOUTH", "WEST", "NOWHERE AT ALL", "SOMEWHERE ELSE"]}
    assert label(move("Go", sides=sides, n=NUMBER), []) == "Go (sides, n)"


def test_what_a_field_takes_is_said_and_read() -> None:
    assert [allowed({**one, "description": "A word."}) for one in (NUMBER, SEAT, WORD, TEXT)] == [
        "1 to 9",
        "0 or 2",
        "HIGH or LOW",
        "A word.",
    ]
    assert allowed({**NUMBER, "max": 2**31 - 1}) == "1 or more"
    named = {"name": "it", "description": "A word."}
    assert [parsed({**one, **named}, word) for one, word in ((SEAT, "2"), (WORD, "low"), (TEXT, "x"))] == [
        2,
        "LOW",
        "x",
    ]
    assert [parsed({**FLAG, **named}, word) for word in ("yes", "False", "n")] == [True, False, False]
    assert parsed({**NUMBER, **named}, "9") == 9
    ranks = {**WORD, **named, "choices": ["JACK", "QUEEN", "KING", "KNIGHT", "KNAVE", "TEN", "TENTH"]}
    assert [parsed(ranks, word) for word in ("Q", "ki", "King", "ten")] == ["QUEEN", "KING", "KING", "TEN"]
    for word in ("K", "kn", "kinge", "A"):
        with pytest.raises(NotAllowed, match=f"it cannot be {word}: it is JACK or QUEEN or KING"):
            parsed(ranks, word)
    for one, word in ((SEAT, "1"), (NUMBER, "10"), (NUMBER, "x"), (NUMBER, "1.0"), (FLAG, "perhaps")):
        with pytest.raises(NotAllowed):
            parsed({**one, **named}, word)


def test_what_a_list_takes_is_said_and_read() -> None:
    numbers, words = {**NUMBERS, "name": "cards"}, {**WORDS, "name": "sides"}
    assert [allowed(numbers), allowed(words)] == ["up to 3 of 1 to 9", "1 to 2 of HIGH LOW"]
    assert allowed({**NUMBERS, "choices": [1, 2, 3, 4, 5], "maxItems": 5}) == "up to 5 of 1 to 5"
    assert allowed({**NUMBERS, "choices": [], "maxItems": 0}) == "none"
    assert parsed(numbers, "3, 1,9") == [3, 1, 9]
    assert parsed(words, "low high") == ["LOW", "HIGH"]
    assert parsed(numbers, "none") == parsed(numbers, "-") == []
    for field, text, told in (
        (numbers, "3 10", "cards cannot have 10: it is up to 3 of 1 to 9."),
        (numbers, "3 3", "cards cannot have 3 twice."),
        (numbers, "1 2 3 4", "cards cannot have 4 values: it is up to 3 of 1 to 9."),
        (words, "none", "sides cannot have 0 values: it is 1 to 2 of HIGH LOW."),
    ):
        with pytest.raises(NotAllowed) as refused:
            parsed(field, text)
        assert str(refused.value) == told


LINE = {"cards": [], "sides": ["LOW"], "bust": False, "note": None}


async def test_lists_are_asked_for_one_by_one_or_given_with_commas() -> None:
    moves = [move("Pass"), move("Line", LINE, cards=NUMBERS, bust=FLAG, sides=WORDS)]
    wanted = Choice(0, {"g": {"m": {"cards": [3, 5], "sides": ["HIGH", "LOW"], "bust": True, "note": None}}})
    chosen, told = await typed(moves, "2", "3 5", "yes", "high, low")
    assert chosen == wanted
    assert "cards? up to 3 of 1 to 9; Enter for none" in told
    assert "bust? no or yes; Enter for no" in told
    assert (await typed(moves, "2 3,5 yes high low"))[0] == wanted
    assert (await typed(moves, "2", "", "", ""))[0] == Choice(0, {"g": {"m": LINE}})
    assert (await typed(moves, "2", "3 77", "3 5", "y", "low high"))[0] is not None


async def test_nothing_that_was_typed_is_passed_over() -> None:
    """Neither words beyond the fields, nor JSON in the place of a value, nor a field that is not there."""
    moves = [move("Pass"), move("Back", {"n": 1}, n=NUMBER)]
    for line, complaint in (
        ("2 3 4", "'4' is more than this move takes, so nothing was played."),
        ("1 now", "'now' is more than this move takes, so nothing was played."),
        ('1 {"n": 2}', "The move 'Pass' has no field 'n'; it has none."),
        ('2 {"cards": [2]}', "The move 'Back' has no field 'cards'; it has n."),
        ("2 {3", "What comes after the number is not JSON"),
    ):
        chosen, told = await typed(moves, line, "2 5")
        assert chosen == Choice(0, {"g": {"m": {"n": 5}}})
        assert any(one.startswith(complaint) for one in told), told
    chosen, told = await typed(moves, "2", '1 {"cards": [9, 9]}', "1")
    assert chosen == Choice(0, {"g": {"m": True}})
    assert told[-2].startswith("'{\"cards\": [9, 9]}' is more than")


@pytest.mark.parametrize("line", ["7", "1 7", '{"n": 7}', '1 {"n": 7}'])
async def test_the_only_move_may_be_named_by_its_number_or_not(line: str) -> None:
    for least in (1, 5):
        only = [move("Call", {"n": 5}, n={**NUMBER, "min": least})]
        assert (await typed(only, line))[0] == Choice(0, {"g": {"m": {"n": 7}}})


async def test_the_number_of_the_only_move_alone_asks_for_its_value() -> None:
    chosen, told = await typed([move("Call", {"n": 5}, n={**NUMBER, "min": 5})], "1", "6")
    assert chosen == Choice(0, {"g": {"m": {"n": 6}}})
    assert told.count("n? 5 to 9; Enter for 5") == 2
    assert not any("cannot be" in line for line in told)
    assert (await typed([move("Call", {"n": 5}, n=NUMBER)], "1"))[0] == Choice(0, {"g": {"m": {"n": 1}}})
    side = [move("Guess", {"side": "LOW"}, side=WORD)]
    for lines in (["high"], ["1 high"], ["1", "high"]):
        assert (await typed(side, *lines))[0] == Choice(0, {"g": {"m": {"side": "HIGH"}}})


async def test_by_lot_lists_keep_their_limits() -> None:
    lot = ByLot(3)
    moves = [move("Line", LINE, cards=NUMBERS, sides=WORDS)]
    drawn = [await lot.choose(moves, ["Ann"]) for _ in range(100)]
    lines = [one.input["g"]["m"] for one in drawn if one and one.input]
    assert {len(line["cards"]) for line in lines} == {0, 1, 2, 3}
    assert {len(line["sides"]) for line in lines} == {1, 2}
    assert all(len(set(line["cards"])) == len(line["cards"]) for line in lines)


async def test_by_lot_every_move_and_value_may_come() -> None:
    moves = [move("Pass"), move("Bet", {"n": 1, "side": "LOW"}, n=NUMBER, side=WORD)]
    lot = ByLot(7)
    drawn = [await lot.choose(moves, ["Ann"]) for _ in range(300)]
    bets = [one.input["g"]["m"] for one in drawn if one and one.input and one.input["g"]["m"] is not True]
    assert {bet["n"] for bet in bets} == set(range(1, 10))
    assert {bet["side"] for bet in bets} == {"HIGH", "LOW"}
    assert 0 < len(bets) < 300


def test_any_shape_is_printed_compactly() -> None:
    told = lines_of(
        {
            "phase": "FLIP",
            "cardsLeft": 3,
            "nothing": None,
            "no": False,
            "open": True,
            "none": [],
            "faceUp": [{"text": "10♥"}, {"text": "A♠"}],
            "measures": [{"name": "flips", "value": 3}],
            "odds": {"bust": {"of": 8, "value": 0.123456}, "none": None},
            "best": {"sum": 3},
            "sums": [{"sum": 3, "status": "LIVE"}, {"sum": 13, "status": "DEAD"}],
            "hands": [{"seat": 1, "cards": [{"text": "2♣"}], "inner": [{"a": 1, "deep": [{"b": 2}]}]}],
        },
        ["Ann", "Bob"],
    )
    assert told == [
        "  phase FLIP, cards left 3, open, face up 10♥ A♠, measures flips=3, best (sum 3), sums (sum 3,",
        "      status LIVE) (sum 13, status DEAD)",
        "  odds:",
        "    bust (of 8, value 0.123)",
        "  hands:",
        "    - Bob, cards 2♣",
        "      inner:",
        "        - a 1, deep (b 2)",
    ]


def test_fractions_are_short() -> None:
    odds = {"seat": 0, "bust": {"numerator": 8, "denominator": 85, "value": 0.0941176}}
    assert lines_of({"odds": odds}, ["Ann"]) == ["  odds:", "    Ann, bust 8/85 (0.0941)"]


def test_a_board_has_the_names_of_the_seats() -> None:
    told = lines_of({"board": "seat 0: 16 to draw\nseat 1: holds 3\nseat 7 is empty"}, ["Ann", "Bob"])
    assert told == ["  Ann: 16 to draw", "  Bob: holds 3", "  seat 7 is empty"]


def test_a_board_is_a_block_and_stands_for_long_lists() -> None:
    told = lines_of(
        {"turn": 4, "piles": [{"row": n, "up": []} for n in range(9)], "board": "[A] [B]\n[C] [D]"}, []
    )
    assert told == ["  turn 4", "  [A] [B]", "  [C] [D]"]


def test_tokens_survive_and_stay_private(tmp_path: Path) -> None:
    path = tmp_path / "new" / "tokens.json"
    Tokens(path).keep("http://a/graphql", "Ann", "ft_1")
    Tokens(path).keep("http://a/graphql", "Bob", "ft_2")
    assert Tokens(path).find("http://a/graphql", None) == ("Bob", "ft_2")
    assert Tokens(path).find("http://a/graphql", "Ann") == ("Ann", "ft_1")
    assert Tokens(path).find("http://a/graphql", "Eve") is None
    assert Tokens(path).find("http://b/graphql", None) is None
    assert path.stat().st_mode & 0o777 == 0o600
    assert [one.name for one in path.parent.iterdir()] == ["tokens.json"]
    for spoilt in ("[]", "{", '{"http://a/graphql": 3}', '{"http://a/graphql": {"tokens": []}}'):
        path.write_text(spoilt)
        assert Tokens(path).find("http://a/graphql", None) is None
