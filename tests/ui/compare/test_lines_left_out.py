"""Lines around the map in a chat answer: the card lists them."""

import pytest
from helpers.pages import metric, opened, unfold

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
        unfold(app)
        assert not app.exception
        return app

    return pasted


def test_the_card_lists_omitted_lines(page):
    app = page(ANSWER, PLAIN)
    assert app.expander[0].label == "**Left map**: pasted text · Markdown list · 3 nodes · 2 lines left out"
    (message,) = (each for each in app.markdown if each.value == "2 lines left out")
    assert "Sure\\!" in message.help
    assert "Would you like me" in message.help
    assert float(metric(app, "TTED ↓")) == 0
