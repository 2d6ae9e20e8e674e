"""Call It and Flip against its rule sheet, line by line (call-it C1-C8, R2-R4)."""

from __future__ import annotations

from itertools import permutations, product
from math import comb
from random import Random
from typing import Any

import pytest

from fliptable import (
    MAX_INT,
    STANDARD_DECK,
    Between,
    MoveRange,
    Outcome,
    PlayingCard,
    Private,
    Rank,
    Result,
    SeatOutcome,
    Setup,
    Shuffled,
)
from fliptable.chance import LooseChance
from fliptable.codec import options_of
from fliptable.plugins import Registry
from fliptable.testing import RoundScript, TableScript, stacked
from fliptable_games.call_it.game import WORTH, CallIt
from fliptable_games.call_it.vocabulary import (
    Busted,
    BustReason,
    Call,
    Called,
    CallItOptions,
    CallItTerms,
    Flip,
    Flipped,
    FlippedUnseen,
    HandStatus,
    Phase,
    UniverseStatus,
    Won,
)

HIT, LIVE, DEAD = UniverseStatus.HIT, UniverseStatus.LIVE, UniverseStatus.DEAD
SHARED = CallItOptions(shared_deck=True)


def script(cards: str = "", seats: int = 1, options: Any = None, **terms: Any) -> RoundScript:
    """A round with these cards on top."""
    return RoundScript(CallIt(), stacked(cards), seats=seats, options=options, terms=CallItTerms(**terms))


def spread(ranks: str) -> str:
    """Cards of these ranks, suits as they come: "10 10 A" is "10C 10D AC"."""
    used: dict[str, int] = {}
    codes = []
    for rank in ranks.split():
        codes.append(rank + "CDHS"[used.get(rank, 0)])
        used[rank] = used.get(rank, 0) + 1
    return " ".join(codes)


def sums(round: RoundScript, seat: int = 0, *viewer: int) -> list[tuple[int, int, UniverseStatus]]:
    hand = round.view(*(viewer or (seat,))).hands[seat]
    return [(one.sum, one.readings, one.status) for one in hand.universes]


def reason(round: RoundScript) -> str | None:
    assert round.outcome is not None
    return round.outcome.seats[0].reason


# C1


def test_c1_one_standard_deck_is_shuffled_for_every_round(registry: Registry) -> None:
    table = TableScript(registry, "call-it", "survival", secret=bytes(range(32)))
    for _ in range(3):
        table.play(0, Call(MAX_INT), *[Flip()] * 52)
    shuffles = [event for event in table.events if isinstance(event, Shuffled)]
    for one in shuffles:
        assert one.cards == STANDARD_DECK and sorted(one.order) == sorted(STANDARD_DECK)
    assert len({one.order for one in shuffles}) == len(shuffles) == 3


def test_c1_the_shuffle_comes_before_the_call() -> None:
    round = script()
    assert [type(event) for event in round.events] == [Shuffled]
    assert round.state.deck == STANDARD_DECK


def test_c1_what_cards_count() -> None:
    expected = {Rank.ACE: 1, Rank.JACK: 10, Rank.QUEEN: 10, Rank.KING: 10}
    for card in PlayingCard:
        worth = expected.get(card.rank) or int(card.rank.value)
        assert WORTH[card.value] == worth
        round = script(card.value)
        round.play(0, Call(100), Flip())
        assert [one[0] for one in sums(round)] == ([1, 11] if card.rank is Rank.ACE else [worth])
    assert sum(WORTH.values()) == 340


# C2


def test_c2_a_round_starts_with_the_call() -> None:
    round = script()
    assert round.view(0).phase is Phase.CALL and round.view(0).target is None
    assert round.to_act == [0]
    assert round.legal_moves(0) == [MoveRange(Call(30), {"target": Between(30, MAX_INT)})]
    refusal = round.refused(0, Flip())
    assert refusal.code == "ILLEGAL_MOVE" and "called before" in refusal.message


@pytest.mark.parametrize("target", [30, 31, 379, 380, 381, MAX_INT])
def test_c2_there_is_no_upper_limit(target: int) -> None:
    round = script()
    assert round.play(0, Call(target)) == [Called(0, target)]
    assert round.view(0).target == target and round.view(0).phase is Phase.FLIP


