"""``fliptable serve``: run the server."""

from __future__ import annotations

import sys
from typing import Any

import click

from fliptable.log import Unavailable
from fliptable.plugins import PluginError
from fliptable_api import reloading
from fliptable_api.cli.command import Command
from fliptable_api.folder_lock import FolderInUseError
from fliptable_api.logs import set_up_logging
from fliptable_api.mongod_binary import MongodError
from fliptable_api.settings import BadSetting, from_environment, tell_unknown


@click.command(
    cls=Command,
    examples="""
fliptable serve                              with a MongoDB of its own, its data in .fliptable
fliptable serve --memory --port 0            keep nothing, at any free port
fliptable serve --mongo-url 'mongodb://db1,db2,db3/?replicaSet=rs0' --workers 4 --host 0.0.0.0
FLIPTABLE_DENY_PLUGINS=daily fliptable serve

Then, for example:
curl -s localhost:8000/graphql -H 'content-type: application/json' \\
  -d '{"query": "{ games { id name modes { id } } }"}'
""",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option(
    "--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="0 takes a free one."
)
@click.option(
    "--workers", default=1, show_default=True, type=click.IntRange(1, 64), help="How many processes."
)
@click.option(
    "--data", metavar="FOLDER", help="Where the server's own MongoDB keeps its data  [default: .fliptable]"
)
@click.option(
    "--memory", is_flag=True, default=None, help="Keep everything in memory; it is gone at the end."
)
@click.option("--mongo-url", metavar="URL", help="Use this MongoDB replica set instead of one of its own.")
@click.option(
    "--strict-plugins/--no-strict-plugins", default=None, help="Do not start when a plugin fails to load."
)
@click.option(
    "--reload-plugins", is_flag=True, help="For developing plugins: start anew when the code of one changes."
)
def serve(host: str, port: int, workers: int, reload_plugins: bool, **overrides: Any) -> None:
    """Run the server until Ctrl-C; once more ends it at once.

    Without FLIPTABLE_MONGO_URL it runs a MongoDB of its own and keeps its data between runs.
    Every setting can also be given as an environment variable; docs/settings.md has them all.
    """
    homes = [name for name in ("memory", "data", "mongo_url") if overrides[name]]
    if len(homes) > 1:
        first, second = (f"--{name.replace('_', '-')}" for name in homes[:2])
        raise click.UsageError(f"{first} and {second} say two different places for what is kept")
    set_up_logging()
    if reload_plugins:
        raise SystemExit(reloading.serve(sys.argv[1:]))
    try:
        settings = from_environment(**overrides)
    except BadSetting as error:
        raise click.UsageError(str(error)) from None
    tell_unknown()
    if settings.memory and workers > 1:
        raise click.UsageError("--memory keeps everything in one process, so it cannot have several workers")
    # It takes its time to load, and the commands for players need none of it.
    from fliptable_api import serving
    from fliptable_api.offered import public
    from fliptable_api.typegen import SchemaCollision

    try:
        # Before anything is started.
        public(settings)
    except BadSetting as error:
        raise click.UsageError(str(error)) from None
    try:
        serving.run(settings, host, port, workers)
    except Unavailable as error:
        # What the driver says of its timeouts and its picture of the servers helps nobody here.
        raise click.ClickException(str(error).partition(" (configured timeouts")[0]) from None
    except (serving.CannotListen, PluginError, SchemaCollision, MongodError) as error:
        raise click.ClickException(str(error)) from None
    except FolderInUseError as error:
        raise click.ClickException(f"{error} with --data") from None
