"""``fliptable verify``: check a table's shuffles from its public replay alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NoReturn, TextIO

import click

from fliptable import Rank, Suit
from fliptable_api.cli.checking import BadEvidence, Finding, check, collect, disagreements
from fliptable_api.cli.command import Command, Failure, run, server_option
from fliptable_api.cli.shapes import Shapes
from fliptable_api.cli.tables import find_table, replay_of
from fliptable_api.client import Client

HONEST, WRONG, SEALED, UNCHECKED = range(4)
"""The exit codes: all is right; something is wrong; not all is revealed; it could not be checked."""
MISUSED = 64
"""The exit code when the command was not called as it should be, as sysexits.h has it."""

FAIRNESS = """fairness {
  algorithm
  shuffles { number name commitment seed cards }
  trails { event card piles seat skip }
}"""


@click.command(
    cls=Command,
    failure=UNCHECKED,
    misuse=MISUSED,
    examples="""
fliptable verify K7M2QX
fliptable verify tbl_2v6hc0n4q1d8r5k3w7xz --server https://play.example.org
fliptable verify K7M2QX --json > replay.json
fliptable verify --file replay.json
fliptable verify K7M2QX --json | node docs/verify.mjs
""",
)
@click.argument("table", required=False)
@server_option
@click.option("--json", "as_json", is_flag=True, help="Print what is checked, for another program.")
@click.option(
    "--file", type=click.File(), metavar="FILE", help="Check what --json printed; - reads standard input."
)
def verify(table: str | None, server: str, as_json: bool, file: TextIO | None) -> None:
    r"""Check the shuffles of a table, by its id or code.

    The replay is read as a stranger sees it, without a token. For each shuffle whose seed is revealed, the
    seed has to fit the commitment that was published before play, and the order that the seed gives has to
    be the one in which the cards came out. docs/fair-shuffle.md says how, and what it proves.

    The exit code is 0 when all is right, 1 when something is wrong, 2 when nothing is wrong but a seed is
    not revealed yet, 3 when the table could not be checked, and 64 when the arguments are not right.
    """
    if (table is None) == (file is None):
        raise click.UsageError("give either a TABLE or --file")
    if file is not None:
        raise SystemExit(_check_file(file))
    assert table is not None
    run(verify_table(server, table, as_json))


async def verify_table(server: str, named: str, as_json: bool = False) -> int:
    """Check a table and print what was found; the exit code. Errors: ClientError."""
    async with Client(server) as client:
        found = await find_table(client, named, f"id code status {FAIRNESS}")
        fairness = found["fairness"]
        events = await _events(client, found["id"], fairness["trails"])
    evidence = collect(fairness, events)
    findings = [*disagreements(fairness, events), *_checked(evidence)]
    if as_json:
        click.echo(json.dumps(evidence, indent=2))
    else:
        click.echo(f"Table {found['code']} ({found['id']}), {fairness['algorithm']}")
        _print(findings)
    return _exit_code(findings)


async def _events(client: Client, table: str, trails: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The events that matter, each with its cards as codes under the names of its fields."""
    shapes = await Shapes.ask(client) if trails else None
    wanted = sorted({(trail["event"], trail["card"]) for trail in trails})
    parts = []
    for index, (event, field) in enumerate(wanted):
        assert shapes is not None
        inner = "{ rank suit }" if shapes.field_type(event, field) == "PlayingCard" else ""
        parts.append(f"... on {event} {{ card{index}: {field} {inner} }}")
    selection = f"""events {{ __typename seat
      ... on DeckShuffled {{ shuffle name commitment }}
      ... on SeedRevealed {{ shuffle seed }}
      {" ".join(parts)}
    }}"""
    events = [event async for update in replay_of(client, table, selection) for event in update["events"]]
    for event in events:
        event["cards"] = {
            field: _codes(event[f"card{index}"])
            for index, (kind, field) in enumerate(wanted)
            if kind == event["__typename"]
        }
    return events


def _codes(value: Any) -> list[str | None]:
    """The code of a card, or of each card of a list."""
    if isinstance(value, list):
        return [code for one in value for code in _codes(one)]
    if isinstance(value, dict):
        return [Rank[value["rank"]].value + Suit[value["suit"]].value]
    return [value]


def _checked(evidence: dict[str, Any]) -> list[Finding]:
    try:
        return check(evidence)
    except BadEvidence as error:
        _give_up(f"This cannot be checked: {error}.")


def _check_file(file: TextIO) -> int:
    try:
        evidence = json.load(file)
    except (ValueError, UnicodeError) as error:
        _give_up(f"{file.name} is not JSON: {error}.")
    findings = _checked(evidence)
    _print(findings)
    return _exit_code(findings)


def _give_up(message: str) -> NoReturn:
    raise Failure(message, UNCHECKED)


def _print(findings: Sequence[Finding]) -> None:
    for finding in findings:
        click.echo(f"  {'WRONG ' if finding.wrong else ''}{finding.shuffle}: {finding.sentence}.")
    code = _exit_code(findings)
    if not findings:
        click.echo("Nothing has been shuffled yet.")
    elif code == HONEST:
        click.echo("All shuffles are right.")
    elif code == WRONG:
        click.echo("This replay does not come from honest shuffles.")
    else:
        click.echo(
            "Nothing is wrong so far. Check again when the table is over, or the date of a deck of the day."
        )


def _exit_code(findings: Sequence[Finding]) -> int:
    if any(finding.wrong for finding in findings):
        return WRONG
    return HONEST if findings and all(finding.revealed for finding in findings) else SEALED
