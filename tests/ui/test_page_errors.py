"""Errors on a page are shown as one sentence, and the server's log has the details."""

import dataclasses
import re
import tomllib

import pytest
from helpers.paths import ROOT
from helpers.thorough import sampled
from streamlit.testing.v1 import AppTest

from ui.annotate import ANNOTATE_TABS
from ui.evaluate import EVALUATE_TABS
from ui.learn import LEARN_PARTS
from ui.page import FAULT

# Page -> what is broken on it (a function, or a part of the Learn page) -> the session's state that shows it.
BROKEN = {
    "pages/Compare.py": {
        "ui.options.draw_option_buttons": {},
        "ui.compare.two_maps.draw_inputs": {},
        "ui.compare.answer.draw_mapping": {},
        "ui.compare.answer.draw_why": {},
        "ui.compare.answer.draw_head": {},
        "ui.compare.tabs.draw_receipt": {},  # in a fragment
        "ui.compare.tabs.draw_downloads": {"more": "Download and cite"},
        "ui.comparisons.start_warming_up": {},
    },
    "pages/Evaluate.py": {"pairs": {"tab": "pairs"}, "measures": {"tab": "measures"}},
    "pages/Learn.py": {"steps": {"part": "steps"}},
    "pages/Annotate.py": {"decide": {"tab": "decide"}},
    "pages/Method.py": {"ui.learn.method.draw_trees": {}},
}

PARTS = {
    "pages/Evaluate.py": EVALUATE_TABS,
    "pages/Learn.py": LEARN_PARTS,
    "pages/Annotate.py": ANNOTATE_TABS,
}

CASES = [(page, name, state) for page, failures in BROKEN.items() for name, state in failures.items()]


pytestmark = pytest.mark.usefixtures("hashed_models")


def broken(*_args, **_options):
    raise RuntimeError("<b>secret</b> /a/path")


@pytest.mark.parametrize(
    ("page", "name", "state"), sampled(CASES, 3), ids=[f"{page}-{name}" for page, name, _ in CASES]
)
def test_a_bug_is_one_sentence_on_any_page(page, name, state, monkeypatch, faults):
    parts = PARTS.get(page, {})
    if name in parts:
        monkeypatch.setitem(parts, name, dataclasses.replace(parts[name], draw=broken))
    else:
        monkeypatch.setattr(name, broken)
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=300)
    if page != "pages/Compare.py":  # which opens by itself
        app.switch_page(page)
    for key, value in state.items():
        (app.query_params if name in parts else app.session_state)[key] = value
    app.run()
    assert not app.exception
    (fault,) = faults
    faults.clear()
    assert fault.exc_info[0] is RuntimeError
    assert [error.value for error in app.error] == [FAULT.format(number=fault.args[0])]
    assert re.fullmatch("[0-9a-f]{8}", fault.args[0])
    assert "secret" not in str(app.main)


def test_errors_outside_a_page_show_no_traceback():
    """A widget's callback runs before the page does."""
    options = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))["client"]
    assert options["showErrorDetails"] == "none"


def test_an_upload_that_streamlit_refuses_is_explained_in_a_sentence(faults):
    def program():
        from streamlit.elements.lib.file_uploader_utils import enforce_filename_restriction

        from ui.page import show_errors

        with show_errors():
            enforce_filename_restriction("samples\0.zip", [".zip"])

    app = AppTest.from_function(program).run()
    assert ["null byte" in error.value for error in app.error] == [True]
    assert faults == []
