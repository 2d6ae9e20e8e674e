"""`fliptable simulate`: many rounds, the same for the same seed however many processes play them."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from fliptable_api import simulation
from fliptable_api.cli import main
from fliptable_api.simulation import Plan, bins, mean_of, play_session, share, simulate


def run(*arguments: str) -> Any:
    return CliRunner().invoke(main, ["simulate", *arguments])


def statistics(*arguments: str) -> Any:
    told = run(*arguments, "--json")
    assert told.exit_code == 0, told.output
    return json.loads(told.stdout)


def test_the_number_of_processes_makes_no_difference() -> None:
    plan = Plan("flip7", "classic", 3, ("random",), seed=3)
    assert list(simulate(plan, 60, 1)) == list(simulate(plan, 60, 2))
    assert list(simulate(plan, 10, 1)) == list(simulate(plan, 60, 1))[:10]


def test_a_session_has_rounds_of_its_own_by_number() -> None:
    rows = play_session(Plan("call-it", "streak", 1, ("first",)), 5)
    assert rows == play_session(Plan("call-it", "streak", 1, ("first",)), 5)
    assert [row.round for row in rows] == list(range(1, len(rows) + 1))
    assert [row.result for row in rows[:-1]] == ["WON"] * (len(rows) - 1)


def test_statistics_as_json() -> None:
    told = statistics("flip7", "--seats", "3", "--rounds", "40", "--mode", "classic", "--processes", "1")
    assert (told["rounds"], told["seats"], told["mode"]) == (40, 3, "classic")
    assert [part["seat"] for part in told["by_seat"]] == [0, 1, 2]
    assert told["all"]["numbers"]["points"]["count"] == 120
    assert sum(count for _, _, count in told["histogram"]["bins"]) == 120
    for part in (told["all"], *told["by_seat"]):
        for one in part["results"].values():
            assert 0 <= one["low"] <= one["share"] <= one["high"] <= 1


def test_a_histogram_and_means_for_people() -> None:
    told = run("call-it", "--rounds", "30", "--processes", "1", "--histogram", "flips")
    assert told.exit_code == 0, told.output
    assert "30 rounds" in told.output and "flips:" in told.output and "█" in told.output


def test_every_round_of_every_seat_as_csv(tmp_path: Path) -> None:
    path = tmp_path / "rounds.csv"
    told = run("flip7", "--seats", "2", "--rounds", "20", "--processes", "1", "--csv", str(path))
    assert told.exit_code == 0, told.output
    with path.open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 40 and set(rows[0]) >= {"session", "round", "seat", "result", "points", "moves"}


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_the_histogram_as_a_drawing(tmp_path: Path, suffix: str) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / f"points.{suffix}"
    told = run("flip7", "--seats", "2", "--rounds", "10", "--processes", "1", "--plot", str(path))
    assert told.exit_code == 0, told.output
    assert path.read_bytes()[:5] in (b"\x89PNG\r", b"<?xml")


def test_a_policy_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a_policy.py").write_text(
        "def highest(view, seat, moves, random):\n"
        "    from fliptable_games.call_it.vocabulary import Call, Flip\n"
        "    return Flip() if view.target else Call(340)\n"
        "def wrong(view, seat, moves, random):\n"
        "    from fliptable_games.call_it.vocabulary import Call\n"
        "    return Call(1)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    plain = ("call-it", "--rounds", "5", "--processes", "1", "--policy")
    numbers = statistics(*plain, "a_policy:highest")["all"]["numbers"]
    assert numbers["flips"]["least"] >= 40
    told = run(*plain, "a_policy:wrong")
    assert told.exit_code == 1 and "a_policy:wrong played Call(target=1)" in told.output


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["no-such-game"], "no loaded plugin brings the game"),
        (["flip7", "--mode", "streak"], "flip7 cannot be played in the mode streak"),
        (["call-it", "--seats", "99"], "seats, not 99"),
        (["call-it", "--policy", "greedy"], "none of random, first"),
        (["call-it", "--policy", "no_module:f"], "No module named 'no_module'"),
        (["call-it", "--option", "x=1"], "of the names"),
        (["call-it", "--histogram", "lines", "--rounds", "1", "--processes", "1"], "there is: points, moves"),
        (["call-it", "--plot", "a.gif"], "neither .png nor .svg"),
    ],
)
def test_what_cannot_be_simulated_is_said(arguments: list[str], wanted: str) -> None:
    told = run(*arguments)
    assert told.exit_code != 0 and wanted in " ".join(told.output.split())


def test_intervals() -> None:
    assert share(0, 10)[:2] == (0.0, 0.0)
    # Wilson's interval of 5 in 10, from the formula by hand.
    assert [round(part, 4) for part in share(5, 10)] == [0.5, 0.2366, 0.7634]
    mean = mean_of([1, 2, 3, 4])
    assert (mean.mean, round(mean.deviation, 4), round(mean.low, 3)) == (2.5, 1.291, 1.235)
    assert mean_of([7]).low == 7.0


def test_bins_hold_every_value_once() -> None:
    assert bins([3]) == [(3, 3, 1)]
    assert bins([0, 1, 1, 3]) == [(0, 0, 1), (1, 1, 2), (2, 2, 0), (3, 3, 1)]
    wide = bins(list(range(100)))
    assert len(wide) == 20 and {count for *_, count in wide} == {5}
    assert set(simulation.POLICIES) == {"random", "first"}
