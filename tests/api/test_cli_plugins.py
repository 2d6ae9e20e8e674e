"""`fliptable plugins`, and what other commands say of plugins that do not load."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.metadata import version
from os import environ
from pathlib import Path

import pytest
from clikit import Cli

from fliptable.plugins import load_plugins
from fliptable_api.schema import build_schema

GAME_TWICE = """
from fliptable import hookimpl
from fliptable_games.call_it import CallIt

@hookimpl
def fliptable_games():
    return [CallIt()]
"""


def install(folder: Path, name: str, module: str) -> Path:
    """A distribution of one plugin, as pip would leave it in a folder."""
    (folder / f"{name}.py").write_text(module)
    info = folder / f"fliptable_{name}-2.5.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: fliptable-{name}\nVersion: 2.5\n")
    (info / "entry_points.txt").write_text(f"[fliptable]\n{name} = {name}\n")
    return folder


def fliptable(*arguments: str, plugins: Path | None = None, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own, since plugins are found at the start."""
    kept = {name: value for name, value in environ.items() if not name.startswith("FLIPTABLE_")}
    paths = [str(plugins)] if plugins is not None else []
    environment = {**kept, "PYTHONPATH": ":".join(paths), **more}
    command = [sys.executable, "-m", "fliptable_api", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60, check=False)


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    return Cli(tmp_path)


def test_it_lists_the_policies_that_games_bring(cli: Cli) -> None:
    told = " ".join(cli("plugins").output.split())
    assert "GAME POLICY WHAT IT DOES" in told
    assert "flip7 stay-at-27 Hit until the line has 27 points or more." in told
    assert set(json.loads(cli("plugins", "--json").output)["policies"]["call-it"]) == {"low", "sure"}


def test_it_lists_what_is_loaded_from_where(cli: Cli) -> None:
    result = cli("plugins")
    assert result.exit_code == 0, result.output
    head, *rows = result.output.splitlines()
    assert head.split() == ["PLUGIN", "DISTRIBUTION", "BRINGS"]
    call_it = next(row for row in rows if row.startswith("call-it "))
    assert f"fliptable {version('fliptable')}" in call_it
    assert "game call-it" in call_it


def test_json_has_the_same(cli: Cli) -> None:
    told = json.loads(cli("plugins", "--json").output)
    assert {
        "name": "call-it",
        "distribution": "fliptable",
        "version": version("fliptable"),
        "brings": ["game call-it"],
    } in told["plugins"]
    assert told["failures"] == [] and told["schema"] is None


def test_settings_count(cli: Cli) -> None:
    table, _, _ = cli("plugins", FLIPTABLE_ALLOW_PLUGINS="call-it,classic").output.partition("\n\n")
    rows = table.splitlines()[1:]
    assert sorted(row.split()[0] for row in rows) == ["call-it", "classic"]
    assert "call-it" not in cli("plugins", FLIPTABLE_DENY_PLUGINS="call-it").output


@pytest.mark.parametrize("variable", ["FLIPTABLE_ALLOW_PLUGINS", "FLIPTABLE_DENY_PLUGINS"])
def test_a_plugin_that_is_not_installed_is_named(cli: Cli, variable: str) -> None:
    told = f"{variable} names 'nope', and no such plugin is installed; there are "
    assert told in cli("plugins", **{variable: "nope"}).stderr
    settings = {"FLIPTABLE_ALLOW_PLUGINS": "call-it", variable: "nope"}
    result = cli("serve", "--memory", "--port", "0", **settings)
    assert told in result.stderr


def test_a_wrong_setting_is_said_so(cli: Cli) -> None:
    result = cli("plugins", FLIPTABLE_MEMORY="perhaps")
    assert result.exit_code == 2
    assert "FLIPTABLE_MEMORY is 'perhaps'; it has to be true or false" in result.stderr


BROKEN = {
    "import nothing_of_that_name": "ModuleNotFoundError: No module named 'nothing_of_that_name'",
    "1 / 0": "ZeroDivisionError: division by zero",
    "raise SystemExit('gone')": "SystemExit: gone",
    "def broken(:": "SyntaxError: invalid syntax",
    GAME_TWICE: "game 'call-it' is brought by both call-it (fliptable) and broken4 (fliptable-broken4)",
    "def flipable_games(): return []": "ContractBroken: it has no hook, so nothing would ask it",
}
QUIET = """
from fliptable import hookimpl

@hookimpl
def fliptable_committed(commit):
    pass
"""


