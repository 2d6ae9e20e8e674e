"""Where a plugin failed, noted on the exception itself, so that whoever logs it can say."""

from __future__ import annotations

from types import TracebackType
from typing import Any


class blaming:
    """``with blaming(table):`` notes on an exception at which table and with whose code it happened."""

    __slots__ = ("_game", "_mode", "_table")

    def __init__(self, table: str, game: Any, mode: Any) -> None:
        """``game`` and ``mode`` are those of the table of that id."""
        self._table = table
        self._game = game
        self._mode = mode

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, Exception) and not getattr(error, "__notes__", None):
            error.add_note(f"table {self._table}, {_named('game', self._game)}, {_named('mode', self._mode)}")


def _named(kind: str, part: Any) -> str:
    return f"{kind} {part.id} of {part.source}" if part.source else f"{kind} {part.id}"
