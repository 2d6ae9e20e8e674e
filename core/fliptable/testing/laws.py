"""The laws that every game keeps, each as a generator of complaints about a playout as it stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, fields
from random import Random
from typing import Any, Final

from fliptable.chance import Shuffled
from fliptable.refusals import REFUSALS
from fliptable.rules import (
    MAX_INT,
    Between,
    Choices,
    Game,
    MoveRange,
    Private,
    Refusal,
    Result,
    Seat,
    Several,
)
from fliptable.testing.leaks import events_leak, unknown_leaks
from fliptable.testing.playout import Play, Playout, as_fields, random_move
from fliptable.testing.storage import int_trouble, storable, storage_trouble

Law = Callable[[Playout, Random], Iterator[str]]


def turns(playout: Playout, random: Random) -> Iterator[str]:
    """Somebody who can move is to act while the round runs, and nobody afterwards."""
    game, state = playout.game, playout.state
    seats = list(game.to_act(state))
    if len(seats) != len(set(seats)) or not set(seats) <= set(range(playout.case.seats)):
        yield f"to_act gives {seats} at a table of {playout.case.seats} seats"
    if playout.outcome is None:
        if not seats:
            yield "the round runs, and nobody is to act"
        for seat in seats:
            if not game.legal_moves(state, seat):
                yield f"seat {seat} is to act and has no legal move"
        if playout.gone & set(seats):
            yield f"to_act gives {seats}, and {sorted(playout.gone)} have left"
    elif seats:
        yield f"the round is over, and to_act gives {seats}"


def moves(playout: Playout, random: Random) -> Iterator[str]:
    """Listed moves are accepted, all others are refused with a code that is declared, and change nothing."""
    game, state = playout.game, playout.state
    before = storable(state)
    for seat in sorted(game.to_act(state)):
        legal = list(game.legal_moves(state, seat))
        for move in legal:
            for one in _samples(move, random):
                if type(one) not in game.moves:
                    yield f"the legal move {one} is of no class in moves"
                trouble = int_trouble(one) or storage_trouble(one, type(one))
                if trouble:
                    yield f"the legal move {one}: {trouble}"
                result = game.decide(state, seat, one, playout.context())
                if isinstance(result, Refusal):
                    yield f"seat {seat}: the legal move {one} is refused: {result.code}: {result.message}"
        for one in _strangers(playout, legal, random):
            result = game.decide(state, seat, one, playout.context())
            if not isinstance(result, Refusal):
                yield f"seat {seat}: {one} is not among the legal moves, and is accepted"
            else:
                yield from _refusal(game, one, result)
                if storable(state) != before:
                    yield f"seat {seat}: {one} is refused, and changes the state"


def _samples(move: Any, random: Random) -> Iterator[Any]:
    if not isinstance(move, MoveRange):
        yield move
        return
    yield move.example
    for name, allowed in move.fields.items():
        for value in _ends(allowed):
            yield _with(move.example, name, value)
    for _ in range(3):
        yield random_move(move, random)


def _ends(allowed: Between | Choices | Several) -> Iterable[Any]:
    """The values to try: the extremes, or all that are listed; of lists the shortest and longest."""
    if isinstance(allowed, Between):
        return (allowed.low, allowed.high)
    if isinstance(allowed, Choices):
        return allowed.values
    of = allowed.of
    values = range(of.low, of.low + allowed.most) if isinstance(of, Between) else of.values
    first, last = tuple(values)[: allowed.most], tuple(values)[::-1][: allowed.most]
    return (first[: allowed.least], first, last, *[(value,) for value in first if allowed.least < 2])


def _strangers(playout: Playout, legal: list[Any], random: Random) -> Iterator[Any]:
    """Moves that are not legal: just outside of ranges, and what was played at other times."""
    for move in legal:
        if isinstance(move, MoveRange):
            for name, allowed in move.fields.items():
                if isinstance(allowed, Between):
                    for value in (allowed.low - 1, allowed.high + 1):
                        if abs(value) <= MAX_INT:
                            yield _with(move.example, name, value)
    played = [action.move for action in playout.actions if isinstance(action, Play)]
    seen: list[Any] = []
    for one in [*_plain_moves(playout.game), *played[:3], *random.sample(played, min(8, len(played)))]:
        if one not in seen and not any(covers(move, one) for move in legal):
            seen.append(one)
            yield one


def _plain_moves(game: Game[Any, Any]) -> Iterator[Any]:
    for kind in game.moves:
        if all(field.default is not MISSING for field in fields(kind)):
            yield kind()


def _with(move: Any, name: str, value: Any) -> Any:
    return type(move)(**{**as_fields(move), name: value})


def covers(legal: Any, move: Any) -> bool:
    """Whether a move is the legal one, or among those of a range."""
    if not isinstance(legal, MoveRange):
        legal = MoveRange(legal, {})
    if type(legal.example) is not type(move):
        return False
    example, values = as_fields(legal.example), as_fields(move)
    for name, value in values.items():
        allowed = legal.fields.get(name)
        if isinstance(example[name], tuple) and allowed is None:
            continue  # Lists are too many to list: the one in the example stands for all.
        if allowed is None:
            fits = value == example[name]
        elif isinstance(allowed, Several):
            fits = isinstance(value, tuple)  # Others than those within the limits may be accepted too.
        elif isinstance(allowed, Between):
            fits = allowed.low <= value <= allowed.high
        else:
            fits = value in allowed.values
        if not fits:
            return False
    return True


def _refusal(game: Game[Any, Any], move: Any, refusal: Refusal) -> Iterator[str]:
    if refusal.code not in REFUSALS and refusal.code not in game.refusals:
        yield f"the refusal code {refusal.code} is neither the table's nor among the game's refusals"
    if not refusal.message.strip():
        yield f"the refusal {refusal.code} of {move} says nothing"
    if refusal.field is not None and refusal.field not in as_fields(move):
        yield f"the refusal {refusal.code} names the field {refusal.field!r}, which {move} has not"


def purity(playout: Playout, random: Random) -> Iterator[str]:
    """Nothing that is asked changes the state, and the same question gets the same answer."""
    game, state, seats = playout.game, playout.state, playout.case.seats
    before = storable(state)

    def both(what: str, ask: Callable[[], Any]) -> Iterator[str]:
        try:
            first, second = ask(), ask()
        except Exception as error:
            yield f"{what} raises {type(error).__name__}: {error}"
            return
        if first != second:
            yield f"{what} gives {first} and then {second} in the same state"
        if storable(state) != before:
            yield f"{what} changes the state"

    viewers = [frozenset({seat}) for seat in range(seats)] + [frozenset()]
    yield from both("to_act", lambda: list(game.to_act(state)))
    yield from both("outcome", lambda: game.outcome(state))
    yield from both("view", lambda: [game.view(state, viewer) for viewer in viewers])
    yield from both("carry", lambda: None if playout.outcome is None else game.carry(state))
    yield from both("hides", lambda: game.hides(state))
    yield from both("leave", lambda: _leaves(playout))
    yield from both("absent or present", lambda: _comings_and_goings(playout))
    for seat in sorted(game.to_act(state)):
        yield from both("expired", lambda seat=seat: list(game.expired(state, seat, playout.context())))  # type: ignore[misc]
        yield from both("legal_moves", lambda seat=seat: list(game.legal_moves(state, seat)))  # type: ignore[misc]
        for move in game.legal_moves(state, seat):
            one = random_move(move, random)
            yield from both(
                f"decide({one})",
                lambda seat=seat, one=one: game.decide(state, seat, one, playout.context()),  # type: ignore[misc]
            )
            result = game.decide(state, seat, one, playout.context())
            if not isinstance(result, Refusal):
                for event in result:
                    plain = event.event if isinstance(event, Private) else event
                    game.evolve(state, plain)
                    if storable(state) != before:
                        yield f"evolve({plain}) changes the state it was given"
                    break


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


def events(playout: Playout, random: Random) -> Iterator[str]:
    """Events are of declared classes, have a sentence and survive storage."""
    names = [f"Seat {seat + 1}" for seat in range(playout.case.seats)]
    for event in playout.last:
        parts = [event]
        if isinstance(event, Private):
            parts = [event.event] if event.public is None else [event.event, event.public]
            if not event.to <= set(range(playout.case.seats)):
                yield f"{event.event} is for seats {sorted(event.to)}"
        for part in parts:
            if type(part) not in playout.game.events and type(part) is not Shuffled:
                yield f"{part} is of no class in events"
                continue
            text = part.text(names)
            if not isinstance(text, str) or not text.strip() or "\n" in text:
                yield f"the sentence of {part} is {text!r}"
            trouble = int_trouble(part) or storage_trouble(part, type(part))
            if trouble:
                yield f"{part}: {trouble}"


def storage(playout: Playout, random: Random) -> Iterator[str]:
    """States and what comes of them survive storage, with nothing changed."""
    game, state = playout.game, playout.state
    parts: list[tuple[str, Any, Any]] = [
        ("the options", playout.case.options, game.Options),
        ("the terms", playout.case.terms, game.Terms),
        ("the state", state, game.State),
        ("the spectators' view", game.view(state, frozenset()), game.View),
    ]
    parts.extend(
        (f"the view of seat {seat}", game.view(state, frozenset({seat})), game.View)
        for seat in range(playout.case.seats)
    )
    if playout.outcome is not None:
        parts.append(("what the round leaves over", game.carry(state), game.Carry))
    for what, value, kind in parts:
        trouble = storage_trouble(value, kind)
        if trouble:
            yield f"{what}: {trouble}"
        if kind is game.View and (trouble := int_trouble(value)):
            yield f"{what}: {trouble}"


def replay(playout: Playout, random: Random) -> Iterator[str]:
    """The round's events alone give its state."""
    game = playout.game
    state = game.begin(playout.setup)
    for event in playout.events:
        state = game.evolve(state, event.event if isinstance(event, Private) else event)
    if storable(state) != storable(playout.state):
        yield "the state after the round's events is not the state that was reached"


