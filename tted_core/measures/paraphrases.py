"""The quality of a measure of two texts: how well it tells a paraphrase from other sentences (Koroteev 2020).

For a reference sentence i and its paraphrase, Q_i = F(reference, paraphrase) - mean of F(reference, other), F
being a similarity that is 1 for equal texts. Q_i near 1 is best; below 0 the measure finds the others, on
average, nearer than the paraphrase. The others are all distinct sentences of the list that belong to another
reference; the paraphrase itself is not among them (the paper's text leaves that open), nor are further
paraphrases of the same reference.
"""

import csv
import io
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tted_core.errors import Interrupted, InvalidTreeError, LimitError, MapFormatError, TTEDError
from tted_core.formats.decoding import decode
from tted_core.formats.labels import counted
from tted_core.limits import MAX_BYTES, MAX_LABEL_CHARACTERS, MAX_PARAPHRASE_PAIRS, check_limit
from tted_core.measures.similarities import SimilarityFamily
from tted_core.tree import TextTree

COLUMNS = ("reference", "paraphrase")
_DELIMITERS = "\t,;"


@dataclass(frozen=True)
class ParaphrasePair:
    """A sentence and another wording of it."""

    reference: str
    paraphrase: str


@dataclass(frozen=True)
class MeasureQuality:
    """Q of one measure over a list of pairs.

    Attributes:
        q: Q_i of each pair, in their order.
        first: the share of pairs whose paraphrase is nearer than every other sentence; unlike Q it doesn't
            depend on the measure's scale.
        comparisons: pairs of texts that were compared.
        seconds: what these comparisons took, loading a model not counted.
    """

    q: tuple[float, ...]
    first: float
    comparisons: int
    seconds: float

    @property
    def mean(self) -> float:
        """Mean of Q_i."""
        return float(np.mean(self.q))

    @property
    def variance(self) -> float:
        """Variance of Q_i, over n."""
        return float(np.var(self.q))

    @property
    def below_zero(self) -> int:
        """How many Q_i are below 0."""
        return sum(value < 0 for value in self.q)


def pairs_of_maps(base: TextTree, paraphrase: TextTree) -> list[ParaphrasePair]:
    """The sentences of two maps node by node, where their wording differs.

    Raises:
        InvalidTreeError: the maps differ in their structure.
    """
    if base.parents != paraphrase.parents:
        raise InvalidTreeError(
            "the maps differ in their structure, so that their nodes don't belong together one by one; "
            "take a map and the same map in other words"
        )
    pairs = zip(base.labels, paraphrase.labels, strict=True)
    return [ParaphrasePair(*pair) for pair in pairs if pair[0] != pair[1] and all(pair)]


def read_pairs(content: bytes | str) -> list[ParaphrasePair]:
    """Read a CSV or TSV file: a reference and its paraphrase in each line, with or without a header line.

    A header names the columns ``reference`` and ``paraphrase``, in any order and among others. The delimiter is
    a tab, a comma or a semicolon, whichever the first line holds.

    Raises:
        MapFormatError: not two columns, an empty sentence, the same sentence twice in a line, or no other
            sentence to compare with.
        LimitError: too many bytes, pairs or characters.
    """
    if isinstance(content, bytes):
        check_limit(len(content), MAX_BYTES, "bytes of paraphrase pairs", "split the file")
        content, _ = decode(content)
    rows = _rows(content)
    names = [field.lower() for field in rows[0][1]] if rows else []
    columns, fields = (0, 1), 2
    if set(COLUMNS) <= set(names):
        columns, fields = (names.index(COLUMNS[0]), names.index(COLUMNS[1])), len(names)
        rows = rows[1:]
    way_out = "leave some out; a few hundred show the same"
    check_limit(len(rows), MAX_PARAPHRASE_PAIRS, "paraphrase pairs", way_out)
    pairs = [_pair(line, row, columns, fields) for line, row in rows]
    if len({pair.reference for pair in pairs}) < 2:
        raise MapFormatError(
            "there are no other sentences to compare with; give at least two lines with different references"
        )
    return pairs