@pytest.mark.parametrize("target", [29, 0, -1, -MAX_INT])
def test_c2_less_than_30_is_refused(target: int) -> None:
    round = script()
    refusal = round.refused(0, Call(target))
    assert (refusal.code, refusal.field) == ("INVALID_VALUE", "target")
    assert str(target) in refusal.message and "30" in refusal.message
    assert round.view(0).phase is Phase.CALL


def test_c2_a_mode_may_ask_for_more() -> None:
    round = script(min_target=50)
    assert round.legal_moves(0) == [MoveRange(Call(50), {"target": Between(50, MAX_INT)})]
    assert "at least 50" in round.refused(0, Call(49)).message
    round.play(0, Call(50))


def test_c2_the_target_is_called_once() -> None:
    round = script()
    round.play(0, Call(31))
    refusal = round.refused(0, Call(32))
    assert refusal.code == "ILLEGAL_MOVE" and "31" in refusal.message
    assert round.view(0).target == 31


def test_c2_a_mode_may_have_called_already() -> None:
    round = script(target=45)
    assert [type(event) for event in round.events] == [Shuffled, Called]
    assert round.legal_moves(0) == [Flip()]


@pytest.mark.parametrize(
    "terms", [{"min_target": 29}, {"target": 29}, {"min_target": 50, "target": 49}, {"target": MAX_INT + 1}]
)
def test_c2_terms_keep_to_it_too(terms: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=next(reversed(terms))):
        CallItTerms(**terms)


@pytest.mark.parametrize("target", [30.5, "30", True, None])
def test_c2_a_target_is_an_integer(target: object) -> None:
    with pytest.raises(ValueError, match="target"):
        options_of(CallItTerms, {"target": [target]})
    if target is not None:
        with pytest.raises(ValueError, match="target"):
            options_of(CallItTerms, {"target": target})


# C3


def test_c3_a_flip_turns_the_top_card_up() -> None:
    round = script("10H 2C KS")
    round.play(0, Call(50))
    for code, flips in (("10H", 1), ("2C", 2), ("KS", 3)):
        assert round.play(0, Flip()) == [Flipped(0, PlayingCard(code))]
        hand = round.view(0).hands[0]
        assert hand.cards[-1] is PlayingCard(code) and hand.flips == flips
        assert hand.cards_left == 52 - flips


def test_c3_there_is_no_other_move() -> None:
    assert CallIt.moves == (Call, Flip)
    round = script()
    round.play(0, Call(300))
    for _ in range(20):
        assert round.legal_moves(0) == [Flip()]
        round.play(0, Flip())


@pytest.mark.parametrize("moves", [[], [Call(40)], [Call(40), Flip()]])
def test_c3_leaving_is_a_bust(moves: list[Any]) -> None:
    round = script("5H")
    round.play(0, *moves)
    assert round.leave(0) == [Busted(0, BustReason.ABANDONED)]
    assert round.outcome == Outcome(
        (SeatOutcome(Result.BUST, 0, "ABANDONED", {"flips": sum(move == Flip() for move in moves)}),)
    )
    assert round.leave(0) == []


# C4


def test_c4_before_the_first_flip_there_is_one_sum_of_zero() -> None:
    round = script()
    assert sums(round) == [(0, 1, LIVE)]
    round.play(0, Call(30))
    assert sums(round) == [(0, 1, LIVE)]


def test_c4_without_aces_there_is_one_sum() -> None:
    round = script("9H 8C")
    round.play(0, Call(30), Flip(), Flip())
    assert sums(round) == [(17, 1, LIVE)]


