"""Sentences with dependencies and predicates, from a file in CoNLL-U or in the format of CoNLL-2009."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from tted_core.errors import MapFormatError
from tted_core.formats.decoding import decode
from tted_core.foundations.limits import MAX_STUDY_BYTES, check_limit
from tted_core.words.splitting import Sentence, Word

PARSED_EXAMPLE = "\n".join(
    "\t".join(line.split(" "))
    for line in (
        "1 I I PRON _ _ 3 nsubj _ _",
        "2 am be AUX _ _ 3 aux _ _",
        "3 walking walk VERB _ _ 0 root _ _",
        "4 in in ADP _ _ 7 case _ _",
        "5 the the DET _ _ 7 det _ _",
        "6 cold cold ADJ _ _ 7 amod _ _",
        "7 rain rain NOUN _ _ 3 obl _ SpaceAfter=No",
        "8 . . PUNCT _ _ 3 punct _ _",
        "",
        "1 Fish fish NOUN _ _ 2 nsubj _ _",
        "2 live live VERB _ _ 0 root _ _",
        "3 near near ADP _ _ 5 case _ _",
        "4 warm warm ADJ _ _ 5 amod _ _",
        "5 water water NOUN _ _ 2 obl _ SpaceAfter=No",
        "6 . . PUNCT _ _ 2 punct _ _",
        "",
        "",
    )
)

CONLL_2009 = 14
"""Columns of CoNLL-2009 at least, of which one more tells of each predicate's arguments; CoNLL-U has 10."""


@dataclass(frozen=True)
class ParsedSentence:
    """A sentence whose words are those of the file.

    Attributes:
        sentence: the text and its n words.
        heads: the position of each word's head, from 0; -1 for a root.
        predicates: the positions of the predicates.
        marked: whether the file marks predicates; otherwise they are the verbs.
    """

    sentence: Sentence
    heads: tuple[int, ...]
    predicates: frozenset[int]
    marked: bool

    @cached_property
    def depths(self) -> tuple[int, ...]:
        """Each word's level in the tree; a root's is 1."""
        found: list[int] = []
        for word in range(len(self.heads)):
            level, at = 1, word
            while (at := self.heads[at]) >= 0:
                level += 1
            found.append(level)
        return tuple(found)

    @cached_property
    def subtrees(self) -> frozenset[frozenset[int]]:
        """The words of each whole subtree: a word and all that depend on it, directly or not."""
        below: list[set[int]] = [{word} for word in range(len(self.heads))]
        for word in range(len(self.heads)):
            at = word
            while (at := self.heads[at]) >= 0:
                below[at].add(word)
        return frozenset(map(frozenset, below))


def read_parsed(content: bytes, most: int | None = None) -> list[ParsedSentence]:
    """Read the first ``most`` sentences.

    Lines of 10 columns are CoNLL-U: HEAD in the 7th, and verbs (UPOS VERB) stand in for predicates, which it
    doesn't mark. Lines of 14 or more are CoNLL-2009: HEAD in the 9th, FILLPRED in the 13th. Multiword tokens
    (1-2) and empty nodes (1.1) are left out, their words and neighbours stay.

    Raises:
        MapFormatError: another number of columns, a head that is none, heads in a circle, or no sentence.
        LimitError: too many bytes.
    """
    check_limit(len(content), MAX_STUDY_BYTES, "bytes of parsed sentences", "split the file")
    text, _ = decode(content)
    found: list[ParsedSentence] = []
    for first, lines in _blocks(text):
        if len(found) == most:
            break
        found.append(_sentence(first, lines))
    if not found:
        raise MapFormatError("there is no sentence; give a file in CoNLL-U or in the format of CoNLL-2009")
    return found


def _blocks(text: str) -> Iterator[tuple[int, list[list[str]]]]:
    """The lines of each sentence, split into columns, and the number of the first."""
    lines: list[list[str]] = []
    first = 0
    for number, line in enumerate((*text.split("\n"), ""), start=1):
        if line.startswith("#"):
            continue
        if not line.strip():
            if lines:
                yield first, lines
            lines = []
            continue
        if not lines:
            first = number
        columns = line.rstrip("\r").split("\t")
        if len(columns) != 10 and len(columns) < CONLL_2009:
            raise MapFormatError(
                f"{len(columns)} columns, but CoNLL-U has 10 and CoNLL-2009 14 or more, separated by tabs; "
                "give such a file",
                line=number,
            )
        if columns[0].isdigit():
            lines.append(columns)


def _sentence(first: int, lines: Sequence[Sequence[str]]) -> ParsedSentence:
    marked = len(lines[0]) >= CONLL_2009
    words: list[Word] = []
    text = ""
    for columns in lines:
        joined = not marked and words and "SpaceAfter=No" in lines[len(words) - 1][9].split("|")
        text += "" if joined or not words else " "
        form = columns[1].replace("\u00a0", " ").strip() or "_"
        words.append(Word(form, len(text), len(text) + len(form)))
        text += form
    heads = tuple(_head(columns[8 if marked else 6], len(lines), first) for columns in lines)
    _check_tree(heads, first)
    predicates = (
        number
        for number, columns in enumerate(lines)
        if (columns[12] == "Y" if marked else columns[3] == "VERB")
    )
    return ParsedSentence(Sentence(text, tuple(words)), heads, frozenset(predicates), marked)


def _head(given: str, words: int, line: int) -> int:
    if not given.isdigit() or int(given) > words:
        raise MapFormatError(
            f"in the sentence that begins here, a head is {given!r} instead of a number from 0 to {words}; "
            "parse the sentence",
            line=line,
        )
    return int(given) - 1


def _check_tree(heads: Sequence[int], line: int) -> None:
    for word in range(len(heads)):
        at, steps = word, 0
        while at >= 0:
            at, steps = heads[at], steps + 1
            if steps > len(heads):
                raise MapFormatError(
                    "in the sentence that begins here, heads go in a circle; correct its tree", line=line
                )
