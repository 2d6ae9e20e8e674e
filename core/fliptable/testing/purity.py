"""The law of purity: questions change nothing, and the same question gets the same answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from random import Random
from typing import Any

from fliptable.rules import Private, Refusal, Seat
from fliptable.testing.answering import answers
from fliptable.testing.broken import about
from fliptable.testing.culprits import culprit, kept
from fliptable.testing.differences import changes
from fliptable.testing.keeping import memory_of
from fliptable.testing.leaks import some_seats, viewers
from fliptable.testing.literals import shown
from fliptable.testing.moves import random_move
from fliptable.testing.playout import Playout
from fliptable.testing.storage import number_trouble, storable

Question = tuple[str | Callable[[], str], Callable[[], Any], Sequence[Any]]
"""What is asked, in words that may take long to find, the question, and an answer from before, if any."""


def purity(playout: Playout, random: Random) -> Iterator[str]:
    """Nothing that is asked changes the state, and the same question gets the same answer."""
    for told in keeps(playout, random):
        yield told
        return
    state = playout.state
    before = storable(state)
    asked = list(_questions(playout, random))
    for what, ask, before_that in asked:
        first, second = before_that[0] if before_that else ask(), ask()
        # What is no number is not equal to itself; that is for the law of storage.
        if first != second and number_trouble([first, second]) is None:
            told = f"{_said(what)} gives {shown(first)} and then {shown(second)} in the same state"
            yield culprit(playout, _ask_everything) or told
    yield from keeps(playout, random)
    if storable(state) == before:
        return
    if (whose := culprit(playout, _ask_everything)) is not None:
        yield whose
        return
    # Which one it was is only asked where something is wrong, since it takes long.
    for what, ask, _ in asked:
        before = storable(state)
        ask()
        changed = changes(before, storable(state), "state")
        if changed is not None:
            yield f"{_said(what)} changes the state: {changed}"
            return
    yield "something that is asked changes the state the first time: see what the methods do to it"


def keeps(playout: Playout, random: Random) -> Iterator[str]:
    """Nothing has changed that the game keeps beside the state."""
    game = playout.case.game
    memory = memory_of(game)
    told = kept(memory, game, "something that is asked")
    if told is not None:
        yield culprit(playout, _ask_everything) or told


def _ask_everything(playout: Playout) -> None:
    """Ask whatever is asked, to hear what comes of it."""
    game, case, random = playout.game, playout.case, Random(0)
    with suppress(ValueError):
        game.check(case.options, case.seats)
    for _ in answers(playout, random):
        pass
    for _, ask, _ in _questions(playout, random):
        ask()


def _said(what: str | Callable[[], str]) -> str:
    return what if isinstance(what, str) else what()


def _questions(playout: Playout, random: Random) -> Iterator[Question]:
    game, state, seats = playout.game, playout.state, playout.case.seats
    eyes = viewers(seats, random)
    yield "to_act", lambda: list(game.to_act(state)), ()
    yield "outcome", lambda: game.outcome(state), ()
    yield "view", lambda: [game.view(state, viewer) for viewer in eyes], ()
    yield "carry", lambda: None if playout.outcome is None else game.carry(state), ()
    yield "hides", lambda: game.hides(state), ()
    yield "leave", lambda: _leaves(playout), ()
    yield "absent or present", lambda: _comings_and_goings(playout), ()
    for seat in some_seats(game.to_act(state), random):
        yield from _of_seat(playout, seat)
        for move in game.legal_moves(state, seat):
            yield from _of_move(playout, seat, random_move(move, random))


def _of_seat(playout: Playout, seat: Seat) -> Iterator[Question]:
    game, state = playout.game, playout.state
    yield "expired", lambda: list(game.expired(state, seat, playout.context())), ()
    yield "legal_moves", lambda: list(game.legal_moves(state, seat)), ()


def _of_move(playout: Playout, seat: Seat, move: Any) -> Iterator[Question]:
    game, state = playout.game, playout.state
    with about(seat, move):
        result = game.decide(state, seat, move, playout.context())
    yield (
        lambda: f"decide({shown(move)})",
        lambda: game.decide(state, seat, move, playout.context()),
        [result],
    )
    if not isinstance(result, Refusal) and result:
        event = result[0].event if isinstance(result[0], Private) else result[0]
        with about(seat, move):
            game.evolve(state, event)
        yield lambda: f"evolve({shown(event)})", lambda: storable(game.evolve(state, event)), ()


def _leaves(playout: Playout) -> list[Any]:
    if playout.outcome is not None:
        return []
    return [
        list(playout.game.leave(playout.state, seat, playout.context())) for seat in range(playout.case.seats)
    ]


def _comings_and_goings(playout: Playout) -> list[Any]:
    if playout.outcome is not None:
        return []
    game, state, context = playout.game, playout.state, playout.context
    staying = [seat for seat in range(playout.case.seats) if seat not in playout.gone]
    return [[*game.absent(state, seat, context()), *game.present(state, seat, context())] for seat in staying]
