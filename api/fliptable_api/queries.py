"""The queries."""

# mypy: disable-error-code="untyped-decorator"

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

import strawberry

from fliptable.ids import challenge_code, clean_code, kind_of
from fliptable.records import Board, Period
from fliptable_api import paging
from fliptable_api.cataloguetypes import Constraint, Game, Mode
from fliptable_api.challengenodes import ChallengeNode
from fliptable_api.context import RequestContext
from fliptable_api.errors import InvalidArgument
from fliptable_api.listing import TableFilter, page_of, table_of, where_of
from fliptable_api.recordqueries import challenges_page, records_page
from fliptable_api.recordqueries import daily as daily_of
from fliptable_api.recordtypes import Challenge, ChallengeConnection, Daily, RecordConnection
from fliptable_api.seatnodes import PlayerNode
from fliptable_api.tabletypes import Table, TableConnection
from fliptable_api.types import Node, Player

FIRST_GAME = strawberry.ID("call-it")
DAILY = strawberry.ID("daily")
"""What is meant where no game or mode of days is named."""


def _arg(description: str) -> Any:
    return strawberry.argument(description=description)


async def _node(context: RequestContext, id: str) -> Any:
    kind = kind_of(id)
    if kind == "player":
        account = await context.shared.accounts.find(id)
        return None if account is None else PlayerNode(account.id, account.name)
    if kind == "table":
        return await table_of(context, id)
    if (code := challenge_code(id)) is not None:
        made = await context.shared.challenges.find(code)
        return None if made is None else ChallengeNode(context.shared, made)
    return context.shared.catalogue.find(id)


async def _node_or_error(context: RequestContext, id: str) -> Any:
    """An entry of a list of nodes: in place of one that cannot be had, the error, which is its own alone."""
    try:
        return await _node(context, id)
    except Exception as error:
        return error


