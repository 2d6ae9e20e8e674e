"""Challenges, as resolvers hand them to GraphQL: thin objects, read when selected."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from fliptable.blame import asking
from fliptable.challenges import Challenge, Condition, conditions_of
from fliptable.ids import challenge_id
from fliptable_api.catalogue import GameNode
from fliptable_api.chosen import OptionValueNode, values_of
from fliptable_api.seatnodes import PlayerNode
from fliptable_api.values import plain

if TYPE_CHECKING:
    from fliptable_api.context import Shared


@dataclass(frozen=True, slots=True)
class ConditionNode:
    """A constraint of a challenge, with its values."""

    constraint: str
    text: str
    options: list[OptionValueNode]
    input: dict[str, Any]


class ChallengeNode:
    """A challenge that a player made."""

    graphql_type = "Challenge"

    def __init__(self, shared: Shared, made: Challenge) -> None:
        """The challenge as it is stored."""
        self.shared = shared
        self.made = made

    @property
    def id(self) -> str:
        """The challenge's id."""
        return challenge_id(self.made.code)

    @property
    def code(self) -> str:
        """The short code."""
        return self.made.code

    @property
    def title(self) -> str:
        """What its author calls it."""
        return self.made.title

    @property
    def game(self) -> GameNode:
        """The game in the catalogue. Errors: PluginMissing."""
        return self.shared.catalogue.games[self.shared.registry.game(self.made.game).id]

    @property
    def target(self) -> int | None:
        """The target that is fixed."""
        return self.made.target

    @property
    def constraints(self) -> list[ConditionNode]:
        """What has to be met besides. Errors: PluginMissing, OtherVersion."""
        return [self._condition(one) for one in conditions_of(self.shared.registry, self.made.constraints)]

    def _condition(self, one: Condition) -> ConditionNode:
        node = self.shared.catalogue.constraints[one.constraint.id]
        with asking("constraint", one.constraint):
            text = one.text
        options = values_of(node.options, one.options)
        return ConditionNode(node.id, text, options, {node.input: plain(one.options)})

    @property
    def author(self) -> PlayerNode:
        """Who made it."""
        return PlayerNode(self.made.author, self.made.author_name)

    @property
    def created_at(self) -> datetime:
        """When it was made."""
        return self.made.created_at
