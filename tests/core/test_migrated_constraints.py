"""Challenges that another version of a constraint has stored: read through its migration, or refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import pytest
from graphql import GraphQLError

from fliptable import ChosenConstraint, Constraint, ConstraintStatus, conditions_of
from fliptable.migrations import OtherVersion
from fliptable.signatures import ContractBroken
from fliptable.vetting import vet_constraint
from fliptable_api.errors import coded


@dataclass(frozen=True, slots=True)
class OldOptions:
    """Options of version 1.0."""

    short: bool = False


@dataclass(frozen=True, slots=True)
class NewOptions:
    """Options of version 1.1: a number instead of a switch."""

    flips: int


class Old(Constraint):
    """Version 1.0."""

    id = "brief"
    name = "Brief"
    graphql = "Brief"
    summary = "Win with few flips."
    games = ("call-it",)
    Options = OldOptions

    def status(self, options: Any, view: Any, over: bool) -> ConstraintStatus:
        return ConstraintStatus.OPEN


class New(Old):
    """Version 1.1, with a migration."""

    version = "1.1"
    Options = NewOptions

    def migrate(self, kind: str, document: dict[str, Any], version: str) -> dict[str, Any]:
        assert kind == "Options"
        return {"flips": 5 if document["short"] else 9}


class Bare(New):
    """Version 1.1, of which somebody forgot the migration."""

    def migrate(self, kind: str, document: dict[str, Any], version: str) -> dict[str, Any]:
        return Constraint.migrate(self, kind, document, version)


class Next(Old):
    """Version 2.0, without a migration."""

    version = "2.0"


class Minor(Old):
    """Version 1.2, which has no need of a migration."""

    version = "1.2"


@dataclass
class Parts:
    """A constraint that is loaded."""

    one: Constraint

    def game(self, id: str) -> Any:
        raise AssertionError(id)

    def constraint(self, id: str) -> Constraint:
        assert id == self.one.id
        return self.one


STORED: ChosenConstraint = ChosenConstraint("brief", {"short": True})


def test_options_of_the_old_version_are_read_through_the_migration() -> None:
    assert conditions_of(Parts(New()), [STORED])[0].options == NewOptions(5)


def test_options_of_this_version_are_taken_as_they_are() -> None:
    (condition,) = conditions_of(Parts(New()), [ChosenConstraint("brief", {"flips": 3}, "1.1")])
    assert condition.options == NewOptions(3)


def test_a_minor_version_reads_what_is_stored_as_it_is() -> None:
    assert conditions_of(Parts(Minor()), [STORED])[0].options == OldOptions(short=True)


@pytest.mark.parametrize(
    ("one", "chosen", "told"),
    [
        (Bare(), STORED, "declares no migration for it (Options cannot be read)"),
        (Next(), STORED, "declares no migration for it (Options cannot be read)"),
        (Old(), ChosenConstraint("brief", {"flips": 3}, "1.1"), "an older version cannot read"),
    ],
    ids=["without what it needs", "another major version", "stored by a newer one"],
)
def test_what_cannot_be_read_is_refused(one: Constraint, chosen: ChosenConstraint, told: str) -> None:
    with pytest.raises(OtherVersion) as caught:
        conditions_of(Parts(one), [chosen])
    message = str(caught.value)
    assert message.startswith(
        f"the challenge was stored by version {chosen.version} of the constraint 'brief'"
    )
    assert told in message
    assert message.endswith("until then the challenge is kept as it is")
    seen = coded(GraphQLError("?", original_error=caught.value))
    assert seen.extensions == {
        "code": "CHALLENGE_UNREADABLE",
        "part": "constraint 'brief'",
        "stored": chosen.version,
        "loaded": one.version,
        "retryable": chosen.version == "1.1",
    }


def test_a_version_is_numbers_with_dots() -> None:
    class Odd(Old):
        version: ClassVar[str] = "one"

    with pytest.raises(ContractBroken, match="constraint 'brief': version is 'one'"):
        vet_constraint(Odd())
