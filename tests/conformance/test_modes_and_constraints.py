"""Every installed mode and constraint keeps the laws; each law has one that breaks it, and is told of it."""

from __future__ import annotations

from typing import Any

import pytest
from brokenconstraints import BROKEN_CONSTRAINTS, LooksAtWhatIsHidden, Red
from brokengames import ExceptionInView
from brokenmodes import BROKEN_MODES, FewFail, ManyFail, Short
from leakygames import LeakingView

from fliptable import NoOptions, Rank, Suit
from fliptable.challenges import Challenge, ChosenConstraint
from fliptable.plugins import load_plugins
from fliptable.testing import (
    CONSTRAINT_LAWS,
    MODE_LAWS,
    START,
    OneCard,
    Sealed,
    check_constraint,
    check_mode,
)

INSTALLED = load_plugins(strict=False)
OPTIONS = {"flips": 5, "rank": Rank.ACE, "suit": Suit.HEARTS}


@pytest.mark.parametrize("mode", sorted(set(INSTALLED.modes) - {"custom"}))
def test_a_mode_keeps_the_laws(mode: str) -> None:
    check_mode(INSTALLED.mode(mode))


def test_custom_keeps_the_laws_with_a_challenge() -> None:
    custom = INSTALLED.mode("custom")
    chosen = (ChosenConstraint("min-flips", {"flips": 4}),)
    challenge = Challenge("TESTED", "A test", "call-it", None, chosen, "ann", "Ann", START)
    check_mode(
        custom,
        games=[INSTALLED.game("call-it")],
        options=[custom.Options(challenge="TESTED")],
        challenge=challenge,
    )


@pytest.mark.parametrize("constraint", sorted(INSTALLED.constraints))
def test_a_constraint_keeps_the_laws(constraint: str) -> None:
    part = INSTALLED.constraint(constraint)
    names = [] if part.Options is NoOptions else list(part.Options.__dataclass_fields__)
    check_constraint(part, options=[part.Options(**{name: OPTIONS[name] for name in names})])


def test_a_mode_that_keeps_every_law_passes() -> None:
    check_mode(Short())


def test_every_law_has_a_mode_that_breaks_it() -> None:
    assert {law for law, _, _ in BROKEN_MODES} == {*MODE_LAWS, "contract"}


@pytest.mark.parametrize(
    ("law", "mode", "said"), BROKEN_MODES, ids=lambda one: getattr(one, "__name__", None)
)
def test_a_broken_law_of_modes_is_named(law: str, mode: type[Any], said: str) -> None:
    with pytest.raises(AssertionError) as caught:
        check_mode(mode(), games=[OneCard(), Sealed()], steps=30)
    found = str(caught.value)
    assert found.startswith(f"plugin {mode.id!r} breaks the law {law!r}: "), found
    assert said in found.splitlines()[0], found
    # One move ends a round of one seat, and nothing needs more than two rounds.
    assert "  4. " not in found, found


@pytest.mark.parametrize(
    ("game", "law"), [(LeakingView(), "nothing leaks"), (ExceptionInView(), "answers")], ids=["leak", "error"]
)
def test_a_mode_is_not_blamed_for_what_a_game_breaks_alone(game: Any, law: str) -> None:
    with pytest.raises(AssertionError) as caught:
        check_mode(Short(), games=[OneCard(), game], steps=30)
    found = str(caught.value)
    assert found.startswith(f"plugin {game.id!r} breaks the law {law!r}: "), found
    assert "(The mode 'short' was checked; the game breaks this law without it" in found
    assert f"check_case({type(game).__name__}(), {law!r}".replace("'", '"') in found


def test_a_constraint_that_keeps_every_law_passes() -> None:
    check_constraint(Red(), games=[OneCard()])


def test_every_law_has_a_constraint_that_breaks_it() -> None:
    assert {law for law, _, _ in BROKEN_CONSTRAINTS} == {*CONSTRAINT_LAWS, "contract"}


@pytest.mark.parametrize(
    ("law", "constraint", "said"), BROKEN_CONSTRAINTS, ids=lambda one: getattr(one, "__name__", None)
)
def test_a_broken_law_of_constraints_is_named(law: str, constraint: type[Any], said: str) -> None:
    with pytest.raises(AssertionError) as caught:
        check_constraint(constraint(), games=[OneCard()])
    found = str(caught.value)
    assert found.startswith(f"plugin 'red' breaks the law {law!r}: "), found
    assert said in found.splitlines()[0], found
    assert "  2. " not in found, found


def test_a_constraint_has_to_reckon_with_hands_that_are_not_seen() -> None:
    with pytest.raises(AssertionError) as caught:
        check_constraint(LooksAtWhatIsHidden())
    found = str(caught.value)
    assert "breaks the law 'status': for a spectator, LooksAtWhatIsHidden.status (" in found, found
    assert "raises TypeError: object of type 'NoneType' has no len()" in found, found
    assert "with 2 seats, any seed, game 'call-it', before anything is played" in found, found


def test_modes_are_held_to_their_laws_at_the_limits_of_their_options() -> None:
    for mode, rounds in ((FewFail(), 1), (ManyFail(), 9)):
        with pytest.raises(AssertionError) as caught:
            check_mode(mode, games=[OneCard()])
        found = str(caught.value)
        assert "breaks the law 'answers': FewFail.view (" in found, found
        assert f"with 1 seat, any seed, game 'one-card', LongOptions(rounds={rounds}), before" in found, found


def test_a_constraint_of_no_installed_game_says_so() -> None:
    with pytest.raises(AssertionError, match="none of \\['one-card'\\] is installed; pass games"):
        check_constraint(Red())
