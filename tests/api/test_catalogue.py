"""The catalogue is enough to make a form for a new table: what it says of options and seats holds."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import Enum
from typing import Annotated, Any

import pytest
import strawberry
from graphql import (
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLList,
    GraphQLScalarType,
    GraphQLSchema,
    get_named_type,
    is_required_input_field,
)
from inprocess import local
from serverkit import Caller, caller

from fliptable import Between, PlayingCard
from fliptable.plugins import Registry
from fliptable_api.catalogue import OptionNode, options_of
from fliptable_api.naming import type_name
from fliptable_api.schema import build_schema
from fliptable_api.typegen import TypeMaker

pytestmark = pytest.mark.anyio

SCALARS = {"Int", "Float", "Boolean", "String", "DateTime"}


def agrees(option: OptionNode, given: Any) -> None:
    """What is said of an option is what its field in the input has."""
    assert given.description == (option.description or None)
    assert is_required_input_field(given) == option.required
    kind = (
        getattr(given.type, "of_type", given.type) if not isinstance(given.type, GraphQLList) else given.type
    )
    assert isinstance(kind, GraphQLList) == option.several
    value: Any = get_named_type(given.type)
    if isinstance(value, GraphQLEnumType):
        assert option.type == "Enum" and option.choices == list(value.values)
    elif isinstance(value, GraphQLInputObjectType):
        assert option.type == "Object" and option.fields is not None
        agree(option.fields, value)
    else:
        assert isinstance(value, GraphQLScalarType)
        assert option.type == value.name and option.type in SCALARS
        assert option.fields is None


def agree(options: list[OptionNode], kind: GraphQLInputObjectType) -> None:
    assert {option.name for option in options} == {name for name in kind.fields if name != "nothing"}
    for option in options:
        agrees(option, kind.fields[option.name])


def test_what_is_said_of_options_is_what_the_inputs_take(registry: Registry) -> None:
    built = build_schema(registry)
    there = built.catalogue
    inputs: Any = {
        "GameInput": there.games,
        "ModeInput": there.modes,
        "ConstraintInput": there.constraints,
    }
    core: GraphQLSchema = built.schema._schema
    for name, parts in inputs.items():
        choice: Any = core.type_map[name]
        for part in parts.values():
            agree(part.options, get_named_type(choice.fields[part.input].type))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("part", "option", "least", "most"),
    [
        # As the rule sheets have them (flip Y2 and Y12, flip7 F29, call-it M4 and R5).
        ("flip", "fieldCards", 4, 8),
        ("flip", "rows", 2, 16),
        ("flip", "turnLimit", 20, 1000),
        ("flip", "diagonals", None, None),
        ("scoreboard", "threshold", 50, 1000),
        ("match", "threshold", 1, 1000),
        ("survival", "lives", 1, 10),
        ("race", "winningScore", 3, 15),
    ],
)
async def test_the_limits_of_an_option_are_told_and_held(
    registry: Registry, part: str, option: str, least: int | None, most: int | None
) -> None:
    asks = "id options { name type min max description }"
    async with local(registry) as server, caller(server.url) as player:
        games, modes = (await player.data(f"{{ games {{ {asks} }} modes {{ {asks} }} }}")).values()
        (found,) = [one for one in [*games, *modes] if one["id"] == part]
        (told,) = [one for one in found["options"] if one["name"] == option]
        assert (told["min"], told["max"]) == (least, most)
        if least is None or most is None:
            return
        assert f"From {least} to {most}." in told["description"]
        game = {"survival": "callIt", "race": "callIt", "match": "flip7"}.get(part, part)
        seats = 2 if part in ("race", "match", "flip") else 1
        for value in (least - 1, most + 1):
            given = {option: value}
            wanted: dict[str, Any] = {"game": {game: given if game == part else {}}, "seats": seats}
            if game != part:
                wanted["mode"] = {part: given}
            answer = (await player.data(OPEN, i=wanted))["createTable"]
            where = "game" if game == part else "mode"
            assert answer == {"code": "INVALID_VALUE", "field": f"{where}.{part}.{option}"}


class Mood(Enum):
    """A mood."""

    CALM = 1
    WILD = 2


@dataclass(frozen=True)
class Bonus:
    """A bonus."""

    points: Annotated[int, "How many."]
    moods: Annotated[tuple[Mood, ...], "In which moods."] = (Mood.WILD,)


@dataclass(frozen=True)
class Everything:
    """Options of every kind."""

    must: Annotated[int, "It has to be given."]
    number: Annotated[float, "A number."] = 1.5
    least: Annotated[int | None, Between(30), "A number that has no most."] = None
    when: Annotated[datetime, "A time."] = datetime(2030, 1, 31, tzinfo=UTC)
    mood: Annotated[Mood | None, "A mood, or whatever the mode says."] = None
    days: Annotated[tuple[int, ...], "Several numbers."] = (1, 2)
    names: Annotated[list[str] | None, "Several names, or none."] = None
    card: Annotated[PlayingCard, "A card."] = PlayingCard.ACE_OF_SPADES
    bonus: Annotated[Bonus, "A bonus."] = Bonus(3)
    bonuses: Annotated[tuple[Bonus, ...], "Several of them."] = field(default_factory=tuple)


def test_options_of_every_kind_are_told() -> None:
    options = {one.name: one for one in options_of(Everything)}
    said = {name: (one.type, one.several, one.required, one.default) for name, one in options.items()}
    assert said == {
        "must": ("Int", False, True, None),
        "number": ("Float", False, False, 1.5),
        "least": ("Int", False, False, None),
        "when": ("DateTime", False, False, "2030-01-31T00:00:00.000Z"),
        "mood": ("Enum", False, False, None),
        "days": ("Int", True, False, [1, 2]),
        "names": ("String", True, False, None),
        "card": ("String", False, False, "AS"),
        "bonus": ("Object", False, False, {"points": 3, "moods": ["WILD"]}),
        "bonuses": ("Object", True, False, []),
    }
    assert (options["least"].min, options["least"].max) == (30, None)
    assert options["least"].description == "A number that has no most. 30 or more."
    assert options["mood"].choices == ["CALM", "WILD"]
    assert options["card"].choices is not None and len(options["card"].choices) == 52
    assert options["bonus"].fields == options["bonuses"].fields
    points, moods = options["bonus"].fields or ()
    assert (points.type, points.required, points.description) == ("Int", True, "How many.")
    assert (moods.type, moods.several, moods.choices) == ("Enum", True, ["CALM", "WILD"])
    # And so the input that is made of it has it.
    kind = TypeMaker({}).input(Everything, type_name("Trial", "OptionsInput"), "Trial")

    def trial(given: Any) -> int:
        raise AssertionError

    trial.__annotations__["given"] = kind
    query = type("Query", (), {"__annotations__": {}, "trial": strawberry.field(resolver=trial)})
    made: Any = strawberry.Schema(strawberry.type(query))._schema.type_map["TrialOptionsInput"]
    agree(list(options.values()), made)


@dataclass(frozen=True)
class Named:
    """Options with names of several words, and lists of a certain length."""

    winning_score: Annotated[int, "A number."] = 5
    from_: Annotated[int, "What is a word of Python's."] = 1
    first_pair: Annotated[tuple[int, int], "Two numbers."] = (1, 2)
    any_number: Annotated[tuple[int, ...], "So many as one likes."] = ()


def test_an_option_has_a_name_for_people_and_a_list_its_length() -> None:
    told = {one.name: (one.title, one.several, one.min_items, one.max_items) for one in options_of(Named)}
    assert told == {
        "winningScore": ("Winning score", False, None, None),
        "from": ("From", False, None, None),
        "firstPair": ("First pair", True, 2, 2),
        "anyNumber": ("Any number", True, None, None),
    }


async def test_a_field_is_called_in_forms_as_it_is_in_refusals(registry: Registry) -> None:
    async with local(registry) as server, caller(server.url) as player:
        (race,) = [
            one
            for one in (await player.data("{ modes { id options { name title } } }"))["modes"]
            if one["id"] == "race"
        ]
        assert race["options"] == [{"name": "winningScore", "title": "Winning score"}]
        told = "mutation ($i: CreateTableInput!) { createTable(input: $i) { ... on Refusal { message } } }"
        wanted = {"game": {"callIt": {}}, "mode": {"race": {"winningScore": 99}}, "seats": 2}
        assert (await player.data(told, i=wanted))["createTable"]["message"].startswith("Winning score: 99")
        moves = """mutation { createTable(input: {game: {scoreboard: {}}, localSeats: ["Bob"]}) {
          ... on TableOpened { table { legalMoves { name fields { name title list minItems } } } } } }"""
        legal = (await player.data(moves))["createTable"]["table"]["legalMoves"]
        line = next(one for one in legal if one["name"] == "enterLine")
        titles = {one["name"]: one["title"] for one in line["fields"]}
        assert titles["secondChance"] == "Second chance"


CATALOGUE = """{ modes { id input options { name required } }
  games { id input minSeats maxSeats defaultMode { id }
    modes { id input options { name type list required default choices fields { name type list required } } }
    seating { mode { id input } minSeats maxSeats seatCounts } } }"""
OPEN = """mutation ($i: CreateTableInput!) { createTable(input: $i) {
  ... on TableOpened { table { seats { index } } } ... on Refusal { code field } } }"""


async def test_tables_of_each_mode_have_the_seats_that_the_catalogue_says_and_no_others(
    registry: Registry,
) -> None:
    async with local(registry) as server, Caller(server.url) as asking:
        catalogue = await asking.data(CATALOGUE)
        needed_by = {
            mode["input"]: {option["name"]: "none" for option in mode["options"] if option["required"]}
            for mode in catalogue["modes"]
        }
        assert needed_by["custom"] == {"challenge": "none"}
        for game in catalogue["games"]:
            assert game["modes"][0] == {**game["modes"][0], **game["defaultMode"]}
            assert [one["mode"]["id"] for one in game["seating"]] == [mode["id"] for mode in game["modes"]]
            for seating in game["seating"]:
                mode, counts = seating["mode"], seating["seatCounts"]
                assert counts == sorted(set(counts))
                assert (seating["minSeats"], seating["maxSeats"]) == (counts[0], counts[-1])
                assert game["minSeats"] <= counts[0] <= counts[-1] <= game["maxSeats"]
                for seats in range(game["maxSeats"] + 2):
                    # Somebody else each time: of the daily there is one attempt a day.
                    async with caller(server.url) as player:
                        needed = needed_by[mode["input"]]
                        chosen = {
                            "game": {game["input"]: {}},
                            "mode": {mode["input"]: needed},
                            "seats": seats,
                        }
                        answer = (await player.data(OPEN, i=chosen))["createTable"]
                    if seats in counts and not needed:
                        assert len(answer["table"]["seats"]) == seats, (game["id"], mode["id"], answer)
                    elif seats in counts:
                        assert answer["field"] == f"mode.{mode['input']}.{next(iter(needed))}"
                    else:
                        assert answer == {"code": "INVALID_VALUE", "field": "seats"}
            left = {mode["input"] for mode in catalogue["modes"]} - {mode["input"] for mode in game["modes"]}
            async with caller(server.url) as player:
                for name in sorted(left):
                    chosen = {"game": {game["input"]: {}}, "mode": {name: needed_by[name]}}
                    answer = (await player.data(OPEN, i=chosen))["createTable"]
                    assert answer["code"] == "MODE_NOT_SUPPORTED"


@pytest.mark.parametrize(
    ("game", "mode", "seats"),
    [
        # As the rule sheets have them.
        ("call-it", "classic", range(1, 9)),
        ("call-it", "race", range(2, 9)),
        ("call-it", "streak", range(1, 2)),
        ("call-it", "daily", range(1, 2)),
        ("flip7", "match", range(1, 19)),
        ("flip", "match", range(2, 5)),
        ("scoreboard", "classic", range(1, 19)),
    ],
)
def test_the_seats_of_the_built_in_games(registry: Registry, game: str, mode: str, seats: range) -> None:
    seating = {one.mode.id: one for one in build_schema(registry).catalogue.games[game].seating}
    assert seating[mode].seat_counts == list(seats)
