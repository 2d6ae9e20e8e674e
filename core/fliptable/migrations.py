"""What another version of a plugin has stored, and whether it can be read as it is."""

from __future__ import annotations

from typing import Any


class NoMigration(ValueError):
    """What is stored is of another major version, and the plugin does not say how to read it."""


def unchanged(part: str, now: str, document: dict[str, Any], version: str) -> dict[str, Any]:
    """A document as it was stored, as far as the major version is the same.

    Errors: NoMigration says of which versions.
    """
    if version.partition(".")[0] != now.partition(".")[0]:
        raise NoMigration(
            f"the table was stored by version {version} of {part}, "
            f"which is {now} now and declares no migration"
        )
    return document
