"""Compression held against gold: F1 and BLEU of NDD, of random and of perplexity's choice (Table 2 of the paper).

F1 and BLEU are what the two examples of the paper's Table 3 come out with, to the last digit (tests). Precision
is the share of the words that are left which stand in the gold sentence, recall the share of the gold
sentence's words that are left; a word that stands twice may be found twice in one place, so that F1 is a little
more than over aligned words. BLEU-n is the share of the result's n-grams that the gold sentence has, each as
often as there (Papineni et al. 2002), without a penalty for brevity; B is the mean of BLEU-1 to BLEU-4. Words
are those of ``split_words``, punctuation too. All are means over sentences.

Sentences with the compressions that people gave them are read from a table, or as Google's data set has them.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tted_core.distances.ndd import Compressor, Weights
from tted_core.encoders.masked_model import MaskedModel
from tted_core.errors import MapFormatError
from tted_core.formats.decoding import decode
from tted_core.formats.labels import counted
from tted_core.foundations.limits import MAX_LABEL_CHARACTERS, MAX_STUDY_BYTES, check_limit
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.foundations.tables import delimiter_of, read_rows
from tted_core.measures.ndd_tables.predicates import Asked, PaperTable, Row
from tted_core.words.splitting import Sentence


@dataclass(frozen=True)
class GoldCompression:
    """A sentence, and what people left of it."""

    sentence: str
    compression: str


def compression_table(
    pairs: Sequence[GoldCompression],
    model: MaskedModel,
    asked: Asked,
    monitor: Monitor = UNWATCHED,
) -> PaperTable:
    """Unedited and, for each L_max and NDD_max, random, perplexity and NDD.

    Raises:
        LimitError: a sentence has too many words for the model, or for trying all spans.
        Interrupted: the monitor said stop.
    """
    rng = np.random.default_rng(asked.seed)
    weights = Weights(asked.mu, asked.nu, balanced=True)
    settings = [(longest, limit) for longest in asked.max_spans for limit in asked.limits]
    compressors = {longest: Compressor(model, longest, weights) for longest in asked.max_spans}
    results: dict[str, list[str]] = {"unedited": [pair.sentence for pair in pairs]}
    for pair in monitor.over(pairs, f"Compressing each of {len(pairs)} sentences"):
        sentence = Sentence.of(pair.sentence)
        for longest, limit in settings:
            found = compressors[longest].compress(pair.sentence, limit, monitor=monitor, rate=asked.rate)
            words = len(Sentence.of(found.result).words)
            named = f"L_max {longest}, NDD_max {limit:g}"
            for method, text in (
                ("random", _at_random(sentence, words, rng)),
                ("perplexity", _by_perplexity(sentence, words, longest, model, monitor)),
                ("NDD", found.result),
            ):
                results.setdefault(f"{method}, {named}", []).append(text)
    rows = tuple(_row(method, texts, pairs) for method, texts in results.items())
    reach = "" if asked.rate is None else f"; rate {asked.rate:g}, as far as NDD_max lets it be reached"
    return PaperTable(rows, (f"{len(pairs)} sentences{reach}",))


def f1(result: str, gold: str) -> float:
    """F1 of the words of two texts.

    >>> round(f1("a reef of coral", "a coral reef"), 3)
    0.857
    """
    left, wanted = ([word.text for word in Sentence.of(text).words] for text in (result, gold))
    precision, recall = (
        sum(word in set(others) for word in words) / len(words) if words else 0.0
        for words, others in ((left, wanted), (wanted, left))
    )
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def bleu(result: str, gold: str) -> tuple[float, float, float, float]:
    """BLEU-1 to BLEU-4 of a text against one reference; 0 for a text of fewer words.

    >>> bleu("the warm sea", "the warm sea is near")
    (1.0, 1.0, 1.0, 0.0)
    """
    left, wanted = ([word.text for word in Sentence.of(text).words] for text in (result, gold))
    shares = []
    for n in (1, 2, 3, 4):
        grams, known = (
            Counter(tuple(words[at : at + n]) for at in range(len(words) - n + 1)) for words in (left, wanted)
        )
        shares.append((grams & known).total() / grams.total() if grams else 0.0)
    one, two, three, four = shares
    return one, two, three, four


def _row(method: str, results: Sequence[str], pairs: Sequence[GoldCompression]) -> Row:
    gold = [pair.compression for pair in pairs]
    shares = [bleu(*both) for both in zip(results, gold, strict=True)]
    of_n = 100 * np.mean(shares, axis=0)
    rates = [
        len(Sentence.of(result).spoken) / max(1, len(Sentence.of(pair.sentence).spoken))
        for result, pair in zip(results, pairs, strict=True)
    ]
    return {
        "method": method,
        "F1": 100 * float(np.mean([f1(*both) for both in zip(results, gold, strict=True)])),
        **{f"B{n}": float(share) for n, share in enumerate(of_n, start=1)},
        "B": float(of_n.mean()),
        "rate": float(np.mean(rates)),
    }


def _at_random(sentence: Sentence, words: int, rng: np.random.Generator) -> str:
    """As many words of the sentence, taken at random, in their order."""
    gone = rng.permutation(len(sentence.words))[words:]
    return sentence.without(map(int, gone)).text


def _by_perplexity(sentence: Sentence, words: int, longest: int, model: MaskedModel, monitor: Monitor) -> str:
    """As many words, by deleting again and again the span that leaves the lowest perplexity (Niu et al. 2019)."""
    while len(sentence.words) > words:
        monitor.check()
        size = len(sentence.words)
        shorter = [
            sentence.without(range(start, start + length))
            for length in range(1, min(longest, size - words) + 1)
            for start in range(size - length + 1)
        ]
        perplexities = [model.perplexity(each.text) for each in shorter]
        known = [(value, at) for at, value in enumerate(perplexities) if value is not None]
        sentence = Sentence.of(shorter[min(known)[1] if known else 0].text)
    return sentence.text


COLUMNS = ("sentence", "compression")
GOLD_EXAMPLE = """sentence,compression
The cold night is warm near the sea.,The night is warm.
I am walking in the cold rain and snow.,I am walking in the rain.
"""


def read_gold(content: bytes, most: int | None = None) -> list[GoldCompression]:
    """Read the first ``most`` pairs of a table with the columns sentence and compression, or of Google's JSON.

    The table is CSV or TSV with a header line. Google's sentence compression set (Filippova and Altun 2013)
    holds JSON objects one after the other, with the sentence in ``graph.sentence`` and the gold one in
    ``compression.text``.

    Raises:
        MapFormatError: neither of the two, or no pair.
        LimitError: too many bytes, or a sentence of too many characters.
    """
    check_limit(len(content), MAX_STUDY_BYTES, "bytes of compressions", "split the file")
    text, _ = decode(content)
    pairs: list[GoldCompression] = []
    for place, row in _objects(text) if text.lstrip().startswith("{") else _rows(text):
        if len(pairs) == most:
            break
        pair = GoldCompression(*(" ".join(each.split()) for each in row))
        for each in (pair.sentence, pair.compression):
            if not each:
                raise MapFormatError(
                    f"{place}: a sentence or its compression is empty; fill it in or delete it"
                )
            check_limit(len(each), MAX_LABEL_CHARACTERS, "characters in a sentence", f"shorten it in {place}")
        pairs.append(pair)
    if not pairs:
        raise MapFormatError("there is no sentence with its compression; give at least one")
    return pairs


def _rows(text: str) -> Iterator[tuple[str, tuple[str, str]]]:
    delimiter = delimiter_of(text, ",\t")
    rows = read_rows(text, delimiter)
    _, names = next(rows, (0, []))
    missing = [column for column in COLUMNS if column not in names]
    if missing:
        raise MapFormatError(
            f"the first line names no column {' and no column '.join(missing)}; begin the table with: "
            f"{delimiter.join(COLUMNS)}"
        )
    for line, cells in rows:
        row = dict(zip(names, cells, strict=False))
        yield f"line {line}", (row.get("sentence", ""), row.get("compression", ""))


def _objects(text: str) -> Iterator[tuple[str, tuple[str, str]]]:
    decoder = json.JSONDecoder()
    at = number = 0
    while (at := at + len(text[at:]) - len(text[at:].lstrip())) < len(text):
        number += 1
        place = f"object {number}"
        try:
            record, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            raise MapFormatError(f"{place} is no readable JSON ({error}); fetch the file again") from error
        yield place, (_text(record, "graph", "sentence", place), _text(record, "compression", "text", place))


def _text(record: Any, part: str, name: str, place: str) -> str:
    inner = record.get(part) if isinstance(record, dict) else None
    value = inner.get(name) if isinstance(inner, dict) else None
    if not isinstance(value, str):
        raise MapFormatError(
            f"{place} has no text in {part}.{name}, as Google's sentence compression set has; give such a file, "
            f"or a table with {counted(2, 'column')}: {', '.join(COLUMNS)}"
        )
    return value
