"""How constraints stand in rounds of Call It whose cards are laid down."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fliptable.testing import Registry, RoundScript, constraint_status, stacked


@pytest.fixture
def status(registry: Registry) -> Callable[..., str]:
    """How a constraint stands after cards were turned up for a target, or before the call without one."""

    def stands(id: str, target: int | None, shown: str, **options: Any) -> str:
        script = RoundScript(registry.game("call-it"), stacked(shown))
        if target is not None:
            script.follow(f"call {target}", *["flip"] * len(shown.split()))
        return constraint_status(registry.constraint(id), script, **options).name

    return stands
