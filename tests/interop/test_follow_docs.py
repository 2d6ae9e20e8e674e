"""The `follow` of docs/frontend.md at a live server: it waits for what passes, and throws what does not."""

from __future__ import annotations

import json

import anyio
import pytest
from inprocess import local
from nodekit import INTEROP, node, package
from serverkit import CALL_31, caller

PAGE = (INTEROP.parents[1] / "docs" / "frontend.md").read_text(encoding="utf-8")
FOLLOW = PAGE.partition("```js\n")[2].partition("// A table that is over")[0]
PROGRAM = """
const [url, table, ...errors] = process.argv.slice(1)
const connect = () => {
  const client = createClient({ url, retryAttempts: 0 })
  if (errors.length === 0) return client
  const failing = [JSON.parse(errors.shift())]
  return { iterate: async function* () { throw failing }, dispose: () => client.dispose() }
}
try {
  for await (const { version } of follow(connect, table)) {
    console.log(version)
    if (version === 2) process.exit()
  }
} catch (error) {
  console.log(error[0].extensions.code)
}
"""

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("extensions", "told"),
    [
        ({"code": "RATE_LIMITED", "retryAfter": 0.01}, ["1", "2"]),
        ({"code": "TABLE_UNREADABLE", "retryable": True}, ["1", "2"]),
        ({"code": "UNAVAILABLE"}, ["1", "2"]),
        ({"code": "TABLE_UNREADABLE"}, ["TABLE_UNREADABLE"]),
        ({"code": "NOT_FOUND"}, ["NOT_FOUND"]),
    ],
    ids=["too many requests", "another worker may", "no database", "no worker can", "no table"],
)
async def test_errors_of_an_operation(extensions: dict[str, object], told: list[str]) -> None:
    package("graphql-ws")
    async with local() as server, caller(server.url) as ann:
        table = (await ann.open())["id"]
        await ann.move(table, CALL_31)
        error = json.dumps({"message": "M.", "extensions": extensions})
        command = [node(), "--input-type=module", "-e", FOLLOW + PROGRAM, server.socket_url, table, error]
        done = await anyio.run_process(command, cwd=INTEROP, check=False)
    assert done.stdout.decode().split() == told, done.stderr.decode()
