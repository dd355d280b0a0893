"""Users' texts on the page are escaped."""

import ast
import re

import pytest
from helpers.paths import ROOT

from ui.text import WORD_JOINER, in_page_words, label_html, markdown_escaped


def test_a_label_is_escaped_and_an_empty_one_is_marked():
    assert label_html("<b>&", 10) == "<bdi>&lt;b&gt;&amp;</bdi>"
    assert label_html("abcdef", 4) == "<bdi>abc…</bdi>"
    assert label_html("", 10) == "<i>no text</i>"


def test_no_sign_of_a_label_is_markdown():
    assert markdown_escaped("**a**\n\n:red[b] $c$ <i>") == r"\*\*a\*\* \:red\[b\] \$c\$ \<i\>"


@pytest.mark.parametrize(
    "address",
    ["http://x.example/a", "https://x.example", "HTTPS://X.EXAMPLE", "www.x.example", "mailto:a@x.example"],
)
def test_an_address_in_a_text_does_not_become_a_link(address):
    """Streamlit searches the unescaped text for addresses, with these patterns (mdast's GFM)."""
    shown = markdown_escaped(f"see {address}!").replace("\\", "")
    assert not re.search(r"(https?://|www(?=\.))([-.\w]+)([^ \t\r\n]*)", shown, re.IGNORECASE)
    assert not re.search(r"([-.\w+]+)@([-\w]+(?:\.[-\w]+)+)", shown)
    assert shown.replace(WORD_JOINER, "") == f"see {address}!"


NOT_ON_PAGES = {
    "cli",
    "learn",  # variables of a style sheet
    "encoders",  # a command that mends the installation
    "batch/folder.py",  # a page goes on with results that are there
    "batch/job.py",  # a page computes in one process, and on no cluster
}
"""Packages and modules of the core whose messages with command-line options aren't shown on pages."""

OF_OPERATORS = {
    "ui/text.py",  # the table of the options
}


def test_messages_of_the_core_name_no_command_line_options_on_pages():
    """All messages of the core are tested, not only those that other tests provoke."""
    core, found = ROOT / "tted_core", 0
    for file in core.rglob("*.py"):
        name = file.relative_to(core)
        if not NOT_ON_PAGES & {name.parts[0], name.as_posix()}:
            for text in _messages(file.read_text(encoding="utf-8")):
                found += "--" in text
                assert not re.search(r"--[a-z]", in_page_words(text)), (name, text)
    assert found > 5


def test_texts_of_pages_name_no_command_line_options():
    for file in (*(ROOT / "ui").rglob("*.py"), *(ROOT / "pages").glob("*.py")):
        if (name := file.relative_to(ROOT).as_posix()) not in OF_OPERATORS:
            for text in _messages(file.read_text(encoding="utf-8")):
                assert not re.search(r"(?<!var\()--[a-z]", text), (name, text)


def _messages(code):
    """The texts in a module except docstrings; none if no option is named."""
    if not re.search("--[a-z]", code):
        return
    tree = ast.parse(code)
    docstrings = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
    for each in ast.walk(tree):
        if isinstance(each, ast.Constant) and isinstance(each.value, str) and id(each) not in docstrings:
            yield each.value
