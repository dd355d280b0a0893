"""BERTScore of texts, with the package bert-score.

Zhang, Kishore, Wu, Weinberger and Artzi, "BERTScore: Evaluating Text Generation with BERT", ICLR 2020; its use
for Russian: Koroteev 2020.

Every word piece of a text has a vector from one layer of a language model. Recall R is the mean, over the word
pieces of the reference, of the cosine with the most similar one of the candidate; precision P is the same with
the texts exchanged, and F1 = 2PR / (P + R). With IDF, the means are weighted by the rarity of a word piece among
given texts: log((N + 1) / (c + 1)) for one that occurs in c of N texts.

The package embeds both texts of every pair and pads each batch of pairs to its longest text. Here each distinct
text is embedded once, and pairs are matched by matrix products; the numbers equal the package's for single
pairs. In a batch, the package gives padding a similarity of 0, so that a word piece whose best cosine is below 0
depends on the batch. Two cases differ: with transformers 5 the package fails on an empty text (here P, R and F1
are 0, as in earlier releases), and if all weights of a text are 0 it returns NaN (here 0).
"""

import functools
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Condition
from typing import Any, TypeAlias

import numpy as np
from cachetools import LRUCache, cached
from numpy.typing import NDArray

from tted_core.encoders import minilm
from tted_core.encoders.hub import load_pretrained
from tted_core.encoders.sentence_encoder import ENCODERS
from tted_core.errors import EncoderError, check_limit, lookup, require
from tted_core.foundations.messages import without_surrogates
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.notices import language_notice

# Maximum pairs of word pieces compared, over all pairs of texts: about 40 seconds.
MAX_BERTSCORE_CELLS = 1_000_000_000

# Maximum numbers in the vectors of all word pieces: 78,000 word pieces with MiniLM, which take 0.8 GB.
MAX_BERTSCORE_NUMBERS = 30_000_000

# Word pieces embedded at once, including padding: about 64 sentences, or four texts of maximum length.
BATCH_PIECES = 2048

_Matrix: TypeAlias = NDArray[np.float64]
Idf: TypeAlias = Mapping[int, float]  # the weight of each word piece, by its number in the vocabulary


@dataclass(frozen=True)
class TokenEmbeddings:
    """A text's t word pieces (numbers in the vocabulary) and their (t, d) unit vectors in float64.

    ``marks`` flags word pieces that the model adds to every text, such as [CLS] and [SEP].
    """

    pieces: tuple[int, ...]
    marks: tuple[bool, ...]
    vectors: NDArray[np.float64] = field(repr=False)


def greedy_matching(
    candidates: Sequence[TokenEmbeddings], references: Sequence[TokenEmbeddings], idf: Idf | None = None
) -> tuple[_Matrix, _Matrix]:
    """(n, m) precision and recall of all pairs of n candidates and m references; equal weights without ``idf``."""
    starts = np.cumsum([0, *(len(one.pieces) for one in references)])[:-1]
    vectors = np.concatenate([one.vectors for one in references]).T
    recall_weights = np.concatenate([_weights(one, idf) for one in references])
    precision, recall = np.empty((2, len(candidates), len(references)))
    for row, candidate in enumerate(candidates):
        cosines = candidate.vectors @ vectors
        precision[row] = _weights(candidate, idf) @ np.maximum.reduceat(cosines, starts, axis=1)
        recall[row] = np.add.reduceat(cosines.max(axis=0) * recall_weights, starts)
    empty, other_empty = ([all(one.marks) for one in side] for side in (candidates, references))
    undefined = np.logical_or.outer(empty, other_empty)
    precision[undefined] = recall[undefined] = 0.0
    return precision, recall


def _weights(one: TokenEmbeddings, idf: Idf | None) -> NDArray[np.float64]:
    """The weights of a text's word pieces; equal ones without ``idf``, except 0 for the model's own marks."""
    weights = [not mark for mark in one.marks] if idf is None else [idf[piece] for piece in one.pieces]
    raw = np.array(weights, dtype=np.float64)
    total = raw.sum()
    return raw / total if total > 0 else raw


