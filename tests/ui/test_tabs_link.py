"""Links to a tab of a page, with its inputs."""

import pytest
from helpers.pages import address, open_tab, opened

from ui.annotate import ANNOTATE_TABS
from ui.evaluate import EVALUATE_TABS

PAGES = {"Annotate": ANNOTATE_TABS, "Evaluate": EVALUATE_TABS}
TABS = [(page, tab) for page, parts in PAGES.items() for tab in list(parts)[:2]]


pytestmark = pytest.mark.usefixtures("hashed_models")


@pytest.mark.parametrize(("page", "tab"), TABS)
def test_a_tab_has_a_link(page, tab):
    app = opened(page, tab=tab)
    assert app.session_state[page.lower()] == PAGES[page][tab].title
    assert address(app) == ({} if tab == next(iter(PAGES[page])) else {"tab": tab})
    assert not app.warning or "link" not in app.warning[0].value


def test_inputs_are_in_the_link_and_kept_from_tab_to_tab():
    inputs = {"quality-presets": "proofreading", "quality-baselines": "rouge_bag,tree"}
    app = opened("Evaluate", tab="measures", **inputs)
    assert app.pills(key="quality-presets").value == ["proofreading"]
    assert app.pills(key="quality-baselines").value == ["rouge_bag", "tree"]
    app.pills(key="quality-presets").set_value(["similarity"]).run()
    assert address(app) == {"tab": "measures", **inputs, "quality-presets": "similarity"}
    for tab in ("maps", "measures"):
        open_tab(app, "evaluate", EVALUATE_TABS[tab].title)
    assert app.pills(key="quality-presets").value == ["similarity"]


def test_wrong_values_in_a_link_are_reported():
    app = opened("Evaluate", tab="sideways", **{"quality-encoders": "some/path"})
    said = [warning.value for warning in app.warning]
    assert any("tab=sideways" in text and "choose one of" in text for text in said)
    assert any("some/path" in text for text in said)
    assert app.session_state["evaluate"] == next(iter(EVALUATE_TABS.values())).title