def outcomes(playout: Playout, random: Random) -> Iterator[str]:
    """An outcome has a seat for each seat, and its results agree with its points."""
    outcome, seats = playout.outcome, playout.case.seats
    if outcome is None:
        return
    if len(outcome.seats) != seats:
        yield f"the outcome is of {len(outcome.seats)} seats at a table of {seats}"
    undeclared = {one.result for one in outcome.seats} - playout.game.results
    if undeclared:
        yield f"the results {sorted(one.value for one in undeclared)} are not among the game's results"
    trouble = int_trouble(outcome) or storage_trouble(outcome, type(outcome))
    if trouble:
        yield f"the outcome: {trouble}"
    points = {result: [one.points for one in outcome.seats if one.result is result] for result in Result}
    if points[Result.WON] and min(points[Result.WON]) < max(points[Result.LOST] or [0]):
        yield f"somebody lost with more points than somebody won: {outcome}"
    if len(set(points[Result.DRAWN])) > 1:
        yield f"a draw with different points: {outcome}"


def leaving(playout: Playout, random: Random) -> Iterator[str]:
    """A round goes on without who leaves, and is over when everybody has left."""
    if playout.outcome is not None:
        return
    state = playout.state
    order = [seat for seat in range(playout.case.seats) if seat not in playout.gone]
    random.shuffle(order)
    left: list[Seat] = sorted(playout.gone)
    for seat in order:
        for event in playout.game.leave(state, seat, playout.context()):
            state = playout.game.evolve(state, event.event if isinstance(event, Private) else event)
        left.append(seat)
        seats = set(playout.game.to_act(state))
        over = playout.game.outcome(state) is not None
        if over:
            return
        if seats & set(left):
            yield f"after seats {left} left, {sorted(seats)} are to act"
        if not seats:
            yield f"after seats {left} left, nobody is to act and the round is not over"
    yield f"everybody left, in the order {left}, and the round is not over"


