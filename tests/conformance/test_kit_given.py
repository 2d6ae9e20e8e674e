"""What a check is given, and what a mode says of games: told in words where it cannot be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import pytest
from brokenconstraints import Red
from brokenmodes import Short

from fliptable import Between
from fliptable.pairs import vet_pair
from fliptable.plugins import load_plugins
from fliptable.testing import OneCard, check_constraint, check_game, check_mode, check_mode_case
from fliptable.vetting import ContractBroken

CALL_IT = load_plugins(strict=False).game("call-it")


def said(check: Callable[[], None]) -> str:
    with pytest.raises(AssertionError) as caught:
        check()
    return str(caught.value).partition("\n")[0]


GIVEN: list[tuple[Any, Any, str]] = [
    (check_mode, OneCard(), "check_mode is for a mode, and 'one-card' is a game: check_game is for those"),
    (check_constraint, OneCard(),
     "check_constraint is for a constraint, and 'one-card' is a game: check_game is for those"),
    (check_game, Short(), "check_game is for a game, and 'short' is a mode: check_mode is for those"),
    (check_game, Red(), "check_game is for a game, and 'red' is a constraint: check_constraint is for those"),
    (check_game, OneCard, "OneCard is a class; check an instance of it: OneCard()"),
    (check_mode, Short, "Short is a class; check an instance of it: Short()"),
    (check_game, "one-card",
     "check_game is for a game, a subclass of fliptable.Game, and 'one-card' is none"),
    (check_mode, None, "check_mode is for a mode, a subclass of fliptable.Mode, and None is none"),
]  # fmt: skip


@pytest.mark.parametrize(("check", "part", "told"), GIVEN, ids=[one[2][:40] for one in GIVEN])
def test_what_a_check_is_not_for_is_named(check: Any, part: Any, told: str) -> None:
    assert said(lambda: check(part)) == told


@dataclass(frozen=True)
class Laps:
    """Options of a mode."""

    laps: Annotated[int, Between(1, 9), "How many."] = 3


A_LIST = "and has to be a list: write"
TRIED: list[tuple[Any, Any, dict[str, Any], str]] = [
    (check_game, OneCard(), {"seats": [9]}, "seats has 9, and 'one-card' is for 1 to 6 seats"),
    (check_game, OneCard(), {"seats": 3}, f"seats is 3, {A_LIST} seats=[3]"),
    (check_game, OneCard(), {"seeds": 3}, f"seeds is 3, {A_LIST} seeds=[3]"),
    (check_game, OneCard(), {"options": Laps()}, f"options is Laps(), {A_LIST} options=[Laps()]"),
    (check_game, OneCard(), {"terms": 1}, f"terms is 1, {A_LIST} terms=[1]"),
    (check_game, OneCard(), {"laws": ["purty"]}, "there is no law 'purty'; there are turns, moves, "),
    (check_game, OneCard(), {"laws": "turns"}, f'laws is "turns", {A_LIST} laws=["turns"]'),
    (check_mode, Short(), {"options": Laps()}, f"options is Laps(), {A_LIST} options=[Laps()]"),
    (check_mode, Short(), {"seeds": 1}, f"seeds is 1, {A_LIST} seeds=[1]"),
    (check_constraint, Red(), {"seeds": 1}, f"seeds is 1, {A_LIST} seeds=[1]"),
]


@pytest.mark.parametrize(("check", "part", "given", "told"), TRIED, ids=range(len(TRIED)))
def test_what_cannot_be_tried_is_told(check: Any, part: Any, given: dict[str, Any], told: str) -> None:
    assert said(lambda: check(part, **given)).startswith(told)


def at_odds(name: str, answer: Callable[..., Any]) -> Any:
    return type("Odd", (Short,), {"Options": Laps, name: lambda self, game: answer(game)})()


def missing(game: Any) -> Any:
    raise KeyError("supports")


@pytest.mark.parametrize(
    ("mode", "law", "told"),
    [
        (at_odds("limits", lambda game: {"rounds": Between(1, 2)}),
         "contract", "mode 'short': limits at the game 'call-it': there is no option 'rounds'; "
         "there are laps"),
        (at_odds("limits", lambda game: {"laps": Between(0)}),
         "contract", "mode 'short': limits at the game 'call-it': that of laps is 0 or more, and "
         "reaches beyond the option's own, from 1 to 9"),
        (at_odds("limits", lambda game: {"laps": Between(5, 4)}),
         "contract", "mode 'short': limits at the game 'call-it': nothing is within those of laps"),
        (at_odds("limits", lambda game: None),
         "contract", "mode 'short': limits gives None at the game 'call-it', and not a mapping"),
        (at_odds("seats", lambda game: [1, 2]),
         "contract", "mode 'short': seats gives [1, 2] at the game 'call-it', and not a range"),
        (at_odds("supports", missing), "answers", "missing (test_kit_given.py, line "),
    ],
)  # fmt: skip
def test_what_a_mode_says_of_a_game_can_be(mode: Any, law: str, told: str) -> None:
    told = f"plugin 'short' breaks the law {law!r}: {told}"
    assert told in said(lambda: check_mode(mode, games=[CALL_IT]))
    assert told in said(lambda: check_mode_case(mode, law, game=CALL_IT))
    assert "plugin 'short' breaks the law" in said(lambda: check_mode(mode))


@pytest.mark.parametrize(
    ("suggested", "told"),
    [
        (None, "suggest gives None for the mode 'short', and not a mapping"),
        ({"laps": "many"}, "suggest gives 'many' for laps of the mode 'short', which cannot be one"),
        ({"laps": object}, "for laps of the mode 'short', which cannot be one"),
    ],
)
def test_what_a_game_suggests_can_be(suggested: Any, told: str) -> None:
    """A catalogue that cannot say it would have no answer for anybody."""
    game = type("Odd", (OneCard,), {"suggest": lambda self, mode, options: suggested})()
    mode = at_odds("limits", lambda game: {})
    with pytest.raises(ContractBroken) as caught:
        vet_pair(game, mode)
    assert told in str(caught.value)
    vet_pair(type("Fine", (OneCard,), {"suggest": lambda *_: {"laps": 2, "else": object}})(), mode)


def test_what_the_built_in_games_suggest_can_be() -> None:
    """A game knows no classes of a mode, so it suggests a choice as it is stored."""
    registry = load_plugins(builtin_only=True)
    assert isinstance(registry.game("flip7").suggest("match", registry.game("flip7").Options())["ties"], str)
    for game in registry.games.values():
        for mode in registry.modes_for(game):
            vet_pair(game, mode)


def test_narrower_limits_can_be() -> None:
    mode = at_odds("limits", lambda game: {"laps": Between(2, 9)})
    check_mode(mode, games=[OneCard()], seeds=[0], steps=5)
