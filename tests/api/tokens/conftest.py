"""What tests of tokens share."""

from __future__ import annotations

import pytest

from fliptable import holds


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Timers look at the clock all the time, since it is not the loop's."""
    monkeypatch.setattr(holds, "_LONGEST", 0.01)
