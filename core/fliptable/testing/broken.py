"""A law that is broken, and how that is told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from traceback import walk_tb
from typing import Any

from fliptable.blame import PluginRaised, as_exception
from fliptable.testing.actions import Play
from fliptable.testing.literals import shown
from fliptable.testing.unstorable import unpacked
from fliptable.testing.watchdog import Endless, NoAnswer, watchdog

ANSWERS = "answers"
"""The law that a plugin answers whatever it may be asked, and raises nothing."""
CONTRACT = "contract"
"""The law that a plugin has what the contract of its class asks for."""
SAME = "same seed, same game"
"""The law that the same seed and the same actions lead to the same, whenever and wherever."""

_WHEN = "when "
_SHOWN = 40
"""So many actions are shown at the most; of more, the first and the last."""


class Complaint(str):
    """What is wrong, where it takes one more action for that to happen."""

    ahead: Any = None
    """The action."""

    @classmethod
    def of(cls, told: str, action: Any) -> Complaint:
        """What is told, and the action."""
        complaint = cls(told)
        complaint.ahead = action
        return complaint


@dataclass(frozen=True, slots=True)
class Broken:
    """A law that is broken, and how."""

    law: str
    complaint: str
    error: Exception | None = field(default=None, compare=False, repr=False)
    """What the plugin raised."""
    ahead: Any = field(default=None, compare=False, repr=False)
    """The move that it was asked about, where it raised something."""

    @property
    def endless(self) -> bool:
        """Whether a call has not come back."""
        return isinstance(self.error, NoAnswer)

    def like(self, other: Broken | None) -> bool:
        """Whether the other one is the same law, broken in the same way as far as that can be told."""
        return other is not None and self.law == other.law and type(self.error) is type(other.error)


class LawBroken(AssertionError):
    """Raised where a plugin breaks a law while it is asked something."""

    def __init__(self, law: str, complaint: str, error: Exception | None = None) -> None:
        """Which law, what is wrong, and what the plugin raised."""
        super().__init__(f"{law}: {complaint}")
        self.broken: Broken = Broken(law, complaint, error)


class LawFailure(AssertionError):
    """What a check raises: ``told`` in words, and ``test``, which holds the law in the case that failed."""

    def __init__(self, told: str, test: str) -> None:
        """``test`` is the source of a test module, to be pasted."""
        indented = "".join(f"    {line}".rstrip() + "\n" for line in test.splitlines())
        super().__init__(f"{told}\n\nAs a test of its own:\n\n{indented}")
        self.told = told
        self.test = test


@contextmanager
def about(seat: int, move: Any) -> Iterator[None]:
    """Notes on whatever is raised which move was looked at."""
    try:
        yield
    except BaseException as error:
        if not _noted(error):
            error.add_note(f"{_WHEN}seat {seat} plays {shown(move)}")
            with suppress(AttributeError):
                error.ahead = Play(seat, move)  # type: ignore[attr-defined]
        raise


def raised(error: BaseException, *parts: Any) -> Broken:
    """The law that was broken by raising, with the place in the code of the plugin's parts.

    Errors: what ends the check and not only the plugin, such as Ctrl-C.
    """
    ahead = getattr(error, "ahead", None)
    if isinstance(error, LawBroken):
        return replace(error.broken, complaint=f"{error.broken.complaint}{_noted(error)}", ahead=ahead)
    if isinstance(error, Endless):
        known: Exception = NoAnswer()
        known.__cause__ = error
        told = f"{_where(parts, error)} has not come back after {watchdog().seconds:g} seconds{_noted(error)}"
        return Broken(ANSWERS, f"{told}; a server waits for it with all its tables", known, ahead)
    known = caught(error)
    source = error
    if isinstance(error, PluginRaised) and error.__cause__ is not None:
        source = error.__cause__
    told = unpacked(source) or f"{_where(parts, source)} raises {in_words(source)}"
    complaint = f"{told}{_noted(known) or _noted(source)}"
    return Broken(ANSWERS, complaint, known, ahead)


def caught(error: BaseException) -> Exception:
    """What a plugin raised, as what does not end the check. Errors: what is to end it, such as Ctrl-C."""
    if isinstance(error, GeneratorExit) or type(error).__module__.startswith("_pytest"):
        raise error
    known = as_exception(error)
    if known is not error:
        known.__cause__ = error
    return known


def in_words(error: BaseException) -> str:
    """The class and the words of what was raised."""
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def _noted(error: BaseException) -> str:
    notes = [note for note in getattr(error, "__notes__", ()) if note.startswith(_WHEN)]
    return f", {notes[0]}" if notes else ""


def _where(parts: Iterable[Any], error: BaseException) -> str:
    """The last line of the plugin's own code, else the last one of all."""
    homes = {type(part).__module__.partition(".")[0] for part in parts}
    frames = list(walk_tb(error.__traceback__))
    own = [one for one in frames if str(one[0].f_globals.get("__name__")).partition(".")[0] in homes]
    frame, line = (own or frames)[-1]
    name = frame.f_code.co_qualname.partition(".<locals>")[0]
    return f"{name} ({Path(frame.f_code.co_filename).name}, line {line})"


def report(named: str, broken: Broken, setting: str, actions: Iterable[Any]) -> str:
    """What is told of a failure: the plugin, the law, and what was done until then."""
    lines = [f"  {number}. {action}" for number, action in enumerate(actions, start=1)]
    if len(lines) > _SHOWN:
        left_out = len(lines) - _SHOWN
        lines[_SHOWN // 2 : -_SHOWN // 2] = [f"  … {left_out} more …"]
    after = ", after\n" + "\n".join(lines) if lines else ", before anything is played"
    return f"{named} breaks the law {broken.law!r}: {broken.complaint}\nwith {setting}{after}"
