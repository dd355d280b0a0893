"""Models that users may choose: installed ones, and those that the operator allows to download."""

import os
from functools import cache
from pathlib import Path

import streamlit as st

from tted_core.encoders.hub import offline
from tted_core.encoders.masked_model import MASKED_MODELS
from tted_core.encoders.sentence_encoder import ENCODERS, find_encoder, is_installed
from tted_core.errors import EncoderError, MissingExtraError, require
from ui.fields import Field, choice
from ui.text import markdown_escaped

INSTALLED, NOT_INSTALLED = "installed", "not installed"


def list_encoders() -> list[str]:
    """The known encoders, and those that the operator lists in TTED_ENCODERS, separated by commas.

    Users choose among these, and can't enter a path or model id.
    """
    return list(dict.fromkeys([*ENCODERS, *_names_in("TTED_ENCODERS")]))


def list_masked_models() -> list[str]:
    """The masked models that the operator lists in TTED_MASKED_MODELS, separated by commas, and the known ones."""
    return list(dict.fromkeys([*_names_in("TTED_MASKED_MODELS"), *MASKED_MODELS]))


def _names_in(variable: str) -> list[str]:
    return [name for each in os.environ.get(variable, "").split(",") if (name := each.strip())]


def check_offered(name: str) -> None:
    """Refuse a model that would need a download which the operator doesn't allow.

    Raises:
        EncoderError: the model is neither installed nor listed, and downloads are off.
    """
    if _state(name) == NOT_INSTALLED:
        raise EncoderError(f"{name_model(name)} is not installed on this server; {_way_to(name)}")


def _state(name: str) -> str:
    known = find_encoder(name)
    if (known and known.bundled) or is_installed(_hub_id(name)):
        return INSTALLED
    listed = name in (*_names_in("TTED_ENCODERS"), *_names_in("TTED_MASKED_MODELS"))
    if offline() or not (listed or os.environ.get("TTED_DOWNLOADS") == "on"):
        return NOT_INSTALLED
    return f"download, {known.gigabytes:g} GB" if known else "download"


# Availability of a model as of the last minute: "installed", "download, 0.4 GB" or "not installed".
availability = st.cache_data(ttl=60, show_spinner=False)(_state)


def _hub_id(name: str) -> str:
    known = MASKED_MODELS.get(name) or find_encoder(name)
    return known.model if known else name


def _way_to(name: str) -> str:
    download = f"hf download {_hub_id(name)}"
    try:
        require("encoder")
    except MissingExtraError:
        download = f'pip install ".[models]" in a copy of the repository, and then {download}'
    return f"its operator can install it with: {download}"


@cache
def name_model(name: str) -> str:
    """A model's display name; for a folder, its last part. Cached: a page shows fifty names in each run."""
    return Path(name).name if Path(name).is_dir() else name


def label_model(name: str) -> str:
    """A model's name and availability."""
    return f"{name_model(name)} · {availability(name)}"


def encoder_note(name: str) -> str:
    """The title, note and languages of a known encoder; empty for one that the operator lists."""
    known = ENCODERS.get(name)
    return f"{known.title}: {known.note}. Trained on {known.languages}." if known else ""


def draw_model_note(name: str) -> None:
    """Describe a masked model, and how to install it if this server doesn't have it."""
    if name in MASKED_MODELS:
        st.caption(f"{MASKED_MODELS[name].note}.")
    state = availability(name)
    if state.startswith("download"):
        st.caption(":material/download: This server downloads it on first use.")
    elif state != INSTALLED:
        way = markdown_escaped(_way_to(name))
        st.caption(f":material/warning: This server doesn't have it now: choose another, or {way}.")


def encoder_field(name: str) -> Field:
    """The choice of an encoder in a tab."""
    return choice(name, "Encoder", list_encoders, "minilm", format_func=label_model)


def choose_masked_model(key: str) -> str:
    """Draw the choice of a masked model; return its name."""
    name: str = st.selectbox(
        "Masked language model",
        list_masked_models(),
        key=key,
        format_func=label_model,
        help="A model that predicts a hidden word from its neighbours. None is built in.",
    )
    draw_model_note(name)
    return name
