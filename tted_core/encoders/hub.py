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
from pathlib import Path, PurePosixPath
from typing import TypeVar

from tted_core.errors import EncoderError

Model = TypeVar("Model")

WEIGHTS = ("safetensors", "bin")
"""The endings of files with weights."""

FETCHED = {".json", ".txt", ".model", *(f".{ending}" for ending in WEIGHTS)}
"""The endings of files that are fetched."""

FOR_OTHERS = {"onnx", "openvino"}
"""Folders of a model for other programs than PyTorch."""


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


def loaded(source: str, load: Callable[[], Model], *, is_folder: bool) -> Model:
    """Load a model that is on this machine; fetch it before if it isn't.

    Nobody waits for another model while the hub is asked, which may not answer, or while it sends gigabytes.

    Args:
        source: a folder, or a model id of the hub.
        load: loads it without the network.
        is_folder: whether it is a folder.

    Raises:
        Exception: whatever the hub or the loader raises.
    """
    try:
        with _alone():
            return load()
    except OSError:
        if is_folder:
            raise
    _fetch(source)
    with _alone():
        return load()


def _fetch(model: str) -> None:
    """Fetch what PyTorch reads of a model: no code, no weights for other programs, none in two formats."""
    from huggingface_hub import HfApi, snapshot_download

    files = [PurePosixPath(file.rfilename) for file in HfApi().model_info(model, timeout=10).siblings or ()]
    safe = {file.parent for file in files if file.suffix == ".safetensors"}
    wanted = [
        str(file)
        for file in files
        if file.suffix in FETCHED
        and file.parts[0] not in FOR_OTHERS
        and not (file.suffix == ".bin" and file.parent in safe)
    ]
    snapshot_download(model, allow_patterns=wanted)


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
    from huggingface_hub import try_to_load_from_cache

    found = (try_to_load_from_cache(model, name) for name in ("config.json", "modules.json"))
    file = next((each for each in found if isinstance(each, str)), None)
    if file is None:
        raise FileNotFoundError(f"{model} isn't in the hub's cache")
    return Path(file).parent


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
