"""Models from a folder or from the Hugging Face hub: the only importer of huggingface_hub.

What is on this machine needs no network. What isn't is asked for once, with a time limit: without a network the
loaders' own retries take 70 seconds.
"""

import hashlib
import os
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from tted_core.errors import EncoderError

Model = TypeVar("Model")

WEIGHTS = ("safetensors", "bin")
"""The endings of files with weights."""


_one_at_a_time = threading.Lock()


@contextmanager
def _alone() -> Iterator[None]:
    """Load a model in this context: alone, without telemetry or bars, and with idle threads that sleep.

    While transformers loads, it takes the tying of weights from its classes, for all threads. Of two that overlap,
    the second puts back what it found, and no model of this process has tied weights any more.

    PyTorch's threads keep their cores busy while they wait for each other (OpenMP's active waiting). Where other
    programs want the cores too, encoding takes 30 times as long that way.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    with warnings.catch_warnings():
        # The bars, which aren't drawn, want a widget in a notebook.
        warnings.filterwarnings("ignore", "IProgress not found")
        from transformers.utils import logging

    with _one_at_a_time:
        logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        yield


def loaded(source: str, load: Callable[[str | None], Model], *, is_folder: bool) -> Model:
    """``load(None)``, which looks on this machine only; what isn't there is fetched by ``load(revision)``.

    Nobody waits for another model while the hub is asked, which may not answer.

    Args:
        source: a folder, or a model id of the hub.
        load: loads it, of a revision on the hub.
        is_folder: whether it is a folder.

    Raises:
        Exception: whatever the hub or the loader raises.
    """
    try:
        with _alone():
            return load(None)
    except OSError:
        if is_folder:
            raise
    from huggingface_hub import HfApi

    revision = HfApi().model_info(source, timeout=10).sha
    with _alone():
        return load(revision)


@contextmanager
def told(what: str, source: str, folder: str, otherwise: str, *, is_folder: bool) -> Iterator[None]:
    """Make an ``EncoderError`` of whatever goes wrong while ``what`` is loaded.

    Args:
        what: the model, for the message.
        source: its folder or id.
        folder: what a folder of it holds, for the message.
        otherwise: what else to do if it can't be fetched.
        is_folder: whether ``source`` is a folder.
    """
    try:
        yield
    except Exception as exc:  # the hub, torch and transformers raise dozens of kinds
        cause = " ".join(str(exc).split()) or type(exc).__name__
        way_out = (
            f"check that {source} is a folder {folder}"
            if is_folder
            else f"connect to the internet once, or fetch the model with: hf download {source}; or {otherwise}"
        )
        raise EncoderError(f"{what} can't be loaded ({cause[:300]}); {way_out}") from exc


def cached_folder(model: str) -> Path:
    """Where the hub's cache on this machine keeps a model.

    Raises:
        OSError: it isn't there.
    """
    from huggingface_hub import snapshot_download

    return Path(snapshot_download(model, local_files_only=True))


def is_cached(model: str) -> bool:
    """Whether the hub's cache on this machine has the model's weights."""
    try:
        from huggingface_hub import constants

        if not Path(constants.HF_HUB_CACHE, f"models--{model.replace('/', '--')}").is_dir():
            return False  # found out without the library's import, which takes 0.1 s
        folder = cached_folder(model)
    except (OSError, ValueError, ImportError):  # it isn't there, or is no id
        return False
    return any(next(folder.rglob(f"*.{ending}"), None) for ending in WEIGHTS)


def offline() -> bool:
    """Whether the environment forbids downloads from the hub."""
    from huggingface_hub import constants

    return bool(constants.HF_HUB_OFFLINE)


def weights_digest(folder: Path) -> str:
    """SHA-256 over a folder's weight files (subfolders too), in the order of their paths.

    Raises:
        OSError: a file can't be read.
    """
    found = (path for suffix in WEIGHTS for path in folder.rglob(f"*.{suffix}"))
    files = sorted(path for path in found if path.is_file())
    digest = hashlib.sha256()
    for file in files:
        with file.open("rb") as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()
