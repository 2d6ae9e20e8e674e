"""Loading plugins: built-in and foreign ones the same way, each failure reported by name."""

from __future__ import annotations

import importlib.metadata
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any

import pytest

from fliptable import Needed, hookimpl
from fliptable.events import Commit
from fliptable.plugins import PluginError, PluginMissing, Registry, load_plugins
from fliptable.testing import START
from fliptable.vetting import ContractBroken


def brings(games: Any = (), modes: Any = (), constraints: Any = ()) -> Any:
    class Brings:
        @hookimpl
        def fliptable_games(self) -> Any:
            return games

        @hookimpl
        def fliptable_modes(self) -> Any:
            return modes

        @hookimpl
        def fliptable_constraints(self) -> Any:
            return constraints

    return Brings()


def changed(kind: type, **members: Any) -> Any:
    return type(kind.__name__, (kind,), members)()


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Installs distributions that register plugins."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def install(distribution: str, **plugins: str) -> None:
        info = tmp_path / f"{distribution.replace('-', '_')}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n")
        lines = []
        for name, source in plugins.items():
            module = f"foreign_{distribution.replace('-', '_')}_{name}"
            (tmp_path / f"{module}.py").write_text(source)
            lines.append(f"{name.replace('_', '-')} = {module}")
        (info / "entry_points.txt").write_text("[fliptable]\n" + "\n".join(lines) + "\n")

    yield install


MODE = """
from dataclasses import dataclass
from fliptable import Mode, hookimpl
from fliptable_modes.classic import Classic

class Mine(Classic):
    id = {id!r}
    graphql = {graphql!r}

@hookimpl
def fliptable_modes():
    return [Mine()]
"""


def test_the_built_in_plugins_come_by_entry_points() -> None:
    registry = load_plugins()
    registered = importlib.metadata.entry_points(group="fliptable")
    assert {one.name for one in registry.plugins} == {point.name for point in registered}
    assert {one.distribution for one in registry.plugins} == {"fliptable"}
    assert not registry.failures
    assert registry.game("call-it").name == "Call It and Flip"
    assert registry.mode("classic").name == "Classic"


def test_a_foreign_plugin_is_loaded_the_same_way(site: Any) -> None:
    site("house-rules", mine=MODE.format(id="mine", graphql="Mine"))
    registry = load_plugins()
    loaded = registry.plugins[-1]
    assert (loaded.name, loaded.distribution, loaded.brings) == ("mine", "house-rules", ("mode mine",))
    assert "mine" in registry.modes
    assert "mine" not in load_plugins(builtin_only=True).modes


def test_some_can_be_chosen_and_some_left_out() -> None:
    assert set(load_plugins(allow=["call-it", "classic"]).games) == {"call-it"}
    without = load_plugins(deny=["call-it"])
    assert "call-it" not in without.games and "classic" in without.modes
    assert not load_plugins(allow=[]).plugins
    assert not load_plugins(allow=["call-it"], deny=["call-it"]).plugins


