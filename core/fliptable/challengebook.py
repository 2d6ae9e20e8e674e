"""Making challenges and finding them again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from fliptable.challenges import Challenge, ChosenConstraint, conditions_of, impossible
from fliptable.codec import pack
from fliptable.ids import clean_code, new_code
from fliptable.lettering import is_legible, is_visible, settled
from fliptable.log import Account, CodeTaken, Store
from fliptable.plugins import PluginMissing, Registry
from fliptable.quoting import quoted
from fliptable.rules import Game, Refusal
from fliptable.terms import known_terms, terms_of

MAX_TITLE = 80
"""The most characters that a title may have."""
MAX_CONSTRAINTS = 12
"""The most constraints that a challenge may have."""


class ChallengeBook:
    """All challenges."""

    def __init__(self, registry: Registry, store: Store, clock: Callable[[], datetime]) -> None:
        """Challenges are kept in the store."""
        self._registry = registry
        self._store = store
        self._clock = clock

    async def create(
        self,
        author: Account,
        game: str,
        title: str,
        target: int | None,
        constraints: Sequence[tuple[str, Any]],
    ) -> Challenge | Refusal:
        """Make a challenge; each constraint is given by its id and its options, a dataclass.

        A refusal's field is ``game``, ``title``, ``target``, ``constraints`` or ``constraints.INDEX``.
        Errors: Unavailable.
        """
        made = self._made(author, game, settled(title), target, constraints)
        while isinstance(made, Challenge):
            try:
                await self._store.challenges.add(made)
                break
            except CodeTaken:
                made = replace(made, code=new_code())
        return made

    async def find(self, code: str) -> Challenge | None:
        """The challenge of that code, however it was typed. Errors: Unavailable."""
        return await self._store.challenges.find(clean_code(code))

    async def made_by(
        self,
        author: str,
        limit: int,
        before: tuple[datetime, str] | None = None,
        since: tuple[datetime, str] | None = None,
        oldest_first: bool = False,
    ) -> list[Challenge]:
        """The challenges of a player: :meth:`fliptable.log.ChallengeStore.made_by`. Errors: Unavailable."""
        return await self._store.challenges.made_by(author, limit, before, since, oldest_first)

    def _made(
        self,
        author: Account,
        game: str,
        title: str,
        target: int | None,
        constraints: Sequence[tuple[str, Any]],
    ) -> Challenge | Refusal:
        try:
            part = self._registry.game(game)
        except PluginMissing:
            return Refusal("INVALID_VALUE", f"There is no game {quoted(game)}.", "game")
        refusal = _bad_title(title) or _bad_target(part, target)
        refusal = refusal or self._bad_constraints(part, [id for id, _ in constraints])
        if refusal is not None:
            return refusal
        chosen = tuple([self._chosen(id, options) for id, options in constraints])
        refusal = impossible(part, target, conditions_of(self._registry, chosen))
        if refusal is not None:
            return refusal
        code, now = new_code(), self._clock()
        return Challenge(code, title, part.id, target, chosen, author.id, author.name, now)

    def _chosen(self, id: str, options: Any) -> ChosenConstraint:
        return ChosenConstraint(id, pack(options), self._registry.constraint(id).version)

    def _bad_constraints(self, game: Game[Any, Any], ids: Sequence[str]) -> Refusal | None:
        if len(ids) > MAX_CONSTRAINTS:
            message = f"A challenge may have {MAX_CONSTRAINTS} constraints, not {len(ids)}."
            return Refusal("INVALID_VALUE", message, "constraints")
        for index, id in enumerate(ids):
            try:
                constraint = self._registry.constraint(id)
            except PluginMissing:
                return Refusal(
                    "INVALID_VALUE", f"There is no constraint {quoted(id)}.", f"constraints.{index}"
                )
            if game.id not in constraint.games:
                message = f"{constraint.name} is no constraint for {game.name}."
                return Refusal("INVALID_VALUE", message, f"constraints.{index}")
        return None


def _bad_title(title: str) -> Refusal | None:
    if not is_visible(title) and is_legible(title):
        return Refusal("INVALID_VALUE", "A title needs at least one visible character.", "title")
    if len(title) > MAX_TITLE:
        message = f"A title may have {MAX_TITLE} characters, and this one has {len(title)}."
        return Refusal("INVALID_VALUE", message, "title")
    if not is_legible(title):
        message = "A title may only have printable characters, and joiners only where writing needs them."
        return Refusal("INVALID_VALUE", message, "title")
    return None


def _bad_target(game: Game[Any, Any], target: int | None) -> Refusal | None:
    """A game has to have targets, and its terms say which."""
    if not known_terms(game, {"target": target}):
        return Refusal("INVALID_VALUE", f"{game.name} has no targets to be challenged with.", "game")
    try:
        terms_of(game, {} if target is None else {"target": target})
    except ValueError as error:
        reason = str(error).partition(": ")[2] or str(error)
        return Refusal("INVALID_VALUE", f"The target {reason}.", "target")
    return None
