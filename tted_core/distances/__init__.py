"""Distances between texts themselves, not between vectors of sentences: letters, words, and BERTScore.

``TEXT_DISTANCES`` and ``MASKED_DISTANCES`` (by a masked language model, which is not bundled) stand beside
``DISTANCES`` (of vectors); all are choices of the option "distance". Those that
are no metrics are allowed in every order: the cheapest mapping is well defined for any costs, and 0 for equal
maps. The distance of maps is then no metric either, and a notice says so.
"""

from tted_core.distances.by_bertscore import BERTSCORE_DISTANCES
from tted_core.distances.by_ndd import MASKED_DISTANCES
from tted_core.distances.record import Counted, TextDistance, Texts
from tted_core.distances.strings import levenshtein, levenshtein_metric, sequence_matcher, word_levenshtein

TEXT_DISTANCES: dict[str, TextDistance] = {
    **BERTSCORE_DISTANCES,
    "levenshtein": TextDistance(
        levenshtein,
        metric=False,
        note="The letters that differ, as a share of the longer sentence; no encoder is used.",
    ),
    "levenshtein-metric": TextDistance(
        levenshtein_metric,
        metric=True,
        note="The letters that differ, on the scale of Li and Liu (2007), which makes a metric of it; no encoder.",
    ),
    "word-levenshtein": TextDistance(
        word_levenshtein,
        metric=True,
        note="The words that differ, on the scale of Li and Liu (2007); no encoder is used.",
    ),
    "sequence-matcher": TextDistance(
        sequence_matcher,
        metric=False,
        note="The letters outside the blocks that both sentences share, by Python's difflib; no encoder is used.",
        symmetric=False,
    ),
}

__all__ = ["MASKED_DISTANCES", "TEXT_DISTANCES", "Counted", "TextDistance", "Texts"]
