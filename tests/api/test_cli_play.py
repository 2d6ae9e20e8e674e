"""`fliptable play`: any table of any game, for a person or by lot, with legalMoves alone."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import stat
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from clikit import Cli, listen_to_ctrl_c
from serverkit import eventually

from fliptable.plugins import Registry, load_plugins
from fliptable_api.cli.opening import _value
from fliptable_api.cli.player import Wanted, play_table
from fliptable_api.client import ClientError


@pytest.fixture
def cli(tmp_path: Path, address: str) -> Cli:
    return Cli(tmp_path, address)


def code_of(output: str) -> str:
    found = re.search(r"Table ([A-Z2-9]{6}), tbl_", output)
    assert found, output
    return found[1]


TABLE = """query($code: String!) { table: tableByCode(code: $code) {
  id status version overReason game { id } mode { id } seats { name local player { name } }
  visibility round { number ... on CallItRound { target sharedDeck } } run { ... on SurvivalRun { lives } }
} }"""


def test_a_person_plays_a_round_to_its_end(cli: Cli) -> None:
    """Enter takes the default of a value and plays the only move there is."""
    result = cli("play", "call-it", "--name", "Ann", input="31\n" + "\n" * 52)
    assert result.exit_code == 0, result.output
    assert "You are Ann." in result.output
    assert "target? 30 or more; Enter for 30" in result.output
    assert "· Ann calls 31." in result.output
    assert re.search(r"· Ann flips \S+\.", result.output)
    assert re.search(r"sum \d+, readings 1, status LIVE", result.output)
    assert "· The table is over (played)." in result.output
    code = code_of(result.output)
    assert f"fliptable verify {code} --server {cli.server}" in result.output
    table = cli.ask(TABLE, code=code)["table"]
    assert table["status"] == "OVER" and table["round"]["target"] == 31


def test_what_cannot_be_is_asked_for_again(cli: Cli) -> None:
    result = cli("play", "call-it", input="29\nmany\n99999999999\n30\nx\n\n")
    assert result.exit_code == 0
    assert "target cannot be 29: it is 30 or more." in result.output
    assert "target cannot be many" in result.output
    assert "target cannot be 99999999999" in result.output
    assert "calls 30." in result.output
    assert "Only Enter or q will do." in result.output


def test_at_the_end_of_input_the_table_stays_and_can_be_come_back_to(cli: Cli) -> None:
    first = cli("play", "call-it", "--name", "Ann", input="40\n\n")
    assert first.exit_code == 0
    code = code_of(first.output)
    come_back = f"fliptable play --table {code} --name Ann --server {cli.server}"
    assert come_back in first.output
    assert cli.ask(TABLE, code=code)["table"]["status"] == "PLAYING"
    second = cli(*come_back.split()[1:], input="q\n")
    assert second.exit_code == 0
    assert "You are Ann." in second.output
    assert "target 40" in second.output
    assert "no seat" not in second.output


@pytest.mark.parametrize("sent", [signal.SIGINT, None])
def test_ctrl_c_and_the_end_of_input_leave_quietly(cli: Cli, sent: signal.Signals | None) -> None:
    """In a process of its own, with somebody who might still type."""
    environment = {**os.environ, "XDG_CONFIG_HOME": str(cli.home), "FLIPTABLE_SERVER": cli.server}
    command = [sys.executable, "-m", "fliptable_api", "play", "call-it", "--name", "Ann"]
    with subprocess.Popen(
        preexec_fn=listen_to_ctrl_c,
        args=command,
        env=environment,
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        told = ""
        while "Enter for 30" not in told:
            told += process.stdout.readline()
        if sent is None:
            process.stdin.close()
        else:
            process.send_signal(sent)
        assert process.wait(30) == (0 if sent is None else 130)
        rest = process.stdout.read() + process.stderr.read()
    assert "The table stays. Come back with:" in rest
    assert "Traceback" not in rest and "Fatal" not in rest


def test_who_one_is_is_kept_in_a_file_for_oneself_alone(cli: Cli) -> None:
    cli("play", "call-it", "--name", "Ann", input="")
    assert stat.S_IMODE(cli.tokens.stat().st_mode) == 0o600
    assert stat.S_IMODE(cli.tokens.parent.stat().st_mode) & 0o077 == 0
    kept = json.loads(cli.tokens.read_text())[f"{cli.server}/graphql"]
    assert kept["last"] == "Ann"
    assert kept["tokens"]["Ann"].startswith("ft_")
    cli("play", "call-it", "--name", "Bob", input="")
    assert "You are Bob." in cli("play", "call-it", input="").output
    again = json.loads(cli.tokens.read_text())[f"{cli.server}/graphql"]
    assert again["tokens"]["Ann"] == kept["tokens"]["Ann"]


def test_a_kept_token_that_the_server_forgot_is_replaced(cli: Cli) -> None:
    """A server in memory knows nobody after its restart."""
    cli("play", "call-it", "--name", "Ann", input="")
    kept = json.loads(cli.tokens.read_text())
    kept[f"{cli.server}/graphql"]["tokens"]["Ann"] = "ft_gone"
    cli.tokens.write_text(json.dumps(kept))
    result = cli("play", "call-it", input="")
    assert result.exit_code == 0
    assert "You are Ann." in result.output


def test_a_spoilt_token_file_counts_as_none(cli: Cli) -> None:
    cli.tokens.parent.mkdir(parents=True)
    cli.tokens.write_text("{")
    assert cli("play", "call-it", "--name", "Ann", input="").exit_code == 0


def test_a_token_of_the_environment_is_used_and_not_kept(cli: Cli) -> None:
    result = cli("play", "call-it", input="", FLIPTABLE_TOKEN=cli.sign_in("Eve"))
    assert "You are Eve." in result.output
    assert not cli.tokens.exists()


def test_an_unknown_token_is_said_so(cli: Cli) -> None:
    result = cli("play", "call-it", "--token", "ft_nobody")
    assert result.exit_code == 1
    assert result.stderr == "Error: The server does not know the token\n"


def test_modes_options_and_seats_are_what_was_asked_for(cli: Cli) -> None:
    result = cli("play", "call-it", "--mode", "survival", "--option", "lives=7", "--public", input="")
    table = cli.ask(TABLE, code=code_of(result.output))["table"]
    assert (table["mode"]["id"], table["run"]["lives"], table["visibility"]) == ("survival", 7, "PUBLIC")
    result = cli(
        *("play", "Call It and Flip", "--option", "shared-deck=true", "--seats", "2", "--local", "Bob"),
        input="",
    )
    table = cli.ask(TABLE, code=code_of(result.output))["table"]
    assert table["round"]["sharedDeck"] is True
    assert [seat["local"] for seat in table["seats"]] == [False, True]


def test_an_option_that_takes_a_list_is_written_in_json() -> None:
    days = {"name": "days", "type": "Int", "list": True, "choices": None}
    assert _value(days, "[1, 2]") == [1, 2]
    with pytest.raises(ClientError, match="days is '1 2'; it has to be written in JSON"):
        _value(days, "1 2")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "Which game? There is:\n  call-it "),
        (["chess"], "There is no game called 'chess'; there is:\n  call-it "),
        (["call-it", "--mode", "blitz"], "There is no mode of Call It and Flip called 'blitz'"),
        (["call-it", "--option", "lives"], "it looks like --option name=value"),
        (["call-it", "--option", "lives=3"], "a mode's options go with --mode"),
        (["call-it", "--mode", "survival", "--option", "cats=3"], "it has sharedDeck, lives"),
        (["call-it", "--mode", "survival", "--option", "lives=some"], "it has to be a whole number"),
        (["call-it", "--option", "sharedDeck=perhaps"], "it has to be true or false"),
        (["flip", "--option", "decks=green"], "it has to be one of COLORS, SUITS"),
        (["call-it", "--mode", "survival", "--option", "lives=99"], "(INVALID_VALUE at mode.survival.lives)"),
        (["call-it", "--seats", "40"], "(INVALID_VALUE at seats)"),
        (["--table", "ZZZZZZ"], "There is no table 'ZZZZZZ' at "),
        (["--table", "tbl_zzzz"], "There is no table 'tbl_zzzz' at "),
        (["call-it", "--name", "x" * 41], "INVALID_ARGUMENT"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(cli: Cli, arguments: list[str], told: str) -> None:
    result = cli("play", *arguments)
    assert result.exit_code == 1
    assert told in result.stderr


def test_a_game_and_a_table_are_too_much(cli: Cli) -> None:
    assert cli("play", "call-it", "--table", "ABCDEF").exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["call-it", "--seed", "3"], "--seed is only for --auto"),
        (["call-it", "--moves", "3"], "--moves is only for --auto"),
        (["--demo", "--server", "http://127.0.0.1:8000"], "--server cannot go with --demo"),
        (["--demo", "--token", "ft_x"], "--token cannot go with --demo"),
        (["--demo", "--table", "ABCDEF"], "--table cannot go with --demo"),
        (["--table", "ABCDEF", "--mode", "streak"], "--mode is for a table that is opened"),
        (["--table", "ABCDEF", "--option", "a=b"], "--option is for a table that is opened"),
        (["--table", "ABCDEF", "--local", "Bob"], "--local is for a table that is opened"),
        (["--table", "ABCDEF", "--seats", "2"], "--seats is for a table that is opened"),
        (["--table", "ABCDEF", "--public"], "--public is for a table that is opened"),
    ],
)
def test_an_option_that_would_say_nothing_is_refused(cli: Cli, arguments: list[str], told: str) -> None:
    result = cli("play", *arguments)
    assert result.exit_code == 2
    assert told in result.stderr


@pytest.mark.parametrize(
    ("server", "told"),
    [
        ("http://127.0.0.1:9", "nothing listens there (start a server with `fliptable serve`)"),
        ("127.0.0.1:9", "The server at http://127.0.0.1:9/graphql cannot be reached"),
        ("ftp://127.0.0.1", "is not the address of a server"),
        ("http://:80", "is not the address of a server"),
        ("http://127.0.0.1:0", "is not the address of a server"),
    ],
)
@pytest.mark.parametrize("command", [["play", "call-it"], ["verify", "ABCDEF"], ["replay", "ABCDEF"]])
def test_a_server_that_is_not_there_is_said_so(cli: Cli, command: list[str], server: str, told: str) -> None:
    result = cli(*command, "--server", server)
    assert result.exit_code == (3 if command[0] == "verify" else 1)
    assert told in result.stderr


def test_something_else_than_graphql_is_said_so(cli: Cli) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as other:
        thread = Thread(target=other.serve_forever)
        thread.start()
        url = f"http://127.0.0.1:{other.server_port}"
        result = cli("play", "call-it", "--server", url)
        other.shutdown()
        thread.join()
    assert result.exit_code == 1
    assert f"Error: There is no GraphQL at {url}/graphql; it answered HTTP 501\n" in result.stderr


def test_the_host_acts_for_local_seats(cli: Cli) -> None:
    """The seats take turns at one keyboard; the list says whose move it is."""
    result = cli(
        *("play", "flip", "--seats", "2", "--local", "Ann", "--local", "Bob", "--name", "Host"),
        input="1\n1\n1\n",
    )
    assert result.exit_code == 0, result.output
    assert re.search(r"· (Ann|Bob) places ", result.output)
    assert re.search(r"(Ann|Bob), (place|flip)", result.output)


def test_a_move_can_be_typed_as_json(cli: Cli) -> None:
    """For moves whose values are too many to list, such as the lines of a scoreboard."""
    result = cli(
        *("play", "scoreboard", "--seats", "2", "--local", "Ann", "--local", "Bob"),
        input='1 {"numbers": [3, 4], "modifiers": ["+2"]\n1 {"numbers": [3, 4], "modifiers": ["+2"]}\n',
    )
    assert result.exit_code == 0, result.output
    assert "What comes after the number is not JSON: " in result.output
    assert "3 4 +2, 9 points" in result.output


def test_a_refusal_is_told_and_the_moves_are_offered_again(cli: Cli) -> None:
    result = cli(
        *("play", "scoreboard", "--seats", "2", "--local", "Ann", "--local", "Bob"),
        input='1 {"numbers": [3, 3]}\n',
    )
    assert result.exit_code == 0, result.output
    assert re.search(r"Refused: .*\([A-Z_]+\)", result.output)
    assert result.output.count("Which move? (q stops)") == 2


SCOREBOARD = ("play", "scoreboard", "--seats", "2", "--local", "Ann", "--local", "Bob")


def test_a_line_is_entered_by_whoever_knows_only_the_legal_moves(cli: Cli) -> None:
    result = cli(*SCOREBOARD, input="1\n3 12\n+2, x2\nno\n")
    assert result.exit_code == 0, result.output
    assert "numbers? up to 7 of 0 to 12; Enter for none" in result.output
    assert "3 12 +2 x2, 32 points" in result.output


def test_json_in_the_place_of_a_value_overwrites_nothing(cli: Cli) -> None:
    entered = cli(*SCOREBOARD, input='1 {"numbers":[3]}\nq\n')
    assert "3, 3 points" in entered.output
    listed = re.findall(r"^ +(\d+)  Ann: Enter or correct the line of round 1 ", entered.output, re.MULTILINE)
    lines = f'1 {{"numbers":[3]}}\n{listed[-1]}\n1 {{"numbers":[9,9]}}\nq\n'
    result = cli(*SCOREBOARD, input=lines)
    assert result.exit_code == 0, result.output
    assert "numbers cannot have" in result.output
    assert "corrected" not in result.output


def test_what_is_no_move_is_told_and_asked_for_again(cli: Cli) -> None:
    """A typing mistake does not end the program, whoever finds it."""
    lines = '3 {"numbers":[13]}\n1 {"numbers":"all"}\n1 {"numbers":[13]}\n1 {"numbers":[4]}\n'
    result = cli(*SCOREBOARD, input=lines)
    assert result.exit_code == 0, result.output
    assert "has no field 'numbers'; it has points, round." in result.output
    assert "(GRAPHQL_VALIDATION_FAILED)" in result.output
    assert "(BAD_LINE)" in result.output
    assert "4, 4 points" in result.output


async def heard(capsys: pytest.CaptureFixture[str], sentence: str) -> str:
    """All that was printed, once the sentence was."""
    told: list[str] = []

    def said() -> bool:
        told.append(capsys.readouterr().out)
        return sentence in "".join(told)

    await eventually(said, sentence)
    return "".join(told)


async def test_two_people_play_one_table(cli: Cli, capsys: pytest.CaptureFixture[str]) -> None:
    """The host waits for a guest, who comes by the code; the host's client starts the table."""
    host = asyncio.create_task(
        play_table(Wanted(cli.server, "call-it", seats=2, token=cli.sign_in("Ann"), auto=True, seed=1))
    )
    told = await heard(capsys, "Waiting for players: 1 of 2 seats are taken.")
    code = code_of(told)
    assert f"fliptable play --table {code}" in told
    guest = Wanted(cli.server, table=code.lower(), token=cli.sign_in("Bob"), auto=True, seed=2)
    assert await play_table(guest) == await host
    told = capsys.readouterr().out
    assert "· Bob sits down." in told and "You are Bob." in told
    assert "· The table is over (played)." in told


