"""Sentence encoders, which turn texts into vectors; the only importer of sentence-transformers.

``minilm`` and ``use-multilingual`` are bundled, and need neither PyTorch nor a network; their weights are checked
against a known SHA-256 before first use. The others are fetched from the Hugging Face hub on first use. If that
fails, an error is raised, and no other model is substituted.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.encoders import minilm, use_multilingual
from tted_core.encoders.hub import find_device, is_cached, load_pretrained
from tted_core.errors import EncoderError, MissingExtraError, lookup, require
from tted_core.foundations.messages import quoted, without_surrogates

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

Encoder: TypeAlias = Callable[[Sequence[str]], NDArray[np.floating[Any]]]  # n texts -> (n, d) vectors
BUNDLED = {"minilm": minilm, "use-multilingual": use_multilingual}  # the modules of the bundled encoders


def _no_word_pieces(_texts: Sequence[str]) -> list[list[str]]:
    raise EncoderError("this encoder doesn't provide word pieces; choose minilm")


CHUNK = 64  # texts per call of an encoder: small enough to report progress, large enough to keep a GPU busy

# The way out if PyTorch isn't installed, for ``require``.
NEEDS_NO_EXTRA = "choose the encoder minilm or use-multilingual, which need none, or "


# Training languages of an encoder -> their codes; empty if it covers all languages that can be detected.
TRAINED_ON: dict[str, frozenset[str]] = {
    what: frozenset(codes.split())
    for what, codes in {
        "English": "en",
        "Russian and English": "ru en",
        "15 languages": "ar de en es fr it ja ko nl pl pt ru th tr zh",
        "50+ languages": "ar bg ca cs da de el en es et fa fi fr gl gu he hi hr hu hy id it ja ka ko ku lt lv mk "
        "mn mr ms my no nl pl pt ro ru sk sl sq sr sv th tr uk ur vi zh",
        "100+ languages": "",
    }.items()
}


@dataclass(frozen=True)
class EncoderModel:
    """A known model.

    Attributes:
        model: its id on the hub; the source of a bundled one.
        title: its name for users.
        note: a note for users.
        languages: its training languages, a key of ``TRAINED_ON``.
        bundled: True if it comes with this program.
        gigabytes: the size of its download; 0 if it is bundled.
        prompt: a text to put before each text, as its authors recommend for comparing texts.
        farthest: approximately the largest cosine distance between sentences, if well below 1: sentences are never
            left unpaired if that costs as much or more.
    """

    model: str
    title: str
    note: str
    languages: str
    bundled: bool = False
    gigabytes: float = 0.0
    prompt: str = ""
    farthest: float = 1.0


ENCODERS: dict[str, EncoderModel] = {
    "minilm": EncoderModel(
        "sentence-transformers/all-MiniLM-L6-v2",
        "MiniLM",
        "small and quick, built in",
        "English",
        bundled=True,
    ),
    "use-multilingual": EncoderModel(
        "google/universal-sentence-encoder-multilingual-3",
        "Universal Sentence Encoder multilingual",
        "the quickest, built in, finds translations too; knows Arabic, Chinese, Dutch, English, French, German, "
        "Italian, Japanese, Korean, Polish, Portuguese, Russian, Spanish, Thai and Turkish",
        "15 languages",
        bundled=True,
    ),
    "mpnet": EncoderModel(
        "sentence-transformers/all-mpnet-base-v2", "MPNet", 'the paper\'s "MPNet"', "English", gigabytes=0.4
    ),
    "distilroberta": EncoderModel(
        "sentence-transformers/paraphrase-distilroberta-base-v2",
        "DistilRoBERTa",
        'the paper\'s "DistilRoBERTa"',
        "English",
        gigabytes=0.3,
    ),
    "specter": EncoderModel(
        "sentence-transformers/allenai-specter",
        "SPECTER",
        'for scientific papers, the paper\'s "SPECTER"',
        "English",
        gigabytes=0.4,
    ),
    "mpnet-multilingual": EncoderModel(
        "sentence-transformers/paraphrase-multilingual-mpnet-base-v2",
        "MPNet multilingual",
        'the paper\'s "fine-tuned MPNet"',
        "50+ languages",
        gigabytes=1.1,
    ),
    "rubert-mini-frida": EncoderModel(
        "sergeyzh/rubert-mini-frida",
        "ruBERT mini FRIDA",
        "a small model for Russian",
        "Russian and English",
        gigabytes=0.13,
        prompt="paraphrase: ",
    ),
    "frida": EncoderModel(
        "ai-forever/FRIDA",
        "FRIDA",
        "a large model for Russian",
        "Russian and English",
        gigabytes=3.3,
        prompt="paraphrase: ",
    ),
    "user-bge-m3": EncoderModel(
        "deepvk/USER-bge-m3", "USER-bge-m3", "for Russian", "Russian and English", gigabytes=1.4
    ),
    "multilingual-e5-small": EncoderModel(
        "intfloat/multilingual-e5-small",
        "Multilingual E5 small",
        "a small model for many languages",
        "100+ languages",
        gigabytes=0.5,
        prompt="query: ",
        farthest=0.3,
    ),
    "labse": EncoderModel(
        "sentence-transformers/LaBSE", "LaBSE", "finds translations", "100+ languages", gigabytes=1.9
    ),
}


def find_encoder(name: str) -> EncoderModel | None:
    """The record of a name in ``ENCODERS`` or of a model's id, or None."""
    by_id = (each for each in ENCODERS.values() if each.model == name)
    return ENCODERS.get(name) or next(by_id, None)


