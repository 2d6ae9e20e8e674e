"""The parts of the documentation that the code knows better: ``python -m fliptable_api.reference``.

Between ``<!-- reference: NAME -->`` and ``<!-- end -->`` the pages in docs/ hold what this module says.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, get_args, get_origin

import click

from fliptable import REFUSALS, PlayingCard, Rank, Shuffled, Suit
from fliptable.decide import REASONS
from fliptable.events import TABLE_EVENTS
from fliptable.plugins import load_plugins
from fliptable_api.cli import main
from fliptable_api.errors import ERRORS
from fliptable_api.naming import first_sentence, type_name
from fliptable_api.policies import POLICIES, meanings_of
from fliptable_api.settings import PREFIX, Settings
from fliptable_api.values import hints_of

_PART = re.compile(r"(<!-- reference: ([a-z ]+) -->\n).*?(<!-- end -->)", re.DOTALL)
_WIDTH = 100


def settings() -> str:
    """Every setting: its variable, the option of ``serve`` for it, its default and its meaning."""
    serve = main.commands["serve"]
    options = {parameter.name: parameter.opts[0] for parameter in serve.params}
    rows = [
        (
            f"`{PREFIX}{one.name.upper()}`",
            f"`{options[one.name]}`" if one.name in options else "",
            _default(one.default),
            one.metadata["description"],
        )
        for one in fields(Settings)
    ]
    return _table(("variable", "option", "default", "meaning"), rows)


def _default(value: object) -> str:
    if value in ("", ()):
        return "(none)"
    return f"`{str(value).lower()}`" if isinstance(value, bool) else f"`{value}`"


def errors() -> str:
    """Every code of an error."""
    return _table(("code", "meaning"), [(f"`{code}`", text) for code, text in ERRORS.items()])


def refusals() -> str:
    """Every code of a refusal that tables have whatever is played."""
    return _table(("code", "meaning"), [(f"`{code}`", text) for code, text in REFUSALS.items()])


def plugin_refusals() -> str:
    """Every further code of a refusal, with the built-in plugins that bring it."""
    registry = load_plugins(builtin_only=True)
    whose: dict[str, list[str]] = {}
    declared = [(game.id, game.refusals) for game in registry.games.values()]
    declared += [(mode.id, mode.refusals) for mode in registry.modes.values()]
    for owner, codes in declared:
        for code in codes:
            whose.setdefault(code, []).append(f"`{owner}`")
    rows = [
        (f"`{code}`", ", ".join(whose.get(code, ())), text)
        for code, text in sorted(registry.refusals.items())
        if code not in REFUSALS
    ]
    return _table(("code", "of", "meaning"), rows)


def reasons() -> str:
    """Every code for why a table or a round is over, of the table and of the built-in plugins."""
    registry = load_plugins(builtin_only=True)
    rows = [(f"`{code}`", "every table", text) for code, text in REASONS.items()]
    declared = [(mode.id, mode.reasons) for mode in registry.modes.values()]
    declared += [(game.id, game.reasons) for game in registry.games.values()]
    rows += [(f"`{code}`", f"`{id}`", text) for id, codes in declared for code, text in codes.items()]
    return _table(("code", "of", "meaning"), rows)


def commands() -> str:
    """The help of every command."""
    parts = []
    for name, command in main.commands.items():
        settings = {**command.context_settings, "terminal_width": _WIDTH}
        context = click.Context(command, info_name=f"fliptable {name}", **settings)
        parts.append(f"### `fliptable {name}`\n\n```text\n{command.get_help(context).rstrip()}\n```\n")
    return "\n".join(parts)


def events() -> str:
    """Every event of the table, of the built-in games and of the built-in modes."""
    registry = load_plugins(builtin_only=True)
    parts = [("of every table", "", (*TABLE_EVENTS,))]
    parts += [(f"`{game.id}`", game.graphql, game.events) for game in registry.games.values()]
    parts += [(f"`{mode.id}`", mode.graphql, mode.events) for mode in registry.modes.values()]
    rows = [("`DeckShuffled`", "of every table", _meaning(Shuffled))]
    rows += [
        (f"`{type_name(prefix, kind.__name__)}`", owner, _meaning(kind))
        for owner, prefix, kinds in parts
        for kind in kinds
    ]
    return _table(("event", "of", "what happened"), rows)


def policies() -> str:
    """Every policy of the built-in games for ``fliptable simulate``."""
    registry = load_plugins(builtin_only=True)
    rows = [("every game", f"`{name}`", first_sentence(one.__doc__)) for name, one in POLICIES.items()]
    rows += [
        (f"`{game.id}`", f"`{name}`", meaning)
        for game in registry.games.values()
        for name, meaning in meanings_of(game).items()
    ]
    return _table(("game", "policy", "what it does"), rows)


_KNOWN = (PlayingCard, Rank, Suit)
"""What the plugin API has, and is described with it."""


def views() -> str:
    """What the views of the built-in games are made of in Python."""
    parts = []
    for game in load_plugins(builtin_only=True).games.values():
        parts.append(f"## `{game.id}`\n")
        for kind in _within(game.View):
            members = [f"`{member.name}`" for member in kind] if issubclass(kind, Enum) else []
            if members:
                parts.append(f"**`{kind.__name__}`**, an enum: {_meaning(kind)} {', '.join(members)}\n")
            else:
                parts.append(f"**`{kind.__name__}`**: {_meaning(kind)}\n{_fields_of(kind)}")
    return "\n".join(parts)


def _fields_of(kind: type) -> str:
    rows = [(f"`{name}`", f"`{_spelled(hint)}`", text) for name, (hint, text) in hints_of(kind).items()]
    return "\n" + _table(("field", "type", "what it is"), rows)


def _within(kind: type) -> list[type]:
    """A plugin's dataclass with those and the enums that it is made of, each once, in order."""
    found = [kind]
    for part in found:
        for hint, _ in hints_of(part).values() if is_dataclass(part) else ():
            found += [one for one in _named(hint) if one not in [*found, *_KNOWN]]
    return found


