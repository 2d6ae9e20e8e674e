"""Documents that cannot be carried out: each gets a coded answer, and nothing happens."""

from __future__ import annotations

import pytest
from scenekit import Scene, told

pytestmark = pytest.mark.anyio


def nested(depth: int) -> str:
    return '{ table(id: "x") { updates { nodes { table ' * depth + "{ id }" + " } } } }" * depth


def bomb(levels: int) -> str:
    """Fragments that spread the next one twice: 2 ** levels fields."""
    spread = "".join(
        f"fragment F{level} on Game {{ ...F{level + 1} a{level}: name ...F{level + 1} }} "
        for level in range(levels)
    )
    return f"{{ games {{ ...F0 }} }} {spread} fragment F{levels} on Game {{ id }}"


DOCUMENTS: dict[str, tuple[str, str]] = {
    "two operations and no name": (
        "query A { me { id } } query B { me { id } }",
        "BAD_REQUEST",
    ),
    "no GraphQL": ("hello world", "GRAPHQL_PARSE_FAILED"),
    "an unclosed brace": ("{ me { id }", "GRAPHQL_PARSE_FAILED"),
    "an unclosed string": ('{ table(id: "x) { id } }', "GRAPHQL_PARSE_FAILED"),
    "a control character": ("{ me { \x07 id } }", "GRAPHQL_PARSE_FAILED"),
    "an escape that is none": ('{ table(id: "\\x") { id } }', "GRAPHQL_PARSE_FAILED"),
    "a lone surrogate in a string": ('{ table(id: "\\uD800") { id } }', "GRAPHQL_PARSE_FAILED"),
    "a type definition": ("type A { b: Int }", "BAD_REQUEST"),
    "a field that is not there": ("{ me { password } }", "GRAPHQL_VALIDATION_FAILED"),
    "a field of the inside": ("{ me { __class__ } }", "GRAPHQL_VALIDATION_FAILED"),
    "no selection": ("{ me }", "GRAPHQL_VALIDATION_FAILED"),
    "a selection of a scalar": ("{ me { id { x } } }", "GRAPHQL_VALIDATION_FAILED"),
    "an argument that is not there": ("{ me(x: 1) { id } }", "GRAPHQL_VALIDATION_FAILED"),
    "an argument left out": ("{ table { id } }", "GRAPHQL_VALIDATION_FAILED"),
    "an argument of another type": ("{ table(id: {a: 1}) { id } }", "GRAPHQL_VALIDATION_FAILED"),
    "an Int that is a string": ('{ tables(first: "10") { nodes { id } } }', "GRAPHQL_VALIDATION_FAILED"),
    "an Int of 40 digits": (
        f"{{ tables(first: {'9' * 40}) {{ nodes {{ id }} }} }}",
        "GRAPHQL_VALIDATION_FAILED",
    ),
    "an Int of 3,000 digits": (
        f"{{ tables(first: {'9' * 3000}) {{ nodes {{ id }} }} }}",
        "GRAPHQL_VALIDATION_FAILED",
    ),
    "an enum that is none": (
        "{ tables(filter: {status: LOST}) { nodes { id } } }",
        "GRAPHQL_VALIDATION_FAILED",
    ),
    "a variable that is not declared": ("{ table(id: $x) { id } }", "GRAPHQL_VALIDATION_FAILED"),
    "a variable that is not given": ("query ($x: ID!) { table(id: $x) { id } }", "GRAPHQL_VALIDATION_FAILED"),
    "a variable of another type": ("query ($x: Int!) { table(id: $x) { id } }", "GRAPHQL_VALIDATION_FAILED"),
    "a directive that is none": ("{ me @explode { id } }", "GRAPHQL_VALIDATION_FAILED"),
    "a flood of directives": ("{ me " + "@skip(if: false) " * 1000 + "{ id } }", "DOCUMENT_TOO_LARGE"),
    "a hundred directives": ("{ me " + "@skip(if: false) " * 100 + "{ id } }", "GRAPHQL_VALIDATION_FAILED"),
    "a flood of directives that are none": ("{ me " + "@a " * 1500 + "{ id } }", "GRAPHQL_VALIDATION_FAILED"),
    "1,000 aliases": (
        "{ " + " ".join(f"a{n}: __typename" for n in range(1000)) + " }",
        "DOCUMENT_TOO_LARGE",
    ),
    "40 mutations": (
        "mutation { "
        + " ".join(f'a{n}: signInAsGuest(input: {{name: "x"}}) {{ token }}' for n in range(40))
        + " }",
        "DOCUMENT_TOO_LARGE",
    ),
    "40 mutations in a fragment": (
        "mutation { ...F } fragment F on Mutation { "
        + " ".join(f'a{n}: signInAsGuest(input: {{name: "x"}}) {{ token }}' for n in range(40))
        + " }",
        "DOCUMENT_TOO_LARGE",
    ),
    "5,000 fields": ("{ " + "__typename " * 5000 + "}", "DOCUMENT_TOO_LARGE"),
    "2,500 fields": ("{ " + "__typename " * 2500 + "}", "DOCUMENT_TOO_LARGE"),
    "100 levels": (nested(25), "DOCUMENT_TOO_LARGE"),
    "1,000 braces": ("{ a " * 1000 + "}" * 1000, "DOCUMENT_TOO_LARGE"),
    "1,900 brackets": ("{ me(a: " + "[" * 1900 + "]" * 1900 + ") { id } }", "DOCUMENT_TOO_LARGE"),
    "1,900 objects": ("{ me(a: " + "{a: " * 900 + "1" + "}" * 900 + ") { id } }", "DOCUMENT_TOO_LARGE"),
    "a type of 1,900 brackets": (
        "query ($a: " + "[" * 1900 + "Int" + "]" * 1900 + ") { me { id } }",
        "DOCUMENT_TOO_LARGE",
    ),
    "an exponential fragment": (bomb(30), "DOCUMENT_TOO_LARGE"),
    "a fragment that is not there": ("{ me { ...F } }", "GRAPHQL_VALIDATION_FAILED"),
    "a fragment that spreads itself": (
        "{ me { ...F } } fragment F on Player { id ...F }",
        "GRAPHQL_VALIDATION_FAILED",
    ),
    "fragments that spread one another": (
        "{ me { ...F } } fragment F on Player { id ...G } fragment G on Player { name ...F }",
        "GRAPHQL_VALIDATION_FAILED",
    ),
    "a fragment twice": (
        "{ me { ...F } } fragment F on Player { id } fragment F on Player { name }",
        "GRAPHQL_VALIDATION_FAILED",
    ),
    "fields in conflict": ("{ me { a: id a: name } }", "GRAPHQL_VALIDATION_FAILED"),
    "a subscription by POST": (
        'subscription { tableUpdates(tableId: "x") { version } }',
        "SUBSCRIPTION_TRANSPORT",
    ),
    "introspection in a circle": (
        "{ __schema { types { fields { type { fields { type { fields { type { fields { type "
        "{ fields { type { name } } } } } } } } } } } } }",
        "GRAPHQL_VALIDATION_FAILED",
    ),
    "no games of that cursor": ('{ tables(after: "???") { nodes { id } } }', "INVALID_CURSOR"),
    "a cursor of another list": (
        '{ tables(after: "dXBkYXRlfDE") { nodes { id } } }',
        "INVALID_CURSOR",
    ),
    "a cursor of nonsense": ('{ tables(after: "dGFibGV8YXxi") { nodes { id } } }', "INVALID_CURSOR"),
    "a cursor of 5,000 letters": (
        f'{{ tables(after: "{"x" * 5000}") {{ nodes {{ id }} }} }}',
        "INVALID_CURSOR",
    ),
    "a cursor beyond ASCII": ('{ tables(after: "ünï") { nodes { id } } }', "INVALID_CURSOR"),
    "first: 0": ("{ tables(first: 0) { nodes { id } } }", "INVALID_ARGUMENT"),
    "first: -1": ("{ tables(first: -1) { nodes { id } } }", "INVALID_ARGUMENT"),
    "first: 2147483647": ("{ tables(first: 2147483647) { nodes { id } } }", "INVALID_ARGUMENT"),
    "first: 101": ("{ tables(first: 101) { nodes { id } } }", "INVALID_ARGUMENT"),
    "my tables of nobody": ("{ tables(filter: {mine: true}) { nodes { id } } }", "UNAUTHENTICATED"),
}


@pytest.mark.parametrize("document", DOCUMENTS)
async def test_a_document_that_cannot_be_carried_out(unharmed: Scene, document: str) -> None:
    text, code = DOCUMENTS[document]
    answer = await unharmed.player.http.post(unharmed.player._url(), json={"query": text})
    assert answer.status_code in (200, 400)
    told(answer, code)


async def test_a_document_of_many_clients_costs_no_memory_for_ever(unharmed: Scene) -> None:
    """Documents that are kept for the next time are bounded in number and size; wrong ones too."""
    for number in range(700):
        answer = await unharmed.player.http.post(
            unharmed.player._url(), json={"query": f"query Q{number} {{ nothing }}"}
        )
        assert answer.json()["errors"]
