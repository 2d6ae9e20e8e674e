"""Generators of types take the schema; what they make compiles strictly, plays, and can be trusted."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import anyio
import pytest
from inprocess import local
from nodekit import INTEROP, NODE_MODULES, node, package

TYPED = INTEROP / "typed"
SCHEMA = INTEROP.parents[1] / "schema.graphql"
GENERATORS = {
    "@graphql-codegen": [".bin/graphql-codegen", "--config", "codegen.json"],
    "gql.tada": [".bin/gql.tada", "generate-output"],
    "the Relay compiler": ["relay-compiler/cli.js", "relay.config.json"],
}
PLAYED = [
    "The target is 29; it has to be at least 30.",
    "Ann calls 31.",
    "1 Ann sits down.",
    "2 Ann calls 31.",
    "3 Ann leaves the table.",
]

pytestmark = pytest.mark.anyio


class Project:
    """A frontend's folder, with its packages, the schema and programs that ask for it with types."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.copytree(TYPED, folder)
        shutil.copy(SCHEMA, folder / "schema.graphql")
        (folder / "node_modules").symlink_to(NODE_MODULES)

    def generate(self, generator: str) -> tuple[int, str]:
        """Run a generator as docs/clients.md has it."""
        if generator == "the Relay compiler":
            # The folder that its configuration names has to be there.
            (self.folder / "generated" / "relay").mkdir(parents=True, exist_ok=True)
        return self.run(*GENERATORS[generator])

    def run(self, *command: str) -> tuple[int, str]:
        """The exit code of a tool, and what it says."""
        package(command[0])
        done = subprocess.run(
            [node(), f"node_modules/{command[0]}", *command[1:]],
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr

    def generated(self, generator: str) -> None:
        code, told = self.generate(generator)
        assert code == 0, told

    def succeed(self, *command: str) -> str:
        code, told = self.run(*command)
        assert code == 0, told
        return told

    def change(self, name: str, old: str, new: str) -> None:
        path = self.folder / name
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")

    def check(self) -> tuple[int, str]:
        """What the compiler says to it, in its strict mode."""
        return self.run("typescript-7/bin/tsc", "--project", "tsconfig.json")

    def build(self) -> None:
        """Make programs of it that Node.js runs."""
        done = subprocess.run(
            [node(), INTEROP / "relay.mjs", "relay.ts", "./generated/relay"],
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        options = ["--module", "commonjs", "--noEmit", "false", "--outDir", "built", "--noCheck"]
        self.succeed("typescript-7/bin/tsc", "--project", "tsconfig.json", *options)
        (self.folder / "built" / "package.json").write_text('{"type": "commonjs"}')

    async def play(self, program: str, url: str, *more: str) -> list[str]:
        """What a program prints that plays at a server."""
        command = [node(), f"built/{program}.js", url, *more]
        done = await anyio.run_process(command, cwd=self.folder, check=False)
        assert done.returncode == 0, (done.stdout + done.stderr).decode()
        return done.stdout.decode().splitlines()


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    made = Project(tmp_path_factory.mktemp("typed") / "project")
    for generator in GENERATORS:
        made.generated(generator)
    return made


@pytest.fixture(scope="module")
def built(project: Project, tmp_path_factory: pytest.TempPathFactory) -> Project:
    assert project.check() == (0, "")
    project.build()
    return project


def test_what_they_generate_compiles_strictly(project: Project) -> None:
    assert project.check() == (0, "")


# What `npm create vite` writes for React, but for the types of Vite itself.
VITE = {
    "compilerOptions": {
        "target": "es2023",
        "lib": ["ES2023", "DOM", "DOM.Iterable"],
        "module": "esnext",
        "types": ["node"],
        "skipLibCheck": True,
        "moduleResolution": "bundler",
        "allowImportingTsExtensions": True,
        "verbatimModuleSyntax": True,
        "moduleDetection": "force",
        "noEmit": True,
        "jsx": "react-jsx",
        "strict": True,
        "noUnusedLocals": True,
        "noUnusedParameters": True,
        "erasableSyntaxOnly": True,
        "noFallthroughCasesInSwitch": True,
        "noUncheckedSideEffectImports": True,
    },
    "include": ["*.ts", "generated/**/*.ts"],
}


def test_it_compiles_with_the_settings_of_a_new_project_too(project: Project) -> None:
    (project.folder / "tsconfig.vite.json").write_text(json.dumps(VITE))
    code, told = project.run("typescript-7/bin/tsc", "--project", "tsconfig.vite.json")
    assert code == 0, told


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("apollo.ts", "createTable.message", "createTable.mesage"),
        ("urql.ts", "{ name: 'Ann' }", "{ name: 5 }"),
        ("tada.ts", "{ name: 'Ann' }", "{ nam: 'Ann' }"),
        ("relay.ts", "playMove.message", "playMove.legalMoves"),
    ],
    ids=["Apollo Client", "urql", "gql.tada", "Relay"],
)
def test_the_compiler_finds_what_does_not_fit(project: Project, name: str, old: str, new: str) -> None:
    path = project.folder / name
    right = path.read_text(encoding="utf-8")
    project.change(name, old, new)
    try:
        code, told = project.check()
        assert code != 0 and f"{name}(" in told
    finally:
        path.write_text(right, encoding="utf-8")


