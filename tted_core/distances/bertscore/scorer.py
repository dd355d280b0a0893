"""A transformer that scores texts by BERTScore, with the package's tokenizing, embedding and IDF.

Word pieces are matched greedily: precision, recall and F1 (Zhang et al. 2020, section 3).

Rescaled BERTScore is easier to read: 0 for unrelated texts (Zhang et al. 2020, "Rescaling"). The package has
baselines, the average scores of unrelated texts, for some languages, models and layers. A score x with the
baseline b becomes (x - b) / (1 - b), which preserves rankings.
"""

import importlib.util
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.errors import OptionsError
from tted_core.foundations.limits import check_limit
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.words.splitting import without_surrogates

MAX_BERTSCORE_CELLS = 1_000_000_000
"""Maximum pairs of word pieces compared, over all pairs of texts: about 40 seconds."""

Idf: TypeAlias = Mapping[int, float]
"""The weight of each word piece, by its number in the vocabulary."""


@dataclass(frozen=True)
class TokenEmbeddings:
    """A text's t word pieces (numbers in the vocabulary) and their (t, d) unit vectors in float64.

    ``marks`` flags word pieces that the model adds to every text, such as [CLS] and [SEP].
    """

    pieces: tuple[int, ...]
    marks: tuple[bool, ...]
    vectors: NDArray[np.float64] = field(repr=False)


@dataclass(frozen=True)
class BERTScores:
    """(n, m) precision, recall and F1; candidates are rows, references columns."""

    precision: NDArray[np.float64]
    recall: NDArray[np.float64]
    f1: NDArray[np.float64]


def greedy_matching(
    candidates: Sequence[TokenEmbeddings], references: Sequence[TokenEmbeddings], idf: Idf | None = None
) -> BERTScores:
    """P, R and F1 of all pairs of n candidates and m references; equal weights without ``idf``."""
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
    return BERTScores(precision, recall, harmonic_mean(precision, recall))


def harmonic_mean(precision: NDArray[np.float64], recall: NDArray[np.float64]) -> NDArray[np.float64]:
    """F1 = 2PR / (P + R); 0 where both are 0."""
    total = precision + recall
    return np.divide(2 * precision * recall, total, out=np.zeros_like(total), where=total != 0)


def _weights(one: TokenEmbeddings, idf: Mapping[int, float] | None) -> NDArray[np.float64]:
    """The weights of a text's word pieces; equal ones without ``idf``, except 0 for the model's own marks."""
    if idf is None:
        raw = np.array([not mark for mark in one.marks], dtype=np.float64)
    else:
        raw = np.array([idf[piece] for piece in one.pieces], dtype=np.float64)
    total = raw.sum()
    return raw / total if total > 0 else raw


BATCH_PIECES = 2048
"""Word pieces embedded at once, including padding: about 64 sentences, or four texts of maximum length."""


@dataclass(frozen=True)
class TokenSimilarity:
    """(s, t) cosines between the word pieces of two texts, and the word pieces as text.

    ``candidate_marks`` and ``reference_marks`` flag the model's own: they can be the best partner of a word
    piece, but are not counted themselves.
    """

    candidate: tuple[str, ...]
    reference: tuple[str, ...]
    candidate_marks: tuple[bool, ...]
    reference_marks: tuple[bool, ...]
    cosines: NDArray[np.float64]


