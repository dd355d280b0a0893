"""Which masked language model a visitor takes: a known one, or one that the operator lists."""

import os
from pathlib import Path

import streamlit as st

from tted_core.encoders.hub import is_cached
from tted_core.encoders.masked_model import MASKED_MODELS


def offered_masked_models() -> list[str]:
    """The known models, and those that the operator lists in TTED_MASKED_MODELS, separated by commas.

    A visitor chooses among these, never a free path or model id. What the operator lists comes first.
    """
    listed = (name.strip() for name in os.environ.get("TTED_MASKED_MODELS", "").split(","))
    return list(dict.fromkeys([*(name for name in listed if name), *MASKED_MODELS]))


def masked_model_input(key: str) -> str:
    """Draw the choice and what has to be done for it; gives the model's name."""
    name: str = st.selectbox(
        "Masked language model",
        offered_masked_models(),
        key=key,
        format_func=shown_model,
        help="A model that predicts a hidden word from its neighbours. None is built in.",
    )
    masked_model_note(name)
    return name


def shown_model(name: str) -> str:
    """A model's name for people: of a folder, its last part."""
    return Path(name).name if name not in MASKED_MODELS and Path(name).is_dir() else name


def masked_model_note(name: str) -> None:
    """Draw what a known model is, and how to get it where this machine doesn't have it."""
    if name not in MASKED_MODELS:
        return
    known = MASKED_MODELS[name]
    if is_cached(known.model):
        st.caption(f"{known.note}.")
    else:
        st.caption(
            f":material/download: This server doesn't have the model yet ({known.note}). Its first use downloads "
            f"it; without internet, run `hf download {known.model}` first."
        )
