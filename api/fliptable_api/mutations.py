"""The mutations. Each is a request to the table service; what it refuses is data."""

# mypy: disable-error-code="untyped-decorator"

# No postponed annotations here: the input types are made from the plugins that are loaded.

from typing import Annotated, Any

import strawberry

from fliptable import Refusal as CoreRefusal
from fliptable import lobby
from fliptable.events import Visibility
from fliptable.ids import clean_code, kind_of
from fliptable.log import CodeTaken
from fliptable.service import Command, Refused, Request, TableNotFound
from fliptable_api.context import RequestContext
from fliptable_api.nodes import PlayerNode, TableNode, UpdateNode
from fliptable_api.opening import Refusing, opening_of
from fliptable_api.playing import command_of
from fliptable_api.tabletypes import Table, TableUpdate
from fliptable_api.typegen import InputField, TypeMaker, union_of
from fliptable_api.types import Player
from fliptable_api.vocabulary import Vocabulary

_TRIES_FOR_A_CODE = 5


@strawberry.type(description="A new player and their token.")
class SignInAsGuestPayload:
    """A new player and their token."""

    player: Player = strawberry.field(description="The player.")
    token: str = strawberry.field(description="The bearer token; it is never shown again, so keep it.")


def _result(name: str, description: str) -> Any:
    """A success type: the update that was made, and the table after it."""

    class Result:
        """A success."""

        update: TableUpdate = strawberry.field(description="What happened.")
        table: Table = strawberry.field(description="The table, as the caller sees it.")

    Result.__name__ = Result.__qualname__ = name
    return strawberry.type(Result, name=name, description=description)


MovePlayed = _result("MovePlayed", "The move was accepted and is stored.")
TableOpened = _result("TableOpened", "The table is open.")
TableJoined = _result("TableJoined", "The caller sits at the table.")
TableLeft = _result("TableLeft", "The caller has left the table.")
SessionStarted = _result("SessionStarted", "The session began.")


@strawberry.input(description="Who signs in.")
class SignInAsGuestInput:
    """Who signs in."""

    name: str = strawberry.field(description="What to be called, 1 to 40 characters.")


@strawberry.input(description="Which table to join.")
class JoinTableInput:
    """Which table to join: by id or by code."""

    table_id: strawberry.ID | None = strawberry.field(default=None, description="Its id.")
    code: str | None = strawberry.field(default=None, description="Its short code.")


@strawberry.input(description="Which table to leave.")
class LeaveTableInput:
    """Which table to leave."""

    table_id: strawberry.ID = strawberry.field(description="Its id.")


@strawberry.input(description="Which table to start.")
class StartTableInput:
    """Which table to start."""

    table_id: strawberry.ID = strawberry.field(description="Its id.")


def create_table_input(maker: TypeMaker, words: Vocabulary) -> Any:
    """The input of createTable, with the games and modes that are loaded."""
    wanted = [
        InputField("game", words.game_input, "The game and its options."),
        InputField("mode", words.mode_input | None, "The mode; the game's default if left out.", None),
        InputField("seats", int | None, "How many seats; as few as possible if left out.", None),
        InputField(
            "local_seats", list[str] | None, "Names of seats that the host acts for, the last ones.", None
        ),
        InputField("visibility", Visibility | None, "Who finds it; whoever has the code if left out.", None),
    ]
    return maker.make_input("CreateTableInput", "What to open a table with.", wanted)


def play_move_input(maker: TypeMaker, words: Vocabulary) -> Any:
    """The input of playMove, with the moves of the games that are loaded."""
    wanted = [
        InputField("table_id", strawberry.ID, "The table."),
        InputField("move", words.moves.input, "The move."),
        InputField("seat", int | None, "For a host who acts for several seats: which one moves.", None),
        InputField(
            "expected_version", int | None, "Refused as STALE_VERSION when the table has moved on.", None
        ),
        InputField(
            "idempotency_key",
            str | None,
            "The same key again answers what the first call answered; 1 to 128 characters.",
            None,
        ),
    ]
    return maker.make_input("PlayMoveInput", "A move at a table.", wanted)