FAILURES = {
    "raises": ("raise ZeroDivisionError('at its import')", "ZeroDivisionError: at its import"),
    "missing": ("import no_such_module_anywhere", "No module named 'no_such_module_anywhere'"),
    "syntax": ("def", "SyntaxError"),
    "exits": ("raise SystemExit(3)", "SystemExit: 3"),
    "hook": (
        "from fliptable import hookimpl\n@hookimpl\ndef fliptable_gmaes():\n    return []",
        "ContractBroken: unknown hook 'fliptable_gmaes': is fliptable_games() meant?",
    ),
    "singular": (
        "from fliptable import hookimpl\n@hookimpl\ndef fliptable_game():\n    return []",
        "ContractBroken: unknown hook 'fliptable_game': is fliptable_games() meant?",
    ),
    "other_hook": (
        "from fliptable import hookimpl\n@hookimpl\ndef started():\n    return []",
        "ContractBroken: unknown hook 'started': there are fliptable_games(), fliptable_modes(), "
        "fliptable_constraints(), fliptable_queries() and fliptable_committed()",
    ),
    "raises_later": (
        "from fliptable import hookimpl\n@hookimpl\ndef fliptable_games():\n    raise KeyError('card')",
        "KeyError: 'card', raised by fliptable_games (foreign_broken_thing_raises_later.py, line 4)",
    ),
    "connects_badly": (
        "from fliptable import hookimpl\nfrom fliptable_modes.classic import Classic\n"
        "class Mine(Classic):\n    id, graphql = 'mine', 'Mine'\n"
        "    def connect(self, parts):\n        raise KeyError('parts')\n"
        "@hookimpl\ndef fliptable_modes():\n    return [Mine()]",
        "KeyError: 'parts', raised by Mine.connect (foreign_broken_thing_connects_badly.py, line 6)",
    ),
    "unmarked": (
        "def fliptable_games():\n    return []",
        "ContractBroken: fliptable_games() is not marked with @hookimpl, so nothing would ask it",
    ),
    "no_hook": (
        "from fliptable import hookimpl\ndef games():\n    return []",
        "ContractBroken: it has no hook, so nothing would ask it: mark at least one of fliptable_games(), "
        "fliptable_modes(), fliptable_constraints(), fliptable_queries() and fliptable_committed() with "
        "@hookimpl",
    ),
    "misspelt": (
        "from fliptable.testing import OneCard\ndef flipable_games():\n    return [OneCard()]",
        "with @hookimpl. Is flipable_games() meant as fliptable_games()?",
    ),
    "brings_nothing": (
        "from fliptable import hookimpl\n@hookimpl\ndef fliptable_modes():\n    pass",
        "ContractBroken: fliptable_modes() gives None, not a list of modes",
    ),
    "brings_one": (
        "from fliptable import hookimpl\nfrom fliptable.testing import OneCard\n"
        "@hookimpl\ndef fliptable_games():\n    return OneCard()",
        "not a list of games",
    ),
    "cancels": ("import asyncio\nraise asyncio.CancelledError('no')", "CancelledError: no"),
    "brings_wrong": (
        "from fliptable import hookimpl\n@hookimpl\ndef fliptable_games():\n    return ['call-it']",
        "'call-it' is not an instance of fliptable.Game",
    ),
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_failure_has_a_name_a_distribution_and_a_reason(
    site: Any, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    source, reason = FAILURES[name]
    site("broken-thing", **{name: source})
    registry = load_plugins(strict=False)
    (failure,) = registry.failures
    assert (failure.name, failure.distribution) == (name.replace("_", "-"), "broken-thing")
    assert reason in failure.reason
    assert str(failure).startswith(f"plugin {failure.name} (distribution broken-thing) is not loaded: ")
    assert str(failure) in caplog.text
    # All others are there.
    assert "call-it" in registry.games and "classic" in registry.modes
    with pytest.raises(PluginError, match=f"plugin {failure.name} .distribution broken-thing. is not loaded"):
        load_plugins()
    load_plugins(deny=[failure.name])
    load_plugins(builtin_only=True)


def test_all_failures_are_listed_at_once(site: Any) -> None:
    site("one-thing", first="raise ValueError('one')")
    site("two-things", second="raise ValueError('two')", third="raise ValueError('three')")
    with pytest.raises(PluginError) as caught:
        load_plugins()
    assert [line.split(":")[-1].strip() for line in str(caught.value).splitlines()] == ["one", "two", "three"]


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (
            "no_such_module_anywhere:plugin",
            "ModuleNotFoundError: No module named 'no_such_module_anywhere' "
            "(its entry point is 'no_such_module_anywhere:plugin')",
        ),
        (
            "fliptable_games.nothing",
            "ModuleNotFoundError: No module named 'fliptable_games.nothing' "
            "(its entry point is 'fliptable_games.nothing')",
        ),
        (
            "fliptable_games:plugin",
            "AttributeError: module 'fliptable_games' has no attribute 'plugin' "
            "(its entry point is 'fliptable_games:plugin')",
        ),
        (
            "not a module",
            "its entry point is 'not a module', which names no module: write lost = 'package.module'",
        ),
        ("", "its entry point is '', which names no module: write lost = 'package.module'"),
    ],
)
def test_an_entry_point_that_leads_to_nothing_is_named(value: str, reason: str) -> None:
    point = importlib.metadata.EntryPoint("lost", value, "fliptable")
    registry = load_plugins(points=[point], strict=False)
    assert [(one.name, one.distribution, one.reason) for one in registry.failures] == [("lost", "-", reason)]


def test_a_collision_names_both(site: Any) -> None:
    site("other-classic", mine=MODE.format(id="classic", graphql="Mine"))
    site("other-prefix", mine2=MODE.format(id="mine2", graphql="CallIt"))
    registry = load_plugins(strict=False)
    reasons = [failure.reason for failure in registry.failures]
    assert reasons == [
        "ContractBroken: mode 'classic' is brought by both classic (fliptable) and mine (other-classic)",
        "ContractBroken: GraphQL name 'CallIt' is brought by both call-it (fliptable) "
        "and mine2 (other-prefix)",
    ]
    # The built-in one stays, and nothing of the other does.
    assert registry.mode("classic").graphql == "Classic" and "mine2" not in registry.modes