async def test_a_stranger_watches(cli: Cli, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a seat there is nothing to choose, and what happens is told all the same."""
    token = cli.sign_in("Ann")
    document = (
        "mutation { createTable(input: {game: {callIt: {}}}) { ... on TableOpened { table { code } } } }"
    )
    code = cli.ask(document, token)["createTable"]["table"]["code"]
    watching = asyncio.create_task(play_table(Wanted(cli.server, table=code, token=cli.sign_in("Eve"))))
    told = await heard(capsys, "Waiting for Ann …")
    assert "You have no seat at this table, so you watch." in told
    await play_table(Wanted(cli.server, table=code, token=token, auto=True))
    await watching
    assert "You are Eve." in told
    assert capsys.readouterr().out.count("· The table is over (played).") == 2


def test_the_same_seed_makes_the_same_choices(cli: Cli) -> None:
    outputs = [cli("play", "call-it", "--auto", "--seed", "3").output for _ in range(2)]
    calls = [re.search(r"calls (\d+)", output) for output in outputs]
    assert calls[0] and calls[1] and calls[0][1] == calls[1][1]


def test_it_stops_after_so_many_moves(cli: Cli) -> None:
    result = cli("play", "call-it", "--mode", "practice", "--auto", "--moves", "3")
    assert result.exit_code == 0
    assert "The table stays." in result.output
    assert cli.ask(TABLE, code=code_of(result.output))["table"]["version"] == 4


def test_the_demo_plays_and_verifies_a_game_without_a_server(tmp_path: Path) -> None:
    result = Cli(tmp_path)("play", "--demo")
    assert result.exit_code == 0, result.output
    assert "· The table is over (played)." in result.output
    assert result.output.endswith("All shuffles are right.\n")
    assert not list(tmp_path.iterdir()), "a demo keeps nothing"


@pytest.mark.parametrize("game", sorted(load_plugins().games))
def test_every_game_can_be_played_without_code_for_it(cli: Cli, registry: Registry, game: str) -> None:
    seats = min(registry.games[game].seats)
    names = [word for number in range(seats) for word in ("--local", f"P{number}")]
    result = cli("play", game, "--seats", str(seats), *names, "--auto", "--seed", "1", "--moves", "25")
    assert result.exit_code == 0, result.output
    assert "Refused" not in result.output