@strawberry.type(description="What can be looked up.")
class Query:
    """What can be looked up."""

    @strawberry.field(
        graphql_type=Node | None,
        description="Anything with an id: a table, a player, a challenge, a game, a mode or a constraint.",
    )
    async def node(self, info: strawberry.Info, id: Annotated[strawberry.ID, _arg("Its id.")]) -> Any:
        """The thing of that id, or nothing."""
        return await _node(info.context, id)

    @strawberry.field(
        graphql_type=list[Node | None],
        description="Several things with ids, in the order asked for. One that there is not is null, and so "
        "is one that the caller cannot have: `errors` says why, with its path.",
    )
    async def nodes(
        self,
        info: strawberry.Info,
        ids: Annotated[list[strawberry.ID], _arg("Their ids, at most 100.")],
    ) -> Any:
        """Those things; null for each that there is not."""
        if len(ids) > paging.MOST:
            raise InvalidArgument("ids", f"ids has {len(ids)} entries; {paging.MOST} are allowed.")
        return [await _node_or_error(info.context, id) for id in ids]

    @strawberry.field(graphql_type=Player | None, description="The caller; null when not signed in.")
    def me(self, info: strawberry.Info) -> Any:
        """Who is asking."""
        account = info.context.account
        return None if account is None else PlayerNode(account.id, account.name)

    @strawberry.field(
        description="The time by the server's clock, which all times of tables go by. Compare it with the "
        "clock of the device, and count down to `turnEndsAt` or `pausedUntil` with the difference."
    )
    def now(self, info: strawberry.Info) -> datetime:
        """The server's time."""
        now: datetime = info.context.shared.service.clock()
        return now

    @strawberry.field(graphql_type=list[Game], description="Every game that is loaded.")
    def games(self, info: strawberry.Info) -> Any:
        """The catalogue."""
        return list(info.context.shared.catalogue.games.values())

    @strawberry.field(graphql_type=Game | None, description="One game of the catalogue.")
    def game(self, info: strawberry.Info, id: Annotated[strawberry.ID, _arg("Its id.")]) -> Any:
        """The game of that id, or nothing."""
        return info.context.shared.catalogue.games.get(id)

    @strawberry.field(graphql_type=list[Mode], description="Every mode that is loaded.")
    def modes(self, info: strawberry.Info) -> Any:
        """The catalogue's modes."""
        return list(info.context.shared.catalogue.modes.values())

    @strawberry.field(graphql_type=Mode | None, description="One mode of the catalogue.")
    def mode(self, info: strawberry.Info, id: Annotated[strawberry.ID, _arg("Its id.")]) -> Any:
        """The mode of that id, or nothing."""
        return info.context.shared.catalogue.modes.get(id)

    @strawberry.field(
        graphql_type=list[Constraint],
        description="Every constraint that is loaded: what challenges can ask for besides winning.",
    )
    def constraints(self, info: strawberry.Info) -> Any:
        """The catalogue's constraints."""
        return list(info.context.shared.catalogue.constraints.values())

    @strawberry.field(graphql_type=Constraint | None, description="One constraint of the catalogue.")
    def constraint(self, info: strawberry.Info, id: Annotated[strawberry.ID, _arg("Its id.")]) -> Any:
        """The constraint of that id, or nothing."""
        return info.context.shared.catalogue.constraints.get(id)

    @strawberry.field(graphql_type=Table | None, description="A table by its id.")
    async def table(self, info: strawberry.Info, id: Annotated[strawberry.ID, _arg("Its id.")]) -> Any:
        """The table of that id, or nothing."""
        return await table_of(info.context, id)

    @strawberry.field(graphql_type=Table | None, description="A table by its short code.")
    async def table_by_code(
        self, info: strawberry.Info, code: Annotated[str, _arg("The code; case and spaces do not matter.")]
    ) -> Any:
        """The table of that code, or nothing."""
        table_id = await info.context.shared.service.find_code(clean_code(code))
        return None if table_id is None else await table_of(info.context, table_id)

    @strawberry.field(graphql_type=TableConnection, description="Public tables, the newest first.")
    async def tables(
        self,
        info: strawberry.Info,
        filter: Annotated[TableFilter | None, _arg("Which ones.")] = None,
        first: Annotated[int | None, _arg("How many, 1 to 100; 20 if left out.")] = None,
        after: Annotated[str | None, _arg("The cursor to go on from.")] = None,
        last: Annotated[int | None, _arg("How many from the end, 1 to 100, instead of `first`.")] = None,
        before: Annotated[str | None, _arg("The cursor to end before.")] = None,
    ) -> Any:
        """A page of the lobby, or of the caller's own tables."""
        context: RequestContext = info.context
        window = paging.window(first, after, last, before)
        return await page_of(context, where_of(context, filter), window)

    @strawberry.field(graphql_type=RecordConnection, description="The best players by a metric of a mode.")
    async def records(
        self,
        info: strawberry.Info,
        mode: Annotated[strawberry.ID, _arg("The id of the mode.")],
        metric: Annotated[strawberry.ID, _arg("The name of one of the mode's metrics.")],
        game: Annotated[strawberry.ID, _arg("The id of the game.")] = FIRST_GAME,
        period: Annotated[Period, _arg("The span of time.")] = Period.ALL_TIME,
        scope: Annotated[
            str | None,
            _arg(
                "A date of the daily, the code of a challenge, or lives other than 3, like 9-lives; "
                "where nobody has played, also for want of such a challenge, the list is empty. "
                "Null, like an empty text, is none: the list of modes that need no scope."
            ),
        ] = None,
        first: Annotated[int | None, _arg("How many, 1 to 100; 20 if left out.")] = None,
        after: Annotated[str | None, _arg("The cursor to go on from.")] = None,
        last: Annotated[int | None, _arg("How many from the end, 1 to 100, instead of `first`.")] = None,
        before: Annotated[str | None, _arg("The cursor to end before.")] = None,
    ) -> Any:
        """A page of a list of records."""
        window = paging.window(first, after, last, before)
        return await records_page(info.context, Board(game, mode, metric, scope or ""), period, window)

    @strawberry.field(
        graphql_type=Daily, description="What everybody plays on a UTC date, today's if left out."
    )
    async def daily(
        self,
        info: strawberry.Info,
        date: Annotated[str | None, _arg("A date that has come, like 2030-01-31.")] = None,
        game: Annotated[strawberry.ID, _arg("The id of the game.")] = FIRST_GAME,
        mode: Annotated[strawberry.ID, _arg("The id of the mode.")] = DAILY,
    ) -> Any:
        """The day."""
        return await daily_of(info.context, game, mode, date)

    @strawberry.field(graphql_type=Challenge | None, description="A challenge by its short code.")
    async def challenge(
        self, info: strawberry.Info, code: Annotated[str, _arg("The code; case and spaces do not matter.")]
    ) -> Any:
        """The challenge of that code, or nothing."""
        made = await info.context.shared.challenges.find(code)
        return None if made is None else ChallengeNode(info.context.shared, made)

    @strawberry.field(
        graphql_type=ChallengeConnection,
        description="The challenges that the caller made, the newest first.",
    )
    async def my_challenges(
        self,
        info: strawberry.Info,
        first: Annotated[int | None, _arg("How many, 1 to 100; 20 if left out.")] = None,
        after: Annotated[str | None, _arg("The cursor to go on from.")] = None,
        last: Annotated[int | None, _arg("How many from the end, 1 to 100, instead of `first`.")] = None,
        before: Annotated[str | None, _arg("The cursor to end before.")] = None,
    ) -> Any:
        """A page of the caller's own challenges."""
        return await challenges_page(info.context, paging.window(first, after, last, before))
