"""Recognition of formats by content, and other formats that a document may be in.

The file's name is used only if the content matches none but the formats that accept nearly any text: content that
isn't what the extension promises is an error, not a map of lines of text.
"""

import re
from collections.abc import Callable
from pathlib import PurePath

from tted_core.errors import LimitError, MapFormatError
from tted_core.formats.document import Document, Format
from tted_core.formats.edges import EDGES
from tted_core.formats.indented import INDENTED, MERMAID, take_apart
from tted_core.formats.json_maps import NESTED_JSON, OBJECT_JSON, RECORDS
from tted_core.formats.json_programs import PROGRAMS, SENTENCES
from tted_core.formats.labels import counted
from tted_core.formats.markdown import MARKDOWN, is_outline
from tted_core.formats.numbered import CMGN, NUMBERED
from tted_core.formats.plantuml import PLANTUML
from tted_core.formats.programs import ARCHIVES, OF_XML
from tted_core.formats.refusals import GIVE, json_kind, refusal, text_kind
from tted_core.formats.xml_tree import parse_xml

GENERAL = (NUMBERED, MARKDOWN, INDENTED)
"""Formats that accept nearly any text; what only they match may be something else."""

FORMATS: dict[str, Format] = {
    entry.name: entry
    for entry in (
        *ARCHIVES,
        *OF_XML,
        CMGN,
        MERMAID,
        PLANTUML,
        SENTENCES,
        RECORDS,
        *PROGRAMS,
        OBJECT_JSON,
        NESTED_JSON,
        EDGES,
        *GENERAL,
    )
}
"""All formats in the order of recognition, from special to general; the first match wins."""


def recognise(document: Document) -> list[Format]:
    """The formats that a document matches, the best first.

    Raises:
        MapFormatError: none, or it is clearly something that can't be read.
        LimitError: too large for recognition.
    """
    matching: list[Format] = []
    for entry in FORMATS.values():
        try:
            if entry.matches(document):
                matching.append(entry)
        except LimitError:  # too large to read by line, which doesn't matter for other formats
            if not matching:
                raise
    kind = None
    if matching and matching[0] in {OBJECT_JSON, NESTED_JSON}:
        kind = json_kind(document.json_or_none) if document.json_or_none else None
    elif not matching or matching[0] in GENERAL:
        kind = text_kind(document)
        promise = None if kind else _promised(document)
        if promise:
            matching = [promise, *(entry for entry in matching if entry is not promise)]
    if kind:
        raise refusal(kind)
    if not matching:
        raise MapFormatError(f"the content is not a mind map; {GIVE}")
    return matching


def _check_xml(document: Document) -> None:
    element = parse_xml(document.text, document.first_line, [])
    raise MapFormatError(f"the content is XML with the root element <{element.tag[:40]}>, not a mind map")


def _refuse_text(_: Document) -> None:
    raise MapFormatError("the content is text; save it again from the program that made it")


PROMISES: dict[str, tuple[str, Format | None, Callable[[Document], object]]] = {
    ending: promise
    for endings, promise in (
        (".json .jsonl .ndjson .jm .km .mup", ("JSON", NESTED_JSON, NESTED_JSON.read)),
        (".xml .opml .mm", ("XML", None, _check_xml)),
        (".csv .tsv", ("a table of edges", EDGES, EDGES.read)),
        (".xmind .mmap .smmx .docx", ("a zip archive", None, _refuse_text)),
    )
    for ending in endings.split()
}
"""Extensions of a single format; a .mmd, .md or .txt may be anything.

Each has the format's name for messages, the format that reads it, and a function that raises for other content.
"""


def is_file_name(name: str | None) -> bool:
    """Return True for the name of a file rather than that of a pasted text."""
    return bool(PurePath(name or "").suffix)


def _promised(document: Document) -> Format | None:
    """The format that the name promises, for content that only the most general formats accept.

    Raises:
        MapFormatError: the content isn't in that format; the message has the position.
        LimitError: too large.
    """
    title, entry, check = PROMISES.get(PurePath(document.name or "").suffix.lower(), ("", None, bool))
    try:
        check(document)
    except MapFormatError as error:
        raise MapFormatError(
            f"{error.message} (the file's name promises {title}; if it is something else, rename it or "
            f"give its format with --format)",
            line=error.line,
            column=error.column,
            path=error.path,
        ) from error
    return entry


# Signs of other formats, for pasted texts of which less than half look like the guessed format.

_SIGNS = (
    ("JSON", re.compile(r"""\s*(?:[\[{"]|[\]}],?\s*$)""")),
    ("XML or HTML", re.compile(r"\s*</?\w")),
    ("a table", re.compile(r"[^,;\t|]{1,200}[,;\t|][^,;\t|]{0,200}$|[^\t]*\t[^\t]*\t")),
    ("YAML", re.compile(r"""\s*(?:-\s+)?[\w"'][^:\n]{0,100}:(?:\s|$)""")),
    ("prose, which is no map", re.compile(r".*[.!?]\s*$")),
)


def doubt(document: Document, guessed: Format, others: list[Format]) -> str | None:
    """Return a notice if less than half of the lines below the first look like the guessed format.

    Formats with requirements on every line need none.

    Raises:
        LimitError: too large to read line by line.
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
        f"be {may_be}. --format selects another reader"
    )


def _is_below(line: str) -> bool:
    column, bulleted, _ = take_apart(line)
    return bulleted or column > 0
