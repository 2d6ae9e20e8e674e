"""Everything built in goes over GraphQL as it is, and a game that cannot be played there is named."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest

from fliptable import Outcome, Refusal, Result, SeatOutcome, Shuffled, Visibility
from fliptable.events import TABLE_EVENTS, HostChanged, RoundDealt, RoundOver, SeatTaken, TableCreated
from fliptable.plugins import load_plugins
from fliptable.testing import OneCard
from fliptable_api.testing import check_api
from fliptable_api.testing.instances import Instances
from fliptable_api.testing.outputs import check_events
from fliptable_api.testing.stage import Stage, puppet

INSTALLED = load_plugins(strict=False)


@pytest.mark.parametrize("game", sorted(INSTALLED.games))
def test_a_game_keeps_the_law(game: str) -> None:
    check_api(INSTALLED.game(game), seeds=range(2))


@pytest.mark.parametrize("mode", sorted(INSTALLED.modes))
def test_a_mode_keeps_the_law(mode: str) -> None:
    check_api(INSTALLED.mode(mode), seeds=range(1), most_moves=30)


@pytest.mark.parametrize("constraint", sorted(INSTALLED.constraints))
def test_a_constraint_keeps_the_law(constraint: str) -> None:
    check_api(INSTALLED.constraint(constraint))


@pytest.mark.parametrize("query", sorted(INSTALLED.queries))
def test_a_question_keeps_the_law(query: str) -> None:
    check_api(INSTALLED.queries[query])


SHOWN = {
    # Who plays what under which rules is public; ids of players, secrets, options and terms are not.
    TableCreated: ("code", "game", "mode", "seats", "visibility"),
    SeatTaken: ("seat", "name"),
    HostChanged: ("seat",),
    RoundDealt: ("number", "ahead"),
}


def test_the_events_of_every_table_keep_the_law() -> None:
    """Those that show all that they have; what others hide is in the list above."""
    game, mode = INSTALLED.game("call-it"), INSTALLED.mode("classic")
    created = TableCreated(
        code="CODE",
        game="call-it",
        mode="classic",
        game_version="1.0",
        mode_version="1.0",
        game_options={},
        mode_options={},
        seats=2,
        visibility=Visibility.UNLISTED,
        host="ply_ann",
        host_name="Ann",
        secret=b"secret",
    )
    outcome = Outcome((SeatOutcome(Result.WON, 3, "WHY", {"flips": 2}), SeatOutcome(Result.BUST)))
    examples = [created, RoundDealt(1, {"target": 31}), RoundOver(1, outcome)]
    stage = Stage(INSTALLED, puppet(game), puppet(mode))
    asyncio.run(check_events(stage, "table", TABLE_EVENTS, Instances(examples), SHOWN))


def test_a_shuffle_shows_how_many_cards_and_not_which() -> None:
    game, mode = INSTALLED.game("call-it"), INSTALLED.mode("classic")
    stage = Stage(INSTALLED, puppet(game), puppet(mode))
    cards, order = ("2C", "3C"), ("3C", "2C")
    stage.show([stage.table()], [(Shuffled(1, "deck", "c0", cards, order, "label", datetime.now(UTC)),)])
    chosen = "seat text ... on DeckShuffled { shuffle name size commitment }"
    document = f"query ($t: ID!) {{ table(id: $t) {{ updates {{ nodes {{ events {{ {chosen} }} }} }} }} }}"
    answer = asyncio.run(stage.ask(document, t="tbl_" + "0" * 20))
    assert answer["table"]["updates"]["nodes"] == [
        {
            "events": [
                {
                    "seat": None,
                    "text": "Shuffle 1: deck, 2 in all.",
                    "shuffle": 1,
                    "name": "deck",
                    "size": 2,
                    "commitment": "c0",
                }
            ]
        }
    ]


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
