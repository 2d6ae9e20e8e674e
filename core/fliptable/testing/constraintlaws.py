"""The laws of a constraint, held against random rounds of the games that it is for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final

from fliptable.constraints import Constraint
from fliptable.rules import Game
from fliptable.testing.actions import Action
from fliptable.testing.broken import SAME
from fliptable.testing.classlaws import hold_class
from fliptable.testing.constrainttrials import ConstraintTrial, Watch, installed_games
from fliptable.testing.elsewhere import hold_elsewhere
from fliptable.testing.given import hold_given
from fliptable.testing.keeping import remember
from fliptable.testing.playout import Case, Playout, random_action
from fliptable.testing.trials import fail
from fliptable.testing.variants import variants
from fliptable.testing.watchdog import CALL_SECONDS, watching

CONSTRAINT_LAWS: Final[Mapping[str, str]] = {
    "status": "whenever it is asked it answers, with a `ConstraintStatus`",
    "purity": "asked twice it says the same and changes nothing; it keeps nothing, and has no clock, "
    "chance or I/O of its own",
    "lasting": "within a round MET is not undone and FAILED is not mended",
    "end": "once a round is over, whoever sees all of it sees MET or FAILED",
    "text": "its text is a part of a sentence, which nothing ends",
    "demand": "its demand is None, or a `Demand` that some cards can meet",
    "storage": "its options survive storage",
    SAME: "the same options and the same moves lead to the same, in another process too",
}
"""The laws of a constraint by name, and what they say."""

_WITH_OTHERS = 2
"""In so many rounds there is another seat, of which not all may be seen."""
_MOST = 2_000
"""The most moves of a round."""
_ELSEWHERE = 300
"""So many moves, in all rounds together, are played in another process too."""


def check_constraint(
    constraint: Constraint,
    *,
    options: Iterable[Any] | None = None,
    games: Iterable[Game[Any, Any]] | None = None,
    seats: int | None = None,
    seeds: Collection[int] = range(8),
    call_seconds: float = CALL_SECONDS,
) -> None:
    """Hold the laws against a constraint, in random rounds of its games.

    ``options`` have to be given where they have no defaults; ``games`` are those of the installed
    games that the constraint names; ``seats`` is the smallest number, since challenges are for one
    player, and in a few rounds the next one, since what others hold may be None in a view.
    Whatever is asked of the constraint has to be answered within ``call_seconds``; 0 lets it take for ever.
    :data:`CONSTRAINT_LAWS` has the laws.

    Errors: AssertionError names the plugin, the law and the smallest case that was found, and has a
    test of it to paste.
    """
    __tracebackhide__ = True
    hold_class(constraint, "check_constraint_case", CONSTRAINT_LAWS)
    hold_given(games=games, options=options, seeds=seeds)
    remember(constraint)
    found = list(games) if games is not None else installed_games(constraint)
    if not found:
        raise AssertionError(
            f"plugin {constraint.id!r}: none of {list(constraint.games)} is installed; pass games"
        )
    jobs: list[tuple[ConstraintTrial, Sequence[Action]]] = []
    for chosen in variants(constraint.Options) if options is None else options:
        for game in found:
            for count, seed, alone in _rounds(game, seats, seeds):
                case = Case(game, count, seed)
                trial = ConstraintTrial(constraint, chosen, case)
                with watching(call_seconds):
                    jobs.append((trial, _check_round(trial, alone)))
    hold_elsewhere(jobs, _ELSEWHERE)


def _rounds(
    game: Game[Any, Any], seats: int | None, seeds: Collection[int]
) -> Iterator[tuple[int, int, bool]]:
    """With how many seats rounds are played, their seeds, and whether all laws are held then."""
    counts = sorted(game.seats)[:2] if seats is None else [seats]
    yield from [(counts[0], seed, True) for seed in seeds]
    yield from [(count, seed, False) for count in counts[1:] for seed in list(seeds)[:_WITH_OTHERS]]


def _check_round(trial: ConstraintTrial, alone: bool) -> list[Action]:
    __tracebackhide__ = True
    random = Random(trial.case.seed)
    playout = Playout(trial.case)
    watch = Watch(trial.constraint, trial.options, alone)
    broken = trial.words() or watch.look(playout)
    while broken is None and playout.outcome is None and playout.moves < _MOST:
        action = random_action(playout, random)
        if action is None or playout.take(action) is not None:
            break  # check_game is there for games that break a law.
        broken = watch.look(playout)
    if broken is not None:
        fail(trial, playout.actions, broken)
    return playout.actions
