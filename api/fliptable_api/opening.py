"""Opening a table: from what a client asks for to what the core opens."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from fliptable import Game, Mode, Refusal
from fliptable.accounts import InvalidName, clean_name
from fliptable.blame import asking
from fliptable.house import HouseRules, Visibility
from fliptable.ids import new_code, new_id
from fliptable.log import Account
from fliptable.modes import seat_counts
from fliptable.opening import Opening
from fliptable.plugins import Registry
from fliptable_api.naming import camel, sentence, uncapitalised, why_not
from fliptable_api.values import only, value_of


class Refusing(Exception):
    """What was asked for is refused."""

    def __init__(self, code: str, message: str, field: str | None = None) -> None:
        """See :class:`fliptable.Refusal`."""
        super().__init__(message)
        self.refusal = Refusal(code, message, field)


def opening_of(registry: Registry, host: Account, given: Any, table_id: str | None = None) -> Opening:
    """What a CreateTableInput opens. Errors: Refusing names the field and what would be right."""
    game, game_options = _choice(registry.games.values(), given.game, "game")
    assert isinstance(game, Game)
    if given.mode is None:
        mode: Mode[Any] = registry.mode(game.default_mode)
        with asking("mode", mode):
            mode_options: Any = mode.Options()
    else:
        mode, mode_options = _choice(registry.modes.values(), given.mode, "mode")
    if mode not in registry.modes_for(game):
        fitting = ", ".join(one.id for one in registry.modes_for(game))
        message = f"{game.name} cannot be played in the mode {mode.id}; it can in: {fitting}."
        raise Refusing("MODE_NOT_SUPPORTED", message, "mode")
    local = tuple(_seat_name(index, name) for index, name in enumerate(given.local_seats or ()))
    seats = _seats(game, mode, given.seats, local)
    _tell_apart(local)
    try:
        with asking("game", game):
            game.check(game_options, seats)
    except ValueError as error:
        raise _invalid(error, f"game.{uncapitalised(game.graphql)}") from None
    return Opening(
        id=table_id or new_id("table"),
        code=new_code(),
        secret=secrets.token_bytes(32),
        game=game.id,
        mode=mode.id,
        game_options=game_options,
        mode_options=mode_options,
        seats=seats,
        local_seats=local,
        visibility=given.visibility or Visibility.UNLISTED,
        host=host.id,
        host_name=host.name,
        house=_house(given.house),
        host_plays=given.host_plays,
    )


def constraints_of(registry: Registry, given: Any) -> list[tuple[str, Any]]:
    """Constraints by id with their options. Errors: Refusing names the field."""
    found = []
    for index, one in enumerate(given):
        constraint, options = _choice(registry.constraints.values(), one, f"constraints.{index}")
        found.append((constraint.id, options))
    return found


def _house(given: Any) -> HouseRules:
    if given is None:
        return HouseRules()
    try:
        house: HouseRules = value_of(given, HouseRules)
        return house
    except ValueError as error:
        raise _invalid(error, "house") from None


def _choice(parts: Any, given: Any, field: str) -> tuple[Any, Any]:
    """The plugin that a @oneOf input chooses, with its options."""
    key, options = only(given)
    part = next((part for part in parts if uncapitalised(part.graphql) == key), None)
    if part is None:
        raise Refusing("INVALID_VALUE", "No plugin that is loaded brings any.", f"{field}.{key}")
    try:
        with asking(field.partition(".")[0].removesuffix("s"), part):
            return part, value_of(options, part.Options)
    except ValueError as error:
        raise _invalid(error, f"{field}.{key}") from None


def _invalid(error: ValueError, path: str) -> Refusing:
    """The refusal of an option: plugins raise ValueError("option: why")."""
    name, _, why = str(error).partition(": ")
    if not why:
        return Refusing("INVALID_VALUE", sentence(str(error)), path)
    return Refusing("INVALID_VALUE", why_not(name, why), f"{path}.{camel(name)}")


def _seat_name(index: int, name: str) -> str:
    try:
        return clean_name(name)
    except InvalidName as error:
        raise Refusing("INVALID_VALUE", sentence(str(error)), f"localSeats.{index}") from None


def _tell_apart(names: Sequence[str]) -> None:
    """Whoever runs the table asks by name. Errors: Refusing when two local seats have the same."""
    taken: set[str] = set()
    for index, name in enumerate(names):
        if name.casefold() in taken:
            message = (
                f"Another local seat is called {name} already; each needs a name of its own to be asked by."
            )
            raise Refusing("INVALID_VALUE", message, f"localSeats.{index}")
        taken.add(name.casefold())


def _seats(game: Game[Any, Any], mode: Mode[Any], wanted: int | None, local: Sequence[str]) -> int:
    """How many seats the table gets: as asked, else one for each local seat, else as few as can be."""
    allowed = seat_counts(game, mode)
    seats = wanted if wanted is not None else len(local) or allowed[0]
    if seats not in allowed:
        message = f"{game.name} in the mode {mode.id} is for {_span(allowed)}, not for {seats}."
        raise Refusing("INVALID_VALUE", message, "seats" if wanted is not None or not local else "localSeats")
    if len(local) > seats:
        names = "1 local seat" if len(local) == 1 else f"{len(local)} local seats"
        message = f"The table has {_span([seats])}, too few for {names}."
        raise Refusing("INVALID_VALUE", message, "localSeats")
    return seats


def _span(allowed: Sequence[int]) -> str:
    """Numbers of seats, for example ``2 to 4 seats``."""
    if list(allowed) == [1]:
        return "1 seat"
    if allowed == list(range(allowed[0], allowed[-1] + 1)) and len(allowed) > 1:
        return f"{allowed[0]} to {allowed[-1]} seats"
    return " or ".join(map(str, allowed)) + " seats"
