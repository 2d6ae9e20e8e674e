"""One case of a broken law as a test of its own: what a failure prints, to be pasted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fliptable.rules import Game, Refusal
from fliptable.testing.broken import ANSWERS
from fliptable.testing.laws import LAWS
from fliptable.testing.playout import Action, Case, Playout
from fliptable.testing.shrinking import source_of


def regression(case: Case, law: str, actions: Sequence[Action]) -> str:
    """A test that plays the case and holds the law; empty for what random play alone shows."""
    if law not in LAWS and law != ANSWERS:
        return ""
    name = "".join(one if one.isalnum() else "_" for one in law.lower())
    played = "".join(f"\n            {source_of(one)}," for one in actions)
    return (
        f"\n\nAs a test of its own:\n\n"
        f"    def test_{name}_in_a_case_that_failed() -> None:\n"
        f"        actions: list[Action] = [{played}{chr(10) + '        ' if played else ''}]\n"
        f"        check_case(\n"
        f"            {type(case.game).__name__}(),\n"
        f"            {law!r},\n"
        f"            actions,\n"
        f"            seats={case.seats},\n"
        f"            seed={case.seed},\n"
        f"            options={source_of(case.options)},\n"
        f"            terms={source_of(case.terms)},\n"
        f"        )\n"
    )


def check_case(
    game: Game[Any, Any],
    law: str,
    actions: Sequence[Action],
    *,
    seats: int,
    seed: int = 0,
    options: Any = None,
    terms: Any = None,
) -> None:
    """Play one case of a game and hold one law at its end; failures of :func:`check_game` print such cases.

    A case that cannot be played any more, since a move is refused or its seat is not to act, passes.
    Errors: AssertionError names the law and what is wrong.
    """
    from fliptable.testing.conformance import first_broken

    playout = Playout(Case(game, seats, seed, options, terms))
    for action in actions:
        if isinstance(playout.take(action), Refusal):
            return
    broken = first_broken(playout, dict(LAWS) if law == ANSWERS else {law: LAWS[law]})
    assert broken is None or broken.law != law, (
        f"plugin {game.id!r} breaks the law {law!r}: {broken.complaint}"
    )
