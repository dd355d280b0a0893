"""Which formats a document is in: by its content, then by its file's name; and what else it may be."""

import re
from collections.abc import Callable
from pathlib import PurePath
from typing import NamedTuple

from tted_core.errors import LimitError, MapFormatError
from tted_core.formats.document import Document, Format
from tted_core.formats.edges import EDGES
from tted_core.formats.indented import INDENTED, take_apart
from tted_core.formats.known import FORMATS, GENERAL
from tted_core.formats.labels import counted
from tted_core.formats.markdown import MARKDOWN, is_outline
from tted_core.formats.object_json import NESTED_JSON, OBJECT_JSON
from tted_core.formats.refusals import json_kind, readable, refusal, text_kind
from tted_core.formats.xml_tree import parse_xml


def recognise(document: Document) -> list[Format]:
    """The formats that a document matches, the best first.

    Raises:
        MapFormatError: none, or it is plainly something that can't be read.
        LimitError: too large to look at.
    """
    matching = _matching(document)
    value = document.json_or_none if matching and matching[0] in {OBJECT_JSON, NESTED_JSON} else None
    kind = json_kind(value) if value is not None else None
    if not matching or matching[0] in GENERAL:
        kind = text_kind(document)
        promise = None if kind else promised(document)
        if promise:
            matching = [promise, *(entry for entry in matching if entry is not promise)]
    if kind:
        raise refusal(kind)
    if not matching:
        raise MapFormatError(f"the content is no mind map ({readable()})")
    return matching


def _matching(document: Document) -> list[Format]:
    matching: list[Format] = []
    for entry in FORMATS.values():
        try:
            if entry.matches(document):
                matching.append(entry)
        except LimitError:  # too large to look at line by line, which says nothing once it is another format
            if not matching:
                raise
    return matching


# What a file's name promises: content that is nothing of the kind is an error, and no map of lines of text.
#
# Recognition goes by content alone; the name is asked where the content fits none but the formats that take
# nearly any text. Then the reader that the name promises says where the content breaks off.


class Promise(NamedTuple):
    """What an ending promises: the word for it, the format that reads it, and what raises if it breaks it."""

    title: str
    format: Format | None
    check: Callable[[Document], object]


def _check_xml(document: Document) -> None:
    element = parse_xml(document.text, document.first_line)
    raise MapFormatError(f"the content is XML with the root element <{element.tag[:40]}>, no mind map")


def _refuse_text(_: Document) -> None:
    raise MapFormatError("the content is text; save it again from the program that made it")


PROMISES = {
    ending: promise
    for endings, promise in (
        (".json .jsonl .ndjson .jm .km .mup", Promise("JSON", NESTED_JSON, NESTED_JSON.read)),
        (".xml .opml .mm", Promise("XML", None, _check_xml)),
        (".csv .tsv", Promise("a table of edges", EDGES, EDGES.read)),
        (".xmind .mmap .smmx .docx", Promise("a zip archive", None, _refuse_text)),
    )
    for ending in endings.split()
}
"""The endings whose files are one thing and nothing else; a .mmd, .md or .txt may be anything."""


def is_file_name(name: str | None) -> bool:
    """Whether this is the name of a file, and not the word for a text that was pasted."""
    return bool(PurePath(name or "").suffix)


def promised(document: Document) -> Format | None:
    """The format that the name promises, for content that only the most general formats take.

    Raises:
        MapFormatError: the content is nothing of the kind; says where it breaks off.
        LimitError: too large.
    """
    promise = PROMISES.get(PurePath(document.name or "").suffix.lower())
    if promise is None:
        return None
    try:
        promise.check(document)
    except MapFormatError as error:
        raise MapFormatError(
            f"{error.message} (the file's name promises {promise.title}; if it is something else, rename it or "
            f"give its format with --format)",
            line=error.line,
            column=error.column,
            path=error.path,
        ) from error
    return promise.format


# What a pasted text may be besides the format that was guessed, where less than half of it looks like that.

_SIGNS = (
    ("JSON", re.compile(r"""\s*(?:[\[{"]|[\]}],?\s*$)""")),
    ("XML or HTML", re.compile(r"\s*</?\w")),
    ("a table", re.compile(r"[^,;\t|]{1,200}[,;\t|][^,;\t|]{0,200}$|[^\t]*\t[^\t]*\t")),
    ("YAML", re.compile(r"""\s*(?:-\s+)?[\w"'][^:\n]{0,100}:(?:\s|$)""")),
    ("prose, which is no map", re.compile(r".*[.!?]\s*$")),
)


def doubt(document: Document, guessed: Format, others: list[Format]) -> str | None:
    """A notice if less than half of the lines below the first look like the format that was guessed.

    Formats that ask something of every line need none.

    Raises:
        LimitError: too large to look at line by line.
    """
    if guessed not in {MARKDOWN, INDENTED}:
        return None
    lines = [line for _, line in document.filled_lines][1:]
    looks = is_outline if guessed is MARKDOWN else _is_below
    alike = sum(map(looks, lines))
    if 2 * alike >= len(lines):
        return None
    signs = [
        name for name, sign in _SIGNS if 2 * sum(sign.match(line) is not None for line in lines) > len(lines)
    ]
    may_be = ", ".join([*(entry.title for entry in others), *signs]) or "a flat list of texts"
    return (
        f"only {alike:,} of {counted(len(lines), 'line')} below the first look like {guessed.title}; it may also "
        f"be {may_be}. --format chooses another reader"
    )


def _is_below(line: str) -> bool:
    column, bulleted, _ = take_apart(line)
    return bulleted or column > 0
