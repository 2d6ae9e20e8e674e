"""`make schema-diff` tells what has become of the schema since the last tag, and fails when clients break."""

from __future__ import annotations

import subprocess
import sys
from os import environ
from pathlib import Path

import pytest
from nodekit import INTEROP, package

ROOT = Path(__file__).parents[2]
OURS = (ROOT / "schema.graphql").read_text(encoding="utf-8")
SEATS = """
  "The fewest seats."
  minSeats: Int!
"""


def schema(seats: str = SEATS) -> str:
    return f"type Query {{ games: [Game!]! }} type Game {{ id: ID! {seats} }}"


class Repository:
    """A repository with a schema, and the Makefile of this one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # No settings of this machine: a tag is not to be signed here.
        self.environment = {
            **{name: value for name, value in environ.items() if not name.startswith(("GIT_", "MAKE"))},
            "GIT_CONFIG_GLOBAL": "/dev/null",
            "GIT_CONFIG_SYSTEM": "/dev/null",
        }
        self.git("init", "--quiet")

    def git(self, *arguments: str) -> None:
        who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com"]
        subprocess.run(["git", *who, *arguments], cwd=self.folder, env=self.environment, check=True)

    def write(self, schema: str) -> None:
        (self.folder / "schema.graphql").write_text(schema, encoding="utf-8")

    def release(self, schema: str, tag: str) -> None:
        self.write(schema)
        self.git("add", "schema.graphql")
        self.git("commit", "--quiet", "--allow-empty", "-m", tag)
        self.git("tag", tag)

    def diff(self, **variables: str) -> tuple[int, str]:
        """The exit code of `make schema-diff`, and all that it says."""
        package("@graphql-inspector/cli")
        # What it needs is there already, so that make has nothing to install.
        given = {"VENV": sys.prefix, "INTEROP": str(INTEROP), "NODE": "", "NODE_MODULES": "", **variables}
        command = ["make", "--no-print-directory", "-f", str(ROOT / "Makefile"), "schema-diff"]
        done = subprocess.run(
            [*command, *(f"{name}={value}" for name, value in given.items())],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path)


def test_without_a_tag_there_is_nothing_to_compare_with(repository: Repository) -> None:
    repository.write(OURS)
    code, told = repository.diff()
    assert (code, told.strip()) == (0, "There is no tag yet, so there is nothing to compare the schema with.")


def test_the_same_schema(repository: Repository) -> None:
    repository.release(OURS, "v1")
    code, told = repository.diff()
    assert code == 0
    assert "schema.graphql since v1" in told and "No changes detected" in told


def test_what_is_added_is_told_and_passes(repository: Repository) -> None:
    repository.release(schema(), "v1")
    repository.write(schema(SEATS + "colour: String"))
    code, told = repository.diff()
    assert code == 0
    assert "Field colour was added to object type Game" in told and "No breaking changes" in told


def test_what_is_worded_better_is_no_change(repository: Repository) -> None:
    repository.release(schema(), "v1")
    repository.write(schema(SEATS.replace("The fewest", "How few")))
    assert "No changes detected" in repository.diff()[1]


def test_what_breaks_clients_is_named_and_fails(repository: Repository) -> None:
    repository.release(schema(), "v1")
    repository.write(schema(""))
    code, told = repository.diff()
    assert code == 2
    assert "Field minSeats was removed from object type Game" in told and "1 breaking change" in told


def test_what_was_deprecated_before_may_go(repository: Repository) -> None:
    old = SEATS.replace("Int!", 'Int! @deprecated(reason: "Use seats.")')
    repository.release(schema(old), "v1")
    repository.write(schema(""))
    code, told = repository.diff()
    assert code == 0
    assert "minSeats" in told


def test_the_last_tag_counts_unless_another_is_named(repository: Repository) -> None:
    repository.release(schema(), "v1")
    repository.release(schema(""), "v2")
    assert repository.diff()[0] == 0
    code, told = repository.diff(SINCE="v1")
    assert code == 2 and "minSeats" in told
