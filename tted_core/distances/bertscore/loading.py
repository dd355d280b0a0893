"""Loading transformers for BERTScore: an encoder's model with its tokenizer."""

import functools
from pathlib import Path
from typing import Any

from tted_core.distances.bertscore.scorer import BERTScorer
from tted_core.encoders.hub import cached_folder, loaded, loading_errors, weights_digest
from tted_core.encoders.sentence_encoder import ENCODERS, bundled_minilm_folder
from tted_core.errors import EncoderError
from tted_core.foundations.extras import require
from tted_core.foundations.once import once_each
from tted_core.foundations.registry import lookup


def load_bertscorer(name: str, *, device: str | None = None) -> BERTScorer:
    """Load the transformer of an encoder: a name of ``ENCODERS``, a folder, or a model id of the hub.

    The layer is the package's recommendation for models that its authors tested, otherwise the last one.
    """
    require("bertscore")
    folder = Path(name).resolve() if name and name not in ENCODERS and Path(name).is_dir() else None
    if folder is None and "/" not in name:
        known = lookup(ENCODERS, name, "encoder")
        if name == "use-multilingual":
            raise EncoderError(f"{name} has no contextual word vectors; choose another encoder")
        folder = bundled_minilm_folder() if known.bundled else None
        source = known.model
    else:
        source = name if folder is None else str(folder)
    return _load(folder.name if folder and name not in ENCODERS else name, source, folder, device)


@once_each(2)
def _load(name: str, source: str, folder: Path | None, device: str | None) -> BERTScorer:
    """Load ``source`` from its folder, or from the hub."""
    path, known = str(folder or source), folder is not None
    saved, otherwise = "with a transformer and its tokenizer", "choose minilm, which is bundled"
    with loading_errors(f"the word vectors of {name!r}", source, saved, otherwise, is_folder=known):
        model, tokenizer = loaded(path, functools.partial(_from_pretrained, path), is_folder=known)
        import torch

        model.to(device or ("cuda" if torch.cuda.is_available() else "cpu"))
        layers = int(model.config.num_hidden_layers)
        digest = weights_digest(folder or cached_folder(source))
        return BERTScorer(name, digest[:8], _layer(source, layers), layers, model, tokenizer, source)


def _layer(source: str, layers: int) -> int:
    """The layer recommended by the package's authors, or the last one for a model that they didn't test.

    They use models' names without the owner, as was usual on the hub: bert-base-cased, for example.
    """
    from bert_score.utils import model2layers

    best = int(model2layers.get(source, model2layers.get(Path(source).name, layers)))
    return min(best, layers)


def _from_pretrained(source: str) -> tuple[Any, Any]:
    """Model and tokenizer, from this machine.

    The package's own loader isn't used: it takes every model with "t5" in its folder's path for a T5.
    """
    from transformers import AutoModel, AutoTokenizer

    how: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    tokenizer = AutoTokenizer.from_pretrained(source, **how)
    model = AutoModel.from_pretrained(source, **how)
    if not hasattr(tokenizer, "build_inputs_with_special_tokens"):
        # Missing from transformers 5, but the package needs it for the marks around an empty text.
        tokenizer.build_inputs_with_special_tokens = lambda _: tokenizer.encode("")  # type: ignore[method-assign]
    if tokenizer.model_max_length > 1 << 20:  # some models don't say, and the package would not truncate
        tokenizer.model_max_length = int(getattr(model.config, "max_position_embeddings", 514)) - 2
    return (model.encoder if model.config.is_encoder_decoder else model).eval(), tokenizer