@pytest.mark.parametrize("aces", range(5))
@pytest.mark.parametrize("others", ["", "2", "10 9", "K 3 4"])
def test_c4_every_distinct_sum_with_its_number_of_readings(aces: int, others: str) -> None:
    cards = spread(" ".join(["A"] * aces + others.split()))
    for order in set(permutations(cards.split())) if len(cards.split()) < 5 else [tuple(cards.split())]:
        round = script(" ".join(order))
        round.play(0, Call(1000), *[Flip()] * len(order))
        # Read every ace as 1 and as 11, and count.
        fixed = sum(WORTH[code] for code in order if code[0] != "A")
        readings: dict[int, int] = {}
        for reading in product((1, 11), repeat=aces):
            readings[fixed + sum(reading)] = readings.get(fixed + sum(reading), 0) + 1
        assert sums(round) == [(total, number, LIVE) for total, number in sorted(readings.items())]
        assert len(readings) == aces + 1 and sum(readings.values()) == 2**aces
        assert list(readings.values()) == [comb(aces, k) for k in range(aces + 1)]


def test_c4_a_dead_sum_never_revives() -> None:
    round = script(spread("A A A A 2 3"))
    round.play(0, Call(35))
    dead: set[int] = set()
    for _ in range(6):
        round.play(0, Flip())
        place = [(index, one[2]) for index, one in enumerate(sums(round))]
        assert all(status is DEAD for index, status in place if index in dead)
        dead = {index for index, status in place if status is DEAD}
    assert dead == {3, 4}


# C5, with the small cases of the sheet


@pytest.mark.parametrize(
    ("target", "ranks", "expected", "result"),
    [
        (31, "10 10 A", [(21, 1, LIVE), (31, 1, HIT)], Result.WON),
        (30, "9 9 A A", [(20, 1, LIVE), (30, 2, HIT), (40, 1, DEAD)], Result.WON),
        (30, "10 10 9 2", [(31, 1, DEAD)], Result.BUST),
        (
            30,
            "A A A A 6",
            [(10, 1, LIVE), (20, 4, LIVE), (30, 6, HIT), (40, 4, DEAD), (50, 1, DEAD)],
            Result.WON,
        ),
        (30, "10 9 A", [(20, 1, LIVE), (30, 1, HIT)], Result.WON),
    ],
)
def test_c5_the_cases_of_the_sheet(target: int, ranks: str, expected: Any, result: Result) -> None:
    cards = spread(ranks)
    round = script(cards)
    round.play(0, Call(target))
    for _ in cards.split()[:-1]:
        round.play(0, Flip())
        assert round.outcome is None
    round.play(0, Flip())
    assert round.outcome is not None and round.outcome.seats[0].result is result
    assert sums(round) == expected


def test_c5_four_aces_are_not_yet_thirty() -> None:
    round = script(spread("A A A A 6"))
    round.play(0, Call(30), Flip(), Flip(), Flip(), Flip())
    assert sums(round) == [(4, 1, LIVE), (14, 4, LIVE), (24, 6, LIVE), (34, 4, DEAD), (44, 1, DEAD)]
    assert round.outcome is None


def test_c5_the_win_comes_with_the_card() -> None:
    round = script(spread("10 10 10"))
    round.play(0, Call(30), Flip(), Flip())
    assert round.play(0, Flip()) == [Flipped(0, PlayingCard("10H")), Won(0, 3)]
    assert round.outcome == Outcome((SeatOutcome(Result.WON, 1, None, {"flips": 3}),))
    assert round.view(0).phase is Phase.OVER and round.view(0).hands[0].status is HandStatus.WON


def test_c5_the_bust_comes_with_the_card() -> None:
    round = script(spread("10 10 9 2"))
    round.play(0, Call(30), Flip(), Flip(), Flip())
    assert round.play(0, Flip()) == [Flipped(0, PlayingCard("2C")), Busted(0, BustReason.OVER)]
    assert round.outcome == Outcome((SeatOutcome(Result.BUST, 0, "OVER", {"flips": 4}),))


def test_c5_high_readings_may_be_over_while_the_lowest_lives() -> None:
    round = script(spread("A 10 10 10 A"))
    round.play(0, Call(32), Flip(), Flip(), Flip(), Flip())
    assert sums(round) == [(31, 1, LIVE), (41, 1, DEAD)]
    round.play(0, Flip())
    assert round.outcome is not None and round.outcome.winners == [0]


