"""The kit as a pytest plugin: it is there wherever Fliptable is installed.

Fixtures: ``check_game``, ``check_mode``, ``check_constraint``, ``check_table``, ``stacked``, ``fake_clock``,
``registry``, ``table_script`` and ``golden``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from fliptable.chance import StackedChance
    from fliptable.plugins import Registry
    from fliptable.testing.clock import FakeClock
    from fliptable.testing.golden import Golden
    from fliptable.testing.tables import TableScript

# The engine is imported where a fixture is used, so that other test runs do not pay for it.


def pytest_addoption(parser: pytest.Parser) -> None:
    """One option: write golden files anew."""
    group = parser.getgroup("fliptable")
    group.addoption(
        "--regenerate-golden",
        action="store_true",
        help="Write the files of golden playthroughs anew instead of comparing with them.",
    )


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Show the test that a failed law comes with in a section, where nothing stands before its lines."""
    error = call.excinfo.value if call.excinfo is not None else None
    test = getattr(error, "test", None) if type(error).__name__ == "LawFailure" else None
    if error is not None and test is not None:
        error.args = (getattr(error, "told", ""),)
    made: Any = yield
    if test is not None:
        made.get_result().sections.append(("this failure as a test, to paste", test))


@pytest.fixture
def check_game() -> Callable[..., None]:
    """:func:`fliptable.testing.check_game`: the laws of a game."""
    from fliptable.testing import check_game as check

    return check


@pytest.fixture
def check_mode() -> Callable[..., None]:
    """:func:`fliptable.testing.check_mode`: the laws of a mode."""
    from fliptable.testing import check_mode as check

    return check


@pytest.fixture
def check_constraint() -> Callable[..., None]:
    """:func:`fliptable.testing.check_constraint`: the laws of a constraint."""
    from fliptable.testing import check_constraint as check

    return check


@pytest.fixture
def check_table() -> Callable[..., None]:
    """:func:`fliptable.testing.check_table`: the laws of a game in a mode at a table."""
    from fliptable.testing import check_table as check

    return check


@pytest.fixture
def stacked() -> Callable[..., StackedChance]:
    """:func:`fliptable.testing.stacked`: chance that lays the cards down as told."""
    from fliptable.testing import stacked as stack

    return stack


@pytest.fixture
def fake_clock() -> FakeClock:
    """A clock that stands still until it is told to go on."""
    from fliptable.testing.clock import FakeClock as Clock

    return Clock()


@pytest.fixture(scope="session")
def registry() -> Registry:
    """Every installed plugin."""
    from fliptable.plugins import load_plugins

    return load_plugins()


@pytest.fixture
def table_script(registry: Registry) -> Iterator[Callable[..., TableScript]]:
    """``table_script("one-card", "classic", …)`` opens a table of installed plugins.

    When the test is over, each one has to survive its storage: the log and a snapshot give the table.
    """
    from fliptable.testing.tables import TableScript as Script

    opened: list[TableScript] = []

    def open_table(game: str, mode: str = "classic", **more: Any) -> TableScript:
        catalogue = more.pop("catalogue", registry)
        opened.append(Script(catalogue, game, mode, **more))
        return opened[-1]

    yield open_table
    for one in opened:
        one.check_log()


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """``golden(name, text)`` holds a text against golden/NAME.txt beside the test."""
    from fliptable.testing.golden import Golden as Files

    folder: Any = Path(request.path).parent / "golden"
    return Files(folder, bool(request.config.getoption("--regenerate-golden")))
