"""What resolvers get: the server's shared parts, and who is asking."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fliptable.accounts import Accounts, SignedIn
from fliptable.challengebook import ChallengeBook
from fliptable.log import Account
from fliptable.plugins import Registry
from fliptable.service import TableService
from fliptable.tokens import Token
from fliptable_api.catalogue import CatalogueNodes
from fliptable_api.errors import TOKEN_UNKNOWN, CodedError
from fliptable_api.moves import Moves


@dataclass(frozen=True, slots=True)
class TypeNames:
    """The GraphQL type names of events, by class, and of rounds and runs, by plugin id."""

    events: Mapping[type, str]
    rounds: Mapping[str, str]
    runs: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Shared:
    """What all requests of a server share."""

    registry: Registry
    service: TableService
    accounts: Accounts
    catalogue: CatalogueNodes
    moves: Moves
    names: TypeNames
    challenges: ChallengeBook


class RequestContext:
    """One request, or one WebSocket with all its operations."""

    __slots__ = ("account", "asks_cost", "connection_params", "request", "response", "shared", "token")

    def __init__(
        self,
        shared: Shared,
        account: Account | None,
        request: Any,
        response: Any,
        token: Token | None = None,
    ) -> None:
        """``account`` is who the token belongs to; None without a token."""
        self.shared = shared
        self.account = account
        self.request = request
        self.response = response
        self.token = token
        self.connection_params: Any = None
        self.asks_cost = False

    @property
    def player(self) -> str | None:
        """The id of whoever is asking; None for somebody who is not signed in."""
        return None if self.account is None else self.account.id

    def signed_in(self) -> Account:
        """Whoever is asking. Errors: CodedError when nobody is signed in."""
        if self.account is None:
            raise CodedError(
                "UNAUTHENTICATED",
                "This needs a player: sign in with signInAsGuest and send the token as "
                "`Authorization: Bearer TOKEN`.",
            )
        return self.account


def is_none(authorization: object) -> bool:
    """Whether an Authorization value says nothing of anybody."""
    return authorization is None or (isinstance(authorization, str) and not authorization.strip())


async def signed_in_by(accounts: Accounts, authorization: object) -> SignedIn | None:
    """The player of an Authorization value, and the token in it; None when there is none, or an empty one.

    Errors: CodedError when the value is not a known bearer token, TokenExpired, Unavailable.
    """
    if is_none(authorization):
        return None
    if not isinstance(authorization, str):
        raise CodedError("UNAUTHENTICATED", "authorization has to be a string, `Bearer TOKEN`.")
    scheme, _, token = authorization.strip().partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise CodedError("UNAUTHENTICATED", "Authorization has to be `Bearer TOKEN`.")
    found = await accounts.find_token(token.strip())
    if found is None:
        raise CodedError("UNAUTHENTICATED", TOKEN_UNKNOWN)
    return found
