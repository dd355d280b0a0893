"""ROUGE as published: ``rouge_sim_published``, and the columns R-1, R-2, R-L of mind-map generation.

The first is the baseline exactly as computed for the published experiments. The code for the paper's tables
adapts the evaluation of CMGN (Zhang et al., AAAI 2024): each edge of the second tree, in order, takes and
removes the best remaining edge of the first; it must be strictly better than the initial value, the edge ("_",
"_"), and of equals the first wins. Sim is the sum of (R + R) / 2. R is the mean F of ROUGE-1, ROUGE-2 and
ROUGE-L of the package rouge 1.0.1, whose words are case-sensitive and keep their punctuation, and whose n-grams
are sets. Being greedy, it is neither symmetric nor the maximum of equation (6).

The ROUGE columns of papers on mind-map generation are R-1, R-2, R-L and their mean, per reference pair. Maps are
compared as lists of pairs (parent, child), matched greedily, since EMGN (Hu et al., EMNLP 2021) and CMGN (Zhang
et al., AAAI 2024). This is the protocol of the scores that the authors of TTED report in 2026: every reference
pair except the root's, in the order of the document, takes the best remaining generated pair; each of the four
columns matches by its own F1. docs/method.md compares it with CMGN's own code and ``rouge_sim_published``.
"""

from collections.abc import Collection, Sequence
from functools import partial
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from tted_core.baselines.kernel import BaselineScore, kernel_score
from tted_core.baselines.sim import (
    LabelEdges,
    Text,
    count_common,
    edge_gains,
    f1_scores,
    label_edges,
    lcs_lengths,
    number_occurrences,
    row_blocks,
    split_labels,
)
from tted_core.solvers.kernels.compiling import compile_kernel
from tted_core.tree import TextTree

INITIAL = "_"


def rouge_sim_published(left: TextTree, right: TextTree) -> BaselineScore:
    """Sim and rho_base by the published greedy matching."""
    texts = split_labels(left, right, split) | {INITIAL: split(INITIAL)}
    scores = label_scores(texts.values())
    start = label_edges(TextTree((INITIAL, INITIAL), (-1, 0)), texts)

    def similarity(one: LabelEdges, other: LabelEdges) -> float:
        """Greedy, in the order of the edges of T'; the initial value precedes the edges."""
        gains = np.hstack([edge_gains(scores, other, start), edge_gains(scores, other, one)])
        return take_best(gains / 2, kept=1)

    return kernel_score(similarity, label_edges(left, texts), label_edges(right, texts))


def take_best(gains: NDArray[np.float64], kept: int = 0) -> float:
    """The sum of gains if each row in turn takes its best column, of equals the first, and removes it.

    The first ``kept`` columns stay.
    """
    total = 0.0
    for gain in gains:
        best = int(gain.argmax())
        total += float(gain[best])
        if best >= kept:
            gains[:, best] = -np.inf
    return total


def split(label: str) -> Text:
    """The words that the package compares: it splits sentences at full stops, and words at white space.

    A sentence of white space only (the middle of ". .") is one empty word to it, which can match another.
    """
    return [sentence.split() or [""] for sentence in label.split(".") if sentence]


def label_scores(texts: Collection[Text]) -> NDArray[np.float64]:
    """R of all pairs of t texts (t, t), the reference (a label of the second tree) in the row."""
    rouge_1, rouge_2, rouge_l = rouge_scores(texts) / 3
    return np.asarray(rouge_1 + rouge_2 + rouge_l)


