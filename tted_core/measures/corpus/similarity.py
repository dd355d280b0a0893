"""Similarity of two sets of sentences, shares of new sentences and words, and the plane of both.

Precision, recall and F1 are taken over best partners (section 2 of the paper): Precision(G, T) is the mean over G
of the largest similarity to a sentence of T, Recall(G, T) the mean over T of the largest similarity to a sentence
of G. Similarity is the cosine of embeddings (semantic) or SynSim (syntactic).

Unique(n), its curve over n, and new vocabulary compare sentences in lower case and without punctuation: "isn't"
is "isnt", "U.S." is "us", "$1.5" is "15".

The semantic-syntactic plane shows each generated sentence by meaning and wording (figures 1 and 2 of the paper).
Sentences close to the reference in meaning are on the right, reworded ones at the top: the upper right corner has
new, relevant sentences, the lower right one copies; off-topic sentences are on the left.

Grammatical errors are counted by LanguageTool (only this file imports language_tool_python), a Java program of
about 250 MB that the package fetches. It is never fetched implicitly, and no text goes to its public server: it
runs on this machine, or the error says what is missing and how to install it.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.distances.vectors import cosine
from tted_core.errors import Interrupted, ToolError
from tted_core.foundations.extras import require
from tted_core.foundations.monitor import Monitor

GrammarCheck: TypeAlias = Callable[[Sequence[str], Monitor], list[int]]
"""n sentences, monitor -> number of errors in each."""

FETCH = (
    'python -c "from language_tool_python.download_lt import LocalLanguageTool as Tool; '
    'Tool.from_version_name().download()"'
)


def load_grammar_check(language: str = "en-US") -> GrammarCheck:
    """A grammar check by LanguageTool in one of its languages ("en-US", "ru-RU", "de-DE" ...)."""
    require("grammar")
    from language_tool_python.download_lt import LocalLanguageTool, confirm_java_compatibility

    try:
        confirm_java_compatibility()
    except (Exception, SystemExit) as error:  # it exits if it can't read Java's version
        raise ToolError(
            f"grammar needs Java 17 or newer on this machine ({' '.join(str(error).split())}); install it, for "
            "example from adoptium.net"
        ) from error
    tool = LocalLanguageTool.from_version_name()
    try:
        tool.get_directory_path()
    except OSError as error:
        raise ToolError(
            f"grammar needs LanguageTool, which is not on this machine; fetch it once (about 250 MB) with: {FETCH}"
        ) from error
    return lambda sentences, monitor: _count_errors(sentences, language, monitor)


def _count_errors(sentences: Sequence[str], language: str, monitor: Monitor) -> list[int]:
    """Start LanguageTool, check, and stop it."""
    from language_tool_python import LanguageTool

    counts = []
    try:
        with LanguageTool(language) as tool:
            for sentence in sentences:
                if monitor.stopped:
                    break
                counts.append(len(tool.check(sentence)))
    except Exception as error:  # its own errors, requests' and the operating system's
        cause = " ".join(str(error).split()) or type(error).__name__
        raise ToolError(
            f"LanguageTool failed ({cause[:300]}); check that {language!r} is one of its languages, or leave the "
            "grammar out"
        ) from error
    if len(counts) < len(sentences):
        raise Interrupted("stopped before every sentence was checked; run it again")
    return counts


ROWS = 256
"""Rows of similarities in memory at a time."""


@dataclass(frozen=True)
class SetSimilarity:
    """Similarity of two sets, with each sentence's best partner in the other set.

    Attributes:
        best: (n,) each generated sentence's largest similarity to a reference sentence.
        partner: (n,) its index; the first of several.
        covered: (m,) each reference sentence's largest similarity to a generated one.
    """

    best: NDArray[np.float64]
    partner: NDArray[np.int64]
    covered: NDArray[np.float64]

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


def semantic_similarity(generated: NDArray[np.float64], reference: NDArray[np.float64]) -> SetSimilarity:
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

    def rows(start: int) -> NDArray[np.float64]:
        some = slice(start, start + ROWS)
        edits = cdist(generated[some], reference, scorer=Levenshtein.distance, dtype=np.int64)
        longest = np.maximum(np.maximum.outer(lengths[some], others), 1)
        similarity: NDArray[np.float64] = 1.0 / (1.0 + edits / longest)
        return similarity

    return _best(rows(start) for start in range(0, len(generated), ROWS))


def harmonic_mean(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """2 a b / (a + b); 0 where they sum to 0 or less (cosines can be negative)."""
    total = np.asarray(one + other)
    return np.divide(2 * one * other, total, out=np.zeros_like(total), where=total > 0)


def edit_share(similarity: NDArray[np.float64]) -> NDArray[np.float64]:
    """EdDist / max(|s|, |t|) from SynSim: 0 for equal words, 1 for all different."""
    return 1.0 / similarity - 1.0


def _best(blocks: Iterable[NDArray[np.float64]]) -> SetSimilarity:
    best, partner, covered = [], [], []
    for block in blocks:
        best.append(block.max(axis=1))
        partner.append(block.argmax(axis=1))
        covered.append(block.max(axis=0))
    return SetSimilarity(np.concatenate(best), np.concatenate(partner), np.max(covered, axis=0))


NARROWEST = 0.03
"""The smallest bandwidth, so that equal points still make a visible spot."""


def plane_density(
    points: Sequence[tuple[float, float]], steps: int = 40
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """A density of n points (semantic similarity, edit share) by Gaussian kernels.

    The bandwidth of each axis follows Scott's rule, s n^(-1/6), for two dimensions.

    Args:
        points: at least one.
        steps: cells along each axis.

    Returns:
        (steps,) centres of the cells along the first axis, from the least similarity (at most 0) to 1;
        (steps,) along the second, from 0 to 1; (steps, steps) densities, the second axis first, the largest
        being 1.
    """
    positions = np.asarray(points, dtype=np.float64)
    spread = positions.std(axis=0, ddof=1) if len(positions) > 1 else np.zeros(2)
    width = np.maximum(spread * len(positions) ** (-1 / 6), NARROWEST)
    x, y = (_centres(min(0.0, float(positions[:, 0].min())), steps), _centres(0.0, steps))
    near_x, near_y = (
        np.exp(-(((axis[:, None] - positions[:, at]) / width[at]) ** 2) / 2) for at, axis in enumerate((x, y))
    )
    density = near_y @ near_x.T
    return x, y, density / density.max()


def _centres(low: float, steps: int) -> NDArray[np.float64]:
    return low + (np.arange(steps) + 0.5) * (1.0 - low) / steps


Words = tuple[str, ...]
"""The ``Sentence.bare`` words of a sentence."""

POINTS = 10
"""Number of points of the curve: the paper takes n = 10,000, 20,000 ... 100,000."""


@dataclass(frozen=True)
class CurvePoint:
    """Unique(n) and the new words of the first n sentences."""

    n: int
    unique: float
    new_words: int


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
