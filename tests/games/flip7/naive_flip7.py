"""Flip 7 a second time, as plainly as the rule sheet has it: a program that plays one round.

It shares no code with the game. ``choose(kind, seat, options)`` makes the decisions; ``shuffle``
gives the order of a discard pile. Cards are codes. Nothing here is quick.
"""

from __future__ import annotations

from collections.abc import Callable

ACTIONS = ("FREEZE", "FLIP3", "CHANCE")


class SevenFlipped(Exception):
    """Somebody has seven different numbers: the round ends for all (F23)."""


class Player:
    """Who sits at the table, with the cards in front of them."""

    def __init__(self) -> None:
        self.numbers: list[int] = []
        self.modifiers: list[str] = []
        self.chance = False
        self.frozen_card = False
        self.bust_card: int | None = None
        self.status = "ACTIVE"
        self.flipped_before_deal = False

    @property
    def empty(self) -> bool:
        return not self.numbers and not self.modifiers and not self.chance

    def score(self) -> int:
        if self.status == "BUST":
            return 0
        total = sum(self.numbers) * (2 if "x2" in self.modifiers else 1)
        total += sum(int(code) for code in self.modifiers if code != "x2")
        return total + (15 if len(self.numbers) == 7 else 0)


class NaiveRound:
    """One round from its deal to its end."""

    def __init__(
        self,
        seats: int,
        dealer: int,
        hosted: bool,
        pile: list[str],
        discard: list[str],
        choose: Callable[[str, int, list], object],
        shuffle: Callable[[list[str]], list[str]],
    ) -> None:
        self.players = [Player() for _ in range(seats)]
        self.dealer, self.hosted = dealer, hosted
        self.pile, self.discard = list(pile), list(discard)
        self.choose, self.shuffle = choose, shuffle
        self.waiting: list[tuple[str, int, int]] = []

    def active(self) -> list[int]:
        return [seat for seat, player in enumerate(self.players) if player.status == "ACTIVE"]

    def from_left(self, seat: int) -> list[int]:
        """All seats clockwise, beginning with the one to the left of ``seat``."""
        n = len(self.players)
        return [(seat + step) % n for step in range(1, n + 1)]

    def play(self) -> None:
        """The whole round."""
        try:
            if not self.hosted:
                self.deal()
            turn = self.dealer
            while self.active():
                turn = next(seat for seat in self.from_left(turn) if self.players[seat].status == "ACTIVE")
                self.turn(turn)
        except SevenFlipped:
            for player in self.players:
                if player.status == "ACTIVE":
                    player.status = "STAYED"
            self.discard += [card for card, _, _ in self.waiting]

    def deal(self) -> None:
        for seat in self.from_left(self.dealer):
            player = self.players[seat]
            if player.status != "ACTIVE":
                continue
            if player.flipped_before_deal:
                options = ["hit"] if player.empty else ["hit", "stay"]
                if self.choose("optional", seat, options) == "stay":
                    player.status = "STAYED"
                    continue
            player.flipped_before_deal = False
            self.dealt = seat
            self.take(seat)
            self.resolve()

    def turn(self, seat: int) -> None:
        player = self.players[seat]
        options = ["hit"] if player.empty and not self.hosted else ["hit", "stay"]
        if self.choose("turn", seat, options) == "stay":
            player.status = "STAYED"
            return
        self.take(seat)
        self.resolve()

    def draw(self) -> str | None:
        if all(card in ACTIONS for card in self.pile + self.discard):
            return None
        if not self.pile:
            self.pile, self.discard = self.shuffle(self.discard), []
        return self.pile.pop(0)

    def take(self, seat: int) -> None:
        """A card outside of any Flip Three: dealt or hit."""
        card = self.draw()
        if card is None:
            self.players[seat].status = "STAYED"
        elif card == "CHANCE":
            self.chance_at_once(seat)
        elif card in ACTIONS:
            self.assign(seat, card, self.active())
        else:
            self.lay(seat, card)

    def lay(self, seat: int, card: str) -> None:
        """A number or a modifier comes into a line (F9, F19, F23)."""
        player = self.players[seat]
        if card.startswith("+") or card == "x2":
            player.modifiers.append(card)
        elif int(card) not in player.numbers:
            player.numbers.append(int(card))
            if len(player.numbers) == 7:
                player.status = "FLIP_SEVEN"
                raise SevenFlipped
        elif player.chance:
            player.chance = False
            self.discard += [card, "CHANCE"]
        else:
            player.bust_card = int(card)
            player.status = "BUST"

    def chance_at_once(self, seat: int) -> None:
        """F16 and F17."""
        if not self.players[seat].chance:
            self.players[seat].chance = True
            return
        to = self.pick("CHANCE", seat, [one for one in self.active() if not self.players[one].chance])
        if to is None:
            self.discard.append("CHANCE")
        else:
            self.players[to].chance = True

    def pick(self, card: str, seat: int, options: list[int]) -> int | None:
        """Who gets a card: nobody, the only one possible (F21), or whom the seat says."""
        if len(options) < 2:
            return options[0] if options else None
        return self.choose(card, seat, options)

    def assign(self, seat: int, card: str, options: list[int]) -> int | None:
        to = self.pick(card, seat, options)
        if to is None:
            self.discard.append(card)
        else:
            self.waiting.append((card, seat, to))
        return to

    def resolve(self) -> None:
        """First in, first out (F13)."""
        while self.waiting:
            card, _, to = self.waiting.pop(0)
            player = self.players[to]
            if player.status != "ACTIVE":
                self.discard.append(card)
            elif card == "FREEZE":
                player.status = "FROZEN"
                if self.hosted:
                    self.discard.append(card)
                else:
                    player.frozen_card = True
            elif card == "FLIP3":
                self.flip_three(to)
            elif player.chance:
                self.discard.append(card)
            else:
                player.chance = True

    def flip_three(self, seat: int) -> None:
        player = self.players[seat]
        if self.in_the_deal_and_not_dealt(seat):
            player.flipped_before_deal = True
        aside: list[str] = []
        try:
            for _ in range(3):
                card = self.draw()
                if card is None:
                    break
                if card == "CHANCE" and not self.hosted:
                    self.chance_at_once(seat)
                elif card in ACTIONS:
                    aside.append(card)
                else:
                    self.lay(seat, card)
                if player.status != "ACTIVE":
                    break
        except SevenFlipped:
            self.discard += [*aside, "FLIP3"]
            raise
        if player.status == "BUST":
            if self.hosted:
                self.discard += [card for card in aside if card == "CHANCE"]
                aside = [card for card in aside if card != "CHANCE"]
            else:
                self.discard += aside
                aside = []
        promised: list[int] = []
        for card in aside:
            if card != "CHANCE":
                self.assign(seat, card, self.active())
                continue
            free = [s for s in self.active() if not self.players[s].chance and s not in promised]
            to = self.assign(seat, card, [seat] if seat in free else free)
            if to is not None:
                promised.append(to)
        self.discard.append("FLIP3")

    dealt: int | None = None

    def in_the_deal_and_not_dealt(self, seat: int) -> bool:
        if self.hosted or self.dealt is None:
            return False
        order = self.from_left(self.dealer)
        return order.index(seat) > order.index(self.dealt)
