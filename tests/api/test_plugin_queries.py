"""A question that a plugin brings is a field of Query, and is answered from its arguments alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import pytest
from inprocess import local

from fliptable import PluginQuery, Refusal, hookimpl
from fliptable.plugins import Registry, load_plugins
from fliptable.vetting import ContractBroken
from fliptable_api.client import Client, ServerError

pytestmark = pytest.mark.anyio


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked."""

    cards: Annotated[int, "How many cards."]
    kind: Annotated[str, "Which."] = "plain"


@dataclass(frozen=True, slots=True)
class Worth:
    """What they are worth."""

    points: Annotated[int, "The points."]


def answer(asked: Asked) -> Worth | Refusal:
    if asked.cards < 0:
        raise ValueError("cards: there are no fewer than none")
    if asked.kind != "plain":
        return Refusal("INVALID_VALUE", "There are plain ones only.", "kind")
    return Worth(2 * asked.cards)


def question(name: str = "oddly_worth") -> PluginQuery:
    return PluginQuery(name, "What some cards are worth.", "Oddly", Asked, Worth, answer)


class Brings:
    """A plugin with one question."""

    def __init__(self, query: PluginQuery) -> None:
        self._query = query

    @hookimpl
    def fliptable_queries(self) -> list[PluginQuery]:
        return [self._query]


def with_question() -> Registry:
    registry = load_plugins()
    registry.register(Brings(question()), "odd", "fliptable-odd")
    return registry


async def test_it_is_asked_over_graphql() -> None:
    selection = "{ __typename ... on OddlyWorth { points } ... on Refusal { code message field } }"
    async with local(with_question()) as server, Client(server.base) as client:

        async def ask(arguments: str) -> Any:
            return (await client.ask(f"{{ oddlyWorth({arguments}) {selection} }}"))["oddlyWorth"]

        assert (await ask("cards: 3"))["points"] == 6
        refused = await ask("cards: -1")
        assert (refused["code"], refused["field"]) == ("INVALID_VALUE", "cards")
        assert (await ask('cards: 1, kind: "odd"'))["field"] == "kind"


def test_a_name_has_one_owner_and_is_in_snake_case() -> None:
    registry = with_question()
    with pytest.raises(ContractBroken, match="query 'oddly_worth' is brought by both odd"):
        registry.register(Brings(question()), "again", "fliptable-again")
    with pytest.raises(ContractBroken, match="is not in snake_case"):
        Registry().register(Brings(question("oddlyWorth")), "camel")


@pytest.mark.parametrize("gives", [SystemExit(3), ZeroDivisionError("a bug"), "nothing that is an answer"])
async def test_one_that_fails_is_named_in_the_log(gives: Any, caplog: pytest.LogCaptureFixture) -> None:
    def failing(asked: Asked) -> Any:
        if isinstance(gives, BaseException):
            raise gives
        return gives

    registry = load_plugins()
    query = PluginQuery("oddly_worth", "What cards are worth.", "Oddly", Asked, Worth, failing)
    registry.register(Brings(query), "odd", "fliptable-odd")
    async with local(registry) as server, Client(server.base) as client:
        with pytest.raises(ServerError, match="INTERNAL"):
            await client.ask("{ oddlyWorth(cards: 1) { __typename } }")
        assert (await client.ask("{ me { id } }")) == {"me": None}
    assert "at oddlyWorth: query oddly_worth of odd (fliptable-odd)" in caplog.text
