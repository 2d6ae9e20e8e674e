"""What a failure prints is a test that runs as it stands: pasted into a project it fails for the same law."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import brokengames
import pytest
from brokenconditions import BROKEN_CONSTRAINT_VERSIONS, Brief
from brokenconditions import Forgetful as ForgetfulBrief
from brokenconditions import Next as NextBrief
from brokenconstraints import BROKEN_CONSTRAINTS
from brokengames import BROKEN_GAMES
from brokenmodes import BROKEN_MODES, Short
from brokenoverapi import BROKEN_OVER_API, QUERY, Boasts
from brokentables import BROKEN_TABLES, registry_of
from brokenversions import BROKEN_VERSIONS, Forgotten, Next
from highcard import HighCard
from leakygames import LeakingView, ShowsHands

from fliptable.testing import (
    GAME_LAWS,
    OneCard,
    Sealed,
    check_constraint,
    check_game,
    check_migration,
    check_mode,
    check_table,
)
from fliptable.testing.broken import LawFailure
from fliptable_api.testing import check_api

VERSIONS = [(law, kind) for kind, law, _ in BROKEN_VERSIONS if law != "contract"]
BRIEFS = [(law, kind) for kind, law, _ in BROKEN_CONSTRAINT_VERSIONS if law != "contract"]
SUPPORT = Path(brokengames.__file__).parent


def failure(check: Callable[..., None], *arguments: Any, **named: Any) -> LawFailure:
    with pytest.raises(LawFailure) as caught:
        check(*arguments, **named)
    return caught.value


def of_game(law: str, kind: type[Any]) -> LawFailure:
    laws = [law] if law in GAME_LAWS else GAME_LAWS
    return failure(check_game, kind(), seeds=range(2), most_moves=200, laws=laws)


def of_table(game: type[Any], mode: type[Any]) -> LawFailure:
    registry = registry_of(game(), mode())
    return failure(check_table, registry, game.id, mode.id, seats=2)


@pytest.fixture(scope="module")
def pasted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The summary of each pasted test, by the name of its file."""
    failures: dict[str, LawFailure] = {}
    for law, kind, _ in BROKEN_GAMES:
        failures[f"game_{kind.__name__}"] = of_game(law, kind)
    for _, kind, _ in BROKEN_MODES:
        failures[f"mode_{kind.__name__}"] = failure(
            check_mode, kind(), games=[OneCard(), Sealed()], seeds=range(2), steps=20
        )
    for _, kind, _ in BROKEN_CONSTRAINTS:
        failures[f"constraint_{kind.__name__}"] = failure(check_constraint, kind(), games=[OneCard()])
    for _, game, mode, _ in BROKEN_TABLES:
        failures[f"table_{game.__name__}_{mode.__name__}"] = of_table(game, mode)
    for _, kind in VERSIONS:
        failures[f"version_{kind.__name__}"] = failure(check_migration, OneCard(), kind())
    for _, kind in BRIEFS:
        failures[f"brief_{kind.__name__}"] = failure(check_migration, Brief(), kind())
    for kind, _ in BROKEN_OVER_API:
        failures[f"api_{kind.__name__}"] = failure(check_api, kind(), seeds=[0] if kind is Boasts else ())
    project = tmp_path_factory.mktemp("project")
    for name, one in failures.items():
        (project / f"test_{name}.py").write_text(one.test, encoding="utf-8")
    (project / "pytest.ini").write_text(f"[pytest]\npythonpath = {SUPPORT}\n", encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-rA", "--tb=line", "-p", "no:cacheprovider"]
    done = subprocess.run(
        command, cwd=project, capture_output=True, text=True, check=False, env=environment()
    )
    summary = [line for line in done.stdout.splitlines() if line.startswith(("FAILED ", "PASSED ", "ERROR "))]
    return {line.partition("test_")[2].partition(".py")[0]: line for line in summary}


def environment() -> dict[str, str]:
    from os import environ

    return {**environ, "COLUMNS": "1000"}


@pytest.mark.parametrize(
    ("name", "law"),
    [
        *[(f"game_{kind.__name__}", law) for law, kind, _ in BROKEN_GAMES],
        *[(f"mode_{kind.__name__}", law) for law, kind, _ in BROKEN_MODES],
        *[(f"constraint_{kind.__name__}", law) for law, kind, _ in BROKEN_CONSTRAINTS],
        *[(f"version_{kind.__name__}", law) for law, kind in VERSIONS],
        *[(f"brief_{kind.__name__}", law) for law, kind in BRIEFS],
        *[(f"api_{kind.__name__}", "api") for kind, _ in BROKEN_OVER_API],
        *[(f"table_{game.__name__}_{mode.__name__}", law) for law, game, mode, _ in BROKEN_TABLES],
    ],
)
def test_a_pasted_test_fails_for_the_same_law(pasted: dict[str, str], name: str, law: str) -> None:
    said = pasted[name]
    assert said.startswith("FAILED ") and f"breaks the law {law!r}: " in said, said


def test_a_pasted_test_passes_once_the_plugin_is_mended() -> None:
    for one, broken, whole in (
        (of_game("nothing leaks", ShowsHands), ShowsHands, HighCard),
        (of_table(LeakingView, Short), LeakingView, OneCard),
        (failure(check_migration, OneCard(), Forgotten()), Forgotten, Next),
        (failure(check_migration, Brief(), ForgetfulBrief()), ForgetfulBrief, NextBrief),
    ):
        names: dict[str, Any] = {}
        exec(one.test, names)
        test = next(value for name, value in names.items() if name.startswith("test_"))
        with pytest.raises(AssertionError, match=r"breaks the law '(nothing leaks|readable)'"):
            test()
        names[broken.__name__] = whole
        test()


@pytest.mark.parametrize(("kind", "said"), BROKEN_OVER_API)
def test_what_breaks_the_law_of_the_api_has_a_test_too(kind: type[Any], said: str) -> None:
    one = failure(check_api, kind(), seeds=[0] if kind is Boasts else ())
    assert said in one.told and f"check_api({kind.__name__}()" in one.test


def test_a_question_that_is_not_installed_has_to_be_named() -> None:
    one = failure(check_api, QUERY)
    assert "# QUERY has to be imported too, or defined here.\n" in one.test
    assert "check_api(QUERY, seeds=())" in one.test


def test_pytest_shows_the_test_with_nothing_before_its_lines(tmp_path: Path) -> None:
    program = (
        "from leakygames import ShowsHands\n\n\ndef test_it(check_game):\n    check_game(ShowsHands())\n"
    )
    (tmp_path / "test_it.py").write_text(program, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text(f"[pytest]\npythonpath = {SUPPORT}\n", encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    told, _, test = done.stdout.partition(" this failure as a test, to paste ")
    assert "LawFailure: plugin 'high-card' breaks the law 'nothing leaks'" in told and "trials.py" not in told
    assert "check_case" not in told.partition("LawFailure:")[2]
    lines = test.splitlines()
    start = lines.index("from leakygames import ShowsHands")
    names: dict[str, Any] = {}
    exec(
        "\n".join(lines[start : lines.index(next(line for line in lines if line.startswith("=====")))]), names
    )
    assert callable(names["test_nothing_leaks_in_a_case_that_failed"])


def test_the_page_on_testing_shows_what_is_printed() -> None:
    page = (SUPPORT.parents[1] / "docs" / "testing.md").read_text(encoding="utf-8")
    before, name, after = page.partition("class Glass(OneCard):")
    program, _, shown = after.partition("```\n\n```text\n")
    program = before.rpartition("```python\n")[2] + name + program
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == shown.partition("\n```")[0].strip()
