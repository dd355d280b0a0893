"""Two sets of sentences: similarities, shares of new sentences and words, and flags.

Source: Zwerdling et al., "Understanding the Properties of Generated Corpora".

Precision, recall and F1 are taken over best partners (section 2 of the paper): Precision(G, T) is the mean over G
of the largest similarity to a sentence of T, Recall(G, T) the mean over T of the largest similarity to a sentence
of G. Similarity is the cosine of embeddings (semantic) or SynSim (syntactic).

Unique(n) and new vocabulary compare sentences in lower case and without punctuation: "isn't" is "isnt", "U.S." is
"us", "$1.5" is "15".

The semantic-syntactic plane shows each generated sentence by meaning and wording (figures 1 and 2 of the paper).
Sentences close to the reference in meaning are on the right, reworded ones at the top: the upper right corner has
new, relevant sentences, the lower right one copies; off-topic sentences are on the left.

The paper infers mode collapse and plagiarism from the numbers (``flags``). The thresholds are in the gaps of its
three tables (Amazon, News, Yahoo; embeddings by InferSent). The collapsed VAEs have a semantic recall 0.034 to
0.048 below their precision, the other models at most 0.006: 0.02 or more is flagged. EDA, which changes a few
words of a training sentence, has a syntactic precision of 0.842 to 0.850, the others at most 0.736: 0.8 or more
(a quarter of the words changed, on average) is flagged. These are rules of thumb, and unreliable for few
sentences.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import regex
from numpy.typing import NDArray

from tted_core.distances.formulas import cosine
from tted_core.foundations.stats import Values
from tted_core.words.splitting import TokenizedText

ROWS = 256  # rows of similarities in memory at a time


@dataclass(frozen=True)
class SetSimilarity:
    """Similarity of two sets, with each sentence's best partner in the other set.

    Attributes:
        best: (n,) each generated sentence's largest similarity to a reference sentence.
        partner: (n,) its index; the first of several.
        covered: (m,) each reference sentence's largest similarity to a generated one.
    """

    best: Values
    partner: NDArray[np.int64]
    covered: Values

    @property
    def precision(self) -> float:
        """Mean similarity of generated sentences to the reference."""
        return float(self.best.mean())

    @property
    def recall(self) -> float:
        """Mean coverage of reference sentences."""
        return float(self.covered.mean())

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total > 0 else 0.0  # cosines can be negative


def semantic_similarity(generated: Values, reference: Values) -> SetSimilarity:
    """By the cosine of (n, d) and (m, d) embeddings."""
    return _best(
        1.0 - cosine(generated[start : start + ROWS], reference) ** 2
        for start in range(0, len(generated), ROWS)
    )


def syntactic_similarity(
    generated: Sequence[Sequence[str]], reference: Sequence[Sequence[str]]
) -> SetSimilarity:
    """By SynSim(s, t) = 1 / (1 + EdDist(s, t) / max(|s|, |t|)) of n and m lists of words, from 1/2 to 1.

    EdDist is the number of words to insert, delete or replace (Levenshtein 1966), |s| the number of words. Two
    sentences without words are equal.
    """
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cdist

    lengths, others = (np.array([len(words) for words in side]) for side in (generated, reference))

    def rows(start: int) -> Values:
        some = slice(start, start + ROWS)
        edits = cdist(generated[some], reference, scorer=Levenshtein.distance, dtype=np.int64)
        longest = np.maximum(np.maximum.outer(lengths[some], others), 1)
        return np.asarray(1.0 / (1.0 + edits / longest))

    return _best(rows(start) for start in range(0, len(generated), ROWS))


def _best(blocks: Iterable[Values]) -> SetSimilarity:
    best, partner, covered = [], [], []
    for block in blocks:
        best.append(block.max(axis=1))
        partner.append(block.argmax(axis=1))
        covered.append(block.max(axis=0))
    return SetSimilarity(np.concatenate(best), np.concatenate(partner), np.max(covered, axis=0))


Words = tuple[str, ...]  # the words of a sentence without punctuation

_PUNCTUATION = regex.compile(r"[^\p{L}\p{M}\p{N}\s]")


def bare_words(text: str) -> Words:
    """The words in lower case after removing punctuation, which joins its neighbours into one word.

    >>> bare_words("The U.S. isn't paid $77,000!")
    ('the', 'us', 'isnt', 'paid', '77000')
    """
    return TokenizedText.of(_PUNCTUATION.sub("", text.lower())).spoken


def unique_flags(generated: Sequence[Words], reference: Sequence[Words]) -> list[bool]:
    """For each generated sentence, True if no other sentence of either set has the same words."""
    count = Counter((*generated, *reference))
    return [count[words] == 1 for words in generated]


def new_words(generated: Sequence[Words], reference: Sequence[Words]) -> tuple[str, ...]:
    """Words that the reference doesn't have, in alphabetical order."""
    known = {word for words in reference for word in words}
    return tuple(sorted({word for words in generated for word in words} - known))


COLLAPSE_GAP = 0.02  # semantic precision minus recall

# Semantic precision below which the sentences are off-topic; recall then doesn't indicate a collapse.
COLLAPSE_PRECISION = 0.5

PLAGIARISM_SIMILARITY = 0.8  # syntactic precision


class SetFlag(NamedTuple):
    """A finding: its name ("mode collapse", "plagiarism") and a sentence with the reason."""

    name: str
    reason: str


def flags(semantic: SetSimilarity, syntactic: SetSimilarity) -> tuple[SetFlag, ...]:
    """Flags for unusual numbers; empty if there are none."""
    found = []
    gap = semantic.precision - semantic.recall
    if gap >= COLLAPSE_GAP and semantic.precision >= COLLAPSE_PRECISION:
        reason = (
            f"the semantic recall is {gap:.3f} below the precision ({COLLAPSE_GAP} or more is flagged): what was "
            "generated lies near the reference, but covers only a part of it"
        )
        found.append(SetFlag("mode collapse", reason))
    if syntactic.precision >= PLAGIARISM_SIMILARITY:
        reason = (
            f"the syntactic precision is {syntactic.precision:.3f} ({PLAGIARISM_SIMILARITY} or more is flagged): "
            "the sentences are the reference's own with few words changed"
        )
        found.append(SetFlag("plagiarism", reason))
    return tuple(found)
