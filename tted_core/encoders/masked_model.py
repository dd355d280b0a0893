"""Masked language models, which predict a word in a gap: any ``AutoModelForMaskedLM`` of transformers.

None is bundled. A model is loaded from a folder or downloaded once from the Hugging Face hub; if that fails, the
error names the command that fetches it, and no other model is substituted.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tted_core.encoders.hub import load_pretrained
from tted_core.errors import check_limit, lookup, require
from tted_core.foundations.messages import without_surrogates

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

DEFAULT_MASKED_MODEL = "bert-base-cased"

# Maximum numbers in one batch of predictions (texts times word pieces times vocabulary).
BATCH_VALUES = 1 << 25

_BATCH_TEXTS = 64

_CHUNK = 1024  # number of sentences tokenized at a time

# Types of model whose first two positions are unused (their tables have 514 for 512 word pieces).
_NEVER_ATTENDED = {"roberta", "xlm-roberta", "camembert"}


@dataclass(frozen=True)
class MaskedModelEntry:
    """A known model: its id on the hub, a note, and its languages as in ``EncoderModel``."""

    model: str
    note: str
    languages: str = "English"


MASKED_MODELS: dict[str, MaskedModelEntry] = {
    "bert-base-cased": MaskedModelEntry(
        "google-bert/bert-base-cased", "the NDD paper's model, English, 0.4 GB"
    ),
    "bert-base-multilingual-cased": MaskedModelEntry(
        "google-bert/bert-base-multilingual-cased",
        "104 languages, Russian among them, 0.7 GB",
        "100+ languages",
    ),
}


class MaskedSpan(NamedTuple):
    """A sentence in which ``[start:end]`` is masked."""

    sentence: str
    start: int
    end: int


class MaskedModel:
    """A loaded masked language model.

    Attributes:
        name: its requested name.
        fingerprint: 8 hex digits of the weights' SHA-256.
        max_pieces: maximum word pieces of a sentence, with the two marks around it.
        vocabulary_size: c, the number of word pieces that it can predict.
        mask: the mask as text.
    """

    def __init__(
        self, name: str, fingerprint: str, model: "PreTrainedModel", tokenizer: "PreTrainedTokenizerBase"
    ) -> None:
        """Wrap a model and its tokenizer, which must have a mask."""
        self.name = name
        self.fingerprint = fingerprint
        self._model = model
        self._tokenizer: Any = tokenizer
        self.mask = str(tokenizer.mask_token)
        config: Any = model.config
        unused = 2 if config.model_type in _NEVER_ATTENDED else 0
        positions = getattr(config, "max_position_embeddings", None)
        self.max_pieces = min(tokenizer.model_max_length, (positions or 1 << 30) - unused)
        self.vocabulary_size = int(config.vocab_size)

    def distributions(self, gaps: Sequence[MaskedSpan]) -> Iterator[NDArray[np.float64]]:
        """For each gap, the (c,) log-probabilities of its content: log softmax(PLM(W_m)_i).

        The masked part is replaced with *one* mask, however many word pieces it has, as in section 2 of the NDD
        paper.
        """
        for start in range(0, len(gaps), _CHUNK):
            some = gaps[start : start + _CHUNK]
            rows = self._pieces(
                [gap.sentence[: gap.start] + self.mask + gap.sentence[gap.end :] for gap in some]
            )
            masked = []
            for gap, row in zip(some, rows, strict=True):
                written = gap.sentence[: gap.start].count(self.mask)  # masks in the sentence itself
                masks = [at for at, piece in enumerate(row) if piece == self._tokenizer.mask_token_id]
                masked.append((row, masks[written]))
            yield from self._predictions(masked)

    def perplexity(self, sentence: str) -> float | None:
        """Pseudo-perplexity: exp(-mean over the word pieces of log P(piece | all others)); None without a piece.

        Each word piece is masked by itself (Salazar et al., "Masked Language Model Scoring", ACL 2020, eq. 1
        and 4). Lower is more fluent; never below 1.
        """
        (row,) = self._pieces([sentence])
        marks = set(self._tokenizer.all_special_ids) - {self._tokenizer.unk_token_id}
        positions = [at for at, piece in enumerate(row) if piece not in marks]
        if not positions:
            return None
        masked = [([*row[:at], self._tokenizer.mask_token_id, *row[at + 1 :]], at) for at in positions]
        likelihoods = [
            float(predicted[row[at]])
            for at, predicted in zip(positions, self._predictions(masked), strict=True)
        ]
        return float(np.exp(-np.mean(likelihoods)))

    def first_pieces(self, word: str) -> tuple[int, ...]:
        """The first word piece of a word, at the start of a text and after a space, if they differ."""
        word = without_surrogates(word)
        rows = self._tokenizer([word, f" {word}"], add_special_tokens=False)["input_ids"]
        return tuple(dict.fromkeys(row[0] for row in rows if row))

    def _pieces(self, texts: Sequence[str]) -> list[list[int]]:
        readable = list(map(without_surrogates, texts))
        rows: list[list[int]] = self._tokenizer(readable, truncation=False, verbose=False)["input_ids"]
        longest = max(map(len, rows))
        what = f"word pieces in a sentence for the masked model {self.name}"
        check_limit(longest, self.max_pieces, what, "shorten the sentence or split it")
        return rows

    def _predictions(self, masked: Sequence[tuple[list[int], int]]) -> Iterator[NDArray[np.float64]]:
        """Log-probabilities at one position of each row of word pieces, computed in batches."""
        import torch
        from torch.nn.utils.rnn import pad_sequence

        longest = max((len(row) for row, _ in masked), default=1)
        size = min(max(1, BATCH_VALUES // (longest * self.vocabulary_size)), _BATCH_TEXTS)
        for start in range(0, len(masked), size):
            batch = masked[start : start + size]
            rows = [torch.tensor(row) for row, _ in batch]
            pieces = pad_sequence(rows, batch_first=True, padding_value=self._tokenizer.pad_token_id or 0)
            attended = pad_sequence([torch.ones_like(row) for row in rows], batch_first=True)
            with torch.inference_mode():
                device = self._model.device
                logits = self._model(input_ids=pieces.to(device), attention_mask=attended.to(device)).logits
                chosen = logits[torch.arange(len(batch)), [position for _, position in batch]]
                predicted = torch.log_softmax(chosen.cpu().double(), dim=-1)
            yield from predicted.numpy()


def load_masked_model(name: str = DEFAULT_MASKED_MODEL, *, device: str | None = None) -> MaskedModel:
    """Load a masked language model: a name of ``MASKED_MODELS``, a local folder, or a model id of the hub.

    Args:
        name: the model; a folder takes precedence over a model id, a known name over both.
        device: "cpu", "cuda" or "mps"; None takes CUDA when there, else the CPU.
    """
    require("encoder")
    folder = Path(name)
    if name in MASKED_MODELS or not name:  # Path("") is the current folder
        return _load(name, lookup(MASKED_MODELS, name, "masked model").model, None, device)
    if folder.is_dir():
        return _load(folder.resolve().name, str(folder), folder, device)
    return _load(name, name, None, device)


def _load(name: str, source: str, folder: Path | None, device: str | None) -> MaskedModel:
    (model, tokenizer), digest = load_pretrained(
        f"the masked model {name!r}",
        source,
        partial(_from_pretrained, source),
        device=device,
        folder=folder,
        saved="with a masked language model and its tokenizer",
        otherwise="name a folder that holds one",
    )
    return MaskedModel(name, digest[:8], model, tokenizer)


def _from_pretrained(source: str, device: str | None) -> tuple[Any, Any]:
    """The model and the tokenizer, from this machine."""
    import torch
    from transformers import AutoModelForMaskedLM, AutoTokenizer
    from transformers.utils import logging

    how: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    verbosity = logging.get_verbosity()
    logging.set_verbosity(50)  # critical only; its warnings are checked below
    try:
        tokenizer = AutoTokenizer.from_pretrained(source, **how)
        model, info = AutoModelForMaskedLM.from_pretrained(source, output_loading_info=True, **how)
    finally:
        logging.set_verbosity(verbosity)
    if info["missing_keys"]:  # transformers would use random numbers
        name = min(info["missing_keys"])
        raise ValueError(f"it has no weights for {name}, so it can't predict masked words")
    if tokenizer.mask_token is None:
        raise ValueError("its tokenizer has no mask")
    return model.eval().to(device or ("cuda" if torch.cuda.is_available() else "cpu")), tokenizer
