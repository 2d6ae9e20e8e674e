"""Playthroughs as text: what was played, what happened, how the table looks. Written to be read."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from flip7_script import LETTERS, Round, line_text

HERE = Path(__file__).parent
FOLDER = HERE / "golden"


def playthroughs() -> dict[str, dict[str, Any]]:
    """The scripts of all playthroughs by name."""
    return tomllib.loads((HERE / "playthroughs.toml").read_text(encoding="utf-8"))


def transcript(name: str, script: dict[str, Any]) -> str:
    """The whole playthrough."""
    played = Round(script, script["rules"])
    names = list(LETTERS[: played.seats])
    text = [name, script["about"], f"Rules: {script['rules']}. Cards to come: {script['deck']}", ""]
    text += [event.text(names) for event in played.events]
    text += [*table(played), ""]
    for move in script["moves"]:
        before = len(played.events)
        played.do(move)
        text.append(f"> {move}")
        text += [f"  {event.text(names)}" for event in played.events[before:]]
        text += [*table(played), ""]
    return "\n".join(text)


def table(played: Round) -> list[str]:
    """How the table looks, and what it waits for."""
    view = played.view
    lines = [f"{LETTERS[line.seat]}: {line_text(line) or '-'} = {line.score}" for line in view.lines]
    text = ["    " + " | ".join(lines)]
    discarded = " ".join(view.discarded[-8:]) or "-"
    more = f"{len(view.discarded) - 8} more, " if len(view.discarded) > 8 else ""
    text.append(f"    draw pile {view.cards_left}, discard pile: {more}{discarded}")
    if view.flip_three is not None:
        flip = view.flip_three
        aside = ", ".join(flip.set_aside) or "nothing"
        text.append(f"    Flip Three of {LETTERS[flip.seat]}: {flip.taken} taken, set aside: {aside}")
    if view.waiting:
        waiting = [f"{one.card} for {LETTERS[one.to]}" for one in view.waiting]
        text.append(f"    waiting: {', '.join(waiting)}")
    if view.pending is not None:
        text.append(f"    to decide: {played.pending}")
    elif view.odds is not None:
        bust, gain = view.odds.bust, view.odds.gain
        text.append(
            f"    {played.next} to hit or stay: bust {bust.numerator}/{bust.denominator},"
            f" a card brings {gain.numerator}/{gain.denominator}"
        )
    else:
        text.append("    the round is over")
    return text


def write_all() -> None:
    """Write every playthrough anew."""
    FOLDER.mkdir(exist_ok=True)
    for name, script in playthroughs().items():
        path = FOLDER / f"{name}.txt"
        path.write_text(transcript(name, script), encoding="utf-8")
        print(f"{path.name} is written")
