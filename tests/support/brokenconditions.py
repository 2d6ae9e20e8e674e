"""Later versions of a constraint, most of which cannot read what the first has stored, for the kit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fliptable import Constraint, ConstraintStatus


@dataclass(frozen=True, slots=True)
class OldOptions:
    """Options of version 1.0."""

    short: bool = False


@dataclass(frozen=True, slots=True)
class NewOptions:
    """Options of version 1.1."""

    flips: int = 9


class Brief(Constraint):
    """A round with few flips."""

    id = "brief"
    name = "Brief"
    graphql = "Brief"
    summary = "Win with few flips."
    games = ("call-it",)
    Options = OldOptions

    def most(self, options: Any) -> int:
        return 5 if options.short else 9

    def status(self, options: Any, view: Any, over: bool) -> ConstraintStatus:
        if view.hands and view.hands[0].flips > self.most(options):
            return ConstraintStatus.FAILED
        return ConstraintStatus.MET if over else ConstraintStatus.OPEN


class Next(Brief):
    """Version 1.1."""

    version = "1.1"
    Options = NewOptions

    def most(self, options: Any) -> int:
        flips: int = options.flips
        return flips

    def migrate(self, kind: str, document: dict[str, Any], version: str) -> dict[str, Any]:
        return {"flips": 5 if document["short"] else 9}


class Forgetful(Next):
    """Nothing is migrated."""

    def migrate(self, kind: str, document: dict[str, Any], version: str) -> dict[str, Any]:
        return Constraint.migrate(self, kind, document, version)


class Off(Next):
    """One flip is lost."""

    def migrate(self, kind: str, document: dict[str, Any], version: str) -> dict[str, Any]:
        return {"flips": 4 if document["short"] else 9}


class Grabbing(Next):
    """What is stored is written over."""

    def migrate(self, kind: str, document: dict[str, Any], version: str) -> dict[str, Any]:
        return {"flips": 5 if document.pop("short") else 9}


class Growing(Next):
    """Another answer each time."""

    asked = 0

    def migrate(self, kind: str, document: dict[str, Any], version: str) -> dict[str, Any]:
        self.asked += 1
        return {"flips": 9 + self.asked}


class Silent(Next):
    """It does not say what it asks."""

    def text(self, options: Any) -> str:
        return ""


class Raising(Next):
    """It cannot look at a round."""

    def status(self, options: Any, view: Any, over: bool) -> ConstraintStatus:
        raise KeyError("hand")


class Earlier(Next):
    """No later version."""

    version = "0.9"


BROKEN_CONSTRAINT_VERSIONS: Sequence[tuple[type[Constraint], str, str]] = [
    (Forgetful, "readable", 'stored as Options, {"short": False}, cannot be read'),
    (Off, "meaning", "by 1.1"),
    (Grabbing, "purity", "`migrate` changes what it is given"),
    (Growing, "purity", "`migrate` gives another answer each time"),
    (Silent, "meaning", "what it asks is told as ''"),
    (Raising, "answers", "raises KeyError: 'hand'"),
    (Earlier, "contract", "version is '0.9', which is not later than '1.0'"),
]
"""The later version, the law that it breaks, and a part of what is said."""
