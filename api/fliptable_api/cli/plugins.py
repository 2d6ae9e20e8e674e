"""``fliptable plugins``: what is loaded from where."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as version_of
from typing import Any

import click

from fliptable.plugins import Registry, load_plugins
from fliptable_api.cli.command import Command
from fliptable_api.logs import plugin_failures, set_up_logging
from fliptable_api.settings import BadSetting, from_environment


@click.command(
    cls=Command,
    examples="""
fliptable plugins
fliptable plugins --json | jq '.plugins[].brings'
fliptable plugins --traceback        for whoever writes a plugin that does not load
""",
)
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
@click.option("--traceback", is_flag=True, help="Say where in the plugin a failure happened.")
def plugins(as_json: bool, traceback: bool) -> None:
    """List the plugins: which distribution they come from and what they bring.

    They are those that `fliptable serve` would have: FLIPTABLE_ALLOW_PLUGINS and FLIPTABLE_DENY_PLUGINS
    count. Those that it would leave out are told with the reason, also where that is that no schema can be
    made with them. The exit code is 1 when there are any, or when no schema can be made at all.
    """
    # What makes the schema takes its time to load, and the commands for players need none of it.
    from fliptable_api.limits import Limits
    from fliptable_api.loading import hard_to_open, load, unknown_plugins

    try:
        settings = replace(from_environment(), strict_plugins=False)
    except BadSetting as error:
        raise click.UsageError(str(error)) from None
    if traceback:
        set_up_logging()
    with nullcontext() if traceback else plugin_failures(told=False):
        impossible = None
        try:
            registry, _ = load(settings, Limits())
        except Exception as error:
            # What is wrong is in none of the other distributions, or nothing is left without them.
            impossible = str(error)
            registry = load_plugins(
                strict=False, allow=settings.allow_plugins or None, deny=settings.deny_plugins
            )
    if not traceback:
        for sentence in [*unknown_plugins(settings), *([] if impossible else hard_to_open(registry))]:
            click.echo(f"Warning: {sentence}", err=True)
    told = {**describe(registry), "schema": impossible}
    if as_json:
        click.echo(json.dumps(told, indent=2))
    else:
        _print(told)
    if told["failures"] or told["schema"] is not None:
        raise SystemExit(1)


def describe(registry: Registry) -> dict[str, Any]:
    """What a registry holds and what failed, as plain values."""
    from fliptable_api.policies import meanings_of

    return {
        "plugins": [
            {
                "name": one.name,
                "distribution": one.distribution,
                "version": _version(one.distribution),
                "brings": list(one.brings),
            }
            for one in registry.plugins
        ],
        "policies": {game.id: meanings_of(game) for game in registry.games.values() if game.policies},
        "failures": [
            {
                "name": one.name,
                "distribution": one.distribution,
                "version": _version(one.distribution),
                "reason": one.reason,
            }
            for one in registry.failures
        ],
        "schema": None,
    }


def _version(distribution: str) -> str | None:
    try:
        return version_of(distribution)
    except PackageNotFoundError:
        return None


def _print(told: dict[str, Any]) -> None:
    rows = [
        (one["name"], f"{one['distribution']} {one['version'] or ''}".strip(), ", ".join(one["brings"]))
        for one in told["plugins"]
    ]
    _print_table(("PLUGIN", "DISTRIBUTION", "BRINGS"), rows)
    policies = [
        (game, name, meaning) for game, known in told["policies"].items() for name, meaning in known.items()
    ]
    if policies:
        click.echo()
        _print_table(("GAME", "POLICY", "WHAT IT DOES"), policies)
    for one in told["failures"]:
        source = f"{one['distribution']} {one['version'] or ''}".strip()
        click.echo(f"\n{one['name']} ({source}) is not loaded:\n  {one['reason']}", err=True)
    if told["failures"]:
        click.echo("\n`fliptable plugins --traceback` says where in the plugin it happened.", err=True)
    if told["schema"] is not None:
        click.echo(f"\nNo schema can be made of these plugins: {told['schema']}", err=True)


def _print_table(head: tuple[str, str, str], rows: Sequence[tuple[str, str, str]]) -> None:
    rows = [head, *rows]
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    for first, second, third in rows:
        click.echo(f"{first:<{widths[0]}}  {second:<{widths[1]}}  {third or '-'}")
