"""Models that users may choose: installed ones, and those that the operator allows to download."""

import os
from functools import cache
from pathlib import Path

import streamlit as st

from tted_core.encoders.hub import offline
from tted_core.encoders.sentence_encoder import ENCODERS, find_encoder, is_installed
from tted_core.errors import EncoderError, MissingExtraError, require

NOT_INSTALLED = "not installed"


def list_encoders() -> list[str]:
    """The known encoders, and those that the operator lists in TTED_ENCODERS, separated by commas.

    Users choose among these, and can't enter a path or model id.
    """
    return list(dict.fromkeys([*ENCODERS, *_listed()]))


def _listed() -> list[str]:
    return [name for each in os.environ.get("TTED_ENCODERS", "").split(",") if (name := each.strip())]


def check_offered(name: str) -> None:
    """Refuse a model that would need a download which the operator doesn't allow.

    Raises:
        EncoderError: the model is neither installed nor listed, and downloads are off.
    """
    if _state(name) == NOT_INSTALLED:
        known = find_encoder(name)
        download = f"hf download {known.model if known else name}"
        try:
            require("encoder")
        except MissingExtraError:
            download = f'pip install ".[models]" in a copy of the repository, and then {download}'
        raise EncoderError(
            f"{name_model(name)} is not installed on this server; its operator can install it with: {download}"
        )


def _state(name: str) -> str:
    if is_installed(name):
        return "installed"
    if offline() or not (name in _listed() or os.environ.get("TTED_DOWNLOADS") == "on"):
        return NOT_INSTALLED
    known = find_encoder(name)
    return f"download, {known.gigabytes:g} GB" if known else "download"


# Availability of a model as of the last minute: "installed", "download, 0.4 GB" or "not installed".
availability = st.cache_data(ttl=60, show_spinner=False)(_state)


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
