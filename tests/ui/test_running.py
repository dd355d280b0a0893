"""Long work on a page: progress, results kept by slot and key, and stopping."""

import threading

import pytest
from helpers.hanging import until
from streamlit.testing.v1 import AppTest

from ui import running


class Calls(list):
    """Arguments of the calls of ``work``."""

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
    app = AppTest.from_function(script, default_timeout=300).run()
    assert not app.exception
    return app


@pytest.fixture
def impatient(monkeypatch):
    """Make pages show progress without waiting."""
    monkeypatch.setattr(running, "PATIENCE_SECONDS", 0.0)


def test_a_page_shows_progress_and_a_button_that_stops_each_job(impatient, monkeypatch):
    """Parts that don't need the results are drawn too."""

    def script():
        import streamlit as st

        from ui import running
        from ui.page import show_errors

        for key in (1, 2):
            with show_errors():
                st.text(running.run_watched(f"slot {key}", key, running.until_stopped, stop_help=""))
        st.text("below")

    monkeypatch.setattr(running, "until_stopped", until_stopped, raising=False)
    app = page(script)
    assert [each.value for each in app.text] == ["below"]
    assert [each.label for each in app.button] == ["Stop", "Stop"]
    assert [each.text for each in app.get("progress")] == ["Searching", "Searching"]
    for _ in range(2):
        app.button[0].click().run()
        wait_for_jobs(app, 1)
        app.run()
    assert [each.value for each in app.text] == ["best so far", "best so far", "below"]
    assert not app.button


def until_stopped(monitor):
    monitor.stage("Searching", 0.5)
    while not monitor.stopped:
        threading.Event().wait(0.001)
    return "best so far"


def wait_for_jobs(app, count):
    """Wait until ``count`` of the page's jobs are done."""
    jobs = [job for _key, job in app.session_state["slots"].values()]
    until(lambda: sum(job.done() for job in jobs) >= count)


def test_failed_work_starts_again_at_the_next_run(calls):
    def script():
        from functools import partial

        import streamlit as st

        from tted_core.errors import Interrupted
        from ui import running

        try:
            running.run_watched(
                "slot", 1, partial(running.calls.work, 1, Interrupted("stopped")), stop_help=""
            )
        except Interrupted as error:
            st.text(str(error))
        st.text(running.has_begun("slot", 1))

    app = page(script).run()
    assert [text.value for text in app.text] == ["stopped", "False"]
    assert calls == [1, 1]


def test_forgetting_a_result_forgets_only_it_and_results_that_depend_on_it(calls):
    def script():
        from functools import partial

        import streamlit as st

        from ui import running

        for slot, key in (("a", 1), ("a", 2), ("a/made", 1), ("ab", 1)):
            running.run_watched(
                slot, key, partial(running.calls.work, (slot, key), 0), stop_help="", shared=slot == "a"
            )
        st.button("Forget", on_click=running.forget, args=("a", 2))

    app = page(script)
    calls.clear()
    app.button[0].click().run()
    assert calls == [("a", 2), ("a/made", 1)], "the others are kept"


def test_on_demand_nothing_runs_before_the_click_and_other_settings_hide_the_result(calls):
    def script():
        from functools import partial

        import streamlit as st

        from ui import running

        key = st.session_state.get("key", 1)
        st.text(running.run_on_demand("lab", key, partial(running.calls.work, key, key * 10)))

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


def test_a_result_cut_short_by_the_server_has_a_caption(monkeypatch):
    def script():
        import streamlit as st

        from ui import running

        st.text(running.run_watched("slot", 1, running.until_stopped, stop_help=""))

    monkeypatch.setenv("TTED_MAX_SECONDS", "0.01")
    monkeypatch.setattr(running, "until_stopped", until_stopped, raising=False)
    app = page(script)
    for _ in range(2):
        assert app.text[0].value == "best so far"
        assert app.caption[0].value == "Stopped after 0.01 seconds, the time limit of this server."
        app.run()


def test_another_key_stops_the_running_job(impatient, monkeypatch):
    def script():
        import streamlit as st

        from ui import running
        from ui.page import show_errors

        with show_errors():
            running.run_watched(
                "slot", st.session_state.get("key", "old"), running.until_stopped, stop_help=""
            )

    monkeypatch.setattr(running, "until_stopped", until_stopped, raising=False)
    app = page(script)
    _, old = app.session_state["slots"]["slot"]
    app.session_state["key"] = "new"
    app.run()
    assert old.result(60) == "best so far"
    _, new = app.session_state["slots"]["slot"]
    assert not new.done()
    new.stop()
