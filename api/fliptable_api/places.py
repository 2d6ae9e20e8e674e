"""Where in the variables something does not fit, out of what graphql-core says of it."""

from __future__ import annotations

import re

# The place is in the sentence alone: the error that has it as a list is not kept.
_WRONG = re.compile(
    r"Variable '\$(?P<name>\w+)' has invalid value(?: at (?P<path>[.\w\[\]]+))?: (?P<why>.*)", re.S
)
_FIELD = re.compile(
    r"Expected value of type '\w+' (?:not to include unknown|to include required) field '(\w+)'"
)


def place_of(message: str) -> dict[str, str]:
    """The ``variable``, and the ``field`` inside its value with dots; nothing of another error."""
    found = _WRONG.match(message)
    if found is None:
        return {}
    steps = re.findall(r"\w+", found["path"] or "")
    missing = _FIELD.match(found["why"])
    if missing is not None:
        steps.append(missing[1])
    place = {"variable": found["name"]}
    return {**place, "field": ".".join(steps)} if steps else place
