"""Where in a value something does not fit, out of what graphql-core says of it."""

from __future__ import annotations

import re

from fliptable_api.quoting import dotted

# The place is in the sentence alone: the error that has it as a list is not kept.
WRONG = re.compile(
    r"(?:Variable '\$(?P<variable>\w+)'|Argument '(?P<argument>\w+)') has invalid (?P<default>default )?value"
    r"(?: at (?P<path>[.\w\[\]]+))?: (?P<why>.*)",
    re.S,
)
UNKNOWN_OR_MISSING = re.compile(
    r"Expected value of type '\w+' (?:not to include unknown|to include required) field "
    # An unknown one may be called anything.
    r"'(?P<name>.*?)'(?=, found: |\. Did you mean [^?]*\? Found: )",
    re.S,
)
_MISSING = re.compile(r"Argument '@?(?:\w+\.)?\w+\((\w+):\)' of type '[^']+' is required")


def place_of(message: str) -> dict[str, str]:
    """The ``variable`` or ``argument``, and the ``field`` inside with dots; nothing of another error."""
    missing = _MISSING.match(message)
    if missing is not None:
        return {"argument": dotted([missing[1]])}
    found = WRONG.match(message)
    if found is None:
        return {}
    named = re.findall(r"\w+", found["path"] or "")
    steps = [int(step) if step.isdecimal() else step for step in named]
    inside = UNKNOWN_OR_MISSING.match(found["why"])
    if inside is not None:
        steps.append(inside["name"])
    kind = "variable" if found["variable"] else "argument"
    place = {kind: dotted([found[kind]])}
    return {**place, "field": dotted(steps)} if steps else place
