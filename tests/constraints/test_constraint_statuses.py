"""Met, open or failed: how each constraint stands while a round runs and when it is over (call-it M8, M9)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fliptable import STANDARD_DECK
from fliptable.testing import Registry, RoundScript, constraint_status, options_of, stacked

NO_ACES = " ".join(code for code in STANDARD_DECK if code[0] != "A")
NO_KINGS = " ".join(code for code in STANDARD_DECK if code[0] != "K")
SIX = ["2C", "3C", "4C", "5C", "6C", "7C"]
FAR = 400  # a target that no card brings near: rounds for it only run out


def test_m9_use_ace_is_open_until_an_ace_lies_and_met_for_good_then(status: Callable[..., str]) -> None:
    assert status("use-ace", 60, "") == "OPEN"
    assert status("use-ace", 60, "10C 9C") == "OPEN"
    assert status("use-ace", 60, "10C AC") == "MET"
    assert status("use-ace", 60, "10C AC 2C") == "MET"


def test_m9_use_ace_asks_for_an_ace_high_or_low(status: Callable[..., str]) -> None:
    assert status("use-ace", 31, "10C JC AC") == "MET"  # 21 or 31: a hit with a high ace
    assert status("use-ace", 30, "10C AC JC 9C") == "MET"  # 30 = 10 + 1 + 10 + 9


def test_m8_when_the_round_is_over_what_is_not_met_is_failed(status: Callable[..., str]) -> None:
    assert status("use-ace", 30, "10C JC QC") == "FAILED"
    assert status("min-flips", 30, "10C JC QC", flips=4) == "FAILED"
    assert status("include-rank", 30, "10C JC QC", rank="K") == "FAILED"
    assert status("include-suit", 30, "10C JC QC", suit="H") == "FAILED"
    assert status("exact-flips", 30, "10C JC QC", flips=4) == "FAILED"


def test_m8_what_holds_when_the_round_is_over_is_met(status: Callable[..., str]) -> None:
    assert status("no-ace", 30, "10C JC QC") == "MET"
    assert status("exact-flips", 30, "10C JC QC", flips=3) == "MET"
    assert status("max-flips", 30, "10C JC QC", flips=3) == "MET"
    assert status("exclude-rank", 30, "10C JC QC", rank="K") == "MET"
    assert status("no-ace", 30, "9C 10D JD KC") == "MET"  # a bust without an ace


def test_m9_no_ace_fails_with_the_first_ace(status: Callable[..., str]) -> None:
    assert status("no-ace", 60, "") == "OPEN"
    assert status("no-ace", 60, "10C") == "OPEN"
    assert status("no-ace", 60, "10C AC") == "FAILED"
    assert status("no-ace", 60, "10C AC 2C") == "FAILED"


def test_m8_no_ace_fails_when_only_aces_are_left_to_hit_with(status: Callable[..., str]) -> None:
    assert status("no-ace", FAR, NO_ACES.rpartition(" ")[0]) == "OPEN"
    assert status("no-ace", FAR, NO_ACES) == "FAILED"


@pytest.mark.parametrize(
    ("flips", "stands"), [(0, "OPEN"), (3, "OPEN"), (4, "OPEN"), (5, "FAILED"), (6, "FAILED")]
)
def test_m9_exactly_five_flips(status: Callable[..., str], flips: int, stands: str) -> None:
    """With five cards up and no hit the next hit comes too late."""
    shown = " ".join(SIX[:flips])
    assert status("exact-flips", FAR, shown, flips=5) == stands


@pytest.mark.parametrize(("flips", "stands"), [(0, "OPEN"), (4, "OPEN"), (5, "FAILED"), (6, "FAILED")])
def test_m9_at_most_five_flips(status: Callable[..., str], flips: int, stands: str) -> None:
    shown = " ".join(SIX[:flips])
    assert status("max-flips", FAR, shown, flips=5) == stands


@pytest.mark.parametrize("flips", [0, 1, 51])
def test_m8_no_card_can_undo_at_most_52_flips(status: Callable[..., str], flips: int) -> None:
    assert status("max-flips", FAR, " ".join(STANDARD_DECK[:flips]), flips=52) == "MET"


@pytest.mark.parametrize(("flips", "stands"), [(0, "OPEN"), (4, "OPEN"), (5, "MET"), (6, "MET")])
def test_m9_at_least_five_flips(status: Callable[..., str], flips: int, stands: str) -> None:
    shown = " ".join(SIX[:flips])
    assert status("min-flips", FAR, shown, flips=5) == stands


def test_m8_a_count_is_judged_by_itself_and_not_by_what_the_sums_allow(status: Callable[..., str]) -> None:
    # 57 are missing and one flip is left: no card does it, but the constraint alone is open.
    assert status("max-flips", 60, "3C", flips=2) == "OPEN"
    assert status("exact-flips", 60, "3C", flips=2) == "OPEN"


def test_m9_include_rank(status: Callable[..., str]) -> None:
    assert status("include-rank", FAR, "10C QC", rank="K") == "OPEN"
    assert status("include-rank", FAR, "10C KD", rank="K") == "MET"
    assert status("include-rank", FAR, "10C KD", rank="10") == "MET"
    assert status("include-rank", FAR, "KC KD", rank="10") == "OPEN"


def test_m9_exclude_rank(status: Callable[..., str]) -> None:
    assert status("exclude-rank", FAR, "10C QC", rank="K") == "OPEN"
    assert status("exclude-rank", FAR, "10C KD", rank="K") == "FAILED"
    assert status("exclude-rank", FAR, "KC KD", rank="10") == "OPEN"
    assert status("exclude-rank", FAR, NO_KINGS, rank="K") == "FAILED"


def test_m9_include_suit(status: Callable[..., str]) -> None:
    assert status("include-suit", FAR, "10C QD", suit="H") == "OPEN"
    assert status("include-suit", FAR, "10C QH", suit="H") == "MET"
    assert status("include-suit", FAR, "10C QH", suit="S") == "OPEN"


def test_m9_all_aces_high_needs_the_hit_with_every_ace_at_11(status: Callable[..., str]) -> None:
    assert status("all-aces-high", 31, "10C JC AC") == "MET"  # 31 = 10 + 10 + 11
    assert status("all-aces-high", 30, "10C AC JC 9C") == "FAILED"  # 30 = 10 + 1 + 10 + 9
    assert status("all-aces-high", 32, "10C AC AD") == "MET"  # 32 = 10 + 11 + 11
    assert status("all-aces-high", 32, "AC 9C AD KD AH") == "FAILED"  # 32 = 11 + 9 + 1 + 10 + 1


def test_m9_all_aces_high_holds_without_aces(status: Callable[..., str]) -> None:
    assert status("all-aces-high", 30, "10C JC QC") == "MET"


def test_m8_all_aces_high_is_failed_once_its_sum_is_dead(status: Callable[..., str]) -> None:
    assert status("all-aces-high", 30, "") == "OPEN"
    assert status("all-aces-high", 30, "AC 10C 8C") == "OPEN"  # 29 is still live
    assert status("all-aces-high", 30, "AC 10C 10D") == "FAILED"  # 31 is dead, 21 lives
    assert status("all-aces-high", 60, "10C JC QC") == "OPEN"


def test_m8_a_bust_with_an_ace_is_not_all_aces_high(status: Callable[..., str]) -> None:
    assert status("all-aces-high", 30, "AC 9C 9D JD KD") == "FAILED"  # 39 and 49
    assert status("all-aces-high", 30, "9C 10D JD KC") == "MET"  # 39 without an ace


@pytest.mark.parametrize("id", ["use-ace", "no-ace", "all-aces-high"])
def test_m8_before_the_call_everything_is_open(status: Callable[..., str], id: str) -> None:
    assert status(id, None, "") == "OPEN"


@pytest.mark.parametrize(
    ("id", "options", "seen"),
    [
        ("use-ace", {}, "MET"),
        ("no-ace", {}, "FAILED"),
        ("exact-flips", {"flips": 1}, "FAILED"),
        ("max-flips", {"flips": 1}, "FAILED"),
        ("min-flips", {"flips": 1}, "MET"),
        ("include-rank", {"rank": "A"}, "MET"),
        ("exclude-rank", {"rank": "A"}, "FAILED"),
        ("include-suit", {"suit": "S"}, "MET"),
        ("all-aces-high", {}, "OPEN"),
    ],
)
def test_a_viewer_who_sees_no_cards_learns_nothing(
    registry: Registry, id: str, options: dict[str, str], seen: str
) -> None:
    script = RoundScript(registry.game("call-it"), stacked("AS AC"), seats=2)
    script.follow("call 400", "0: flip", "0: flip")
    constraint = registry.constraint(id)
    assert constraint_status(constraint, script, 0, **options).name == seen
    assert constraint_status(constraint, script, 1, **options).name == "OPEN"


@pytest.mark.parametrize("id", ["exact-flips", "max-flips", "min-flips"])
@pytest.mark.parametrize("flips", [-1, 0, 53])
def test_m8_counts_are_from_1_to_52(registry: Registry, id: str, flips: int) -> None:
    kind = registry.constraint(id).Options
    with pytest.raises(ValueError, match=r"^flips: "):
        options_of(kind, {"flips": flips})
    assert options_of(kind, {"flips": 1}).flips == 1
    assert options_of(kind, {"flips": 52}).flips == 52


def test_m9_each_constraint_is_a_plugin_of_its_own(registry: Registry) -> None:
    ids = {
        "use-ace",
        "no-ace",
        "exact-flips",
        "max-flips",
        "min-flips",
        "include-rank",
        "exclude-rank",
        "include-suit",
        "all-aces-high",
    }
    brought = [set(plugin.brings) for plugin in registry.plugins]
    assert all({f"constraint {id}"} in brought for id in ids)
