"""What a plugin declares is of the kind that the contract asks for, or told by its name when it is loaded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import wraps
from typing import Annotated, Any, ClassVar

import pytest
from brokenconstraints import Red
from brokenmodes import Short

from fliptable import Metric, PluginQuery, Result
from fliptable.testing import OneCard, check_game
from fliptable.testing.toys import TurnUp, WalkedOff
from fliptable.vetting import ContractBroken, vet_constraint, vet_game, vet_mode, vet_query


def complaint(base: Any, **members: Any) -> str:
    """What is said of a part with these members, when it is loaded."""
    vet: Any = {OneCard: vet_game, Short: vet_mode, Red: vet_constraint}[base]
    with pytest.raises(ContractBroken) as caught:
        vet(type("Odd", (base,), members)())
    return str(caught.value)


@pytest.mark.parametrize("value", [None, "", "  \n", 7, ("One", "Card")])
@pytest.mark.parametrize(
    ("base", "name"),
    [
        *[(OneCard, name) for name in ("name", "graphql", "summary", "rules", "default_mode")],
        *[(base, name) for base in (Short, Red) for name in ("name", "graphql", "summary")],
    ],
)
def test_texts_say_something(base: Any, name: str, value: Any) -> None:
    """A catalogue with null for a name would have no answer for anybody."""
    said = complaint(base, **{name: value})
    assert f"{name} is {value!r}, and has to be a text that says something" in said


def test_an_id_that_is_no_text_is_told_with_the_class() -> None:
    assert complaint(OneCard, id=None) == "game Odd: id is None, and has to be a text that says something"


@dataclass(frozen=True)
class Ended:
    """A later card."""

    def text(self, names: Sequence[str]) -> str:
        return "It ended."


KINDS: list[tuple[Any, dict[str, Any], str]] = [
    (OneCard, {"moves": TurnUp},
     "moves has to be a tuple of dataclasses; it is the class TurnUp: write (TurnUp,)"),
    (OneCard, {"moves": {TurnUp}},
     "moves has to be a tuple of dataclasses; it is {<class 'fliptable.testing.toys.TurnUp'>}: "
     "write it with ( and ), so that it has an order"),
    (OneCard, {"moves": ()}, "moves is empty, and has to be a tuple of dataclasses"),
    (OneCard, {"moves": None}, "moves has to be a tuple of dataclasses; it is None"),
    (OneCard, {"moves": (TurnUp(),)}, "TurnUp() is not a dataclass but an object of one: write TurnUp"),
    (OneCard, {"moves": (int,)}, "int is not a dataclass: write @dataclass(frozen=True) over it"),
    (OneCard, {"events": WalkedOff},
     "events has to be a tuple of dataclasses; it is the class WalkedOff: write (WalkedOff,)"),
    (Short, {"events": Ended},
     "events has to be a tuple of dataclasses; it is the class Ended: write (Ended,)"),
    (Short, {"metrics": Metric("wins", "Wins", "wins")},
     "metrics has to be a tuple of Metric; it is Metric(name='wins'"),
    (Short, {"metrics": (Metric("wins", "", "wins"),)}, "the title of one is '', and has to be a text"),
    (Short, {"metrics": (Metric("wins", "Wins", "wins", "LOWER"),)},  # type: ignore[arg-type]
     "better of one is 'LOWER', and has to be Better.HIGHER or Better.LOWER"),
    (OneCard, {"name": "Half \ud83c"}, "name is 'Half \\ud83c', which has half a character in it"),
    (OneCard, {"seats": range(1, 1002)}, "seats is range(1, 1002), with more than 1000 seats"),
    (Red, {"games": "one-card"},
     "games has to be a tuple of ids of games; it is the text 'one-card': write ('one-card',)"),
    (Red, {"games": ()}, "games is empty, and has to be a tuple of ids of games"),
    (OneCard, {"refusals": {"A"}},
     "refusals has to map codes to what they mean; it is {'A'}: write {\"A\": \"What it means.\"}"),
    (OneCard, {"refusals": None}, "refusals has to map codes to what they mean; it is None"),
    (OneCard, {"refusals": {7: "Seven."}}, "refusals has to map codes to what they mean; a code is 7"),
    (OneCard, {"results": Result.WON},
     "results has to be a frozenset of Result; it is Result.WON: write frozenset({Result.WON})"),
    (OneCard, {"results": {"WON"}},
     "results has to be a frozenset of Result; 'WON' is none: there are Result.WON"),
    (OneCard, {"results": ()}, "results has to be a frozenset of Result; it is (): write frozenset(…)"),
    (OneCard, {"results": frozenset()}, "results is empty, and has to be a frozenset of Result"),
    (OneCard, {"modes": "classic"},
     "modes has to be a frozenset of ids of modes, or None; it is the text 'classic': "
     "write frozenset({'classic'})"),
    (OneCard, {"modes": frozenset()}, "modes is empty, so the game could never be played"),
    (OneCard, {"totals": 200}, "totals is 200, and has to be a range of totals, or None"),
    (OneCard, {"State": None}, "State has to be a dataclass; None is not a dataclass"),
    (OneCard, {"Options": TurnUp()},
     "Options has to be a dataclass; TurnUp() is not a dataclass but an object of one: write TurnUp"),
    (Short, {"Run": dict}, "Run has to be a dataclass; dict is not a dataclass"),
]  # fmt: skip


@pytest.mark.parametrize(("base", "members", "told"), KINDS, ids=range(len(KINDS)))
def test_what_is_of_another_kind_is_named(base: Any, members: dict[str, Any], told: str) -> None:
    said = complaint(base, **members)
    assert told in said
    assert said.startswith(f"{'game' if base is OneCard else 'mode' if base is Short else 'constraint'} '")


def test_the_kit_says_the_same() -> None:
    with pytest.raises(AssertionError) as caught:
        check_game(type("Odd", (OneCard,), {"moves": TurnUp})())
    assert "breaks the law 'contract': game 'one-card': moves has to be a tuple" in str(caught.value)


def test_what_is_right_is_taken() -> None:
    vet_game(
        type("Fine", (OneCard,), {"modes": {"classic"}, "totals": range(1, 9), "results": {Result.WON}})()
    )


async def later(self: Any, *arguments: Any) -> Any:
    """Nobody waits for it."""


async def one_by_one(self: Any, *arguments: Any) -> Any:
    """Nobody waits for it either."""
    yield ()


def yields(self: Any, *arguments: Any) -> Iterator[Any]:
    """It can be read once."""
    yield ()


@wraps(later)
def wrapped(self: Any, *arguments: Any) -> Any:
    """It gives what it wraps."""
    return later(self, *arguments)


@pytest.mark.parametrize("method", [later, one_by_one, wrapped], ids=["later", "one by one", "wrapped"])
@pytest.mark.parametrize(
    ("base", "name"),
    [(OneCard, "decide"), (OneCard, "shuffle_unknown"), (Short, "round_over"), (Red, "status")],
)
def test_what_would_have_to_be_waited_for_is_refused(base: Any, name: str, method: Any) -> None:
    assert f"Odd.{name} is async, and nothing here is waited for" in complaint(base, **{name: method})


@pytest.mark.parametrize(
    ("base", "name"), [(OneCard, "decide"), (OneCard, "to_act"), (Short, "at_deadline"), (Red, "status")]
)
def test_so_is_an_answer_that_can_be_read_once(base: Any, name: str) -> None:
    assert f"Odd.{name} has a yield" in complaint(base, **{name: yields})


async def text(self: Any, names: Sequence[str]) -> str:
    """A sentence, later."""
    return "It happened."


def test_so_is_a_sentence_that_comes_later() -> None:
    late = dataclass(frozen=True)(type("Late", (), {"text": text}))
    assert "one-card: Late.text is async" in complaint(OneCard, events=(*OneCard.events, late))


async def answer(arguments: Any) -> Any:
    """An answer, later."""


@dataclass(frozen=True)
class Asked:
    """What is asked."""

    x: int = 0


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"answer": answer}, "query 'odd': PluginQuery.answer is async"),
        ({"answer": None}, "query 'odd': PluginQuery.answer is None, and is called with (arguments)"),
        (
            {"answer": lambda: None},
            "query 'odd': PluginQuery.answer takes (), and is called with (arguments)",
        ),
        ({"description": ""}, "query 'odd': description is '', and has to be a text"),
        ({"graphql": None}, "query 'odd': graphql is None, and has to be a text"),
    ],
)
def test_a_question_is_held_to_it_too(changes: dict[str, Any], told: str) -> None:
    given: dict[str, Any] = {
        "answer": lambda asked: asked,
        "description": "Odd?",
        "graphql": "Odd",
        **changes,
    }
    with pytest.raises(ContractBroken) as caught:
        vet_query(PluginQuery(name="odd", Arguments=Asked, Result=Asked, **given))
    assert told in str(caught.value)


class Thing:
    """No dataclass."""


@dataclass(frozen=True)
class Calls:
    """A function among the values."""

    next: Callable[[int], int] | None = None


@dataclass(frozen=True)
class HasAnything:
    """Whatever."""

    what: object = None


@dataclass(frozen=True)
class HasThings:
    """Some, further down."""

    parts: tuple[HasThing, ...] = ()


@dataclass(frozen=True)
class HasThing:
    """One, and itself."""

    me: HasThing | None = None
    things: dict[str, Thing] = field(default_factory=dict)
    names: ClassVar[Any] = Thing


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (Calls, "Calls.next is collections.abc.Callable[[int], int] | None, and no"),
        (HasAnything, "HasAnything.what is object, and no object can be stored"),
        (HasThings, "HasThings.parts is "),
    ],
)
def test_a_state_that_cannot_be_stored_is_refused(kind: type, told: str) -> None:
    for base, name in ((OneCard, "State"), (Short, "Run")):
        said = complaint(base, **{name: kind})
        assert told in said and "can be stored: take numbers, texts, enums" in said


@dataclass(frozen=True)
class Raising:
    """Options of which the check has a mistake in it."""

    most: Annotated[int, "How many."] = 3

    def __post_init__(self) -> None:
        raise KeyError("most")


def no_default() -> int:
    raise KeyError("nothing")


@dataclass(frozen=True)
class Factory:
    """A default that cannot be made."""

    most: Annotated[int, "How many."] = field(default_factory=no_default)


@dataclass(frozen=True)
class Undecided:
    """An option without a default."""

    most: Annotated[int, "How many."]


@pytest.mark.parametrize("base", [OneCard, Short, Red])
def test_options_that_cannot_be_made_are_told_as_such(base: Any) -> None:
    said = complaint(base, Options=Raising)
    assert (
        "Raising(), which is played where nothing is chosen, cannot be made: it raises KeyError: 'most'"
        in said
    )
    said = complaint(base, Options=Factory)
    assert "Factory.most has a default_factory that raises KeyError: 'nothing'" in said


@pytest.mark.parametrize("base", [OneCard, Short])
def test_options_have_defaults(base: Any) -> None:
    """Parameters of a constraint alone need none: a challenge gives them."""
    assert "Undecided.most has no default" in complaint(base, Options=Undecided)
    vet_constraint(type("Fine", (Red,), {"Options": Undecided})())
