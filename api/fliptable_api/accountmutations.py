"""The mutations about who somebody is: signing in, another token, signing out."""

# mypy: disable-error-code="untyped-decorator"

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

import strawberry

from fliptable.accounts import Granted
from fliptable_api.context import RequestContext
from fliptable_api.seatnodes import PlayerNode
from fliptable_api.types import Player


@strawberry.type(description="A new player and their token.")
class SignInAsGuestPayload:
    """A new player and their token."""

    player: Player = strawberry.field(description="The player.")
    token: str = strawberry.field(description="The bearer token; it is never shown again, so keep it.")
    expires_at: datetime | None = strawberry.field(
        description="Until when the token is good: have another one by then, with renewToken. "
        "Null when it is good for ever."
    )


@strawberry.type(description="A further token of the caller.")
class RenewTokenPayload:
    """A further token of the caller."""

    player: Player = strawberry.field(description="The caller, who is the same player as before.")
    token: str = strawberry.field(description="The new token; it is never shown again, so keep it.")
    expires_at: datetime | None = strawberry.field(
        description="Until when the new token is good; null when it is for ever."
    )


@strawberry.type(description="The caller's token is good no more.")
class SignOutPayload:
    """The caller's token is good no more."""

    player: Player = strawberry.field(description="Who has signed out.")


@strawberry.input(description="Who signs in.")
class SignInAsGuestInput:
    """Who signs in."""

    name: str = strawberry.field(description="What to be called, 1 to 40 characters of any script.")


@strawberry.type
class AccountMutations:
    """The mutations about who somebody is."""

    @strawberry.mutation(
        description="Become a player: a guest with a name and a token. A name that is not allowed is the "
        "error INVALID_ARGUMENT, and nothing is answered besides."
    )
    async def sign_in_as_guest(
        self,
        info: strawberry.Info,
        input: Annotated[SignInAsGuestInput, strawberry.argument(description="Who signs in.")],
    ) -> SignInAsGuestPayload:
        """A new player."""
        context: RequestContext = info.context
        return SignInAsGuestPayload(**_told(await context.shared.accounts.sign_in_as_guest(input.name)))

    @strawberry.mutation(
        description="Get another token for the same player, with their tables and records. The token that "
        "this is sent with stays good until its own end, so that nothing is lost with a lost answer."
    )
    async def renew_token(self, info: strawberry.Info) -> RenewTokenPayload:
        """Another token."""
        context: RequestContext = info.context
        return RenewTokenPayload(**_told(await context.shared.accounts.renew(context.signed_in())))

    @strawberry.mutation(
        description="End the token that this is sent with, at once. What was opened with it is closed: "
        "WebSockets with 4403. Other tokens of the player stay good; after the last one nobody can be "
        "that player again."
    )
    async def sign_out(self, info: strawberry.Info) -> SignOutPayload:
        """The end of a token."""
        context: RequestContext = info.context
        account = context.signed_in()
        assert context.token is not None
        await context.shared.accounts.sign_out(context.token)
        # What the same operation asks for besides is asked by nobody.
        context.account = context.token = None
        player: Any = PlayerNode(account.id, account.name)
        return SignOutPayload(player=player)


def _told(granted: Granted) -> dict[str, Any]:
    player = PlayerNode(granted.account.id, granted.account.name)
    return {"player": player, "token": granted.token, "expires_at": granted.expires_at}
