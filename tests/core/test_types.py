"""Every type of what `fliptable` exports is known: type checkers have nothing to infer or to guess."""

from __future__ import annotations

import shutil
from pathlib import Path

from pyrightkit import complaints, pyright

import fliptable

LIBRARY = Path(fliptable.__file__).parent


def test_every_type_of_the_engine_and_the_kit_is_declared(tmp_path: Path) -> None:
    """Pyright verifies a package that lies on the path, as an installed one does."""
    shutil.copytree(LIBRARY, tmp_path / "fliptable", ignore=shutil.ignore_patterns("__pycache__"))
    told = pyright("--verifytypes", "fliptable", "--ignoreexternal", path=[tmp_path])["typeCompleteness"]
    unknown = [
        f"{symbol['name']}: {complaint}"
        for symbol in told["symbols"]
        if symbol["isExported"] and not symbol["isTypeKnown"]
        for complaint in complaints(symbol["diagnostics"])
    ]
    assert unknown == []
    assert told["exportedSymbolCounts"]["withKnownType"] > 1000
    assert told["completenessScore"] == 1
    names = {symbol["name"] for symbol in told["symbols"] if symbol["isExported"]}
    assert names >= {f"fliptable.{name}" for name in fliptable.__all__}


def test_the_other_packages_are_marked_as_typed() -> None:
    import fliptable_api
    import fliptable_constraints
    import fliptable_games
    import fliptable_modes

    for package in (fliptable_api, fliptable_games, fliptable_modes, fliptable_constraints):
        assert package.__file__ is not None
        assert Path(package.__file__).with_name("py.typed").exists(), package.__name__