def test_nothing_of_a_plugin_that_fails_stays(high: SimpleNamespace) -> None:
    registry = Registry()
    fine, bad = high.HighCard(), changed(high.Timed, graphql="lower")
    with pytest.raises(ContractBroken, match="'lower' is not in PascalCase"):
        registry.register(brings([fine], [bad]), "half")
    assert not registry.games and not registry.modes and not registry.plugins
    with pytest.raises(ValueError, match="declared by no plugin"):
        registry.codec.kind(high.Dealt)
    assert "NO_CARDS" not in registry.refusals
    # Its ids are free, so it can come again when it is mended, under the same name too.
    registry.register(brings([fine], [high.Timed()]), "half")
    assert set(registry.games) == {"high-card"} and "NO_CARDS" in registry.refusals


def test_nothing_stays_of_a_plugin_whose_mode_cannot_be_connected(high: SimpleNamespace) -> None:
    def connect(self: Any, parts: Any) -> None:
        raise ZeroDivisionError("no connection")

    registry = Registry()
    with pytest.raises(ZeroDivisionError):
        registry.register(brings([high.HighCard()], [changed(high.Timed, connect=connect)]), "half")
    assert not registry.games and not registry.modes and not registry.plugins
    registry.register(brings([high.HighCard()], [high.Timed()]), "half")


def test_a_name_is_given_once(high: SimpleNamespace) -> None:
    registry = Registry()
    registry.register(brings([high.HighCard()]), "twice")
    with pytest.raises(ValueError, match="twice"):
        registry.register(brings(), "twice")
    assert set(registry.games) == {"high-card"}


def test_what_is_missing_is_named_with_what_is_there(registry: Registry) -> None:
    with pytest.raises(PluginMissing, match=r"the game 'chess' \(loaded: .*call-it.*\)"):
        registry.game("chess")
    with pytest.raises(PluginMissing, match=r"the mode 'blitz'"):
        registry.mode("blitz")
    with pytest.raises(PluginMissing, match=r"the game 'chess' \(loaded: none\)"):
        Registry().game("chess")


@dataclass
class NoText:
    """An event without a sentence."""


@dataclass(frozen=True)
class Refusing:
    """Options that refuse their own defaults."""

    cards: int = 13

    def __post_init__(self) -> None:
        if self.cards > 12:
            raise ValueError("cards: there are 12")


@dataclass(frozen=True)
class Choosing:
    """Options of which one has to be chosen."""

    cards: Annotated[int, Needed()] = 0

    def __post_init__(self) -> None:
        if not self.cards:
            raise ValueError("cards: choose some")


def test_options_that_have_to_be_chosen_need_no_default(high: SimpleNamespace) -> None:
    Registry().register(brings([changed(high.HighCard, Options=Choosing)]), "fine")


GAME_FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"id": "High Card"}, "game id 'High Card' is not lower-case words with hyphens"),
    ({"id": "high--card"}, "is not lower-case words"),
    ({"id": "table"}, "'table' is reserved"),
    ({"graphql": "highCard"}, "GraphQL name 'highCard' is not in PascalCase"),
    ({"seats": range(3)}, "not a range of seat counts from 1"),
    ({"seats": range(3, 3)}, "not a range of seat counts from 1"),
    ({"seats": [1, 2]}, "not a range of seat counts from 1"),
    ({"version": "1.0-beta"}, "version is '1.0-beta', not numbers with dots between them"),
    ({"version": 1.0}, r"version is 1\.0, not numbers"),
    ({"View": dict}, "is not a dataclass"),
    (
        {"Options": Refusing},
        r"Refusing\(\) refuses its own defaults: cards: there are 12\. .*Needed",
    ),
    ({"moves": ("swap",)}, "'swap' is not a dataclass"),
    ({"events": (NoText,)}, "event NoText has no text"),
    ({"events": (NoText, NoText)}, "two events are called NoText"),
    ({"refusals": {"no_cards": "None left."}}, "refusal code 'no_cards' is not in UPPER_CASE"),
    ({"refusals": {"NO_CARDS": " "}}, "refusal code 'NO_CARDS' has the description ' ', not a sentence"),
    ({"policies": ["greedy"]}, "not a mapping of names to functions"),
    ({"policies": {"Greedy": lambda *_: None}}, "policy 'Greedy' is not lower-case words"),
    ({"policies": {"random": lambda *_: None}}, "policy 'random' is one that every game has"),
    ({"policies": {"greedy": "greedy"}}, "policy 'greedy' is no function of view, seat, moves and random"),
    ({"policies": {"greedy": lambda view: None}}, "policy 'greedy' is no function of view, seat, moves"),
    ({"Terms": dataclass(type("T", (), {"__annotations__": {"x": int}}))}, "T.x has no default"),
]


