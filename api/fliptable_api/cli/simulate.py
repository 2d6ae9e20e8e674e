"""``fliptable simulate``: many rounds at once, and what comes of them in numbers."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import fields
from pathlib import Path
from typing import Any

import click

from fliptable_api.cli.command import INTERRUPTED, Command
from fliptable_api.cli.results import check_plot, check_writable, plot, print_results, write_csv


class _Simulate(Command):
    """The command, whose help tells the policies of a game that is named beside --help."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[__name__] = list(args)
        return super().parse_args(ctx, args)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_epilog(ctx, formatter)
        game = next((one for one in map(_game, ctx.meta.get(__name__, ())) if one is not None), None)
        if game is not None:
            with formatter.section(f"Policies of {game.id}"):
                formatter.write_dl(_policies(game))


@click.command(
    cls=_Simulate,
    examples="""
fliptable simulate flip7 --seats 4 --rounds 2000
fliptable simulate flip7 --policy by-the-odds --policy stay-at-20 --seats 2
fliptable simulate call-it --mode streak --policy low --histogram flips
fliptable simulate my-game --policy my_module:cautious --policy random --seats 2
fliptable simulate flip7 --json > flip7.json
fliptable simulate flip7 --csv rounds.csv --plot points.svg
""",
)
@click.argument("game")
@click.option("--mode", metavar="MODE", help="The mode  [default: the game's]")
@click.option("--rounds", default=1000, show_default=True, type=click.IntRange(1), help="How many rounds.")
@click.option("--seats", type=click.IntRange(1), help="How many seats  [default: as few as possible]")
@click.option(
    "--policy",
    "policies",
    multiple=True,
    metavar="POLICY",
    help="Who plays: random, first, a policy of the game, or module:function. One a seat, if repeated; "
    "they take turns if there are fewer than seats.  [default: random]",
)
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of game or mode.")
@click.option("--seed", default=0, show_default=True, help="The same seed gives the same rounds.")
@click.option("--processes", type=click.IntRange(1, 64), help="How many processes  [default: one a core]")
@click.option(
    "--histogram", metavar="NAME", default="points", show_default=True, help="Points, moves or a measure."
)
@click.option(
    "--csv", "csv_file", type=click.Path(path_type=Path, dir_okay=False), help="Write every round here."
)
@click.option("--json", "as_json", is_flag=True, help="Print the statistics as JSON.")
@click.option(
    "--plot",
    "plot_file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Draw the histogram as .png or .svg; needs the extra `analysis`.",
)
def simulate(
    game: str,
    mode: str | None,
    rounds: int,
    seats: int | None,
    policies: Sequence[str],
    options: Sequence[str],
    seed: int,
    processes: int | None,
    histogram: str,
    csv_file: Path | None,
    as_json: bool,
    plot_file: Path | None,
) -> None:
    """Play many rounds of GAME without a server, and say what came of them.

    Means and shares come with their interval of 95 per cent. A policy of one's own is a function of what
    the seat sees, the seat, its legal moves and a `random.Random`, and gives a move; those that a game
    brings are told by `fliptable simulate GAME --help`. After Ctrl-C the numbers are those of the rounds
    that were played until then, and the exit code is 130.
    """
    # It takes its time to load, and the commands for players need none of it.
    from fliptable_api import statistics
    from fliptable_api.policies import BadPolicy

    plan = _plan(game, mode, seats, policies, options, seed)
    if csv_file is not None:
        check_writable(csv_file)
    if plot_file is not None:
        check_plot(plot_file)
    rows: list[Any] = []
    try:
        whole = _play(plan, rounds, processes or os.cpu_count() or 1, rows)
    except BadPolicy as error:
        raise click.ClickException(_sentence(error)) from None
    if not rows:
        raise SystemExit(INTERRUPTED)
    told = statistics.summary(plan, rows)
    if csv_file is not None:
        write_csv(csv_file, rows)
    values = statistics.values_of(rows, histogram)
    if not values:
        known = ", ".join(told["all"]["numbers"])
        raise click.UsageError(f"the rounds have no {histogram!r}; there is: {known}")
    bins = statistics.bins(values)
    if plot_file is not None:
        plot(plot_file, bins, f"{plan.game}, {plan.mode}: {histogram}")
    if as_json:
        click.echo(json.dumps({**told, "histogram": {"of": histogram, "bins": bins}}, indent=2))
    else:
        print_results(told, histogram, bins)
    if not whole:
        raise SystemExit(INTERRUPTED)


