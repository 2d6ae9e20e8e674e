"""What is said where a game or a mode refuses the settings that it is tried in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from brokenmodes import Short
from brokentables import registry_of

from fliptable import Refusal
from fliptable.testing import OneCard, check_game, check_mode, check_table


@dataclass(frozen=True)
class Decks:
    """Options."""

    decks: int = 1
    jokers: bool = False


class Choosy(OneCard):
    """It takes what ``refuse`` lets it."""

    id = "choosy"
    Options = Decks

    def refuse(self, options: Any, seats: int) -> None:
        """Raise what check raises."""

    def check(self, options: Any, seats: int) -> None:
        self.refuse(options, seats)


def complaint(check: Any, *given: Any, **more: Any) -> str:
    with pytest.raises(AssertionError) as caught:
        check(*given, **more)
    return str(caught.value)


def raising(error: Exception, when: Any = lambda options, seats: options.jokers) -> type[Choosy]:
    class Raising(Choosy):
        def refuse(self, options: Any, seats: int) -> None:
            if when(options, seats):
                raise error

    return Raising


def test_a_game_may_refuse_some_settings() -> None:
    check_game(raising(ValueError("jokers: there are none"))(), seeds=[0])


def test_a_check_that_raises_anything_else_breaks_a_law() -> None:
    found = complaint(check_game, raising(KeyError("jokers"))(), seeds=[0])
    assert found.startswith("plugin 'choosy' breaks the law 'answers': ")
    assert "(test_kit_openings.py, line " in found and "raises KeyError: 'jokers'" in found
    # The smallest setting of those in which it does, and a test of it.
    assert "with 1 seat, any seed, Decks(jokers=True), before anything is played" in found
    assert 'check_case(Raising(), "answers", seats=1, options=Decks(jokers=True))' in found


@pytest.mark.parametrize("said", ["there are no jokers", "joker: there is none", "seats: too few"])
def test_a_refusal_has_to_name_an_option(said: str) -> None:
    """A client is told which field of its input was wrong."""
    found = complaint(check_game, raising(ValueError(said))(), seeds=[0])
    assert found.startswith("plugin 'choosy' breaks the law 'answers': ")
    told = f"check refuses with {said!r}, which is not 'field: why' with one of the options: decks, jokers"
    assert told in found.splitlines()[0]


def test_a_game_that_refuses_everything_says_why() -> None:
    kind = raising(ValueError("decks: there are none at all"), lambda options, seats: True)
    found = complaint(check_game, kind(), seeds=[0])
    assert found == (
        "plugin 'choosy' breaks the law 'contract': check refuses the options that are played where nothing "
        "is chosen, with any number of seats: decks: there are none at all"
    )
    found = complaint(check_game, kind(), options=[Decks(2)], seats=[1], seeds=[0])
    assert found == (
        "plugin 'choosy': its check refuses all seats and options that were given: decks: there are none at "
        "all; pass others"
    )


class Picky(Short):
    """It opens no table."""

    id = "picky"
    said: Any = Refusal("INVALID_VALUE", "Play something else.")

    def check(self, session: Any, game: Any) -> Any:
        return self.said


def test_a_mode_that_opens_no_table_says_why() -> None:
    for options in (None, [Picky.Options()]):
        found = complaint(check_mode, Picky(), games=[OneCard()], options=options)
        assert found == (
            "plugin 'picky': no table could be opened, since it refuses: INVALID_VALUE: Play something else. "
            "Pass games or options with which one can"
        )
    found = complaint(check_table, registry_of(OneCard(), Picky()), "one-card", "picky")
    assert "plugin 'one-card' in mode 'picky': no table could be opened with " in found
    assert found.endswith(": INVALID_VALUE: Play something else.")


@pytest.mark.parametrize(
    ("refusal", "said"),
    [
        (Refusal("TOO_BAD", "Not today."), "the refusal code TOO_BAD is neither the table's nor declared"),
        (Refusal("INVALID_VALUE", " "), "the refusal INVALID_VALUE says nothing"),
        (
            Refusal("INVALID_VALUE", "Not today.", "day"),
            "the refusal INVALID_VALUE is about 'day', which is none",
        ),
    ],
)
def test_a_mode_refuses_tables_with_declared_codes_and_in_words(refusal: Refusal, said: str) -> None:
    class Rude(Picky):
        def check(self, session: Any, game: Any) -> Any:
            return refusal if session.seats == 2 else None

    found = complaint(check_mode, Rude(), games=[OneCard()])
    assert found.startswith("plugin 'picky' breaks the law 'refusals': "), found
    assert said in found.splitlines()[0] and "with 2 seats, any seed" in found
    assert 'check_mode_case(Rude(), "refusals", seats=2, game=OneCard())' in found
