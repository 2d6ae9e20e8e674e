"""The conformance run: random play of a game, with every law held against it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import MISSING, fields, replace
from enum import Enum
from pathlib import Path
from random import Random
from traceback import extract_tb
from typing import Any, get_type_hints

from fliptable.rules import Game
from fliptable.testing.broken import ANSWERS, Broken, report
from fliptable.testing.laws import LAWS, Law
from fliptable.testing.leaks import announced, hides_something
from fliptable.testing.playout import Action, Case, Expire, NextRound, Playout, random_action
from fliptable.testing.regression import regression
from fliptable.testing.shrinking import shortest
from fliptable.testing.sources import impure
from fliptable.vetting import ContractBroken, vet_game

_THOROUGH = 12
"""So many actions of a round are looked at one by one; later ones now and then."""
_SAMPLES = 6
"""How many of the later ones for each doubling of their number, and a few more."""


def check_game(
    game: Game[Any, Any],
    *,
    seats: Collection[int] | None = None,
    options: Iterable[Any] | None = None,
    terms: Iterable[Any] = (),
    seeds: Collection[int] = range(3),
    rounds: int = 2,
    most_moves: int = 20_000,
    laws: Collection[str] = tuple(LAWS),
) -> None:
    """Hold the laws against a game, in random play with some of each.

    ``seats`` are the smallest, the next two and the largest number where none are given;
    ``options`` are the default ones and those with one switch or choice changed; ``terms`` are tried
    besides the default ones. A round has to end within ``most_moves`` moves.

    Errors: AssertionError names the plugin, the law and the shortest sequence of moves that was
    found.
    """
    try:
        vet_game(game)
    except ContractBroken as error:
        raise AssertionError(f"plugin {game.id!r} breaks the contract: {error}") from None
    if "purity" in laws:
        for complaint in impure(game):
            raise AssertionError(f"plugin {game.id!r} breaks the law 'purity': {complaint}")
    held = {name: LAWS[name] for name in laws}
    for case in _cases(game, seats, options, terms, seeds):
        _check_case(case, held, rounds, most_moves)


def _cases(
    game: Game[Any, Any],
    seats: Collection[int] | None,
    options: Iterable[Any] | None,
    terms: Iterable[Any],
    seeds: Collection[int],
) -> Iterator[Case]:
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
                        if fits(game, chosen, count, one):
                            yield Case(game, count, seed, chosen, one)


def fits(game: Game[Any, Any], options: Any, seats: int, terms: Any) -> bool:
    """Whether the game can be begun like this; options may rule out a number of seats."""
    case = Case(game, seats, 0, options, terms)
    try:
        game.check(options, seats)
        Playout(case)
    except ValueError:
        return False
    except Exception as error:
        raise report(game.id, _raised("dealing", error), str(case), ()) from error
    return True


def variants(kind: type) -> list[Any]:
    """The default options, and those that differ from them in one switch or choice."""
    try:
        default = kind()
    except TypeError as error:
        raise AssertionError(f"{kind.__name__} has fields without a default; pass options: {error}") from None
    found = [default]
    hints = get_type_hints(kind)
    for field in fields(kind):
        if field.default is MISSING and field.default_factory is MISSING:
            continue
        choices: Sequence[Any] = ()
        hint = hints[field.name]
        if hint is bool:
            choices = (True, False)
        elif isinstance(hint, type) and issubclass(hint, Enum):
            choices = tuple(hint)
        for choice in choices:
            if choice != getattr(default, field.name):
                try:
                    found.append(replace(default, **{field.name: choice}))
                except ValueError:
                    continue
    return found


def _check_case(case: Case, laws: dict[str, Law], rounds: int, most_moves: int) -> None:
    random = Random(case.seed)
    playout = Playout(case)
    shuffled, hid = announced(playout.events), False
    # Every other playout has people leave, come and go, and let their time pass.
    leaving = 0.02 if case.seed % 2 else 0.0
    while True:
        if _worth_a_look(playout, random):
            broken = first_broken(playout, laws)
            if broken is not None:
                _report(playout, laws, broken)
            hid = hid or shuffled < 2 or hides_something(playout, random)
        if playout.outcome is not None and playout.number >= rounds:
            break
        action = random_action(playout, random, leaving)
        if action is None:
            broken = first_broken(playout, {"turns": LAWS["turns"]})
            _report(playout, laws, broken or Broken("turns", "nobody has a legal move"))
        else:
            try:
                refusal = playout.take(action)
            except Exception as error:
                _report_raised(case, [*playout.actions, action], action, error)
                raise
            if refusal is not None:
                broken = Broken("moves", f"{action} is refused: {refusal.code}: {refusal.message}")
                _report(playout, {}, broken)
            shuffled = max(shuffled, announced(playout.last))
            if playout.moves > most_moves:
                _report(playout, {}, Broken("rounds end", f"not over after {most_moves} moves"))
    if "nothing leaks" in laws and not hid:
        _report(playout, {}, Broken("nothing leaks", "shuffle_unknown never changes anything"))
    _check_idle(case, most_moves)
    again = Playout(case)
    for action in playout.actions:
        again.take(action)
    if again.events != playout.events or again.state != playout.state:
        _report(playout, {}, Broken("same seed, same game", "the same moves led to other events"))


def _check_idle(case: Case, most_moves: int) -> None:
    """Also a round in which everybody lets their time pass ends, unless the game waits for them."""
    playout = Playout(case)
    while playout.outcome is None:
        acting = sorted(playout.game.to_act(playout.state))
        if not acting or playout.take(Expire(acting[0])) is not None:
            return
        if not playout.last:
            return
        if playout.moves > most_moves:
            complaint = f"not over after the time of whoever was to act was up {playout.moves} times"
            _report(Playout(case), {}, Broken("rounds end", complaint))


def _worth_a_look(playout: Playout, random: Random) -> bool:
    if playout.moves < _THOROUGH or playout.outcome is not None:
        return True
    return random.random() < _SAMPLES / playout.moves


def first_broken(playout: Playout, laws: dict[str, Law]) -> Broken | None:
    """The first law that the playout breaks as it stands."""
    for name, law in laws.items():
        # A law that raises is broken as well: a game has to answer whatever it is asked.
        try:
            complaint = next(law(playout, Random(len(playout.actions))), None)
        except Exception as error:
            return _raised(_where(error), error)
        if complaint is not None:
            return Broken(name, complaint)
    return None


def _report(playout: Playout, laws: dict[str, Law], broken: Broken) -> None:
    case, actions = playout.case, playout.actions
    if broken.law in laws or broken.law == ANSWERS:
        law = {name: one for name, one in laws.items() if broken.law in (name, ANSWERS)}

        def fails(shorter: Sequence[Action]) -> bool:
            there = _played(case, shorter)
            again = None if there is None else first_broken(there, law)
            return again is not None and again.law == broken.law

        actions = shortest(actions, fails)
        least = _played(case, actions)
        broken = (least and first_broken(least, law)) or broken
    told = report(case.game.id, broken, str(case), actions)
    raise AssertionError(f"{told}{regression(case, broken.law, actions)}")


def _raised(what: object, error: Exception) -> Broken:
    return Broken(ANSWERS, f"{what} raises {type(error).__name__}: {error}")


def _where(error: Exception) -> str:
    """The method that raised, and the line."""
    last = extract_tb(error.__traceback__)[-1]
    return f"{last.name} ({Path(last.filename).name}, line {last.lineno})"


def _report_raised(case: Case, actions: Sequence[Action], action: Action, error: Exception) -> None:
    """Tell of a game that raises where it was to say what a legal action leads to."""
    kind = type(error)

    def fails(shorter: Sequence[Action]) -> bool:
        if not shorter or shorter[-1] != action:
            return False
        playout = _played(case, shorter[:-1])
        if playout is None:
            return False
        try:
            playout.take(action)
        except Exception as again:
            return type(again) is kind
        return False

    least = shortest(actions, fails)
    raise report(case.game.id, _raised(action, error), str(case), least) from error


def _played(case: Case, actions: Sequence[Action]) -> Playout | None:
    playout = Playout(case)
    try:
        for action in actions:
            if playout.outcome is None and isinstance(action, NextRound):
                return None
            if playout.take(action) is not None:
                return None
    except Exception:
        return None
    return playout
