"""The laws that every game keeps, each as a generator of complaints about a playout as it stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any, Final

from fliptable.chance import Shuffled
from fliptable.rules import Outcome, Private, Result, Seat
from fliptable.testing.actions import Play
from fliptable.testing.differences import difference
from fliptable.testing.evolving import evolved
from fliptable.testing.forgetting import forgets
from fliptable.testing.goneseats import next_round_without
from fliptable.testing.hindsight import hindsight_leaks
from fliptable.testing.leaks import (
    another_world,
    glance_leaks,
    glimpse,
    some_seats,
    unknown_leaks,
    viewers,
)
from fliptable.testing.literals import shown
from fliptable.testing.movelaw import moves
from fliptable.testing.moves import covers
from fliptable.testing.playout import Playout
from fliptable.testing.purity import purity
from fliptable.testing.storage import int_trouble, number_trouble, storable, storage_trouble
from fliptable.testing.telling import events_leak, last_events_leak
from fliptable.testing.trails import trail_complaints

Law = Callable[[Playout, Random], Iterator[str]]

_LOOKING_BACK = 0.5
"""How often what a viewer cannot know is also looked at from before, where little time is taken."""


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


def events(playout: Playout, random: Random) -> Iterator[str]:
    """Events are of declared classes, have a sentence and survive storage; a move changes something."""
    names = [f"Seat {seat + 1}" for seat in range(playout.case.seats)]
    announced = sum(type(event) is Shuffled for event in playout.log)
    if announced != playout.used:
        yield (
            f"ctx.chance has shuffled {playout.used} times, and {announced} Shuffled is among the events: "
            "what shuffle gives has to be returned too"
        )
    for event in playout.last:
        parts = [event]
        if isinstance(event, Private):
            parts = [event.event] if event.public is None else [event.event, event.public]
            if not event.to <= set(range(playout.case.seats)):
                yield f"{shown(event.event)} is for seats {sorted(event.to)}"
        for part in parts:
            if type(part) not in playout.game.events and type(part) is not Shuffled:
                yield f"{shown(part)} is of no class in events; add {type(part).__name__} to them"
                continue
            text = part.text(names)
            if not isinstance(text, str) or not text.strip() or "\n" in text:
                yield f"the sentence of {shown(part)} is {text!r}"
            trouble = int_trouble(part) or storage_trouble(part, type(part))
            if trouble:
                yield f"{shown(part)}: {trouble}"
    yield from unchanged(playout)


def unchanged(playout: Playout) -> Iterator[str]:
    """Whether the last move was for nothing: whoever is stubborn would be asked for ever."""
    action = playout.actions[-1] if playout.actions else None
    if isinstance(action, Play) and playout.before == playout.state:
        told = ", ".join(shown(one.event if isinstance(one, Private) else one) for one in playout.last)
        yield (
            f"{shown(action.move)} is accepted, and what comes of it, [{told}], leaves the state as it is: "
            "let evolve note it, or refuse the move"
        )


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
        for seat in some_seats(range(playout.case.seats), random)
    )
    if playout.outcome is not None:
        parts.append(("what the round leaves over", game.carry(state), game.Carry | None))
    for what, value, kind in parts:
        trouble = storage_trouble(value, kind)
        if trouble:
            yield f"{what}: {trouble}"
        if kind is game.View and (trouble := int_trouble(value)):
            yield f"{what}: {trouble}"
    yield from stored_events(playout)


def stored_events(playout: Playout) -> Iterator[str]:
    """Which events of the last action have numbers that cannot be stored."""
    for event in playout.last:
        told = event.event if isinstance(event, Private) else event
        if trouble := number_trouble(told):
            yield f"the event {shown(told)}: {trouble}"


def replay(playout: Playout, random: Random) -> Iterator[str]:
    """The round's events alone give its state."""
    game = playout.game
    state = game.begin(playout.setup)
    for event in playout.events:
        state = evolved(game, state, event)
    changed = difference(storable(playout.state), storable(state), "state", "and by the events alone")
    if changed is not None:
        yield f"the events alone do not give the state that was reached: {changed}"


def outcomes(playout: Playout, random: Random) -> Iterator[str]:
    """An outcome has a seat for each seat, and its results agree with its points."""
    outcome, seats = playout.outcome, playout.case.seats
    if outcome is None:
        return
    if len(outcome.seats) != seats:
        yield f"the outcome is of {len(outcome.seats)} seats at a table of {seats}"
    undeclared = {one.result for one in outcome.seats} - playout.game.results
    if undeclared:
        yield f"the results {sorted(one.value for one in undeclared)} are not declared in the game's results"
    trouble = int_trouble(outcome) or storage_trouble(outcome, type(outcome))
    if trouble:
        yield f"the outcome: {trouble}"
    yield from outcome_complaints(outcome)


