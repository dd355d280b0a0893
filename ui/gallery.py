"""The gallery: links to finished comparisons of sample maps, each with a thumbnail and a sentence."""

from base64 import b64encode
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st

from ui.samples import FOLDER, GALLERY


@dataclass(frozen=True)
class Example:
    """A comparison of two sample maps.

    Attributes:
        name: of its thumbnail's file.
        title: two or three words.
        sentence: describes it.
        left: the file of the left map in sample_trees/.
        right: the file of the right map.
        options: of the method, as in the Compare page's address; others keep their defaults.
    """

    name: str
    title: str
    sentence: str
    left: str
    right: str
    options: tuple[tuple[str, str], ...] = ()

    @property
    def link(self) -> str:
        """The address of the comparison, relative to the application's."""
        return f"?{urlencode([('left', self.left), ('right', self.right), *self.options], safe='/')}"

    @property
    def thumbnail(self) -> Path:
        """The file of its picture, an SVG."""
        return FOLDER / GALLERY / f"{self.name}.svg"


MULTILINGUAL = (("encoder", "use-multilingual"),)

EXAMPLES = (
    Example(
        "revision",
        "A revision",
        "Two sentences are reworded, one moved, one left out and two new.",
        "coral-reefs/base.json",
        "coral-reefs/demo.json",
    ),
    Example(
        "moved-branch",
        "A moved branch",
        "Every sentence stays the same, but one branch moves to another depth.",
        "how-vaccines-work/base.json",
        "how-vaccines-work/structure_1.json",
    ),
    Example(
        "hallucinated-branch",
        "A hallucinated branch",
        "A generated map adds a branch of four sentences that its source doesn't have.",
        "urban-heat/base.json",
        "gallery/hallucinated_branch.json",
    ),
    Example(
        "paraphrase",
        "A paraphrase",
        "All sentences are reworded; the distance stays small.",
        "urban-heat/base.json",
        "urban-heat/paraphrase_2.json",
    ),
    Example(
        "wrong-sentence",
        "One wrong sentence",
        "One of 14 reworded sentences is false; the preset proofreading gives it 91 % of the distance.",
        "coral-reefs/base.json",
        "gallery/wrong_sentence.json",
        (("gap", "=0.8"), ("power", "8")),
    ),
    Example(
        "three-orders",
        "Three orders disagree",
        "Two branches swap positions and a level is removed: 5.8 ordered, 4.0 constrained, 2.0 unordered.",
        "photosynthesis/base.json",
        "photosynthesis/structure_2.json",
        (("order", "unordered"),),
    ),
    Example(
        "russian",
        "A Russian pair",
        "A map of Lake Baikal and its rewording, compared by the encoder for 15 languages.",
        "baikal/base.json",
        "baikal/paraphrase_2.json",
        MULTILINGUAL,
    ),
    Example(
        "translation",
        "Two languages",
        "A map in English and its translation into Russian: every sentence is paired correctly.",
        "coral-reefs/base.json",
        "coral-reefs/translation_ru.json",
        MULTILINGUAL,
    ),
    Example(
        "reversed-claims",
        "A limit: reversed claims",
        "Five claims are changed or reversed, yet the distance is smaller than that of a faithful rewording. "
        "Look at the signs “!”.",
        "coral-reefs/base.json",
        "coral-reefs/meaning_1.json",
    ),
    Example(
        "300-nodes",
        "300 nodes",
        "A small encyclopedia: a section missing, one moved, two reworded, a branch made up.",
        "gallery/encyclopedia.json",
        "gallery/encyclopedia_edited.json",
    ),
)


def gallery() -> None:
    """Draw a button that opens the gallery."""
    help_text = f"A gallery of {len(EXAMPLES)} finished comparisons"
    with st.popover("More…", type="tertiary", help=help_text), st.container(key="gallery"):
        st.html(_cards())


@cache
def _cards() -> str:
    cards = "".join(
        f'<a href="{escape(each.link)}" style="color:inherit;text-decoration:none">'
        f'<img src="data:image/svg+xml;base64,{b64encode(each.thumbnail.read_bytes()).decode()}" alt="" '
        'style="width:100%;border:1px solid #9aa3b2;border-radius:4px">'
        f"<strong>{escape(each.title)}</strong><br><small>{escape(each.sentence)}</small></a>"
        for each in EXAMPLES
    )
    grid = "display:grid;grid-template-columns:repeat(auto-fill,minmax(11rem,1fr));gap:1rem"
    return f'<div style="{grid}">{cards}</div>'