def rouge_scores(texts: Collection[Text]) -> NDArray[np.float64]:
    """F1 by ROUGE-1, ROUGE-2 and ROUGE-L of all pairs of t texts: (3, t, t), the reference in the row.

    The package rejects a text without words; here F1 is 0 then.
    """
    from rouge.rouge_score import f_r_p_rouge_n

    def f(common: int, reference: int, hypothesis: int) -> float:
        return float(f_r_p_rouge_n(hypothesis, reference, common)["f"])  # also the formula of ROUGE-L

    number: dict[str, int] = {}
    split_texts = [
        [[number.setdefault(word, len(number)) for word in sentence] for sentence in text] for text in texts
    ]
    words = [list(chain.from_iterable(text)) for text in split_texts]
    sentences = [[np.array(sentence, dtype=np.int64) for sentence in text] for text in split_texts]
    single = np.array([len(text) == 1 for text in sentences], dtype=np.bool_)
    ones, twos = count_common(words), count_common([list(pairwise(text)) for text in words])
    counted = count_common([list(number_occurrences(text)) for text in words])
    sizes, pairs = ones.diagonal(), twos.diagonal()
    scores = np.empty((3, len(words), len(words)))
    for rows in row_blocks(len(words)):
        common, clipped, length = ones[rows], counted[rows], lcs_lengths(words[rows], words)
        # The number of distinct words of ROUGE-L doesn't depend on the subsequence if there is at most one, or,
        # between two sentences, if no word is common twice or the subsequence contains all common words.
        sure = (common <= 1) | (single[rows, None] & single & ((clipped == common) | (clipped == length)))
        chosen = np.minimum(length, common)
        unsure = np.nonzero(~sure)
        chosen[unsure] = [
            union_size(sentences[rows.start + row], sentences[column], most)
            for row, column, most in zip(*unsure, common[unsure], strict=True)
        ]
        scores[0, rows] = f1_scores(common, sizes[rows], sizes, f)
        scores[1, rows] = f1_scores(twos[rows], pairs[rows], pairs, f)
        scores[2, rows] = f1_scores(chosen, sizes[rows], sizes, f)
    return scores


def pair_rouge(ranks: slice, left: TextTree, right: TextTree) -> BaselineScore:
    """The mean F1 of the left map's pairs, the left map being the reference.

    Pairs are matched by the mean of these of ROUGE-1, ROUGE-2 and ROUGE-L.

    The sum of (F1(parents) + F1(children)) / 2 over the matched pairs, divided by the number of reference pairs
    including the root's, which has no parent and is never matched: a map of n sentences scores (n - 1) / n with
    itself.
    """
    texts = split_labels(left, right, split)
    columns = rouge_scores(texts.values())[ranks]
    scores = columns.sum(axis=0) / len(columns)
    if "" in texts:  # two empty texts are equal
        empty = list(texts).index("")
        scores[empty, empty] = 1.0

    def similarity(reference: TextTree, generated: TextTree) -> float:
        wanted, given = (
            label_edges(tree, texts, [*zip(tree.parents[1:], range(1, len(tree)), strict=True)])
            for tree in (reference, generated)
        )
        # The package computes the score of the reference's text against the generated one.
        gains = edge_gains(scores, given, wanted).T / 2
        return take_best(gains[: len(generated) - 1]) / len(reference)  # while generated pairs remain

    return kernel_score(similarity, left, right)


cmgn_rouge1 = partial(pair_rouge, slice(0, 1))
cmgn_rouge2 = partial(pair_rouge, slice(1, 2))
cmgn_rougel = partial(pair_rouge, slice(2, 3))
cmgn_rouge = partial(pair_rouge, slice(0, 3))


def union_size(
    references: Sequence[NDArray[np.int64]], hypotheses: Sequence[NDArray[np.int64]], common: int
) -> int:
    """Number of distinct words in the subsequences of all pairs of sentences, as summary-level ROUGE-L counts.

    The number can't exceed ``common``, that of distinct common words of both texts.
    """
    chosen: set[int] = set()
    for reference in references:
        for hypothesis in hypotheses:
            find_words = lcs_words.for_size(reference.size * hypothesis.size)
            chosen.update(find_words(reference, hypothesis).tolist())
        if len(chosen) == common:
            break
    return len(chosen)


@compile_kernel
def lcs_words(x: NDArray[np.int64], y: NDArray[np.int64]) -> NDArray[np.int64]:
    """The words of the one longest common subsequence that the package rouge 1.0.1 reads from its table."""
    table = np.zeros((len(x) + 1, len(y) + 1), dtype=np.int16)
    for i in range(len(x)):
        for j in range(len(y)):
            longer = max(table[i, j + 1], table[i + 1, j])
            table[i + 1, j + 1] = table[i, j] + 1 if x[i] == y[j] else longer
    taken = np.zeros(len(x), dtype=np.bool_)
    i, j = len(x), len(y)
    while i and j:
        if x[i - 1] == y[j - 1]:
            taken[i - 1] = True
            i, j = i - 1, j - 1
        elif table[i - 1, j] > table[i, j - 1]:
            i -= 1
        else:
            j -= 1
    return x[taken]
