"""The queue for long work: visitors take turns, whoever has asked how often."""

from ui.running.turns import Turns


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
