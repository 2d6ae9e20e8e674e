"""The mutations about who sits at a table and who runs it."""

# mypy: disable-error-code="untyped-decorator"

# No postponed annotations here: the answers' types are made from the plugins that are loaded.

from collections.abc import Callable
from typing import Annotated, Any

import strawberry

from fliptable import Refusal, lobby
from fliptable.decide import Decision
from fliptable.ids import clean_code, kind_of
from fliptable.opening import OpeningRefused
from fliptable.projection import may_look
from fliptable.rematch import rematch
from fliptable.requests import Refused, TableNotFound
from fliptable.table import Status
from fliptable.table import Table as CoreTable
from fliptable_api import acting
from fliptable_api.context import RequestContext
from fliptable_api.nodes import TableNode
from fliptable_api.tabletypes import Table
from fliptable_api.vocabulary import Vocabulary, own_union

Ask = Callable[[Decision, str, Any], Refusal | None]
"""Asks a table for something on behalf of a player, with the input of the mutation."""

TableJoined = acting.success_type("TableJoined", "The caller sits at the table.")
TableLeft = acting.success_type("TableLeft", "The caller has left the table.")
ReadySet = acting.success_type("ReadySet", "The table knows whether the caller is ready.")
SessionStarted = acting.success_type("SessionStarted", "The session began.")
PlayerKicked = acting.success_type("PlayerKicked", "The player was sent away.")
HostHandedOver = acting.success_type("HostHandedOver", "The table has another host.")


@strawberry.type(description="There is a new table for the same people.")
class RematchReady:
    """There is a new table for the same people."""

    table: Table | None = strawberry.field(description="The new table; never null.")


@strawberry.input(description="Which table to join: by id or by code.")
class JoinTableInput:
    """Which table to join: by id or by code."""

    table_id: strawberry.ID | None = strawberry.field(default=None, description="Its id.")
    code: str | None = strawberry.field(default=None, description="Its short code.")


@strawberry.input(description="Which table to leave.")
class LeaveTableInput:
    """Which table to leave."""

    table_id: strawberry.ID = strawberry.field(description="Its id.")


@strawberry.input(description="Whether the caller is ready for the start.")
class SetReadyInput:
    """Whether the caller is ready for the start."""

    table_id: strawberry.ID = strawberry.field(description="The table.")
    ready: bool = strawberry.field(default=True, description="Ready or not.")


@strawberry.input(description="Which table to start.")
class StartTableInput:
    """Which table to start."""

    table_id: strawberry.ID = strawberry.field(description="Its id.")


@strawberry.input(description="Whom to send away.")
class KickPlayerInput:
    """Whom to send away."""

    table_id: strawberry.ID = strawberry.field(description="The table.")
    seat: int = strawberry.field(description="The player's seat.")


@strawberry.input(description="Whom to make the host.")
class HandOverHostInput:
    """Whom to make the host."""

    table_id: strawberry.ID = strawberry.field(description="The table.")
    seat: int = strawberry.field(description="The seat of the new host.")


@strawberry.input(description="Which table to play again.")
class RematchInput:
    """Which table to play again."""

    table_id: strawberry.ID = strawberry.field(description="The table that is over.")


def _input(description: str) -> Any:
    return strawberry.argument(description=description)


