"""The mutations about who sits at a table and who runs it."""

# mypy: disable-error-code="untyped-decorator"

# No postponed annotations here: the answers' types are made from the plugins that are loaded.

from typing import Annotated, Any

import strawberry

from fliptable import Refusal, lobby
from fliptable.ids import clean_code, kind_of
from fliptable.opening import OpeningRefused
from fliptable.rematch import rematch
from fliptable.requests import Refused, TableNotFound
from fliptable_api import acting
from fliptable_api.context import RequestContext
from fliptable_api.nodes import TableNode
from fliptable_api.tabletypes import Table
from fliptable_api.typegen import union_of
from fliptable_api.vocabulary import Vocabulary

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
        return union_of(name, success, words.refusal)

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
            context: RequestContext = info.context
            account = context.signed_in()
            if (input.table_id is None) == (input.code is None):
                message = "Exactly one of tableId and code has to be given."
                return words.refused(Refusal("INVALID_VALUE", message, "tableId"))
            table_id: str | None = input.table_id
            if input.code is not None:
                table_id = await context.shared.service.find_code(clean_code(input.code))
            if table_id is None:
                return words.refused(acting.no_table(input.code or "", "code"))
            command = acting.joining(account.id, account.name)
            return await acting.carry_out(words, info, table_id, TableJoined, command)

        @strawberry.mutation(
            graphql_type=union("LeaveTableResult", TableLeft),
            description="Leave a table for good; a running round is lost as the game has it.",
        )
        async def leave_table(
            self, info: strawberry.Info, input: Annotated[LeaveTableInput, _input("Which table.")]
        ) -> Any:
            """The table without the caller."""
            player = info.context.signed_in().id
            return await acting.carry_out(
                words, info, input.table_id, TableLeft, lambda d: lobby.leave(d, player)
            )

        @strawberry.mutation(
            graphql_type=union("SetReadyResult", ReadySet),
            description="Say whether the caller is ready for the start.",
        )
        async def set_ready(
            self, info: strawberry.Info, input: Annotated[SetReadyInput, _input("Ready or not.")]
        ) -> Any:
            """The table with the caller ready or not."""
            player = info.context.signed_in().id
            return await acting.carry_out(
                words, info, input.table_id, ReadySet, lambda d: lobby.ready(d, player, input.ready)
            )

        @strawberry.mutation(
            graphql_type=union("StartTableResult", SessionStarted),
            description="Start the session with the seats that are taken; for the host.",
        )
        async def start_table(
            self, info: strawberry.Info, input: Annotated[StartTableInput, _input("Which table.")]
        ) -> Any:
            """The table playing."""
            player = info.context.signed_in().id
            return await acting.carry_out(
                words, info, input.table_id, SessionStarted, lambda d: lobby.start(d, player)
            )

        @strawberry.mutation(
            graphql_type=union("KickPlayerResult", PlayerKicked),
            description="Send a player away for good; for the host.",
        )
        async def kick_player(
            self, info: strawberry.Info, input: Annotated[KickPlayerInput, _input("Whom.")]
        ) -> Any:
            """The table without the player."""
            player = info.context.signed_in().id
            return await acting.carry_out(
                words, info, input.table_id, PlayerKicked, lambda d: lobby.kick(d, player, input.seat)
            )

        @strawberry.mutation(
            graphql_type=union("HandOverHostResult", HostHandedOver),
            description="Make another player the host; for the host.",
        )
        async def hand_over_host(
            self, info: strawberry.Info, input: Annotated[HandOverHostInput, _input("To whom.")]
        ) -> Any:
            """The table with its new host."""
            player = info.context.signed_in().id
            return await acting.carry_out(
                words, info, input.table_id, HostHandedOver, lambda d: lobby.hand_over(d, player, input.seat)
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
            context: RequestContext = info.context
            player = context.signed_in().id
            if kind_of(input.table_id) != "table":
                return words.refused(acting.no_table(input.table_id))
            try:
                table = await rematch(context.shared.service, input.table_id, player)
            except TableNotFound:
                return words.refused(acting.no_table(input.table_id))
            except OpeningRefused as refused:
                return words.refused(refused.refusal)
            if isinstance(table, Refused):
                return words.refused(table.refusal, TableNode(context.shared, table.table, player))
            node: Any = TableNode(context.shared, table, player)
            return RematchReady(table=node)

    return LobbyMutation
