"""``read_map`` and ``parse_map``: content -> documents -> format -> forest -> ``MindMap``.

The steps are the same for all formats: limit the bytes, decode, cut the file into documents (a chat answer may
have its map in a fenced block), recognise the format by content, let its reader build forests, choose one, and
make it a tree. Decisions and repairs on the way are reported as notices.
"""

import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import NoneType

from tted_core.errors import (
    MAX_MAPS,
    MAX_MARKDOWN_CHARACTERS,
    MAX_NODES_READ,
    LimitError,
    MapFormatError,
    Message,
    Setting,
    TTEDError,
    check_limit,
    lookup,
)
from tted_core.formats.document import Document, Format, MindMap
from tted_core.formats.fields import (
    documents_at,
    find_program_keys,
    find_repeated_keys,
    split_records,
)
from tted_core.formats.forest import ROOTS, Forest, to_tree
from tted_core.formats.json_maps import NESTED_JSON
from tted_core.formats.labels import BLANK, strip_markup
from tted_core.formats.list_texts import settle_texts
from tted_core.formats.lists import MARKDOWN, shows_levels_otherwise
from tted_core.formats.markdown import settle_text
from tted_core.formats.outlines import INDENTED
from tted_core.formats.recognition import FORMATS, GENERAL, recognise, refusal
from tted_core.formats.splitting import SPLIT, open_content, split_documents
from tted_core.formats.talk import is_prose, topic_of, without_talk
from tted_core.foundations.files import read_bytes
from tted_core.foundations.messages import list_some, quoted

# Maximum characters of all maps together in a file with several, as each of them has the limits of a whole file.
MAX_MAPS_CHARACTERS = 3_000_000


_logger = logging.getLogger(__name__)


@contextmanager
def _as_format_errors() -> Iterator[None]:
    """Turn unexpected exceptions of a reader into an error that affects this content only, and log them."""
    try:
        yield
    except (TTEDError, MemoryError):  # the latter is a limit of the process, and no bug
        raise
    except Exception as error:
        _logger.exception("a reader of maps failed")
        raise MapFormatError(
            f"the reader has a bug ({type(error).__name__}); save the map in another format, and report this file"
        ) from error


def read_map(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002 - the word that users know
    roots: str = ROOTS[0],
    sheet: str | int | None = None,
    include_floating: bool = False,
    field: str | None = None,
    key: str | None = None,
) -> MindMap:
    """Read a mind map from a file, or from a folder of files; see ``parse_map`` for the options.

    Raises:
        MapFormatError: no such file, not a file, no permission, or content that can't be read as a map.
        LimitError: the file or the map is too large.
        UnknownNameError: no such format.

    >>> read_map("trees.md").tree.labels
    ('Trees', 'Oak', 'Birch')
    """
    return parse_map(
        read_bytes(path),
        name=Path(path).name,
        format=format,
        roots=roots,
        sheet=sheet,
        include_floating=include_floating,
        field=field,
        key=key,
    )


def parse_map(
    content: bytes | str,
    *,
    name: str | None = None,
    format: str | None = None,  # noqa: A002 - the word that users know
    roots: str = ROOTS[0],
    sheet: str | int | None = None,
    include_floating: bool = False,
    field: str | None = None,
    key: str | None = None,
) -> MindMap:
    """Read a mind map from a file's content or a pasted text.

    Args:
        content: bytes of the file, or text.
        name: the file's name. Formats are recognised by content, but content of no special format is refused if
            the name promises one (.json, .yaml, .xml, .csv ...); Markdown takes its title from it.
        format: a name in ``FORMATS``; by default the format is recognised from the content.
        roots: one of ``ROOTS``, for several roots.
        sheet: the title or number (from 1) of the map, if the content has several; by default the first.
        include_floating: keep topics outside the hierarchy (floating topics, callouts, summaries).
        field: path of the map in each record of JSON or JSON lines, as keys joined by dots
            ("generation.rendered"); its content may be in any format.
        key: path of its name in the record, likewise; by default the first of the usual keys.

    Raises:
        MapFormatError: content that can't be read as a map; the message has the position and the way out.
        LimitError: the content or the map is too large.
        UnknownNameError: no such format, or no such value of ``roots``.

    >>> parse_map('{"Trees": {"Oak": {}}}').format
    'nested-json'
    """
    forests, notices = _read_all(content, name, format, roots, field=field, key=key)
    number = _choose([_title(forest) for forest in forests], sheet, notices)
    return _to_map(forests, number, name, notices, roots=roots, include_floating=include_floating)