def lobby_mutations(words: Vocabulary) -> Any:
    """A part of the Mutation type of a schema."""

    def union(name: str, success: Any) -> Any:
        return own_union(words, name, success)

    @strawberry.type(description="What can be done about seats.")
    class LobbyMutation:
        """What can be done about seats."""

        @strawberry.mutation(
            graphql_type=union("JoinTableResult", TableJoined),
            description="Sit down at the first free seat of a table that has not started.",
        )
        async def join_table(
            self, info: strawberry.Info, input: Annotated[JoinTableInput, _input("Which table.")]
        ) -> Any:
            """A seat, or why there is none."""
            return await _join(words, info.context, input)

        leave_table = _asking(
            words,
            "LeaveTableResult",
            TableLeft,
            "Leave a table for good; a running round is lost as the game has it.",
            LeaveTableInput,
            "Which table.",
            lambda decision, player, _: lobby.leave(decision, player),
            anyway=True,
        )
        set_ready = _asking(
            words,
            "SetReadyResult",
            ReadySet,
            "Say whether the caller is ready for the start.",
            SetReadyInput,
            "Ready or not.",
            lambda decision, player, input: lobby.ready(decision, player, input.ready),
        )
        start_table = _asking(
            words,
            "StartTableResult",
            SessionStarted,
            "Start the session with the seats that are taken; for the host.",
            StartTableInput,
            "Which table.",
            lambda decision, player, _: lobby.start(decision, player),
        )
        kick_player = _asking(
            words,
            "KickPlayerResult",
            PlayerKicked,
            "Send a player away for good; for the host.",
            KickPlayerInput,
            "Whom.",
            lambda decision, player, input: lobby.kick(decision, player, input.seat),
            anyway=True,
        )
        hand_over_host = _asking(
            words,
            "HandOverHostResult",
            HostHandedOver,
            "Make another player the host; for the host.",
            HandOverHostInput,
            "To whom.",
            lambda decision, player, input: lobby.hand_over(decision, player, input.seat),
            anyway=True,
        )

        @strawberry.mutation(
            name="rematch",
            graphql_type=union("RematchResult", RematchReady),
            description="Open a new table with the same people and options, for whoever sat at one that is "
            "over. Everybody who asks gets the same table; `myTables` tells the others.",
        )
        async def rematch_table(
            self, info: strawberry.Info, input: Annotated[RematchInput, _input("Of which table.")]
        ) -> Any:
            """The new table."""
            return await _play_again(words, info.context, input.table_id)

    return LobbyMutation


def _asking(
    words: Vocabulary,
    result: str,
    success: Any,
    description: str,
    given: Any,
    what: str,
    ask: Ask,
    anyway: bool = False,
) -> Any:
    """The mutation that asks the table of its input for something on the caller's behalf.

    ``anyway`` as of :class:`Request`.
    """

    async def resolve(self: Any, info: strawberry.Info, input: Annotated[given, _input(what)]) -> Any:
        context: RequestContext = info.context
        player = context.signed_in().id
        return await acting.carry_out(
            words,
            context,
            input.table_id,
            success,
            lambda decision: ask(decision, player, input),
            anyway=anyway,
        )

    union = own_union(words, result, success)
    return strawberry.mutation(resolve, graphql_type=union, description=description)


async def _join(words: Vocabulary, context: RequestContext, given: JoinTableInput) -> Any:
    """A seat, or why there is none."""
    account = context.signed_in()
    if (given.table_id is None) == (given.code is None):
        message = "Say which table to join by tableId or by code"
        more = "; neither was given." if given.code is None else ", not by both."
        return words.refused(Refusal("INVALID_VALUE", message + more))
    table_id: str | None = given.table_id
    if given.code is not None:
        table_id = await context.shared.service.find_code(clean_code(given.code))
    if table_id is None:
        return words.refused(acting.no_table(given.code or "", "code"))
    command = acting.joining(account.id, account.name)
    return await acting.carry_out(words, context, table_id, TableJoined, command)


async def _play_again(words: Vocabulary, context: RequestContext, table_id: str) -> Any:
    """The table of a rematch, or why there is none."""
    player = context.signed_in().id
    if kind_of(table_id) != "table":
        return words.refused(acting.no_table(table_id))
    try:
        table = await rematch(context.shared.service, table_id, player)
    except TableNotFound:
        return words.refused(acting.no_table(table_id))
    except OpeningRefused as refused:
        return words.refused(refused.refusal)
    if isinstance(table, Refused):
        return words.refused(table.refusal, TableNode(context.shared, table.table, player))
    if not may_look(table, player):
        return words.refused(_missed(table))
    node: Any = TableNode(context.shared, table, player)
    return RematchReady(table=node)


def _missed(table: CoreTable) -> Refusal:
    """Why somebody who gave their seat up does not get a rematch that wants no spectators."""
    if table.status is Status.OVER:
        return Refusal("TABLE_OVER", "The rematch was played without you and is over.")
    return Refusal("TABLE_STARTED", "The rematch has started without you.")
