"""What a file's name promises: content that is nothing of the kind is an error, and no map of lines of text.

Recognition goes by content alone; the name is asked where the content fits none but the formats that take nearly
any text. Then the reader that the name promises says where the content breaks off.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath

from tted_core.errors import MapFormatError
from tted_core.formats import edges, nested_json, yaml_outline
from tted_core.formats.document import Document, Format
from tted_core.formats.edges import EDGES
from tted_core.formats.markdown import ITEM
from tted_core.formats.nested_json import NESTED_JSON
from tted_core.formats.xml_tree import parse_xml
from tted_core.formats.yaml_outline import YAML


@dataclass(frozen=True)
class Promise:
    """What an ending promises: the word for it, the format that reads it, and what raises if it breaks it."""

    title: str
    format: Format | None
    check: Callable[[Document], object]


def _check_xml(document: Document) -> None:
    element = parse_xml(document.text, document.first_line)
    raise MapFormatError(f"the content is XML with the root element <{element.tag[:40]}>, no mind map")


def _refuse_text(_: Document) -> None:
    raise MapFormatError("the content is text; save it again from the program that made it")


_JSON = Promise("JSON", NESTED_JSON, nested_json.read)
_YAML = Promise("YAML", YAML, yaml_outline.read)
_XML = Promise("XML", None, _check_xml)
_TABLE = Promise("a table of edges", EDGES, edges.read)
_ARCHIVE = Promise("a zip archive", None, _refuse_text)

PROMISES = {
    ".json": _JSON,
    ".jsonl": _JSON,
    ".ndjson": _JSON,
    ".canvas": _JSON,
    ".jm": _JSON,
    ".km": _JSON,
    ".mup": _JSON,
    ".yaml": _YAML,
    ".yml": _YAML,
    ".xml": _XML,
    ".opml": _XML,
    ".mm": _XML,
    ".csv": _TABLE,
    ".tsv": _TABLE,
    ".xmind": _ARCHIVE,
    ".mmap": _ARCHIVE,
    ".smmx": _ARCHIVE,
    ".docx": _ARCHIVE,
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
    if promise is _YAML and all(ITEM.match(line) for _, line in document.filled_lines):
        return None  # nested bullets, which YAML would glue into one text
    return promise.format