def read_maps(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002 - the word that users know
    roots: str = ROOTS[0],
    include_floating: bool = False,
    field: str | None = None,
    key: str | None = None,
) -> tuple[MindMap, ...]:
    """Read every map of a file, a folder of files or an archive; see ``parse_map`` for the options.

    Raises:
        MapFormatError: no such file, not a file, no permission, or content that can't be read as maps.
        LimitError: the file or a map is too large.
        UnknownNameError: no such format.

    >>> [each.name for each in read_maps("trees.md")]
    ['trees.md']
    """
    return parse_maps(
        read_bytes(path),
        name=Path(path).name,
        format=format,
        roots=roots,
        include_floating=include_floating,
        field=field,
        key=key,
    )


def parse_maps(
    content: bytes | str,
    *,
    name: str | None = None,
    format: str | None = None,  # noqa: A002 - the word that users know
    roots: str = ROOTS[0],
    include_floating: bool = False,
    field: str | None = None,
    key: str | None = None,
) -> tuple[MindMap, ...]:
    """Read every map in a file's content or a pasted text; see ``parse_map`` for the options.

    Content that could not be read is reported in the first map's notices.

    Raises:
        MapFormatError: content that can't be read as maps; the message has the position and the way out.
        LimitError: the content or a map is too large.
        UnknownNameError: no such format, or no such value of ``roots``.
    """
    forests, notices = _read_all(content, name, format, roots, field=field, key=key)
    return tuple(
        _to_map(
            forests,
            number,
            name,
            () if number else notices,
            roots=roots,
            include_floating=include_floating,
        )
        for number in range(len(forests))
    )


@_as_format_errors()
def _read_all(
    content: bytes | str,
    name: str | None,
    format_name: str | None,
    roots: str,
    *,
    field: str | None,
    key: str | None = None,
) -> tuple[list[Forest], list[str]]:
    """All maps in the content, and notices; an unreadable map is reported if there are others."""
    lookup(dict.fromkeys(ROOTS), roots, "way with several roots")
    notices: list[str] = []
    chosen = None if format_name is None else lookup(FORMATS, format_name, "format")
    documents = _documents(content, name, chosen, notices, field=field, key=key)
    failures: list[tuple[str, TTEDError]] = []
    found: list[Forest] = []
    nodes = markdown = characters = 0
    for document in documents:
        try:
            if len(documents) > 1:
                check_limit(
                    characters + len(document.text),
                    MAX_MAPS_CHARACTERS,
                    "characters in the maps up to this one",
                    SPLIT,
                )
            forests = _read_one(document, chosen, check_keys=field is None and document.value is None)
        except (MapFormatError, LimitError) as error:
            failures.append((document.title or document.name or "one", error))
            continue
        characters += len(document.text)
        if forests[0].format == MARKDOWN.name and len(documents) > 1:
            markdown += len(document.text)
            check_limit(markdown, MAX_MARKDOWN_CHARACTERS, "characters of Markdown (or more)", SPLIT)
        for forest in forests:
            if document.title:
                forest.title = document.title if len(forests) == 1 else f"{document.title}: {_title(forest)}"
            nodes += len(forest)
            check_limit(nodes, MAX_NODES_READ, "nodes (or more) in all maps of the file", SPLIT)
            found.append(forest)
            check_limit(len(found), MAX_MAPS, "maps (or more) in the file", SPLIT)
    if not found:
        raise failures[0][1]
    if failures:
        what = list_some(f"{title} ({error})" for title, error in failures)
        notices.append(f"{len(failures):,} of {len(documents):,} maps in the file can't be read: {what}")
    return found, notices


