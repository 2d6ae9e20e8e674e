"""Reading the values of settings: what one cannot have is told in a sentence that names it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

MOST_DAYS = 36_500
"""The longest that something can be set to last: a hundred years."""
MOST_SECONDS = 86_400
"""The longest pause that can be set: a day."""
MOST = 2**31 - 1
"""The largest whole number of a setting."""

_NOT_IN_DATABASES = '/\\. "$*<>:|?'
_LONGEST_DATABASE = 63


class BadSetting(ValueError):
    """A setting has a value that it cannot have."""


def read(name: str, text: str, default: Any) -> Any:
    """A value of the type of the default. Errors: BadSetting."""
    if isinstance(default, bool):
        if text.lower() in ("1", "true", "yes", "on"):
            return True
        if text.lower() in ("0", "false", "no", "off"):
            return False
        raise BadSetting(f"{name} is {_short(text)}; it has to be true or false")
    if isinstance(default, int):
        return _whole(name, text)
    if isinstance(default, float):
        return _seconds(name, text)
    _readable(name, text)
    if isinstance(default, tuple):
        return tuple(part.strip() for part in text.split(",") if part.strip())
    return text


def _readable(name: str, text: str) -> None:
    if any("\ud800" <= one <= "\udfff" for one in text):
        raise BadSetting(f"{name} is {_short(text)}; it has to be text in UTF-8")


def _whole(name: str, text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise BadSetting(f"{name} is {_short(text)}; it has to be a whole number of at least 1")
    if number > MOST:
        raise BadSetting(f"{name} is {_short(text)}; it has to be a whole number of at most {MOST}")
    return number


def _seconds(name: str, text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0
    if not 0 < seconds <= MOST_SECONDS:
        raise BadSetting(
            f"{name} is {_short(text)}; it has to be a number of seconds above 0, at most {MOST_SECONDS}"
        )
    return seconds


def days(name: str, text: str) -> float:
    """A number of days, 0 included. Errors: BadSetting."""
    try:
        number = float(text)
    except ValueError:
        number = -1
    if not 0 <= number <= MOST_DAYS:
        raise BadSetting(f"{name} is {_short(text)}; it has to be a number of days from 0 to {MOST_DAYS}")
    return number


def one_of(*words: str) -> Any:
    """A reader of one of these words. Errors: BadSetting."""

    def read_word(name: str, text: str) -> str:
        if text not in words:
            raise BadSetting(f"{name} is {_short(text)}; it has to be {', '.join(words[:-1])} or {words[-1]}")
        return text

    return read_word


def folder(name: str, text: str) -> str:
    """A folder that is there or can be made. Errors: BadSetting."""
    _readable(name, text)
    try:
        path = Path(text).expanduser().absolute()
        there = next(one for one in (path, *path.parents) if one.exists())
    except (OSError, RuntimeError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise BadSetting(f"{name} is {_short(text)}, which is no folder: {why}") from None
    if not there.is_dir():
        raise BadSetting(f"{name} is {_short(text)}, which is no folder: {there} is a file")
    return text


def mongo_url(name: str, text: str) -> str:
    """The address of a MongoDB. Errors: BadSetting."""
    # The driver takes its time to load, and the commands for players need none of it.
    from fliptable.mongo.address import problem_of

    _readable(name, text)
    problem = problem_of(text)
    if problem is not None:
        raise BadSetting(
            f"{name} is no address of a MongoDB (mongodb://HOST:PORT/?replicaSet=NAME): {problem}"
        )
    return text


def database(name: str, text: str) -> str:
    """The name of a database. Errors: BadSetting."""
    _readable(name, text)
    wrong = sorted(set(text) & set(_NOT_IN_DATABASES))
    if wrong:
        raise BadSetting(
            f"{name} is {_short(text)}; the name of a database cannot have {' '.join(wrong)!r} in it"
        )
    if len(text.encode()) > _LONGEST_DATABASE:
        raise BadSetting(
            f"{name} is {_short(text)}; the name of a database has at most {_LONGEST_DATABASE} bytes"
        )
    return text


def _short(text: str) -> str:
    return repr(text if len(text) <= 200 else f"{text[:200]}…")
