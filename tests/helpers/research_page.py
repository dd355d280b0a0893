"""Actions on the Research page."""

from ui.research import PARTS


def open_tab(page, name):
    page.query_params["tab"] = next(tab for tab, part in PARTS.items() if part.title == name)
    page.session_state["research"] = name
    page.run()
    assert not page.exception
    return page


def press(page, key):
    page.button(key=key).click().run()
    assert not page.exception
    return page


def frame(page, column):
    return next(each.value for each in page.dataframe if column in each.value.columns)