def outcome_complaints(outcome: Outcome) -> Iterator[str]:
    """Where the results of an outcome do not agree with its points."""
    ends = list(enumerate(outcome.seats))
    won = [(one.points, seat) for seat, one in ends if one.result is Result.WON]
    lost = [(one.points, seat) for seat, one in ends if one.result in (Result.LOST, Result.BUST)]
    if won and lost and max(lost) > min(won) and max(lost)[0] != min(won)[0]:
        (most, loser), (least, winner) = max(lost), min(won)
        result = outcome.seats[loser].result.value
        yield f"seat {loser} has {result} with {most} points, and seat {winner} has WON with {least}"
    drawn = {one.points for _, one in ends if one.result is Result.DRAWN}
    if len(drawn) > 1:
        yield f"seats have DRAWN with {' and '.join(map(str, sorted(drawn)))} points"


def leaving(playout: Playout, random: Random) -> Iterator[str]:
    """A round goes on without who leaves, and is over when everybody has left; so does the next one."""
    if playout.outcome is not None:
        yield from next_round_without(playout, random)
        return
    state = playout.state
    order = [seat for seat in range(playout.case.seats) if seat not in playout.gone]
    random.shuffle(order)
    left: list[Seat] = sorted(playout.gone)
    for seat in order:
        for event in playout.game.leave(state, seat, playout.context()):
            state = evolved(playout.game, state, event)
        left.append(seat)
        seats = set(playout.game.to_act(state))
        over = playout.game.outcome(state) is not None
        if over:
            return
        if seats & set(left):
            who = f"seat {left[0]} has" if len(left) == 1 else f"seats {left} have"
            yield f"after {who} left, {sorted(seats)} are to act: the events of leave have to prevent that"
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
    """No card is lost, doubled or made up in a round, where a game says which cards there are."""
    game = playout.game
    before = game.all_cards(playout.dealt) or game.all_cards(playout.before)
    if not before:
        return
    after = game.all_cards(playout.state) or ()
    for what, cards in (
        ("lost", Counter(before) - Counter(after)),
        ("made up", Counter(after) - Counter(before)),
    ):
        if cards:
            named = ", ".join(sorted(cards.elements()))
            yield f"{named} {what}: all_cards had {len(before)} cards and has {len(after)}"


def policies(playout: Playout, random: Random) -> Iterator[str]:
    """Every policy of the game's own gives a legal move, whoever it plays for."""
    game, state = playout.game, playout.state
    for seat in some_seats(game.to_act(state), random):
        legal = list(game.legal_moves(state, seat))
        view = game.view(state, frozenset({seat}))
        for name, policy in game.policies.items():
            move = policy(view, seat, legal, random)
            if not any(covers(one, move) for one in legal):
                yield f"seat {seat}: the policy {name!r} plays {shown(move)}, which is not legal"


def trails(playout: Playout, random: Random) -> Iterator[str]:
    """Events turn up the cards of the shuffles that ``trails`` names."""
    yield from trail_complaints(playout.game.trails(playout.case.options, playout.case.seats), playout.log)


def leaks(playout: Playout, random: Random) -> Iterator[str]:
    """A viewer gets the same whatever they cannot know, now and after what has just happened."""
    yield from unknown_leaks(playout, random)
    for viewer in random.sample(viewers(playout.case.seats), 2):
        other = another_world(playout.game, playout.state, viewer, random)
        yield from hindsight_leaks(playout, viewer, other, random)


def glance(playout: Playout, random: Random) -> Iterator[str]:
    """The same for one viewer and one sample."""
    viewer, other = glimpse(playout, random)
    yield from glance_leaks(playout, viewer, other)
    if random.random() < _LOOKING_BACK:
        yield from hindsight_leaks(playout, viewer, other, random)


FORGOTTEN = "nothing is forgotten"
"""The law of what ``shuffle_unknown`` changes, which takes long to hold and is broken often if at all."""
PURITY = "purity"
"""The law that is broken first where a game goes by more than it is given, whatever else comes of that."""
LAWS: Final[Mapping[str, Law]] = {
    "turns": turns,
    "moves": moves,
    "storage": storage,
    PURITY: purity,
    "events": events,
    "replay": replay,
    "outcomes": outcomes,
    "leaving": leaving,
    "facts": facts,
    "cards": cards,
    "trails": trails,
    "policies": policies,
    "nothing leaks": leaks,
    "events leak nothing": events_leak,
    FORGOTTEN: forgets,
}
"""Every law by name."""
GLANCES: Final[Mapping[str, Law]] = {"nothing leaks": glance, "events leak nothing": last_events_leak}
"""Of the laws that are held on samples, what takes little: one sample, of what has just happened."""
