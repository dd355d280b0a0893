"""Runs of pages: one draws at a time, the oldest first, except while it waits for work."""

import threading
import time

from ui import running
from ui.running import PageRuns


def test_the_oldest_run_draws_first_and_waiting_runs_let_others_draw():
    runs, drawn = PageRuns(), []
    computed = threading.Event()

    def page(name, begun, *, waits=False):
        with runs.inside():
            begun.set()
            if waits:
                with runs.outside():
                    assert computed.wait(60)
            drawn.append(name)
            time.sleep(0.01)

    threads = []
    for name in ("waits", "second", "third"):
        begun = threading.Event()
        thread = threading.Thread(target=page, args=(name, begun), kwargs={"waits": name == "waits"})
        thread.start()
        assert begun.wait(60)
        threads.append(thread)
    for thread in threads[1:]:
        thread.join(60)
    computed.set()
    threads[0].join(60)
    assert drawn == ["second", "third", "waits"]


def test_a_long_run_delays_others_only_briefly(monkeypatch):
    monkeypatch.setattr(running, "MOST_SECONDS", 0.05)
    runs, go_on, drawn = PageRuns(), threading.Event(), threading.Event()

    def slow():
        with runs.inside():
            assert go_on.wait(60)

    def quick():
        with runs.inside():
            drawn.set()

    threads = [threading.Thread(target=each) for each in (slow, quick)]
    for thread in threads:
        thread.start()
        time.sleep(0.01)
    assert drawn.wait(60)
    go_on.set()
    for thread in threads:
        thread.join(60)
