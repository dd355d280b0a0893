"""Fields: an input and its parameter of the link are one declaration."""

from streamlit.testing.v1 import AppTest


def _page() -> None:
    from ui.fields import amount, choice, several, switch, words

    for field in (
        choice("colour", "Colour", ["red", "green"], "green"),
        choice("system", "System", None, "b", key="of-system", options=["a", "b"]),
        several("sides", "Sides", ["left", "right"], ("right",)),
        switch("again", "Again", key="once-more"),
        amount("count", "Count", (0, 9, 1), default="3", key="of-count"),
        amount("least", "Least", (0.0, 1.0, 0.1)),
        words("said", "Said", "nothing", key="of-said"),
    ):
        field.draw()


def test_a_field_has_its_default_without_a_link():
    """As on a page that another one sends its user to with a few values."""
    app = AppTest.from_function(_page).run()
    assert not app.exception
    assert [each.value for each in app.selectbox] == ["green", "b"]
    assert app.button_group(key="sides").value == ["right"]
    assert app.toggle(key="once-more").value is False
    assert app.number_input(key="of-count").value == 3
    assert app.number_input(key="least").value is None
    assert app.text_area(key="of-said").value == "nothing"


def test_a_field_keeps_its_value():
    app = AppTest.from_function(_page).run()
    app.number_input(key="of-count").set_value(5)
    app.selectbox(key="of-system").set_value("a").run()
    assert (app.number_input(key="of-count").value, app.selectbox(key="of-system").value) == (5, "a")
