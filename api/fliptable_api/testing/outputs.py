"""The law that what is shown says what it says: every event, round and run, in every field."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import Any

from fliptable import Private
from fliptable.testing.storage import storage_trouble
from fliptable_api.naming import camel
from fliptable_api.testing.coding import Unwritable, all_of, difference, shown, typed
from fliptable_api.testing.instances import Instances, NoInstance, closed, with_field
from fliptable_api.testing.stage import ANN, BOB, SEATS, TABLE, NotAnswered, Player, Stage
from fliptable_api.testing.told import What, field_of

_PAGE = 100
_COMBINATIONS = 300
"""So many values of an event are tried for a sentence."""
_ROUND = frozenset(("number", "status", "toAct", "outcome"))
_RUN = frozenset(("overReason",))
NAMES = ("Ann", *[f"Seat {seat}" for seat in range(2, SEATS + 1)])
"""The names at the seats of the table where events are shown, as many as it has seats."""


async def check_events(
    stage: Stage,
    plugin: str,
    events: Sequence[type],
    instances: Instances,
    only: Mapping[type, Collection[str]] = MappingProxyType({}),
) -> None:
    """Have every event shown, in every field, to whom may see it and to whom may not.

    ``only`` names the fields that are shown, of events that do not show all. Errors: AssertionError.
    """
    for kind in events:
        what = What(plugin, "the event", stage.built.names.events[kind])
        shown_ones = only.get(kind, [name for name, _ in _fields(kind)])
        fields = [(name, hint) for name, hint in _fields(kind) if name in shown_ones]
        names = {name for name, _ in fields}
        _has_fields(stage, what, {*map(camel, names), "seat", "text"})
        shows = values_of(what, kind, instances)
        for one in shows:
            _is_stored(what, one, fields)
        chosen = f"__typename seat {all_of(kind, names - {'seat'})}"
        expected = [{"seat": getattr(one, "seat", None), **shown_of(what, one, fields)} for one in shows]
        answers = await _events_as(stage, what, chosen, [(one,) for one in shows], shows)
        agree(what, shows, expected, [one[0] for one in answers])
        await _hidden(stage, what, shows[0], expected[0], chosen)
        spoken = list(sentences(what, kind, instances, stage.sizes))
        for seats in stage.sizes:
            told = [one for one, size in spoken if size == seats]
            answers = await _events_as(stage, what, "text", [(one,) for one in told], told, seats=seats)
            texts = [{"text": one.text(NAMES[:seats])} for one in told]
            agree(what, told, texts, [one[0] for one in answers])


async def check_round(stage: Stage, plugin: str, view: type, name: str, instances: Instances) -> None:
    """Have a game's view shown in every field. Errors: AssertionError."""
    await _check_view(stage, What(plugin, "the round", name), view, "round", _ROUND, instances)


async def check_run(stage: Stage, plugin: str, view: type, name: str, instances: Instances) -> None:
    """Have a mode's view shown in every field. Errors: AssertionError."""
    await _check_view(stage, What(plugin, "the run", name), view, "run", _RUN, instances)


async def _check_view(
    stage: Stage, what: What, view: type, part: str, more: Collection[str], instances: Instances
) -> None:
    _has_fields(stage, what, {camel(name) for name, _ in _fields(view)} | set(more))
    shows = values_of(what, view, instances)
    chosen = f"__typename {all_of(view)}"
    expected = [shown_of(what, one) for one in shows]
    answers = []
    for start in range(0, len(shows), _PAGE):
        page = shows[start : start + _PAGE]
        stage.show([stage.table(**{"state" if part == "round" else "run": one}) for one in page])
        document = f"table {{ {part} {{ ... on {what.type} {{ {chosen} }} }} }}"
        answers += [one["table"][part] for one in await _updates(stage, what, document, 3, page)]
    agree(what, shows, expected, answers)


def sentences(
    what: What, kind: type, instances: Instances, sizes: Sequence[int]
) -> Iterator[tuple[Any, int]]:
    """Values of an event whose sentences are as they should be, one for each choice that it has.

    With each comes how many seats the table has: the first of ``sizes`` with which there is a sentence, since
    an event may have a value for each seat. Not every value that the types allow has to make sense, but one
    has to for every switch and choice. Errors: AssertionError.
    """
    given = instances.known(kind)
    tried = given or list(islice(instances.mild(kind), _COMBINATIONS))
    good = [one for one in tried if _size(one, sizes) is not None]
    if not good or (given and len(good) < len(given)):
        bad = next(one for one in tried if one not in good)
        raise what.broken(_no_sentence(bad, sizes), "text", bad)
    found = [good[0]]
    for name, value in closed(kind):
        same = [one for one in good if getattr(one, name) is value or getattr(one, name) == value]
        others = [one for base in good for one in [with_field(base, name, value)] if one is not None]
        made = next((one for one in [*same, *others] if _size(one, sizes) is not None), None)
        if made is not None:
            found.append(made)
        elif others:
            raise what.broken(_no_sentence(others[0], sizes), "text", others[0])
    for one in found:
        size = _size(one, sizes)
        assert size is not None
        yield one, size


