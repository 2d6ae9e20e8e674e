"""What the documentation shows works: its code blocks are run against a server."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent

import httpx
import pytest
from graphql import GraphQLSchema, build_schema, parse, validate
from markdown_it import MarkdownIt
from nodekit import INTEROP, node, package
from pyrightkit import check_strictly

from fliptable_api import reference
from fliptable_api.cli import main
from fliptable_api.cli.local import memory_server
from fliptable_api.settings import Settings

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "docs" / "example-plugin"
TYPED = INTEROP / "typed"
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "examples").glob("*/README.md")])
KINDS = {"sh", "js", "ts", "python", "graphql", "json", "toml", "console", "text", ""}
"""What a block can be: all but the last three are checked here."""
DIRECTIVES = ("{eval-rst}", "{glossary}", "{include}", "{toctree}")
"""What makes parts of the site, which test_site.py builds."""
TESTED = ("examples", "plugins", "tests/api/versions", "tests/conformance")
"""Where the plugins lie that pages show pieces of; they have tests of their own."""


@dataclass(frozen=True)
class Block:
    page: Path
    line: int
    kind: str
    text: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def is_piece(text: str, ending: str = "*.py") -> bool:
    """Whether a block is a part of a plugin that is tested, as it is or a method out of its class."""
    inside = indent(text, "    ")
    files = [path for folder in TESTED for path in (ROOT / folder).rglob(ending)]
    return any(text in told or inside in told for told in (path.read_text("utf-8") for path in files))


def blocks_of(page: Path) -> Iterator[Block]:
    kind, start, lines = None, 0, list[str]()
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.startswith("```"):
            lines.append(line)
        elif kind is None:
            kind, start, lines = line.removeprefix("```").strip(), number, []
        else:
            yield Block(page, start, kind, "\n".join(lines) + "\n")
            kind = None
    assert kind is None, f"{page.name}:{start}: the block does not end"


BLOCKS = [block for page in PAGES for block in blocks_of(page)]


def pages() -> list[pytest.ParameterSet]:
    return [pytest.param(page, id=str(page.relative_to(ROOT))) for page in PAGES]


def blocks(kind: str) -> list[pytest.ParameterSet]:
    return [pytest.param(block, id=str(block)) for block in BLOCKS if block.kind == kind]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A server with the built-in plugins and the one that docs/rules.md is about."""
    sys.path.insert(0, str(EXAMPLE))
    from fliptable.plugins import load_plugins

    registry = load_plugins()
    import fliptable_higher

    registry.register(fliptable_higher, "higher", "fliptable-higher")
    try:
        with memory_server(Settings(memory=True, token_days=30), registry) as address:
            yield address
    finally:
        sys.path.remove(str(EXAMPLE))


def run(command: list[str], text: str, address: str, folder: Path) -> str:
    """What a program prints that is given to an interpreter on standard input."""
    program = text.replace("localhost:8000", address.removeprefix("http://"))
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "FLIPTABLE_SERVER": address, "XDG_CONFIG_HOME": str(folder)}
    done = subprocess.run(
        command,
        input=program,
        capture_output=True,
        text=True,
        timeout=100,
        cwd=folder,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_every_block_is_of_a_kind_that_is_checked() -> None:
    assert not [
        f"{block} is {block.kind!r}"
        for block in BLOCKS
        if block.kind not in KINDS and not block.kind.startswith(DIRECTIVES)
    ]


@pytest.mark.parametrize("page", pages())
def test_no_block_is_written_so_that_it_is_not_found(page: Path) -> None:
    """Code in a list, with other fences or with spaces before it would be read, and not run."""
    tokens = MarkdownIt().parse(page.read_text(encoding="utf-8"))
    lines = [token.map[0] + 1 for token in tokens if token.type in ("fence", "code_block") and token.map]
    assert lines == [block.line for block in BLOCKS if block.page == page]


@pytest.mark.parametrize("page", pages())
def test_shell_blocks_run_one_after_the_other(page: Path, address: str, tmp_path: Path) -> None:
    scripts = [block for block in BLOCKS if block.page == page and block.kind == "sh"]
    if not scripts:
        return
    parts = [f"printf '\\n\\n%s\\n' '# {block}'\n{block.text}" for block in scripts]
    text = "".join(["set -euo pipefail\n", *parts])
    told = run(["bash", "-s"], text, address, tmp_path)
    assert '"errors"' not in told, told
    assert '"code":"' not in told or page.name != "README.md", told


@pytest.mark.parametrize("block", blocks("python"))
def test_python_blocks_run(block: Block, address: str, tmp_path: Path) -> None:
    if block.page.name == "rules.md":
        return  # parts of the example plugin; see test_rules_md_holds_the_whole_example
    if is_piece(block.text):
        return
    assert re.search("^(from|import) ", block.text, re.MULTILINE), (
        f"{block} is no program, and no piece of a plugin in {', '.join(TESTED)} either (any more)"
    )
    assert run([sys.executable, "-"], block.text, address, tmp_path)


def test_type_checkers_are_content_with_class_variables_as_they_are_shown(tmp_path: Path) -> None:
    (block,) = [one for one in BLOCKS if one.page.name == "howto.md" and "class Strict(" in one.text]
    (tmp_path / "shown.py").write_text(block.text, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "shown.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    check_strictly(tmp_path, ROOT)
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "RUF012", "shown.py"]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=100)


