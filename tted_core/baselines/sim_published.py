"""``rouge_sim_published``: the baseline exactly as the published experiments computed it.

The code behind the paper's tables adapts the evaluation of CMGN (Zhang et al., AAAI 2024): for each edge of
the second tree, in its order, the best edge of the first that is still there is taken and removed; it must be
strictly better than the start value, the edge ("_", "_"), and of equals the first wins. Sim is the sum of
(R + R) / 2. R is the mean F of ROUGE-1, ROUGE-2 and ROUGE-L of the package rouge 1.0.1, whose words are
case-sensitive and keep their punctuation, and whose n-grams are sets. Greedy, so neither symmetric nor the
maximum of equation (6).
"""

from collections.abc import Collection
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from tted_core.baselines.kernel import BaselineScore, kernel_score
from tted_core.baselines.overlaps import (
    ItemSets,
    Sentence,
    f_scores,
    holders,
    lcs_lengths,
    numbered,
    row_blocks,
    union_size,
)
from tted_core.baselines.sim import LabelEdges, Text, distinct_texts, edge_gains, label_edges
from tted_core.tree import TextTree

START = "_"


def rouge_sim_published(left: TextTree, right: TextTree) -> BaselineScore:
    """Sim and rho_base by the published greedy matching.

    Raises:
        LimitError: the maps have too many words.
    """
    texts = distinct_texts(left, right, split) | {START: split(START)}
    scores = label_scores(texts.values())
    start = label_edges(TextTree((START, START), (-1, 0)), texts)

    def similarity(one: LabelEdges, other: LabelEdges) -> float:
        """Greedy, in the order of the edges of T'."""
        total = 0.0
        gains = np.hstack([edge_gains(scores, other, start), edge_gains(scores, other, one)])
        for gain in gains:
            best = gain.argmax()  # of equals the first, and the start value comes before the edges
            total += float(gain[best] / 2)
            if best > 0:
                gains[:, best] = -np.inf  # removed
        return total

    return kernel_score(similarity, label_edges(left, texts), label_edges(right, texts))


def split(label: str) -> Text:
    """The words that the package compares: it splits sentences at full stops, and words at white space.

    A sentence of white space alone (the middle of ". .") is one empty word to it, which can match another.
    """
    return [sentence.split() or [""] for sentence in label.split(".") if sentence]


def label_scores(texts: Collection[Text]) -> NDArray[np.float64]:
    """R of all pairs of t texts (t, t), the reference (a label of the second tree) in the row."""
    rouge_1, rouge_2, rouge_l = rouge_scores(texts)
    return np.asarray(rouge_1 / 3 + rouge_2 / 3 + rouge_l / 3)


def rouge_scores(texts: Collection[Text]) -> NDArray[np.float64]:
    """F1 by ROUGE-1, ROUGE-2 and ROUGE-L of all pairs of t texts: (3, t, t), the reference in the row.

    The package refuses a text without a word; here F1 is 0 then.
    """
    from rouge.rouge_score import f_r_p_rouge_n

    def f(common: int, reference: int, hypothesis: int) -> float:
        return float(f_r_p_rouge_n(hypothesis, reference, common)["f"])  # ROUGE-L has the same formula

    number: dict[str, int] = {}
    split_texts = [
        [[number.setdefault(word, len(number)) for word in sentence] for sentence in text] for text in texts
    ]
    words = [list(chain.from_iterable(text)) for text in split_texts]
    sentences = [[Sentence(sentence) for sentence in text] for text in split_texts]
    partners = [holders(text) for text in sentences]
    single = np.array([len(text) == 1 for text in sentences])
    ones, twos = ItemSets(words), ItemSets(pairwise(text) for text in words)
    counted = ItemSets(numbered(text) for text in words)
    scores = np.empty((3, len(words), len(words)))
    for rows in row_blocks(len(words)):
        common, clipped, length = ones.common(rows), counted.common(rows), lcs_lengths(words[rows], words)
        # How many distinct words ROUGE-L counts does not depend on the subsequence if there is at most one, or,
        # between two sentences, if no word is common twice or the subsequence holds all that is common.
        sure = (common <= 1) | (single[rows, None] & single & ((clipped == common) | (clipped == length)))
        chosen = np.minimum(length, common)
        unsure = np.nonzero(~sure)
        chosen[unsure] = [
            union_size(sentences[rows.start + row], partners[column], most)
            for row, column, most in zip(*unsure, common[unsure], strict=True)
        ]
        scores[0, rows] = f_scores(common, ones.sizes[rows], ones.sizes, f)
        scores[1, rows] = f_scores(twos.common(rows), twos.sizes[rows], twos.sizes, f)
        scores[2, rows] = f_scores(chosen, ones.sizes[rows], ones.sizes, f)
    return scores
