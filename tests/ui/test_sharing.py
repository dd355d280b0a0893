"""What several visitors ask for is computed once, and nobody is given another's half result."""

import threading
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from tted_core.errors import Interrupted, ToolError
from ui.processes import sharing
from ui.processes.sharing import KEPT, Shared


class Work:
    """Counts its runs; the first goes on once ``goes_on`` is set, and ends as ``outcome`` says."""

    def __init__(self, outcome="whole"):
        self.runs = 0
        self.outcome = outcome
        self.begun, self.goes_on = threading.Event(), threading.Event()

    def __call__(self):
        self.runs += 1
        if self.runs > 1:
            return "own"
        self.begun.set()
        assert self.goes_on.wait(60)
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome


def asked(shared, work, key="key", stop=lambda: False):
    return shared.result(key, work, will_do=lambda result: result != "half", should_stop=stop)


def both(work):
    """What the first and a second visitor get, who comes while the first one's work goes on."""
    shared = Shared()
    with ThreadPoolExecutor(2) as visitors:
        first = visitors.submit(asked, shared, work)
        assert work.begun.wait(60)
        waits = threading.Event()
        second = visitors.submit(asked, shared, work, stop=waits.set)
        assert waits.wait(60)
        work.goes_on.set()
        return first, second, shared


def test_a_result_is_computed_once_and_kept_for_those_who_come_later():
    work = Work()
    first, second, shared = both(work)
    assert (first.result(), second.result(), asked(shared, work), work.runs) == ("whole", "whole", "whole", 1)


def test_who_waits_computes_an_own_result_where_the_first_is_not_for_others_or_was_stopped():
    half, stopped = Work("half"), Work(Interrupted("stopped"))
    first, second, _ = both(half)
    assert (first.result(), second.result(), half.runs) == ("half", "own", 2)
    first, second, _ = both(stopped)
    with pytest.raises(Interrupted):
        first.result()
    assert second.result() == "own"


@pytest.mark.parametrize("error", [ToolError("no model"), TimeoutError("of the network")])
def test_an_error_reaches_all_who_wait_and_nobody_later(error):
    work = Work(error)
    first, second, shared = both(work)
    for each in (first, second):
        with pytest.raises(type(error), match=str(error)):
            each.result()
    assert asked(shared, work) == "own"


def test_an_answer_that_comes_as_a_look_for_it_ends_is_no_timeout(monkeypatch):
    class EndsBetween(Future):
        """Done right after whoever looks for its result for some time has found nothing."""

        def result(self, timeout=None):
            if timeout is None or self.done():
                return super().result(timeout)
            work.goes_on.set()
            super().result()
            raise TimeoutError

    def look():
        work.goes_on.set()
        shared._results["key"].result()

    monkeypatch.setattr(sharing, "Future", EndsBetween)
    shared, work = Shared(), Work()
    with ThreadPoolExecutor(1) as visitors:
        first = visitors.submit(asked, shared, work)
        assert work.begun.wait(60)
        assert asked(shared, work, stop=look) == first.result() == "whole"
    assert work.runs == 1


def test_who_waits_can_give_up():
    shared, work = Shared(), Work()
    with ThreadPoolExecutor(1) as visitors:
        first = visitors.submit(asked, shared, work)
        assert work.begun.wait(60)
        with pytest.raises(Interrupted, match="stopped before"):
            asked(shared, work, stop=lambda: True)
        work.goes_on.set()
        assert first.result() == "whole"


def test_few_results_are_kept():
    shared = Shared()
    for number in range(KEPT + 5):
        assert asked(shared, lambda number=number: number, key=number) == number
    assert list(shared._results) == list(range(5, KEPT + 5))
