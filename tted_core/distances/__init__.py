"""Node distances: between sentence vectors, letters, words, by BERTScore and by NDD.

``DISTANCES`` lists them. Distances that aren't metrics are allowed in every order: the cheapest mapping is well
defined for any costs, and costs 0 for equal maps. TTED is then not a metric either, and a notice says so.
"""

from collections.abc import Iterable

from tted_core.contexts import CONTEXTS
from tted_core.distances import by_models
from tted_core.distances.record import Distance, LoadedDistance, Models
from tted_core.distances.strings import levenshtein, sequence_matcher
from tted_core.distances.vectors import cosine, euclidean, manhattan
from tted_core.encoders.masked_model import DEFAULT_MASKED_MODEL
from tted_core.foundations.registry import lookup

_EVERY = (
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
        by_models.bertscore,
        "1 − F1 of BERTScore: each word is compared with the most similar one of the other sentence, "
        "by the encoder's vectors of words.",
        reads="word vectors",
        metric=False,
    ),
    Distance(
        "bertscore-idf",
        by_models.bertscore_idf,
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
    Distance(
        "ndd",
        by_models.ndd,
        "How much one sentence's words change the predictions of the other's (NDD), the mean of both directions; "
        "by a masked language model, which is not bundled.",
        reads="masked model",
        metric=False,
    ),
    Distance(
        "ndd-directed",
        by_models.ndd_directed,
        "The same from the left sentence to the right one only, as in the paper.",
        reads="masked model",
        metric=False,
        symmetric=False,
    ),
)

DISTANCES: dict[str, Distance] = {each.name: each for each in _EVERY}


def distances_at_hand() -> dict[str, Distance]:
    """Distances that need no model except the encoder, as a masked model may not be available."""
    return {name: each for name, each in DISTANCES.items() if each.reads != "masked model"}


def all_settings(
    encoders: Iterable[str],
    contexts: Iterable[str],
    distances: Iterable[str],
    masked_model: str = DEFAULT_MASKED_MODEL,
) -> list[tuple[str, str, str]]:
    """All valid combinations (model, context, distance), by names, grouped by model.

    A distance is measured with each encoder, or once with the model that it uses instead ("none" if it uses none).
    """
    encoders = list(encoders)
    chosen = [lookup(DISTANCES, name, "distance") for name in distances]
    in_contexts = [(name, lookup(CONTEXTS, name, "context")) for name in contexts]
    read = (model for each in chosen for model in each.models(encoders, masked_model))
    models = dict.fromkeys((*(model for model in read if model not in encoders), *encoders))
    return [
        (model, name, each.name)
        for model in models
        for name, context in in_contexts
        for each in chosen
        if model in each.models(encoders, masked_model) and each.goes_with(context)
    ]


__all__ = [
    "DISTANCES",
    "Distance",
    "LoadedDistance",
    "Models",
    "all_settings",
    "distances_at_hand",
]
