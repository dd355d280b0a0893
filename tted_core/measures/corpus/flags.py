"""What the paper reads from the numbers: mode collapse and plagiarism.

The thresholds lie in the gaps of its three tables (Amazon, News, Yahoo; embeddings by InferSent). The
collapsed VAEs have a semantic recall 0.034 to 0.048 below their precision, the other models at most 0.006:
from 0.02 on is a flag. EDA, which changes a few words of a training sentence, has a syntactic precision of
0.842 to 0.850, the others at most 0.736: from 0.8 on (a quarter of the words changed, on average) is a flag.
They are rules of thumb, and few sentences decide little.
"""

from typing import NamedTuple

from tted_core.measures.corpus.similarity import SetSimilarity

COLLAPSE_GAP = 0.02
"""Semantic precision minus recall."""

COLLAPSE_PRECISION = 0.5
"""Semantic precision below which the sentences are about something else; recall then tells of no collapse."""

PLAGIARISM_SIMILARITY = 0.8
"""Syntactic precision."""


class Flag(NamedTuple):
    """A finding: its name ("mode collapse", "plagiarism") and a sentence that says why."""

    name: str
    reason: str


def flags(semantic: SetSimilarity, syntactic: SetSimilarity) -> tuple[Flag, ...]:
    """What the numbers hint at; none if nothing stands out."""
    found = []
    gap = semantic.precision - semantic.recall
    if gap >= COLLAPSE_GAP and semantic.precision >= COLLAPSE_PRECISION:
        reason = (
            f"the semantic recall is {gap:.3f} below the precision ({COLLAPSE_GAP} or more is flagged): what was "
            "generated lies near the reference, but covers only a part of it"
        )
        found.append(Flag("mode collapse", reason))
    if syntactic.precision >= PLAGIARISM_SIMILARITY:
        reason = (
            f"the syntactic precision is {syntactic.precision:.3f} ({PLAGIARISM_SIMILARITY} or more is flagged): "
            "the sentences are the reference's own with few words changed"
        )
        found.append(Flag("plagiarism", reason))
    return tuple(found)
