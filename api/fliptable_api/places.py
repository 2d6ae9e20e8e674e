"""Where in a value something does not fit, out of what graphql-core says of it."""

from __future__ import annotations

import re

# The place is in the sentence alone: the error that has it as a list is not kept.
WRONG = re.compile(
    r"(?:Variable '\$(?P<variable>\w+)'|Argument '(?P<argument>\w+)') has invalid (?P<default>default )?value"
    r"(?: at (?P<path>[.\w\[\]]+))?: (?P<why>.*)",
    re.S,
)
_FIELD = re.compile(
    r"Expected value of type '\w+' (?:not to include unknown|to include required) field '(\w+)'"
)
_MISSING = re.compile(r"Argument '@?(?:\w+\.)?\w+\((\w+):\)' of type '[^']+' is required")


def place_of(message: str) -> dict[str, str]:
    """The ``variable`` or ``argument``, and the ``field`` inside with dots; nothing of another error."""
    missing = _MISSING.match(message)
    if missing is not None:
        return {"argument": missing[1]}
    found = WRONG.match(message)
    if found is None:
        return {}
    steps = re.findall(r"\w+", found["path"] or "")
    inside = _FIELD.match(found["why"])
    if inside is not None:
        steps.append(inside[1])
    place = {"variable": found["variable"]} if found["variable"] else {"argument": found["argument"]}
    return {**place, "field": ".".join(steps)} if steps else place
