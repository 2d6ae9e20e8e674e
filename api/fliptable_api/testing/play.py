"""Playing at a table over HTTP as a client does that knows nothing of the game."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from fliptable import Game, Mode
from fliptable_api.cli.choosing import ByLot
from fliptable_api.cli.shapes import Shapes
from fliptable_api.cli.tokens import SIGN_IN
from fliptable_api.client import Client, ServerError
from fliptable_api.context import TypeNames
from fliptable_api.naming import camel, uncapitalised
from fliptable_api.testing.told import ApiBroken

_CREATE = """mutation ($i: CreateTableInput!) { createTable(input: $i) {
  __typename ... on TableOpened { table { id } } ... on Refusal { code message field } } }"""
_CHALLENGE = """mutation ($i: CreateChallengeInput!) { createChallenge(input: $i) {
  __typename ... on ChallengeCreated { challenge { code } } ... on Refusal { code message field } } }"""
_PLAY = """mutation ($i: PlayMoveInput!) { playMove(input: $i) {
  __typename ... on MovePlayed { update { version } } ... on Refusal { code message field } } }"""
_LOOK = """id status legalMoves { seat name label input fields {
  name path type min max choices list minItems maxItems } }"""
_PAGE = 100


@dataclass
class PlayedTable:
    """One table that is played over the API."""

    plugin: str
    game: Game[Any, Any]
    mode: Mode[Any]
    seats: int
    seed: int
    most_moves: int
    place: int = 0
    """Which of the tables it is."""

    _token: str = ""
    _id: str = ""

    async def play(self, address: str) -> None:
        """Open it and play it by lot. Errors: AssertionError."""
        async with Client(address) as client:
            signed_in = await client.ask(SIGN_IN, name="Ann")
            client.token = self._token = signed_in["signInAsGuest"]["token"]
            opening = await self._opening(client)
            opened = (await self._ask(client, "opening a table", _CREATE, i=opening))["createTable"]
            if opened["__typename"] != "TableOpened":
                raise self._broken(f"opening a table with {opening} is refused: {opened['message']}")
            self._id = opened["table"]["id"]
            await self._moves(client, self._id)

    async def ask_all(self, address: str, names: TypeNames) -> None:
        """Ask for everything that there is, as far as a client may ask at once. Errors: AssertionError.

        ``names`` are those of the types of events, rounds and runs.
        """
        async with Client(address, self._token) as client:
            shapes = await Shapes.ask(client)
            for part, name in (("round", names.rounds[self.game.id]), ("run", names.runs[self.mode.id])):
                chosen = shapes.selection(name, frozenset())
                await self._ask_for(client, name, f"{part} {{ ... on {name} {{ {chosen} }} }}")
            for kind in (*self.game.events, *self.mode.events):
                name = names.events[kind]
                chosen = f"events {{ text ... on {name} {{ {shapes.selection(name, frozenset())} }} }}"
                await self._ask_for(client, name, f"updates(first: {_PAGE}) {{ nodes {{ {chosen} }} }}")

    async def _ask_for(self, client: Client, name: str, chosen: str) -> None:
        document = f"query ($t: ID!) {{ table(id: $t) {{ {chosen} }} }}"
        await self._ask(client, f"all of {name}", document, t=self._id)

    async def _opening(self, client: Client) -> dict[str, Any]:
        return {
            "game": {uncapitalised(self.game.graphql): {}},
            "mode": {uncapitalised(self.mode.graphql): await self._mode_options(client)},
            "seats": self.seats,
            "localSeats": [f"Seat {seat}" for seat in range(2, self.seats + 1)],
        }

    async def _mode_options(self, client: Client) -> dict[str, Any]:
        """The options of the mode: none, but for a mode of challenges that of a new one."""
        if type(self.mode).challenge is Mode.challenge:
            return {}
        made = {"title": "Tested", "game": self.game.id}
        answer = (await self._ask(client, "making a challenge", _CHALLENGE, i=made))["createChallenge"]
        if answer["__typename"] != "ChallengeCreated":
            raise self._broken(f"making a challenge with {made} is refused: {answer['message']}")
        code = answer["challenge"]["code"]
        for field in fields(self.mode.Options):
            try:
                options = self.mode.Options(**{field.name: code})
            except (TypeError, ValueError):
                continue
            if self.mode.challenge(options) == code:
                return {camel(field.name): code}
        raise self._broken(f"challenge() gives the code {code} for no option that has it")

    async def _moves(self, client: Client, table: str) -> None:
        chooser = ByLot(self.seed)
        look = f"query ($t: ID!) {{ table(id: $t) {{ {_LOOK} }} }}"
        for _ in range(self.most_moves):
            seen = (await self._ask(client, "the legal moves", look, t=table))["table"]
            if seen["status"] == "OVER" or not seen["legalMoves"]:
                return
            choice = await chooser.choose(seen["legalMoves"], ())
            assert choice is not None
            sent = {"tableId": table, "move": choice.input, "seat": choice.seat}
            told = (await self._ask(client, f"the move {choice.input}", _PLAY, i=sent))["playMove"]
            if told["__typename"] != "MovePlayed":
                raise self._broken(
                    f"the legal move {choice.input} of seat {choice.seat} is refused when it is sent: "
                    f"{told['code']}: {told['message']}"
                )

    async def _ask(self, client: Client, what: str, document: str, **variables: Any) -> dict[str, Any]:
        try:
            return await client.ask(document, **variables)
        except ServerError as error:
            raise self._broken(f"{what} cannot be had: {error} (the log has more)") from None

    def _broken(self, complaint: str) -> ApiBroken:
        where = f"{self.game.id} in mode {self.mode.id}, {self.seats} seats, seed {self.seed}"
        told = f"plugin {self.plugin!r} breaks the law 'api': {complaint}\nwith {where}"
        # Which seats there are goes by the place of the seed.
        seeds = [self.seed] * self.place + [self.seed]
        return ApiBroken(told, seeds=seeds, most_moves=self.most_moves)
