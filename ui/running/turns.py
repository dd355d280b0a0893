"""Who works next: there are so many seats for long work, and visitors take turns on them.

A visitor who asks for ten things doesn't stand before one who asks for a single thing: from each visitor one piece
of work goes first, then from each the second, and so on.
"""

import threading
from collections.abc import Hashable
from dataclasses import dataclass, field
from itertools import zip_longest


@dataclass(frozen=True, eq=False)
class Ticket:
    """Somebody's place in the queue, and then on a seat; ``wait`` for that."""

    visitor: Hashable
    long: bool
    _seated: threading.Event = field(default_factory=threading.Event)

    def wait(self, seconds: float) -> bool:
        """Wait at most so long; tells whether it has a seat."""
        return self._seated.wait(seconds)

    def seat(self) -> None:
        """Let it have a seat."""
        self._seated.set()


class Turns:
    """The queue; safe with threads, and itself without any."""

    def __init__(self, seats: int) -> None:
        """So many may work at once; long work never takes the last of several, so that short work goes on."""
        self._seats = seats
        self._waiting: dict[Hashable, list[Ticket]] = {}
        """In the order of whose turn it is; who got a seat goes to the end."""
        self._seated: list[Ticket] = []
        self._lock = threading.Lock()

    def ask(self, visitor: Hashable, *, long: bool = False) -> Ticket:
        """Stand in the queue. ``long``: it may take many minutes."""
        ticket = Ticket(visitor, long)
        with self._lock:
            self._waiting.setdefault(visitor, []).append(ticket)
            self._seat()
        return ticket

    def before(self, ticket: Ticket) -> int | None:
        """How many come first, while it has no seat."""
        with self._lock:
            return 0 if ticket in self._seated else self._order().index(ticket)

    def leave(self, ticket: Ticket) -> None:
        """Give the seat, or the place in the queue, to the others."""
        with self._lock:
            if ticket in self._seated:
                self._seated.remove(ticket)
            else:
                self._withdraw(ticket)
            self._seat()

    def _order(self) -> list[Ticket]:
        rounds = zip_longest(*self._waiting.values())
        return [ticket for each in rounds for ticket in each if ticket is not None]

    def _seat(self) -> None:
        for ticket in self._order():
            free = self._seats - len(self._seated)
            long = sum(each.long for each in self._seated)
            if free and not (ticket.long and long >= max(1, self._seats - 1)):
                self._seated.append(ticket)
                ticket.seat()
                self._withdraw(ticket)
                if others := self._waiting.pop(ticket.visitor, None):
                    self._waiting[ticket.visitor] = others

    def _withdraw(self, ticket: Ticket) -> None:
        tickets = self._waiting[ticket.visitor]
        tickets.remove(ticket)
        if not tickets:
            del self._waiting[ticket.visitor]
