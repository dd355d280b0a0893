"""The Compare page's two cards without a browser: pasted and uploaded maps are read or refused."""

import json
import re

import pytest
from helpers.pages import SAMPLE_PAIR, opened, option, paste, upload
from helpers.paths import ROOT
from helpers.thorough import sampled
from streamlit.testing.v1 import AppTest

from tted_core import TTEDError, parse_map
from tted_core.errors import MAX_LABEL_CHARACTERS
from ui.text import WORD_JOINER, in_page_words

CORAL = ROOT / "sample_trees" / "coral-reefs"


BAD_TEXTS = {
    "broken JSON": '{"Root": {"a": {}, ',
    "cycle": json.dumps({"nodes": ["a", "b"], "adj": [[1], [0]]}),
    "two parents with markup": "parent,child\n<img src=x onerror=alert(1)>,$a$\n:red[b] **c** `d`,$a$",
    "XML with entities": '<!DOCTYPE m [<!ENTITY x SYSTEM "file:///etc/passwd">]><map><node>&x;</node></map>',
    "a label too long": "x" * (MAX_LABEL_CHARACTERS + 1),
}
SEVERAL_ROOTS = {
    "three roots": "# One\n\n# Two\n\n# Three\n",
    "roots with markup": "[a](javascript:alert) ~~b~~\nc | _d_ <e>\n$$f$$ :g: \\h #i",
}
ESCAPED = re.compile(r"(?:\\[\\`*_{}\[\]()#+.!|~:$<>&-]|[^\\`*_\[\]#!|~:$<>&])*")


@pytest.fixture
def page(encoded: list[str]) -> AppTest:
    return opened(**SAMPLE_PAIR)


@pytest.mark.parametrize("name", sampled(BAD_TEXTS, 1))
def test_a_bad_paste_gets_the_message_of_the_core_and_nothing_else(page, tted, name):
    with pytest.raises(TTEDError) as raised:
        parse_map(BAD_TEXTS[name], name="pasted text")
    app = paste(page, BAD_TEXTS[name])
    assert not app.exception
    (error,) = app.error
    assert ESCAPED.fullmatch(error.value)
    shown = re.sub(r"\\(.)", r"\1", error.value).replace(WORD_JOINER, "")
    assert shown == " ".join(str(raised.value).split())
    assert tted("read", "-", stdin=BAD_TEXTS[name].encode()) == (2, "", f"error: standard input: {shown}\n")
    assert not app.metric
    assert app.text_area(key="left-text").value == BAD_TEXTS[name]


def test_an_empty_side_asks_for_a_map(encoded):
    page = opened(left="paste", right="coral-reefs/demo.json")
    assert not page.exception
    assert not page.error
    assert "once both sides have a map" in page.info[0].value


@pytest.mark.thorough
def test_a_map_too_large_to_compare_is_read_and_then_refused(page):
    app = paste(page, "Root\n" + "\n".join(f"  node {index}" for index in range(2999)))
    assert "3,000 nodes" in app.expander[0].label
    assert "3,000 nodes in the left map, but the limit is 2,000" in app.error[0].value.replace("\\", "")
    option(app, "depth").set_value(1).run()
    assert not app.error


@pytest.mark.thorough
@pytest.mark.parametrize("text", SEVERAL_ROOTS.values(), ids=SEVERAL_ROOTS)
def test_several_roots_can_be_refused_and_are_shown_as_they_are_written(page, text):
    app = paste(page, text)
    (notice,) = (each.value for each in app.caption if "put above them" in each.value)
    assert ESCAPED.fullmatch(notice.removeprefix(":material/info: "))
    with pytest.raises(TTEDError) as raised:
        parse_map(text, roots="error")
    app.selectbox(key="left-roots").set_value("error").run()
    (error,) = app.error
    assert ESCAPED.fullmatch(error.value)
    warnings = in_page_words(raised.value.text)
    assert re.sub(r"\\(.)", r"\1", error.value) == " ".join(warnings.split())
    assert "--" not in warnings


@pytest.mark.parametrize(
    ("content", "expected"),
    [(b"\x89PNG\r\n\x1a\n" + bytes(200), "PNG"), ((CORAL / "base.md").read_bytes(), "Markdown")],
    ids=["picture", "markdown"],
)
def test_uploads_are_read_by_content(page, content, expected):
    upload(page, ("map.txt", content, "application/json"))
    shown = [each.value for each in page.error] + [each.label for each in page.expander]
    assert any(expected in text for text in shown)
