"""Two sets of sentences: similarities, shares of new sentences and words, intervals and flags.

Source: Zwerdling et al., "Understanding the Properties of Generated Corpora".

Precision, recall and F1 are taken over best partners (section 2 of the paper): Precision(G, T) is the mean over G
of the largest similarity to a sentence of T, Recall(G, T) the mean over T of the largest similarity to a sentence
of G. Similarity is the cosine of embeddings (semantic) or SynSim (syntactic).

Unique(n), its curve over n, and new vocabulary compare sentences in lower case and without punctuation: "isn't"
is "isnt", "U.S." is "us", "$1.5" is "15".

The semantic-syntactic plane shows each generated sentence by meaning and wording (figures 1 and 2 of the paper).
Sentences close to the reference in meaning are on the right, reworded ones at the top: the upper right corner has
new, relevant sentences, the lower right one copies; off-topic sentences are on the left.

Intervals are percentile bootstraps over the set's sentences; each sentence keeps its measurements (its best
partner, its uniqueness), since a resampled set would repeat sentences. New words, to which repeated sentences
don't add, have an interval of 1.96 standard errors of the jackknife to each side (Efron and Stein 1981): each
sentence is left out in turn. Two numbers differ if the 95 % interval of their difference excludes 0.

The paper infers mode collapse and plagiarism from the numbers (``flags``). The thresholds are in the gaps of its
three tables (Amazon, News, Yahoo; embeddings by InferSent). The collapsed VAEs have a semantic recall 0.034 to
0.048 below their precision, the other models at most 0.006: 0.02 or more is flagged. EDA, which changes a few
words of a training sentence, has a syntactic precision of 0.842 to 0.850, the others at most 0.736: 0.8 or more
(a quarter of the words changed, on average) is flagged. These are rules of thumb, and unreliable for few
sentences.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
import regex
from numpy.typing import NDArray

from tted_core.distances.formulas import cosine
from tted_core.foundations.stats import Values, percentile_interval, resample_means
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
        return float(harmonic_mean(np.array(self.precision), np.array(self.recall)))


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


def harmonic_mean(one: Values, other: Values) -> Values:
    """2 a b / (a + b); 0 where they sum to 0 or less (cosines can be negative)."""
    total = np.asarray(one + other)
    return np.divide(2 * one * other, total, out=np.zeros_like(total), where=total > 0)


def _best(blocks: Iterable[Values]) -> SetSimilarity:
    best, partner, covered = [], [], []
    for block in blocks:
        best.append(block.max(axis=1))
        partner.append(block.argmax(axis=1))
        covered.append(block.max(axis=0))
    return SetSimilarity(np.concatenate(best), np.concatenate(partner), np.max(covered, axis=0))


DENSITY_CELLS = 40  # along each axis of the plane of a density
NARROWEST = 0.03  # the smallest bandwidth, so that equal points still make a visible spot


def plane_density(points: Sequence[tuple[float, float]]) -> tuple[Values, Values, Values]:
    """A density of n points (semantic similarity, edit share) by Gaussian kernels.

    The bandwidth of each axis follows Scott's rule, s n^(-1/6), for two dimensions.

    Args:
        points: at least one.

    Returns:
        (c,) centres of the cells along the first axis, from the least similarity (at most 0) to 1; (c,) along the
        second, from 0 to 1; (c, c) densities, the second axis first, the largest being 1.
    """
    positions = np.asarray(points, dtype=np.float64)
    spread = positions.std(axis=0, ddof=1) if len(positions) > 1 else np.zeros(2)
    width = np.maximum(spread * len(positions) ** (-1 / 6), NARROWEST)
    least = min(0.0, float(positions[:, 0].min()))
    x, y = (low + (np.arange(DENSITY_CELLS) + 0.5) * (1.0 - low) / DENSITY_CELLS for low in (least, 0.0))
    near_x, near_y = (
        np.exp(-(((axis[:, None] - positions[:, at]) / width[at]) ** 2) / 2) for at, axis in enumerate((x, y))
    )
    density = near_y @ near_x.T
    return x, y, density / density.max()


Words = tuple[str, ...]  # the words of a sentence without punctuation
POINTS = 10  # number of points of the curve: the paper takes n = 10,000, 20,000 ... 100,000


@dataclass(frozen=True)
class CurvePoint:
    """Unique(n) and the new words of the first n sentences."""

    n: int
    unique: float
    new_words: int


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


def unique_curve(generated: Sequence[Words], reference: Sequence[Words]) -> tuple[CurvePoint, ...]:
    """The curve over the first tenth of the sentences, the first two tenths ... and all, in their order."""
    sizes = sorted({-(-len(generated) * part // POINTS) for part in range(1, POINTS + 1)})
    return tuple(
        CurvePoint(
            n,
            sum(unique_flags(generated[:n], reference)) / n,
            len(new_words(generated[:n], reference)),
        )
        for n in sizes
    )


_RESAMPLES = 2_000
_SEED = 0


class Number(NamedTuple):
    """A number of a set.

    Attributes:
        value: the number.
        low: lower end of its 95 % interval; None for fewer than two sentences.
        high: upper end.
        differs: True if it differs from the reference's number; None if there is none.
    """

    value: float
    low: float | None
    high: float | None
    differs: bool | None = None


Numbers: TypeAlias = Mapping[str, Number]  # name, such as "semantic recall" -> the number


# Name -> (n,) measurements of the sentences of a set, or its similarity to another set.
_Measured: TypeAlias = Mapping[str, Values | SetSimilarity]


def numbers_of(
    sets: Mapping[str, _Measured], words: Mapping[str, Sequence[Words]]
) -> dict[str, dict[str, Number]]:
    """The numbers of each set from its measurements and its sentences' words; one set is "reference"."""
    drawn = {name: _resample(measured) for name, measured in sets.items()}
    found: dict[str, dict[str, Number]] = {}
    for name, numbers in drawn.items():
        found[name] = {}
        beside = drawn["reference"] if name != "reference" else {}
        for number, (value, resampled) in numbers.items():
            low, high = (None, None) if resampled is None else percentile_interval(resampled)
            differs = None
            reference = beside[number][1] if number in beside else None
            if reference is not None and resampled is not None:
                below, above = percentile_interval(resampled - reference)
                differs = not below <= 0 <= above
            found[name][number] = Number(value, low, high, differs)
        if name != "reference":
            found[name]["new words"] = _new_vocabulary(words[name], words["reference"])
    return found


