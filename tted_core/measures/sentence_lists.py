"""Lists of sentences, one on each line; and with another wording of each: tables or groups."""

from dataclasses import dataclass

from tted_core.errors import MapFormatError
from tted_core.formats.decoding import decode
from tted_core.formats.labels import counted
from tted_core.foundations.limits import MAX_BYTES, MAX_LABEL_CHARACTERS, MAX_PARAPHRASE_PAIRS, check_limit
from tted_core.foundations.tables import Row, read_rows

MAX_STUDY_BYTES = 200_000_000
"""Bytes of a file of paraphrases that the command line reads."""

COLUMNS = ("reference", "paraphrase")
_DELIMITERS = "\t,;"


@dataclass(frozen=True)
class ParaphrasePair:
    """A sentence and another wording of it."""

    reference: str
    paraphrase: str


def read_lines(content: bytes) -> list[str]:
    """The texts of a file that holds one on each line."""
    check_limit(len(content), MAX_BYTES, "bytes of texts", "give fewer")
    lines = [line.strip() for line in decode(content)[0].splitlines() if line.strip()]
    if not lines:
        raise MapFormatError("there is no text; write one on each line")
    return lines


def read_pairs(content: bytes | str) -> list[ParaphrasePair]:
    """Read a CSV or TSV file: a reference and its paraphrase in each line, with or without a header line.

    A header names the columns ``reference`` and ``paraphrase``, in any order and among others. The delimiter is
    a tab, a comma or a semicolon, whichever the first line holds.
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
    return _comparable([_pair(line, row, columns, fields) for line, row in rows])


def read_paraphrases(content: bytes) -> list[ParaphrasePair]:
    """Read groups of paraphrases, or a table as ``read_pairs`` does.

    In groups a sentence stands on each line, and empty lines part the groups, as in the data set that Koroteev
    2020 took: ParaphraseDetection of NLP_Datasets (Koziev). Of each group the first two different sentences are
    a pair. What has an empty line between others, two lines without one, and not two fields in every line, is
    read so.
    """
    check_limit(len(content), MAX_STUDY_BYTES, "bytes of paraphrases", "split the file")
    text, _ = decode(content)
    groups: list[list[tuple[int, str]]] = [[]]
    for number, line in enumerate(text.split("\n"), start=1):
        sentence = " ".join(line.split())
        if not sentence:
            groups.append([])
        elif sentence not in (other for _, other in groups[-1]):
            groups[-1].append((number, sentence))
    groups = list(filter(None, groups))
    if len(groups) < 2 or all(len(group) == 1 for group in groups) or _is_table(text):
        return read_pairs(content)
    pairs = []
    for group in groups:
        for number, sentence in group[:2]:
            way_out = f"shorten the sentence in line {number}"
            check_limit(len(sentence), MAX_LABEL_CHARACTERS, "characters in a sentence", way_out)
        if len(group) > 1:
            pairs.append(ParaphrasePair(group[0][1], group[1][1]))
    return _comparable(pairs)


def _is_table(text: str) -> bool:
    """Whether every filled line has two fields, or the first names the columns."""
    try:
        rows = [row for _, row in _rows(text)]
    except MapFormatError:
        return False
    return {field.lower() for field in rows[0]} >= set(COLUMNS) or all(len(row) == 2 for row in rows)


def _comparable(pairs: list[ParaphrasePair]) -> list[ParaphrasePair]:
    """The pairs, which must be of two references at least."""
    if len({pair.reference for pair in pairs}) < 2:
        raise MapFormatError(
            "there are no other sentences to compare with; give at least two lines with different references"
        )
    return pairs


def _rows(text: str) -> list[Row]:
    """The filled rows, each with the number of its last line; single spaces between words."""
    first = text.lstrip("\n").partition("\n")[0]
    delimiter = next((sign for sign in _DELIMITERS if sign in first), ",")
    return [(line, [" ".join(cell.split()) for cell in cells]) for line, cells in read_rows(text, delimiter)]


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
