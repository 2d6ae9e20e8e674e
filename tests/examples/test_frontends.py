"""The example frontends play every game, knowing none of them."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
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


def run(*command: str) -> str:
    code, told, errors = tried(*command)
    assert code == 0, told + errors
    return told


def tried(*command: str) -> tuple[int, str, str]:
    """The exit code, and what the program says on its two outputs."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
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


class Between(ThreadingHTTPServer):
    """Hands requests on to a server and counts them; the first subscription meets with something."""

    def __init__(self, url: str, meets: str) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.target, self.meets, self.counted = url, meets, Counter[str]()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/graphql"


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
        if kind == "subscription" and self.server.counted[kind] == 1:
            if self.server.meets in PASSING:
                self._answer(*PASSING[self.server.meets])
                return
            httpx.post(self.server.target, json=SIGN_OUT, headers={"authorization": headers["authorization"]})
        try:
            with httpx.stream(
                "POST", self.server.target, content=body, headers=headers, timeout=60
            ) as answer:
                self.send_response(answer.status_code)
                self.send_header("content-type", answer.headers["content-type"])
                self.end_headers()
                for chunk in answer.iter_bytes():
                    self.wfile.write(chunk)
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
            server.shutdown()
            thread.join()


@pytest.fixture(params=["Python", "TypeScript"])
def plays(request: pytest.FixtureRequest, compiled: Path) -> list[str]:
    """The command that plays a few moves at a URL that is still to be added."""
    if request.param == "Python":
        return [sys.executable, str(EXAMPLES / "frontend-python" / "play.py"), "--auto", "--moves", "5"]
    return [node(), str(compiled), "--auto", "--moves=5"]


def test_with_a_dead_token_they_say_so_and_stop(url: str, plays: list[str]) -> None:
    with between(url, "a sign-out") as server:
        code, _, errors = tried(*plays, server.url)
    assert code == 1 and errors.startswith("UNAUTHENTICATED: "), errors
    assert server.counted["subscription"] == 1
    assert server.counted.total() <= 6


@pytest.mark.parametrize("meets", list(PASSING))
def test_what_passes_they_wait_for(url: str, plays: list[str], meets: str) -> None:
    with between(url, meets) as server:
        code, told, errors = tried(*plays, server.url)
    assert code == 0 and "Trying again." in errors, errors
    assert server.counted["subscription"] == 2
    assert all(line.startswith("  ") for line in told.splitlines()[:-1])


def played(output: str) -> None:
    *events, end = output.splitlines()
    assert len(events) > 5 and all(line.startswith("  ") for line in events), output
    assert end in ("PLAYING", "OVER")


@pytest.mark.parametrize("game", GAMES)
def test_the_python_frontend_plays(url: str, game: str) -> None:
    program = EXAMPLES / "frontend-python" / "play.py"
    played(run(sys.executable, str(program), url, "--game", game, "--auto", "--moves", "15"))


@pytest.mark.parametrize("game", GAMES)
def test_the_typescript_frontend_plays(url: str, compiled: Path, game: str) -> None:
    played(run(node(), str(compiled), url, game, "--auto", "--moves=15"))


@pytest.mark.parametrize("name", ["frontend-python/play.py", "frontend-typescript/play.ts"])
def test_they_stay_short(name: str) -> None:
    lines = (EXAMPLES / name).read_text(encoding="utf-8").splitlines()
    code = [line for line in lines if line.strip() and not line.lstrip().startswith(("#", "//", '"""'))]
    assert len(code) < 140


@pytest.fixture(params=["Python", "TypeScript"])
def command(request: pytest.FixtureRequest, compiled: Path, url: str) -> list[str]:
    """The command that plays Call It and Flip at a terminal."""
    if request.param == "Python":
        return [sys.executable, str(EXAMPLES / "frontend-python" / "play.py"), url]
    return [node(), str(compiled), url]


def test_a_person_plays_who_makes_mistakes(command: list[str]) -> None:
    """No such move, no number, a target that is refused, one that is not, a flip, and the end (Ctrl-D)."""
    typed = "7\n1\nabc\n12\n1\n35\n1\n"
    done = subprocess.run(command, input=typed, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert "The sum to land on exactly. (30 to " in done.stdout
    assert "INVALID_VALUE: The target is 12; it has to be at least 30." in done.stdout
    assert "  Ann calls 35.\n" in done.stdout and "  Ann flips " in done.stdout


def test_a_game_that_there_is_not_is_told_with_those_that_there_are(command: list[str]) -> None:
    asked = ["--game", "poker"] if command[0] == sys.executable else ["poker"]
    code, _, errors = tried(*command, *asked)
    assert code == 1
    assert errors.strip() == f"There is no game poker; there are {', '.join(GAMES)}."
