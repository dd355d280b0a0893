"""The queue for long work: visitors take turns, whoever has asked how often."""

import threading
from contextlib import suppress

from ui.processes.turns import Gate, Turns


def seated(tickets):
    return [name for name, ticket in tickets.items() if ticket.wait(0)]


def place(turns, ticket):
    """How many come first; None on a seat."""
    return None if ticket.wait(0) else turns.before(ticket)


def test_everybody_gets_a_seat_while_there_are_some():
    turns = Turns(2)
    tickets = {name: turns.ask(name) for name in "ab"}
    assert seated(tickets) == ["a", "b"]


def test_visitors_take_turns_however_much_one_has_asked_for():
    turns = Turns(1)
    tickets = {name: turns.ask(name[0]) for name in ("a1", "a2", "a3", "a4", "b1", "b2", "c1")}
    # b and c stand before what a has asked for beside its first.
    order = ["a1", "a2", "b1", "c1", "a3", "b2", "a4"]
    assert [place(turns, tickets[name]) for name in order] == [None, 0, 1, 2, 3, 4, 5]
    done = []
    while tickets:
        (now,) = seated(tickets)
        done.append(now)
        turns.leave(tickets.pop(now))
    assert done == order


def test_who_comes_later_stands_before_the_second_wish_of_others():
    turns = Turns(1)
    first = turns.ask("a")
    tickets = [turns.ask("b") for _ in range(3)]
    late = turns.ask("c")
    assert [place(turns, each) for each in (*tickets, late)] == [0, 2, 3, 1]
    turns.leave(first)  # b works, and c is next
    assert [place(turns, each) for each in (*tickets, late)] == [None, 1, 2, 0]


def test_who_gives_up_makes_room_in_the_queue_and_on_the_seat():
    turns = Turns(1)
    first, second, third = (turns.ask(name) for name in "abc")
    assert place(turns, third) == 1
    turns.leave(second)
    assert place(turns, third) == 0
    turns.leave(first)
    assert place(turns, third) is None


def test_long_work_leaves_a_seat_to_short_work():
    turns = Turns(3)
    tickets = {name: turns.ask(name, long=name.startswith("long")) for name in ("long1", "long2", "long3")}
    assert seated(tickets) == ["long1", "long2"]
    tickets["short"] = turns.ask("short")
    assert seated(tickets) == ["long1", "long2", "short"]
    turns.leave(tickets.pop("long1"))
    assert seated(tickets) == ["long2", "long3", "short"]


def test_on_a_single_seat_long_work_has_its_turn_too():
    turns = Turns(1)
    first = turns.ask("a", long=True)
    assert place(turns, first) is None
    second = turns.ask("b", long=True)
    turns.leave(first)
    assert place(turns, second) is None


class Run:
    """A run of a page in a thread: comes in, waits outside for its work, comes back; each on command."""

    def __init__(self, gate, said, name):
        self.ready, self.done, self.end = (threading.Event() for _ in range(3))
        self.thread = threading.Thread(target=self.run, args=(gate, said, name))
        self.thread.start()

    def run(self, gate, said, name):
        with gate.inside():
            said.append(f"{name} draws")
            self.ready.wait()
            with gate.outside():
                self.done.wait()
            said.append(f"{name} draws on")
            self.end.wait()


def until(happened):
    """Wait for what another thread does, without limit: the suite's own ends a test that hangs."""
    while not happened():
        threading.Event().wait(0.001)


def test_pages_are_drawn_one_at_a_time_the_oldest_first():
    gate, said = Gate(seconds=600), []
    first = Run(gate, said, "first")
    until(lambda: said)
    second = Run(gate, said, "second")
    until(lambda: gate._waiting)
    first.ready.set()  # it waits for its work, and the other comes in
    until(lambda: said[1:])
    third = Run(gate, said, "third")
    until(lambda: gate._waiting)
    first.done.set()
    until(lambda: gate._waiting[1:])  # it is back, and stands before the third
    assert said == ["first draws", "second draws"]
    for each in (second, third):
        each.done.set()
    second.ready.set()
    until(lambda: said[2:])
    assert said[2] == "first draws on"
    for each in (first, second, third):
        each.ready.set()
        each.end.set()
        each.thread.join()
    assert said[3:] == ["second draws on", "third draws", "third draws on"]


def test_who_draws_for_long_keeps_nobody_out():
    gate, said = Gate(seconds=0.01), []
    runs = [Run(gate, said, str(number)) for number in range(3)]
    until(lambda: len(said) == 3)
    for each in runs:
        each.ready.set()
        each.done.set()
        each.end.set()
        each.thread.join()
    assert len(said) == 6
    assert not gate._inside


def test_a_fragment_waits_outside_without_having_been_inside():
    gate = Gate(seconds=600)
    with gate.outside(), gate.outside():
        assert not gate._waiting
    assert not gate._inside


def test_a_page_that_fails_gives_its_place_away():
    gate = Gate(seconds=600)
    with suppress(KeyError), gate.inside():
        raise KeyError
    assert not gate._inside