ONE_CARD = """
from __future__ import annotations
from dataclasses import dataclass
from fliptable import hookimpl
from fliptable.testing import OneCard

@dataclass(frozen=True)
class Update:
    'Something.'
    seat: int
    def text(self, names): return "x"

def local():
    @dataclass(frozen=True)
    class Inner:
        'Something.'
        a: int
    @dataclass(frozen=True)
    class View:
        'Something.'
        inner: Inner
    return View

@dataclass(frozen=True)
class Named:
    'Something.'
    id: int

class Mine(OneCard):
    id, graphql = {id!r}, {graphql!r}
    {member}

@hookimpl
def fliptable_games():
    return [Mine()]
"""
UNSHOWN = {
    "clash": (
        ONE_CARD.format(id="clash", graphql="Table", member="events = (*OneCard.events, Update)"),
        "SchemaCollision: the GraphQL type TableUpdate is wanted by clash.Update and the schema's own",
    ),
    "local": (
        ONE_CARD.format(id="local", graphql="Local", member="View = local()"),
        "SchemaCollision: local.local.<locals>.View: name 'Inner' is not defined; the types of fields",
    ),
    "named": (
        ONE_CARD.format(id="named", graphql="Named", member="View = Named"),
        "SchemaCollision: named.Named.id cannot be called that",
    ),
}


def test_what_a_server_would_leave_out_is_not_listed_as_loaded(tmp_path: Path) -> None:
    """Each with its reason, and not only the first."""
    for name, (module, _) in UNSHOWN.items():
        install(tmp_path, name, module)
    install(tmp_path, "fine", ONE_CARD.format(id="fine", graphql="Fine", member=""))
    told = fliptable("plugins", plugins=tmp_path)
    assert told.returncode == 1 and "Traceback" not in told.stderr
    rows = {row.split()[0] for row in told.stdout.splitlines() if row}
    assert {"fine", "call-it"} <= rows and not rows & set(UNSHOWN)
    for name, (_, reason) in UNSHOWN.items():
        assert f"{name} (fliptable-{name} 2.5) is not loaded:\n  {reason}" in told.stderr
    strict = fliptable("serve", "--strict-plugins", "--memory", "--port", "0", plugins=tmp_path)
    assert strict.returncode == 1 and "Traceback" not in strict.stderr
    for name, (_, reason) in UNSHOWN.items():
        assert f"plugin {name} (distribution fliptable-{name}) is not loaded: {reason}" in strict.stderr


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess[str]:
    """What is said where a stranger's plugin loads and others do not."""
    folder = tmp_path_factory.mktemp("plugins")
    install(folder, "quiet", QUIET)
    for number, module in enumerate(BROKEN):
        install(folder, f"broken{number}", module)
    return fliptable("plugins", plugins=folder)


@pytest.mark.parametrize("number", range(len(BROKEN)))
def test_what_does_not_load_is_told_with_the_reason(
    told: subprocess.CompletedProcess[str], number: int
) -> None:
    assert f"broken{number} (fliptable-broken{number} 2.5) is not loaded:" in told.stderr
    assert list(BROKEN.values())[number] in told.stderr


def test_the_others_are_loaded_and_there_is_no_traceback(told: subprocess.CompletedProcess[str]) -> None:
    assert told.returncode == 1
    assert "Traceback" not in told.stderr + told.stdout
    assert "game call-it" in told.stdout
    assert re.search(r"^quiet +fliptable-quiet 2\.5 +-$", told.stdout, re.MULTILINE)


MODE = """
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated
from fliptable import Between, hookimpl
from fliptable_modes.classic import Classic

@dataclass(frozen=True)
class Options:
    'Options.'
    rounds: Annotated[int, Between(1, 9), "How many."] = 3

class Mine(Classic):
    id, graphql, Options = {id!r}, {graphql!r}, Options
    {member}

@hookimpl
def fliptable_modes():
    return [Mine()]
"""
AT_ODDS = {
    "picky": (
        MODE.format(
            id="picky", graphql="Picky", member="def supports(self, game): raise KeyError('supports')"
        ),
        "KeyError: 'supports', raised by Mine.supports (picky.py, line 15)",
    ),
    "seatless": (
        MODE.format(id="seatless", graphql="Seatless", member="def seats(self, game): return 2"),
        "ContractBroken: mode 'seatless': seats gives 2 at the game 'call-it', and not a range",
    ),
    "misnamed": (
        MODE.format(
            id="misnamed", graphql="Misnamed", member="def limits(self, game): return {'laps': Between(1, 2)}"
        ),
        "ContractBroken: mode 'misnamed': limits at the game 'call-it': there is no option 'laps'; there are "
        "rounds",
    ),
    "wide": (
        MODE.format(
            id="wide", graphql="Wide", member="def limits(self, game): return {'rounds': Between(0, 5)}"
        ),
        "ContractBroken: mode 'wide': limits at the game 'call-it': that of rounds is from 0 to 5, and "
        "reaches beyond the option's own, from 1 to 9",
    ),
    "bare": (
        MODE.format(id="bare", graphql="Bare", member="def limits(self, game): return {'rounds': 5}"),
        "ContractBroken: mode 'bare': limits at the game 'call-it': that of rounds is 5, and has to be a "
        "Between",
    ),
}


