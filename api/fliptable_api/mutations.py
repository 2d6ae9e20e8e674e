"""The mutations. Each is a request to the table service; what it refuses is data."""

# mypy: disable-error-code="untyped-decorator"

# No postponed annotations here: the input types are made from the plugins that are loaded.

from typing import Annotated, Any

import strawberry

from fliptable import Refusal
from fliptable.house import HouseRules, Visibility
from fliptable.log import CodeTaken, VersionTaken
from fliptable.opening import Opening, OpeningRefused, opened_with
from fliptable_api import acting
from fliptable_api.accountmutations import AccountMutations
from fliptable_api.challengenodes import ChallengeNode
from fliptable_api.context import RequestContext
from fliptable_api.lobbymutations import lobby_mutations
from fliptable_api.naming import camel, uncapitalised
from fliptable_api.nodes import TableNode, UpdateNode
from fliptable_api.opening import Refusing, constraints_of, opening_of
from fliptable_api.playing import check_key, command_of
from fliptable_api.recordtypes import ChallengeCreated
from fliptable_api.typegen import TypeMaker
from fliptable_api.typemaking import InputField, make_input
from fliptable_api.vocabulary import Vocabulary, own_union

_TRIES_FOR_A_CODE = 5


MovePlayed = acting.success_type("MovePlayed", "The move was accepted and is stored.")
TableOpened = acting.success_type("TableOpened", "The table is open.")


def create_table_input(maker: TypeMaker, words: Vocabulary) -> Any:
    """The input of createTable, with the games and modes that are loaded."""
    wanted = [
        InputField("game", words.game_input, "The game and its options."),
        InputField("mode", words.mode_input | None, "The mode; the game's default if left out.", None),
        InputField(
            "seats",
            int | None,
            "How many seats. If left out, as few as the game and the mode allow that are enough for the "
            "local seats, and for the host too where `hostPlays` is true.",
            None,
        ),
        InputField(
            "local_seats",
            list[str] | None,
            "Names of seats that the host acts for, the last ones; no two the same.",
            None,
        ),
        InputField("house", maker.input(HouseRules, "HouseRulesInput", "") | None, "How it is run.", None),
        InputField(
            "host_plays",
            bool | None,
            "Whether the host takes a seat; if left out, they take one that is left beside the local seats.",
            None,
        ),
        InputField(
            "idempotency_key",
            str | None,
            "The same key again answers with the table that the first call opened; 1 to 128 characters.",
            None,
        ),
        # Null means the same as leaving it out, as it always did.
        InputField("visibility", Visibility | None, "Who finds it.", Visibility.UNLISTED),
    ]
    return make_input("CreateTableInput", "What to open a table with.", wanted)


def create_challenge_input(maker: TypeMaker, words: Vocabulary) -> Any:
    """The input of createChallenge, with the constraints that are loaded."""
    constraint: Any = words.constraint_input
    wanted = [
        InputField("title", str, "What to call it, 1 to 80 characters."),
        InputField("constraints", list[constraint], "What has to hold at the hit, besides.", ()),
        InputField("game", strawberry.ID, "The id of the game.", strawberry.ID("call-it")),
        InputField("target", int | None, "The target; left out, whoever plays calls it.", None),
    ]
    return make_input("CreateChallengeInput", "A challenge for others to play.", wanted)


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
    return make_input("PlayMoveInput", "A move at a table.", wanted)


def mutation_type(maker: TypeMaker, words: Vocabulary) -> Any:
    """The Mutation type of a schema."""
    CreateInput = create_table_input(maker, words)
    PlayInput = play_move_input(maker, words)

    ChallengeInput: Any = create_challenge_input(maker, words)

    def union(name: str, success: Any) -> Any:
        return own_union(words, name, success)

    @strawberry.type(description="What can be done.")
    class Mutation(lobby_mutations(words), AccountMutations):  # type: ignore[misc]
        """What can be done."""

        @strawberry.mutation(
            graphql_type=union("CreateTableResult", TableOpened),
            description="Open a table. It starts by itself when all its seats are taken at once.",
        )
        async def create_table(
            self,
            info: strawberry.Info,
            input: Annotated[CreateInput, _input("What to open it with.")],  # type: ignore[valid-type]
        ) -> Any:
            return await _create(words, info.context, input)

        @strawberry.mutation(
            graphql_type=union("PlayMoveResult", MovePlayed), description="Play a move of any game."
        )
        async def play_move(
            self,
            info: strawberry.Info,
            input: Annotated[PlayInput, _input("The move.")],  # type: ignore[valid-type]
        ) -> Any:
            return await _play(words, info.context, input)

        @strawberry.mutation(
            graphql_type=union("CreateChallengeResult", ChallengeCreated),
            description="Make a challenge; one that nobody can win is refused with the reason.",
        )
        async def create_challenge(
            self,
            info: strawberry.Info,
            input: Annotated[ChallengeInput, _input("The challenge.")],
        ) -> Any:
            return await _challenge(words, info.context, input)

    return Mutation


