"""`check_migration`: what one version has stored, the next reads; each way in which it does not is named."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
from brokenversions import BROKEN_VERSIONS, Next

from fliptable import Mode
from fliptable.testing import MIGRATION_LAWS, OneCard, check_migration

VERSIONS = Path(__file__).parents[1] / "api" / "versions"


def version_of(name: str) -> Any:
    spec = spec_from_file_location(
        name.replace("-", "_").replace(".", "_"), VERSIONS / name / "fliptable_ladder.py"
    )
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[module.__name__] = module
    spec.loader.exec_module(module)
    return module


OLD, NEW = version_of("ladder-1.0"), version_of("ladder-1.1")


@pytest.mark.parametrize("part", ["Ladder", "Laps"])
def test_what_reads_everything_passes(part: str) -> None:
    check_migration(getattr(OLD, part)(), getattr(NEW, part)())


def test_a_mode_may_be_played_with_a_game_of_its_own_plugin() -> None:
    check_migration(OLD.Laps(), NEW.Laps(), game=NEW.Ladder(), seats=[2])


@pytest.mark.parametrize(("new", "law", "told"), BROKEN_VERSIONS)
def test_what_does_not_is_named(new: Callable[[], Any], law: str, told: list[str]) -> None:
    assert law in MIGRATION_LAWS
    with pytest.raises(AssertionError) as caught:
        check_migration(OneCard(), new())
    message = str(caught.value)
    assert f"breaks the law {law!r}" in message
    assert [one for one in told if one not in message] == [], message
    assert len(message.splitlines()[0]) < 400


def test_the_right_one_passes() -> None:
    check_migration(OneCard(), Next())


class Odd(NEW.Laps):  # type: ignore[misc]
    """It is over too soon."""

    def over(self, run: Any) -> str | None:
        return "PLAYED" if run.left <= 1 else None


class Lost(NEW.Laps):  # type: ignore[misc]
    """The options are forgotten."""

    def migrate(self, kind: str, document: dict[str, Any], version: str) -> dict[str, Any]:
        return document if kind == "Options" else super().migrate(kind, document, version)


@pytest.mark.parametrize(
    ("new", "law", "told"),
    [(Lost, "readable", "as Options, {\"laps\": 2}, cannot be read: ValueError: laps: there is no such"),
     (Odd, "meaning", "mode.over is None and in the new version 'PLAYED'")],
)  # fmt: skip
def test_a_mode_is_held_to_it_too(new: Callable[[], Any], law: str, told: str) -> None:
    with pytest.raises(AssertionError) as caught:
        check_migration(OLD.Laps(), new())
    assert f"breaks the law {law!r}" in str(caught.value) and told in str(caught.value)


def test_a_game_is_no_mode() -> None:
    mode: Mode[Any] = NEW.Laps()
    with pytest.raises(AssertionError, match="one of them is a game, and the other a mode"):
        check_migration(OneCard(), mode)
