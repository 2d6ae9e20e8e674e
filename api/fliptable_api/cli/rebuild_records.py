"""``fliptable rebuild-records``: make the records again from the log alone."""

from __future__ import annotations

import asyncio
from typing import Any

import click

from fliptable.log import Unavailable
from fliptable.plugins import PluginError, load_plugins
from fliptable_api.cli.command import Command
from fliptable_api.folder_lock import FolderInUseError
from fliptable_api.mongod_binary import MongodError
from fliptable_api.settings import BadSetting, Settings, from_environment


@click.command(
    "rebuild-records",
    cls=Command,
    examples="""
fliptable rebuild-records                           of the server's own MongoDB, while it is stopped
fliptable rebuild-records --mongo-url 'mongodb://db1,db2,db3/?replicaSet=rs0'
""",
)
@click.option(
    "--data", metavar="FOLDER", help="Where the server's own MongoDB keeps its data  [default: .fliptable]"
)
@click.option("--mongo-url", metavar="URL", help="The MongoDB replica set that the servers use.")
def rebuild_records(**overrides: Any) -> None:
    """Make all records again from the log of all tables.

    The new ones are made beside those in use and then take their place, so servers that use the
    same replica set may go on meanwhile.
    """
    try:
        settings = from_environment(**overrides)
    except BadSetting as error:
        raise click.UsageError(str(error)) from None
    if settings.memory:
        raise click.UsageError("a server in memory has no log to make records from")
    try:
        asyncio.run(_rebuild(settings))
    except (Unavailable, PluginError, MongodError, FolderInUseError) as error:
        raise click.ClickException(str(error)) from None


async def _rebuild(settings: Settings) -> None:
    from fliptable.mongo import MongoStore
    from fliptable.recordkeeper import RecordKeeper
    from fliptable.service import TableService
    from fliptable_api.serving import database

    async with database(settings) as ready:
        registry = load_plugins(
            strict=settings.strict_plugins, allow=settings.allow_plugins or None, deny=settings.deny_plugins
        )
        store = MongoStore(ready.mongo_url, registry.codec, ready.mongo_database)
        try:
            await store.open()
            await RecordKeeper(TableService(registry, store)).rebuild()
        finally:
            await store.close()
    click.echo("The records are made again.")
