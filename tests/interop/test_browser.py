"""In a real browser: GraphiQL, and a frontend of this and of other origins."""

from __future__ import annotations

import json
import shutil
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from platform import machine
from typing import Any

import pytest
from browserkit import Browser, Page, chromium
from inprocess import local
from nodekit import package
from serverkit import Caller, caller

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(
        sys.platform != "linux" or machine() != "x86_64",
        reason="the package has a Chromium for Linux on x86-64",
    ),
]

FRONTEND = """<!doctype html>
<link rel="icon" href="data:,">
<script type="module">
import { createClient as createWs } from '/graphql-ws/client.js';
import { createClient as createSse } from '/graphql-sse/client.mjs';

const FOLLOW = `subscription ($table: ID!) {
  tableUpdates(tableId: $table, after: 0) { version }
}`;

window.play = async (url) => {
  let token;
  const ask = async (query, variables) => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify({ query, variables }),
    });
    return (await answer.json()).data;
  };
  token = (await ask('mutation { signInAsGuest(input: {name: "Ann"}) { token } }')).signInAsGuest.token;
  const opened = await ask(
    'mutation { createTable(input: {game: {callIt: {}}}) { ... on TableOpened { table { id } } } }',
  );
  const table = opened.createTable.table.id;
  const headers = { authorization: `Bearer ${token}` };
  const clients = {
    ws: createWs({ url: url.replace('http', 'ws'), connectionParams: headers, retryAttempts: 0 }),
    sse: createSse({ url, headers, retryAttempts: 0 }),
  };
  const seen = { ws: [], sse: [] };
  const following = Object.entries(clients).map(async ([name, client]) => {
    for await (const { data } of client.iterate({ query: FOLLOW, variables: { table } })) {
      seen[name].push(data.tableUpdates.version);
    }
    client.dispose();
  });
  await ask('mutation ($i: PlayMoveInput!) { playMove(input: $i) { __typename } }', {
    i: { tableId: table, move: { callIt: { call: { target: 31 } } } },
  });
  await ask('mutation ($t: ID!) { leaveTable(input: {tableId: $t}) { __typename } }', { t: table });
  await Promise.all(following);
  return seen;
};

window.refused = async (url) => {
  const asked = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
  const fetched = await fetch(url, asked).then(() => 'answered', (error) => error.name);
  const socket = new WebSocket(url.replace('http', 'ws'), 'graphql-transport-ws');
  const opened = await new Promise((resolve) => {
    socket.onopen = () => resolve('opened');
    socket.onclose = () => resolve('closed');
  });
  return [fetched, opened];
};
window.limited = async (url) => {
  const body = JSON.stringify({ query: '{ __typename }' });
  const asked = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
  for (let count = 0; count < 50; count++) {
    const answer = await fetch(url, asked);
    if (answer.status === 429) {
      const { errors } = await answer.json();
      return [errors[0].extensions.code, Number(answer.headers.get('retry-after'))];
    }
  }
};
window.ready = true;
</script>
"""


@pytest.fixture(scope="module")
async def browser(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Browser]:
    async with chromium(tmp_path_factory.mktemp("profile")) as one:
        yield one


