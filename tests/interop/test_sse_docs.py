"""What docs/clients.md says of graphql-sse, at a live server: it goes on, and tells what was refused."""

from __future__ import annotations

import asyncio
import json

import pytest
from inprocess import local
from nodekit import INTEROP, node, package
from serverkit import CALL_31, caller
from wire import wire

PAGE = (INTEROP.parents[1] / "docs" / "clients.md").read_text(encoding="utf-8")
CLIENT = PAGE.partition("## graphql-sse\n")[2].partition("```js\n")[2].partition("// A table that is over")[0]
PROGRAM = """
const [table, mine] = process.argv.slice(1)
token = mine
try {
  for await (const { version } of follow(table)) console.log(version)
  console.log('over')
} catch (error) {
  console.log(error.message)
}
client.dispose()
"""
LEAVE = "mutation ($t: ID!) { leaveTable(input: {tableId: $t}) { __typename } }"

pytestmark = pytest.mark.anyio


async def follower(url: str, table: str, token: str) -> asyncio.subprocess.Process:
    package("graphql-sse")
    program = CLIENT.replace("http://localhost:8000/graphql", url) + PROGRAM
    command = [node(), "--input-type=module", "-e", program, table, token]
    return await asyncio.create_subprocess_exec(*command, cwd=INTEROP, stdout=asyncio.subprocess.PIPE)


async def said(process: asyncio.subprocess.Process) -> str:
    assert process.stdout is not None
    async with asyncio.timeout(60):
        return (await process.stdout.readline()).decode().strip()


async def test_after_a_cut_line_it_goes_on_to_the_end() -> None:
    async with (
        local() as server,
        caller(server.url) as ann,
        wire(int(server.base.rpartition(":")[2])) as line,
    ):
        table = (await ann.open())["id"]
        process = await follower(f"http://127.0.0.1:{line.port}/graphql", table, ann.token)
        try:
            assert await said(process) == "1"
            await line.cut()
            await line.mend()
            await ann.move(table, CALL_31)
            assert await said(process) == "2"
            await ann.data(LEAVE, t=table)
            assert [await said(process), await said(process)] == ["3", "over"]
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()


@pytest.mark.parametrize(
    ("table", "token", "told"),
    [
        (None, "nobody", "UNAUTHENTICATED: "),
        ("tbl_" + "0" * 20, None, "NOT_FOUND: "),
    ],
    ids=["of the request", "of the operation"],
)
async def test_a_refusal_is_told(table: str | None, token: str | None, told: str) -> None:
    async with local() as server, caller(server.url) as ann:
        mine = (await ann.open())["id"]
        process = await follower(server.url, table or mine, token or ann.token)
        try:
            line = await said(process)
            assert line.startswith(told) and len(line) > len(told), json.dumps(line)
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()
