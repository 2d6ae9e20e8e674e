"""``fliptable new-plugin``: a distribution of one's own to begin with."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import click

from fliptable.plugins import Registry, load_plugins
from fliptable.vetting import ContractBroken
from fliptable_api.cli.command import Command
from fliptable_api.logs import plugin_failures

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_WIDTH = 88
_TRY = {
    "game": "`fliptable play @id@` plays it in the terminal.",
    "mode": "`fliptable play call-it --mode @id@` plays it in the terminal.",
    "constraint": "It is offered where a challenge of the mode `custom` is made.",
}

_TESTED = {"game": ("Game", "Options"), "mode": ("Mode", "Options"), "constraint": ("Constraint",)}
"""The classes that the tests import. With an ending none of them is called as anything else in there."""


@click.command(
    "new-plugin",
    cls=Command,
    examples="""
fliptable new-plugin high-card
fliptable new-plugin best-of --mode
fliptable new-plugin a-pair --constraint --folder src

Then, in the new folder:
pip install --editable '.[test]' && pytest
""",
)
@click.argument("name")
@click.option("--game", is_flag=True, help="A game. This is the default.")
@click.option("--mode", is_flag=True, help="A mode.")
@click.option("--constraint", is_flag=True, help="A constraint.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(),
    help="Where the new folder is made  [default: here]",
)
def new_plugin(name: str, folder: Path, **kinds: bool) -> None:
    """Make the folder of a new plugin: a small one that works, and its tests.

    NAME is what tables will call it for good, in lower case with hyphens. The folder is called
    fliptable-NAME, and nothing that exists is written over.
    """
    chosen = [kind for kind, wanted in kinds.items() if wanted]
    if len(chosen) > 1:
        raise click.UsageError(f"--{chosen[0]} and --{chosen[1]} are two plugins; make one after the other")
    kind = chosen[0] if chosen else "game"
    if not _NAME.fullmatch(name):
        raise click.UsageError(f"{name!r} is not lower-case words with hyphens, for example high-card")
    _see_that_it_loads(name, kind)
    target = folder / f"fliptable-{name}"
    try:
        if target.exists():
            raise click.ClickException(f"{target} is there already")
        for path, text in contents(name, kind).items():
            place = target / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{target} cannot be made: {error.strerror or error}") from None
    click.echo(
        f"{target} has a {kind} that works. Its tests: pip install -e '{target}[test]' && pytest {target}"
    )


def _see_that_it_loads(name: str, kind: str) -> None:
    """See that a plugin of that name can be loaded beside those that there are. Errors: UsageError."""
    # What makes the schema takes its time to load, and the other commands need none of it.
    from fliptable_api.schema import build_schema
    from fliptable_api.typegen import SchemaCollision

    add = f"add a word to it, for example {name}-{kind}"
    if name == "table":
        raise click.UsageError(f"{name!r} is a reserved word; {add}")
    made = contents(name, kind)
    with plugin_failures(told=False):
        built_in, installed = load_plugins(strict=False, builtin_only=True), load_plugins(strict=False)
    if _is_taken(name, built_in):
        raise click.UsageError(
            f"{name!r} is built in already, and two plugins of one name cannot be loaded; {add}"
        )
    if _is_taken(name, installed):
        raise click.UsageError(
            f"an installed plugin is called {name!r} already, and two plugins of one name cannot be loaded; "
            f"uninstall it, or {add}"
        )
    module = _module_name(name)
    if find_spec(module) is not None:
        raise click.UsageError(f"there is a module {module} already, which {name!r} would hide; {add}")
    plugin = ModuleType(module)
    sys.modules[module] = plugin
    try:
        exec(compile(made[f"{module}/__init__.py"], module, "exec"), plugin.__dict__)
        built_in.register(plugin, name, f"fliptable-{name}")
        build_schema(built_in)
    except (ContractBroken, SchemaCollision) as error:
        raise click.UsageError(f"{name!r} cannot be loaded: {error}; {add}") from None
    finally:
        del sys.modules[module]


def _is_taken(name: str, registry: Registry) -> bool:
    """Whether a plugin, or something that one brings, has the name or the GraphQL prefix it would get."""
    parts: list[Any] = [*registry.games.values(), *registry.modes.values(), *registry.constraints.values()]
    names = {one.name for one in registry.plugins} | {part.id for part in parts}
    return name in names or _class_name(name) in {part.graphql for part in parts}


def _class_name(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("-"))


def _module_name(name: str) -> str:
    return f"fliptable_{name.replace('-', '_')}"


def contents(name: str, kind: str) -> dict[str, str]:
    """The files of a new plugin by path."""
    words = name.split("-")
    module, graphql = _module_name(name), _class_name(name)
    values = {
        "id": name,
        "snake": "_".join(words),
        "module": module,
        # What is called Test… in a test's module is a test to pytest.
        "class": f"The{graphql}" if graphql.startswith("Test") else graphql,
        "graphql": graphql,
        "title": " ".join(word.capitalize() for word in words),
        "kind": kind,
    }
    names = [values["class"] + ending for ending in _TESTED[kind]]
    values["import"] = _import(module, [*names, "Stop", "TurnUp"] if kind == "game" else names)
    values["try"] = _filled(_TRY[kind], values)
    templates = {
        "pyproject.toml": "pyproject.toml.in",
        "README.md": "README.md.in",
        f"{module}/__init__.py": f"{kind}.py.in",
        f"tests/test_{values['snake']}.py": f"test_{kind}.py.in",
    }
    source = files("fliptable_api") / "templates"
    made = {
        path: _filled((source / template).read_text(encoding="utf-8"), values)
        for path, template in templates.items()
    }
    return {**made, f"{module}/py.typed": ""}


def _import(module: str, names: Sequence[str]) -> str:
    """An import as formatters have it: in order, and on one line only if it is not too long."""
    line = f"from {module} import {', '.join(sorted(names))}"
    if len(line) <= _WIDTH:
        return line
    return "\n".join([f"from {module} import (", *[f"    {name}," for name in sorted(names)], ")"])


def _filled(text: str, values: dict[str, str]) -> str:
    return re.sub(r"@([a-z]+)@", lambda found: values[found[1]], text)
