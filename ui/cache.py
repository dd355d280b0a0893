"""Maps that were read, kept between runs of a page and shared by all users."""

import gc
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import streamlit as st
from cachetools import LRUCache, cached

from tted_core import MindMap, parse_map
from tted_core.formats import parse_maps
from tted_core.warm_up import warm_up_in_background
from tted_core.words.languages import languages_of
from ui import samples
from ui.executor import MOST_BYTES, bytes_of
from ui.models import fresh_encoder

Read = TypeVar("Read")


@st.cache_resource(show_spinner=False)
def start_warming_up() -> None:
    """Load the encoder and the language detector in the background, once per server."""

    def prepare() -> None:
        languages_of(["Озеро"])  # else the first uploaded maps wait half a second for it
        warm_up_in_background()
        fresh_encoder("minilm")([""])
        gc.freeze()  # else Python searches the models' 600,000 objects for garbage again and again

    # No daemon: Python must wait for libraries to load before it ends.
    threading.Thread(target=prepare, name="warm-up").start()


def read(content: bytes | str, name: str | None, **how: Any) -> MindMap:
    """Read a map as ``parse_map`` does, from the cache if possible."""
    return _cached(parse_map, content, name=name, **how)[1]


def read_all(content: bytes | str, name: str | None, **how: Any) -> tuple[MindMap, ...]:
    """Read all maps of a file as ``parse_maps`` does, from the cache if possible."""
    return _cached(parse_maps, content, name=name, **how)[1]


def map_titles(content: bytes | str, **how: Any) -> tuple[str, ...]:
    """The titles of a file's maps, from the cache if possible."""
    return read(content, None, **how).maps


@cached(LRUCache(MOST_BYTES, getsizeof=bytes_of), condition=threading.Condition())
def _cached(parse: Callable[..., Read], content: bytes | str, **how: Any) -> tuple[bytes | str, Read]:
    return content, parse(content, **how)  # the content counts towards the limit too


@st.cache_data(max_entries=64, show_spinner=False)
def sample_content(path: Path) -> bytes:
    """The content of a file in sample_trees/."""
    return path.read_bytes()


def sample_map(file: str) -> MindMap:
    """The sample map at a path that ``samples.every`` lists."""
    return read(sample_content(samples.FOLDER / file), file)
