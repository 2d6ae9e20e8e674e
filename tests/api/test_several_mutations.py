"""Several mutations in one document: what docs/frontend.md says of them."""

from __future__ import annotations

import httpx
import pytest
from inprocess import local

pytestmark = pytest.mark.anyio


async def test_the_error_of_one_takes_the_answers_of_the_others_along() -> None:
    document = """mutation {
      a: signInAsGuest(input: {name: "Ann"}) { token }
      b: createTable(input: {game: {callIt: {}}}) { __typename }
    }"""
    async with local() as server, httpx.AsyncClient() as http:
        answer = (await http.post(server.url, json={"query": document})).json()
    assert answer["data"] is None
    (error,) = answer["errors"]
    assert (error["path"], error["extensions"]["code"]) == (["b"], "UNAUTHENTICATED")
