"""Two sets of sentences: similarities, and shares of new sentences and words.

Source: Zwerdling et al., "Understanding the Properties of Generated Corpora".

Precision, recall and F1 are taken over best partners (section 2 of the paper): Precision(G, T) is the mean over G
of the largest similarity to a sentence of T, Recall(G, T) the mean over T of the largest similarity to a sentence
of G. Similarity is the cosine of embeddings (semantic) or SynSim (syntactic).

Unique(n) and new vocabulary compare sentences in lower case and without punctuation: "isn't" is "isnt", "U.S." is
"us", "$1.5" is "15".

The semantic-syntactic plane shows each generated sentence by meaning and wording (figures 1 and 2 of the paper).
Sentences close to the reference in meaning are on the right, reworded ones at the top: the upper right corner has
new, relevant sentences, the lower right one copies; off-topic sentences are on the left.

The paper infers mode collapse from a semantic recall below the precision, and plagiarism from a high syntactic
precision. There is no threshold: the gaps between its models depend on the encoder (InferSent) and the data.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import regex
from numpy.typing import NDArray

from tted_core.distances.formulas import cosine
from tted_core.foundations.stats import Values
from tted_core.words.splitting import split_words

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
    return tuple(word.text for word in split_words(_PUNCTUATION.sub("", text.lower())))


def unique_flags(generated: Sequence[Words], reference: Sequence[Words]) -> list[bool]:
    """For each generated sentence, True if no other sentence of either set has the same words."""
    count = Counter((*generated, *reference))
    return [count[words] == 1 for words in generated]


def new_words(generated: Sequence[Words], reference: Sequence[Words]) -> tuple[str, ...]:
    """Words that the reference doesn't have, in alphabetical order."""
    known = {word for words in reference for word in words}
    return tuple(sorted({word for words in generated for word in words} - known))
