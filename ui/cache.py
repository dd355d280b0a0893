"""What is kept between reruns and shared by visitors: the loaded models and the vectors of texts.

A comparison itself is cheap once its texts are encoded; the last one of each visitor is kept in the session.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from tted_core import MindMap, SentenceEncoder, load_encoder, parse_map

KEPT_CHUNKS = 2_000
"""Kept results of one encoder call each (up to 64 vectors): about 200 MB at 384 dimensions."""


@st.cache_resource(max_entries=4, show_spinner=False)
def _model(name: str) -> SentenceEncoder:
    return load_encoder(name)


@st.cache_data(max_entries=KEPT_CHUNKS, show_spinner=False)
def _vectors(name: str, texts: tuple[str, ...]) -> NDArray[np.floating[Any]]:
    return _model(name)(texts)


@st.cache_data(max_entries=64, show_spinner=False)
def read(content: bytes | str, name: str | None, **how: Any) -> MindMap:
    """``parse_map``, remembered."""
    return parse_map(content, name=name, **how)


@st.cache_data(max_entries=64, show_spinner=False)
def sample_content(path: Path) -> bytes:
    """A file of sample_trees/."""
    return path.read_bytes()


def encoder(name: str) -> SentenceEncoder:
    """The encoder of this name; the same texts are not encoded twice.

    Raises:
        EncoderError: the model can't be had.
    """
    model = _model(name)

    def encode(texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        return _vectors(name, tuple(texts))

    return replace(model, encode=encode)
