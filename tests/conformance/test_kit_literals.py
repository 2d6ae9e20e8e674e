"""Values as Python, with their imports; simpler values; and the place where two values differ."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from math import inf
from typing import Any

import brokengames
import brokenmodes
import pytest
from rawgames import Made, NotShown

from fliptable import CARD, Between, NoOptions, Suit
from fliptable.plugins import load_plugins
from fliptable.testing import OneCard, Play, Wait
from fliptable.testing.differences import apart, difference
from fliptable.testing.literals import Literals, shown, source_of
from fliptable.testing.regression import regression
from fliptable.testing.shrinking import more_default, shortest, simpler
from fliptable.testing.toys import TurnUp


class Outer:
    """A class with one inside."""

    @dataclass(frozen=True)
    class Inner:
        """It is inside."""

        number: int = 3


@dataclass(frozen=True)
class Many:
    """Values of many kinds."""

    words: tuple[str, ...] = ()
    suits: frozenset[Suit] = frozenset()
    by_name: dict[str, int] = field(default_factory=dict)
    at: datetime | None = None
    flag: bool = False


WRITTEN: list[tuple[Any, str, list[str]]] = [
    (3, "3", []),
    ("a 'b'", "\"a 'b'\"", []),
    ("ab", '"ab"', []),
    ((1,), "(1,)", []),
    (CARD["AS"], "PlayingCard.ACE_OF_SPADES", ["from fliptable import PlayingCard"]),
    (NoOptions(), "NoOptions()", ["from fliptable import NoOptions"]),
    (
        Play(0, TurnUp()),
        "Play(seat=0, move=TurnUp())",
        ["from fliptable.testing import Play", "from fliptable.testing.toys import TurnUp"],
    ),
    (Wait(0.5), "Wait(seconds=0.5)", ["from fliptable.testing import Wait"]),
    (Between(1), "Between(low=1)", ["from fliptable import Between"]),
    (
        [datetime(2026, 1, 1, tzinfo=UTC), timedelta(minutes=1)],
        '[datetime.fromisoformat("2026-01-01T00:00:00+00:00"), timedelta(seconds=60.0)]',
        ["from datetime import datetime, timedelta"],
    ),
    (frozenset([Suit.HEARTS]), "frozenset([Suit.HEARTS])", ["from fliptable import Suit"]),
    ({"a": 1}, '{"a": 1}', []),
    ([inf, -0.5], '[float("inf"), -0.5]', []),
]


@pytest.mark.parametrize(("value", "written", "imports"), WRITTEN)
def test_a_value_is_written_with_its_imports(value: Any, written: str, imports: list[str]) -> None:
    literals = Literals()
    assert literals.write(value) == written
    assert literals.imports == imports
    names: dict[str, Any] = {}
    exec("\n".join([*literals.imports, f"value = {written}"]), names)
    assert names["value"] == value


def test_what_has_its_default_is_left_out_or_not() -> None:
    assert shown(Many(flag=True)) == "Many(flag=True)"
    assert source_of(Many()) == "Many(words=(), suits=frozenset([]), by_name={}, at=None, flag=False)"


def test_classes_of_tests_are_named_as_to_be_imported() -> None:
    literals = Literals()
    assert literals.write(Outer.Inner(4)) == "Outer.Inner(number=4)"
    assert literals.elsewhere == {"Outer"} and literals.imports == []


def test_two_classes_of_one_name_are_kept_apart() -> None:
    literals = Literals()
    assert literals.name(brokengames.MutatingRefusal) == "MutatingRefusal"
    assert literals.name(brokenmodes.MutatingRefusal) == "brokenmodes.MutatingRefusal"
    assert literals.imports == ["import brokenmodes", "from brokengames import MutatingRefusal"]


def test_classes_that_a_function_makes_are_named_in_words() -> None:
    test = regression("check_case", "game", NotShown(), "nothing leaks", (), "", {})
    assert "# Shows is a class that changed makes: have it made here, and call it Shows.\n" in test
    assert 'check_case(Shows(), "nothing leaks")' in test and "<" not in test
    ast.parse(test)
    literals = Literals()
    assert literals.part(Made(), "game") == "Made()"
    assert literals.imports == ["from rawgames import Made"], "it is at the top of its module by its name"


class Needy(OneCard):
    """It is made with an argument, which it keeps."""

    def __init__(self, cards: int, jokers: int = 0) -> None:
        self.cards = cards
        self._jokers = jokers


class Secretive(OneCard):
    """It is made with an argument, and keeps something else."""

    def __init__(self, cards: int) -> None:
        self.hands = [cards]


def test_a_part_that_is_made_with_arguments_is_made_again_or_looked_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    literals = Literals()
    assert literals.part(OneCard(), "game") == "OneCard()"
    assert literals.part(Needy(3), "game") == "Needy(cards=3)"
    assert literals.part(Needy(3, 1), "game") == "Needy(cards=3, jokers=1)"
    assert literals.part(Secretive(3), "game") == "Secretive(...)" and literals.taken == {
        "Secretive": "cards"
    }
    installed = load_plugins(strict=False)
    monkeypatch.setitem(installed._games, "one-card", Secretive(3))
    monkeypatch.setattr("fliptable.testing.literals.load_plugins", lambda **_: installed)
    assert literals.part(Secretive(3), "game") == 'load_plugins(strict=False).game("one-card")'
    assert "from fliptable.plugins import load_plugins" in literals.imports


def test_simpler_values_lead_to_the_simplest_one() -> None:
    value: Any = Many(("a", "b"), frozenset(), {}, datetime(2026, 1, 1, tzinfo=UTC), True)
    steps = 0
    while candidates := list(simpler(value)):
        value, steps = candidates[-1], steps + 1
        assert steps < 20
    assert value == Many()
    assert [*simpler(0)] == [] and 0 in simpler(7) and Suit.CLUBS in [*simpler(Suit.HEARTS), Suit.CLUBS]


def test_options_are_put_back_to_their_defaults() -> None:
    found = list(more_default(Many(("a",), flag=True)))
    assert found[0] == Many() and Many(flag=True) in found and Many(("a",)) in found
    assert list(more_default(Many())) == []


def test_the_shortest_sequence_has_what_is_needed() -> None:
    assert shortest(range(50), lambda some: {7, 31} <= set(some)) == [7, 31]


def test_two_values_differ_at_a_place() -> None:
    one, other = Many(("a", "b"), by_name={"x": 1}), Many(("a", "c"), by_name={"x": 1})
    assert apart(one, other, "view") == "view.words[1] is 'b' or 'c'"
    assert apart(one, one, "view") is None
    assert apart(1, 2, "points") == "points is 1 or 2"
    assert difference({"a": [1]}, {"a": [1, 2]}) == "a is [1] or [1, 2]"
    assert difference([1], (1,)) == "it is [1] or (1,)"
    assert difference({"a": 1, "b": 2}, {"b": 2, "a": 1}) is not None
    assert difference({"a": {"b": True}}, {"a": {"b": 1}}, "state") == "state.a.b is True or 1"