def qualities(
    pairs: Sequence[ParaphrasePair],
    families: Mapping[str, Callable[[], SimilarityFamily]],
    progress: Callable[[str, float], None] = lambda _stage, _share: None,
) -> dict[str, MeasureQuality | TTEDError]:
    """Q of each measure; for a family that can't be had or takes too long, the error that says so.

    Args:
        pairs: at least two, of two references or more.
        families: name -> what loads the family; the time of loading is not counted.
        progress: is told the stages; may raise to give up.

    Raises:
        Interrupted: ``progress`` or a measure raised it.
    """
    references = list(dict.fromkeys(pair.reference for pair in pairs))
    sentences = list(dict.fromkeys(text for pair in pairs for text in (pair.reference, pair.paraphrase)))
    found: dict[str, MeasureQuality | TTEDError] = {}
    compared = f"{len(references)} references with {len(sentences)} sentences"
    for number, (name, load) in enumerate(families.items()):
        progress(f"Comparing {compared}: {name}", number / len(families))
        try:
            family = load()
            start = time.perf_counter()
            known = family.prepare(sentences)
            shared = time.perf_counter() - start
        except Interrupted:
            raise
        except TTEDError as error:
            found[name] = error
            continue
        for measure, similarity in family.similarities.items():
            start = time.perf_counter()
            try:
                scores = similarity(known, references, sentences)
            except LimitError as error:
                found[measure] = error
                continue
            seconds = shared + time.perf_counter() - start
            found[measure] = MeasureQuality(
                *_quality(pairs, references, sentences, scores), scores.size, seconds
            )
    return found


def _quality(
    pairs: Sequence[ParaphrasePair],
    references: Sequence[str],
    sentences: Sequence[str],
    scores: NDArray[np.float64],
) -> tuple[tuple[float, ...], float]:
    """Q_i of each pair, and the share of pairs whose paraphrase is nearest; ``scores`` has a row per reference."""
    row = {text: number for number, text in enumerate(references)}
    column = {text: number for number, text in enumerate(sentences)}
    is_other = np.ones(scores.shape, dtype=bool)
    for pair in pairs:
        is_other[row[pair.reference], [column[pair.reference], column[pair.paraphrase]]] = False
    q, first = [], []
    for pair in pairs:
        own = scores[row[pair.reference], column[pair.paraphrase]]
        others = scores[row[pair.reference], is_other[row[pair.reference]]]
        q.append(float(own - others.mean()))
        first.append(bool(own > others.max()))
    return tuple(q), float(np.mean(first))


def _rows(text: str) -> list[tuple[int, list[str]]]:
    """The filled rows, each with the number of its last line."""
    first = text.lstrip("\n").partition("\n")[0]
    delimiter = next((sign for sign in _DELIMITERS if sign in first), ",")
    csv.field_size_limit(MAX_BYTES)  # by default a field of more than 131,072 characters is an error
    table = io.StringIO(text, newline="")
    reader = csv.reader(table, delimiter=delimiter, skipinitialspace=True, strict=True)
    rows: list[tuple[int, list[str]]] = []
    try:
        rows.extend((reader.line_num, [" ".join(field.split()) for field in row]) for row in reader)
    except csv.Error as error:
        raise MapFormatError(
            f"not a readable table ({error}); save it again as CSV", line=reader.line_num
        ) from error
    return [(line, row) for line, row in rows if any(row)]


def _pair(line: int, row: list[str], columns: tuple[int, int], fields: int) -> ParaphrasePair:
    if len(row) != fields:
        raise MapFormatError(
            f"{counted(len(row), 'field')} instead of {fields}; put a sentence that holds the delimiter in "
            "quotation marks",
            line=line,
        )
    reference, paraphrase = (row[column] for column in columns)
    for name, text in zip(COLUMNS, (reference, paraphrase), strict=True):
        if not text:
            raise MapFormatError(f"the {name} is empty; fill it in or delete the line", line=line)
        way_out = f"shorten the {name} in line {line}"
        check_limit(len(text), MAX_LABEL_CHARACTERS, "characters in a sentence", way_out)
    if reference == paraphrase:
        raise MapFormatError("the paraphrase is the reference itself; delete the line", line=line)
    return ParaphrasePair(reference, paraphrase)
