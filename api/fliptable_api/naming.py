"""How plugin names become GraphQL names."""

from __future__ import annotations

import re
from keyword import iskeyword


def camel(name: str) -> str:
    """``first_player``, ``call-it`` or ``from_`` as ``firstPlayer``, ``callIt`` or ``from``."""
    head, *tail = re.split(r"[_-]+", name.strip("_"))
    return head + "".join(part[:1].upper() + part[1:] for part in tail)


def pascal(name: str) -> str:
    """``score_line`` as ``ScoreLine``."""
    short = camel(name)
    return short[:1].upper() + short[1:]


def uncapitalised(name: str) -> str:
    """``CallIt`` as ``callIt``."""
    return name[:1].lower() + name[1:]


def type_name(prefix: str, name: str) -> str:
    """The GraphQL name of a plugin's class: its prefix once, and no ``View`` at the end."""
    short = name.removesuffix("View") or name
    return short if short.startswith(prefix) else prefix + short


def sentence(text: str) -> str:
    """A text with a capital at its beginning and a full stop at its end."""
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


def why_not(path: str, why: str) -> str:
    """Why a value is not allowed, as a sentence for a person, who is told of what it is the value.

    ``path`` is where it stands in an input, with dots; a plugin says ``why`` in its own words.
    """
    named = next((part for part in reversed(path.split(".")) if not part.isdigit()), "")
    title = title_of(named)
    return sentence(why) if title.lower() in why.lower() else f"{title}: {why}".removesuffix(".") + "."


def title_of(name: str) -> str:
    """The name of an option or of a value of a move for people: ``winning_score`` as ``Winning score``."""
    words = _HUMP.sub(" ", name.strip("_")).replace("_", " ").lower()
    return words[:1].upper() + words[1:]


_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def first_sentence(text: str | None) -> str:
    """The first paragraph of a docstring on one line."""
    paragraph = (text or "").strip().split("\n\n")[0]
    return uncited(" ".join(paragraph.split()))


_CITED = re.compile(
    r" \((?:[a-z][a-z0-9-]* )?[A-Z]\d{1,2}(?:-[A-Z]?\d{1,2})?(?:, [A-Z]\d{1,2}(?:-[A-Z]?\d{1,2})?)*\)"
)


def uncited(text: str) -> str:
    """A text without the lines of rule sheets that it names: they say nothing to clients."""
    return _CITED.sub("", text)


def key_of(name: str) -> str:
    """The attribute of an input that has the field of that name, which may be a keyword of Python."""
    return f"{name}_" if iskeyword(name) else name


def field_of(key: str) -> str:
    """The other way round."""
    return key[:-1] if key.endswith("_") and iskeyword(key[:-1]) else key
