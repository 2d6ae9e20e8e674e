"""A real browser, told what to do over the DevTools protocol."""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

import anyio
from nodekit import INTEROP, node, package
from websockets.asyncio.client import ClientConnection, connect

PATIENCE = 15.0

# Root has no sandbox. Names under .example lead to this machine, so that there are pages of other origins.
_OPTIONS = [
    "--headless",
    "--no-sandbox",
    "--no-zygote",
    "--disable-gpu",
    "--no-pings",
    "--remote-debugging-port=0",
    "--host-resolver-rules=MAP *.example 127.0.0.1",
]


# The package's own configuration looks for its fonts in folders of another machine, and without a font a page
# has no text.
_FONTS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>{fonts}</dir><cachedir>{cache}</cachedir></fontconfig>
"""


class Page:
    """A tab of the browser."""

    def __init__(self, browser: Browser, session: str) -> None:
        self._browser, self._session = browser, session
        self.problems: list[str] = []
        """What the console shows in red, exceptions among it."""

    async def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        return await self._browser.call(method, self._session, **parameters)

    def heard(self, method: str, parameters: dict[str, Any]) -> None:
        if method == "Runtime.exceptionThrown":
            self.problems.append(json.dumps(parameters["exceptionDetails"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            self.problems.append(parameters["entry"]["text"])
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "assert"):
            self.problems.append(json.dumps(parameters["args"]))

    async def run(self, script: str) -> Any:
        """The value of an expression, awaited if it is a promise. Errors: AssertionError."""
        done = await self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in done, done["exceptionDetails"]
        return done["result"].get("value")

    async def until(self, script: str) -> Any:
        """Wait until an expression is true in the page; its value, if that is a text."""
        wait = f"""new Promise((resolve) => {{
          const look = () => {{
            const found = {script};
            if (found) resolve(typeof found === 'string' ? found : null); else setTimeout(look, 20);
          }};
          look();
        }})"""
        try:
            return await self.run(wait)
        except TimeoutError:
            raise AssertionError(f"never true: {script}\nthe console: {self.problems}") from None

    async def click(self, selector: str) -> None:
        await self.until(f"document.querySelector({json.dumps(selector)})")
        await self.run(f"document.querySelector({json.dumps(selector)}).click()")


class Browser:
    """A running Chromium."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._ids = count(1)
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._pages: dict[str, Page] = {}

    async def listen(self) -> None:
        async for text in self._connection:
            told = json.loads(text)
            if "id" in told:
                waiting = self._waiting.pop(told["id"], None)
                if waiting is not None and not waiting.done():
                    waiting.set_result(told)
            elif told.get("sessionId") in self._pages:
                self._pages[told["sessionId"]].heard(told["method"], told["params"])

    async def call(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        """Carry out a command of the protocol. Errors: AssertionError."""
        id = next(self._ids)
        self._waiting[id] = asyncio.get_running_loop().create_future()
        message = {"id": id, "method": method, "params": parameters}
        await self._connection.send(json.dumps({**message, **({"sessionId": session} if session else {})}))
        async with asyncio.timeout(PATIENCE):
            told = await self._waiting[id]
        assert "error" not in told, f"{method}: {told['error']}"
        result: dict[str, Any] = told["result"]
        return result

    @asynccontextmanager
    async def page(self, url: str) -> AsyncIterator[Page]:
        """A new tab, which shares nothing with others."""
        context = (await self.call("Target.createBrowserContext"))["browserContextId"]
        target = await self.call("Target.createTarget", url="about:blank", browserContextId=context)
        session = await self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        page = self._pages[session["sessionId"]] = Page(self, session["sessionId"])
        for domain in ("Runtime", "Log", "Page"):
            await page.call(f"{domain}.enable")
        size = {"width": 1400, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        await page.call("Emulation.setDeviceMetricsOverride", **size)
        told = await page.call("Page.navigate", url=url)
        assert "errorText" not in told, told
        await page.until("document.readyState === 'complete' && location.href !== 'about:blank'")
        try:
            yield page
        finally:
            await self.call("Target.disposeBrowserContext", browserContextId=context)


@asynccontextmanager
async def chromium(profile: Path) -> AsyncIterator[Browser]:
    """Start it, and end it afterwards."""
    package("@sparticuz/chromium")
    unpacked = await anyio.run_process([node(), "chromium.mjs"], cwd=INTEROP)
    folder = Path(unpacked.stdout.decode().strip())
    fonts = profile / "fonts.conf"
    fonts.write_text(_FONTS.format(fonts=folder / "fonts", cache=profile / "fonts"), encoding="utf-8")
    environment = {
        **os.environ,
        "LD_LIBRARY_PATH": str(folder / "al2023" / "lib"),
        "FONTCONFIG_FILE": str(fonts),
    }
    process = await asyncio.create_subprocess_exec(
        folder / "chromium",
        *_OPTIONS,
        f"--user-data-dir={profile}",
        env=environment,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stderr is not None
    listening: asyncio.Task[None] | None = None
    said: list[str] = []
    try:
        async with asyncio.timeout(PATIENCE):
            while not (found := re.search(r"listening on (ws://\S+)", said[-1] if said else "")):
                line = await process.stderr.readline()
                assert line, f"Chromium does not start: {''.join(said)}"
                said.append(line.decode(errors="replace"))
        drained = asyncio.create_task(process.stderr.read())
        async with connect(found[1], max_size=2**26, open_timeout=PATIENCE, ping_interval=None) as connection:
            browser = Browser(connection)
            listening = asyncio.create_task(browser.listen())
            yield browser
            with suppress(TimeoutError, AssertionError):
                await browser.call("Browser.close")
            await drained
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, 9)
        await process.wait()
        if listening is not None:
            await asyncio.gather(listening, return_exceptions=True)