def test_a_mode_that_goes_with_no_game_is_left_out_with_the_reason(tmp_path: Path) -> None:
    for name, (module, _) in AT_ODDS.items():
        install(tmp_path, name, module)
    narrow = "def limits(self, game): return {'rounds': Between(2, 5)}"
    install(tmp_path, "narrow", MODE.format(id="narrow", graphql="Narrow", member=narrow))
    told = fliptable("plugins", plugins=tmp_path)
    for name, (_, reason) in AT_ODDS.items():
        assert f"{name} (fliptable-{name} 2.5) is not loaded:\n  {reason}" in told.stderr, told.stderr
    assert "mode narrow" in told.stdout


def test_a_game_that_no_table_can_be_opened_of_is_told(tmp_path: Path) -> None:
    lonely = ONE_CARD.format(id="lonely", graphql="Lonely", member="modes = {'nope'}")
    lost = ONE_CARD.format(id="lost", graphql="Lost", member="default_mode = 'nope'")
    odd = ONE_CARD.format(id="odd", graphql="Odd", member="default_mode = 'custom'")
    for name, module in (("lonely", lonely), ("lost", lost), ("odd", odd)):
        install(tmp_path, name, module)
    told = fliptable("plugins", plugins=tmp_path)
    assert told.returncode == 0 and "game lonely" in told.stdout
    assert (
        "Warning: the game 'lonely' of lonely (fliptable-lonely) cannot be played, since none of the loaded "
        "modes is for it; its modes are 'nope'\n"
    ) in told.stderr
    without = "so that no table of it can be opened without a mode; there are "
    assert (
        "Warning: the game 'lost' of lost (fliptable-lost) has the default_mode 'nope', which is not loaded, "
        f"{without}"
    ) in told.stderr
    assert (
        f"the game 'odd' of odd (fliptable-odd) has the default_mode 'custom', which is not for it, {without}"
        in (told.stderr)
    )
    assert "call-it' of" not in told.stderr


def test_a_traceback_is_there_for_whoever_wants_it(tmp_path: Path) -> None:
    install(tmp_path, "broken", "1 / 0")
    told = fliptable("plugins", "--traceback", plugins=tmp_path)
    assert told.returncode == 1
    assert "broken.py" in told.stderr


@pytest.mark.parametrize("command", [["serve", "--strict-plugins", "--memory", "--port", "0"], ["schema"]])
def test_strict_commands_name_the_plugin_and_the_reason(tmp_path: Path, command: list[str]) -> None:
    install(tmp_path, "broken", "1 / 0")
    if command == ["schema"]:
        command = ["schema", "--all-plugins"]
    told = fliptable(*command, plugins=tmp_path)
    assert told.returncode == 1
    assert "Error: plugin broken (distribution fliptable-broken) is not loaded: ZeroDivision" in told.stderr
    assert "Traceback" not in told.stderr


def test_the_schema_of_the_built_in_plugins_leaves_others_out(tmp_path: Path) -> None:
    install(tmp_path, "broken", "1 / 0")
    told = fliptable("schema", plugins=tmp_path)
    assert told.returncode == 0
    assert "type CallItRound implements Round" in told.stdout


def test_a_server_without_constraints_has_challenges_without_them() -> None:
    """A schema with an input of no fields would be no schema."""
    built = build_schema(load_plugins(allow=["call-it", "classic"]))
    assert "input ConstraintInput" in built.schema.as_str()


@pytest.mark.parametrize(("loaded", "missing"), [("classic", "game"), ("call-it", "mode")])
def test_a_server_without_a_game_or_a_mode_says_so(cli: Cli, loaded: str, missing: str) -> None:
    for command in (["plugins"], ["serve", "--memory", "--port", "0"]):
        result = cli(*command, FLIPTABLE_ALLOW_PLUGINS=loaded)
        assert result.exit_code == 1
        assert f"no plugin brings a {missing}, and a server needs one" in result.stderr