@dataclass(frozen=True)
class BERTScorer:
    """A loaded transformer, one ``layer`` of which provides the vectors.

    ``fingerprint`` is 8 hex digits of the weights' SHA-256.
    """

    name: str
    fingerprint: str
    layer: int
    _model: Any = field(repr=False)
    _tokenizer: Any = field(repr=False)

    def scores(
        self,
        candidates: Sequence[str],
        references: Sequence[str],
        *,
        idf: Idf | None = None,
        monitor: Monitor = UNWATCHED,
    ) -> tuple[_Matrix, _Matrix]:
        """(n, m) precision and recall of all pairs of a candidate and a reference.

        Args:
            candidates: n texts.
            references: m texts.
            idf: the result of ``idf_weights``; None for equal weights.
            monitor: receives the progress; may stop the work.
        """
        count = {text: len(self._pieces(text)) for text in {*candidates, *references}}
        cells = sum(count[text] for text in candidates) * sum(count[text] for text in references)
        way_out = "compare smaller maps or shorter texts"
        check_limit(cells, MAX_BERTSCORE_CELLS, "pairs of word pieces for BERTScore", way_out)
        numbers = sum(count.values()) * int(self._model.config.hidden_size)
        check_limit(numbers, MAX_BERTSCORE_NUMBERS, "numbers in the vectors for BERTScore", way_out)
        embedded = self._embed((*candidates, *references), monitor)
        rows, columns = ([embedded[text] for text in side] for side in (candidates, references))
        return greedy_matching(rows, columns, idf)

    def f1(self, candidate: str, reference: str) -> float:
        """F1 of two texts; 1 for equal texts."""
        return 1.0 - float(bertscore_distances([candidate], [reference], self)[0, 0])

    def _embed(self, texts: Sequence[str], monitor: Monitor = UNWATCHED) -> dict[str, TokenEmbeddings]:
        """The word pieces of each distinct text, embedded in a fixed order with little padding."""
        from bert_score.utils import get_bert_embedding

        marks = {self._tokenizer.cls_token_id, self._tokenizer.sep_token_id}
        pieces = {text: self._pieces(text) for text in set(texts)}
        embedded: dict[str, TokenEmbeddings] = {}
        for batch in _batches(pieces):
            no_weights: defaultdict[int, float] = defaultdict(float)
            readable = list(map(without_surrogates, batch))
            states, mask, _ = get_bert_embedding(
                readable, self._model, self._tokenizer, no_weights, device=self._model.device, all_layers=True
            )
            for text, its_states, its_mask in zip(batch, states, mask, strict=True):
                vectors = its_states[its_mask.bool(), self.layer].double().cpu().numpy()
                vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
                its_marks = tuple(piece in marks for piece in pieces[text])
                embedded[text] = TokenEmbeddings(pieces[text], its_marks, vectors)
            monitor.advance(len(embedded), len(pieces))
            monitor.check()
        return embedded

    def notices(self, texts: Sequence[str]) -> tuple[str, ...]:
        """Warn about texts in languages that the model was not trained on, and about too long texts."""
        distinct = set(texts)
        most = int(self._tokenizer.model_max_length)
        long = sum(self.count_pieces(text) > most for text in distinct)
        cut = (
            f"{long} of {len(distinct)} texts are longer than the {most} word pieces that {self.name} reads for "
            "BERTScore; only their beginning counts"
        )
        return (*language_notice(self.name, texts), *([cut] if long else []))

    def count_pieces(self, text: str) -> int:
        """Number of word pieces of a text, including the model's own marks, before truncation."""
        readable = without_surrogates(text).strip()
        return len(self._tokenizer.encode(readable, truncation=False, verbose=False))

    def _pieces(self, text: str) -> tuple[int, ...]:
        from bert_score.utils import sent_encode

        return tuple(sent_encode(self._tokenizer, without_surrogates(text)))

    def idf_weights(self, texts: Sequence[str]) -> Idf:
        """The weight of each word piece by its rarity among these texts."""
        from bert_score.utils import get_idf_dict

        weights: Idf = get_idf_dict(list(map(without_surrogates, texts)), self._tokenizer, nthreads=0)
        return weights