def _play(plan: Any, rounds: int, processes: int, rows: list[Any]) -> bool:
    """Play, and put every round into ``rows``; whether it was not broken off. Errors: BadPolicy."""
    from fliptable_api import simulation

    # A terminal that cannot move its cursor would show the bar's signs instead.
    moving = sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    bar = click.progressbar(length=rounds, label="Playing", show_pos=True, file=sys.stderr)
    played = 0
    try:
        with bar if moving else nullcontext():
            for one in simulation.simulate(plan, rounds, processes):
                rows += one
                played += 1
                if moving:
                    bar.update(1)
    except KeyboardInterrupt:
        click.echo(f"\nStopped after {played} of {rounds} rounds.", err=True)
        return False
    except simulation.CannotPlay as error:
        raise click.ClickException(_sentence(error)) from None
    if played < rounds:
        click.echo(f"Only {played} of {rounds} sessions had a round that came to an end.", err=True)
    return True


def _plan(
    game: str,
    mode: str | None,
    seats: int | None,
    policies: Sequence[str],
    options: Sequence[str],
    seed: int,
) -> Any:
    """What is simulated. Errors: UsageError, ClickException."""
    from fliptable.plugins import PluginMissing, load_plugins
    from fliptable_api.policies import BadPolicy, find_policy
    from fliptable_api.simulation import Plan

    registry = load_plugins(strict=False)
    try:
        of_game = registry.game(game)
        of_mode = registry.mode(mode or of_game.default_mode)
    except PluginMissing as error:
        raise click.UsageError(str(error)) from None
    if of_mode not in registry.modes_for(of_game):
        fitting = ", ".join(one.id for one in registry.modes_for(of_game))
        raise click.UsageError(f"{game} cannot be played in the mode {of_mode.id}; it can in: {fitting}")
    counts = of_mode.seats(of_game)
    count = min(counts) if seats is None else seats
    if count not in counts:
        raise click.UsageError(
            f"{game} in {of_mode.id} is for {min(counts)} to {max(counts)} seats, not {count}"
        )
    if len(policies) > count:
        raise click.UsageError(f"{len(policies)} policies are too many for --seats {count}")
    who = tuple(policies) or ("random",)
    try:
        for name in who:
            find_policy(name, of_game)
    except BadPolicy as error:
        raise click.ClickException(_sentence(error)) from None
    of_table = _options(options, of_game.Options, of_mode.Options)
    return Plan(of_game.id, of_mode.id, count, who, of_table[0], of_table[1], seed)


def _options(given: Sequence[str], *kinds: type) -> list[Any]:
    """The options of each kind. Errors: UsageError."""
    from fliptable import check_limits
    from fliptable.codec import options_of

    values: list[dict[str, Any]] = [{} for _ in kinds]
    for word in given:
        name, equals, text = word.partition("=")
        plain = name.replace("-", "_")
        places = [place for place, kind in enumerate(kinds) if plain in [one.name for one in fields(kind)]]
        if not equals or not places:
            known = ", ".join(one.name for kind in kinds for one in fields(kind)) or "none"
            raise click.UsageError(f"--option {word!r}: it is NAME=VALUE, and of the names {known}")
        values[places[0]][plain] = _value(text)
    try:
        made: list[Any] = [options_of(kind, value) for kind, value in zip(kinds, values, strict=True)]
        for one in made:
            check_limits(one)
        return made
    except (TypeError, ValueError) as error:
        raise click.UsageError(str(error)) from None


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text.upper() if text.isalpha() else text


def _game(id: str) -> Any:
    """The game of that id, if there is one."""
    from fliptable.plugins import load_plugins

    return None if id.startswith("-") else load_plugins(strict=False).games.get(id)


def _policies(game: Any) -> list[tuple[str, str]]:
    """Every policy of a game with what it does."""
    from fliptable_api.naming import first_sentence
    from fliptable_api.policies import policies_of

    return [(name, first_sentence(policy.__doc__)) for name, policy in policies_of(game).items()]


def _sentence(error: Exception) -> str:
    message = str(error)
    return message[:1].upper() + message[1:]
