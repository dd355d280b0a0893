"""What is kept between reruns and shared by visitors: the models and the maps as read.

The vectors of texts are kept on disk by the core. A comparison itself is cheap once its texts are encoded; each
visitor's last ones are kept in the session.
"""

import threading
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from tted_core import MindMap, load_encoder, parse_map
from tted_core.encoders.embedding_cache import default_cache, remembering
from tted_core.encoders.masked_model import MaskedModel, load_masked_model
from tted_core.encoders.sentence_encoder import SentenceEncoder
from tted_core.formats import list_maps, parse_maps
from tted_core.warm_up import warm_up_in_background
from tted_core.words.languages import languages_of
from ui import samples
from ui.running import has_workers
from ui.running.encoding import encoder_process
from ui.running.workers import in_server, in_worker
from ui.server import freeze


@st.cache_resource(max_entries=4, show_spinner=False)
def _loaded_here(name: str) -> SentenceEncoder:
    return load_encoder(name)


def _loaded(name: str) -> SentenceEncoder:
    process = encoder_process()
    return _loaded_here(name) if process is None else process.encoder(name)


def _model(name: str) -> SentenceEncoder:
    """The server's encoder; what a worker process has of it asks the server."""
    if not in_worker():
        return _loaded(name)
    return in_server(_described, name)


def _described(name: str) -> SentenceEncoder:
    """The encoder as it can be sent to a worker process."""
    asked: Any = {
        what: partial(in_server, _asked, name, what) for what in ("encode", "count_tokens", "word_pieces")
    }
    return replace(_loaded(name), **asked)


def _asked(name: str, what: str, texts: Sequence[str]) -> Any:
    return getattr(_loaded(name), what)(texts)


def encoder(name: str) -> SentenceEncoder:
    """The encoder of this name, which encodes no text twice.

    Raises:
        EncoderError: the model can't be had.
    """
    return remembering(_model(name), default_cache())


def fresh_encoder(name: str) -> SentenceEncoder:
    """The same without the cache on disk, for measuring how long it takes.

    Raises:
        EncoderError: the model can't be had.
    """
    return _model(name)


@st.cache_resource(max_entries=2, show_spinner=False)
def masked_model(name: str) -> MaskedModel:
    """The masked language model of this name.

    Raises:
        EncoderError: the model can't be had.
    """
    return load_masked_model(name)


@st.cache_resource(show_spinner=False)
def start_warming_up() -> None:
    """Once per server, in the background: load the bundled model and the solvers while people read."""

    def prepare() -> None:
        if not has_workers():  # each of which does it for itself
            warm_up_in_background()
        languages_of(["Озеро"])  # loads what tells languages: half a second of the first maps of one's own
        _loaded("minilm")([""])
        freeze()

    threading.Thread(target=prepare, name="warm-up", daemon=True).start()


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
