"""``fliptable new-plugin``: a distribution of one's own to begin with."""

from __future__ import annotations

import keyword
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import click

from fliptable.plugins import Registry, load_plugins
from fliptable_api.cli.command import Command
from fliptable_api.logs import plugin_failures

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_TRY = {
    "game": "`fliptable play @id@` plays it in the terminal.",
    "mode": "`fliptable play call-it --mode @id@` plays it in the terminal.",
    "constraint": "It is offered where a challenge of the mode `custom` is made.",
}


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
@click.option("--game", "kind", flag_value="game", default=True, help="A game. This is the default.")
@click.option("--mode", "kind", flag_value="mode", help="A mode.")
@click.option("--constraint", "kind", flag_value="constraint", help="A constraint.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(),
    help="Where the new folder is made  [default: here]",
)
def new_plugin(name: str, kind: str, folder: Path) -> None:
    """Make the folder of a new plugin: a small one that works, and its tests.

    NAME is what tables will call it for good, in lower case with hyphens. The folder is called
    fliptable-NAME, and nothing that exists is written over.
    """
    if not _NAME.fullmatch(name):
        raise click.UsageError(f"{name!r} is not lower-case words with hyphens, for example high-card")
    if keyword.iskeyword(name) or name == "table":
        raise click.UsageError(f"{name!r} is a reserved word; add another to it")
    with plugin_failures(told=False):
        built_in, installed = load_plugins(strict=False, builtin_only=True), load_plugins(strict=False)
    if _is_taken(name, built_in):
        raise click.UsageError(f"{name!r} is built in already, and two plugins of one name cannot be loaded")
    if _is_taken(name, installed):
        raise click.UsageError(
            f"an installed plugin is called {name!r} already, and two plugins of one name cannot be loaded; "
            "take another name, or uninstall it"
        )
    target = folder / f"fliptable-{name}"
    if target.exists():
        raise click.ClickException(f"{target} is there already")
    for path, text in contents(name, kind).items():
        place = target / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    click.echo(
        f"{target} has a {kind} that works. Its tests: pip install -e '{target}[test]' && pytest {target}"
    )


def _is_taken(name: str, registry: Registry) -> bool:
    """Whether a plugin, or something that one brings, has the name or the GraphQL prefix it would get."""
    parts: list[Any] = [*registry.games.values(), *registry.modes.values(), *registry.constraints.values()]
    names = {one.name for one in registry.plugins} | {part.id for part in parts}
    return name in names or _class_name(name) in {part.graphql for part in parts}


def _class_name(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("-"))


def contents(name: str, kind: str) -> dict[str, str]:
    """The files of a new plugin by path."""
    words = name.split("-")
    snake = "_".join(words)
    values = {
        "id": name,
        "snake": snake,
        "module": f"fliptable_{snake}",
        "class": _class_name(name),
        "title": " ".join(word.capitalize() for word in words),
        "kind": kind,
    }
    values["try"] = _filled(_TRY[kind], values)
    module = values["module"]
    templates = {
        "pyproject.toml": "pyproject.toml.in",
        "README.md": "README.md.in",
        f"{module}/__init__.py": f"{kind}.py.in",
        f"tests/test_{snake}.py": f"test_{kind}.py.in",
    }
    source = files("fliptable_api") / "templates"
    made = {
        path: _filled((source / template).read_text(encoding="utf-8"), values)
        for path, template in templates.items()
    }
    return {**made, f"{module}/py.typed": ""}


def _filled(text: str, values: dict[str, str]) -> str:
    return re.sub(r"@([a-z]+)@", lambda found: values[found[1]], text)
