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
from typing import Any, NamedTuple

from tted_core.errors import LimitError, MapFormatError, TTEDError
from tted_core.formats.answers import is_mixed, read_mixed, settle_texts
from tted_core.formats.document import Document, Format, MindMap
from tted_core.formats.fields import RecordPath, documents_at, of_a_program
from tted_core.formats.folder import read_bytes
from tted_core.formats.forest import ROOTS, Forest, listed, to_tree
from tted_core.formats.indented import INDENTED
from tted_core.formats.json_maps import NESTED_JSON
from tted_core.formats.labels import quoted
from tted_core.formats.markdown import MARKDOWN, strip_markup
from tted_core.formats.recognition import FORMATS, GENERAL, doubt, is_file_name, recognise
from tted_core.formats.splitting import SPLIT, open_content, split
from tted_core.formats.talk import Answer, take_apart_answer, topic_of
from tted_core.foundations.limits import (
    MAX_MAPS,
    MAX_MARKDOWN_CHARACTERS,
    MAX_NODES_READ,
    check_limit,
)
from tted_core.foundations.registry import lookup

MAX_MAPS_CHARACTERS = 3_000_000
"""Maximum characters of all maps together in a file with several, as each of them has the limits of a whole
file."""


logger = logging.getLogger(__name__)


@contextmanager
def _as_format_errors() -> Iterator[None]:
    """Turn unexpected exceptions of a reader into an error that affects this content only, and log them."""
    try:
        yield
    except TTEDError:
        raise
    except Exception as error:
        logger.exception("a reader of maps failed")
        raise MapFormatError(
            f"the reader has a bug ({type(error).__name__}); save the map in another format, and report this file"
        ) from error


class _Candidate(NamedTuple):
    """A map in a file: the format it was read as, other possible formats, and its nodes."""

    format: Format
    also: tuple[str, ...]
    forest: Forest
    title: str


