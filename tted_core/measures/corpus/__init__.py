"""Properties of a generated set of sentences, compared with a reference set.

Source: Zwerdling et al., "Understanding the Properties of Generated Corpora". Maps are read as a bag of
sentences, one per node: how many are new and different, which words are new, whether they are grammatical and
plausible, and how close they are to the reference in meaning and in wording. The reference is the paper's
training set; an optional test set serves for the meaning.
"""

from collections.abc import Iterable

from tted_core.measures.corpus.properties import (
    CorpusProperties,
    GeneratedSentence,
    Missing,
    corpus_json,
    measure_corpus,
    sentences_csv,
)
from tted_core.measures.corpus.sets import (
    COLLAPSE_GAP,
    COLLAPSE_PRECISION,
    PLAGIARISM_SIMILARITY,
    Flag,
    Number,
    Numbers,
    flags,
)
from tted_core.measures.corpus.similarity import (
    CurvePoint,
    GrammarCheck,
    SetSimilarity,
    load_grammar_check,
    plane_density,
    unique_curve,
)
from tted_core.tree import TextTree

__all__ = [
    "COLLAPSE_GAP",
    "COLLAPSE_PRECISION",
    "PLAGIARISM_SIMILARITY",
    "CorpusProperties",
    "CurvePoint",
    "Flag",
    "GeneratedSentence",
    "GrammarCheck",
    "Missing",
    "Number",
    "Numbers",
    "SetSimilarity",
    "corpus_json",
    "flags",
    "load_grammar_check",
    "measure_corpus",
    "plane_density",
    "sentences_csv",
    "sentences_of",
    "unique_curve",
]


def sentences_of(trees: Iterable[TextTree]) -> tuple[str, ...]:
    """Texts of all nodes of all trees, in order, without empty ones."""
    return tuple(label for tree in trees for label in tree.labels if label.strip())