@pytest.mark.parametrize("seed", range(40))
def test_c5_against_every_reading_of_every_flip(seed: int) -> None:
    """Whole rounds, judged by reading all aces in all ways from the start."""
    random = Random(seed)
    target = random.choice([30, 31, 45, 77, 200, 339, 345, 360, 378, 379])
    round = RoundScript(CallIt(), LooseChance(random.shuffle))
    round.play(0, Call(target))
    fixed, aces, flips = 0, 0, 0
    while True:
        round.play(0, Flip())
        code = round.state.deck[flips]
        flips += 1
        aces += code[0] == "A"
        fixed += WORTH[code] if code[0] != "A" else 0
        readings = {fixed + sum(reading) for reading in product((1, 11), repeat=aces)}
        if target in readings:
            assert round.outcome is not None and round.outcome.winners == [0]
            return
        if min(readings) > target:
            assert reason(round) == "OVER"
            return
        if flips == 52:
            assert reason(round) == "DECK_EMPTY"
            return
        assert round.outcome is None


# C6


def test_c6_the_last_card_without_a_hit_is_a_bust() -> None:
    round = script()
    round.play(0, Call(381), *[Flip()] * 51)
    assert round.outcome is None and round.view(0).hands[0].cards_left == 1
    assert round.play(0, Flip())[1:] == [Busted(0, BustReason.DECK_EMPTY)]
    assert reason(round) == "DECK_EMPTY" and round.view(0).hands[0].cards_left == 0


@pytest.mark.parametrize("last", ["10S", "9S"])
def test_c6_the_last_card_may_be_over(last: str) -> None:
    # 339 is jumped over by the last card: 331 or 330 before it, 340 after it.
    rest = [code for code in STANDARD_DECK if code != last and code[0] != "A"]
    aces = [code for code in STANDARD_DECK if code[0] == "A"]
    round = script(" ".join([*aces, *rest, last]))
    round.play(0, Call(339), *[Flip()] * 51)
    assert round.outcome is None
    round.play(0, Flip())
    assert reason(round) == "OVER"


def test_c6_a_hit_with_the_last_card_is_a_win() -> None:
    round = script()
    round.play(0, Call(380), *[Flip()] * 52)
    assert round.outcome is not None and round.outcome.winners == [0]
    assert round.outcome.seats[0].measures == {"flips": 52}


# C7


@pytest.mark.parametrize("ranks", ["10 10 10", "10 10 9 2"])
def test_c7_after_the_end_the_deck_locks(ranks: str) -> None:
    round = script(spread(ranks))
    round.play(0, Call(30), *[Flip()] * len(ranks.split()))
    before, view = round.state, round.view(0)
    assert round.to_act == [] and round.legal_moves(0) == []
    assert round.refused(0, Flip()) and round.refused(0, Call(40))
    assert round.state is before and round.view(0) == view


def test_c7_at_a_table(registry: Registry) -> None:
    table = TableScript(registry, "call-it", chance=stacked(spread("10 10 10")))
    table.play(0, Call(30), Flip(), Flip(), Flip())
    version = table.table.version
    assert table.refused_move(0, Flip()).code == "TABLE_OVER"
    assert table.table.version == version == len(table.commits)


# C8


@pytest.mark.parametrize("target", [379, 381, 390, 1000, MAX_INT])
@pytest.mark.parametrize("seed", range(5))
def test_c8_unreachable_targets_are_legal_and_end_as_busts(target: int, seed: int) -> None:
    round = RoundScript(CallIt(), LooseChance(Random(seed).shuffle))
    round.play(0, Call(target), *[Flip()] * 52)
    assert reason(round) == "DECK_EMPTY"


@pytest.mark.parametrize("target", [340, 350, 360, 370, 380])
@pytest.mark.parametrize("seed", range(10))
def test_c8_certain_wins(target: int, seed: int) -> None:
    round = RoundScript(CallIt(), LooseChance(Random(seed).shuffle))
    round.play(0, Call(target))
    while round.outcome is None:
        round.play(0, Flip())
    assert round.outcome.winners == [0]


def test_c8_the_rules_tell_players_so() -> None:
    for number in ("340", "350", "360", "370", "380", "379"):
        assert number in CallIt.rules


# R2: the same deck for everybody


