"""What is kept between reruns and shared by visitors: the maps as read."""

import gc
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import streamlit as st

from tted_core import MindMap, parse_map
from tted_core.formats import list_maps, parse_maps
from tted_core.warm_up import warm_up_in_background
from tted_core.words.languages import languages_of
from ui import samples
from ui.kept_results import KeptResults
from ui.models import fresh_encoder

Read = TypeVar("Read")

_READ = KeptResults()


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


def read(content: bytes | str, name: str | None, **how: Any) -> MindMap:
    """``parse_map``, remembered."""
    return _remembered(parse_map, content, name=name, **how)


def read_all(content: bytes | str, name: str | None, **how: Any) -> tuple[MindMap, ...]:
    """``parse_maps``, remembered."""
    return _remembered(parse_maps, content, name=name, **how)


def map_titles(content: bytes | str, **how: Any) -> tuple[str, ...]:
    """``list_maps``, remembered."""
    return _remembered(list_maps, content, **how)


def _remembered(parse: Callable[..., Read], content: bytes | str, **how: Any) -> Read:
    key = parse, content, *how.items()
    try:
        found: Read = _READ[key][1]
    except KeyError:
        found = parse(content, **how)
        _READ[key] = content, found  # the content takes room too
    return found


@st.cache_data(max_entries=64, show_spinner=False)
def sample_content(path: Path) -> bytes:
    """A file of sample_trees/."""
    return path.read_bytes()


def sample_map(file: str) -> MindMap:
    """A sample by its path, as ``samples.every`` lists it."""
    return read(sample_content(samples.FOLDER / file), file)
