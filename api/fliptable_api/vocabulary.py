"""Everything in the schema that comes from plugins: events, rounds, runs, options, moves, codes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

import strawberry

from fliptable import Refusal, Shuffled, Visibility
from fliptable.blame import blame
from fliptable.events import (
    TABLE_EVENTS,
    HostChanged,
    RematchOpened,
    RoundDealt,
    SeatTaken,
    TableCreated,
    TableUpgraded,
)
from fliptable.plugins import PluginError, Registry
from fliptable.projection import may_look
from fliptable_api.context import TypeNames
from fliptable_api.faults import PluginFault
from fliptable_api.moves import Moves
from fliptable_api.naming import first_sentence, type_name, uncapitalised
from fliptable_api.nodes import TableNode
from fliptable_api.playnodes import EventNode
from fliptable_api.quoting import LONGEST_MESSAGE, shortened
from fliptable_api.tabletypes import KNOWN_OUTPUTS, Round, Run, Table
from fliptable_api.typegen import SchemaCollision, TypeMaker
from fliptable_api.typemaking import InputField, make_input, make_type, union_of
from fliptable_api.types import LegalMove, TableEvent
from fliptable_api.values import hints_of, optional

_SHOWN = {
    TableCreated: ("code", "game", "mode", "seats", "visibility"),
    SeatTaken: ("seat", "name"),
    HostChanged: ("seat",),
    RoundDealt: ("number", "ahead"),
}
"""The fields of the table's own events that are shown, where not all of them are."""

_IDS = {TableCreated: ("game", "mode"), TableUpgraded: ("game", "mode"), RematchOpened: ("table",)}
"""Those of their fields that are ids of something."""

_EVENT = frozenset(("text", "of_table", *EventNode.__slots__))
_VIEW = ("view", "graphql_type", "of_table", "_of", "_at")
_ROUND = frozenset(("number", "status", "to_act", "outcome", *_VIEW))
_RUN = frozenset(("over_reason", *_VIEW))
"""What events, views of games and those of modes cannot call a field: the API has it beside theirs."""

NOTHING = "nothing"
"""The field of an input that would have none otherwise."""

_RESERVED = (
    *("String", "Int", "Float", "Boolean", "ID", "JSON", "DateTime"),
    *("Table", "Player", "Round", "Run", "Refusal", "Query", "Mutation", "Subscription", "Node"),
    # Strawberry sees two output types of one name, but not two inputs.
    *("ConstraintInput", "CreateChallengeInput", "CreateTableInput", "GameInput", "HandOverHostInput"),
    *("JoinTableInput", "KickPlayerInput", "LeaveTableInput", "ModeInput", "MoveInput", "PlayMoveInput"),
    *("RematchInput", "SetReadyInput", "SignInAsGuestInput", "StartTableInput", "TableFilter"),
)
"""What no plugin's type can be called, as the schema has it itself."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What plugins add to the schema."""

    maker: TypeMaker
    types: list[Any]
    names: TypeNames
    moves: Moves
    constraint_input: Any
    game_input: Any
    mode_input: Any
    refusal: Any

    def refused(self, refusal: Refusal, node: TableNode | None = None) -> Any:
        """A refusal as an answer, with the table as the caller sees it; without it, if they may not.

        Errors: PluginFault when no plugin declares its code.
        """
        table = None if node is None else node.table
        if node is not None and not may_look(node.table, node.player_id):
            node = None
        code = self.refusal.codes.get(refusal.code)
        if code is None:
            error = PluginFault(f"the code {refusal.code!r} of a refusal is declared by no plugin")
            if table is not None:
                blame(error, table.id, table.game, table.mode)
            raise error
        message = shortened(refusal.message, LONGEST_MESSAGE)
        return self.refusal(code=code, message=message, field=refusal.field, table=node)


def own_union(words: Vocabulary, name: str, success: Any) -> Any:
    """What a mutation of the schema's own answers. Errors: SchemaCollision when a plugin has the name."""
    words.maker.claim(name, f"the schema's own {name}")
    return union_of(name, success, words.refusal)


