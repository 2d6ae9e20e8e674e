"""Golden playthroughs: what happened in a round, event by event, as a text to compare with."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

from fliptable.rules import Private
from fliptable.testing.literals import source_of
from fliptable.testing.rounds import RoundScript
from fliptable.testing.wording import write_action


def transcript(events: Iterable[Any], names: Sequence[str] = ()) -> str:
    """The events on a line each, with the sentences of a log where the names at the seats are given."""
    return "".join(f"{line}\n" for event in events for line in _lines(event, names))


def playthrough(
    script: RoundScript, names: Sequence[str], show: Callable[[Any], Iterable[str]] | None = None
) -> str:
    """A round to be read: what was done, what happened, and how it stands after each step.

    ``names`` are the names at the seats, ``show`` gives the lines for a state.
    """
    blocks = []
    for step in script.steps:
        done = step.said or ("" if step.action is None else write_action(script.game, step.action))
        indent = "  " if done else ""
        lines = [f"> {done}"] if done else []
        lines += [indent + _plain(event).text(names) for event in step.events]
        lines += [f"    {line}" for line in show(step.state)] if show is not None else []
        blocks.append("".join(f"{line}\n" for line in lines))
    return "\n".join(blocks)


def _plain(event: Any) -> Any:
    return event.event if isinstance(event, Private) else event


def _lines(event: Any, names: Sequence[str]) -> Iterable[str]:
    whom = ""
    if isinstance(event, Private):
        public = "nothing" if event.public is None else source_of(event.public)
        whom = f"  [to seats {sorted(event.to)}; others see {public}]"
        event = event.event
    yield f"{source_of(event)}{whom}"
    if names:
        yield f"    {event.text(names)}"


class Golden:
    """Compares texts with the files of a folder, or writes them anew."""

    def __init__(self, folder: Path, regenerate: bool) -> None:
        """``folder`` has a file a playthrough; with ``regenerate`` they are written instead of read."""
        self._folder = folder
        self._regenerate = regenerate

    def __call__(self, name: str, text: str) -> None:
        """Hold a text against the file of that name.

        Errors: AssertionError says where they differ, and how the file is made anew.
        """
        path = self._folder / f"{name}.txt"
        if self._regenerate:
            self._folder.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
            return
        anew = "`pytest --regenerate-golden` writes it anew"
        assert path.exists(), f"there is no {path.parent.name}/{path.name}; {anew}"
        wanted = path.read_text(encoding="utf-8")
        if text == wanted:
            return
        pairs = zip([*wanted.splitlines(), "the end"], [*text.splitlines(), "the end"], strict=False)
        number, (one, other) = next(
            (number, pair) for number, pair in enumerate(pairs, start=1) if pair[0] != pair[1]
        )
        raise AssertionError(
            f"{path.parent.name}/{path.name}, line {number}:\n  {one}\nis now\n  {other}\n"
            f"If that is as it should be, {anew}."
        )

    def no_others(self, names: Collection[str]) -> None:
        """Hold that the folder has no files but those of these names; with ``regenerate`` others go.

        Errors: AssertionError names them.
        """
        left = sorted(path for path in self._folder.glob("*.txt") if path.stem not in names)
        if self._regenerate:
            for path in left:
                path.unlink()
            return
        assert not left, (
            f"nothing is held against {', '.join(f'{path.parent.name}/{path.name}' for path in left)}; "
            f"`pytest --regenerate-golden` takes them away"
        )
