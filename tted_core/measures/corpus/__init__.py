"""Properties of a generated set of sentences, held against a reference set.

Source: Zwerdling et al., "Understanding the Properties of Generated Corpora". What stands in one map or many is
read as a bag of sentences, one a node: how many are new and different, which words are new, whether they are
grammatical and plausible, and how near they come to the reference in meaning and in wording. The reference is
the paper's training set; a test set beside it serves for the meaning.
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
    """The texts of all nodes of all trees, in order; empty ones are left out."""
    return tuple(label for tree in trees for label in tree.labels if label.strip())
