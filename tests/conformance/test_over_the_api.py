"""Every built-in game is played over GraphQL by its legal moves alone, and a game that cannot be is named."""

from __future__ import annotations

from typing import Any

import pytest

from fliptable import Refusal
from fliptable.plugins import load_plugins
from fliptable.testing import OneCard
from fliptable_api.testing import check_api

INSTALLED = load_plugins(strict=False)


@pytest.mark.parametrize("game", sorted(INSTALLED.games))
def test_a_game_is_played_over_the_api(game: str) -> None:
    check_api(INSTALLED.game(game), seeds=range(2))


class Unwilling(OneCard):
    """Lists a move and refuses it."""

    id = "unwilling"
    graphql = "Unwilling"

    def decide(self, state: Any, seat: int, move: Any, ctx: Any) -> Any:
        return Refusal("ILLEGAL_MOVE", "Not today.")


class Unseen(OneCard):
    """Cannot be looked at once a card was drawn."""

    id = "unseen"
    graphql = "Unseen"

    def view(self, state: Any, viewer: Any) -> Any:
        if state.drawn:
            raise RuntimeError("no view")
        return super().view(state, viewer)


@pytest.mark.parametrize(
    ("game", "complaint"),
    [
        (Unwilling(), "of seat 0 is refused when it is sent: ILLEGAL_MOVE: Not today."),
        (Unseen(), "cannot be had"),
    ],
)
def test_what_does_not_go_over_the_api_is_named(game: Any, complaint: str) -> None:
    with pytest.raises(AssertionError) as caught:
        check_api(game, seeds=[0])
    said = str(caught.value)
    assert said.startswith(f"plugin {game.id!r} breaks the law 'api': ") and complaint in said, said
