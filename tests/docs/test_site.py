"""The documentation as a site has no warnings, and nothing that a plugin may use is missing from it."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from dataclasses import fields, is_dataclass
from importlib.util import find_spec
from os import environ
from pathlib import Path
from types import ModuleType

import click
import pytest

import fliptable
import fliptable.testing
import fliptable_api.testing
from fliptable import hookspecs
from fliptable.events import TABLE_EVENTS
from fliptable.plugins import load_plugins
from fliptable.refusals import REFUSALS
from fliptable.testing import CONSTRAINT_LAWS, GAME_LAWS, MIGRATION_LAWS, MODE_LAWS, TABLE_LAWS
from fliptable_api.cli import main
from fliptable_api.errors import ERRORS
from fliptable_api.naming import type_name
from fliptable_api.settings import Settings

ROOT = Path(__file__).parents[2]
DOCS = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md")}
TESTS = [
    path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py") if path != Path(__file__)
]
HOOKS = sorted(name for name, one in vars(hookspecs).items() if hasattr(one, "fliptable_spec"))


@pytest.fixture(scope="module")
def documented(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The Python names that the site has an entry for."""
    if find_spec("sphinx") is None or find_spec("furo") is None or find_spec("myst_parser") is None:
        message = "Sphinx, furo or MyST is missing: pip install -e '.[docs]' (`make test` does)"
        if environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    site = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", "docs", str(site)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=110, check=False)
    assert done.returncode == 0, done.stderr
    assert (site / "first-mode.html").exists()
    from sphinx.util.inventory import InventoryFile

    with (site / "objects.inv").open("rb") as file:
        found = InventoryFile.load(file, "", lambda base, path: path)
    return {name for kind, names in found.items() if kind.startswith("py:") for name in names}


def test_every_public_name_is_documented(documented: set[str]) -> None:
    assert [name for name in fliptable.__all__ if f"fliptable.{name}" not in documented] == []
    kit = fliptable.testing.__all__
    assert [name for name in kit if f"fliptable.testing.{name}" not in documented] == []
    rest = fliptable_api.testing.__all__
    assert [name for name in rest if f"fliptable_api.testing.{name}" not in documented] == []


@pytest.mark.parametrize("module", [fliptable, fliptable.testing, fliptable_api.testing])
def test_every_field_of_a_public_dataclass_is_described(module: ModuleType, documented: set[str]) -> None:
    """The site shows what has a description, in a docstring below it or in its ``Annotated``."""
    kinds = [(name, getattr(module, name)) for name in module.__all__]
    places = [
        f"{module.__name__}.{name}.{field.name}"
        for name, kind in kinds
        if isinstance(kind, type) and is_dataclass(kind)
        for field in fields(kind)
        if field.init
    ]
    assert [place for place in places if place not in documented] == []


@pytest.mark.parametrize("part", [fliptable.Game, fliptable.Mode, fliptable.Constraint])
def test_every_member_of_a_contract_is_documented(part: type, documented: set[str]) -> None:
    names = {name for name in {**vars(part), **vars(part)["__annotations__"]} if not name.startswith("_")}
    assert [name for name in names if f"fliptable.{part.__name__}.{name}" not in documented] == []


@pytest.mark.parametrize("part", [fliptable.Game, fliptable.Mode, fliptable.Constraint])
def test_every_member_of_a_contract_is_explained(part: type) -> None:
    """The pages for rule writers, and the plugins in them, say what it is for."""
    pages = "".join([DOCS[name] for name in ("rules.md", "howto.md", "first-mode.md", "first-constraint.md")])
    told = re.sub(r"```.*?```", "", pages, flags=re.DOTALL)
    plugins = [
        path.read_text(encoding="utf-8") for path in (ROOT / "examples").glob("plugin-*/fliptable_*/*.py")
    ]
    names = {name for name in {**vars(part), **vars(part)["__annotations__"]} if not name.startswith("_")}
    bare = [
        name
        for name in names - {"source"}  # which the server fills in
        if not re.search(rf"`[^`\n]*\b{name}\b[^`\n]*`", told)
        and not re.search(rf"^    (def )?{name}( =|\()", "\n".join([pages, *plugins]), re.MULTILINE)
    ]
    assert bare == []


def test_every_hook_is_documented_and_explained(documented: set[str]) -> None:
    assert len(HOOKS) >= 5
    assert [hook for hook in HOOKS if f"fliptable.hookspecs.{hook}" not in documented] == []
    assert [hook for hook in HOOKS if not inspect.getdoc(getattr(hookspecs, hook))] == []


@pytest.mark.parametrize("hook", HOOKS)
def test_every_hook_has_a_test(hook: str) -> None:
    assert any(re.search(rf"def {hook}\(", text) for text in TESTS), f"no test has a plugin with {hook}"


