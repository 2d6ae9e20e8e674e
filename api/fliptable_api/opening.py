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
    seats = _seats(game, mode, given.seats, len(local), given.host_plays is True)
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
        # Left out, the host takes a seat where one is left for them.
        host_plays=given.host_plays is not False,
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


def _seats(game: Game[Any, Any], mode: Mode[Any], wanted: int | None, local: int, host: bool) -> int:
    """How many seats the table gets: as asked, else as few as can be with all that have to have one.

    ``local`` is how many seats are local; ``host`` says that the host is to have one besides.
    Errors: Refusing says what to give instead.
    """
    allowed = seat_counts(game, mode)
    needed = local + host
    fitting = next((count for count in allowed if count >= needed), None)
    if wanted is None and fitting is not None:
        return fitting
    of_both = f"{game.name} in the mode {mode.id} is for {_span(allowed)}"
    if wanted is not None and wanted not in allowed:
        raise Refusing("INVALID_VALUE", f"{of_both}, not for {wanted}.", "seats")
    if wanted is not None and wanted >= needed:
        return wanted
    names = "" if not local else "1 local seat" if local == 1 else f"{local} local seats"
    people = " and ".join(filter(None, (names, "the host" if host else "")))
    has = of_both if wanted is None else f"The table has {_span([wanted])}"
    without = host and local <= (allowed[-1] if wanted is None else wanted)
    ways = [] if fitting is None else [f"give {fitting} as seats, or leave it out"]
    ways.append("leave hostPlays out, and the host has no seat" if without else "name fewer local seats")
    message = f"{has}, too few for {people}: {'; or '.join(ways)}."
    raise Refusing("INVALID_VALUE", message, "hostPlays" if without else "localSeats")


def _span(allowed: Sequence[int]) -> str:
    """Numbers of seats, for example ``2 to 4 seats``."""
    if list(allowed) == [1]:
        return "1 seat"
    if allowed == list(range(allowed[0], allowed[-1] + 1)) and len(allowed) > 1:
        return f"{allowed[0]} to {allowed[-1]} seats"
    return " or ".join(map(str, allowed)) + " seats"
