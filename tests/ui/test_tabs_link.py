"""Links to a tab of a page, with its inputs."""

import pytest
from helpers.pages import address, opened

from ui.annotate import ANNOTATE_TABS
from ui.evaluate import EVALUATE_TABS
from ui.research import RESEARCH_TABS

PAGES = {"Research": RESEARCH_TABS, "Annotate": ANNOTATE_TABS, "Evaluate": EVALUATE_TABS}
TABS = [(page, tab) for page, parts in PAGES.items() for tab in list(parts)[:2]]


pytestmark = pytest.mark.usefixtures("hashed_models")


@pytest.mark.parametrize(("page", "tab"), TABS)
def test_a_tab_has_a_link(page, tab):
    app = opened(page, tab=tab)
    assert app.session_state[page.lower()] == PAGES[page][tab].title
    assert address(app) == ({} if tab == next(iter(PAGES[page])) else {"tab": tab})
    assert not app.warning or "link" not in app.warning[0].value


def test_inputs_are_in_the_link_and_kept_from_tab_to_tab():
    app = opened("Research", tab="texts", **{"texts-first": "It rains.", "texts-second": "It pours."})
    assert app.text_area(key="texts-first").value == "It rains."
    assert app.text_area(key="texts-second").value == "It pours."
    app.text_area(key="texts-first").set_value("It snows.").run()
    assert address(app) == {"tab": "texts", "texts-first": "It snows.", "texts-second": "It pours."}
    for tab in ("settings", "texts"):
        app.session_state["research"] = RESEARCH_TABS[tab].title
        app.run()
    assert app.text_area(key="texts-first").value == "It snows."


def test_wrong_values_in_a_link_are_reported():
    app = opened("Research", tab="sideways", **{"texts-encoder": "some/path"})
    said = [warning.value for warning in app.warning]
    assert any("tab=sideways" in text and "choose one of" in text for text in said)
    assert any("some/path" in text for text in said)
    assert app.session_state["research"] == next(iter(RESEARCH_TABS.values())).title
