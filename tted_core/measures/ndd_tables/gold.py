"""Sentences with the compressions that people gave them: as a table, or as Google's data set has them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tted_core.errors import MapFormatError
from tted_core.formats.decoding import decode
from tted_core.formats.labels import counted
from tted_core.limits import MAX_LABEL_CHARACTERS, MAX_STUDY_BYTES, check_limit
from tted_core.tables import delimiter_of, read_rows

COLUMNS = ("sentence", "compression")
GOLD_EXAMPLE = """sentence,compression
The cold night is warm near the sea.,The night is warm.
I am walking in the cold rain and snow.,I am walking in the rain.
"""


@dataclass(frozen=True)
class GoldCompression:
    """A sentence, and what people left of it."""

    sentence: str
    compression: str


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