def is_installed(name: str) -> bool:
    """Return True if an encoder (a name of ``ENCODERS``, a model id or a folder) needs no download."""
    known = find_encoder(name)
    if known and known.bundled:
        return True
    try:
        require("encoder")
    except MissingExtraError:
        return False
    source = known.model if known else name
    return Path(source).is_dir() or is_cached(source)


@dataclass(frozen=True)
class SentenceEncoder:
    """A loaded model, callable as an ``Encoder``.

    ``fingerprint`` is 8 hex digits of the weights' SHA-256, ``max_tokens`` the maximum number of word pieces of a
    text, ``count_tokens`` counts those of each text, and ``word_pieces`` lists them. ``source`` is the folder of a
    model loaded by path, and empty for a name or an id. ``languages`` are the codes of its training languages,
    empty if they are unknown or nearly all; ``farthest`` is that of ``EncoderModel``. ``company_counts`` is True
    if the last bits of a text's vector depend on the texts encoded in the same call.
    """

    name: str
    fingerprint: str
    encode: Encoder
    count_tokens: Callable[[Sequence[str]], list[int]]
    max_tokens: int
    languages: frozenset[str] = frozenset()
    word_pieces: Callable[[Sequence[str]], list[list[str]]] = _no_word_pieces
    source: str = ""
    farthest: float = 1.0
    company_counts: bool = False

    def __call__(self, texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        """(n, d) vectors of n texts, one row each."""
        return self.encode(texts)


def load_encoder(name: str | os.PathLike[str], *, device: str | None = None) -> SentenceEncoder:
    """Load an encoder: a name of ``ENCODERS``, a local folder, or a model id of the hub (with a slash).

    Args:
        name: the encoder.
        device: such as "cpu", "cuda" or "mps". None is that of TTED_DEVICE; without it, the CPU for bundled
            encoders, and for others CUDA or MPS when there.

    >>> load_encoder("minilm").encode(["Oak"]).shape
    (1, 384)
    """
    if not isinstance(name, (str, os.PathLike)) or not isinstance(device, (str, NoneType)):
        raise EncoderError(f"load_encoder takes a name and a device, not {name!r:.40} and {device!r:.40}")
    name = os.fspath(name)
    folder = Path(name)
    is_known = (
        name in ENCODERS or not name or not (folder.is_dir() or "/" in name)
    )  # Path("") is the current folder
    known = lookup(ENCODERS, name, "encoder") if is_known else None
    if known is not None and known.bundled:
        return _find_bundled(name, known, device)
    # No id of the hub.
    if known is None and not folder.is_dir() and (name.count("/") > 1 or name[0] in "./~"):
        raise EncoderError(
            f"there is no folder {quoted(name)}; name the folder of an encoder, a model id of the hub "
            f"(owner/name), or one of: {', '.join(ENCODERS)}"
        )
    require("encoder", None, NEEDS_NO_EXTRA)
    if known is not None:
        return _load(name, known.model, device, known)
    if folder.is_dir():
        found = _load(folder.resolve().name, str(folder), device, folder=folder)
        return replace(found, source=str(folder.resolve()))
    return _load(name, name, device, find_encoder(name))


def _find_bundled(name: str, known: EncoderModel, device: str | None) -> SentenceEncoder:
    """A bundled model; its weights are checked now, and loaded at the first text that needs them."""
    model = BUNDLED[name]
    folder = model.find_model_folder()
    if name != "minilm" and (device or "cpu") != "cpu":
        raise EncoderError(
            f"the encoder {name} runs on the CPU alone, not on {device!r}; name no device for it"
        )
    named = find_device(device) or "cpu"
    if name == "minilm" and named != "cpu":
        require("encoder", f"the encoder minilm on the device {named!r}", "name no device for it, or ")
        return _load(name, str(folder), named, known, folder)
    return SentenceEncoder(
        name,
        model.FINGERPRINT,
        model.encode,
        partial(count_pieces, model.word_pieces),
        model.MAX_TOKENS,
        TRAINED_ON[known.languages],
        word_pieces=model.word_pieces,
        company_counts=name != "minilm",
    )


def _load(
    name: str,
    source: str,
    device: str | None,
    known: EncoderModel | None = None,
    folder: Path | None = None,
) -> SentenceEncoder:
    """Load ``source``: a folder, or without one a model of the hub.

    The prompt is that of the record, or that of the model's own files.
    """

    def load(device: str | None) -> "SentenceTransformer":
        from sentence_transformers import SentenceTransformer

        return SentenceTransformer(source, device=device, local_files_only=True, trust_remote_code=False)

    model, digest = load_pretrained(
        f"the encoder {name!r}",
        source,
        load,
        device=device,
        folder=folder,
        saved="saved by sentence-transformers",
    )
    if known and known.prompt:
        model.prompts["tted"], model.default_prompt_name = known.prompt, "tted"
    prompt = prompt_of(model)
    if prompt:  # the prompt changes the vectors
        digest = sha256(f"{digest}\0{prompt}".encode()).hexdigest()

    def word_pieces(texts: Sequence[str]) -> list[list[str]]:
        readable = [prompt + without_surrogates(text) for text in texts]
        tokens = model.tokenizer(readable, add_special_tokens=True, truncation=False, verbose=False)
        return [model.tokenizer.convert_ids_to_tokens(ids) for ids in tokens["input_ids"]]

    return SentenceEncoder(
        name,
        digest[:8],
        lambda texts: encode_unpadded(model, texts, CHUNK),
        partial(count_pieces, word_pieces),
        int(model.max_seq_length or 0),
        TRAINED_ON[known.languages] if known else frozenset(),
        word_pieces,
        farthest=known.farthest if known else 1.0,
        company_counts=not callable(model.tokenizer),
    )


def count_pieces(word_pieces: Callable[[Sequence[str]], list[list[str]]], texts: Sequence[str]) -> list[int]:
    """The number of word pieces of each text."""
    return list(map(len, word_pieces(texts)))


def encode_unpadded(model: Any, texts: Sequence[str], batch: int) -> NDArray[np.floating[Any]]:
    """(n, d) vectors of n texts by a ``SentenceTransformer``, at most ``batch`` texts at a time.

    Texts with the same number of word pieces go through the model together. Padding costs time and changes the
    rounding of sums, by about 1e-7. Without it MiniLM takes half the time for sentences, and a text's vector
    depends on the text alone: to the last bit if the processor's matrix products round alike for any number of
    rows. Some with AMX don't: differences of 1.6e-7 were seen.
    """
    encode = partial(model.encode, batch_size=batch, show_progress_bar=False, convert_to_numpy=True)
    if len(texts) < 2 or not callable(model.tokenizer):  # a tokenizer of whole words doesn't pad
        return np.asarray(encode(list(texts)))
    most, prompt = model.max_seq_length, prompt_of(model)
    tokens = model.tokenizer(
        [prompt + text for text in texts], truncation=bool(most), max_length=most or None
    )["input_ids"]
    counts = np.array([len(each) for each in tokens])
    order = np.argsort(counts, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(counts[order])) + 1)
    vectors = np.concatenate([encode([texts[index] for index in group]) for group in groups])
    return np.asarray(vectors[np.argsort(order)])


def prompt_of(model: Any) -> str:
    """The prompt that a ``SentenceTransformer`` puts before every text."""
    return str(getattr(model, "prompts", {}).get(getattr(model, "default_prompt_name", None) or "", ""))