def _batches(pieces: Mapping[str, Sequence[int]]) -> Iterator[list[str]]:
    """The texts from shortest to longest, in batches that have at most ``BATCH_PIECES`` with padding."""
    batch: list[str] = []
    for text in sorted(pieces, key=lambda text: (len(pieces[text]), text)):
        if batch and (len(batch) + 1) * len(pieces[text]) > BATCH_PIECES:
            yield batch
            batch = []
        batch.append(text)
    yield batch


def bertscore_distances(
    left: Sequence[str],
    right: Sequence[str],
    scorer: BERTScorer,
    *,
    idf: bool = False,
    monitor: Monitor = UNWATCHED,
) -> NDArray[np.float64]:
    """(n, m) node distances 1 - F1, from 0 (equal texts) to 1 (such as to the empty text); not a metric.

    Only equal texts are at exactly 0. A precision or recall below 0 (hardly any word piece resembles the other
    text) counts as 0: the harmonic mean of numbers with different signs isn't a mean.

    Args:
        left: n texts.
        right: m texts.
        scorer: the model.
        idf: weigh word pieces by their rarity among the distinct texts of both sides.
        monitor: receives the progress; may stop the work.
    """
    weights = scorer.idf_weights([text for text in dict.fromkeys((*left, *right)) if text]) if idf else None
    precision, recall = np.maximum(scorer.scores(left, right, idf=weights, monitor=monitor), 0.0)
    total = precision + recall
    f1 = np.divide(2 * precision * recall, total, out=np.zeros_like(total), where=total != 0)
    equal = np.equal.outer(np.array(left, dtype=object), np.array(right, dtype=object)).astype(bool)
    return np.where(equal, 0.0, np.clip(1.0 - f1, 0.0, 1.0))


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
        folder = minilm.find_model_folder() if known.bundled else None
        source = known.model
    else:
        source = name if folder is None else str(folder)
    return _load(folder.name if folder and name not in ENCODERS else name, source, folder, device)


@cached(LRUCache(2), condition=Condition())
def _load(name: str, source: str, folder: Path | None, device: str | None) -> BERTScorer:
    """Load ``source`` from its folder, or from the hub."""
    from bert_score.utils import model2layers

    (model, tokenizer), digest = load_pretrained(
        f"the word vectors of {name!r}",
        source,
        functools.partial(_from_pretrained, str(folder or source)),
        device=device,
        folder=folder,
        saved="with a transformer and its tokenizer",
    )
    layers = int(model.config.num_hidden_layers)
    # The package's authors use names without the owner, as was usual on the hub: bert-base-cased, for example.
    best = int(model2layers.get(source, model2layers.get(Path(source).name, layers)))
    return BERTScorer(name, digest[:8], min(best, layers), model, tokenizer)


def _from_pretrained(source: str, device: str | None) -> tuple[Any, Any]:
    """Model and tokenizer, from this machine.

    The package's own loader isn't used: it takes every model with "t5" in its folder's path for a T5.
    """
    import torch
    from transformers import AutoModel, AutoTokenizer

    how: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    tokenizer = AutoTokenizer.from_pretrained(source, **how)
    model = AutoModel.from_pretrained(source, **how)
    if not hasattr(tokenizer, "build_inputs_with_special_tokens"):
        # Missing from transformers 5, but the package needs it for the marks around an empty text.
        tokenizer.build_inputs_with_special_tokens = lambda _: tokenizer.encode("")  # type: ignore[method-assign]
    if tokenizer.model_max_length > 1 << 20:  # some models don't say, and the package would not truncate
        tokenizer.model_max_length = int(getattr(model.config, "max_position_embeddings", 514)) - 2
    model = (model.encoder if model.config.is_encoder_decoder else model).eval()
    return model.to(device or ("cuda" if torch.cuda.is_available() else "cpu")), tokenizer
