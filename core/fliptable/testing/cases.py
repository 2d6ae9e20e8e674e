"""Cases that are written down: files of positions and moves, and of what has to come of them.

A file is TOML, with a table for each case::

    [[case]]
    name = "a pair wins"
    cites = ["P3"]
    deck = "AS AH"
    moves = ["draw", "draw"]
    then.winners = [0]
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from fliptable.rules import Private
from fliptable.testing.following import Reader
from fliptable.testing.rounds import RoundScript
from fliptable.testing.wording import split_line

_KEYS = ("name", "cites", "moves", "then")

Facts = Mapping[str, Any]
"""What was found, by name: a value, or a function that says what is wrong with what is expected."""


@dataclass(frozen=True)
class WrittenCase:
    """A case as it stands in a file. Its title, ``str(case)``, is what a test of it is called."""

    file: str
    """The name of the file that it stands in."""
    name: str
    """What it says in a sentence."""
    cites: tuple[str, ...]
    """The lines of the rules that say so."""
    entry: Mapping[str, Any]
    """All of its keys; ``case["deck"]`` and ``case.get("deck", "")`` look there."""
    variant: str = ""
    """Which of several runs of the case it is."""

    def __str__(self) -> str:
        """The title: what it cites, the variant, the name."""
        cited = " ".join(part for part in ("+".join(self.cites), self.variant) if part)
        return f"{cited}: {self.name}" if cited else self.name

    def __getitem__(self, key: str) -> Any:
        """The value of a key. Errors: KeyError."""
        return self.entry[key]

    def __contains__(self, key: str) -> bool:
        """Whether the case has a key."""
        return key in self.entry

    def get(self, key: str, default: Any = None) -> Any:
        """The value of a key, or a default."""
        return self.entry.get(key, default)

    @property
    def moves(self) -> Sequence[str]:
        """The lines to follow."""
        lines: Sequence[str] = self.get("moves", ())
        return lines

    @property
    def steps(self) -> list[tuple[str, str | None]]:
        """The lines, each in two: what is done, and the code that it has to be refused with."""
        return [split_line(line) for line in self.moves]

    def play(
        self,
        script: RoundScript,
        facts: Callable[[RoundScript], Facts] | None = None,
        *,
        read: Reader | None = None,
    ) -> None:
        """Follow the moves, and hold what the case expects against what came of them.

        ``facts`` finds more than :func:`round_facts` does, or the same otherwise; ``read`` reads moves of
        a notation of one's own. Errors: AssertionError names the line or the fact.
        """
        script.follow(*self.moves, read=read)
        hold_facts(self.get("then", {}), {**round_facts(script), **(facts(script) if facts else {})})


def read_cases(
    *files: Path, keys: Collection[str] = (), each: Mapping[str, Sequence[Any]] | None = None
) -> list[WrittenCase]:
    """The cases of TOML files, or of all in a folder, in order.

    A case has a ``name``; it may cite the lines of the rules (``cites``) and have ``moves`` and what comes
    of them (``then``). ``keys`` are those that it may have besides. ``each`` names keys with a list of
    values, and what the list is where a case has none: the case is there once for each value.

    Errors: ValueError names the file, the case and the key, or a title that two cases have.
    """
    found: list[WrittenCase] = []
    for path in [file for one in files for file in (sorted(one.glob("*.toml")) if one.is_dir() else [one])]:
        known = {*_KEYS, *keys, *(each or ())}
        for number, entry in enumerate(tomllib.loads(path.read_text(encoding="utf-8"))["case"], start=1):
            where = f"{path.name}, case {number}"
            for key in entry:
                if key not in known:
                    raise ValueError(f"{where}: there is no key {key!r}{_meant(key, known)}")
            if not entry.get("name"):
                raise ValueError(f"{where}: it has no name")
            case = WrittenCase(path.name, entry["name"], tuple(entry.get("cites", ())), entry)
            found += _variants(case, each or {})
    titles: dict[str, str] = {}
    for case in found:
        if str(case) in titles:
            raise ValueError(f"{case.file}: there is a case {str(case)!r} in {titles[str(case)]} already")
        titles[str(case)] = case.file
    return found


def _variants(case: WrittenCase, each: Mapping[str, Sequence[Any]]) -> Iterator[WrittenCase]:
    if not each:
        yield case
        return
    key, *others = each
    for value in case.get(key, each[key]):
        words = " ".join(part for part in (case.variant, str(value)) if part)
        one = replace(case, entry={**case.entry, key: value}, variant=words)
        yield from _variants(one, {other: each[other] for other in others})


def round_facts(script: RoundScript) -> Facts:
    """What every case may expect of a round, by name.

    ``to_act`` (seats), ``over``, ``winners``, ``results``, ``points`` and ``reasons`` (of a round that is
    over), ``legal`` (all moves in words), ``can`` and ``cannot`` (some of them, and moves that are not
    there), ``events`` (names of classes, in this order with others in between), ``without`` (events that
    did not happen).
    """
    outcome = script.outcome
    ends = outcome.seats if outcome is not None else ()
    return {
        "to_act": script.to_act,
        "over": outcome is not None,
        "winners": outcome.winners if outcome is not None else [],
        "results": [one.result.value for one in ends],
        "points": [one.points for one in ends],
        "reasons": [one.reason for one in ends],
        "legal": lambda wanted: _same(sorted(script.legal), sorted(wanted)),
        "can": lambda wanted: _none(set(wanted) - set(script.legal), "cannot be played"),
        "cannot": lambda wanted: _none(set(wanted) & set(script.legal), "can be played"),
        "events": lambda wanted: _in_order(_names(script), wanted),
        "without": lambda wanted: _none(set(wanted) & set(_names(script)), "happened"),
    }


def hold_facts(expected: Mapping[str, Any], found: Facts) -> None:
    """Hold what is expected by name against what was found.

    Of a table only the keys that are expected are looked at. A fact that is a function gets what is
    expected and says what is wrong, or nothing. Errors: AssertionError names the fact.
    """
    for name, wanted in expected.items():
        assert name in found, f"nothing looks at {name!r}{_meant(name, found)}"
        fact = found[name]
        if callable(fact):
            wrong = fact(wanted)
            assert not wrong, f"{name}: {wrong}"
        elif isinstance(wanted, Mapping) and isinstance(fact, Mapping):
            for key, part in wanted.items():
                assert key in fact, f"{name}: there is no {key!r}{_meant(key, fact)}"
                assert fact[key] == part, f"{name} of {key} is {fact[key]!r}, and should be {part!r}"
        else:
            assert fact == wanted, f"{name} is {fact!r}, and should be {wanted!r}"


def _names(script: RoundScript) -> list[str]:
    plain = [event.event if isinstance(event, Private) else event for event in script.events]
    return [type(event).__name__ for event in plain]


def _same(found: Any, wanted: Any) -> str | None:
    return None if found == wanted else f"{found!r} should be {wanted!r}"


def _none(wrong: Collection[str], what: str) -> str | None:
    return f"{', '.join(sorted(wrong))} {what}" if wrong else None


def _in_order(found: Sequence[str], wanted: Sequence[str]) -> str | None:
    rest = iter(found)
    missing = [name for name in wanted if name not in rest]
    return f"{missing[0]} is not there in this order: {', '.join(found)}" if missing else None


def _meant(key: str, known: Collection[str]) -> str:
    close = get_close_matches(key, known, 1)
    return f"; {close[0]!r} is meant?" if close else f"; there are {', '.join(sorted(known))}"
