"""What is kept between reruns and shared by visitors: the maps as read."""

import gc
import threading
from pathlib import Path
from typing import Any

import streamlit as st

from tted_core import MindMap, parse_map
from tted_core.formats import list_maps, parse_maps
from tted_core.warm_up import warm_up_in_background
from tted_core.words.languages import languages_of
from ui import samples
from ui.models import fresh_encoder


@st.cache_resource(show_spinner=False)
def start_warming_up() -> None:
    """Once per server, in the background while people read: load the encoder, and what tells languages."""

    def prepare() -> None:
        languages_of(["Озеро"])  # half a second of the first maps of one's own
        warm_up_in_background()
        fresh_encoder("minilm")([""])
        gc.freeze()  # else Python looks for garbage among 600,000 objects of the models again and again

    # It loads PyTorch, for which Python has to wait before it ends.
    threading.Thread(target=prepare, name="warm-up").start()


@st.cache_data(max_entries=64, show_spinner=False)
def read(content: bytes | str, name: str | None, **how: Any) -> MindMap:
    """``parse_map``, remembered."""
    return parse_map(content, name=name, **how)


@st.cache_data(max_entries=16, show_spinner=False)
def read_all(content: bytes | str, name: str | None) -> tuple[MindMap, ...]:
    """``parse_maps``, remembered."""
    return parse_maps(content, name=name)


@st.cache_data(max_entries=64, show_spinner=False)
def map_titles(content: bytes | str, **how: Any) -> tuple[str, ...]:
    """``list_maps``, remembered."""
    return list_maps(content, **how)


@st.cache_data(max_entries=64, show_spinner=False)
def sample_content(path: Path) -> bytes:
    """A file of sample_trees/."""
    return path.read_bytes()


def sample_map(file: str) -> MindMap:
    """A sample by its path, as ``samples.every`` lists it."""
    return read(sample_content(samples.FOLDER / file), file)