def facts(playout: Playout, random: Random) -> Iterator[str]:
    """What a game tells of itself beside the rules makes sense."""
    game, state = playout.game, playout.state
    left, cycle, hides = game.cards_left(state), game.cycle(state), game.hides(state)
    if left is not None and left < 0:
        yield f"cards_left gives {left}"
    if cycle is not None and cycle < 1:
        yield f"cycle gives {cycle}"
    if hides is not None and not set(hides) <= set(range(1, playout.used + 1)):
        yield f"hides gives {sorted(hides)} after {playout.used} shuffles"
    names = [f"Seat {seat + 1}" for seat in range(playout.case.seats)]
    for seat in sorted(game.to_act(state)):
        question = game.ask(state, seat, names)
        if question is not None and not question.strip():
            yield f"ask says nothing to seat {seat}"


def cards(playout: Playout, random: Random) -> Iterator[str]:
    """No card is lost, doubled or made up, where a game says which cards there are."""
    before, after = playout.game.all_cards(playout.before), playout.game.all_cards(playout.state)
    if not before:
        return
    one, other = Counter(before), Counter(after or ())
    for what, cards in (("lost", one - other), ("made up", other - one)):
        if cards:
            yield f"{', '.join(sorted(cards.elements()))} {what} among the {len(before)} cards of all_cards"


def policies(playout: Playout, random: Random) -> Iterator[str]:
    """Every policy of the game's own gives a legal move, whoever it plays for."""
    game, state = playout.game, playout.state
    for seat in sorted(game.to_act(state)):
        legal = list(game.legal_moves(state, seat))
        view = game.view(state, frozenset({seat}))
        for name, policy in game.policies.items():
            move = policy(view, seat, legal, random)
            if not any(covers(one, move) for one in legal):
                yield f"seat {seat}: the policy {name!r} plays {move}, which is not legal"


LAWS: Final[Mapping[str, Law]] = {
    "turns": turns,
    "moves": moves,
    "purity": purity,
    "events": events,
    "storage": storage,
    "replay": replay,
    "outcomes": outcomes,
    "leaving": leaving,
    "facts": facts,
    "cards": cards,
    "policies": policies,
    "nothing leaks": unknown_leaks,
    "events leak nothing": events_leak,
}
"""Every law by name."""
