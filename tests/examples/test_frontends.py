"""The example frontends play every game, knowing none of them."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import httpx
import pytest
from nodekit import node, package

from fliptable_api.cli.local import memory_server

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"

GAMES = ["call-it", "flip", "flip7", "scoreboard"]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with memory_server() as address:
        yield f"{address}/graphql"


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The TypeScript frontend as JavaScript, after the strict checks of its own configuration."""
    target = tmp_path_factory.mktemp("frontend")
    run(
        node(),
        str(package("typescript-7") / "bin" / "tsc"),
        "--project",
        str(EXAMPLES / "frontend-typescript"),
        "--typeRoots",
        str(package("@types")),
        "--outDir",
        str(target),
    )
    (target / "package.json").write_text('{"type": "module"}')
    return target / "play.js"


def run(*command: str, typed: str = "") -> str:
    code, told, errors = tried(*command, typed=typed)
    assert code == 0, told + errors
    return told


def tried(*command: str, typed: str = "") -> tuple[int, str, str]:
    """The exit code, and what the program says on its two outputs; what is typed ends with Ctrl-D."""
    done = subprocess.run(command, input=typed, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


SIGN_OUT = {"query": "mutation { signOut { player { id } } }"}
PASSING = {
    "the database is away": (503, '{"errors": [{"message": "M.", "extensions": {"code": "UNAVAILABLE"}}]}'),
    "a proxy's page": (502, "<html>Bad Gateway</html>"),
    "too many requests": (
        429,
        '{"errors": [{"message": "M.", "extensions": {"code": "RATE_LIMITED", "retryAfter": 0.1}}]}',
    ),
    "an error in the stream": (
        200,
        'event: next\ndata: {"errors": [{"message": "M.", "extensions": {"code": "INTERRUPTED"}}]}\n\n'
        "event: complete\n\n",
    ),
    "a cut line": (200, "event: next\ndata: {"),
}
"""What a subscription may meet that passes."""
CUTS = "a cut with each move"


class Between(ThreadingHTTPServer):
    """Hands requests on to a server and counts them; the first subscription meets with something."""

    def __init__(self, url: str, meets: str) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.target, self.meets, self.counted = url, meets, Counter[str]()
        self.lines: set[socket.socket] = set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/graphql"

    def cut(self) -> None:
        """Cut the lines of all subscriptions."""
        for line in list(self.lines):
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)


class Handler(BaseHTTPRequestHandler):
    server: Between

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        headers = {
            name: self.headers[name]
            for name in ("authorization", "accept", "content-type")
            if name in self.headers
        }
        kind = "subscription" if b'"subscription' in body else "other"
        self.server.counted[kind] += 1
        if kind == "subscription" and self.server.counted[kind] == 1 and self.server.meets != CUTS:
            if self.server.meets in PASSING:
                self._answer(*PASSING[self.server.meets])
                return
            httpx.post(self.server.target, json=SIGN_OUT, headers={"authorization": headers["authorization"]})
        if b"playMove" in body and self.server.meets == CUTS:
            self.server.cut()
        try:
            with httpx.stream(
                "POST", self.server.target, content=body, headers=headers, timeout=60
            ) as answer:
                self.send_response(answer.status_code)
                self.send_header("content-type", answer.headers["content-type"])
                self.end_headers()
                line = answer.extensions["network_stream"].get_extra_info("socket")
                if kind == "subscription":
                    self.server.lines.add(line)
                try:
                    for chunk in answer.iter_bytes():
                        self.wfile.write(chunk)
                finally:
                    self.server.lines.discard(line)
        except (OSError, httpx.TransportError):
            pass  # the program has read enough, or the server has ended

    def _answer(self, status: int, text: str) -> None:
        self.send_response(status)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: what counts is counted."""


@contextmanager
def between(url: str, meets: str) -> Iterator[Between]:
    with Between(url, meets) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            server.cut()  # Their programs have ended.
            server.shutdown()
            thread.join()


@pytest.fixture(params=["Python", "TypeScript"])
def program(request: pytest.FixtureRequest, compiled: Path) -> list[str]:
    """The command, to which a URL and a game are still to be added."""
    if request.param == "Python":
        return [sys.executable, str(EXAMPLES / "frontend-python" / "play.py")]
    return [node(), str(compiled)]


def test_with_a_dead_token_they_say_so_and_stop(url: str, program: list[str]) -> None:
    with between(url, "a sign-out") as server:
        code, _, errors = tried(*program, server.url)
    assert code == 1 and errors.startswith("UNAUTHENTICATED: "), errors
    assert server.counted["subscription"] == 1
    assert server.counted.total() <= 6


@pytest.mark.parametrize("meets", list(PASSING))
def test_what_passes_they_wait_for(url: str, program: list[str], meets: str) -> None:
    with between(url, meets) as server:
        code, told, errors = tried(*program, server.url, typed="1\n30\n1\n")
    assert code == 0 and "Trying again." in errors, errors
    assert server.counted["subscription"] == 2
    for happened in ("  Round 1 begins.\n", "  Ann calls 30.\n", "  Ann flips "):
        assert told.count(happened) == 1, told


def test_after_a_cut_they_go_on_where_they_were(url: str, program: list[str]) -> None:
    with between(url, CUTS) as server:
        code, told, errors = tried(*program, server.url, typed="1\n30\n1\n")
    assert code == 0 and errors.count("Trying again.") == 2, errors
    assert server.counted["subscription"] == 3
    for happened in ("  Round 1 begins.\n", "  Ann calls 30.\n", "  Ann flips "):
        assert told.count(happened) == 1, told


@pytest.mark.parametrize("game", GAMES)
def test_they_play(url: str, program: list[str], game: str) -> None:
    # The empty lines leave the fields of a move as they are.
    moves = "".join(f"{number}\n\n\n" for number in (1, 2, 1, 3, 1) * 4)
    told = run(*program, url, game, typed=moves)
    assert len(re.findall("  [A-Z]", told)) > 15, told  # events, each after two spaces


@pytest.mark.parametrize("name", ["frontend-python/play.py", "frontend-typescript/play.ts"])
def test_they_stay_short(name: str) -> None:
    lines = (EXAMPLES / name).read_text(encoding="utf-8").splitlines()
    code = [line for line in lines if line.strip() and not line.lstrip().startswith(("#", "//", '"""'))]
    assert len(code) < 115


def test_a_person_plays_who_makes_mistakes(url: str, program: list[str]) -> None:
    """No such move, no number, a target that is refused, one that is not, a flip, and the end (Ctrl-D)."""
    code, told, errors = tried(*program, url, typed="7\n1\nabc\n12\n1\n35\n1\n")
    assert (code, errors) == (0, ""), errors
    assert "The sum to land on exactly. (30 to " in told
    assert "INVALID_VALUE: The target is 12; it has to be at least 30." in told
    assert "  Ann calls 35.\n" in told and "  Ann flips " in told


def test_a_game_that_there_is_not_is_told_with_those_that_there_are(url: str, program: list[str]) -> None:
    code, _, errors = tried(*program, url, "poker")
    assert code == 1
    assert errors.strip() == f"There is no game poker; there are {', '.join(GAMES)}."


def test_they_end_with_the_table(url: str, program: list[str]) -> None:
    """A round of Call It is over after a few flips."""
    told = run(*program, url, typed="1\n30\n" + "1\n" * 20)
    assert told.endswith("  The table is over (played).\n"), told