@dataclass(frozen=True)
class BERTScorer:
    """A loaded transformer; ``layer`` of its ``layers`` provides the vectors.

    ``fingerprint`` is 8 hex digits of the weights' SHA-256, ``source`` its folder or id on the hub.
    """

    name: str
    fingerprint: str
    layer: int
    layers: int
    _model: Any = field(repr=False)
    _tokenizer: Any = field(repr=False)
    source: str = ""

    @property
    def origin(self) -> str:
        """The source of the vectors in words.

        >>> BERTScorer("minilm", "53aa5117", 6, 6, None, None).origin
        'minilm, layer 6 of 6'
        """
        return f"{self.name}, layer {self.layer} of {self.layers}"

    def scores(
        self,
        candidates: Sequence[str],
        references: Sequence[str],
        *,
        idf: Sequence[str] | Idf | None = None,
        embedded: Mapping[str, TokenEmbeddings] | None = None,
        monitor: Monitor = UNWATCHED,
    ) -> BERTScores:
        """P, R and F1 of all pairs of a candidate and a reference.

        Args:
            candidates: n texts.
            references: m texts.
            idf: texts in which word pieces are counted for their weights, or the result of ``idf_weights``; None
                for equal weights.
            embedded: the result of ``embed`` for these texts, if available.
            monitor: receives the progress; may stop the work.
        """
        count = {text: len(self._pieces(text)) for text in {*candidates, *references}}
        cells = sum(count[text] for text in candidates) * sum(count[text] for text in references)
        way_out = "compare smaller maps or shorter texts"
        check_limit(cells, MAX_BERTSCORE_CELLS, "pairs of word pieces for BERTScore", way_out)
        if embedded is None:
            embedded = self.embed((*candidates, *references), monitor)
        rows, columns = ([embedded[text] for text in side] for side in (candidates, references))
        weights = idf if idf is None or isinstance(idf, Mapping) else self.idf_weights(idf)
        return greedy_matching(rows, columns, weights)

    def distance(
        self,
        left: Sequence[str],
        right: Sequence[str],
        *,
        idf: bool = False,
        monitor: Monitor = UNWATCHED,
    ) -> NDArray[np.float64]:
        """(n, m) node distances 1 - F1, from 0 (equal texts) to 1 (such as to the empty text); not a metric.

        Only equal texts are at exactly 0. A precision or recall below 0 (hardly any word piece resembles the
        other text) counts as 0: the harmonic mean of numbers with different signs isn't a mean.

        Args:
            left: n texts.
            right: m texts.
            idf: weigh word pieces by their rarity among the distinct texts of both sides.
            monitor: receives the progress; may stop the work.
        """
        documents = [text for text in dict.fromkeys((*left, *right)) if text] if idf else None
        scores = self.scores(left, right, idf=documents, monitor=monitor)
        f1 = harmonic_mean(np.maximum(scores.precision, 0.0), np.maximum(scores.recall, 0.0))
        distances = np.clip(1.0 - f1, 0.0, 1.0)
        distances[
            np.equal.outer(np.array(left, dtype=object), np.array(right, dtype=object)).astype(bool)
        ] = 0.0
        return distances

    def token_similarity(self, candidate: str, reference: str) -> TokenSimilarity:
        """The cosines used by the greedy matching of two texts."""
        embedded = self.embed((candidate, reference))
        sides = [embedded[text] for text in (candidate, reference)]
        one, other = (tuple(self._tokenizer.convert_ids_to_tokens(list(side.pieces))) for side in sides)
        cosines = sides[0].vectors @ sides[1].vectors.T
        return TokenSimilarity(one, other, sides[0].marks, sides[1].marks, cosines)

    def embed(self, texts: Sequence[str], monitor: Monitor = UNWATCHED) -> dict[str, TokenEmbeddings]:
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

    def count_pieces(self, text: str) -> int:
        """Number of word pieces of a text, including the model's own marks, before truncation."""
        readable = without_surrogates(text).strip()
        return len(self._tokenizer.encode(readable, truncation=False, verbose=False))

    @property
    def max_pieces(self) -> int:
        """Maximum number of word pieces of a text that the model reads."""
        return int(self._tokenizer.model_max_length)

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


def baseline_languages(source: str) -> tuple[str, ...]:
    """The languages for which the package has a baseline of the model with this id or folder; loads nothing."""
    return tuple(sorted(_files(source)))


def rescaled(scores: BERTScores, scorer: BERTScorer, language: str) -> BERTScores:
    """The scores rescaled for a language, such as "en"."""
    missing = missing_baseline(scorer, language)
    if missing:
        raise OptionsError(missing)
    table = np.loadtxt(_files(scorer.source)[language], delimiter=",", skiprows=1)
    of_p, of_r, of_f = table[scorer.layer, 1:]
    return BERTScores(
        *((x - b) / (1 - b) for x, b in ((scores.precision, of_p), (scores.recall, of_r), (scores.f1, of_f)))
    )


def missing_baseline(scorer: BERTScorer, language: str) -> str:
    """The reason why there is no baseline of this model for a language; empty if there is one."""
    known = baseline_languages(scorer.source)
    if language in known:
        return ""
    ways = f"take one of {', '.join(known)}, or leave it out" if known else "leave it out for this model"
    return f"bert-score has no baseline of {scorer.name} for the language {language!r}; {ways}"


def _files(source: str) -> dict[str, Path]:
    """Language -> the file of baselines, a row per layer; named after the model, with or without its owner."""
    package = importlib.util.find_spec("bert_score")
    if package is None or package.origin is None:
        return {}
    names = [Path(source).name, *([] if Path(source).is_absolute() else [source])]
    return {
        folder.name: folder / f"{name}.tsv"
        for folder in (Path(package.origin).parent / "rescale_baseline").iterdir()
        for name in names
        if (folder / f"{name}.tsv").is_file()
    }
