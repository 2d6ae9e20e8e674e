"""What the rule sheet says holds at every step, looked at from outside: by what everybody sees."""

from __future__ import annotations

from collections import Counter

from fliptable import SPECTATOR
from fliptable_games.flip7 import Flip7

GAME = Flip7()

# Written out from the sheet, not taken from the game.
FULL_DECK = Counter(
    {"0": 1}
    | {str(n): n for n in range(1, 13)}
    | dict.fromkeys(("+2", "+4", "+6", "+8", "+10", "x2"), 1)
    | {"FREEZE": 3, "FLIP3": 3, "CHANCE": 3}
)
assert FULL_DECK.total() == 94

OUT = ("STAYED", "FROZEN", "BUST", "FLIP_SEVEN", "LEFT")


def visible(view) -> Counter[str]:
    """Every card that lies face up somewhere."""
    cards = Counter(view.discarded)
    for line in view.lines:
        cards.update(map(str, line.numbers))
        cards.update(line.modifiers)
        cards.update({"CHANCE": line.second_chance, "FREEZE": line.frozen})
        if line.bust_card is not None:
            cards[str(line.bust_card)] += 1
    if view.turned_up is not None:
        cards[view.turned_up] += 1
    if view.flip_three is not None:
        cards["FLIP3"] += 1
        cards.update(view.flip_three.set_aside)
    cards.update(waiting.card for waiting in view.waiting)
    return +cards


def expected_score(line) -> int:
    """F24 by the host seed's formula: n × m + b, and 15 for seven numbers."""
    if line.status.value in ("BUST", "LEFT"):
        return 0
    n = sum(line.numbers)
    m = 2 if "x2" in line.modifiers else 1
    b = sum(int(code) for code in line.modifiers if code.startswith("+"))
    return n * m + b + (15 if len(line.numbers) == 7 else 0)


def check_laws(state) -> None:
    """The laws of the sheet at a step between two decisions, or at the end of a round."""
    view = GAME.view(state, SPECTATOR)
    seen = visible(view)
    assert seen.total() + view.cards_left == 94
    assert seen + Counter(state.deck[state.place :]) == FULL_DECK
    assert GAME.cards_left(state) == view.cards_left
    piles = Counter(state.deck[state.place :]) + Counter(state.discard)
    assert state.plain == sum(piles.values()) - piles["FREEZE"] - piles["FLIP3"] - piles["CHANCE"]

    outcome = GAME.outcome(state)
    active = [line.seat for line in view.lines if line.status.value == "ACTIVE"]
    to_act = list(GAME.to_act(state))
    assert (outcome is not None) == (not active) == (view.phase.value == "OVER")
    for line in view.lines:
        assert len(set(line.numbers)) == len(line.numbers) <= 7
        assert (len(line.numbers) == 7) == (line.status.value == "FLIP_SEVEN")
        assert (line.bust_card is not None) == (line.status.value == "BUST")
        assert line.status.value != "BUST" or (line.bust_card in line.numbers and not line.second_chance)
        assert line.status.value == "ACTIVE" or line.status.value in OUT
        assert line.score == expected_score(line)
        assert not (line.frozen and view.rules.value == "HOSTED")

    under_way = (view.turned_up, view.flip_three, view.waiting or None)
    if outcome is not None:
        assert to_act == []
        assert view.pending is None
        assert under_way == (None, None, None)
        assert [one.points for one in outcome.seats] == [line.score for line in view.lines]
        return

    assert len(to_act) == 1 and view.turn == to_act[0]
    pending = view.pending
    if pending is None or pending.kind.value == "OPTIONAL_CARD":
        assert under_way == (None, None, None)
        assert to_act[0] in active
        assert view.odds is not None and view.odds.seat == to_act[0]
    else:
        assert view.odds is None
        assert pending.seat == to_act[0]
        # A forced choice is never asked (F17, F21), and only active players are targets.
        assert len(pending.targets) > 1
        assert set(pending.targets) <= set(active)
        if pending.card == "CHANCE":
            assert not any(view.lines[seat].second_chance for seat in pending.targets)
        else:
            assert list(pending.targets) == active