@pytest.mark.parametrize("block", blocks("js"))
def test_javascript_blocks_run(block: Block, address: str) -> None:
    if any(block.text in path.read_text(encoding="utf-8") for path in INTEROP.glob("*.mjs")):
        return  # a piece of a program that the tests of its folder run
    package("graphql-ws")
    program = block.text.replace("localhost:8000", address.removeprefix("http://"))
    # From standard input, packages are looked for in the current folder.
    done = subprocess.run(
        [node(), "--input-type=module", "-"],
        input=program,
        capture_output=True,
        text=True,
        timeout=100,
        cwd=INTEROP,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout


@pytest.mark.parametrize("block", blocks("ts"))
def test_typescript_blocks_are_pieces_of_what_is_compiled(block: Block) -> None:
    """tests/interop/test_typed.py generates types for these files, compiles them and has them play."""
    assert any(block.text in path.read_text(encoding="utf-8") for path in TYPED.glob("*.ts"))


def test_the_settings_of_generators_are_those_that_are_run() -> None:
    told = [block.text for block in BLOCKS if block.page.name == "clients.md" and block.kind == "json"]
    names = ("codegen.json", "tsconfig.json", "relay.config.json", "persisted-query-manifest.config.json")
    *settings, overrides = told
    assert settings == [(TYPED / name).read_text(encoding="utf-8") for name in names]
    package = json.loads((INTEROP / "package.json").read_text(encoding="utf-8"))
    assert json.loads(overrides) == {"overrides": package["overrides"]}


@pytest.fixture(scope="module")
def schema() -> GraphQLSchema:
    return build_schema((ROOT / "schema.graphql").read_text(encoding="utf-8"))


@pytest.mark.parametrize("block", blocks("graphql"))
def test_graphql_blocks_fit_the_schema(block: Block, schema: GraphQLSchema) -> None:
    assert validate(schema, parse(block.text)) == []


@pytest.mark.parametrize("block", blocks("json"))
def test_json_blocks_are_json(block: Block) -> None:
    json.loads(block.text)


@pytest.mark.parametrize("block", blocks("toml"))
def test_toml_blocks_are_toml(block: Block) -> None:
    tomllib.loads(block.text)
    assert block.page.name != "testing.md" or is_piece(block.text, "*.toml")


@pytest.mark.parametrize("block", blocks("console"))
def test_console_blocks_name_targets_and_commands_that_there_are(block: Block, tmp_path: Path) -> None:
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    lines = [line.removeprefix("$ ") for line in block.text.splitlines() if line.startswith("$ ")]
    assert lines, "a console block has lines that begin with $"
    for line in lines:
        words = shlex.split(line, comments=True)
        if "frontend-" in block.page.parent.name and words[0] != "make":
            continue  # tests/examples/test_readmes.py has these
        if words[0] == "make":
            assert words[1] in targets
        elif words[0] == "fliptable":
            words = words[: words.index("|")] if "|" in words else words
            with main.commands[words[1]].make_context(words[1], words[2:]):
                pass
        elif words[0] == "npm" or (words[:2] == ["pip", "install"] and words[2].startswith("gql")):
            assert block.page.name == "clients.md"  # test_install_lines.py has these
        elif words == ["python3", "-m", "venv", ".venv"] or words == [".", ".venv/bin/activate"]:
            continue  # tests/api/test_own_environment.py has these
        elif words[0] == "pip":
            assert words[1] == "install" and words[2:]
            for what in words[2:]:
                if what.startswith("path/to/fliptable"):
                    _can_be_installed(ROOT, what.replace("path/to/fliptable", "."))
                elif what == ".[test]" and block.page.parent.name == "docs":
                    assert len(words) == 4  # A plugin that is not there yet.
                elif what != "--editable":
                    _can_be_installed(block.page.parent, what)
        else:
            assert words[0] == "pytest", f"{line} is not checked; make it sh"
            assert all((ROOT / folder).exists() for folder in words[1:]), line


@pytest.mark.parametrize("page", pages())
def test_commands_in_the_text_are_ones_that_there_are(page: Path) -> None:
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for program, rest in re.findall(r"`(fliptable|make) ([^`]+)`", text):
        name, *words = shlex.split(rest)
        if program == "make":
            assert name in targets, rest
        elif name != "COMMAND":
            known = {option for one in main.commands[name].params for option in one.opts} | {"--help"}
            assert {word for word in words if word.startswith("--")} <= known, rest


def _can_be_installed(here: Path, what: str) -> None:
    """A folder of this project from where the page says it, with the extras that it has."""
    folder, _, extras = what.removesuffix("]").partition("[")
    there = (here if folder == "." else ROOT) / folder / "pyproject.toml"
    project = tomllib.loads(there.read_text(encoding="utf-8"))["project"]
    assert set(filter(None, extras.split(","))) <= set(project.get("optional-dependencies", ())), what


@pytest.mark.parametrize("page", pages())
def test_what_the_code_knows_better_is_up_to_date(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    message = f"{page.name} is out of date: run `python -m fliptable_api.reference`"
    assert reference.brought_up_to_date(text) == text, message


@pytest.mark.parametrize("part", reference.PARTS)
def test_every_part_of_the_reference_stands_in_a_page(part: str) -> None:
    assert any(f"<!-- reference: {part} -->" in page.read_text(encoding="utf-8") for page in PAGES)


@pytest.mark.parametrize("page", pages())
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith("http"):
            continue
        name, _, anchor = target.partition("#")
        there = page if not name else page.parent / name
        assert there.exists(), f"{page.name} links to {target}"
        if anchor:
            heads = re.findall(r"^#+ (.+)$", there.read_text(encoding="utf-8"), re.MULTILINE)
            anchors = {re.sub(r"[^\w -]", "", head).lower().replace(" ", "-") for head in heads}
            assert anchor in anchors, f"{page.name} links to {target}"


def test_every_page_is_linked_from_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [
        page.name for page in PAGES if page.parent.name == "docs" and f"docs/{page.name}" not in readme
    ] == []


def test_rules_md_holds_the_whole_example() -> None:
    """Its pieces, put together, are the files of docs/example-plugin."""
    page = ROOT / "docs" / "rules.md"
    for kind, names in (("python", ("fliptable_higher.py", "test_higher.py")), ("toml", ("pyproject.toml",))):
        pieces = "".join(block.text for block in BLOCKS if block.page == page and block.kind == kind)
        whole = "".join((EXAMPLE / name).read_text(encoding="utf-8") for name in names)
        assert pieces.split() == whole.split()


def test_no_token_is_no_fault_of_the_request_and_a_bad_one_is(address: str) -> None:
    """As docs/errors.md and docs/frontend.md say it, of signing in too."""
    sign_out, sign_in = "signOut { player { id } }", 'signInAsGuest(input: {name: "Ann"}) { token }'
    bad = {"authorization": "Bearer ft_nobody"}
    told = [
        (answer.status_code, answer.json().get("errors", [{}])[0].get("extensions", {}).get("code"))
        for what, headers in ((sign_out, {}), (sign_out, bad), (sign_in, {}), (sign_in, bad))
        for answer in [
            httpx.post(f"{address}/graphql", json={"query": f"mutation {{ {what} }}"}, headers=headers)
        ]
    ]
    assert told == [(200, "UNAUTHENTICATED"), (401, "UNAUTHENTICATED"), (200, None), (401, "UNAUTHENTICATED")]
