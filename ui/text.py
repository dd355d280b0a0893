"""Users' texts on the page: data, never markup."""

import html
import re

from tted_core.errors import Message, Setting
from tted_core.foundations.messages import counted
from tted_core.foundations.output import shorten

__all__ = [
    "SPECIAL",
    "counted",
    "html_escaped",
    "in_page_words",
    "label_html",
    "markdown_escaped",
    "shorten",
]

# Positions where a word joiner keeps Streamlit from turning an address into a link.
ADDRESS = re.compile(r"(?<=http:)(?=//)|(?<=https:)(?=//)|(?<=www)(?=\.)|(?<=@)(?=[\w-])", re.IGNORECASE)

WORD_JOINER = "\u2060"

# The pages' labels for options of the library, and for their values.
PAGE_WORDS = {
    Setting("roots"): "“Several roots”",
    Setting("roots", "join"): "“put a new root above them”",
    Setting("roots", "first"): "“keep the first root's branch only”",
    Setting("roots", "error"): "“reject the map”",
    Setting("include_floating", True): "“Keep topics outside the tree”",
    Setting("sheet"): "“Which of the maps in it”",
    Setting("format"): "“Format”",
    Setting("field"): "“Field with the map”",
    Setting("key"): "the record's id",
    Setting("missing", "empty"): "an option of the command tted systems",
    Setting("lower"): "“Lower is better for”",
    Setting("resume", True): "“Go on”",
    Setting("folder"): "batch",
    Setting("workers"): "processes",
    Setting("device"): "device",
    Setting("most"): "the command tted batch",
}

SPECIAL = re.compile(r"([\\`*_{}\[\]()#+\-.!|~:$<>&])")


def markdown_escaped(text: str) -> str:
    """Escape ``text`` for a label or message in Markdown; runs of white space become one space.

    Addresses get an invisible character, or Streamlit would make links of them even if they are escaped.
    """
    return SPECIAL.sub(r"\\\1", ADDRESS.sub(WORD_JOINER, " ".join(text.split())))


def in_page_words(text: str) -> str:
    """A message in which options are called as on the page."""
    if not isinstance(text, Message):
        return text
    return text.render(
        lambda each: PAGE_WORDS.get(each) or f"{PAGE_WORDS[Setting(each.option)]} {each.value}"
    )


def html_escaped(text: str) -> str:
    """Escape ``text`` for HTML, isolated so that right-to-left characters don't affect what is around it."""
    return f"<bdi>{html.escape(text)}</bdi>"


def label_html(label: str, characters: int) -> str:
    """A node's text for HTML, shortened to a number of characters; "no text" if it is empty."""
    return html_escaped(shorten(label, characters)) if label else "<i>no text</i>"
