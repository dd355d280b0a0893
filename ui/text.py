"""Users' texts on the page: data, never markup."""

import html
import re

SPECIAL = re.compile(r"([\\`*_{}\[\]()#+\-.!|~:$<>&])")


def markdown_escaped(text: str) -> str:
    """``text`` for a label or message that Streamlit reads as Markdown; white space runs become one space."""
    return SPECIAL.sub(r"\\\1", " ".join(text.split()))


def html_escaped(text: str) -> str:
    """``text`` for HTML, isolated so that right-to-left characters don't reach its surroundings."""
    return f"<bdi>{html.escape(text)}</bdi>"


def shortened(text: str, length: int) -> str:
    """At most ``length`` characters, with an ellipsis where something is missing."""
    return text if len(text) <= length else f"{text[: length - 1]}…"


def plural(count: int, noun: str) -> str:
    """A count with its noun, in the plural unless it is 1."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
