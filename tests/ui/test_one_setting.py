"""The setting is shared by all pages; other inputs belong to their page."""

import pytest
from streamlit.testing.v1 import AppTest


def two_pages():
    """Two pages with a setting and an input of their own; the session's "page" is the open one."""
    import streamlit as st

    from ui.fields import choice
    from ui.permalink import bring, permalink

    page = st.session_state.setdefault("page", "Compare")
    if page is None:
        return  # a page without these widgets: they are forgotten
    parameters = (
        choice(f"{page}-tab", "Tab", ("x", "y"), "x"),
        choice("order", "Order", ("ordered", "unordered"), "ordered"),
    )
    if "brought" in st.session_state:
        bring(page, st.session_state.pop("brought"))
    with permalink(page, parameters):
        st.selectbox("Tab", ("x", "y"), key=f"{page}-tab")
        st.selectbox("Order", ("ordered", "unordered"), key="order")


def to(app, page, **address):
    """Open another page, by a link with this address or by the menu."""
    app.session_state["page"] = None
    app.run()
    assert "order" not in app.session_state
    app.query_params.clear()
    for name, value in address.items():
        app.query_params[name] = value
    app.session_state["page"] = page
    return app.run()


@pytest.fixture
def app():
    return AppTest.from_function(two_pages).run()


def test_a_setting_reaches_pages_that_were_open_and_that_were_not(app):
    app.selectbox(key="order").set_value("unordered").run()
    assert to(app, "Batch").selectbox(key="order").value == "unordered"
    assert dict(app.query_params) == {"order": "unordered"}
    app.selectbox(key="order").set_value("ordered").run()
    assert to(app, "Compare").selectbox(key="order").value == "ordered"
    assert "order" not in app.query_params


def test_inputs_of_one_page_stay_there(app):
    app.selectbox(key="Compare-tab").set_value("y").run()
    assert to(app, "Batch").selectbox(key="Batch-tab").value == "x"
    assert to(app, "Compare").selectbox(key="Compare-tab").value == "y"


def test_a_link_wins_and_is_the_setting_from_then_on(app):
    app.selectbox(key="order").set_value("unordered").run()
    assert to(app, "Batch", **{"Batch-tab": "y"}).selectbox(key="order").value == "ordered"
    assert app.selectbox(key="Batch-tab").value == "y"
    assert to(app, "Compare").selectbox(key="order").value == "ordered"


def test_values_brought_to_a_page_win(app):
    to(app, "Batch")
    app.session_state["brought"] = {"order": "unordered", "no widget's": 1}
    assert to(app, "Compare").selectbox(key="order").value == "unordered"
    assert app.session_state["no widget's"] == 1
    assert to(app, "Batch").selectbox(key="order").value == "unordered"