def _input(description: str) -> Any:
    return strawberry.argument(description=description)


async def _create(words: Vocabulary, context: RequestContext, given: Any) -> Any:
    """The open table, or why it is refused."""
    host = context.signed_in()
    shared = context.shared
    for attempt in range(_TRIES_FOR_A_CODE):
        try:
            opening = opening_of(shared.registry, host, given, _id_for(context, given))
            update = await shared.service.open(opening)
            break
        except Refusing as refusing:
            return words.refused(refusing.refusal)
        except OpeningRefused as refused:
            if refused.table_id == opening.id:
                return await _opened_before(words, context, opening)
            return words.refused(*await _refused(context, opening.mode, refused))
        except VersionTaken:
            return await _opened_before(words, context, opening)
        except CodeTaken:
            if attempt + 1 == _TRIES_FOR_A_CODE:
                raise
    node = UpdateNode(shared, update, host.id)
    return TableOpened(update=node, table=node.table)


async def _play(words: Vocabulary, context: RequestContext, given: Any) -> Any:
    """What the move led to, or why it is refused."""
    player = context.signed_in().id
    try:
        command, digest = command_of(context.shared.moves, given, player)
    except Refusing as refusing:
        node = await acting.seen(context, given.table_id)
        return words.refused(refusing.refusal, node)
    return await acting.carry_out(
        words,
        context,
        given.table_id,
        MovePlayed,
        command,
        key=given.idempotency_key,
        digest=digest,
        expected_version=given.expected_version,
    )


async def _challenge(words: Vocabulary, context: RequestContext, given: Any) -> Any:
    """The new challenge, or why it is refused."""
    author = context.signed_in()
    try:
        constraints = constraints_of(context.shared.registry, given.constraints)
    except Refusing as refusing:
        return words.refused(refusing.refusal)
    made = await context.shared.challenges.create(author, given.game, given.title, given.target, constraints)
    if isinstance(made, Refusal):
        return words.refused(made)
    node: Any = ChallengeNode(context.shared, made)
    return ChallengeCreated(challenge=node)


def _id_for(context: RequestContext, given: Any) -> str | None:
    """The id of a table that is opened under an idempotency key. Errors: Refusing."""
    key = given.idempotency_key
    if key is None:
        return None
    check_key(key)
    return context.shared.service.id_for(context.signed_in().id, key)


async def _opened_before(words: Vocabulary, context: RequestContext, opening: Opening) -> Any:
    """What the call was answered that opened a table under the same idempotency key."""
    service = context.shared.service
    async for update in service.updates(opening.id, 0, 1):
        if not opened_with(update.table, opening):
            message = "The idempotency key was already used to open another table."
            refusal = Refusal("KEY_REUSED", message, "idempotencyKey")
            return words.refused(refusal, TableNode(context.shared, update.table, context.player))
        node = UpdateNode(context.shared, update, context.player)
        return TableOpened(update=node, table=node.table)
    raise AssertionError("a table whose first version is taken has one")


async def _refused(
    context: RequestContext, mode: str, refused: OpeningRefused
) -> tuple[Refusal, TableNode | None]:
    """Why a mode refuses a table, with the table that has what this one wanted."""
    refusal = refused.refusal
    if refusal.field is not None:
        path = f"mode.{uncapitalised(context.shared.registry.mode(mode).graphql)}.{camel(refusal.field)}"
        refusal = Refusal(refusal.code, refusal.message, path)
    node = None if refused.table_id is None else await acting.seen(context, refused.table_id)
    return refusal, node