def mutation_type(maker: TypeMaker, words: Vocabulary) -> Any:
    """The Mutation type of a schema."""

    async def carry_out(
        info: strawberry.Info, table_id: str, success: Any, command: Command, **request: Any
    ) -> Any:
        context: RequestContext = info.context
        player = context.signed_in().id
        service = context.shared.service
        if kind_of(table_id) != "table":
            return words.refused(_no_table(table_id))
        try:
            answer = await service.act(table_id, Request(player, **request), command)
        except TableNotFound:
            return words.refused(_no_table(table_id))
        if isinstance(answer, Refused):
            return words.refused(answer.refusal, TableNode(context.shared, answer.table, player))
        update = UpdateNode(context.shared, answer, player)
        return success(update=update, table=update.table)

    CreateInput = create_table_input(maker, words)
    PlayInput = play_move_input(maker, words)

    def union(name: str, success: Any) -> Any:
        return union_of(name, success, words.refusal)

    @strawberry.type(description="What can be done.")
    class Mutation:
        """What can be done."""

        @strawberry.mutation(description="Become a player: a guest with a name and a token.")
        async def sign_in_as_guest(
            self, info: strawberry.Info, input: Annotated[SignInAsGuestInput, _input("Who signs in.")]
        ) -> SignInAsGuestPayload:
            context: RequestContext = info.context
            account, token = await context.shared.accounts.sign_in_as_guest(input.name)
            player: Any = PlayerNode(account.id, account.name)
            return SignInAsGuestPayload(player=player, token=token)

        @strawberry.mutation(
            graphql_type=union("CreateTableResult", TableOpened),
            description="Open a table. It starts by itself when all its seats are taken at once.",
        )
        async def create_table(
            self,
            info: strawberry.Info,
            input: Annotated[CreateInput, _input("What to open it with.")],  # type: ignore[valid-type]
        ) -> Any:
            context: RequestContext = info.context
            host = context.signed_in()
            shared = context.shared
            for attempt in range(_TRIES_FOR_A_CODE):
                try:
                    update = await shared.service.open(opening_of(shared.registry, host, input))
                    break
                except Refusing as refusing:
                    return words.refused(refusing.refusal)
                except CodeTaken:
                    if attempt + 1 == _TRIES_FOR_A_CODE:
                        raise
            node = UpdateNode(shared, update, host.id)
            return TableOpened(update=node, table=node.table)

        @strawberry.mutation(
            graphql_type=union("JoinTableResult", TableJoined),
            description="Sit down at the first free seat of a table that has not started.",
        )
        async def join_table(
            self, info: strawberry.Info, input: Annotated[JoinTableInput, _input("Which table.")]
        ) -> Any:
            context: RequestContext = info.context
            account = context.signed_in()
            if (input.table_id is None) == (input.code is None):
                message = "Exactly one of tableId and code has to be given."
                return words.refused(CoreRefusal("INVALID_VALUE", message, "tableId"))
            table_id: str | None = input.table_id
            if input.code is not None:
                table_id = await context.shared.service.find_code(clean_code(input.code))
            if table_id is None:
                return words.refused(_no_table(input.code or "", "code"))
            command: Command = lambda decision: lobby.join(decision, account.id, account.name)  # noqa: E731
            return await carry_out(info, table_id, TableJoined, command)

        @strawberry.mutation(
            graphql_type=union("LeaveTableResult", TableLeft),
            description="Leave a table for good; a running round is lost as the game has it.",
        )
        async def leave_table(
            self, info: strawberry.Info, input: Annotated[LeaveTableInput, _input("Which table.")]
        ) -> Any:
            player = info.context.signed_in().id
            return await carry_out(info, input.table_id, TableLeft, lambda d: lobby.leave(d, player))

        @strawberry.mutation(
            graphql_type=union("StartTableResult", SessionStarted),
            description="Start the session; the host does it once all seats are taken.",
        )
        async def start_table(
            self, info: strawberry.Info, input: Annotated[StartTableInput, _input("Which table.")]
        ) -> Any:
            player = info.context.signed_in().id
            return await carry_out(info, input.table_id, SessionStarted, lambda d: lobby.start(d, player))

        @strawberry.mutation(
            graphql_type=union("PlayMoveResult", MovePlayed), description="Play a move of any game."
        )
        async def play_move(
            self,
            info: strawberry.Info,
            input: Annotated[PlayInput, _input("The move.")],  # type: ignore[valid-type]
        ) -> Any:
            context: RequestContext = info.context
            given: Any = input
            player = context.signed_in().id
            try:
                command, digest = command_of(context.shared.moves, given, player)
            except Refusing as refusing:
                node = await _seen(context, given.table_id)
                return words.refused(refusing.refusal, node)
            return await carry_out(
                info,
                given.table_id,
                MovePlayed,
                command,
                key=given.idempotency_key,
                digest=digest,
                expected_version=given.expected_version,
            )

    return Mutation


def _input(description: str) -> Any:
    return strawberry.argument(description=description)


async def _seen(context: RequestContext, table_id: str) -> TableNode | None:
    """The table for a refusal of the input alone; None when there is none."""
    if kind_of(table_id) != "table":
        return None
    try:
        return TableNode(context.shared, await context.shared.service.get(table_id), context.player)
    except TableNotFound:
        return None


def _no_table(named: str, field: str = "tableId") -> CoreRefusal:
    return CoreRefusal("TABLE_NOT_FOUND", f"There is no table {named[:64]!r}.", field)