def _documents(
    content: bytes | str,
    name: str | None,
    chosen: Format | None,
    notices: list[str],
    *,
    field: str | None,
    key: str | None,
) -> list[Document]:
    """The documents in the content, or at a field of its records."""
    if not isinstance(content, (str, bytes)):
        raise MapFormatError(
            f"the content is of the type {type(content).__name__}; give a text or bytes (read_map(path) reads a "
            "file)"
        )
    for word, text in (("name", name), ("field", field), ("key", key)):
        if not isinstance(text, (str, NoneType)):
            raise MapFormatError(f"{word} is a text, not {text!r:.40}")
    whole = open_content(content, name, notices)
    if field is None:
        parts = split_documents(whole, chosen, notices)
        return parts if chosen else [each for part in parts for each in split_records(part, notices)]
    if not whole.looks_like_json:
        raise MapFormatError(Message(Setting("field"), " needs JSON, which the content isn't; leave it out"))
    return [each for part in split_documents(whole, None, notices) for each in documents_at(part, field, key)]


@_as_format_errors()
def _read_one(document: Document, chosen: Format | None, *, check_keys: bool) -> Sequence[Forest]:
    """The maps of a document; with ``check_keys``, data of programs is refused."""
    entry = chosen or recognise(document)
    value = None if chosen else document.json_or_none
    if value and entry is NESTED_JSON:
        why = (find_program_keys if check_keys else find_repeated_keys)(value)
        if why:
            raise MapFormatError(why)
    bare, topic = document, ""
    talk: tuple[str, ...] = ()
    notices: list[str] = []
    if entry in GENERAL:
        bare, notices = settle_text(document)
        bare, talk, topic = without_talk(bare)
        if bare is not document and not chosen:
            entry = recognise(bare)
    if entry is INDENTED and not chosen and shows_levels_otherwise(bare):
        entry = MARKDOWN
    if entry is INDENTED and not chosen and is_prose(bare):
        raise refusal("a text of sentences without levels", of_text=True)
    forests = entry.read(bare)
    first = forests[0]
    if entry in GENERAL:
        settle_texts(first)
        blank = {node for node, label in enumerate(first.labels) if label == BLANK}
        first.notices += strip_markup(first.labels, of_markdown=entry is MARKDOWN)
        first.notices += notices
        first.remove_empty(blank)
    topic = topic or next(filter(None, map(topic_of, document.around)), document.heading)
    if topic and len(forests) == 1 and first.parents.count(-1) > 1:
        first.put_above(topic)
        first.notices.append(f"the root {quoted(topic)} is taken from the text, which names it as the topic")
    first.talk = (*document.around, *talk)
    for forest in forests:
        forest.format = entry.name
    return forests


@_as_format_errors()
def _to_map(
    forests: list[Forest],
    number: int,
    name: str | None,
    notices: Sequence[str],
    *,
    roots: str,
    include_floating: bool,
) -> MindMap:
    """One of the maps of a file, by its number from 0, as a tree."""
    forest = forests[number]
    tree, repairs, joined = to_tree(forest, roots=roots, include_floating=include_floating)
    return MindMap(
        tree,
        forest.format,
        (*notices, *repairs),
        name=name,
        maps=tuple(map(_title, forests)),
        sheet=number + 1,
        joined=joined,
        talk=forest.talk,
    )


def _title(forest: Forest) -> str:
    title = forest.title or (forest.labels[0] if forest.labels else "")
    return " ".join(title[:400].split())[:80]


def _choose(titles: Sequence[str], sheet: str | int | None, notices: list[str]) -> int:
    """The index of the map that ``sheet`` selects."""
    names = list_some(f"{number} {quoted(title)}" for number, title in enumerate(titles, start=1))
    if sheet is None:
        if len(titles) > 1:
            notices.append(
                Message(
                    f"the file holds {len(titles):,} maps ({names}); this is the first, ",
                    Setting("sheet"),
                    " selects another",
                )
            )
        return 0
    if str(sheet) in titles:
        return titles.index(str(sheet))
    if str(sheet).isdecimal() and 1 <= int(sheet) <= len(titles):
        return int(sheet) - 1
    raise MapFormatError(f"there is no map {quoted(str(sheet))} in the file; it holds: {names}")