def test_r2_everybody_flips_the_same_cards_at_their_own_pace() -> None:
    round = script("2C 3D 4H 5S", seats=3)
    round.play(0, Call(40))
    round.play(2, Flip(), Flip(), Flip())
    round.play(0, Flip())
    round.play(1, Flip(), Flip())
    cards = [hand.cards for hand in round.view(0, 1, 2).hands]
    assert [[card.value for card in hand] for hand in cards] == [["2C"], ["2C", "3D"], ["2C", "3D", "4H"]]
    assert [hand.cards_left for hand in round.view(0).hands] == [51, 50, 49]
    assert round.to_act == [0, 1, 2]


def test_r2_the_caller_calls_and_plays_too() -> None:
    round = script("10C 10D 10H", seats=3, caller=1)
    assert round.to_act == [1] and round.view().caller == 1
    assert round.refused(0, Call(30)).code == "NOT_YOUR_TURN"
    round.play(1, Call(30))
    round.play(1, Flip(), Flip(), Flip())
    assert round.outcome is not None and round.outcome.winners == [1]


def test_r2_when_the_caller_leaves_the_next_one_calls() -> None:
    round = script(seats=4, caller=2)
    round.leave(3)
    round.leave(2)
    assert round.to_act == [0] and round.view().caller == 0
    round.play(0, Call(30))
    assert round.to_act == [0, 1]


def test_r2_a_shared_deck_is_one_pile_and_all_cards_are_public() -> None:
    round = script("2C 3D 4H 5S", seats=2, options=SHARED)
    round.play(0, Call(40))
    assert round.play(1, Flip()) == [Flipped(1, PlayingCard("2C"))]
    assert round.play(0, Flip()) == [Flipped(0, PlayingCard("3D"))]
    round.play(1, Flip())
    view = round.view()
    assert [[card.value for card in hand.cards] for hand in view.hands] == [["3D"], ["2C", "4H"]]
    assert [hand.cards_left for hand in view.hands] == [49, 49]
    assert round.view(0) == round.view(1) == view


def test_r2_an_empty_shared_pile_busts_everybody_who_is_in() -> None:
    round = script(seats=3, options=SHARED)
    round.play(0, Call(400))
    for place in range(51):
        round.play(place % 3, Flip())
    assert round.outcome is None
    last = round.play(0, Flip())
    assert last[1:] == [Busted(seat, BustReason.DECK_EMPTY) for seat in range(3)]
    assert [one.reason for one in round.outcome.seats] == ["DECK_EMPTY"] * 3


def test_r2_the_last_shared_card_may_be_over_for_one() -> None:
    # Seat 0 takes all but the last card; the other one is left with it and an empty pile.
    # The tens come last, so that no sum near the end has the last digit of the target.
    deck = sorted(STANDARD_DECK, key=lambda code: WORTH[code] == 10)
    round = script(" ".join(deck), seats=2, options=SHARED)
    round.play(0, Call(335))
    for _ in range(51):
        round.play(0, Flip())
    last = round.play(0, Flip())
    assert last[1:] == [Busted(0, BustReason.OVER), Busted(1, BustReason.DECK_EMPTY)]
    assert [one.reason for one in round.outcome.seats] == ["OVER", "DECK_EMPTY"]


def test_r2_each_copy_has_52_cards() -> None:
    round = script(seats=2)
    round.play(0, Call(400), *[Flip()] * 52)
    assert round.outcome is None and round.to_act == [1]
    round.play(1, *[Flip()] * 52)
    assert [one.reason for one in round.outcome.seats] == ["DECK_EMPTY"] * 2


# R3: others' cards are hidden until the end


def test_r3_others_see_how_many_cards_and_no_more() -> None:
    round = script("2C 3D AH", seats=3)
    round.play(0, Call(40), Flip(), Flip())
    mine, theirs, nobodys = round.view(0).hands[0], round.view(1).hands[0], round.view().hands[0]
    assert mine.cards is not None and mine.universes is not None
    assert theirs == nobodys
    assert (theirs.flips, theirs.status, theirs.cards, theirs.universes) == (2, HandStatus.IN, None, None)
    assert round.view(1).hands[1].universes is not None


