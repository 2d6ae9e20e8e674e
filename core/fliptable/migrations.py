"""What another version of a plugin has stored, and whether it can be read here."""

from __future__ import annotations

from typing import Any


class UnreadableLog(Exception):
    """A stored document cannot be understood, for example because a plugin is missing."""


class NoMigration(ValueError):
    """A version of a part says nothing of how to read what an earlier one has stored."""


class OtherVersion(ValueError):
    """The version of a part that is loaded cannot read what is stored; the message is for people.

    ``part`` names the game, mode or constraint, ``stored`` is the version that stored it, ``loaded`` the
    one that is here, and ``whole`` what is kept as it is: the table, or the challenge of a constraint.
    """

    def __init__(
        self, part: str, stored: str, loaded: str, source: str, kind: str, whole: str, *, fails: bool = False
    ) -> None:
        """``source`` says who brings the part; ``kind`` is what could not be read.

        That is the name of an event's class, "Options" or "Terms". ``fails`` says that there is a migration,
        and that it raises something.
        """
        self.part = part
        self.stored = stored
        self.loaded = loaded
        self.whole = whole
        here = f"by plugin {source}" if source else "here"
        told = f"the {whole} was stored by version {stored} of the {part}"
        if self.newer:
            why = (
                f"{told}, and the one that is loaded {here} is {loaded}: an older version cannot read what a "
                f"newer one has stored. Load version {stored} or a later one"
            )
        elif stored != loaded:
            which = "the migration of which fails" if fails else "which declares no migration for it"
            again = "one that reads it" if fails else "one that declares it"
            why = (
                f"{told}, and version {loaded} is loaded {here}, {which} ({kind} cannot be read). "
                f"Load version {stored} again, or {again}"
            )
        else:
            why = (
                f"{told}, and that is the one that is loaded {here}, but its {kind} has changed since. "
                f"Load the release that stored it, or one with a new version and a migration"
            )
        super().__init__(f"{why}; until then the {whole} is kept as it is")

    @property
    def newer(self) -> bool:
        """Whether a worker with a later version could read it, so that it may be worth another try."""
        return is_newer(self.stored, self.loaded)


def is_newer(version: str, other: str) -> bool:
    """Whether a version, numbers with dots between them, is later than another one."""
    return _numbers(version) > _numbers(other)


def _numbers(version: str) -> list[int]:
    return [int(number) for number in version.split(".")]


def unchanged(part: str, now: str, document: dict[str, Any], version: str) -> dict[str, Any]:
    """A document as it was stored, as far as the major version is the same.

    Errors: NoMigration says of which versions.
    """
    if version.partition(".")[0] != now.partition(".")[0]:
        raise NoMigration(f"version {now} of {part} declares no migration from {version}")
    return document
