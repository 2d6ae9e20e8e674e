"""The law that nothing leaks: permute what a viewer cannot know, and what the viewer gets is the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from random import Random
from typing import Any

from fliptable.chance import LooseChance, Shuffled
from fliptable.projection import label
from fliptable.rules import Game, MoveRange, Refusal, Seat, Viewer
from fliptable.testing.broken import about
from fliptable.testing.differences import apart
from fliptable.testing.literals import shown
from fliptable.testing.moves import strangers
from fliptable.testing.playout import Playout
from fliptable.testing.storage import storable

_WORLDS = 2
"""How many other worlds each viewer's is held against."""
_ASKED = "what is asked next (`ask`; by default the labels of the legal moves, so override it)"
_NAMES = [f"Seat {one + 1}" for one in range(20)]
_REFUSED = 6
"""So many refused moves are tried in another world."""


def some_seats(seats: Iterable[Seat], random: Random, most: int = 4) -> list[Seat]:
    """The seats in order, or some of them where there are many, since all would take long."""
    found = sorted(seats)
    return found if len(found) <= most else sorted(random.sample(found, most))


def viewers(seats: int, random: Random | None = None) -> list[Viewer]:
    """A spectator, every seat (or some of many, by lot), and a host who sees for all seats but the first."""
    looked = range(seats) if random is None else some_seats(range(seats), random, 6)
    single: list[Viewer] = [frozenset({seat}) for seat in looked]
    return [frozenset(), *single, *([frozenset(range(1, seats))] if seats > 2 else [])]


def another_world(game: Game[Any, Any], state: Any, viewer: Viewer, random: Random) -> Any:
    """A state that the viewer cannot tell from the given one."""
    return game.shuffle_unknown(state, viewer, LooseChance(random.shuffle))


def seen_of(game: Game[Any, Any], state: Any, viewer: Viewer) -> dict[str, Any]:
    """Everything that a viewer gets of a round as it stands, by name."""
    asked = _of_all(game, state)
    return {**_of_viewer(game, state, viewer, asked), **asked}


def _of_viewer(game: Game[Any, Any], state: Any, viewer: Viewer, asked: Mapping[str, Any]) -> dict[str, Any]:
    turn = asked["to_act"]
    return {
        "view": game.view(state, viewer),
        "legal_moves": {seat: list(game.legal_moves(state, seat)) for seat in turn if seat in viewer},
    }


def _of_all(game: Game[Any, Any], state: Any) -> dict[str, Any]:
    """What everybody gets."""
    turn = sorted(game.to_act(state))
    return {
        "to_act": turn,
        "outcome": game.outcome(state),
        "cards_left": game.cards_left(state),
        "cycle": game.cycle(state),
        _ASKED: _asked(game, state, turn),
    }


def _asked(game: Game[Any, Any], state: Any, turn: Sequence[Seat]) -> Sequence[str | None]:
    """What everybody is told to ask next: by default the labels of the moves of whoever is to act."""
    questions = [game.ask(state, seat, _NAMES) for seat in turn]
    if any(questions):
        return questions
    legal = [move for seat in turn for move in game.legal_moves(state, seat)]
    return sorted({label(move.example if isinstance(move, MoveRange) else move) for move in legal})


def differences(one: dict[str, Any], other: dict[str, Any]) -> Iterator[str]:
    """What differs between two of :func:`seen_of`."""
    for name, value in one.items():
        if value != other[name]:
            yield apart(value, other[name], name) or f"{name} is {value} or {other[name]}"


def unknown_leaks(playout: Playout, random: Random) -> Iterator[str]:
    """A viewer gets the same in every world that they cannot tell apart."""
    # What a glance has found by the same lot is found again; but a spectator is the smaller example.
    same = copy(random)
    game, state = playout.game, playout.state
    before = storable(state)
    asked = _of_all(game, state)
    for viewer in viewers(playout.case.seats, random):
        seen: dict[str, Any] = {}
        for _ in range(_WORLDS):
            other = another_world(game, state, viewer, random)
            if other is state or storable(other) == before:
                continue
            seen = seen or {**_of_viewer(game, state, viewer, asked), **asked}
            for difference in differences(seen, seen_of(game, other, viewer)):
                yield _complaint(viewer, difference)
            yield from _refusals(playout, other, viewer, random)
    if storable(state) != before:
        yield "shuffle_unknown changes the state it was given"
    yield from glance_leaks(playout, *glimpse(playout, same))


def glimpse(playout: Playout, random: Random) -> tuple[Viewer, Any]:
    """One viewer, and one world that they cannot tell from this one."""
    single = [frozenset({seat}) for seat in range(playout.case.seats)]
    viewer = random.choice([frozenset[int](), *single])
    return viewer, another_world(playout.game, playout.state, viewer, random)


def glance_leaks(playout: Playout, viewer: Viewer, other: Any) -> Iterator[str]:
    """A viewer sees the same in a world that they cannot tell from this one."""
    game, state = playout.game, playout.state
    if other is state:
        return
    for name, ask in (
        ("view", lambda one: game.view(one, viewer)),
        ("to_act", lambda one: sorted(game.to_act(one))),
        ("outcome", game.outcome),
    ):
        here, there = ask(state), ask(other)
        if here != there:
            yield _complaint(viewer, apart(here, there, name) or name)


def _complaint(viewer: Viewer, difference: str) -> str:
    return (
        f"{who(viewer)} can tell hidden things apart: {difference}, as shuffle_unknown lays "
        "what they do not know"
    )


def _refusals(playout: Playout, other: Any, viewer: Viewer, random: Random) -> Iterator[str]:
    """A seat is refused in the same words in two worlds that it cannot tell apart."""
    game, state = playout.game, playout.state
    if len(viewer) != 1 or not viewer <= set(game.to_act(state)):
        return
    (seat,) = viewer
    tried = strangers(
        game.moves, list(game.legal_moves(state, seat)), (), game.all_cards(state) or (), random
    )
    for move in random.sample(tried, min(_REFUSED, len(tried))):
        with about(seat, move):
            here, there = [game.decide(one, seat, move, playout.context()) for one in (state, other)]
        if isinstance(here, Refusal) and isinstance(there, Refusal) and here != there:
            yield (
                f"{who(viewer)} is told hidden things when {shown(move)} is refused: "
                f"{apart(here, there, 'refusal')}, as shuffle_unknown lays what they do not know"
            )


def hides_something(playout: Playout, random: Random) -> bool:
    """Whether a spectator could be told a new thing: whether shuffle_unknown changes anything."""
    before = storable(playout.state)
    return any(
        storable(another_world(playout.game, playout.state, frozenset(), random)) != before for _ in range(4)
    )


def announced(events: Iterable[Any]) -> int:
    """How many cards the largest shuffle among the events had."""
    return max([len(event.cards) for event in events if isinstance(event, Shuffled)], default=0)


def who(viewer: Viewer) -> str:
    """What a viewer is called in a complaint."""
    if not viewer:
        return "a spectator"
    names = " and ".join(str(seat) for seat in sorted(viewer))
    return f"seat {names}" if len(viewer) == 1 else f"whoever sees for seats {names}"
