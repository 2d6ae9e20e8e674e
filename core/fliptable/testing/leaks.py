"""The law that nothing leaks: permute what a viewer cannot know, and what the viewer gets is the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Any

from fliptable.chance import LooseChance, Shuffled
from fliptable.projection import label, seen_events
from fliptable.rules import Game, MoveRange, Private, Refusal, Seat, Viewer
from fliptable.testing.broken import about
from fliptable.testing.differences import apart
from fliptable.testing.literals import shown
from fliptable.testing.moves import random_move
from fliptable.testing.playout import Playout
from fliptable.testing.storage import storable

_WORLDS = 2
"""How many other worlds each viewer's is held against."""
_ASKED = "what is asked next (`ask`; by default the labels of the legal moves, so override it)"
_MOVES = 5
"""How many legal moves are played in two worlds at once."""


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
    over = game.outcome(state)
    turn = sorted(game.to_act(state))
    return {
        "view": game.view(state, viewer),
        "to_act": turn,
        "outcome": over,
        "legal_moves": {seat: list(game.legal_moves(state, seat)) for seat in turn if seat in viewer},
        "cards_left": game.cards_left(state),
        "cycle": game.cycle(state),
        _ASKED: _asked(game, state, turn),
    }


def _asked(game: Game[Any, Any], state: Any, turn: Sequence[Seat]) -> Sequence[str | None]:
    """What everybody is told to ask next: by default the labels of the moves of whoever is to act."""
    questions = [game.ask(state, seat, [f"Seat {one + 1}" for one in range(20)]) for seat in turn]
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
    game, state = playout.game, playout.state
    before = storable(state)
    for viewer in viewers(playout.case.seats, random):
        seen = seen_of(game, state, viewer)
        for _ in range(_WORLDS):
            other = another_world(game, state, viewer, random)
            if storable(state) != before:
                yield "shuffle_unknown changes the state it was given"
                return
            for difference in differences(seen, seen_of(game, other, viewer)):
                yield (
                    f"{_who(viewer)} can tell hidden things apart: {difference}, as shuffle_unknown lays "
                    "what they do not know"
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


def events_leak(playout: Playout, random: Random) -> Iterator[str]:
    """Events tell a viewer nothing of what only others see.

    The deck is put in another order that nobody can tell from the first, and the same move is
    played in both worlds. When the viewer's view is the same afterwards and somebody else's is
    not, then what came up is not for the viewer, and their events must be the same too.
    """
    game, state, seats = playout.game, playout.state, playout.case.seats
    if playout.outcome is not None:
        return
    everybody, looking = frozenset(range(seats)), viewers(seats, random)
    for seat in some_seats(game.to_act(state), random):
        legal = list(game.legal_moves(state, seat))
        for chosen in random.sample(legal, min(_MOVES, len(legal))):
            move = random_move(chosen, random)
            other = another_world(game, state, everybody, random)
            with about(seat, move):
                complaint = _told(playout, (state, other), seat, move, looking)
            if complaint is not None:
                yield complaint
                return


def _told(
    playout: Playout, worlds: Sequence[Any], seat: Seat, move: Any, looking: Iterable[Viewer]
) -> str | None:
    """What somebody learns from the events of a move in one world or the other, and ought not to."""
    game, everybody = playout.game, frozenset(range(playout.case.seats))
    here, there = [_after(playout, one, seat, move) for one in worlds]
    if here is None or there is None:
        return None
    for viewer in looking:
        one, two = _seen(here[1], viewer), _seen(there[1], viewer)
        if one == two or game.view(here[0], viewer) != game.view(there[0], viewer):
            continue
        if game.view(here[0], everybody) != game.view(there[0], everybody):
            return (
                f"when seat {seat} plays {shown(move)}, {_who(viewer)} learns from events what only "
                f"others may see: {', '.join(map(shown, one))} or {', '.join(map(shown, two))}"
            )
    return None


def _seen(events: Sequence[Any], viewer: Viewer) -> list[Any]:
    return [event for event in seen_events(events, viewer, frozenset()) if not isinstance(event, Shuffled)]


def _after(playout: Playout, state: Any, seat: int, move: Any) -> tuple[Any, Sequence[Any]] | None:
    result = playout.game.decide(state, seat, move, playout.context())
    if isinstance(result, Refusal):
        return None
    for event in result:
        state = playout.game.evolve(state, event.event if isinstance(event, Private) else event)
    return state, result


def _who(viewer: Viewer) -> str:
    if not viewer:
        return "a spectator"
    names = " and ".join(str(seat) for seat in sorted(viewer))
    return f"seat {names}" if len(viewer) == 1 else f"whoever sees for seats {names}"