def vocabulary_of(registry: Registry) -> Vocabulary:
    """The types of everything that is loaded.

    Errors: SchemaCollision names both that collide; PluginError when there is no game or no mode.
    """
    for kind, parts in (("game", registry.games), ("mode", registry.modes)):
        if not parts:
            raise PluginError(f"no plugin brings a {kind}, and a server needs one")
    maker = TypeMaker({**KNOWN_OUTPUTS, Visibility: Visibility})
    for name in _RESERVED:
        maker.claim(name, f"the schema's own {name}")
    types: list[Any] = []
    names = TypeNames({}, {}, {})
    types.append(_shuffle_type(maker, names))
    for event in TABLE_EVENTS:
        ids = _IDS.get(event, ())
        types.append(maker.object(event, event.__name__, "", TableEvent, _SHOWN.get(event), ids=ids))
        _put(names.events, event, event.__name__)
    for game in registry.games.values():
        types += _events(maker, names, game.events, game.graphql)
        name = f"{game.graphql}Round"
        types.append(maker.object(game.View, name, game.graphql, Round, taken=_ROUND))
        _put(names.rounds, game.id, name)
    for mode in registry.modes.values():
        types += _events(maker, names, mode.events, mode.graphql)
        name = f"{mode.graphql}Run"
        types.append(maker.object(mode.View, name, mode.graphql, Run, taken=_RUN))
        _put(names.runs, mode.id, name)
    return Vocabulary(
        maker,
        types,
        names,
        Moves(registry, maker),
        _options(
            maker, registry.constraints, "ConstraintInput", "A constraint with its options: exactly one."
        ),
        _options(maker, registry.games, "GameInput", "A game with its options: exactly one."),
        _options(maker, registry.modes, "ModeInput", "A mode with its options: exactly one."),
        _refusal_type(registry),
    )


def _put(names: Any, key: Any, name: str) -> None:
    names[key] = name


def _events(maker: TypeMaker, names: TypeNames, events: tuple[type, ...], prefix: str) -> list[Any]:
    made = []
    for event in events:
        if event in names.events:
            continue  # A variant of a game uses the events of that game, as they are.
        name = type_name(prefix, event.__name__)
        seat, _ = hints_of(event).get("seat", (int, ""))
        if seat is not int and optional(seat) is not int:
            raise SchemaCollision(f"{prefix}: {event.__qualname__}.seat is {seat}; a seat is an int, or None")
        made.append(maker.object(event, name, prefix, TableEvent, taken=_EVENT))
        _put(names.events, event, name)
    return made


def _shuffle_type(maker: TypeMaker, names: TypeNames) -> Any:
    name = maker.claim("DeckShuffled", Shuffled)
    _put(names.events, Shuffled, name)
    columns = [
        ("shuffle", int, "The number of the shuffle at its table, from 1.", None),
        ("name", str, "What was shuffled.", None),
        ("size", int, "How many cards.", None),
        ("commitment", str, "The SHA-256 of the seed, in hex.", None),
    ]
    return make_type(name, first_sentence(Shuffled.__doc__), columns, TableEvent)


def _options(maker: TypeMaker, parts: Any, name: str, description: str) -> Any:
    wanted = []
    for part in parts.values():
        kind = part.Options
        options = maker.input(kind, type_name(part.graphql, "OptionsInput"), part.graphql)
        key = uncapitalised(part.graphql)
        wanted.append(InputField(key, options | None, f"{part.name}: {part.summary}", strawberry.UNSET))
    if not wanted:
        wanted.append(InputField(NOTHING, bool | None, "There is nothing to choose from.", strawberry.UNSET))
    return make_input(name, description, wanted, one_of=True)


def _legal_moves(root: Any) -> Any:
    return [] if root.table is None else root.table.legal_moves


def _refusal_type(registry: Registry) -> Any:
    """The Refusal type, its code an enum of the table's own codes and the plugins'."""
    values = {
        code: strawberry.enum_value(code, description=text)
        for code, text in sorted(registry.refusals.items())
    }
    made: Any = Enum("RefusalCode", values, module=__name__)  # type: ignore[misc]
    codes = {member.name: member for member in made}
    columns = [
        (
            "code",
            strawberry.enum(made, description="Why something was refused."),
            "The reason, for code.",
            None,
        ),
        ("message", str, "The reason, as a sentence for a person.", None),
        ("field", str | None, "The path of the input at fault.", None),
        (
            "table",
            Table | None,
            "The table as the caller sees it now; null without one, and where the caller may not see it.",
            None,
        ),
        ("legal_moves", list[LegalMove], "What the caller could play now.", _legal_moves),
    ]
    refusal = make_type("Refusal", "Why something was refused. A refusal changes nothing.", columns)
    refusal.codes = codes
    return refusal
