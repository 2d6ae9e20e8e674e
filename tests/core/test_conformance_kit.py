"""The rule writer's kit finds what it promises to find, and says it in words that help."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest
from brokengames import BROKEN_GAMES
from straygames import CountsItsTurns, NobodyBeginsRefused, RemembersWell

from fliptable import Refusal, Shuffled
from fliptable.testing import GAME_LAWS, RoundScript, check_game, play_random, stacked


def broken(high: SimpleNamespace, **members: Any) -> Any:
    """High card with some members replaced."""
    return type("Broken", (high.HighCard,), members)()


def complaint(game: Any, **arguments: Any) -> str:
    with pytest.raises(AssertionError) as caught:
        check_game(game, seeds=range(2), **arguments)
    return str(caught.value)


def test_a_game_that_keeps_every_law_passes(high: SimpleNamespace) -> None:
    check_game(high.HighCard(), terms=[high.HighTerms(high.Style.BOLD, (1, 2))], rounds=4)


def test_every_law_has_a_game_that_breaks_it() -> None:
    assert {law for law, _, _ in BROKEN_GAMES} == {*GAME_LAWS, "answers", "contract"}


@pytest.mark.parametrize(
    ("law", "game", "said"), BROKEN_GAMES, ids=lambda one: getattr(one, "__name__", None)
)
def test_a_broken_law_is_named(law: str, game: type[Any], said: str) -> None:
    found = complaint(game(), laws=[law] if law in GAME_LAWS else GAME_LAWS, most_moves=200)
    first = found.splitlines()[0]
    assert first.startswith(f"plugin {game.id!r} breaks the law {law!r}: ") and said in first, found


def test_the_sequence_of_moves_is_as_short_as_it_can_be(high: SimpleNamespace) -> None:
    def view(self: Any, state: Any, viewer: Any) -> Any:
        seen = high.HighCard.view(self, state, viewer)
        return replace(seen, hands=state.hands) if state.kept[0] else seen

    said = complaint(broken(high, view=view), seats=[3], laws=["nothing leaks"])
    moves = [line for line in said.partition("As a test")[0].splitlines() if line.startswith("  ")]
    assert len(moves) == 1 and moves[0].startswith("  1. seat 0: Keep("), said


def test_a_round_in_which_everybody_is_idle_may_wait(high: SimpleNamespace) -> None:
    # With no events the game says that it waits.
    check_game(broken(high, expired=lambda self, state, seat, ctx: []))


def test_laws_are_held_with_people_who_come_and_go(high: SimpleNamespace) -> None:
    def absent(self: Any, state: Any, seat: int, ctx: Any) -> Any:
        return [] if state.kept[seat] else [high.Kept(seat, 0)]

    check_game(broken(high, absent=absent), seeds=range(4))
    said = complaint(
        broken(high, absent=lambda self, state, seat, ctx: [Refusal("NO", "no")]), laws=["events"]
    )
    assert "is of no class in events" in said and "is away" in said


def test_being_away_is_asked_without_changing_anything(high: SimpleNamespace) -> None:
    def present(self: Any, state: Any, seat: int, ctx: Any) -> Any:
        object.__setattr__(state, "turn", state.turn + 1)
        return []

    assert "present changes the state that it is given: state.turn is" in complaint(
        broken(high, present=present), laws=["purity"]
    )


def test_a_game_must_say_what_is_hidden(high: SimpleNamespace) -> None:
    unsaid = broken(high, shuffle_unknown=high.HighCard.__mro__[1].shuffle_unknown)
    assert "does not say what is hidden" in complaint(unsaid)


def test_the_contract_of_the_class_comes_first(high: SimpleNamespace) -> None:
    assert "breaks the law 'contract'" in complaint(broken(high, seats=range(2)), laws=[])
    nameless = {name: value for name, value in vars(high.HighCard).items() if name != "id"}
    said = complaint(type("Nameless", high.HighCard.__bases__, nameless)())
    assert said.startswith(
        "plugin 'Nameless' breaks the law 'contract': game 'Nameless' does not define 'id'"
    )


def test_a_class_is_no_game(high: SimpleNamespace) -> None:
    assert "HighCard is a class; check an instance of it: HighCard()" in complaint(high.HighCard)


def test_a_game_that_refuses_all_options_is_not_held_to_be_right(high: SimpleNamespace) -> None:
    def check(self: Any, options: Any, seats: int) -> None:
        raise ValueError("double: not today")

    said = complaint(broken(high, check=check))
    assert "breaks the law 'contract': check refuses the options" in said and said.endswith(
        ": double: not today"
    )


def test_the_setting_is_made_smaller_too(high: SimpleNamespace) -> None:
    def view(self: Any, state: Any, viewer: Any) -> Any:
        seen = high.HighCard.view(self, state, viewer)
        return replace(seen, hands=state.hands) if len(state.hands) > 1 else seen

    options = [high.HighOptions(double=True, least=7)]
    said = complaint(broken(high, view=view), seats=[3], options=options, laws=["nothing leaks"])
    assert "\nwith 2 seats, any seed, before anything is played\n" in said, said
    assert 'check_case(Broken(), "nothing leaks", seats=2)\n' in said, said

    def of_sevens(self: Any, state: Any, viewer: Any) -> Any:
        seen = high.HighCard.view(self, state, viewer)
        return replace(seen, hands=state.hands) if state.options.least == 7 else seen

    said = complaint(broken(high, view=of_sevens), seats=[3], options=options, laws=["nothing leaks"])
    assert "\nwith 1 seat, any seed, HighOptions(least=7), before anything is played\n" in said, said


def test_states_are_stored_and_cards_counted_after_every_action(high: SimpleNamespace) -> None:
    class Fleeting(high.HighCard):  # type: ignore[misc]
        """What is wrong after the twentieth swap is gone with the next one."""

        def evolve(self, state: Any, event: Any) -> Any:
            after = high.HighCard.evolve(self, state, event)
            swaps = after.turn if isinstance(event, Shuffled | high.Kept) else after.turn + 1
            hands = list(after.hands) if swaps == 20 else tuple(after.hands)
            return replace(after, turn=swaps, hands=hands)

        def to_act(self, state: Any) -> Any:
            return [0] if not self._over(state) else ()

        def legal_moves(self, state: Any, seat: int) -> Any:
            return [high.Swap()] if state.turn < 40 else [high.Keep()]

        def all_cards(self, state: Any) -> Any:
            cards = [*state.pile, *state.discards, *[card for card in state.hands if card]]
            return cards[:-1] if state.turn == 20 else cards

    assert "the state: hands is" in complaint(Fleeting(), seats=[1], laws=["storage"])
    assert "lost: all_cards had 9 cards and has 8" in complaint(Fleeting(), seats=[1], laws=["cards"])


def test_a_seed_is_named_where_the_cards_matter(high: SimpleNamespace) -> None:
    few = broken(high, cards_left=lambda self, state: -1 if state.hands[0] in ("", "9") else 4)
    said = complaint(few, seats=[1], laws=["facts"])
    assert "\nwith 1 seat, seed " in said, said


def test_values_of_moves_are_made_smaller_too(high: SimpleNamespace) -> None:
    def evolve(self: Any, state: Any, event: Any) -> Any:
        after = high.HighCard.evolve(self, state, event)
        return replace(after, hands=list(after.hands)) if isinstance(event, high.Kept) else after

    said = complaint(broken(high, evolve=evolve), seats=[1], laws=["storage"])
    assert "  1. seat 0: Keep()\n" in said, said
    assert "Play(seat=0, move=Keep())" in said, said


def test_what_does_not_fail_twice_is_said_so(high: SimpleNamespace) -> None:
    asked = count()

    class Once(high.HighCard):  # type: ignore[misc]
        def cards_left(self, state: Any) -> int:
            return 3 if next(asked) else -1

    assert "A second time it was not so" in complaint(Once(), laws=["facts"])


def test_what_depends_on_what_was_asked_before_is_said_so(high: SimpleNamespace) -> None:
    """Its test passes where nothing else is asked before."""
    asked = count()

    def cards_left(self: Any, state: Any) -> int:
        number = next(asked)
        return 3 if number < 30 else -number

    said = complaint(broken(high, cards_left=cards_left), laws=["facts"])
    assert "\n(Each time it is otherwise: " in said and "so the test below may pass alone" in said, said


def test_what_is_the_same_each_time_is_not_said_to_depend_on_anything(high: SimpleNamespace) -> None:
    assert "\n(" not in complaint(broken(high, cards_left=lambda self, state: -1), laws=["facts"])


def test_what_is_worked_out_once_is_no_state() -> None:
    check_game(RemembersWell(), seats=[1, 2])


def test_options_that_check_refuses_are_not_tried() -> None:
    check_game(NobodyBeginsRefused(), seats=[1, 2, 4])


def test_what_an_object_keeps_is_put_back_before_a_case_is_tried_again() -> None:
    """A pasted test begins with a new object, so the cases that are tried do, too."""
    said = complaint(CountsItsTurns(), laws=["purity"])
    assert "\nwith 1 seat, any seed, before anything is played\n" in said and "\n(" not in said, said


def test_what_is_raised_for_a_move_that_is_not_played_has_a_small_example(
    high: SimpleNamespace,
) -> None:
    def keep_at_last(view: Any, seat: int, moves: Any, random: Any) -> Any:
        return high.Keep() if view.left < 6 else high.Swap()

    def decide(self: Any, state: Any, seat: int, move: Any, ctx: Any) -> Any:
        if isinstance(move, high.Keep) and len(state.discards) == 4:
            raise KeyError("four")
        return high.HighCard.decide(self, state, seat, move, ctx)

    late = broken(high, decide=decide, policies={"late": keep_at_last})
    for seats in ([1], [3], None):
        said = complaint(late, seats=seats)
        assert "raises KeyError: 'four', when seat 0 plays Keep(" in said and "\n(" not in said, said
        assert "\nwith 1 seat, " in said and "\n  3. seat 0: Swap()\n" in said and "  6. " not in said, said


def test_random_play_is_the_same_for_the_same_seed(high: SimpleNamespace) -> None:
    one, two, other = [play_random(high.HighCard(), 3, seed, rounds=3) for seed in (5, 5, 6)]
    assert (one.actions, one.events, one.state) == (two.actions, two.events, two.state)
    assert other.actions != one.actions
    assert one.number == 3 and one.outcome is not None


def test_a_script_plays_with_a_stacked_deck(high: SimpleNamespace) -> None:
    script = RoundScript(high.HighCard(), stacked("3 7 9"), seats=2)
    assert script.view(0).hands == ("3", None)
    assert script.view().hands == (None, None)
    assert script.refused(1, high.Swap()).code == "NOT_YOUR_TURN"
    assert script.refused(0, high.Keep(10)).field == "bonus"
    script.play(0, high.Swap(), high.Keep())
    assert script.to_act == [1] and script.legal_moves(0) == []
    script.leave(1)
    assert script.outcome is not None and [one.points for one in script.outcome.seats] == [9, 0]
    assert isinstance(script.events[0], Shuffled)
    with pytest.raises(AssertionError, match="NOT_YOUR_TURN"):
        script.play(0, high.Swap())
    with pytest.raises(AssertionError, match="was accepted"):
        RoundScript(high.HighCard(), stacked()).refused(0, high.Swap())
    with pytest.raises(ValueError, match="no card 'AS'"):
        RoundScript(high.HighCard(), stacked("AS"))
