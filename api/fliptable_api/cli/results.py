"""What ``fliptable simulate`` tells: for people, as a table of rounds, and as a drawing."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

_WIDTH = 50

Bins = Sequence[tuple[int, int, int]]
"""A histogram: low and high (both included) of each range, and how many values lie in it."""


def print_results(told: dict[str, Any], histogram: str, bins: Bins) -> None:
    """Print the statistics and a histogram."""
    who = ", ".join(told["policies"])
    policy = "policies" if len(told["policies"]) > 1 else "policy"
    click.echo(
        f"{told['game']}, mode {told['mode']}, seats {told['seats']}, {policy} {who}, seed {told['seed']}"
    )
    click.echo(f"{told['rounds']} rounds\n")
    parts = [("all seats", told["all"])]
    if told["seats"] > 1:
        parts += [(f"seat {part['seat']} ({part['policy']})", part) for part in told["by_seat"]]
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


def check_writable(path: Path) -> None:
    """See before everything is played that a file can be written. Errors: ClickException says why not."""
    folder = path.parent
    if not folder.is_dir():
        raise click.ClickException(f"{path} cannot be written: there is no folder {folder}")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise click.ClickException(f"{path} cannot be written: permission denied")


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise click.ClickException(f"{path} cannot be written: {error.strerror or error}") from None


def write_csv(path: Path, rows: Sequence[Any]) -> None:
    """Write every round of every seat. Errors: ClickException."""
    measures = sorted({name for row in rows for name in row.measures})
    with _writing(path), path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["session", "round", "seat", "result", "points", "moves", *measures])
        for row in rows:
            values = [row.measures.get(name, "") for name in measures]
            writer.writerow([row.session, row.round, row.seat, row.result, row.points, row.moves, *values])


def check_plot(path: Path) -> None:
    """See before everything is played that it can be drawn. Errors: UsageError, ClickException."""
    if path.suffix.lower() not in (".png", ".svg"):
        raise click.UsageError(f"{path} is neither .png nor .svg")
    check_writable(path)
    try:
        import matplotlib  # type: ignore[import-not-found, unused-ignore]  # noqa: F401
    except ImportError:
        message = "drawing needs matplotlib: pip install matplotlib"
        raise click.ClickException(message) from None


def plot(path: Path, bins: Bins, title: str) -> None:
    """Draw a histogram. Errors: ClickException."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # type: ignore[import-not-found, unused-ignore]
    from matplotlib.figure import Figure  # type: ignore[import-not-found, unused-ignore]

    figure = Figure(figsize=(8, 5), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    width = bins[0][1] - bins[0][0] + 1
    axes.bar([low + (width - 1) / 2 for low, _, _ in bins], [count for _, _, count in bins], width * 0.9)
    axes.set_title(title)
    axes.set_ylabel("rounds of a seat")
    with _writing(path):
        figure.savefig(path)
