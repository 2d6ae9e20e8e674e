"""Where a plugin failed, noted on the exception itself, so that whoever logs it can say."""

from __future__ import annotations

import signal
from functools import partial
from types import TracebackType
from typing import Any


class PluginRaised(Exception):
    """A plugin raised what would have ended the server, or the task that asked it; the message has what."""


class asking:
    """``with asking("game", game):`` notes on an exception with whose code it happened.

    Within is plugin code, which never waits. So an exit or a cancellation that comes out of it is its own,
    and passes on as PluginRaised.
    """

    __slots__ = ("_note",)

    def __init__(self, kind: str, part: Any, source: str | None = None) -> None:
        """A game, mode, constraint or query; ``source`` is the plugin of one that does not know it."""
        self._note = partial(named, kind, part, source)

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            return
        raised = as_exception(error)
        note(raised, self._note())
        if raised is not error:
            raise raised from error


class blaming(asking):
    """``with blaming(table):`` notes at which table it happened too."""

    __slots__ = ()

    def __init__(self, table: str, game: Any, mode: Any) -> None:
        """``game`` and ``mode`` are those of the table of that id."""
        self._note = partial(_at, table, game, mode)


def as_exception(error: BaseException) -> Exception:
    """What came out of plugin code, as what hurts only who called it.

    Errors: KeyboardInterrupt, where that is what Ctrl-C raises wherever the program is.
    """
    if isinstance(error, Exception):
        return error
    if isinstance(error, KeyboardInterrupt) and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        raise error
    return PluginRaised(f"{type(error).__name__}: {error}" if str(error) else type(error).__name__)


class _Blame(str):
    """A note of this module, which is told from those of plugins by its type."""

    __slots__ = ()


def blame(error: Exception, table: str, game: Any, mode: Any) -> None:
    """Note at which table and with whose code something happened."""
    note(error, _at(table, game, mode))


def note(error: Exception, text: str) -> None:
    """Note whose an exception is.

    One that a plugin keeps and raises again has the note of its last time only.
    """
    notes = [one for one in getattr(error, "__notes__", ()) if type(one) is not _Blame]
    error.__notes__ = [*notes, _Blame(text)]


def blame_of(error: BaseException) -> str:
    """What was noted; empty when nothing was."""
    return "; ".join([one for one in getattr(error, "__notes__", ()) if type(one) is _Blame])


def _at(table: str, game: Any, mode: Any) -> str:
    return f"table {table}, {named('game', game)}, {named('mode', mode)}"


def named(kind: str, part: Any, source: str | None = None) -> str:
    """A game, mode, constraint or query with the plugin that brought it."""
    id = part.name if kind == "query" else part.id
    source = source or getattr(part, "source", "")
    return f"{kind} {id} of {source}" if source else f"{kind} {id}"
