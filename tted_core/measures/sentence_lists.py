"""Lists of sentences, one per line, and of paraphrases, as tables or groups."""

from dataclasses import dataclass

from tted_core.errors import MAX_LABEL_CHARACTERS, MapFormatError, check_limit
from tted_core.formats.document import decode
from tted_core.foundations.messages import counted
from tted_core.foundations.tables import TableRow, read_rows

MAX_STUDY_BYTES = 200_000_000  # maximum bytes of a file of paraphrases

PAIR_COLUMNS = ("reference", "paraphrase")
_DELIMITERS = "\t,;"


@dataclass(frozen=True)
class ParaphrasePair:
    """A sentence and a paraphrase of it."""

    reference: str
    paraphrase: str


def read_paraphrases(content: bytes) -> list[ParaphrasePair]:
    """Read groups of paraphrases, or a table.

    Groups have a sentence per line and are separated by empty lines, as in the data set of Koroteev 2020,
    ParaphraseDetection of NLP_Datasets (Koziev). The first two different sentences of each group are a pair. A
    file is read as groups if it has an empty line in the middle and two consecutive filled lines, and isn't a
    table.

    A table, CSV or TSV, has a reference and its paraphrase per line, with or without a header, which names the
    columns ``reference`` and ``paraphrase``, in any order and among others. The delimiter is a tab, a comma or a
    semicolon, whichever the first line contains.
    """
    check_limit(len(content), MAX_STUDY_BYTES, "bytes of paraphrases", "split the file")
    text, _ = decode(content)
    groups: list[list[tuple[int, str]]] = [[]]
    for number, line in enumerate(text.split("\n"), start=1):
        sentence = " ".join(line.split())
        if not sentence:
            groups.append([])
        elif len(groups[-1]) < 2 and sentence not in (other for _, other in groups[-1]):
            groups[-1].append((number, sentence))
    groups = list(filter(None, groups))
    if len(groups) < 2 or all(len(group) == 1 for group in groups) or _is_table(text):
        return _read_table(text)
    pairs = []
    for group in groups:
        for number, sentence in group[:2]:
            way_out = f"shorten the sentence in line {number}"
            check_limit(len(sentence), MAX_LABEL_CHARACTERS, "characters in a sentence", way_out)
        if len(group) > 1:
            pairs.append(ParaphrasePair(group[0][1], group[1][1]))
    return _comparable(pairs)


def _read_table(text: str) -> list[ParaphrasePair]:
    rows = _rows(text)
    names = [field.lower() for field in rows[0][1]] if rows else []
    columns, fields = (0, 1), 2
    if set(PAIR_COLUMNS) <= set(names):
        columns, fields = (names.index(PAIR_COLUMNS[0]), names.index(PAIR_COLUMNS[1])), len(names)
        rows = rows[1:]
    return _comparable([_pair(line, row, columns, fields) for line, row in rows])


def _is_table(text: str) -> bool:
    """Return True if every filled line has two fields, or the first names the columns."""
    try:
        rows = [row for _, row in _rows(text)]
    except MapFormatError:
        return False
    return {field.lower() for field in rows[0]} >= set(PAIR_COLUMNS) or all(len(row) == 2 for row in rows)


def _comparable(pairs: list[ParaphrasePair]) -> list[ParaphrasePair]:
    """Check that the pairs have at least two references."""
    if len({pair.reference for pair in pairs}) < 2:
        raise MapFormatError(
            "there are no other sentences to compare with; give at least two different references"
        )
    return pairs


def _rows(text: str) -> list[TableRow]:
    """The filled rows, each with its last line number; white space is collapsed."""
    first = text.lstrip("\n").partition("\n")[0]
    delimiter = next((sign for sign in _DELIMITERS if sign in first), ",")
    return [(line, [" ".join(cell.split()) for cell in cells]) for line, cells in read_rows(text, delimiter)]


def _pair(line: int, row: list[str], columns: tuple[int, int], fields: int) -> ParaphrasePair:
    if len(row) != fields:
        raise MapFormatError(
            f"{counted(len(row), 'field')} instead of {fields}; put a sentence that contains the delimiter in "
            "quotation marks",
            line=line,
        )
    reference, paraphrase = (row[column] for column in columns)
    for name, text in zip(PAIR_COLUMNS, (reference, paraphrase), strict=True):
        if not text:
            raise MapFormatError(f"the {name} is empty; fill it in or delete the line", line=line)
        way_out = f"shorten the {name} in line {line}"
        check_limit(len(text), MAX_LABEL_CHARACTERS, "characters in a sentence", way_out)
    if reference == paraphrase:
        raise MapFormatError("the paraphrase is the reference itself; delete the line", line=line)
    return ParaphrasePair(reference, paraphrase)
