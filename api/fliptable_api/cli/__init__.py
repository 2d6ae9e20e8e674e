"""The command line: ``fliptable``."""

from __future__ import annotations

import click

from fliptable_api.cli.schema import schema
from fliptable_api.cli.serve import serve


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="fliptable")
def main() -> None:
    r"""A GraphQL server for flip card games, and what goes with it.

    \b
    Start a server and play a game in two terminals:
      fliptable serve
      fliptable play call-it
    """


for command in (serve, schema):
    main.add_command(command)