@pytest.fixture(scope="module")
def frontend(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a web server that has a frontend's page."""
    folder = tmp_path_factory.mktemp("frontend")
    (folder / "index.html").write_text(FRONTEND, encoding="utf-8")
    shutil.copytree(package("graphql-ws") / "dist", folder / "graphql-ws")
    shutil.copytree(package("graphql-sse") / "lib", folder / "graphql-sse")

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        yield server.server_address[1]
        server.shutdown()
        serving.join()


@pytest.mark.parametrize(
    ("host", "listed"),
    [("localhost", False), ("game.example", True)],
    ids=["another port of this machine", "an origin that is allowed"],
)
async def test_a_page_of_an_allowed_origin_plays(
    browser: Browser, frontend: int, host: str, listed: bool
) -> None:
    allowed = {"allowed_origins": (f"http://{host}:{frontend}",)} if listed else {}
    async with local(**allowed) as server, browser.page(f"http://{host}:{frontend}/") as page:
        await page.until("window.ready")
        url = json.dumps(server.url.replace("127.0.0.1", "localhost"))
        assert await page.run(f"play({url})") == {"ws": [1, 2, 3], "sse": [1, 2, 3]}
        assert page.problems == []


async def test_a_page_of_an_allowed_origin_is_told_when_to_come_again(
    browser: Browser, frontend: int
) -> None:
    allowed = (f"http://game.example:{frontend}",)
    async with (
        local(allowed_origins=allowed, rate_per_address=2) as server,
        browser.page(f"http://game.example:{frontend}/") as page,
    ):
        await page.until("window.ready")
        url = json.dumps(server.url.replace("127.0.0.1", "localhost"))
        assert await page.run(f"limited({url})") == ["RATE_LIMITED", 1]
        assert not any("CORS" in one for one in page.problems)


async def test_a_page_of_another_origin_gets_nothing(browser: Browser, frontend: int) -> None:
    async with local() as server, browser.page(f"http://other.example:{frontend}/") as page:
        await page.until("window.ready")
        url = json.dumps(server.url.replace("127.0.0.1", "localhost"))
        assert await page.run(f"refused({url})") == ["TypeError", "closed"]
        assert any("blocked by CORS policy" in one for one in page.problems)


class GraphiQL:
    """The page, operated as a person would."""

    def __init__(self, page: Page) -> None:
        self._page = page

    async def tab(self, title: str) -> None:
        tabs = "[...document.querySelectorAll('.graphiql-tab-button')]"
        shown = f"{tabs}.find((one) => one.innerText === {json.dumps(title)})"
        await self._page.until(shown)
        await self._page.run(shown + ".click()")
        # The page reads the operation of a tab a moment after it has changed to it.
        editor = "document.querySelector('.graphiql-query-editor-wrapper .CodeMirror').CodeMirror"
        await self._page.until(f"{editor}.operationName === {json.dumps(title)}")

    async def write(self, tool: str, value: object) -> None:
        """Fill one of the small editors."""
        place = ["Variables", "Headers"].index(tool)
        editor = f"document.querySelectorAll('.graphiql-editor-tool .CodeMirror')[{place}].CodeMirror"
        await self._page.run(f"{editor}.setValue({json.dumps(json.dumps(value))})")

    async def ask(self, document: str, name: str) -> None:
        """Put an operation of that name in the place of the tab's own, and carry it out."""
        editor = "document.querySelector('.graphiql-query-editor-wrapper .CodeMirror').CodeMirror"
        await self._page.run(f"{editor}.setValue({json.dumps(document)})")
        await self._page.until(f"{editor}.operationName === {json.dumps(name)}")
        await self.execute()

    async def execute(self) -> None:
        await self._page.click(".graphiql-execute-button")

    async def told(self, words: str) -> dict[str, Any]:
        """Wait for an answer with some words."""
        answer = "document.querySelector('.result-window .CodeMirror').CodeMirror.getValue()"
        text = await self._page.until(f"{answer}.includes({json.dumps(words)}) && {answer}")
        data: dict[str, Any] = json.loads(text)["data"]
        return data


@pytest.mark.parametrize(("path", "game"), [("/graphiql", "CallIt"), ("/graphql", "Flip")])
async def test_a_game_is_played_through_with_the_tabs_of_graphiql_alone(
    browser: Browser, path: str, game: str
) -> None:
    """Nothing is copied but the next move, out of what the move before has told."""
    async with local() as server, browser.page(server.base + path) as page:
        graphiql = GraphiQL(page)
        await graphiql.tab("SignIn")
        await graphiql.execute()
        token = (await graphiql.told('"token"'))["signInAsGuest"]["token"]
        assert await page.run("document.getElementById('token').value") == token

        await graphiql.tab(f"Open{game}")
        await graphiql.execute()
        table = (await graphiql.told('"legalMoves"'))["createTable"]["table"]

        await graphiql.tab("Follow")
        await graphiql.execute()
        first = (await graphiql.told('"version"'))["tableUpdates"]
        assert (first["version"], first["events"][0]["__typename"]) == (1, "TableCreated")
        async with Caller(server.url, token) as player:
            (move, *_) = table["legalMoves"]
            await player.move(table["id"], move["input"], seat=move["seat"])
            after = (await player.table(table["id"]))["version"]
            legal = (await player.table(table["id"]))["legalMoves"]
        assert (await graphiql.told(f'"version": {after}'))["tableUpdates"]["table"]["status"] == "PLAYING"
        await graphiql.execute()  # the button ends what is under way

        await graphiql.tab("Play")
        zeros = "tbl_00000000000000000000"
        played = {"status": "PLAYING", "legalMoves": legal}
        for _ in range(300):
            move, *_ = played["legalMoves"]
            chosen = {"tableId": zeros, "move": move["input"], "seat": move["seat"]}
            await graphiql.write("Variables", {"input": chosen})
            await graphiql.execute()
            update = (await graphiql.told(f'"version": {after + 1}'))["playMove"]["update"]
            after, played = update["version"], update["table"]
            if played["status"] == "OVER":
                break
        assert played["status"] == "OVER"
        assert page.problems == []


async def test_the_example_of_a_move_is_valid_as_it_stands(browser: Browser) -> None:
    async with local() as server, browser.page(server.base + "/graphiql") as page:
        graphiql = GraphiQL(page)
        for title, told in (("SignIn", '"token"'), ("OpenCallIt", '"legalMoves"'), ("Play", '"version": 2')):
            await graphiql.tab(title)
            await graphiql.execute()
            await graphiql.told(told)
        assert page.problems == []


async def test_a_token_of_another_server_is_let_go_of(browser: Browser) -> None:
    """A server that keeps nothing knows nobody after a new start, and the page has to show its schema."""
    async with local() as server, browser.page(server.base + "/graphiql") as page:
        await page.run("localStorage.setItem('fliptable:token', 'ft_of_yesterday')")
        await page.call("Page.reload")
        await page.until("document.getElementById('token')?.value === ''")
        await page.click("[aria-label='Show Documentation Explorer']")
        await page.until(
            "document.querySelector('.graphiql-doc-explorer').innerText.includes('Subscription')"
        )


async def test_the_headers_of_a_tab_win(browser: Browser) -> None:
    async with local() as server, browser.page(server.base + "/graphiql") as page:
        graphiql = GraphiQL(page)
        await graphiql.tab("SignIn")
        await graphiql.execute()
        await graphiql.told('"token"')
        await graphiql.tab("OpenCallIt")
        async with caller(server.url, "Bob") as bob:
            await graphiql.write("Headers", {"authorization": f"Bearer {bob.token}"})
            await graphiql.execute()
            table = (await graphiql.told('"legalMoves"'))["createTable"]["table"]["id"]
            assert (await bob.table(table))["mySeat"] == 0


async def test_who_a_tab_is_by_its_headers_takes_nobody_elses_token(browser: Browser) -> None:
    """There is no second way to a token, so the one that all tabs share must not be lost."""
    async with local() as server, browser.page(server.base + "/graphiql") as page:
        graphiql = GraphiQL(page)
        await graphiql.tab("SignIn")
        await graphiql.execute()
        shared = (await graphiql.told('"token"'))["signInAsGuest"]["token"]
        await graphiql.tab("OpenCallIt")
        async with caller(server.url, "Bob") as bob:
            await graphiql.write("Headers", {"authorization": f"Bearer {bob.token}"})
            for name, document in (("Renew", "renewToken { token }"), ("Out", "signOut { __typename }")):
                await graphiql.ask(f"mutation {name} {{ {document} }}", name)
                await graphiql.told(f'"{document.split()[0]}"')
                assert await page.run("document.getElementById('token').value") == shared
