"""The example of docs/rules.md: its own tests pass, and it plays over the API like any other game."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from os import environ
from pathlib import Path

import pytest
from clikit import Cli

from fliptable.plugins import load_plugins
from fliptable_api.cli.local import memory_server
from fliptable_api.settings import Settings

EXAMPLE = Path(__file__).parents[2] / "docs" / "example-plugin"


def test_its_own_tests_pass() -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_higher.py"]
    environment = {**environ, "PYTHONPATH": str(EXAMPLE)}
    done = subprocess.run(command, cwd=EXAMPLE, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    sys.path.insert(0, str(EXAMPLE))
    import fliptable_higher

    registry = load_plugins()
    registry.register(fliptable_higher, "higher", "fliptable-higher")
    try:
        with memory_server(Settings(memory=True), registry) as address:
            yield address
    finally:
        sys.path.remove(str(EXAMPLE))


def test_it_plays_and_verifies_over_the_api(address: str, tmp_path: Path) -> None:
    cli = Cli(tmp_path, address)
    played = cli("play", "higher", "--auto", "--seed", "4", "--option", "wanted=3")
    assert played.exit_code == 0, played.output
    assert "is turned up." in played.output and "The table is over" in played.output
    code = played.output.split("Table ")[1].split(",")[0]
    result = cli("verify", code)
    assert result.exit_code == 0
    assert "cards that came out" in result.output


def test_its_options_and_refusals_are_part_of_the_schema(address: str, tmp_path: Path) -> None:
    cli = Cli(tmp_path, address)
    result = cli("play", "higher", "--option", "wanted=21")
    assert "wanted" in result.stderr and "INVALID_VALUE at game.higher.wanted" in result.stderr
    codes = cli.ask('{ __type(name: "RefusalCode") { enumValues { name } } }')["__type"]["enumValues"]
    assert {"name": "NO_SUCH_CARD"} in codes
