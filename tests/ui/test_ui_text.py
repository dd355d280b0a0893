"""Users' texts on the page are escaped, and tables are downloaded without formulas."""

import argparse
import ast
import pickle
import re

import pandas as pd
import pytest
from helpers.paths import ROOT

from tted_core import parse_map
from tted_core.cli import SUMMARIES, batch, compare, systems
from tted_core.cli.shared import READING, with_flags
from tted_core.errors import MapFormatError, Message, Setting
from ui import page
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


# Packages and modules of the core whose messages with command-line options aren't shown on pages.
NOT_ON_PAGES = {
    "cli",
    "learn",  # variables of a style sheet
    "encoders",  # a command that mends the installation
    "errors.py",  # options of pip
}


# Options and commands of the command line.
NAMED = rf"--[a-z]|\btted (?:{'|'.join(SUMMARIES)})\b"

# Settings that the command line or the pages lack, or call by a word without quotes.
WITHOUT_OPTION = {"most"}
WITHOUT_LABEL = {"key", "missing", "folder", "workers", "device", "most"}

# A setting in the code: its option, and a value that is a text, true, or a variable.
SETTING = re.compile(r'\bSetting\("(\w+)"(?:, (?:"([\w-]+)"|(True)|(\w+)))?\)')


def test_messages_of_the_core_name_options_by_settings_alone():
    """All messages of the core are tested, not only those that other tests provoke."""
    core, settings = ROOT / "tted_core", set()
    for file in core.rglob("*.py"):
        name, code = file.relative_to(core), file.read_text(encoding="utf-8")
        settings |= {found.groups() for found in SETTING.finditer(code)}
        if not NOT_ON_PAGES & {name.parts[0], name.as_posix()}:
            for text in _messages(code):
                assert not re.search(NAMED, text), (name, text)
    assert len(settings) > 5
    parser = argparse.ArgumentParser(conflict_handler="resolve")
    commands = (systems.systems_command, batch.batch_command, compare.compare_command)
    for add_to in (*READING, *(add for command in commands for add in command.arguments)):
        add_to(parser)
    for option, text, truth, other in settings:
        message = Message("choose ", Setting(option, text or bool(truth) or other))
        assert with_flags(message).split()[1] in parser._option_string_actions or option in WITHOUT_OPTION
        assert "“" in in_page_words(message) or option in WITHOUT_LABEL


def test_texts_of_pages_name_no_command_line_options():
    for file in (*(ROOT / "ui").rglob("*.py"), *(ROOT / "pages").glob("*.py")):
        for text in _messages(file.read_text(encoding="utf-8")):
            assert not re.search(r"(?<!var\()--[a-z]", text), (file, text)


def test_each_interface_calls_options_by_its_own_names():
    with pytest.raises(MapFormatError) as raised:
        parse_map("a\nb", roots="error")
    text = raised.value.text
    assert text == str(raised.value)
    assert "choose roots='join'" in pickle.loads(pickle.dumps(raised.value)).text
    assert "choose --roots join, one" in with_flags(text)
    assert "choose “put a new root above them”, one" in in_page_words(text)


def _messages(code):
    """The texts in a module except docstrings; none if no option or command is named."""
    if not re.search(NAMED, code):
        return
    tree = ast.parse(code)
    docstrings = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
    for each in ast.walk(tree):
        if isinstance(each, ast.Constant) and isinstance(each.value, str) and id(each) not in docstrings:
            yield each.value


def test_missing_values_are_empty_cells_in_downloads(monkeypatch):
    files = {}
    monkeypatch.setattr(
        page.st, "download_button", lambda label, make, **_options: files.update({label: make})
    )
    table = pd.DataFrame(
        {
            "count": pd.array([1, None], dtype="Int64"),
            "share": [float("nan"), 0.5],
            "said": pd.array(["a", None], dtype="string"),
        }
    )
    page.table_exports(table, "table")
    assert files["CSV"]() == "count,share,said\n1,,a\n,0.5,\n"
