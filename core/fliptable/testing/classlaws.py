"""What the class of a plugin's part and its code break by themselves, whatever is played."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from fliptable.constraints import Constraint
from fliptable.modes import Mode
from fliptable.pairs import vet_pair
from fliptable.rules import Game
from fliptable.testing.broken import CONTRACT, Broken, LawFailure, raised
from fliptable.testing.regression import regression
from fliptable.testing.sources import impure
from fliptable.vetting import ContractBroken, vet_constraint, vet_game, vet_mode


def class_broken(part: Game[Any, Any] | Mode[Any] | Constraint, law: str) -> Broken | None:
    """The contract, if the class does not keep it; the law, if its code alone breaks it."""
    vet: Any = {"game": vet_game, "mode": vet_mode, "constraint": vet_constraint}[_kind(part)]
    try:
        vet(part)
    except ContractBroken as error:
        return Broken(CONTRACT, str(error))
    if law == "purity":
        complaint = next(impure(part), None)
        return None if complaint is None else Broken(law, complaint)
    return None


def hold_class(part: Any, check: str, laws: Collection[str]) -> None:
    """Hold the contract and those of the laws that code alone can break.

    ``check`` is the function that holds a law in a case. Errors: LawFailure.
    """
    __tracebackhide__ = True
    hold_kind(part, _CASES[check])
    for law in (CONTRACT, *laws):
        broken = class_broken(part, law)
        if broken is not None:
            told = f"plugin {getattr(part, 'id', type(part).__name__)!r} breaks the law {broken.law!r}: "
            test = regression(check, _kind(part), part, broken.law, (), "", {})
            raise LawFailure(told + broken.complaint, test)


def hold_kind(part: Any, wanted: str) -> None:
    """See that a check is given what it is for, a "game", "mode" or "constraint". Errors: AssertionError."""
    __tracebackhide__ = True
    if isinstance(part, type):
        raise AssertionError(f"{part.__name__} is a class; check an instance of it: {part.__name__}()")
    if isinstance(part, _KINDS[wanted]):
        return
    found = next((kind for kind, base in _KINDS.items() if isinstance(part, base)), None)
    if found is None:
        hint = f", a subclass of fliptable.{wanted.capitalize()}"
        raise AssertionError(f"check_{wanted} is for a {wanted}{hint}, and {part!r} is none")
    raise AssertionError(
        f"check_{wanted} is for a {wanted}, and {part.id!r} is a {found}: check_{found} is for those"
    )


def hold_pair(mode: Mode[Any], game: Game[Any, Any]) -> None:
    """See that what a mode says of a game can be, its seats and limits. Errors: LawFailure."""
    __tracebackhide__ = True
    broken = pair_broken(mode, game)
    if broken is not None:
        told = f"plugin {mode.id!r} breaks the law {broken.law!r}: {broken.complaint}"
        test = regression("check_mode_case", "mode", mode, broken.law, (), "", {"game": game})
        raise LawFailure(told, test)


def pair_broken(mode: Mode[Any], game: Game[Any, Any]) -> Broken | None:
    """What is broken where a mode is asked of a game."""
    try:
        vet_pair(game, mode)
    except ContractBroken as error:
        return Broken(CONTRACT, str(error))
    except BaseException as error:
        return raised(error, mode)
    return None


def hold_class_in_case(part: Any, law: str) -> None:
    """Hold one law for a case, as far as code alone can break it. Errors: AssertionError."""
    __tracebackhide__ = True
    broken = class_broken(part, law)
    if broken is not None:
        raise AssertionError(f"plugin {part.id!r} breaks the law {broken.law!r}: {broken.complaint}")


_KINDS: dict[str, type] = {"constraint": Constraint, "mode": Mode, "game": Game}
_CASES = {"check_case": "game", "check_mode_case": "mode", "check_constraint_case": "constraint"}
"""What the functions hold a law in a case of."""


def _kind(part: object) -> str:
    return next((kind for kind, base in _KINDS.items() if isinstance(part, base)), "game")
