"""Around the code of plugins where resolvers call it: whose fault an exception is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from fliptable.blame import blaming
from fliptable.table import Table


class PluginFault(Exception):
    """A plugin raised what would stand for something else where it arrives."""


@contextmanager
def by_plugins_of(table: Table) -> Iterator[None]:
    """Note on what the plugins raise at which table it was; and let it not pass for a missing attribute."""
    with blaming(table.id, table.game, table.mode):
        try:
            yield
        except AttributeError as error:
            raise PluginFault(str(error)) from error