def test_r3_the_event_shows_the_card_to_its_seat_alone() -> None:
    round = script("2C", seats=2)
    round.play(0, Call(40))
    assert round.play(1, Flip()) == [Private(Flipped(1, PlayingCard("2C")), frozenset({1}), FlippedUnseen(1))]


def test_r3_a_bust_is_public_and_its_cards_are_not() -> None:
    round = script(spread("10 10 9 2"), seats=2)
    round.play(0, Call(30), *[Flip()] * 4)
    hand = round.view(1).hands[0]
    assert (hand.status, hand.flips, hand.cards) == (HandStatus.BUST, 4, None)


@pytest.mark.parametrize("ending", ["win", "bust"])
def test_r3_everything_is_shown_at_the_end(ending: str) -> None:
    round = script(spread("10 10 9 A" if ending == "win" else "10 10 9 2"), seats=2)
    round.play(0, Call(30), Flip(), Flip())
    round.play(1, *[Flip()] * 4)
    if ending == "bust":
        round.play(0, *[Flip()] * 2)
    assert round.outcome is not None
    assert all(hand.cards is not None for hand in round.view().hands)


# R4: one winner, and the others' decks lock


def test_r4_the_first_to_land_wins_and_locks_the_others() -> None:
    round = script(spread("10 10 10"), seats=3)
    round.play(0, Call(30), Flip(), Flip())
    round.play(1, Flip(), Flip(), Flip())
    assert round.to_act == []
    assert [hand.status for hand in round.view().hands] == [
        HandStatus.LOCKED,
        HandStatus.WON,
        HandStatus.LOCKED,
    ]
    assert round.outcome == Outcome(
        (
            SeatOutcome(Result.LOST, 0, "BEATEN", {"flips": 2}),
            SeatOutcome(Result.WON, 1, None, {"flips": 3}),
            SeatOutcome(Result.LOST, 0, "BEATEN", {"flips": 0}),
        )
    )
    assert round.refused(0, Flip()).code == "NOT_YOUR_TURN"


def test_r4_a_bust_scores_nothing_and_the_round_goes_on() -> None:
    round = script(spread("10 10 9 2"), seats=2)
    round.play(0, Call(30), *[Flip()] * 4)
    assert round.outcome is None and round.to_act == [1]
    assert round.refused(0, Flip()).code == "NOT_YOUR_TURN"
    round.play(1, *[Flip()] * 4)
    assert [one.result for one in round.outcome.seats] == [Result.BUST] * 2
    assert [one.points for one in round.outcome.seats] == [0, 0]


def test_r4_a_bust_before_the_end_stays_a_bust() -> None:
    round = script(spread("10 10 10"), seats=2)
    round.play(0, Call(30))
    round.leave(0)
    round.play(1, *[Flip()] * 3)
    assert [one.result for one in round.outcome.seats] == [Result.BUST, Result.WON]


def test_r4_when_everybody_left_the_round_is_over() -> None:
    round = script(seats=3)
    for seat in (1, 0, 2):
        assert round.outcome is None
        round.leave(seat)
    assert [one.reason for one in round.outcome.seats] == ["ABANDONED"] * 3


def test_r6_seats_that_were_left_earlier_are_out_of_the_round() -> None:
    setup = Setup(CallItOptions(), CallItTerms(caller=1), 3, 2, None, frozenset({1}))
    state = CallIt().begin(setup)
    assert list(CallIt().to_act(state)) == [2]
    assert [hand.status for hand in state.hands] == [HandStatus.IN, HandStatus.BUST, HandStatus.IN]


# What practice shows (M5)


def test_m5_the_next_cards_are_for_their_owner_alone() -> None:
    round = script("2C 3D 4H 5S", peek=3)
    assert [card.value for card in round.view(0).hands[0].peek] == ["2C", "3D", "4H"]
    assert round.view().hands[0].peek is None
    round.play(0, Call(400), Flip())
    assert [card.value for card in round.view(0).hands[0].peek] == ["3D", "4H", "5S"]
    round.play(0, *[Flip()] * 49)
    assert len(round.view(0).hands[0].peek) == 2
    assert script().view(0).hands[0].peek is None
