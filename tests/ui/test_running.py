"""Long work on a page: kept by slot and key; stopped by another key, by its button, or when its visitor leaves."""

import threading

import pytest
from streamlit.runtime.caching import clear_session_resource_cache
from streamlit.testing.v1 import AppTest

from tted_core.errors import Interrupted
from ui import running
from ui.running import job as jobs
from ui.running.job import Job


class Calls(list):
    """What was asked of ``work``."""

    def work(self, name, result, _monitor):
        self.append(name)
        if isinstance(result, Exception):
            raise result
        return result


@pytest.fixture
def calls(monkeypatch):
    found = Calls()
    monkeypatch.setattr(running, "calls", found, raising=False)
    return found


def page(script):
    app = AppTest.from_function(script, default_timeout=60).run()
    assert not app.exception
    return app


def test_two_slow_jobs_in_one_run_have_a_stop_button_each(calls, monkeypatch):
    class Slow(Job):
        """Not ready when first looked at."""

        looks = 0

        def wait(self, seconds):
            self.looks += seconds > 0
            return super().wait(30) if self.looks > 1 else seconds == 0

    buttons = []
    draw = running.st.button
    monkeypatch.setattr(running, "Job", Slow)
    monkeypatch.setattr(
        running.st,
        "button",
        lambda label, **options: buttons.append(options["key"]) or draw(label, **options),
    )

    def script():
        from functools import partial

        import streamlit as st

        from ui import running

        for slot, key in (("orders", 1), ("orders", 2), ("prices", 1)):
            result = running.watched(slot, key, partial(running.calls.work, key, key), stop_help="", kept=2)
            st.text(result)

    app = page(script)
    assert [text.value for text in app.text] == ["1", "2", "1"]
    assert len(buttons) == len(set(buttons)) == 3
    app.run()  # all of it is kept
    assert len(calls) == 3


def test_a_slot_keeps_its_last_results_and_only_whole_ones(calls):
    def script():
        from functools import partial

        import streamlit as st

        from ui import running

        for key in st.session_state.get("keys", ()):
            running.watched(
                "slot",
                key,
                partial(running.calls.work, key, key),
                stop_help="",
                kept=2,
                is_whole=lambda result: result != "part",
            )

    app = page(script)
    for keys, asked in (
        ("ab", "ab"),
        ("ba", ""),
        ("c", "c"),
        ("b", ""),
        ("a", "a"),
        (["part"] * 2, ["part"] * 2),
    ):
        calls.clear()
        app.session_state["keys"] = keys
        app.run()
        assert calls == list(asked)


def test_what_failed_is_begun_anew_the_next_time(calls):
    def script():
        from functools import partial

        import streamlit as st

        from tted_core.errors import Interrupted
        from ui import running

        try:
            running.watched("slot", 1, partial(running.calls.work, 1, Interrupted("stopped")), stop_help="")
        except Interrupted as error:
            st.text(str(error))
        st.text(running.begun("slot", 1))

    app = page(script).run()
    assert [text.value for text in app.text] == ["stopped", "False"]
    assert calls == [1, 1]


def test_forgetting_a_result_forgets_what_was_made_of_it_and_nothing_else(calls):
    def script():
        from functools import partial

        import streamlit as st

        from ui import running

        for slot, key in (("a", 1), ("a", 2), ("a/made", 1), ("ab", 1)):
            running.watched(slot, key, partial(running.calls.work, (slot, key), 0), stop_help="", kept=2)
        st.button("Forget", on_click=running.forget, args=("a", 2))

    app = page(script)
    calls.clear()
    app.button[0].click().run()
    assert calls == [("a", 2), ("a/made", 1)]


def test_on_demand_nothing_runs_before_the_click_and_other_settings_hide_the_result(calls):
    def script():
        from functools import partial

        import streamlit as st

        from ui import running

        key = st.session_state.get("key", 1)
        st.text(running.watched_on_demand("lab", key, partial(running.calls.work, key, key * 10)))

    app = page(script)
    assert (app.text[0].value, calls) == ("None", [])
    app.button(key="lab-start").click().run()
    assert (app.text[0].value, calls) == ("10", [1])
    app.session_state["key"] = 2
    app.run()
    assert (app.text[0].value, calls) == ("None", [1])
    assert "settings have changed" in app.caption[0].value
    app.session_state["key"] = 1
    app.run()
    assert (app.text[0].value, calls) == ("10", [1])
    app.button(key="lab-start").click().run()
    assert (app.text[0].value, calls) == ("10", [1, 1])


def test_work_that_the_server_cuts_short_says_so_as_long_as_its_result_is_shown(monkeypatch):
    def script():
        import streamlit as st

        from ui import running

        st.text(running.watched("slot", 1, running.until_stopped, stop_help=""))

    def best_so_far(monitor):
        while not monitor.stopped:
            threading.Event().wait(0.001)
        return "best so far"

    monkeypatch.setenv("TTED_MAX_SECONDS", "0.01")
    monkeypatch.setattr(running, "until_stopped", best_so_far, raising=False)
    app = page(script)
    for _ in range(2):
        assert app.text[0].value == "best so far"
        assert app.caption[0].value == "Stopped after 0.01 seconds, the time limit of this server."
        app.run()


def test_another_key_stops_what_is_under_way():
    jobs = {"old": Job(until_stopped), "new": Job(until_stopped)}
    old, new = jobs.values()
    running._stop(jobs, but="new")
    assert list(jobs) == ["new"]
    assert old.wait(30)
    with pytest.raises(Interrupted):
        old.result()
    assert not new.wait(0)
    new.stop()
    assert new.wait(30)


def until_stopped(monitor):
    while not monitor.stopped:
        threading.Event().wait(0.001)
    raise Interrupted("stopped")


def test_work_stops_once_its_visitor_has_left_and_not_come_back(monkeypatch):
    def script():
        import streamlit as st

        from ui.running.job import present_visitor

        st.session_state["found"] = present_visitor()

    app = page(script)
    found = app.session_state["found"]
    job = Job(until_stopped, found)
    clear_session_resource_cache("test session id")  # what Streamlit does when a connection is gone
    assert not found.has_left()  # it may come back
    app.run()
    assert app.session_state["found"] is found
    monkeypatch.setattr(jobs, "AWAY_SECONDS", -1.0)
    assert not found.has_left()
    assert not job.wait(0)
    clear_session_resource_cache("test session id")
    assert found.has_left()
    assert job.wait(30)
    with pytest.raises(Interrupted):
        job.result()