def test_every_page_is_part_of_the_site() -> None:
    listed = set(re.findall(r"^[a-z-]+$", DOCS["index.md"], re.MULTILINE))
    assert {f"{name}.md" for name in listed} == set(DOCS) - {"index.md"}


def test_nothing_that_is_wrong_with_a_page_is_kept_quiet() -> None:
    """A dead link, above all, has to stop the build."""
    assert "suppress_warnings" not in (ROOT / "docs" / "conf.py").read_text(encoding="utf-8")


def test_every_example_is_in_a_page() -> None:
    folders = sorted(path.parent.relative_to(ROOT) for path in (ROOT / "examples").glob("*/README.md"))
    assert len(folders) > 5
    assert [str(folder) for folder in folders if f"../{folder}/" not in DOCS["examples.md"]] == []


def test_the_glossary_has_the_words_of_the_pages_for_rule_writers() -> None:
    words = re.findall(r"^([a-z]\w+)$", DOCS["glossary.md"], re.MULTILINE)
    assert words == sorted(words)
    wanted = "carry challenge constraint event game golden law mode move options outcome policy refusal run"
    assert [word for word in f"{wanted} terms trail view".split() if word not in words] == []


def test_every_option_and_argument_of_the_command_line_has_help() -> None:
    bare = [
        f"{name} {one.name}"
        for name, command in main.commands.items()
        for one in command.params
        if isinstance(one, click.Option) and not one.help
    ]
    assert bare == []
    assert [name for name in main.commands if f"### `fliptable {name}`" not in DOCS["cli.md"]] == []
    sections = {part.split("`")[0]: part for part in DOCS["cli.md"].split("### `fliptable ")[1:]}
    undocumented = [
        (name, option)
        for name, command in main.commands.items()
        for one in command.params
        for option in one.opts
        if option.startswith("--") and not re.search(rf"(?<!\S){option}(?![\w-])", sections[name])
    ]
    assert undocumented == []


def test_every_setting_is_documented() -> None:
    for one in fields(Settings):
        assert one.metadata["description"] and f"`FLIPTABLE_{one.name.upper()}`" in DOCS["settings.md"]


def test_every_variable_of_the_environment_is_documented_and_read() -> None:
    """Also those that are no settings, such as what the command line goes by."""
    read = {f"FLIPTABLE_{one.name.upper()}" for one in fields(Settings)}
    for folder in ("core", "api", "plugins"):
        for path in (ROOT / folder).rglob("*.py"):
            read |= set(re.findall(r"FLIPTABLE_[A-Z]+(?:_[A-Z]+)*", path.read_text(encoding="utf-8")))
    told = set(re.findall(r"FLIPTABLE_[A-Z]+(?:_[A-Z]+)*", "".join(DOCS.values())))
    assert (sorted(read - told), sorted(told - read)) == ([], [])


def test_the_options_of_serve_that_are_no_settings_are_listed() -> None:
    settings = {one.name for one in fields(Settings)}
    more = {one.opts[0] for one in main.commands["serve"].params if one.name not in settings}
    (line,) = re.findall(r"^`fliptable serve` has further options .*$", DOCS["settings.md"], re.MULTILINE)
    assert set(re.findall(r"`(--[a-z-]+)`", line)) == more


def test_every_code_is_documented() -> None:
    registry = load_plugins(builtin_only=True)
    for code, text in {**REFUSALS, **registry.refusals, **ERRORS}.items():
        assert text.strip() and f"`{code}`" in DOCS["errors.md"], code


def test_every_event_of_a_built_in_plugin_is_documented() -> None:
    registry = load_plugins(builtin_only=True)
    owners = [("", TABLE_EVENTS)]
    owners += [(part.graphql, part.events) for part in (*registry.games.values(), *registry.modes.values())]
    for prefix, events in owners:
        for event in events:
            name = type_name(prefix, event.__name__)
            # The docstring that a dataclass makes of its signature says nothing.
            assert event.__doc__ and not event.__doc__.startswith(f"{event.__name__}("), name
            assert f"| `{name}` |" in DOCS["events.md"], name


def test_every_law_is_documented() -> None:
    page = DOCS["testing.md"]
    parts = {kind: page.partition(f"The laws of a {kind}")[2] for kind in ("game", "table")}
    rows = {kind: part.partition("| --- |")[2].partition("\n\n")[0] for kind, part in parts.items()}
    assert [law for law in GAME_LAWS if f"\n| {law} |" not in rows["game"]] == []
    assert [law for law in TABLE_LAWS if f"\n| {law} |" not in rows["table"]] == []
    assert [law for law, says in MODE_LAWS.items() if f"| {law} | {says} |" not in page] == []
    assert [law for law, says in MIGRATION_LAWS.items() if f"| {law} | {says} |" not in page] == []
    assert [law for law, says in CONSTRAINT_LAWS.items() if f"| {law} | {says} |" not in page] == []
    assert "law `api`" in DOCS["testing.md"]
