"""What the tests of the Measures page do to it."""


def open_tab(page, name):
    page.session_state["measures"] = name
    page.run()
    assert not page.exception
    return page


def press(page, key):
    page.button(key=key).click().run()
    assert not page.exception
    return page


def frame(page, column):
    return next(each.value for each in page.dataframe if column in each.value.columns)
