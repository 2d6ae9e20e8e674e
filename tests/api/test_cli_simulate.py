"""`fliptable simulate`: many rounds, the same for the same seed however many processes play them."""

from __future__ import annotations

import csv
import json
import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from clikit import listen_to_ctrl_c

from fliptable_api.cli import main
from fliptable_api.policies import POLICIES
from fliptable_api.simulation import Plan, play_session, simulate
from fliptable_api.statistics import bins, mean_of, share
from fliptable_games.call_it import CallIt


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


MODULE = """
from pathlib import Path
from fliptable_games.call_it.vocabulary import Call, Flip

def highest(view, seat, moves, random):
    return Flip() if view.target else Call(340)

def wrong(view, seat, moves, random):
    return Call(1)

def nonsense(view, seat, moves, random):
    return "flip"

def broken(view, seat, moves, random):
    return Flip() if view.target and view.hands[0].flips < 2 else Call(30) if not view.target else 1 // 0

calls = 0

def endless(view, seat, moves, random):
    '''Says when it has played some rounds, and goes on for ever.'''
    global calls
    calls += 1
    if calls == 400:
        Path("playing").touch()
    return Flip() if view.target else Call(30)

def nothing(view, seat, moves, random):
    pass

limit = 30
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A module with policies in the folder where the command is run."""
    (tmp_path / "a_policy.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    path = list(sys.path)
    yield
    sys.path[:] = path
    sys.modules.pop("a_policy", None)


PLAIN = ("call-it", "--rounds", "5", "--processes", "1", "--policy")


@pytest.mark.usefixtures("module")
def test_a_policy_of_ones_own_lies_in_the_folder() -> None:
    numbers = statistics(*PLAIN, "a_policy:highest")["all"]["numbers"]
    assert numbers["flips"]["least"] >= 40


@pytest.mark.usefixtures("module")
@pytest.mark.parametrize("processes", ["1", "2"])
@pytest.mark.parametrize(
    ("policy", "wanted"),
    [
        (
            "wrong",
            "after 0 moves of round 1 in session 0 of seed 0, played Call(target=1), which is not legal",
        ),
        ("nonsense", "after 0 moves of round 1 in session 0 of seed 0, played 'flip', which is not legal"),
        ("nothing", "after 0 moves of round 1 in session 0 of seed 0, gave None instead of a move."),
        ("broken", "after 3 moves of round 1 in session 0 of seed 0, raised ZeroDivisionError"),
    ],
)
def test_what_is_wrong_with_a_policy_names_it_and_the_position(
    policy: str, wanted: str, processes: str
) -> None:
    told = run("call-it", "--rounds", "40", "--processes", processes, "--policy", f"a_policy:{policy}")
    said = " ".join(told.output.split())
    assert told.exit_code == 1 and isinstance(told.exception, SystemExit), told.output
    assert said.startswith(f"Error: The policy 'a_policy:{policy}', at seat 0 {wanted}"), said
    # What is long stands on lines of its own.
    lines = [line.partition(":")[0] for line in told.output.splitlines()]
    assert lines == ["Error", *(["Legal moves"] if policy != "broken" else []), "It saw"], told.output
    assert "It saw: CallItView(" in said and max(map(len, told.output.splitlines())) < 250
    if policy == "broken":
        assert "(a_policy.py, line 15)" in said


def test_policies_of_the_game_by_their_names() -> None:
    plan = ("flip7", "--mode", "classic", "--rounds", "300", "--processes", "1", "--seats", "2")
    told = statistics(*plan, "--policy", "by-the-odds", "--policy", "random")
    good, random = told["by_seat"]
    assert (good["policy"], random["policy"]) == ("by-the-odds", "random")
    assert good["numbers"]["points"]["low"] > random["numbers"]["points"]["high"]
    assert "seat 1 (random):" in run(*plan, "--policy", "by-the-odds", "--policy", "random").output


def test_policies_take_turns_if_there_are_fewer_than_seats() -> None:
    told = statistics(
        *("flip7", "--rounds", "4", "--seats", "3", "--processes", "1"),
        *("--policy", "stay-at-20", "--policy", "first"),
    )
    assert [part["policy"] for part in told["by_seat"]] == ["stay-at-20", "first", "stay-at-20"]


def test_the_help_beside_a_game_tells_its_policies() -> None:
    told = run("flip7", "--help")
    assert told.exit_code == 0 and "Policies of flip7:" in told.output
    assert re.search(r"by-the-odds +Hit as long as the next card adds points on average\.", told.output)
    for plain in (run("--help"), run("no-such-game", "--help")):
        assert plain.exit_code == 0 and "Policies of" not in plain.output


def test_a_challenge_is_needed_and_said_whoever_opens_the_table() -> None:
    for processes in ("1", "2"):
        told = run("call-it", "--mode", "custom", "--rounds", "40", "--processes", processes)
        assert told.exit_code == 1 and isinstance(told.exception, SystemExit)
        assert told.output.endswith("Error: The mode custom needs the code of a challenge.\n")


def played_in_a_terminal(
    folder: Path, processes: int, term: str, *arguments: str
) -> tuple[subprocess.Popen[bytes], int]:
    """The command with a policy that never ends, in a terminal; the other end of that."""
    command = [sys.executable, "-m", "fliptable_api", "simulate", "call-it", "--policy", "a_policy:endless"]
    command += ["--rounds", "1000000", "--processes", str(processes), *arguments]
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": term}
    with (folder / "out").open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=theirs,
            stdout=output,
            stderr=theirs,
            start_new_session=True,
            preexec_fn=listen_to_ctrl_c,
        )
    os.close(theirs)
    return process, ours


