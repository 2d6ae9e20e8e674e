"""The conformance run: random play of a game, with every law held against it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from fliptable.limits import needed_of
from fliptable.rules import Game
from fliptable.testing.actions import Action
from fliptable.testing.broken import CONTRACT, SAME, Broken, LawFailure
from fliptable.testing.classlaws import hold_class
from fliptable.testing.elsewhere import hold_elsewhere
from fliptable.testing.gametrials import GameTrial, first_broken
from fliptable.testing.given import hold_given, hold_laws, hold_seats
from fliptable.testing.keeping import remember
from fliptable.testing.laws import FORGOTTEN, GLANCES, LAWS, PURITY, Law, stored_events, unchanged
from fliptable.testing.leaks import announced, hides_something
from fliptable.testing.longplay import (
    LONG_LAWS,
    MOST_MOVES,
    RaisedLater,
    idle_rounds_end,
    rounds_end_by_policies,
)
from fliptable.testing.playout import Case, Playout, random_action
from fliptable.testing.purity import keeps
from fliptable.testing.storage import storage_trouble
from fliptable.testing.trials import fail
from fliptable.testing.variants import extremes, variants
from fliptable.testing.watchdog import CALL_SECONDS, watching

GAME_LAWS = (*LAWS, *LONG_LAWS, SAME)
"""The names of all laws of a game."""

_THOROUGH = 12
"""So many actions of a round are looked at one by one; later ones now and then."""
_SAMPLES = 6
"""How many of the later ones for each doubling of their number, and a few more."""
_FORGETFUL = 0.5
"""How often the law is held that takes long and is broken often if at all, but for each deal."""
_ELSEWHERE = 400
"""So many actions, in all settings together, are played in another process too."""


def _stored(playout: Playout, random: Random) -> Iterator[str]:
    trouble = storage_trouble(playout.state, playout.game.State)
    if trouble:
        yield f"the state: {trouble}"
    yield from stored_events(playout)


def _changes(playout: Playout, random: Random) -> Iterator[str]:
    return unchanged(playout)


_ALWAYS: Mapping[str, Law] = {
    PURITY: keeps,
    "storage": _stored,
    "cards": LAWS["cards"],
    "events": _changes,
    **GLANCES,
}
"""What is held after every action, since it takes little."""


_GLIMPSED = ("turns", "moves", "storage", PURITY, "events", "outcomes", "facts", "cards")
"""What is held where a number of the options is at its limit."""


def check_game(
    game: Game[Any, Any],
    *,
    seats: Collection[int] | None = None,
    options: Iterable[Any] | None = None,
    terms: Iterable[Any] = (),
    seeds: Collection[int] = range(3),
    rounds: int = 2,
    most_moves: int = MOST_MOVES,
    laws: Collection[str] = GAME_LAWS,
    call_seconds: float = CALL_SECONDS,
) -> None:
    """Hold the laws against a game, in random play with some of each.

    ``seats`` are the smallest, the next two and the largest number where none are given;
    ``options`` are the default ones and those with one switch or choice changed, and in a round with the
    fewest and one with the most seats those with one number at its limit; ``terms`` are tried besides the
    default ones. A round has to end within ``most_moves`` moves, and a call of the game within
    ``call_seconds``; 0 lets it take for ever.

    Errors: AssertionError names the plugin, the law and the smallest case that was found, and has a
    test of it to paste.
    """
    __tracebackhide__ = True
    hold_laws(laws, (*GAME_LAWS, CONTRACT))
    hold_class(game, "check_case", laws)
    hold_seats(game, seats)
    hold_given(options=options, terms=terms, seeds=seeds)
    remember(game)
    with watching(call_seconds):
        _hold(game, seats, options, terms, seeds, rounds, most_moves, laws)


def _hold(
    game: Game[Any, Any],
    seats: Collection[int] | None,
    options: Iterable[Any] | None,
    terms: Iterable[Any],
    seeds: Collection[int],
    rounds: int,
    most_moves: int,
    laws: Collection[str],
) -> None:
    __tracebackhide__ = True
    held = {name: law for name, law in LAWS.items() if name in laws}
    played: list[tuple[GameTrial, Sequence[Action]]] = []
    unfit: str | None = None
    for trial in _trials(game, seats, options, terms, seeds, most_moves):
        broken = trial.unchecked()
        if broken is not None:
            fail(trial, (), broken)
        refused = trial.unfit()
        if refused is not None:
            unfit = refused
            continue
        playout = _check(trial, held, set(laws), rounds)
        played.append((trial, playout.actions))
    for trial in _at_limits(game, seats, seeds, most_moves) if options is None else ():
        broken = trial.unchecked()
        if broken is not None:
            fail(trial, (), broken)
        if trial.unfit() is None:
            _glimpse(trial, {name: law for name, law in held.items() if name in _GLIMPSED})
    if not played:
        if seats is None and options is None and not needed_of(game.Options):
            told = (
                "check refuses the options that are played where nothing is chosen, with any number of seats"
            )
            raise AssertionError(f"plugin {game.id!r} breaks the law {CONTRACT!r}: {told}: {unfit}")
        told = f"its check refuses all seats and options that were given: {unfit}; pass others"
        raise AssertionError(f"plugin {game.id!r}: {told}")
    if SAME in laws:
        hold_elsewhere(played, _ELSEWHERE)


def _trials(
    game: Game[Any, Any],
    seats: Collection[int] | None,
    options: Iterable[Any] | None,
    terms: Iterable[Any],
    seeds: Collection[int],
    most_moves: int,
) -> Iterator[GameTrial]:
    counts = sorted(game.seats) if seats is None else sorted(seats)
    if seats is None:
        counts = sorted({*counts[:3], counts[-1]})
    choices = variants(game.Options) if options is None else list(options)
    all_terms = [game.Terms(), *terms]
    for index, seed in enumerate(seeds):
        for count in counts:
            # Everything is tried once with the first seed; later seeds take turns.
            for number, chosen in enumerate(choices):
                if index == 0 or number == index % len(choices):
                    for one in all_terms:
                        yield GameTrial(Case(game, count, seed, chosen, one), most_moves)


def _at_limits(
    game: Game[Any, Any], seats: Collection[int] | None, seeds: Collection[int], most_moves: int
) -> Iterator[GameTrial]:
    """Trials with options of which a number is at its limit, with few seats and with many."""
    counts = game.seats if seats is None else seats
    for seed in list(seeds)[:1]:
        for chosen in extremes(game.Options):
            for count in sorted({min(counts), max(counts)}):
                yield GameTrial(Case(game, count, seed, chosen), most_moves)


def _glimpse(trial: GameTrial, laws: dict[str, Law]) -> None:
    """Play a round by lot, and look as it begins and ends. Errors: AssertionError, when a law is broken."""
    __tracebackhide__ = True
    random = Random(trial.case.seed)
    done: list[Action] = []
    try:
        playout = Playout(trial.case)
        while True:
            over = playout.outcome is not None
            broken = first_broken(playout, laws) if over or not playout.moves else None
            if broken is not None:
                fail(trial, done, _impure(trial, done, set(laws)) or broken)
            action = None if over else random_action(playout, random)
            if action is None or playout.moves > trial.most_moves:
                return  # What goes on for ever is for others to find.
            done.append(action)
            if playout.take(action) is not None:
                fail(trial, done, Broken("moves", f"{action} is among the legal moves, and is refused"))
    except LawFailure:
        raise
    except BaseException as error:
        fail(trial, done, _impure(trial, done, set(laws)) or trial.raised(error, done))


def _check(trial: GameTrial, laws: dict[str, Law], names: set[str], rounds: int) -> Playout:
    """Play by lot, and look. Errors: AssertionError, when a law is broken."""
    __tracebackhide__ = True
    random = Random(trial.case.seed)
    # Every other playout has people leave, come and go, and let their time pass.
    leaving = 0.02 if trial.case.seed % 2 else 0.0
    done: list[Action] = []
    lot, seldom = Random(trial.case.seed), {name: law for name, law in laws.items() if name != FORGOTTEN}
    always = {name: law for name, law in _ALWAYS.items() if name in laws}
    try:
        playout = Playout(trial.case)
        hid = "something is hidden" not in names
        while True:
            if _worth_a_look(playout, random):
                often = not playout.moves or lot.random() < _FORGETFUL
                broken = first_broken(playout, laws if often else seldom)
                if broken is not None:
                    broken = _impure(trial, done, names) or broken
                    ahead = getattr(broken.complaint, "ahead", None)
                    after = done if ahead is None else [*done, ahead]
                    # What would happen is seen better where it has happened.
                    fail(trial, after if broken.like(trial.hold(broken.law, after)) else done, broken)
                hid = hid or hides_something(playout, random)
            else:
                broken = first_broken(playout, always)
                if broken is not None:
                    fail(trial, done, _impure(trial, done, names) or broken)
            if playout.outcome is not None and playout.number >= rounds:
                break
            action = random_action(playout, random, leaving)
            if action is None:
                fail(trial, done, Broken("turns", "the round runs, and nobody can do anything"))
            done.append(action)
            refusal = playout.take(action)
            if refusal is not None:
                fail(trial, done, Broken("moves", f"{action} is refused: {refusal.code}: {refusal.message}"))
            if playout.moves > trial.most_moves:
                broken = Broken("rounds end", f"not over after {trial.most_moves} moves")
                fail(trial, () if broken.like(trial.hold("rounds end", ())) else done, broken)
        if not hid and announced(playout.log) > 1:
            fail(trial, (), Broken("something is hidden", "shuffle_unknown never changes anything"))
        complaint = idle_rounds_end(Playout(trial.case), trial.most_moves)
        if complaint is None and not leaving:
            complaint = rounds_end_by_policies(trial.case, trial.most_moves)
        if complaint is not None:
            fail(trial, (), Broken("rounds end", complaint))
        again = Playout(trial.case)
        for action in done:
            again.take(action)
    except LawFailure:
        raise
    except RaisedLater as later:
        fail(trial, later.actions, trial.raised(later.error, later.actions))
    except BaseException as error:
        fail(trial, done, _impure(trial, done, names) or trial.raised(error, done))
    if SAME in names and (again.events != playout.events or again.state != playout.state):
        fail(trial, done, Broken(SAME, "the same moves lead to something else the second time"))
    return playout


def _impure(trial: GameTrial, done: Sequence[Action], names: set[str]) -> Broken | None:
    """The law of purity, if it is broken: what else is broken then may be so by chance."""
    broken = trial.hold(PURITY, done) if PURITY in names else None
    return broken if broken is not None and broken.law == PURITY else None


def _worth_a_look(playout: Playout, random: Random) -> bool:
    if playout.moves < _THOROUGH or playout.outcome is not None:
        return True
    return random.random() < _SAMPLES / playout.moves
