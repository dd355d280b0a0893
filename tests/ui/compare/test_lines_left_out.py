"""Maps read by rules that differ: the card says what was read, the answer what differs, a button repairs it."""

import pytest
from helpers.pages import metric, opened

ANSWER = """Sure! Here's a mind map of your text:

**Tides**

- Causes
  - The Moon pulls the sea.

---

Would you like me to add more?"""
PLAIN = "- Tides\n  - Causes\n    - The Moon pulls the sea."


@pytest.fixture
def page(encoded):
    def pasted(left, right):
        app = opened()
        app.button(key="paste-maps").click().run()
        app.text_area(key="left-text").set_value(left).run()
        app.text_area(key="right-text").set_value(right).run()
        assert not app.exception
        return app

    return pasted


def test_the_card_lists_omitted_lines_and_can_include_them(page):
    app = page(ANSWER, PLAIN)
    assert app.expander[0].label == "**Left map**: pasted text · Markdown list · 3 nodes · 2 lines left out"
    (message,) = (each for each in app.markdown if each.value == "2 lines left out")
    assert "Sure\\!" in message.help
    assert "Would you like me" in message.help
    assert float(metric(app, "TTED ↓")) == 0
    app.button(key="left-bring-talk").click().run()
    assert "6 nodes" in app.expander[0].label
    assert float(metric(app, "TTED ↓")) > 0
    app.button(key="read-alike").click().run()
    assert float(metric(app, "TTED ↓")) == 0


@pytest.mark.parametrize(
    ("left", "message"),
    [
        ("- Causes\n  - The Moon pulls the sea.\n- Effects", "has 2 roots"),
        ('{"**Tides**": {"Causes": {"The Moon pulls the sea.": {}}}}', "contain marks such as"),
    ],
)
def test_maps_read_differently_get_one_line_and_a_button_that_repairs_it(page, left, message):
    app = page(left, PLAIN)
    (line,) = (each.value for each in app.markdown if message in each.value)
    before = float(metric(app, "TTED ↓"))
    app.button(key="read-alike").click().run()
    assert float(metric(app, "TTED ↓")) < before
    assert not any(message in each.value for each in app.markdown)
    assert line.startswith(":material/info:")


def test_maps_that_were_read_alike_need_no_word(page):
    app = page(PLAIN, PLAIN)
    assert not [each for each in app.button if each.key == "read-alike"]
