"""Around the code of plugins where resolvers call it: whose fault an exception is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from fliptable.blame import blame, blame_of, blaming
from fliptable.table import Table


class PluginFault(Exception):
    """A plugin raised what would stand for something else where it arrives."""


class AtTable:
    """What resolvers hand to GraphQL of a table, with values that its plugins have made."""

    __slots__ = ()

    def of_table(self) -> Table:
        """The table."""
        raise NotImplementedError


@contextmanager
def by_plugins_of(table: Table) -> Iterator[None]:
    """Note on what the plugins raise at which table it was; and let it not pass for a missing attribute."""
    with blaming(table.id, table.game, table.mode):
        try:
            yield
        except AttributeError as error:
            raise PluginFault(str(error)) from error


def whose(error: Exception) -> str:
    """At which table and with whose code something happened; empty when that is not known.

    That a plugin's value is of a wrong type is found out by GraphQL, behind the plugin's back. Whose value
    it was is known by what was being shown then.
    """
    if not blame_of(error) and error.__traceback__ is not None:
        frame: FrameType | None = error.__traceback__.tb_frame
        while frame is not None:
            for value in frame.f_locals.values():
                if isinstance(value, AtTable):
                    table = value.of_table()
                    blame(error, table.id, table.game, table.mode)
                    return blame_of(error)
            frame = frame.f_back
    return blame_of(error)
