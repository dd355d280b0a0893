"""Numbers of each set of sentences with 95 % intervals, differences to the reference, and flags.

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
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.foundations.stats import percentile_interval, resampled_means
from tted_core.measures.corpus.similarity import SetSimilarity, Words, harmonic_mean, new_words

RESAMPLES = 2_000
SEED = 0

Values: TypeAlias = NDArray[np.float64]


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


Numbers: TypeAlias = Mapping[str, Number]
"""Name, such as "semantic recall" -> the number."""


class SetMeasures(NamedTuple):
    """Measurements of the sentences of a set; None if not measured.

    Attributes:
        words: words of each of n sentences.
        known: the words of the sentences to compare with; None for the reference itself.
        unique: (n,) 1 for a unique sentence.
        grammar: (n,) errors per word.
        plausibility: perplexities of those sentences that have one.
        semantic: similarity of meaning.
        syntactic: similarity of wording.
    """

    words: Sequence[Words]
    known: Sequence[Words] | None
    unique: Values | None
    grammar: Values | None
    plausibility: Values | None
    semantic: SetSimilarity | None
    syntactic: SetSimilarity | None


def numbers_of(sets: Mapping[str, SetMeasures]) -> dict[str, dict[str, Number]]:
    """The numbers of each set; ``sets`` includes "reference"."""
    drawn = {name: _drawn(measured) for name, measured in sets.items()}
    found: dict[str, dict[str, Number]] = {}
    for name, measured in sets.items():
        found[name] = {}
        for number, (value, resampled) in drawn[name].items():
            low, high = (None, None) if resampled is None else percentile_interval(resampled)
            differs = None
            beside = drawn["reference"].get(number) if name != "reference" else None
            if beside is not None and beside[1] is not None and resampled is not None:
                below, above = percentile_interval(resampled - beside[1])
                differs = not below <= 0 <= above
            found[name][number] = Number(value, low, high, differs)
        if measured.known is not None:
            found[name]["new words"] = _new_vocabulary(measured.words, measured.known)
    return found


def _drawn(measured: SetMeasures) -> dict[str, tuple[float, Values | None]]:
    """Number -> its value and the values of resampled sets."""
    rng = np.random.default_rng(SEED)
    found: dict[str, tuple[float, Values | None]] = {}
    for name in ("unique", "grammar", "plausibility"):
        values = getattr(measured, name)
        if values is not None and len(values):
            found[name] = (float(values.mean()), resampled_means(values, RESAMPLES, rng))
    for name in ("semantic", "syntactic"):
        similarity: SetSimilarity | None = getattr(measured, name)
        if similarity is not None:
            sides = (
                resampled_means(similarity.best, RESAMPLES, rng),
                resampled_means(similarity.covered, RESAMPLES, rng),
            )
            found[f"{name} precision"] = (similarity.precision, sides[0])
            found[f"{name} recall"] = (similarity.recall, sides[1])
            both = None if sides[0] is None or sides[1] is None else harmonic_mean(sides[0], sides[1])
            found[f"{name} F1"] = (similarity.f1, both)
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


COLLAPSE_GAP = 0.02
"""Semantic precision minus recall."""

COLLAPSE_PRECISION = 0.5
"""Semantic precision below which the sentences are off-topic; recall then doesn't indicate a collapse."""

PLAGIARISM_SIMILARITY = 0.8
"""Syntactic precision."""


class Flag(NamedTuple):
    """A finding: its name ("mode collapse", "plagiarism") and a sentence with the reason."""

    name: str
    reason: str


def flags(semantic: SetSimilarity, syntactic: SetSimilarity) -> tuple[Flag, ...]:
    """Flags for unusual numbers; empty if there are none."""
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
