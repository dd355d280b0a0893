"""``read_map`` and ``parse_map``: content -> documents -> format -> forest -> ``MindMap``.

The steps are alike for all formats: limit the bytes, decode, cut the file into documents (a chat answer may
hold its map in a fenced block), recognise the format by content, let its reader build forests, choose one,
make it a tree. Everything that had to be decided or repaired on the way is told in the notices.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tted_core.errors import MapFormatError
from tted_core.formats.decoding import decode, is_gibberish
from tted_core.formats.document import Document, Format
from tted_core.formats.fences import fenced_blocks
from tted_core.formats.forest import ROOTS, Forest, listed, to_tree
from tted_core.formats.indented import INDENTED
from tted_core.formats.known import FORMATS
from tted_core.formats.labels import quoted
from tted_core.formats.markdown import MARKDOWN, outline_share
from tted_core.formats.refused import binary_kind
from tted_core.limits import MAX_BYTES, MAX_LINES, check_limit
from tted_core.registry import lookup
from tted_core.tree import TextTree

_SMALLER = "split it into smaller maps"


@dataclass(frozen=True)
class MindMap:
    """A map as read.

    Args:
        tree: its nodes.
        format: the name in ``FORMATS`` that it was read as.
        notices: a sentence for every repair, omission and decision; empty if there was none.
        name: the file's name, if it has one.
        also: names of the formats that it could be read as too.
        maps: the titles of all maps in the file, in order; this one's number is ``sheet``.
        sheet: which of them this is, counted from 1.
    """

    tree: TextTree
    format: str
    notices: tuple[str, ...] = ()
    name: str | None = None
    also: tuple[str, ...] = ()
    maps: tuple[str, ...] = field(default=("",))
    sheet: int = 1


def read_map(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002 - the word that users know
    roots: str = "error",
    sheet: str | int | None = None,
    include_floating: bool = False,
) -> MindMap:
    """Read a mind map from a file; see ``parse_map`` for the options.

    Raises:
        MapFormatError: no such file, no file, no permission, or content that can't be read as a map.
        LimitError: the file or the map is too large.
        UnknownNameError: no such format.
    """
    name = Path(path).name
    content = _read_bytes(path)
    return parse_map(
        content, name=name, format=format, roots=roots, sheet=sheet, include_floating=include_floating
    )


def parse_map(
    content: bytes | str,
    *,
    name: str | None = None,
    format: str | None = None,  # noqa: A002 - the word that users know
    roots: str = "error",
    sheet: str | int | None = None,
    include_floating: bool = False,
) -> MindMap:
    """Read a mind map from a file's content or a pasted text.

    Args:
        content: bytes as they stand in the file, or text.
        name: a name for messages; never used for recognition.
        format: a name in ``FORMATS``; by default the format is recognised from the content.
        roots: one of ``ROOTS``; what to do with several roots.
        sheet: the title or number (from 1) of the map, where the content holds several; by default the first.
        include_floating: keep topics outside the hierarchy (floating topics, callouts, summaries).

    Raises:
        MapFormatError: content that can't be read as a map; says where and what to do.
        LimitError: the content or the map is too large.
        UnknownNameError: no such format, or no such value of ``roots``.
    """
    lookup(dict.fromkeys(ROOTS), roots, "way with several roots")
    chosen = None if format is None else lookup(FORMATS, format, "format")
    notices: list[str] = []
    candidates = _read_all(content, name, chosen, notices)
    titles = _titles([forest for _, _, forest in candidates])
    number = _choose(titles, sheet, notices)
    used, others, forest = candidates[number]
    tree, tree_notices = to_tree(forest, roots=roots, include_floating=include_floating)
    return MindMap(
        tree, used.name, (*notices, *tree_notices), name=name, also=others, maps=titles, sheet=number + 1
    )


def list_maps(
    content: bytes | str,
    *,
    format: str | None = None,  # noqa: A002 - the word that users know
) -> tuple[str, ...]:
    """The titles of all maps in a file's content, for a picker; the number of a map counts from 1.

    Raises:
        MapFormatError: content that can't be read.
        LimitError: the content is too large.
        UnknownNameError: no such format.
    """
    chosen = None if format is None else lookup(FORMATS, format, "format")
    return _titles([forest for _, _, forest in _read_all(content, None, chosen, [])])


def _read_all(
    content: bytes | str, name: str | None, chosen: Format | None, notices: list[str]
) -> list[tuple[Format, tuple[str, ...], Forest]]:
    """All maps in the content: the format each was read as, what else it could be, and its nodes."""
    found = []
    for document in _cut(_open(content, name, notices), chosen, notices):
        matching = [chosen] if chosen else list(_matching(document))
        if not matching:
            raise MapFormatError(f"the content is no mind map that can be read; {readable()}")
        others = tuple(entry.name for entry in matching[1:])
        found += [(matching[0], others, forest) for forest in matching[0].read(document)]
    return found


def _matching(document: Document) -> Iterator[Format]:
    return (entry for entry in FORMATS.values() if entry.matches(document))


def readable() -> str:
    """What can be read, as the second half of a message."""
    return f"what can be read: {', '.join(entry.title for entry in FORMATS.values())}"


def _read_bytes(path: str | os.PathLike[str]) -> bytes:
    shown = quoted(os.fspath(path), limit=200)
    try:
        with Path(path).open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except FileNotFoundError as error:
        raise MapFormatError(f"there is no file {shown}; check the name and the folder") from error
    except IsADirectoryError as error:
        raise MapFormatError(f"{shown} is a folder; name one of the files in it") from error
    except PermissionError as error:
        raise MapFormatError(f"no permission to read {shown}; change its access rights") from error
    except (OSError, ValueError) as error:
        raise MapFormatError(f"{shown} can't be read: {error}") from error
    if len(content) > MAX_BYTES:
        size = max(Path(path).stat().st_size, len(content))
        check_limit(size, MAX_BYTES, f"bytes in {shown}", _SMALLER)
    return content


def _open(content: bytes | str, name: str | None, notices: list[str]) -> Document:
    """Decode the content, unless it is plainly no text."""
    check_limit(len(content), MAX_BYTES, "bytes in the input", _SMALLER)
    if isinstance(content, str):
        check_limit(len(content.encode("utf-8", "surrogatepass")), MAX_BYTES, "bytes in the input", _SMALLER)
        text = content.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
    else:
        kind = binary_kind(content)
        if kind:
            raise MapFormatError(f"the content is {kind}, no mind map; {readable()}")
        text, repairs = decode(content)
        notices += repairs
    if not text:
        raise MapFormatError("the input is empty; give a mind map with at least one node")
    if text.isspace():
        raise MapFormatError("the input holds only white space; give a mind map with at least one node")
    if is_gibberish(text):
        raise MapFormatError(f"the content is binary, no mind map; {readable()}")
    return Document(text, name=name)


def _cut(document: Document, chosen: Format | None, notices: list[str]) -> list[Document]:
    """The documents in a text: its fenced blocks, if the text around them is no outline itself."""
    if (
        document.looks_like_json
        or chosen is MARKDOWN
        or not ("```" in document.text or "~~~" in document.text)
    ):
        return [document]
    check_limit(document.text.count("\n"), MAX_LINES, "lines (or more) of text", _SMALLER)
    blocks, around = fenced_blocks(document.text)
    if not blocks or outline_share(around) > 1:
        return [document]
    parts = [Document(block.text, name=document.name, first_line=block.first_line) for block in blocks]
    if chosen is None:
        special = [part for part in parts if next(_matching(part)) is not INDENTED]
        if special and len(special) < len(parts):
            notices.append(f"{len(parts) - len(special):,} fenced blocks that look like no map were left out")
            parts = special
    where = f"the fenced block from line {parts[0].first_line} on" if len(parts) == 1 else "the fenced blocks"
    rest = "; the text around is not part of the map" if around.strip() else ""
    notices.append(f"read from {where}{rest}")
    return parts


def _titles(forests: Sequence[Forest]) -> tuple[str, ...]:
    return tuple(
        " ".join((forest.title or (forest.labels[0] if forest.labels else "")).split())[:80]
        for forest in forests
    )


def _choose(titles: tuple[str, ...], sheet: str | int | None, notices: list[str]) -> int:
    """The index of the map that ``sheet`` means."""
    names = listed(f"{number} {quoted(title)}" for number, title in enumerate(titles, start=1))
    if sheet is None:
        if len(titles) > 1:
            notices.append(
                f"the file holds {len(titles):,} maps ({names}); this is the first, --sheet takes another"
            )
        return 0
    if str(sheet) in titles:
        return titles.index(str(sheet))
    if str(sheet).isdecimal() and 1 <= int(sheet) <= len(titles):
        return int(sheet) - 1
    raise MapFormatError(f"there is no map {quoted(str(sheet))} in the file; it holds: {names}")
