"""Users' texts on the page: data, never markup."""

import html
import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import TypeVar

from tted_core.foundations.printable import shortened

__all__ = [
    "SPECIAL",
    "html_escaped",
    "in_page_words",
    "label_html",
    "markdown_escaped",
    "plural",
    "shortened",
    "told_apart",
]

Key = TypeVar("Key")

ADDRESS = re.compile(r"(?<=http:)(?=//)|(?<=https:)(?=//)|(?<=www)(?=\.)|(?<=@)(?=[\w-])", re.IGNORECASE)
"""Where a word joiner keeps Streamlit from making a link of an address on its own."""

WORD_JOINER = "\u2060"

PAGE_WORDS = {
    "--roots join": "“put a new root above them”",
    "--roots first": "“keep the first root's branch only”",
    "--include-floating": "“Keep topics outside the tree”",
    "--talk": "“Keep what is said around the map”",
    "--sheet": "“Which of the maps in it”",
    "--format": "“Format”",
    "--field": "“Field with the map”",
    "--id": "the record's id",
    "--lower-is-better": "“Lower is better for”",
}
"""What the command line's options are called on the page."""

SPECIAL = re.compile(r"([\\`*_{}\[\]()#+\-.!|~:$<>&])")


def markdown_escaped(text: str) -> str:
    """``text`` for a label or message that Streamlit reads as Markdown; white space runs become one space.

    An address in it gets an invisible sign, without which it would become a link, escaped or not.
    """
    return SPECIAL.sub(r"\\\1", ADDRESS.sub(WORD_JOINER, " ".join(text.split())))


def in_page_words(sentence: str) -> str:
    """What the core says of an input, with the page's names in place of the command line's options."""
    for option, name in PAGE_WORDS.items():
        sentence = sentence.replace(option, name)
    return sentence


def html_escaped(text: str) -> str:
    """``text`` for HTML, isolated so that right-to-left characters don't reach its surroundings."""
    return f"<bdi>{html.escape(text)}</bdi>"


def label_html(label: str, characters: int) -> str:
    """A node's text for HTML, shortened to so many characters; an empty one is said to be so."""
    return html_escaped(shortened(label, characters)) if label else "<i>no text</i>"


def plural(count: int, noun: str) -> str:
    """A count with its noun, in the plural unless it is 1."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def told_apart(lines: Mapping[Key, str], name: Callable[[Key], str]) -> dict[Key, str]:
    """Lines for the options of a box, no two alike, since Streamlit tells them apart by these texts.

    Lines that are alike get the ``name`` of what they stand for.
    """
    count = Counter(lines.values())
    return {key: line if count[line] == 1 else f"{line} ({name(key)})" for key, line in lines.items()}