def _named(hint: Any) -> Iterator[type]:
    """The dataclasses and enums in a type."""
    for part in get_args(hint):
        yield from _named(part)
    if isinstance(hint, type) and (is_dataclass(hint) or issubclass(hint, Enum)):
        yield hint


def _spelled(hint: Any) -> str:
    """A type as it is written where its names are imported."""
    if hint is Ellipsis:
        return "..."
    parts = [_spelled(part) for part in get_args(hint)]
    if get_origin(hint) is UnionType:
        return " | ".join(parts)
    if hint is NoneType:
        return "None"
    return f"{hint.__name__}[{', '.join(parts)}]" if parts else str(hint.__name__)


PARTS: dict[str, Callable[[], str]] = {
    "settings": settings,
    "errors": errors,
    "refusals": refusals,
    "plugin refusals": plugin_refusals,
    "reasons": reasons,
    "commands": commands,
    "events": events,
    "policies": policies,
    "views": views,
}
"""What can stand between the marks, by name."""


def _meaning(kind: type) -> str:
    return first_sentence(kind.__doc__)


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |\n" for line in lines)


def brought_up_to_date(page: str) -> str:
    """A page with what the code says now. Errors: KeyError for a part that there is not."""
    return _PART.sub(lambda found: f"{found[1]}\n{PARTS[found[2]]()}\n{found[3]}", page)


def write(folder: Path) -> list[Path]:
    """Bring the pages of a folder up to date; those that were not."""
    changed = []
    for path in sorted(folder.glob("*.md")):
        before = path.read_text(encoding="utf-8")
        after = brought_up_to_date(before)
        if after != before:
            path.write_text(after, encoding="utf-8")
            changed.append(path)
    return changed


if __name__ == "__main__":
    for page in write(Path(sys.argv[1] if len(sys.argv) > 1 else "docs")):
        click.echo(f"{page} is up to date now")
