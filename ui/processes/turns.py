"""Who comes next: there are so many seats for long work, which visitors take by turns, and for runs of pages.

A visitor who asks for ten things doesn't stand before one who asks for a single thing: from each visitor one piece
of work goes first, then from each the second, and so on. Runs of pages go by age.
"""

import heapq
import threading
import time
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count, zip_longest


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


class Gate:
    """A few runs of pages at a time, the oldest first; safe with threads.

    One interpreter that draws fifty pages by turns ends all of them at the end, and loses time with switching.
    Here each is ready as soon as it can be. A run gives its seat away while it waits for work (``outside``), comes
    back before all younger ones, and keeps others out for ``seconds`` at most.
    """

    def __init__(self, seats: int = 1, seconds: float = 0.5) -> None:
        """Nobody is inside."""
        self._seats = seats
        self._seconds = seconds
        self._inside: dict[int, float] = {}
        """The runs that keep others out, by number, and until when."""
        self._waiting: list[tuple[int, threading.Event]] = []
        """A heap: a smaller number is an older run."""
        self._numbers = count()
        self._lock = threading.Lock()
        self._own = threading.local()

    @contextmanager
    def inside(self) -> Iterator[None]:
        """A run of a page, in the thread that runs it."""
        self._own.number = next(self._numbers)
        self._enter(self._own.number)
        try:
            yield
        finally:
            self._leave(self._own.number)
            del self._own.number

    @contextmanager
    def outside(self) -> Iterator[None]:
        """While the run of this thread waits for something; nothing for a thread that isn't inside."""
        number = getattr(self._own, "number", None)
        if number is None:
            yield
            return
        self._leave(number)
        try:
            yield
        finally:
            self._enter(number)

    def _enter(self, number: int) -> None:
        seated = threading.Event()
        with self._lock:
            heapq.heappush(self._waiting, (number, seated))
            self._seat()
        while not seated.wait(self._seconds):
            with self._lock:
                self._seat()

    def _leave(self, number: int) -> None:
        with self._lock:
            self._inside.pop(number, None)
            self._seat()

    def _seat(self) -> None:
        now = time.monotonic()
        self._inside = {number: until for number, until in self._inside.items() if until > now}
        while self._waiting and len(self._inside) < self._seats:
            number, seated = heapq.heappop(self._waiting)
            self._inside[number] = now + self._seconds
            seated.set()
