"""``fliptable schema``: print the GraphQL schema."""

from __future__ import annotations

import click

from fliptable.plugins import PluginError, load_plugins
from fliptable_api.cli.command import Command
from fliptable_api.logs import plugin_failures


@click.command(
    cls=Command,
    examples="""
fliptable schema > schema.graphql
fliptable schema --all-plugins
""",
)
@click.option("--all-plugins", is_flag=True, help="Include plugins of other distributions too.")
def schema(all_plugins: bool) -> None:
    """Print the schema in GraphQL's own language.

    Only the built-in plugins are in it, unless you ask for all that are installed.
    """
    # It takes its time to load, and the commands for players need none of it.
    from fliptable_api.schema import build_schema
    from fliptable_api.typegen import SchemaCollision

    try:
        with plugin_failures(told=False):
            registry = load_plugins(builtin_only=not all_plugins)
        text = build_schema(registry).schema.as_str()
    except (PluginError, SchemaCollision) as error:
        raise click.ClickException(str(error)) from None
    click.echo(text.rstrip())