def _resample(measured: _Measured) -> dict[str, tuple[float, Values | None]]:
    """Number -> its value and the values of resampled sets."""
    rng = np.random.default_rng(_SEED)
    found: dict[str, tuple[float, Values | None]] = {}
    for name, each in measured.items():
        if isinstance(each, SetSimilarity):
            precision = resample_means(each.best, _RESAMPLES, rng)
            recall = resample_means(each.covered, _RESAMPLES, rng)
            both = None if precision is None or recall is None else harmonic_mean(precision, recall)
            found[f"{name} precision"] = (each.precision, precision)
            found[f"{name} recall"] = (each.recall, recall)
            found[f"{name} F1"] = (each.f1, both)
        elif len(each):
            found[name] = (float(each.mean()), resample_means(each, _RESAMPLES, rng))
    return found


def _new_vocabulary(words: Sequence[Words], known: Sequence[Words]) -> Number:
    new = set(new_words(words, known))
    if len(words) < 2:
        return Number(float(len(new)), None, None)
    holders = Counter(word for each in words for word in set(each) & new)
    # Without a sentence, the words that no other one has are missing.
    lost = np.array([sum(holders[word] == 1 for word in set(each) & new) for each in words], dtype=np.float64)
    error = float(np.sqrt((len(words) - 1) * lost.var()))
    return Number(float(len(new)), max(0.0, len(new) - 1.96 * error), len(new) + 1.96 * error)


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
