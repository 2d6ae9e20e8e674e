"""A game in a mode at a table, and the laws held at it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from fliptable.opening import OpeningRefused
from fliptable.rules import Refusal
from fliptable.snapshot import to_snapshot
from fliptable.testing.actions import Play, TableAction
from fliptable.testing.broken import SAME, Broken, caught, in_words, raised
from fliptable.testing.differences import difference
from fliptable.testing.elsewhere import differing
from fliptable.testing.literals import shown
from fliptable.testing.shrinking import ATTEMPTS
from fliptable.testing.storage import storable
from fliptable.testing.tablelaws import TABLE_LAWS, everything_seen
from fliptable.testing.tableplay import TablePlay, TableSetting
from fliptable.testing.trials import Trial, fail
from fliptable.testing.watchdog import called

COSTLY = frozenset(("replay", "moves", "nothing leaks", "seeds"))
"""Laws that take long to hold."""
_THOROUGH, _MANY = 15, 100
"""After so many steps, or commits, the laws that take long are held after every third step."""
_FEW = 3
"""So many smaller cases are tried for a law that takes long to hold."""


@dataclass(frozen=True)
class TableTrial(Trial):
    """Tables of a game in a mode."""

    kind = "game"
    check = "check_table_case"
    listed = "TableAction"

    where: TableSetting

    @property
    def part(self) -> Any:
        """The game."""
        return self.where.game

    @property
    def named(self) -> str:
        """Both plugins."""
        return f"plugin {self.where.game.id!r} in mode {self.where.mode.id!r}"

    def hold(self, law: str, actions: Sequence[Any]) -> Broken | None:
        """Let the actions happen at a new table, and see whether the law is broken then."""
        if law == SAME:
            return self._same(actions)
        play = self.play(actions)
        if not isinstance(play, TablePlay):
            return play
        # What plugins raise and what a watched mode breaks is seen wherever they are asked: by any law.
        alone = law in TABLE_LAWS and not self.where.watch
        looks = (self.look(play, [name]) for name in ([law] if alone else sorted(TABLE_LAWS, key=law.__ne__)))
        return next((one for one in looks if one is not None and one.law == law), None)

    def play(self, actions: Sequence[TableAction]) -> TablePlay | Broken | None:
        """The table after the actions; None where one cannot happen, and what is broken by them."""
        try:
            play = self.where.open()
            broken = self.asked(play)
            for action in actions:
                listed = not isinstance(action, Play) or play.lists(action)
                refusal = play.take(action) if listed else None
                if refusal is not None and isinstance(action, Play):
                    return _refused(action, refusal)
                if refusal is not None or not listed:
                    return None
                broken = self.asked(play)
        except OpeningRefused as error:
            return self.refused(error.refusal)
        except BaseException as error:
            return self.raised(error)
        return broken or play

    def fit(self, actions: Sequence[TableAction]) -> list[TableAction]:
        """Those of the actions that can happen in this setting, one after the other."""
        taken: list[TableAction] = []
        action: TableAction | None = None
        try:
            play = self.where.open()
            for action in actions:
                legal = not isinstance(action, Play) or play.lists(action)
                if legal and play.take(action) is None:
                    taken.append(action)
        except BaseException as error:
            # What it raises may be what is looked for.
            caught(error)
            return taken if action is None else [*taken, action]
        return taken

    def asked(self, play: TablePlay) -> Broken | None:
        """What is broken by asking whatever is asked at a table. Errors: LawBroken."""
        play.script.hold_deadline()
        return None

    def refused(self, refusal: Refusal) -> Broken | None:
        """What is broken by refusing to open a table. Here nothing is: some settings do not go together."""
        return None

    def look(self, play: TablePlay, laws: Collection[str]) -> Broken | None:
        """The first of the laws that is broken as the table stands."""
        for name in laws:
            try:
                with called():
                    complaint = next(TABLE_LAWS[name](play, Random(len(play.actions))), None)
            except BaseException as error:
                return self.raised(error)
            if complaint is not None:
                return Broken(name, complaint)
        return None

    def raised(self, error: BaseException) -> Broken:
        """What is broken when a plugin raises."""
        return raised(error, self.where.game, self.where.mode)

    def _same(self, actions: Sequence[TableAction]) -> Broken | None:
        for one, other in zip(self.record(actions), self.record(actions), strict=False):
            changed = difference(one, other, "what comes of the actions")
            if changed is not None:
                return Broken(SAME, f"the same actions lead to something else at another table: {changed}")
        found = differing([(self, actions)])
        return None if found is None else found[-1]

    def record(self, actions: Sequence[TableAction]) -> Iterator[Any]:
        """The events, the table and what is seen of it after each action."""
        seats = range(self.where.seats)
        eyes = [frozenset[int](), frozenset({0}), frozenset(seats)]
        try:
            play = self.where.open()
            for action in [None, *actions]:
                if action is not None and play.take(action) is not None:
                    return
                pack = self.where.registry.codec.pack
                events = [pack(event) for event in play.script.commits[-1].events]
                seen = [everything_seen(play.table, viewer) for viewer in eyes]
                yield {
                    "events": events,
                    "table": to_snapshot(play.table).state,
                    "legal moves": [shown(one["legal moves"]) for one in seen],
                    "round": [storable(one["round"]) for one in seen],
                    "run": [storable(one["run"]) for one in seen],
                }
        except BaseException as error:
            yield {"raises": in_words(caught(error))}

    def simpler(self) -> Iterator[TableTrial]:
        """Fewer seats, and whatever can be left at its default."""
        return iter([replace(self, where=one) for one in self.where.simpler()])

    def seeded(self, seed: int) -> TableTrial:
        """The same with other decks."""
        return replace(self, where=self.where.having(seed=seed))

    def seats(self) -> int:
        """How many seats there are."""
        return self.where.seats

    def seed(self) -> int:
        """What chance goes by."""
        return self.where.seed

    def setting(self) -> Sequence[str]:
        """What differs from the defaults."""
        return self.where.words()

    def arguments(self, law: str) -> Mapping[str, Any]:
        """What :func:`check_table_case` needs to be told."""
        return {"mode": self.where.mode, **self.where.chosen()}

    def attempts(self, law: str) -> int:
        """Few in another process."""
        return _FEW if law == SAME else ATTEMPTS


def play_by_lot(
    trial: TableTrial, random: Random, steps: int, laws: Collection[str], **likely: Any
) -> list[TableAction]:
    """Play a table, hold the laws after every step, and say what was done.

    Errors: OpeningRefused where it cannot be opened; AssertionError, when a law is broken.
    """
    __tracebackhide__ = True
    done: list[TableAction] = []
    try:
        play = trial.where.open()
    except OpeningRefused as error:
        if (rude := trial.refused(error.refusal)) is not None:
            fail(trial, done, rude)
        raise
    except BaseException as error:
        fail(trial, done, trial.raised(error))
    broken: Broken | None = None
    for step in range(steps + 1):
        try:
            long = step >= _THOROUGH or len(play.script.commits) > _MANY
            rare = long and step % 3 and not play.over
            broken = broken or trial.asked(play)
            broken = broken or trial.look(play, [law for law in laws if not (rare and law in COSTLY)])
            if broken is not None or play.over:
                break
            action = play.draw(random, **likely)
            done.append(action)
            refusal = play.take(action)
            if refusal is not None and isinstance(action, Play):
                broken = _refused(action, refusal)
            elif refusal is not None:
                done.pop()
        except BaseException as error:
            broken = trial.raised(error)
    if broken is not None:
        fail(trial, done, broken)
    return done


def _refused(action: Play, refusal: Any) -> Broken:
    return Broken(
        "moves", f"{action} is among the legal moves, and is refused: {refusal.code}: {refusal.message}"
    )
