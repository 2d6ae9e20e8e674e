"""The rule writer's kit finds what it promises to find, and says it in words that help."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from fliptable import Private, Refusal, Result, SeatOutcome, Shuffled
from fliptable.rules import Outcome
from fliptable.testing import LAWS, RoundScript, check_game, play_random, stacked


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
    tested = {law for law, _ in BREAKERS} | {"rounds end", "same seed, same game"}
    assert tested == {*LAWS, "rounds end", "same seed, same game"}


def _no_turn(high: SimpleNamespace) -> Any:
    return broken(high, to_act=lambda self, state: () if state.kept[0] else high.HighCard.to_act(self, state))


def _unlisted(high: SimpleNamespace) -> Any:
    return broken(high, legal_moves=lambda self, state, seat: [high.Keep(state.options.least)])


def _listed_but_refused(high: SimpleNamespace) -> Any:
    def decide(self: Any, state: Any, seat: int, move: Any, ctx: Any) -> Any:
        if isinstance(move, high.Keep) and move.bonus == state.options.least + 9:
            return Refusal("ILLEGAL_MOVE", "That is too much.")
        return high.HighCard.decide(self, state, seat, move, ctx)

    return broken(high, decide=decide)


def _undeclared_refusal(high: SimpleNamespace) -> Any:
    def decide(self: Any, state: Any, seat: int, move: Any, ctx: Any) -> Any:
        result = high.HighCard.decide(self, state, seat, move, ctx)
        return replace(result, code="OH_NO") if isinstance(result, Refusal) else result

    return broken(high, decide=decide)


def _changes_the_state(high: SimpleNamespace) -> Any:
    def legal_moves(self: Any, state: Any, seat: int) -> Any:
        object.__setattr__(state, "turn", state.turn + 1)
        return high.HighCard.legal_moves(self, state, seat)

    return broken(high, legal_moves=legal_moves)


def _undeclared_event(high: SimpleNamespace) -> Any:
    return broken(high, events=(high.Dealt, high.DealtUnseen, high.Gone))


def _state_of_lists(high: SimpleNamespace) -> Any:
    def evolve(self: Any, state: Any, event: Any) -> Any:
        after = high.HighCard.evolve(self, state, event)
        return replace(after, hands=list(after.hands)) if isinstance(event, high.Kept) else after

    return broken(high, evolve=evolve)


def _evolves_by_itself(high: SimpleNamespace) -> Any:
    def evolve(self: Any, state: Any, event: Any) -> Any:
        after = high.HighCard.evolve(self, state, event)
        if isinstance(event, high.Kept):
            self.count = getattr(self, "count", 0) + 1
            return replace(after, turn=after.turn + self.count)
        return after

    return broken(high, evolve=evolve)


def _outcome_of_one(high: SimpleNamespace) -> Any:
    def outcome(self: Any, state: Any) -> Any:
        found = high.HighCard.outcome(self, state)
        if found is None:
            return None
        lost = SeatOutcome(Result.LOST, 3)
        return Outcome((SeatOutcome(Result.WON, 1), *[lost] * (len(found.seats) - 1)))

    return broken(high, outcome=outcome)


def _undeclared_result(high: SimpleNamespace) -> Any:
    return broken(high, results=frozenset({Result.WON}))


def _nobody_leaves(high: SimpleNamespace) -> Any:
    return broken(high, leave=lambda self, state, seat, ctx: [])


def _odd_facts(high: SimpleNamespace) -> Any:
    return broken(high, cards_left=lambda self, state: -1)


def _shows_hands(high: SimpleNamespace) -> Any:
    def view(self: Any, state: Any, viewer: Any) -> Any:
        return high.HighCard.view(self, state, viewer | {0})

    return broken(high, view=view)


def _shows_draws(high: SimpleNamespace) -> Any:
    def decide(self: Any, state: Any, seat: int, move: Any, ctx: Any) -> Any:
        events = high.HighCard.decide(self, state, seat, move, ctx)
        if isinstance(events, Refusal):
            return events
        return [event.event if isinstance(event, Private) else event for event in events]

    return broken(high, decide=decide)


def _doubles_a_card(high: SimpleNamespace) -> Any:
    def all_cards(self: Any, state: Any) -> Any:
        hands = [card for card in state.hands if card]
        return [*state.pile, *state.discards, *hands, *hands[:1]] if any(state.kept) else list(high.DECK)

    return broken(high, all_cards=all_cards)


def _plays_too_high(high: SimpleNamespace) -> Any:
    return broken(high, policies={"bold": lambda view, seat, moves, random: high.Keep(10_000)})


BREAKERS: Sequence[tuple[str, Any]] = [
    ("turns", _no_turn),
    ("moves", _unlisted),
    ("moves", _listed_but_refused),
    ("moves", _undeclared_refusal),
    ("purity", _changes_the_state),
    ("events", _undeclared_event),
    ("storage", _state_of_lists),
    ("replay", _evolves_by_itself),
    ("outcomes", _outcome_of_one),
    ("outcomes", _undeclared_result),
    ("leaving", _nobody_leaves),
    ("facts", _odd_facts),
    ("cards", _doubles_a_card),
    ("policies", _plays_too_high),
    ("nothing leaks", _shows_hands),
    ("events leak nothing", _shows_draws),
]


@pytest.mark.parametrize(("law", "breaker"), BREAKERS)
def test_a_broken_law_is_named(high: SimpleNamespace, law: str, breaker: Any) -> None:
    said = complaint(breaker(high), laws=[law])
    assert said.startswith(f"plugin 'high-card' breaks the law {law!r}: "), said
    assert "seed" in said and "HighOptions" in said


def test_the_sequence_of_moves_is_as_short_as_it_can_be(high: SimpleNamespace) -> None:
    def view(self: Any, state: Any, viewer: Any) -> Any:
        seen = high.HighCard.view(self, state, viewer)
        return replace(seen, hands=state.hands) if state.kept[0] else seen

    said = complaint(broken(high, view=view), seats=[3], laws=["nothing leaks"])
    moves = [line for line in said.partition("As a test")[0].splitlines() if line.startswith("  ")]
    assert len(moves) == 1 and moves[0].startswith("  1. seat 0: Keep("), said


def test_rounds_have_to_end(high: SimpleNamespace) -> None:
    game = broken(high, legal_moves=lambda self, state, seat: [high.Swap()])
    assert "'rounds end': not over after 50 moves" in complaint(game, laws=[], most_moves=50)


def test_rounds_have_to_end_by_themselves_too(high: SimpleNamespace) -> None:
    game = broken(high, expired=lambda self, state, seat, ctx: [high.Dealt(seat, "3")])
    said = complaint(game, laws=[], most_moves=50)
    assert "'rounds end': not over after the time of whoever was to act was up 51 times" in said
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

    assert "absent or present changes the state" in complaint(broken(high, present=present), laws=["purity"])


def test_chance_comes_from_the_context_alone(high: SimpleNamespace) -> None:
    class Restless(high.HighCard):  # type: ignore[misc]
        turns = 0

        def legal_moves(self, state: Any, seat: int) -> Any:
            self.turns += 1
            return high.HighCard.legal_moves(self, state, seat)

        def decide(self, state: Any, seat: int, move: Any, ctx: Any) -> Any:
            if isinstance(move, high.Keep):
                return [high.Kept(seat, self.turns)]
            return high.HighCard.decide(self, state, seat, move, ctx)

        def evolve(self, state: Any, event: Any) -> Any:
            after = high.HighCard.evolve(self, state, event)
            return replace(after, turn=event.bonus) if isinstance(event, high.Kept) else after

    assert "'same seed, same game'" in complaint(Restless(), laws=[])


def test_a_game_must_say_what_is_hidden(high: SimpleNamespace) -> None:
    unsaid = broken(high, shuffle_unknown=high.HighCard.__mro__[1].shuffle_unknown)
    assert "does not say what is hidden" in complaint(unsaid)
    idle = broken(high, shuffle_unknown=lambda self, state, viewer, chance: state)
    assert "shuffle_unknown never changes anything" in complaint(idle)


def test_the_contract_of_the_class_comes_first(high: SimpleNamespace) -> None:
    assert "breaks the contract" in complaint(broken(high, seats=range(2)))


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
