"""The command line: ``fliptable``."""

from __future__ import annotations

try:
    import click

    from fliptable_api.cli.command import HELP_OPTIONS
    from fliptable_api.cli.new_plugin import new_plugin
    from fliptable_api.cli.play import play
    from fliptable_api.cli.plugins import plugins
    from fliptable_api.cli.rebuild_records import rebuild_records
    from fliptable_api.cli.replay import replay
    from fliptable_api.cli.schema import schema
    from fliptable_api.cli.serve import serve
    from fliptable_api.cli.simulate import simulate
    from fliptable_api.cli.verify import verify
except KeyboardInterrupt:
    # Loading all this takes its time, and nothing has begun that Ctrl-C could break off.
    raise SystemExit(130) from None


@click.group(
    "fliptable",
    context_settings={**HELP_OPTIONS, "max_content_width": 100},
    epilog="Start a server with `fliptable serve`; in another terminal play with `fliptable play call-it`.",
)
@click.version_option(package_name="fliptable", prog_name="fliptable")
def main() -> None:
    """A GraphQL server for flip card games, and what goes with it."""


for command in (serve, play, replay, verify, plugins, new_plugin, simulate, schema, rebuild_records):
    main.add_command(command)
