"""What a mode declares of records is checked when it is loaded."""

from __future__ import annotations

from typing import Any

import pytest

from fliptable.scores import Better, Metric
from fliptable.vetting import ContractBroken, vet_mode


def with_metrics(registry: Any, *metrics: Metric) -> Any:
    kind = type(registry.mode("streak"))
    return type("Declared", (kind,), {"metrics": metrics})()


def test_metrics_that_are_fine_are_taken(registry: Any) -> None:
    vet_mode(
        with_metrics(registry, Metric("longest-streak", "Longest", "wins"), Metric("flips", "F", "flips"))
    )


@pytest.mark.parametrize("name", ["", "Wins", "most wins", "wins/2"])
def test_a_metric_needs_a_name_that_can_be_stored(registry: Any, name: str) -> None:
    with pytest.raises(ContractBroken, match="streak: metric"):
        vet_mode(with_metrics(registry, Metric(name, "Title", "wins")))


def test_two_metrics_of_a_name_are_refused(registry: Any) -> None:
    twice = [Metric("wins", "Most", "wins"), Metric("wins", "Fewest", "wins", Better.LOWER)]
    with pytest.raises(ContractBroken, match="two metrics are called 'wins'"):
        vet_mode(with_metrics(registry, *twice))


def test_a_mode_without_scopes_has_the_one_list_alone(registry: Any) -> None:
    mode = registry.mode("streak")
    assert mode.check_scope("") == ""
    with pytest.raises(ValueError, match="the mode streak has only one list"):
        mode.check_scope("2026-11-29")


def test_a_mode_with_scopes_takes_any_unless_it_says_which(registry: Any) -> None:
    kind = type(registry.mode("streak"))
    mode = type("Scoped", (kind,), {"scope": lambda self, run: "here"})()
    assert (mode.check_scope("here"), mode.check_scope("")) == ("here", "")


def test_the_key_of_a_better_value_is_smaller() -> None:
    lower, higher = Metric("flips", "F", "flips", Better.LOWER), Metric("wins", "W", "wins")
    assert lower.key(3) < lower.key(4)
    assert higher.key(4) < higher.key(3)
