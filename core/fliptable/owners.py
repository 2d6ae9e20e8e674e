"""Whose documents are stored, and what earlier versions of those have stored, as it is now."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fliptable.migrations import NoMigration, OtherVersion, is_newer
from fliptable.rules import NoOptions

FIRST_VERSION = "1.0"
"""The version of a plugin's part that stored what does not say by which version it was stored."""

Migration = Callable[[str, dict[str, Any], str], dict[str, Any]]
"""Of a class name, a stored document and the version that stored it: the document as it is now."""


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose documents are stored: a game, a mode, a constraint, or the table itself."""

    name: str
    """What people call it, for example game 'flip7'."""
    version: str = FIRST_VERSION
    migrate: Migration | None = None
    """Asked for what an earlier version has stored."""
    Options: type = NoOptions
    source: str = ""
    """Who brings it, plugin and distribution."""
    whole: str = "table"
    """What its documents are a part of."""

    @classmethod
    def of(cls, kind: str, part: Any, whole: str = "table") -> Owner:
        """A game, a mode or a constraint as the owner of what it stores."""
        return cls(f"{kind} {part.id!r}", part.version, part.migrate, part.Options, part.source, whole)

    def as_now(self, kind: str, document: dict[str, Any], version: str) -> dict[str, Any]:
        """What a version has stored, as the one that is loaded would have. Errors: OtherVersion."""
        if version == self.version:
            return document
        if is_newer(version, self.version):
            raise self.unreadable(kind, version)
        if self.migrate is None:
            return document
        try:
            return self.migrate(kind, document, version)
        except Exception as error:
            # Whatever it is, it is the plugin that cannot read what is stored.
            raise self.unreadable(kind, version, fails=not isinstance(error, NoMigration)) from error

    def unreadable(self, kind: str, version: str, *, fails: bool = False) -> OtherVersion:
        """The error that says that what is stored cannot be read; ``fails`` that its migration raises."""
        return OtherVersion(self.name, version, self.version, self.source, kind, self.whole, fails=fails)
