"""``fliptable simulate``: many rounds at once, and what comes of them in numbers."""

from __future__ import annotations

import csv
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import click

from fliptable_api.cli.command import Command

_WIDTH = 50


@click.command(
    cls=Command,
    examples="""
fliptable simulate flip7 --seats 4 --rounds 2000
fliptable simulate call-it --mode streak --policy first --histogram flips
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
    help="Who plays: random, first, or module:function. One a seat, if repeated.  [default: random]",
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
    plot: Path | None,
) -> None:
    """Play many rounds of GAME without a server, and say what came of them.

    Means and shares come with their interval of 95 per cent. A policy of one's own is a function of what
    the seat sees, the seat, its legal moves and a `random.Random`, and gives a move.
    """
    # It takes its time to load, and the commands for players need none of it.
    from fliptable.opening import OpeningRefused
    from fliptable_api import simulation

    plan = _plan(game, mode, seats, policies, options, seed)
    if plot is not None:
        _can_plot(plot)
    workers = processes or os.cpu_count() or 1
    rows: list[simulation.Row] = []
    try:
        for name in plan.policies:
            simulation.policy(name)
        with click.progressbar(length=rounds, label="Playing", file=sys.stderr) as bar:
            for played in simulation.simulate(plan, rounds, workers):
                rows += played
                bar.update(1)
    except (simulation.BadPolicy, OpeningRefused) as error:
        raise click.ClickException(str(error)) from None
    told = simulation.summary(plan, rows)
    if csv_file is not None:
        _write_csv(csv_file, rows)
    values = simulation.values_of(rows, histogram)
    if not values:
        known = ", ".join(told["all"]["numbers"])
        raise click.UsageError(f"the rounds have no {histogram!r}; there is: {known}")
    bins = simulation.bins(values)
    if plot is not None:
        _plot(plot, bins, f"{plan.game}, {plan.mode}: {histogram}")
    if as_json:
        click.echo(json.dumps({**told, "histogram": {"of": histogram, "bins": bins}}, indent=2))
    else:
        _print(told, histogram, bins)


def _plan(
    game: str,
    mode: str | None,
    seats: int | None,
    policies: Sequence[str],
    options: Sequence[str],
    seed: int,
) -> Any:
    """What is simulated. Errors: UsageError."""
    from fliptable.plugins import PluginMissing, load_plugins
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
    of_table = _options(options, of_game.Options, of_mode.Options)
    who = tuple(policies) or ("random",)
    return Plan(of_game.id, of_mode.id, count, who, of_table[0], of_table[1], seed)


def _options(given: Sequence[str], *kinds: type) -> list[Any]:
    """The options of each kind. Errors: UsageError."""
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
        return [options_of(kind, value) for kind, value in zip(kinds, values, strict=True)]
    except (TypeError, ValueError) as error:
        raise click.UsageError(str(error)) from None


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text.upper() if text.isalpha() else text


def _print(told: dict[str, Any], histogram: str, bins: Sequence[tuple[int, int, int]]) -> None:
    who = ", ".join(told["policies"])
    click.echo(
        f"{told['game']}, mode {told['mode']}, seats {told['seats']}, policy {who}, seed {told['seed']}"
    )
    click.echo(f"{told['rounds']} rounds\n")
    parts = [("all seats", told["all"])]
    if told["seats"] > 1:
        parts += [(f"seat {part['seat']}", part) for part in told["by_seat"]]
    for name, part in parts:
        click.echo(f"{name}:")
        for result, one in part["results"].items():
            interval = f"{one['low']:.1%} to {one['high']:.1%}"
            click.echo(f"  {result.lower():<12} {one['share']:>9.1%}   ({interval})")
        for number, one in part["numbers"].items():
            interval = f"{one['low']:.3f} to {one['high']:.3f}, from {one['least']} to {one['most']}"
            click.echo(f"  {number:<12} {one['mean']:>9.3f}   ({interval})")
    click.echo(f"\n{histogram}:")
    most = max(count for _, _, count in bins)
    labels = [str(low) if low == high else f"{low} to {high}" for low, high, _ in bins]
    width = max(map(len, labels))
    for label, (_, _, count) in zip(labels, bins, strict=True):
        bar = "█" * round(_WIDTH * count / most) or ("▏" if count else "")
        click.echo(f"  {label:>{width}} {bar} {count}")


def _write_csv(path: Path, rows: Sequence[Any]) -> None:
    measures = sorted({name for row in rows for name in row.measures})
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["session", "round", "seat", "result", "points", "moves", *measures])
        for row in rows:
            values = [row.measures.get(name, "") for name in measures]
            writer.writerow([row.session, row.round, row.seat, row.result, row.points, row.moves, *values])


def _can_plot(path: Path) -> None:
    """Errors: UsageError, ClickException."""
    if path.suffix not in (".png", ".svg"):
        raise click.UsageError(f"{path} is neither .png nor .svg")
    try:
        import matplotlib  # type: ignore[import-not-found, unused-ignore]  # noqa: F401
    except ImportError:
        message = "drawing needs matplotlib, which comes with: pip install 'fliptable[analysis]'"
        raise click.ClickException(message) from None


def _plot(path: Path, bins: Sequence[tuple[int, int, int]], title: str) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # type: ignore[import-not-found, unused-ignore]
    from matplotlib.figure import Figure  # type: ignore[import-not-found, unused-ignore]

    figure = Figure(figsize=(8, 5), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    width = bins[0][1] - bins[0][0] + 1
    axes.bar([low + (width - 1) / 2 for low, _, _ in bins], [count for _, _, count in bins], width * 0.9)
    axes.set_title(title)
    axes.set_ylabel("rounds of a seat")
    figure.savefig(path)
