"""Two versions of a plugin as real distributions, and a database for their servers.

Ladder and Laps, a game and a mode, have changed their options, an event and their states between 1.0 and
1.1. `bare` is 1.1 of which somebody forgot the migrations.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from versionkit import Site

SOURCES = Path(__file__).parents[1] / "versions"


@pytest.fixture(scope="session")
def versions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Folders for PYTHONPATH, in each of which pip has installed a version of the distribution."""
    made = tmp_path_factory.mktemp("sources")
    for version in ("1.0", "1.1"):
        shutil.copytree(SOURCES / f"ladder-{version}", made / version)
    shutil.copytree(made / "1.1", made / "bare")
    module = made / "bare" / "fliptable_ladder.py"
    rules = module.read_text()
    assert rules.count("def migrate(") == 2
    module.write_text(rules.replace("def migrate(", "def forgotten("))
    targets = {folder.name: tmp_path_factory.mktemp(f"ladder-{folder.name}") for folder in made.iterdir()}
    for version, target in targets.items():
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        options = ["--no-index", "--no-deps", "--no-build-isolation", "--no-compile", "--target", str(target)]
        subprocess.run([*command, *options, str(made / version)], check=True, timeout=110)
    return targets


@pytest.fixture
def site(tmp_path: Path, mongo_url: str, mongo_database: str, versions: dict[str, Path]) -> Iterator[Site]:
    site = Site(tmp_path, mongo_url, f"versions_{mongo_database}", versions)
    yield site
    site.mongo.drop_database(site.database)
    site.mongo.close()
