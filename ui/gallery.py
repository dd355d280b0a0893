"""The gallery: links to finished comparisons of sample maps, each with a thumbnail and a sentence."""

import csv
from base64 import b64encode
from functools import cache
from html import escape

import streamlit as st

from ui.samples import FOLDER, GALLERY


def gallery() -> None:
    """Draw a button that opens the gallery."""
    with (
        st.popover("Examples", type="tertiary", help="A gallery of finished comparisons"),
        st.container(key="gallery"),
    ):
        st.html(_cards())


@cache
def examples() -> list[dict[str, str]]:
    """The examples: each with the ``name`` of its thumbnail, ``title``, ``sentence`` and ``link``."""
    with (FOLDER / GALLERY / "gallery.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def _cards() -> str:
    cards = []
    for each in examples():
        picture = b64encode((FOLDER / GALLERY / f"{each['name']}.svg").read_bytes()).decode()
        cards.append(
            f'<a href="{escape(each["link"])}" style="color:inherit;text-decoration:none">'
            f'<img src="data:image/svg+xml;base64,{picture}" alt="" '
            'style="width:100%;border:1px solid #9aa3b2;border-radius:4px">'
            f"<strong>{escape(each['title'])}</strong><br><small>{escape(each['sentence'])}</small></a>"
        )
    grid = "display:grid;grid-template-columns:repeat(auto-fill,minmax(11rem,1fr));gap:1rem"
    return f'<div style="{grid}">{"".join(cards)}</div>'
