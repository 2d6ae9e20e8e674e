"""Flip 7: push your luck for seven different numbers. Also what a line scores, for whoever asks."""

from dataclasses import dataclass
from typing import Annotated, Any

from fliptable import Game, PluginQuery, Refusal, hookimpl
from fliptable_games.flip7.game import Flip7
from fliptable_games.flip7.scoring import Flip7Line, Flip7LineScore, score_line


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """Which line is to be scored."""

    line: Annotated[Flip7Line, "The line."]


def _score(arguments: ScoreLine) -> Flip7LineScore | Refusal:
    answer = score_line(arguments.line)
    if isinstance(answer, Refusal):
        return Refusal(answer.code, answer.message, f"line.{answer.field}" if answer.field else "line")
    return answer


@hookimpl
def fliptable_games() -> list[Game[Any, Any]]:
    """Flip 7."""
    return [Flip7()]


@hookimpl
def fliptable_queries() -> list[PluginQuery]:
    """What a line scores, without any table."""
    return [
        PluginQuery(
            name="score_flip7_line",
            description="What a line of Flip 7 scores, or why there can be no such line.",
            graphql=Flip7.graphql,
            Arguments=ScoreLine,
            Result=Flip7LineScore,
            answer=_score,
        )
    ]


__all__ = ["Flip7", "Flip7Line", "Flip7LineScore", "ScoreLine", "score_line"]