def read_map(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002 - the word that users know
    roots: str = ROOTS[0],
    sheet: str | int | None = None,
    include_floating: bool = False,
    talk: bool = False,
    unmarked: bool = False,
    field: str | None = None,
    key: str | None = None,
) -> MindMap:
    """Read a mind map from a file, or from a folder of files; see ``parse_map`` for the options.

    Raises:
        MapFormatError: no such file, not a file, no permission, or content that can't be read as a map.
        LimitError: the file or the map is too large.
        UnknownNameError: no such format.
    """
    return parse_map(
        read_bytes(path),
        name=Path(path).name,
        format=format,
        roots=roots,
        sheet=sheet,
        include_floating=include_floating,
        talk=talk,
        unmarked=unmarked,
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
    talk: bool = False,
    unmarked: bool = False,
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
        talk: keep a chat model's words around its map, as roots.
        unmarked: remove marks of emphasis such as ``**`` from texts of any format, as in lists.
        field: path of the map in each record of JSON or JSON lines, as keys joined by dots
            ("generation.rendered"); its content may be in any format.
        key: path of its name in the record, likewise; by default the first of the usual keys.

    Raises:
        MapFormatError: content that can't be read as a map; the message has the position and the way out.
        LimitError: the content or the map is too large.
        UnknownNameError: no such format, or no such value of ``roots``.
    """
    lookup(dict.fromkeys(ROOTS), roots, "way with several roots")
    notices: list[str] = []
    candidates = _read_all(content, name, format, notices, field=field, key=key)
    number = _choose([candidate.title for candidate in candidates], sheet, notices)
    how = {"roots": roots, "include_floating": include_floating, "talk": talk, "unmarked": unmarked}
    return _settled(candidates, number, name, notices, **how)


def read_maps(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002 - the word that users know
    roots: str = ROOTS[0],
    include_floating: bool = False,
    talk: bool = False,
    unmarked: bool = False,
    field: str | None = None,
    key: str | None = None,
) -> tuple[MindMap, ...]:
    """Read every map of a file, a folder of files or an archive; see ``parse_map`` for the options.

    Raises:
        MapFormatError: no such file, not a file, no permission, or content that can't be read as maps.
        LimitError: the file or a map is too large.
        UnknownNameError: no such format.
    """
    return parse_maps(
        read_bytes(path),
        name=Path(path).name,
        format=format,
        roots=roots,
        include_floating=include_floating,
        talk=talk,
        unmarked=unmarked,
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
    talk: bool = False,
    unmarked: bool = False,
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
    lookup(dict.fromkeys(ROOTS), roots, "way with several roots")
    notices: list[str] = []
    candidates = _read_all(content, name, format, notices, field=field, key=key)
    how = {"roots": roots, "include_floating": include_floating, "talk": talk, "unmarked": unmarked}
    return tuple(
        _settled(candidates, number, name, () if number else notices, **how)
        for number in range(len(candidates))
    )


def list_maps(
    content: bytes | str,
    *,
    format: str | None = None,  # noqa: A002 - the word that users know
    field: str | None = None,
) -> tuple[str, ...]:
    """The titles of all maps in a file's content; the number of a map counts from 1.

    Raises:
        MapFormatError: content that can't be read.
        LimitError: the content is too large.
        UnknownNameError: no such format.
    """
    return tuple(candidate.title for candidate in _read_all(content, None, format, [], field=field))


@_as_format_errors()
def _read_all(
    content: bytes | str,
    name: str | None,
    format_name: str | None,
    notices: list[str],
    *,
    field: str | None,
    key: str | None = None,
) -> list[_Candidate]:
    """All maps in the content; an unreadable one is reported if there are others."""
    chosen = None if format_name is None else lookup(FORMATS, format_name, "format")
    path = None if field is None else RecordPath(field, key)
    _check_types(content, name, path)
    whole = open_content(content, name, notices)
    titled = _titled_documents(whole, chosen, notices, path)
    found: list[_Candidate] = []
    failures: list[tuple[str | None, TTEDError]] = []
    read = titled if len(titled) < 2 else _within_limit(titled, failures)
    nodes = markdown = 0
    for title, document in read:
        try:
            matching, document, forests = _read_one(document, chosen, check_keys=path is None)  # noqa: PLW2901 - without talk
        except (MapFormatError, LimitError) as error:
            failures.append((title or document.name, error))
            continue
        if matching[0] is MARKDOWN and len(titled) > 1:
            markdown += len(document.text)
            check_limit(markdown, MAX_MARKDOWN_CHARACTERS, "characters of Markdown (or more)", SPLIT)
        if chosen is None and not is_file_name(name) and not is_mixed(document):
            doubtful = doubt(document, matching[0], matching[1:])
            forests[0].notices += [doubtful] if doubtful else []
        for forest in forests:
            if title:
                forest.title = title if len(forests) == 1 else f"{title}: {_title(forest)}"
            nodes += len(forest)
            check_limit(nodes, MAX_NODES_READ, "nodes (or more) in all maps of the file", SPLIT)
            others = [entry for entry in matching[1:] if matching[0] in GENERAL or entry is not INDENTED]
            also = tuple(entry.name for entry in others)
            found.append(_Candidate(matching[0], also, forest, _title(forest)))
            check_limit(len(found), MAX_MAPS, "maps (or more) in the file", SPLIT)
    if not found:
        raise failures[0][1]
    if failures:
        what = listed(f"{title or 'one'} ({error})" for title, error in failures)
        notices.append(f"{len(failures):,} of {len(titled):,} maps in the file can't be read: {what}")
    return found


def _within_limit(
    titled: list[tuple[str | None, Document]], failures: list[tuple[str | None, TTEDError]]
) -> list[tuple[str | None, Document]]:
    """The documents without the largest ones, which fail, as long as all together are too large."""
    kept = list(titled)
    while (size := sum(len(document.text) for _, document in kept)) > MAX_MAPS_CHARACTERS:
        title, document = largest = max(kept, key=lambda each: len(each[1].text))
        kept.remove(largest)
        limit = f"{size:,} characters in all maps of the file, but the limit is {MAX_MAPS_CHARACTERS:,}"
        failures.append((title or document.name, LimitError(f"{limit}; {SPLIT}")))
    return kept


@_as_format_errors()
def _read_one(
    document: Document, chosen: Format | None, *, check_keys: bool
) -> tuple[list[Format], Document, Sequence[Forest]]:
    """A document's formats, the document without the talk around its map, and its maps."""
    matching = [chosen] if chosen else _recognised(document, check_keys=check_keys)
    answer = Answer(document)
    if matching[0] in GENERAL:
        answer = take_apart_answer(document)
        if answer.document is not document and not chosen:
            matching = recognise(answer.document)
    if matching[0] in {MARKDOWN, INDENTED} and chosen is not INDENTED and is_mixed(answer.document):
        matching = [MARKDOWN, *(entry for entry in matching if entry is not MARKDOWN)]
        forests: Sequence[Forest] = [read_mixed(answer.document)]
    else:
        forests = matching[0].read(answer.document)
    first = forests[0]
    if matching[0] in GENERAL:
        settle_texts(first)
        strip_markup(first, of_markdown=matching[0] is MARKDOWN)
    topic = answer.topic or next((found for _, text in document.around if (found := topic_of(text))), "")
    if topic and len(forests) == 1 and first.parents.count(-1) > 1:
        first.put_above(topic)
        first.notices.append(f"the root {quoted(topic)} is taken from the text, which names it as the topic")
    first.talk = (*document.around, *answer.talk)
    first.talk_notice = document.cut or first.talk_notice
    return matching, answer.document, forests


@_as_format_errors()
def _settled(
    candidates: list[_Candidate], number: int, name: str | None, notices: Sequence[str], **how: Any
) -> MindMap:
    """One of the maps of a file, by its number from 0, as a tree; ``how`` are options of ``to_tree``."""
    entry, also, forest, _ = candidates[number]
    if how.pop("unmarked"):
        strip_markup(forest, of_markdown=False)
    settled = to_tree(forest, **how)
    return MindMap(
        settled.tree,
        entry.name,
        (*notices, *settled.notices),
        name=name,
        also=also,
        maps=tuple(candidate.title for candidate in candidates),
        sheet=number + 1,
        joined=settled.joined,
        talk=() if how["talk"] else tuple(text for _, text in forest.talk),
    )


def _check_types(content: bytes | str, name: str | None, path: RecordPath | None) -> None:
    if not isinstance(content, (str, bytes)):
        raise MapFormatError(
            f"the content is of the type {type(content).__name__}; give a text or bytes (read_map(path) reads a "
            "file)"
        )
    for word, text in (("name", name), *zip(("field", "key"), path or (), strict=False)):
        if not isinstance(text, (str, NoneType)):
            raise MapFormatError(f"{word} is a text, not {text!r:.40}")


def _titled_documents(
    whole: Document, chosen: Format | None, notices: list[str], path: RecordPath | None
) -> list[tuple[str | None, Document]]:
    """Each document of the content, with a name for its maps if they have none."""
    if path is None:
        parts = split(whole, chosen, notices)
        return [(part.name if whole.archive and part is not whole else None, part) for part in parts]
    if not whole.looks_like_json:
        raise MapFormatError("--field needs JSON, which the content isn't; leave it out")
    return [each for document in split(whole, None, notices) for each in documents_at(document, path)]


def _recognised(document: Document, *, check_keys: bool) -> list[Format]:
    """The formats of a document; with ``check_keys``, JSON that looks like a program's data is refused."""
    matching = recognise(document)
    value = document.json_or_none if check_keys and matching[0] is NESTED_JSON else None
    why = "" if value is None else of_a_program(value)
    if why:
        raise MapFormatError(why)
    return matching


def _title(forest: Forest) -> str:
    title = forest.title or (forest.labels[0] if forest.labels else "")
    return " ".join(title[:400].split())[:80]


def _choose(titles: Sequence[str], sheet: str | int | None, notices: list[str]) -> int:
    """The index of the map that ``sheet`` selects."""
    names = listed(f"{number} {quoted(title)}" for number, title in enumerate(titles, start=1))
    if sheet is None:
        if len(titles) > 1:
            notices.append(
                f"the file holds {len(titles):,} maps ({names}); this is the first, --sheet selects another"
            )
        return 0
    if str(sheet) in titles:
        return titles.index(str(sheet))
    if str(sheet).isdecimal() and 1 <= int(sheet) <= len(titles):
        return int(sheet) - 1
    raise MapFormatError(f"there is no map {quoted(str(sheet))} in the file; it holds: {names}")
