"""The Measures page: what other measures say of texts, and of maps as sets of sentences."""

import streamlit as st

from ui.errors import show_errors
from ui.measures.bags import bags
from ui.measures.corpus import corpus
from ui.measures.key_phrases import key_phrases
from ui.measures.ndd import edits
from ui.measures.paraphrases import paraphrases
from ui.measures.texts import two_texts
from ui.page import page

TABS = {
    "Two texts": two_texts,
    "Which measure is best?": paraphrases,
    "Maps without structure": bags,
    "Edits of a sentence (NDD)": edits,
    "Key phrases": key_phrases,
    "Generated maps": corpus,
}

with page("Other measures"):
    for name, tab in zip(TABS, st.tabs(list(TABS), key="measures", on_change="rerun"), strict=True):
        if tab.open:
            with tab, show_errors():
                TABS[name]()
