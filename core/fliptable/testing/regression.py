"""A case of a broken law as a test of its own: what a failure prints, to be pasted."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from fliptable.testing.literals import Literals

_WIDTH = 100


def regression(
    check: str,
    kind: str,
    part: Any,
    law: str,
    actions: Sequence[Any],
    listed: str,
    arguments: Mapping[str, Any],
    home: str = "",
) -> str:
    """The source of a test that has ``check`` hold the law in a case.

    ``part`` is a game, mode or constraint, as ``kind`` says, or two versions of one; ``listed`` is the
    type of an action; ``arguments`` are those that say what the case is. A function of another module,
    ``home``, holds one law alone, which need not be named.
    """
    literals = Literals()
    name = re.sub(r"\W+", "_", law.lower())
    parts = part if isinstance(part, tuple) else (part,)
    given = [*[literals.part(one, kind) for one in parts], *([] if home else [literals.write(law)])]
    body = ""
    if actions:
        lines = "".join(f"        {literals.write(action)},\n" for action in actions)
        body = f"    actions: list[{literals.function(listed)}] = [\n{lines}    ]\n"
        given.append("actions")
    given += [f"{key}={_argument(literals, key, value)}" for key, value in arguments.items()]
    call = f"    {literals.function(check, home)}({', '.join(given)})"
    if len(call) > _WIDTH:
        call = f"    {check}(\n" + "".join(f"        {one},\n" for one in given) + "    )"
    where = "".join([_missing(one, literals.made_in.get(one)) for one in sorted(literals.elsewhere)])
    where += "".join([_untold(one, takes) for one, takes in sorted(literals.taken.items())])
    imports = "\n".join(literals.imports)
    return f"{imports}\n{where}\n\ndef test_{name}_in_a_case_that_failed() -> None:\n{body}{call}\n"


def _missing(name: str, made_in: str | None) -> str:
    if made_in is None:
        return f"# {name} has to be imported too, or defined here.\n"
    return f"# {name} is a class that {made_in} makes: have it made here, and call it {name}.\n"


def _untold(name: str, takes: str) -> str:
    return f"# {name} takes {takes}: give it what it was given where it was checked.\n"


def _argument(literals: Literals, key: str, value: Any) -> str:
    kind = key.removeprefix("new_")
    if kind in ("game", "mode") and not isinstance(value, str):
        return literals.part(value, kind)
    return literals.write(value)