@pytest.mark.parametrize(
    ("generator", "program"), [("@graphql-codegen", "operations.ts"), ("the Relay compiler", "relay.ts")]
)
def test_generators_refuse_what_the_schema_has_not(tmp_path: Path, generator: str, program: str) -> None:
    other = Project(tmp_path / "project")
    other.change(program, "signInAsGuest(", "signInAsGhost(")
    code, told = other.generate(generator)
    assert code != 0 and "signInAsGhost" in told


def played(told: list[str]) -> None:
    """All of it is there, and in order, as far as one can see."""
    assert [line for line in PLAYED if line not in told] == []
    updates = [line for line in told if line[0].isdigit()]
    assert updates == sorted(updates, key=lambda line: int(line.split()[0]))


@pytest.mark.parametrize("program", ["apollo", "urql", "tada", "relay"])
async def test_programs_play(built: Project, program: str) -> None:
    async with local() as server:
        told = await built.play(program, server.url)
        played(told)
        assert program != "relay" or {"Table true", "Game", "version 2"} <= set(told)


@pytest.mark.parametrize("algorithm", ["sha256", "sha1"])
async def test_the_manifest_of_codegen_is_taken_as_it_is(tmp_path: Path, algorithm: str) -> None:
    made = Project(tmp_path / "project")
    made.change("codegen.json", '"sha256"', f'"{algorithm}"')
    made.generated("@graphql-codegen")
    made.build()
    manifest = made.folder / "generated" / "codegen" / "persisted-documents.json"
    async with local(trust="only", trusted_documents=str(manifest)) as server:
        played(await made.play("urql", server.url, "codegen"))
        # Over WebSocket, Apollo Client sends the operation too, as it has changed it.
        played(await made.play("apollo", server.url, "codegen"))


async def test_the_manifest_of_apollos_tool_is_taken_as_it_is(built: Project) -> None:
    built.succeed(".bin/generate-persisted-query-manifest")
    manifest = built.folder / "generated" / "persisted-query-manifest.json"
    assert json.loads(manifest.read_text())["format"] == "apollo-persisted-query-manifest"
    async with local(trust="only", trusted_documents=str(manifest)) as server:
        played(await built.play("apollo", server.url, str(manifest)))


@pytest.mark.parametrize("algorithm", ["MD5", "SHA256"])
async def test_the_manifest_of_relay_is_taken_as_it_is(tmp_path: Path, algorithm: str) -> None:
    made = Project(tmp_path / "project")
    config = json.loads((made.folder / "relay.config.json").read_text())
    config["persistConfig"] = {"file": "./generated/trusted.json", "algorithm": algorithm}
    (made.folder / "relay.config.json").write_text(json.dumps(config))
    manifest = made.folder / "generated" / "trusted.json"
    manifest.parent.mkdir()
    manifest.write_text("{}")
    made.generated("the Relay compiler")
    made.build()
    async with local(trust="only", trusted_documents=str(manifest)) as server:
        played(await made.play("relay", server.url))


async def test_what_stands_in_no_manifest_is_not_carried_out(built: Project) -> None:
    manifest = built.folder / "generated" / "codegen" / "persisted-documents.json"
    async with local(trust="only", trusted_documents=str(manifest)) as server:
        with pytest.raises(AssertionError, match="the documents of its manifest only"):
            await built.play("tada", server.url)