def _size(event: Any, sizes: Sequence[int]) -> int | None:
    """The first number of seats with which an event has a sentence; None without any."""
    return next((size for size in sizes if _trouble(event, size) is None), None)


def _no_sentence(event: Any, sizes: Sequence[int]) -> str:
    return f"{_trouble(event, sizes[0])} (if there is no such event, pass examples)"


def _is_stored(what: What, event: Any, fields: Sequence[tuple[str, Any]]) -> None:
    for name, hint in fields:
        if trouble := storage_trouble(getattr(event, name), hint):
            raise what.broken(f"it does not survive being stored: {trouble}", name, event)


def _trouble(event: Any, seats: int) -> str | None:
    """What is wrong with an event's sentence at a table of so many seats."""
    try:
        text = event.text(NAMES[:seats])
    except Exception as error:
        return f"it raises {type(error).__name__}: {error}"
    if not isinstance(text, str) or not text.strip() or "\n" in text:
        return f"it is {text!r}, which is no sentence on one line"
    return None


async def _hidden(stage: Stage, what: What, event: Any, expected: Any, chosen: str) -> None:
    """An event that the first seat alone may see is hidden from others until all is revealed."""
    for public in (None, event):
        hidden = Private(event, frozenset({0}), public, 1)
        seen = [expected]
        for player, revealed, visible in (
            (ANN, False, seen),
            (BOB, False, seen if public is not None else []),
            (None, False, seen if public is not None else []),
            (BOB, True, seen),
            (None, True, seen),
        ):
            answers = await _events_as(stage, what, chosen, [(hidden,)], [event], player, revealed)
            if answers[0] != visible:
                who = "whoever may see it is" if visible else "others are"
                raise what.broken(f"{who} shown {answers[0]}", example=hidden)


def values_of(what: What, kind: type, instances: Instances) -> list[Any]:
    """All sorts of values of a class, the smallest first. Errors: AssertionError."""
    try:
        return instances.all_of(kind)
    except NoInstance as error:
        why = f"no value could be made of its types ({error}); pass one among the examples"
        raise what.broken(why) from None
    except Exception as error:
        raise what.broken(f"making one raises {type(error).__name__}: {error}") from error


def _fields(kind: type) -> list[tuple[str, Any]]:
    return [(field.name, hint) for field, hint in typed(kind)]


def shown_of(what: What, value: Any, only: Sequence[tuple[str, Any]] | None = None) -> dict[str, Any]:
    """A value, or some of its fields, as it should be answered. Errors: AssertionError."""
    chosen = _fields(type(value)) if only is None else only
    try:
        told = {camel(name): shown(getattr(value, name), hint, name) for name, hint in chosen}
    except Unwritable as error:
        raise what.broken(f"it {error.why}", error.path, value) from None
    return {"__typename": what.type, **told}


def _has_fields(stage: Stage, what: What, wanted: set[str]) -> None:
    there = set(stage.built.schema._schema.type_map[what.type].fields)  # type: ignore[attr-defined]
    if there != wanted:
        raise what.broken(f"the schema has the fields {sorted(there)} instead of {sorted(wanted)}")


async def _events_as(
    stage: Stage,
    what: What,
    chosen: str,
    commits: Sequence[tuple[Any, ...]],
    examples: Sequence[Any],
    player: Player | None = ANN,
    revealed: bool = False,
    seats: int = SEATS,
) -> list[list[Any]]:
    """The events of each commit as somebody is answered them, at a table of so many seats."""
    found = []
    for start in range(0, len(commits), _PAGE):
        page = commits[start : start + _PAGE]
        stage.show([stage.table(revealed=revealed, seats=seats) for _ in page], page)
        document = f"events {{ ... on {what.type} {{ {chosen} }} }}"
        shown_here = examples[start : start + _PAGE]
        found += [one["events"] for one in await _updates(stage, what, document, 3, shown_here, player)]
    return found


async def _updates(
    stage: Stage,
    what: What,
    chosen: str,
    deep: int,
    examples: Sequence[Any],
    player: Player | None = ANN,
) -> list[Any]:
    """What is answered of the updates of the table; ``deep`` steps of a path lead to one of them."""
    document = f"query ($t: ID!) {{ table(id: $t) {{ updates(first: {_PAGE}) {{ nodes {{ {chosen} }} }} }} }}"
    try:
        answer = await stage.ask(document, player, t=TABLE)
    except NotAnswered as error:
        place = error.path[deep] if len(error.path) > deep else 0
        path = [step for step in error.path[deep + 1 :] if step not in ("events", "table", "round", "run")]
        field = field_of(path[1:] if path and isinstance(path[0], int) else path)
        raise what.broken(f"the API has no answer: {error}", field, examples[place]) from error
    nodes: list[Any] = answer["table"]["updates"]["nodes"]
    return nodes


def agree(what: What, values: Sequence[Any], expected: Sequence[Any], answers: Sequence[Any]) -> None:
    """Hold what was answered of each value against what should be. Errors: AssertionError."""
    for value, wanted, answered in zip(values, expected, answers, strict=True):
        found = difference(wanted, answered)
        if found is not None:
            path, says, answer = found
            raise what.broken(f"it is {says!r}, and the API answers {answer!r}", path, value)
