"""Node distances: between sentence vectors, letters, and words by BERTScore.

Texts are encoded, their vectors blended by the context, and the distances of both maps' nodes computed at once;
distances that read no sentence vectors take the texts. ``DISTANCES`` lists all.

Distances that aren't metrics are allowed in every order: the cheapest mapping is well defined for any costs, and
costs 0 for equal maps. TTED is then not a metric either, and a notice says so.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.contexts import CONTEXTS, Context
from tted_core.distances.bertscore import BERTScorer, bertscore_distances, load_bertscorer
from tted_core.distances.formulas import cosine, euclidean, levenshtein, manhattan, sequence_matcher
from tted_core.encoders.embedding import encoder_of
from tted_core.encoders.sentence_encoder import Encoder, SentenceEncoder, load_encoder
from tted_core.errors import EncoderError, OptionsError, lookup
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.notices import encoder_notices

_Matrix: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True)
class Models:
    """An encoder, loaded or given by name, and how models are loaded by name.

    Attributes:
        encoder: a name for ``load_encoder``, or any function from n texts to (n, d) vectors.
        load_encoder: loads an encoder by name, if sentence vectors are needed.
        load_bertscorer: loads the word vectors of an encoder by name.
    """

    encoder: str | Encoder = "minilm"
    load_encoder: Callable[[str], Encoder] = field(default_factory=lambda: load_encoder)
    load_bertscorer: Callable[[str], BERTScorer] = field(default_factory=lambda: load_bertscorer)

    def of(self, encoder: str) -> "Models":
        """These models if the encoder is loaded, or else those with the encoder of this name."""
        return replace(self, encoder=encoder) if isinstance(self.encoder, str) else self


@dataclass(frozen=True)
class Distance:
    """A node distance: an entry of ``DISTANCES``.

    Attributes:
        name: name in the registry.
        function: returns (n, m) distances, at least 0, and exactly 0 for equal nodes. It takes (n, d) and (m, d)
            vectors if it reads those of an encoder; else n texts, m texts, the model if it needs one, and a
            monitor by name.
        note: one sentence for users.
        reads: the input that it needs: sentence vectors, word vectors of the same encoder's transformer, or only
            the texts.
        metric: True if the triangle inequality holds for all texts.
        symmetric: True if both directions are equal.
    """

    name: str
    function: Callable[..., _Matrix]
    note: str
    reads: Literal["encoder", "word vectors", "none"] = "encoder"
    metric: bool = True
    symmetric: bool = True

    def load(self, models: Models | None = None) -> "LoadedDistance":
        """The distance with its model, which is loaded if it is given by name."""
        models = models or Models()
        encoder = models.encoder
        if self.reads == "none":
            return LoadedDistance(self)
        if self.reads == "encoder":
            found = models.load_encoder(encoder) if isinstance(encoder, str) else encoder
            return LoadedDistance(self, encoder_of(found))
        source = encoder.source or encoder.name if isinstance(encoder, SentenceEncoder) else encoder
        if not isinstance(source, str):
            raise OptionsError(
                f"the distance {self.name} needs word vectors, which a function of texts doesn't provide; "
                "name an encoder, or choose another distance"
            )
        return LoadedDistance(self, models.load_bertscorer(source))

    def goes_with(self, context: Context) -> bool:
        """Return True if it supports this context: a context that blends vectors needs sentence vectors."""
        return context.blend is None or self.reads == "encoder"

    def check_goes_with(self, context: str) -> None:
        """Raise ``OptionsError`` if it doesn't support the context of this name."""
        if not self.goes_with(lookup(CONTEXTS, context, "context")):
            choices = ", ".join(name for name, each in CONTEXTS.items() if self.goes_with(each))
            raise OptionsError(
                f"the context {context} needs vectors, but the distance {self.name} compares texts; "
                f"choose one of the contexts {choices}, or another distance"
            )

    @property
    def notices(self) -> tuple[str, ...]:
        """A notice about TTED if the node distance isn't a metric."""
        if self.metric:
            return ()
        broken = "the triangle inequality" if self.symmetric else "symmetry and the triangle inequality"
        text = (
            f"the distance {self.name} is not a metric, so TTED and the Steinhaus score with it are not metrics "
            f"either: both are 0 for equal maps, but {broken} can break"
        )
        return (text,)


@dataclass(frozen=True)
class LoadedDistance:
    """A node distance with its loaded model.

    Attributes:
        record: the distance.
        reader: the model: an encoder or a ``BERTScorer``; None if it needs none.
    """

    record: Distance
    reader: Any = None

    @property
    def model(self) -> tuple[str, str]:
        """The name and the fingerprint of the model, for the signature.

        On first use, a caller's encoder is called with ten texts.
        """
        if self.reader is None:
            return "none", "none"
        layer = f"/layer{self.reader.layer}" if self.record.reads == "word vectors" else ""
        return self.reader.name, f"{self.reader.fingerprint}{layer}"

    def between(self, left: Sequence[str], right: Sequence[str], monitor: Monitor = UNWATCHED) -> _Matrix:
        """(n+1, m+1) distances of n and m texts; the last row and column are those to the gap, ""."""
        model = () if self.reader is None else (self.reader,)
        return self.record.function((*left, ""), (*right, ""), *model, monitor=monitor)

    def texts_notices(self, texts: Sequence[str], context: str) -> tuple[str, ...]:
        """Warnings about the distances of these texts in a context, given by name."""
        if self.reader is None:
            return ()
        if self.record.reads == "encoder":
            return encoder_notices(self.reader, texts, context)
        return tuple(self.reader.notices(texts))


def cost_error(costs: _Matrix) -> EncoderError | None:
    """The error of costs that are negative or no numbers, and would mislead a solver."""
    if np.isfinite(costs).all() and costs.min(initial=0.0) >= 0.0:
        return None
    return EncoderError(
        "the distance returned a cost that is negative or not a number; choose another encoder or distance"
    )


_DISTANCES = (
    Distance(
        "cosine",
        cosine,
        "√(1 - cos), cos being the cosine of two sentences' vectors: 0 for the same, about 1 for unrelated.",
    ),
    Distance(
        "euclidean",
        euclidean,
        "The length of the difference of the vectors; √2 times cosine where vectors have length 1.",
    ),
    Distance(
        "manhattan",
        manhattan,
        "The sum of the differences in each dimension; larger numbers, but similar results.",
    ),
    Distance(
        "bertscore",
        bertscore_distances,
        "1 − F1 of BERTScore: each word is compared with the most similar one of the other sentence, "
        "by the encoder's vectors of words.",
        reads="word vectors",
        metric=False,
    ),
    Distance(
        "bertscore-idf",
        partial(bertscore_distances, idf=True),
        "BERTScore in which words that are rare in the two maps weigh more.",
        reads="word vectors",
        metric=False,
    ),
    Distance(
        "levenshtein",
        levenshtein,
        "The letters that differ, as a share of the longer sentence; no encoder is used.",
        reads="none",
        metric=False,
    ),
    Distance(
        "sequence-matcher",
        sequence_matcher,
        "The letters outside the blocks that both sentences share, by Python's difflib; no encoder is used.",
        reads="none",
        metric=False,
        symmetric=False,
    ),
)

DISTANCES: dict[str, Distance] = {each.name: each for each in _DISTANCES}
