"""A list of bars: a label, a bar and a number each. Plain HTML, so that it can be read aloud and printed."""

import html
from collections.abc import Iterable
from dataclasses import dataclass

from ui.text import html_escaped, shortened

LABEL = 60
"""Characters of a label that are shown; the tooltip has more."""


@dataclass(frozen=True)
class Bar:
    """``share`` (0 to 1) is the bar's length, ``value`` the number in words, ``colour`` any CSS colour."""

    label: str
    share: float
    value: str
    colour: str = "currentColor"


def bars(title: str, rows: Iterable[Bar]) -> str:
    """HTML of a titled list; labels are users' texts."""
    items = "".join(
        '<li style="margin:.35rem 0">'
        '<div style="display:flex;justify-content:space-between;gap:1rem;font-size:.875rem">'
        f'<span title="{html.escape(shortened(row.label, 500))}" style="overflow-wrap:anywhere">'
        f"{html_escaped(shortened(row.label, LABEL))}</span>"
        f'<span style="white-space:nowrap;font-variant-numeric:tabular-nums">{html.escape(row.value)}</span></div>'
        '<div style="height:.5rem;border-radius:3px;background:rgba(128,128,128,.18)">'
        f'<div style="height:100%;border-radius:3px;width:{100 * min(max(row.share, 0.0), 1.0):.2f}%;'
        f'background:{row.colour};opacity:.75"></div></div></li>'
        for row in rows
    )
    return (
        f'<div style="font-weight:600;font-size:.9rem">{html.escape(title)}</div>'
        f'<ul style="list-style:none;padding:0;margin:.25rem 0 1rem">{items}</ul>'
    )
