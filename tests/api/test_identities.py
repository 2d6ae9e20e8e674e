"""What is called id is an identity: caches of frontends keep by it, Relay's by it alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import pytest
from graphql import GraphQLInterfaceType, GraphQLObjectType

from fliptable import hookimpl
from fliptable.ids import challenge_id, new_id
from fliptable.plugins import Registry
from fliptable.vetting import ContractBroken
from fliptable_api.schema import build_schema
from fliptable_api.typegen import SchemaCollision, TypeMaker

IDENTIFIED = {"Challenge", "Constraint", "Game", "Mode", "Player", "Table"}
"""The types whose objects have an identity of their own, each with the same fields wherever it is met."""


def test_only_what_has_an_identity_has_an_id(registry: Registry) -> None:
    types = build_schema(registry).schema._schema.type_map.values()
    with_id = {
        kind.name
        for kind in types
        if isinstance(kind, GraphQLObjectType | GraphQLInterfaceType) and {"id", "_id"} & set(kind.fields)
    }
    assert with_id == IDENTIFIED | {"Node"}


def test_no_id_is_that_of_two_things(registry: Registry) -> None:
    ids = [*registry.games, *registry.modes, *registry.constraints]
    assert len(ids) == len(set(ids))
    # What is made while the server runs has an underscore, which no plugin's id may have.
    assert all("_" in id for id in (new_id("table"), new_id("player"), challenge_id("K7M2QX")))


def test_an_id_cannot_be_brought_twice_whatever_it_is_of(registry: Registry) -> None:
    def brought(**named: Any) -> Any:
        hook, part = named.popitem()

        def bring() -> list[Any]:
            return [part]

        bring.__name__ = hook
        return type("Brings", (), {hook: staticmethod(hookimpl(bring))})

    fresh = Registry()
    game: Any = type(registry.game("scoreboard"))()
    fresh.register(brought(fliptable_games=game), "boards", "some-boards")
    mode: Any = type("Other", (type(registry.mode("practice")),), {"id": "scoreboard", "graphql": "Other"})()
    with pytest.raises(ContractBroken) as told:
        fresh.register(brought(fliptable_modes=mode), "others", "some-others")
    assert "'scoreboard'" in str(told.value)
    assert "boards (some-boards)" in str(told.value) and "others (some-others)" in str(told.value)
    assert not fresh.modes


@dataclass(frozen=True)
class Piece:
    """A piece of a plugin."""

    id: Annotated[int, "Its number."] = 1


def test_a_plugins_field_cannot_be_called_id() -> None:
    with pytest.raises(SchemaCollision) as told:
        TypeMaker({}).output(Piece, "Trial")
    assert "Piece.id" in str(told.value) and "number" in str(told.value)
    # What a client gives is kept in no cache.
    assert TypeMaker({}).input(Piece, "TrialPieceInput", "Trial")
