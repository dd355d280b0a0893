"""Models from a folder or from the Hugging Face hub: the only importer of huggingface_hub.

Models on this machine need no network. Others are requested once, with a time limit: without a network the
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

from tted_core.errors import EncoderError, Message, Setting

_Model = TypeVar("_Model")

_WEIGHTS = ("safetensors", "bin")  # extensions of files with weights

# Extensions of files that are fetched.
FETCHED = {".json", ".txt", ".model", *(f".{ending}" for ending in _WEIGHTS)}

FOR_OTHERS = {"onnx", "openvino"}  # folders of a model with files for other programs than PyTorch


_one_at_a_time = threading.Lock()


@contextmanager
def _alone() -> Iterator[None]:
    """Context for loading a model: one at a time, without telemetry or progress bars.

    While transformers loads, it disables the tying of weights in its classes, for all threads. If two loads
    overlap, the second one restores the disabled state, and no model of this process has tied weights any more.
    """
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    with warnings.catch_warnings():
        # In notebooks, the disabled bars warn about a missing widget.
        warnings.filterwarnings("ignore", "IProgress not found")
        from transformers.utils import logging

    with _one_at_a_time:
        logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        yield


def find_device(device: str | None) -> str | None:
    """The device that a caller names, else that of TTED_DEVICE; None if neither does."""
    return device or os.environ.get("TTED_DEVICE", "").strip() or None


def _available(device: str | None) -> str | None:
    """The device named, after checking that PyTorch can use it."""
    import torch

    named = find_device(device)
    try:
        if named:
            torch.empty(0, device=named)
    except (AssertionError, RuntimeError) as error:  # not built in, without a driver, or no such name
        cause = next(iter(str(error).splitlines()), "").rstrip(".")
        raise EncoderError(
            Message(
                f"the device {named!r} can't be used by PyTorch {torch.__version__} ({cause:.200}); name cpu "
                "or no ",
                Setting("device"),
                " (TTED_DEVICE if none is given), or install PyTorch's build for it",
            )
        ) from error
    return named


def load_pretrained(
    what: str,
    source: str,
    load: Callable[[str | None], _Model],
    *,
    device: str | None,
    folder: Path | None,
    saved: str,
) -> tuple[_Model, str]:
    """A model, which is fetched first if it isn't on this machine, and the SHA-256 of its weights.

    Any error becomes an ``EncoderError``. Other models can be loaded while the hub is contacted, which may not
    respond, or sends gigabytes.

    Args:
        what: the model, for messages.
        source: its folder, or its id on the hub.
        load: loads it without the network, on a device; None is the best one.
        device: the device that a caller names, or None.
        folder: its folder; None for a model of the hub.
        saved: the required content of a folder, for messages.
    """
    # Threads of PyTorch sleep while they wait for each other. By default they keep their cores busy, which makes
    # encoding take 30 times as long if other programs need the cores.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    device = _available(device)
    try:
        try:
            with _alone():
                model = load(device)
        except OSError:
            if folder is not None:
                raise
            _fetch(source)
            with _alone():
                model = load(device)
        return model, weights_digest(folder or find_cached_folder(source))
    except Exception as exc:  # the hub, torch and transformers raise dozens of types
        cause = " ".join(str(exc).split()) or type(exc).__name__
        way_out = (
            f"connect to the internet once, or fetch the model with: hf download {source}; or choose minilm, "
            "which is bundled"
            if folder is None
            else f"check that {source} is a folder {saved}"
        )
        raise EncoderError(f"{what} can't be loaded ({cause[:300]}); {way_out}") from exc


def _fetch(model: str) -> None:
    """Fetch a model's files for PyTorch: no code, no weights for other programs, none in two formats."""
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


def find_cached_folder(model: str) -> Path:
    """The folder of a model in the hub's cache on this machine.

    Raises:
        OSError: it isn't in the cache.
    """
    from huggingface_hub import try_to_load_from_cache

    found = (try_to_load_from_cache(model, name) for name in ("config.json", "modules.json"))
    file = next((each for each in found if isinstance(each, str)), None)
    if file is None:
        raise FileNotFoundError(f"{model} isn't in the hub's cache")
    return Path(file).parent


def is_cached(model: str) -> bool:
    """Return True if the hub's cache on this machine has the model's weights."""
    try:
        from huggingface_hub import constants

        if not Path(constants.HF_HUB_CACHE, f"models--{model.replace('/', '--')}").is_dir():
            return False  # avoids importing the library, which takes 0.1 s
        folder = find_cached_folder(model)
    except (OSError, ValueError, ImportError):  # not in the cache, or not an id
        return False
    return any(next(folder.rglob(f"*.{ending}"), None) for ending in _WEIGHTS)


def offline() -> bool:
    """Return True if the environment forbids downloads from the hub."""
    from huggingface_hub import constants

    return bool(constants.HF_HUB_OFFLINE)


def weights_digest(folder: Path) -> str:
    """SHA-256 over a folder's weight files (subfolders too), in the order of their paths.

    Raises:
        OSError: a file can't be read.
    """
    found = (path for suffix in _WEIGHTS for path in folder.rglob(f"*.{suffix}"))
    digest = hashlib.sha256()
    for file in sorted(path for path in found if path.is_file()):
        with file.open("rb") as stream:
            hashlib.file_digest(stream, lambda: digest)
    return digest.hexdigest()
