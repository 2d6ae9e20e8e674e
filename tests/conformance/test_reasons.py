"""Why a round or a table is over is said in codes, each with a meaning that clients can look up."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
from inprocess import local
from serverkit import Caller

from fliptable import Game, Mode
from fliptable.decide import REASONS
from fliptable.events import RoundOver, TableOver
from fliptable.plugins import Registry, load_plugins
from fliptable.testing import OneCard
from fliptable.testing.tableplay import TableSetting
from fliptable.vetting import ContractBroken, vet_game, vet_mode

BUILTIN = load_plugins(builtin_only=True)
GAMES: Mapping[str, Game[Any, Any]] = BUILTIN.games
MODES: Mapping[str, Mode[Any]] = BUILTIN.modes
PAIRS = [
    (game.id, mode.id)
    for game in GAMES.values()
    for mode in BUILTIN.modes_for(game)
    if mode.id != "custom"  # It needs a challenge, and is over only when everybody has left.
]
CODE = re.compile(r"[A-Z]+(_[A-Z0-9]+)*")
STEPS, SEEDS = 120, 4


def known(game: Game[Any, Any], mode: Mode[Any]) -> tuple[set[str], set[str]]:
    """The codes that a seat's outcome and a table's end may have there."""
    return {*game.reasons, *mode.reasons}, {*REASONS, *mode.reasons}


@pytest.mark.parametrize(("game_id", "mode_id"), PAIRS)
def test_every_code_that_comes_up_is_declared(game_id: str, mode_id: str) -> None:
    game, mode = GAMES[game_id], MODES[mode_id]
    of_seats, of_tables = known(game, mode)
    for seed in range(SEEDS):
        random = Random(seed)
        seats = random.choice([count for count in mode.seats(game) if count in game.seats and count <= 4])
        setting = TableSetting.of(game, mode, seats, seed=seed, turn_seconds=30, given=BUILTIN)
        play = setting.open()
        for _ in range(STEPS):
            if play.over:
                break
            play.take(play.draw(random, waits=[10, 40, 400], waiting=0.05, leaving=0.03, dropping=0.03))
        for commit in play.script.commits:
            for event in commit.events:
                if isinstance(event, RoundOver):
                    assert {one.reason for one in event.outcome.seats} - {None} <= of_seats
                elif isinstance(event, TableOver):
                    assert event.reason in of_tables


def written(part: Any) -> Iterator[str]:
    """The codes in the sources of a plugin, where outcomes and ends are made, and those of its enums."""
    top = type(part).__module__
    names = [top]
    package = top.rpartition(".")[0]
    if package.count("."):
        folder = Path(str(importlib.import_module(package).__file__)).parent
        names = [f"{package}.{path.stem}" for path in folder.glob("*.py") if path.stem != "__init__"]
    for name in names:
        module = importlib.import_module(name)
        for function in ast.walk(ast.parse(inspect.getsource(module))):
            if not isinstance(function, ast.FunctionDef) or function.name not in (
                *("over", "judge", "outcome", "_outcome"),
            ):
                continue
            for node in ast.walk(function):
                if (
                    isinstance(node, ast.Constant)
                    and isinstance(node.value, str)
                    and CODE.fullmatch(node.value)
                ):
                    yield node.value


@pytest.mark.parametrize("part", [*GAMES.values(), *MODES.values()], ids=lambda part: part.id)
def test_every_code_that_is_written_is_declared(part: Any) -> None:
    assert set(written(part)) <= set(part.reasons)


@pytest.mark.parametrize(
    ("part", "codes"),
    [
        # As the rule sheets have them.
        ("call-it", "OVER DECK_EMPTY ABANDONED AWAY TIME_UP NOT_CALLED BEATEN"),
        ("flip", "LAST_IN OUT GAVE_UP REPETITION TURN_LIMIT ALL_IDLE NOBODY_IN"),
        ("flip7", "STAYED FROZEN BUST FLIP_SEVEN LEFT"),
        ("scoreboard", ""),
        ("classic", "PLAYED"),
        ("custom", "CONSTRAINT_FAILED"),
        ("daily", "PLAYED"),
        ("match", "WON SHARED"),
        ("practice", ""),
        ("race", "WON NOT_PLAYED"),
        ("speedrun", ""),
        ("streak", "BUST"),
        ("survival", "NO_LIVES"),
        ("time-attack", "TIME_UP"),
    ],
)
def test_the_codes_of_the_built_in_plugins(part: str, codes: str) -> None:
    declared = (GAMES.get(part) or MODES[part]).reasons
    assert set(declared) == set(codes.split())


def test_all_built_in_plugins_are_listed_here() -> None:
    marks: Any = test_the_codes_of_the_built_in_plugins.pytestmark  # type: ignore[attr-defined]
    assert {part for part, _ in marks[0].args[1]} == {*GAMES, *MODES}


@pytest.mark.parametrize("value", [{"no-code": "A sentence."}, {"CODE": ""}, {"CODE": None}, ["CODE"], None])
def test_what_is_no_list_of_reasons_is_not_loaded(value: Any) -> None:
    game = type("Reasoned", (OneCard,), {"reasons": value})()
    mode = type("Reasoned", (type(MODES["classic"]),), {"reasons": value})()
    for vet, part in ((vet_game, game), (vet_mode, mode)):
        with pytest.raises(ContractBroken, match="reason"):
            vet(part)  # type: ignore[operator]
    vet_game(type("Reasoned", (OneCard,), {"reasons": {"CODE": "A sentence."}})())


async def test_the_catalogue_tells_what_they_mean(registry: Registry) -> None:
    asked = "{ games { id reasons { code meaning } } modes { id reasons { code meaning } } }"
    async with local(registry) as server, Caller(server.url) as nobody:
        found = await nobody.data(asked)
        for kind, parts in (("games", registry.games), ("modes", registry.modes)):
            for one in found[kind]:
                reasons: Any = parts[one["id"]].reasons  # type: ignore[index]
                assert [(each["code"], each["meaning"]) for each in one["reasons"]] == list(reasons.items())
