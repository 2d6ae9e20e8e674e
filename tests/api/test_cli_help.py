"""The help of the command line teaches, and is right."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest
from clikit import Cli

from fliptable_api.cli import main

COMMANDS = dict(main.commands)


@pytest.fixture
def cli(tmp_path: Path) -> Cli:
    return Cli(tmp_path)


def test_the_first_help_names_every_command(cli: Cli) -> None:
    told = cli("--help").output
    for name in COMMANDS:
        assert re.search(rf"^  {name} +\S", told, re.MULTILINE)
    assert "fliptable play call-it" in told
    assert "\\b" not in told


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_says_what_it_does_and_gives_examples(cli: Cli, name: str) -> None:
    result = cli(name, "--help")
    assert result.exit_code == 0
    assert f"Examples:\n  fliptable {name}" in result.output
    assert "\\b" not in result.output
    for parameter in COMMANDS[name].params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"{parameter.name} has no help"


@pytest.mark.parametrize("name", COMMANDS)
def test_the_examples_can_be_typed(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every line of an example is a command with options that exist."""
    monkeypatch.chdir(tmp_path)
    Path("replay.json").touch()
    examples = getattr(COMMANDS[name], "examples", "")
    lines = [line for line in examples.splitlines() if line.startswith("fliptable ")]
    assert lines
    for line in lines:
        words = shlex.split(re.split(r" {2,}| \| | > ", line)[0])
        command = main.commands[words[1]]
        with command.make_context(
            words[1],
            words[2:],
        ) as context:
            assert context.params


def test_the_version_is_that_of_the_distribution(cli: Cli) -> None:
    assert cli("--version").output.startswith("fliptable, version ")


def test_a_wrong_option_names_it_and_where_help_is(cli: Cli) -> None:
    result = cli("play", "--sets", "3")
    assert result.exit_code == 2
    assert "--sets" in result.output and "--help" in result.output


def test_the_commands_for_players_do_without_the_server() -> None:
    """A client is quick to start because it loads nothing of GraphQL, the web server or the database."""
    program = (
        "import sys, fliptable_api.cli, fliptable_api.cli.player, fliptable_api.cli.verify\n"
        "print(sorted({'strawberry', 'graphql', 'uvicorn', 'motor', 'pymongo'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
