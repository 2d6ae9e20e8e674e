"""The fields of a legal move: what they take, in words, and what somebody means who types a value."""

from __future__ import annotations

from typing import Any

MANY = 2**31 - 1
"""The largest Int; a field whose maximum this is has none to speak of."""

_FEW = 4
"""So many numbers in a row are listed, more are given as a range."""
_YES, _NO = ("yes", "y", "true", "on"), ("no", "n", "false", "off")
_NOTHING = ("none", "-")


class NotAllowed(ValueError):
    """What was typed cannot be taken; the message is for a person."""


def allowed(field: dict[str, Any]) -> str:
    """What a field takes, in a few words."""
    if field["list"]:
        least, most = field["minItems"], field["maxItems"]
        if most == 0:
            return "none"
        many = f"up to {most}" if least == 0 else str(most) if least == most else f"{least} to {most}"
        return f"{many} of {_each(field, ' ')}"
    return _each(field, " or ")


def _each(field: dict[str, Any], between: str) -> str:
    choices = field["choices"]
    if choices:
        numbers = field["type"] == "Int" and len(choices) > _FEW
        if numbers and choices == list(range(choices[0], choices[0] + len(choices))):
            return f"{choices[0]} to {choices[-1]}"
        return between.join(shown(one) for one in choices)
    if field["type"] == "Int":
        return f"{field['min']} or more" if field["max"] >= MANY else f"{field['min']} to {field['max']}"
    return str(field["description"])


def shown(value: Any) -> str:
    """A value as one would type it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return " ".join(shown(one) for one in value) or "none"
    return str(value)


def parsed(field: dict[str, Any], text: str) -> Any:
    """The value that a word means; of a list, words with spaces or commas. Errors: NotAllowed."""
    if field["list"]:
        return _list(field, text)
    value = _one(field, text)
    if value is None:
        raise NotAllowed(f"{field['name']} cannot be {text}: it is {allowed(field)}.")
    return value


def _list(field: dict[str, Any], text: str) -> list[Any]:
    words = [] if text.strip().lower() in _NOTHING else text.replace(",", " ").split()
    values: list[Any] = []
    for word in words:
        value = _one(field, word)
        if value is None:
            raise NotAllowed(f"{field['name']} cannot have {word}: it is {allowed(field)}.")
        if value in values:
            raise NotAllowed(f"{field['name']} cannot have {word} twice.")
        values.append(value)
    if not field["minItems"] <= len(values) <= field["maxItems"]:
        raise NotAllowed(f"{field['name']} cannot have {len(values)} values: it is {allowed(field)}.")
    return values


def _one(field: dict[str, Any], word: str) -> Any:
    """The value that a word means; None where the field does not take it."""
    if field["type"] == "Boolean":
        meant = True if word.lower() in _YES else False if word.lower() in _NO else None
        return meant if field["choices"] is None or meant in field["choices"] else None
    if field["choices"] is not None:
        same = [one for one in field["choices"] if str(one).lower() == word.lower()]
        # A king is KING over GraphQL, and K to whoever holds one.
        begins = [one for one in field["choices"] if str(one).lower().startswith(word.lower())]
        found = same or (begins if field["type"] == "Enum" and len(begins) == 1 else [])
        return found[0] if found else None
    if field["type"] != "Int":
        return word
    try:
        number = int(word)
    except ValueError:
        return None
    return number if field["min"] <= number <= field["max"] else None
