"""`fliptable new-plugin` makes a distribution that installs, keeps the laws and passes the type checkers."""

from __future__ import annotations

import ast
import builtins
import dataclasses
import json
import keyword
import os
import re
import subprocess
import sys
import typing
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType

import pytest
from click.testing import CliRunner
from graphql import parse, print_ast
from hypothesis import given, settings
from hypothesis import strategies as st
from pyrightkit import check_strictly

import fliptable
import fliptable.testing
import fliptable_api.testing
from fliptable.plugins import load_plugins
from fliptable_api.cli import main
from fliptable_api.cli.new_plugin import contents
from fliptable_api.schema import build_schema

KINDS = ("game", "mode", "constraint")
MADE = {
    **{f"my-very-own-{kind}": kind for kind in KINDS},
    # Called like something that they are made of.
    "turn-up": "game",
    "class": "game",
    "none": "mode",
    "refusal": "constraint",
    # Called like a test.
    "testing": "game",
    "test-of-three": "mode",
}
NAMES = list(MADE)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    for name, kind in MADE.items():
        told = CliRunner().invoke(main, ["new-plugin", name, f"--{kind}", "--folder", str(folder)])
        assert told.exit_code == 0, told.output
    return folder


@pytest.fixture(scope="module")
def installed(made: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which the new distributions are installed, as pip does it."""
    target = tmp_path_factory.mktemp("installed")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index"]
    options = ["--no-deps", "--no-build-isolation", "--no-compile", "--target", str(target)]
    subprocess.run([*command, *options, *map(str, sorted(made.iterdir()))], check=True, timeout=110)
    return {**os.environ, "PYTHONPATH": str(target), "MYPYPATH": str(target)}


def succeeds(command: list[str], cwd: Path, environment: dict[str, str]) -> str:
    done = subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=110, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_their_own_tests_pass(made: Path, installed: dict[str, str]) -> None:
    folders = [f"fliptable-{name}/tests" for name in NAMES]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error", *folders]
    assert " passed" in succeeds(command, made, installed)


def test_a_server_finds_them(made: Path, installed: dict[str, str]) -> None:
    command = [sys.executable, "-m", "fliptable_api", "plugins", "--json"]
    plugins = json.loads(succeeds(command, made, installed))["plugins"]
    brought = {one["distribution"]: one["brings"] for one in plugins}
    for name, kind in MADE.items():
        assert brought[f"fliptable-{name}"] == [f"{kind} {name}"]


def test_mypy_is_content_with_them(made: Path, installed: dict[str, str]) -> None:
    folders = [str(made / f"fliptable-{name}" / "tests") for name in NAMES]
    modules = [str(made / f"fliptable-{name}" / f"fliptable_{name.replace('-', '_')}") for name in NAMES]
    cache = ["--cache-dir", str(made / ".mypy_cache")]
    command = [sys.executable, "-m", "mypy", "--strict", *cache, *folders]
    assert f"no issues found in {len(NAMES)}" in succeeds(command, made, installed)
    succeeds(
        [sys.executable, "-m", "mypy", "--strict", *cache, *modules], made, {**installed, "MYPYPATH": ""}
    )


def test_pyright_is_content_with_them(made: Path, installed: dict[str, str]) -> None:
    check_strictly(made, Path(installed["PYTHONPATH"]))


def test_ruff_is_content_with_them(made: Path, installed: dict[str, str]) -> None:
    for name in NAMES:
        command = [sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", "."]
        succeeds(command, made / f"fliptable-{name}", installed)


def test_nothing_is_written_over(made: Path) -> None:
    told = CliRunner().invoke(main, ["new-plugin", NAMES[0], "--folder", str(made)])
    assert told.exit_code == 1 and "is there already" in told.output


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("High-Card", "lower-case words with hyphens"),
        ("high_card", "lower-case words with hyphens"),
        ("7up", "lower-case words with hyphens"),
        ("-", "lower-case words with hyphens"),
        ("table", "reserved"),
        ("api", "there is a module fliptable_api already"),
        ("modes", "there is a module fliptable_modes already"),
        ("no", "the GraphQL type NoOptionsInput is wanted by"),
        ("play", "the GraphQL type PlayMoveInput is wanted by"),
        ("scoreboard-board", "the GraphQL type ScoreboardBoardRound is wanted by"),
    ],
)
def test_a_name_that_will_not_do_is_refused(name: str, why: str, tmp_path: Path) -> None:
    told = CliRunner().invoke(main, ["new-plugin", "--folder", str(tmp_path), "--", name])
    assert told.exit_code == 2 and not list(tmp_path.iterdir())
    sentence = " ".join(told.output.split())
    assert why in sentence
    assert re.search(r"for example high-card$|add a word to it, for example \S+-game$", sentence)


def test_a_plugin_is_of_one_kind(tmp_path: Path) -> None:
    told = CliRunner().invoke(main, ["new-plugin", "both", "--game", "--mode", "--folder", str(tmp_path)])
    assert told.exit_code == 2 and not list(tmp_path.iterdir())
    assert "--game and --mode" in told.output


def test_a_folder_that_cannot_be_made_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    told = CliRunner().invoke(main, ["new-plugin", "high-card", "--folder", str(tmp_path / "file" / "in")])
    assert told.exit_code == 1 and isinstance(told.exception, SystemExit)
    assert "cannot be made: Not a directory" in " ".join(told.output.split())
    told = CliRunner().invoke(main, ["new-plugin", "a" * 300, "--folder", str(tmp_path)])
    assert told.exit_code == 1 and isinstance(told.exception, SystemExit)
    assert "cannot be made: File name too long" in " ".join(told.output.split())


WORDS = {
    *(name.lower() for name in keyword.kwlist),
    *keyword.softkwlist,
    *(name.lower() for name in dir(builtins) if name.isalpha()),
    *(
        re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).lower().replace("_", "-")
        for module in (fliptable, fliptable.testing, fliptable_api.testing, typing, dataclasses)
        for name in module.__all__
    ),
    *(word for text in contents("x", "game").values() for word in re.findall("[a-z]+", text.lower())),
}
names = st.sampled_from(sorted(WORDS)) | st.from_regex(
    r"[a-z][a-z0-9]{0,5}(-[a-z0-9]{1,4}){0,2}", fullmatch=True
)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=300, deadline=None)
@given(name=names)
def test_no_name_stands_for_two_things_in_what_is_made(kind: str, name: str) -> None:
    """Nothing that is defined hides an import, a built-in name or another definition."""
    for path, text in contents(name, kind).items():
        if path.endswith(".py"):
            bound = list(defined(ast.parse(text)))
            assert [one for one in bound if bound.count(one) > 1] == []
            assert set(bound) & set(dir(builtins)) == set()


def defined(module: ast.Module) -> Iterator[str]:
    """The names that a module gives to something at its top level, as often as it does."""
    for one in ast.walk(module):
        if isinstance(one, ast.Import | ast.ImportFrom):
            yield from [alias.asname or alias.name for alias in one.names]
    for one in module.body:
        if isinstance(one, ast.ClassDef | ast.FunctionDef):
            yield one.name
        elif isinstance(one, ast.Assign):
            yield from [target.id for target in one.targets if isinstance(target, ast.Name)]


@settings(max_examples=15, deadline=None)
@given(name=names, kind=st.sampled_from(KINDS))
def test_what_is_accepted_can_be_loaded(name: str, kind: str) -> None:
    """Beside all that is built in, with a schema in which it hides nothing."""
    with TemporaryDirectory() as folder:
        told = CliRunner().invoke(main, ["new-plugin", name, f"--{kind}", "--folder", folder])
        assert told.exit_code in (0, 2), told.output
        if told.exit_code == 2:
            assert "Error: " in told.output
            return
        module = f"fliptable_{name.replace('-', '_')}"
        source = (Path(folder) / f"fliptable-{name}" / module / "__init__.py").read_text("utf-8")
    made = ModuleType(module)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, module, made)
        exec(compile(source, module, "exec"), made.__dict__)
        registry = load_plugins(builtin_only=True)
        registry.register(made, name)
        assert hides_nothing(build_schema(registry).schema.as_str())


BUILT_IN = build_schema(load_plugins(builtin_only=True)).schema.as_str()


def hides_nothing(schema: str) -> bool:
    """Whether all fields of built-in types are there, whatever else is."""
    there = set(fields_of(schema))
    return [one for one in fields_of(BUILT_IN) if one not in there] == []


def fields_of(schema: str) -> Iterator[tuple[str, str, str]]:
    for definition in parse(schema).definitions:
        for field in getattr(definition, "fields", None) or ():
            yield definition.name.value, field.name.value, print_ast(field.type)


@pytest.mark.parametrize("name", ["call-it", "flip7", "classic", "no-ace"])
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_built_in_is_not_made_again(tmp_path: Path, name: str, kind: str) -> None:
    told = CliRunner().invoke(main, ["new-plugin", name, f"--{kind}", "--folder", str(tmp_path)])
    assert told.exit_code == 2
    assert f"'{name}' is built in already" in told.output
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", NAMES)
def test_nor_is_what_is_installed(tmp_path: Path, installed: dict[str, str], name: str) -> None:
    told = subprocess.run(
        [sys.executable, "-m", "fliptable_api", "new-plugin", name, "--folder", str(tmp_path)],
        env=installed,
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )
    assert told.returncode == 2, told.stdout
    assert f"an installed plugin is called '{name}' already" in " ".join(told.stderr.split())
    assert not list(tmp_path.iterdir())