@pytest.mark.parametrize(("members", "complaint"), GAME_FAULTS)
def test_a_game_that_breaks_the_contract_is_told_where(
    high: SimpleNamespace, members: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(ContractBroken, match=complaint):
        Registry().register(brings([changed(high.HighCard, **members)]), "broken")


def test_a_code_of_every_table_is_not_given_another_meaning(high: SimpleNamespace) -> None:
    registry = Registry()
    told = dict(registry.refusals)
    for kind in (high.HighCard, high.Timed):
        other = changed(kind, refusals={"TABLE_FULL": "Nobody wants you here."})
        games, modes = ([other], []) if kind is high.HighCard else ([], [other])
        with pytest.raises(ContractBroken) as caught:
            registry.register(brings(games, modes), "rude")
        said = str(caught.value)
        assert said.startswith(
            f"{kind.id}: the refusal code 'TABLE_FULL' is every table's and means: Every seat"
        )
        assert said.endswith("or take a code of your own for: Nobody wants you here.")
    assert registry.refusals == told and not registry.games
    # Who says the same does no harm.
    registry.register(brings([changed(high.HighCard, refusals={"TABLE_FULL": told["TABLE_FULL"]})]), "polite")


def test_two_plugins_may_mean_different_things_by_a_code(high: SimpleNamespace) -> None:
    """Codes are common words, and plugins of strangers know nothing of one another."""
    first, second = "There is no card left to swap for.", "There are no cards for this."
    other = changed(high.Timed, refusals={"NO_CARDS": second})
    for order in (1, -1):
        registry = Registry()
        parts = [(brings([high.HighCard()]), "one"), (brings(modes=[other]), "other")]
        for plugin, name in parts[::order]:
            registry.register(plugin, name)
        assert registry.refusals["NO_CARDS"] == f"one: {first} other: {second}"
        again = changed(high.HighCard, id="again", graphql="Again")
        registry.register(brings([again]), "many")
        assert registry.refusals["NO_CARDS"] == f"many, one: {first} other: {second}"
    same = changed(high.Timed, refusals={"NO_CARDS": first})
    registry = Registry()
    registry.register(brings([high.HighCard()]), "one")
    registry.register(brings(modes=[same]), "other")
    assert registry.refusals["NO_CARDS"] == first


def test_a_plugin_does_not_give_a_code_two_meanings_of_its_own(high: SimpleNamespace) -> None:
    other = changed(high.Timed, refusals={"NO_CARDS": "There are no cards for this."})
    with pytest.raises(ContractBroken, match=r"timed: the refusal code 'NO_CARDS' means 'There are no cards"):
        Registry().register(brings([high.HighCard()], [other]), "one")


@pytest.mark.parametrize("name", ["summary", "rules", "State", "View", "moves", "events", "graphql"])
def test_a_game_without_something_is_told_what(high: SimpleNamespace, name: str) -> None:
    members = {key: value for key, value in vars(high.HighCard).items() if key != name}
    game = type("HighCard", high.HighCard.__bases__, members)()
    with pytest.raises(ContractBroken, match=f"does not define '{name}'"):
        Registry().register(brings([game]), "broken")


def test_observers_are_told_and_may_fail(caplog: pytest.LogCaptureFixture) -> None:
    heard: list[Any] = []

    class Loud:
        @hookimpl
        def fliptable_committed(self, commit: Commit) -> None:
            raise ZeroDivisionError("loud")

    class Curious:
        @hookimpl
        def fliptable_committed(self, commit: Commit) -> None:
            heard.append(commit)

    class Idle:
        @hookimpl
        def fliptable_committed(self) -> None:
            heard.append(None)

    registry = Registry()
    for name, plugin in (("loud", Loud()), ("curious", Curious()), ("idle", Idle())):
        registry.register(plugin, name)
    commit = Commit("t1", 1, START, ())
    with caplog.at_level(logging.ERROR):
        registry.committed(commit)
    assert commit in heard and None in heard
    assert "plugin loud failed on a commit of table t1" in caplog.text