def all_of(terminal: int) -> str:
    """What was written to a terminal, until nobody writes to it any more."""
    parts = []
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:
            break
        if not part:
            break
        parts.append(part)
    os.close(terminal)
    return b"".join(parts).decode()


@pytest.mark.usefixtures("module")
@pytest.mark.parametrize(("processes", "term"), [(1, "xterm"), (2, "xterm"), (1, "dumb")])
def test_ctrl_c_ends_it_at_once_with_what_was_played(tmp_path: Path, processes: int, term: str) -> None:
    process, terminal = played_in_a_terminal(tmp_path, processes, term, "--csv", "rounds.csv", "--json")
    try:
        while not (tmp_path / "playing").exists():
            assert process.poll() is None
        os.killpg(process.pid, signal.SIGINT)
        said = all_of(terminal)
        assert process.wait(30) == 130, said
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    stopped = re.search(r"Stopped after (\d+) of 1000000 rounds\.", said)
    assert stopped is not None and "Traceback" not in said, said
    # The bar needs a terminal that can move its cursor.
    assert ("Playing" in said) is (term != "dumb") and ("\x1b" in said) is (term != "dumb")
    output = (tmp_path / "out").read_text()
    if processes == 1:
        told = json.loads(output)
        assert told["rounds"] == int(stopped[1]) > 0
        with (tmp_path / "rounds.csv").open() as file:
            assert len(list(csv.DictReader(file))) == told["rounds"]
    else:
        # Batches are long here, so it may be that none was ready.
        assert not output or json.loads(output)["rounds"] == int(stopped[1])


def test_without_a_terminal_there_is_no_bar(tmp_path: Path) -> None:
    told = run("call-it", "--rounds", "3", "--processes", "1", "--json")
    assert told.exit_code == 0 and told.stderr == "" and json.loads(told.stdout)["rounds"] == 3


def test_what_cannot_be_written_is_said_before_anything_is_played(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    for option in ("--csv", "--plot"):
        path = tmp_path / "nowhere" / "a.svg"
        told = run("call-it", "--rounds", "1000000000", option, str(path))
        assert told.exit_code == 1 and told.output.endswith(f"there is no folder {path.parent}\n")


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["no-such-game"], "no loaded plugin brings the game"),
        (["flip7", "--mode", "streak"], "flip7 cannot be played in the mode streak"),
        (["call-it", "--seats", "99"], "seats, not 99"),
        (
            ["call-it", "--policy", "greedy"],
            "has no policy 'greedy'; it has random, first, low, sure, and takes module:function",
        ),
        (["call-it", "--policy", "no_module:f"], "No module named 'no_module'"),
        (["call-it", "--policy", "json:nothing"], "'json:nothing' cannot be had: AttributeError"),
        (["call-it", "--policy", "math:pi"], "'math:pi' is 3.14"),
        (["call-it", "--policy", "low", "--policy", "sure"], "2 policies are too many for --seats 1"),
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
    for count in range(1, 200):
        for hits in {0, 1, count // 2, count - 1, count}:
            part, low, high = share(hits, count)
            assert 0 <= low <= part <= high <= 1, (hits, count)
        assert share(count, count)[::2] == (1.0, 1.0)
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
    assert set(POLICIES) == {"random", "first"}


@pytest.mark.parametrize("error", [SystemExit(3), GeneratorExit(), ZeroDivisionError("a bug")])
def test_a_plugin_that_raises_is_named(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def failing(*_: Any) -> Any:
        raise error

    monkeypatch.setattr(CallIt, "decide", failing)
    told = run("call-it", "--rounds", "3", "--processes", "1")
    assert told.exit_code == 1 and "Traceback" not in told.output
    name = type(error).__name__
    assert "Session 0 of seed 0 broke off, with game call-it of call-it (fliptable)" in told.stderr
    assert name in told.stderr and "test_cli_simulate.py, line" in told.stderr


def test_a_policy_that_ends_the_program_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaving(*_: Any) -> Any:
        raise SystemExit(3)

    monkeypatch.setitem(POLICIES, "first", leaving)
    told = run("call-it", "--policy", "first", "--rounds", "3", "--processes", "1")
    assert told.exit_code == 1 and "the policy 'first', at seat 0" in told.stderr.lower()
    assert "raised SystemExit: 3 (test_cli_simulate.py, line" in told.stderr
