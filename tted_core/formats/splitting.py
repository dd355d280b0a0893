"""Inputs with several maps: archives of map files, JSON lines, and fenced blocks in a chat answer or a page."""

import operator
import re
from contextlib import suppress
from dataclasses import replace
from textwrap import dedent

from tted_core.errors import MAX_BYTES, MAX_LINES, MAX_MAPS, MAX_UNPACKED_BYTES, MapFormatError, check_limit
from tted_core.formats.chat_words import MAP, VERSION_LINE
from tted_core.formats.diagrams import MERMAID, PLANTUML, PLANTUML_START
from tted_core.formats.document import BINARY, Document, Format, decode, is_gibberish, with_newlines
from tted_core.formats.json_text import first_json_end
from tted_core.formats.lines import RULE
from tted_core.formats.lists import MARKDOWN
from tted_core.formats.markdown import FENCED, ITEM, outline_share
from tted_core.formats.programs import ARCHIVES
from tted_core.formats.recognition import (
    ARCHIVE_KINDS,
    FORMATS,
    GENERAL,
    GIVE,
    SIGNATURES,
    refusal,
)
from tted_core.formats.refused_texts import is_code, text_kind
from tted_core.formats.talk import title_above
from tted_core.foundations.files import SIGNATURE, count_text_bytes, is_readme, unpack
from tted_core.foundations.messages import counted, list_some, quoted

_ASSIGNED = r"(?:(?:const |let |var )?[A-Za-z_]\w*(?:: *\w+)? *= *)?"
_ASSIGNMENT = re.compile(rf"\A\s*+{_ASSIGNED}(?=[{{\[]\s*+[\"'{{])")
_JSON_LINE = re.compile(rf"^[ \t]*+{_ASSIGNED}(?=\{{\s*+[\"']|\[\s*+\{{\s*+[\"'])", re.MULTILINE)
_QUOTATION = re.compile(r"^> ?", re.MULTILINE)
_THOUGHT = re.compile(
    r"(?:\s*+<think(?:ing)?>(?:[^<]|<(?!/think(?:ing)?>))*+|(?:[^<]|<(?!/?think))*+(?=</think(?:ing)?>[ \t]*\n))"
    r"</think(?:ing)?>(?=\s*+\S)"
)
_INVITATION = re.compile(
    r"<summary>(?=\W*+(?:click|tap to|klick|cliqu|haz clic|нажми|点击|點擊|クリック))([^<\n]{0,50}+)</summary>",
    re.IGNORECASE,
)
_SUMMARY = re.compile(r"<summary>((?:[^<\n]|</?\w{1,6}>)*+)</summary>", re.IGNORECASE)
_TAG = r"(?:ant)?artifact|mind_?map|(?:final_?)?answer|response|output|result|document|details|summary"
# Tags around a map in Markdown or plain text.
_AROUND = re.compile(
    rf"^[ \t]*+</?({_TAG})(?:\s[^<>\n]*+)?>|</(?:{_TAG})>[ \t]*+$", re.IGNORECASE | re.MULTILINE
)

_MAP_LANGUAGES = {"markmap", "mindmap"}  # languages of fenced blocks that are maps, whatever is in them

# Kinds of fenced blocks, from sure maps to code.
_NAMED, _SPECIAL, _OUTLINE, _OTHER = range(4)

SPLIT = "split the file"
SMALLER_MAPS = "split it into smaller maps"


def open_content(content: bytes | str, name: str | None, notices: list[str]) -> Document:
    """Decode the content, unless it is an archive or a refused kind of file.

    Raises:
        MapFormatError: empty, or a file of another kind.
        LimitError: too many bytes.
    """
    size = len(content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content)
    check_limit(size, MAX_BYTES, "bytes in the input", SMALLER_MAPS)
    if isinstance(content, str):
        text = with_newlines(content)
    else:
        kind = next((kind for signature, kind in SIGNATURES if content.startswith(signature)), None)
        if kind:
            raise refusal(kind)
        if content.startswith(SIGNATURE):
            return Document("", archive=content, name=name)
        text, repairs = decode(content)
        notices += repairs
    if not text.strip():
        lacking = "holds only white space" if text else "is empty"
        raise MapFormatError(f"the input {lacking}; give a mind map with at least one node")
    if is_gibberish(text):
        raise refusal(BINARY)
    return Document(_without_frame(text, notices), name=name)


def _without_frame(text: str, notices: list[str]) -> str:
    """The text without what stands around or in front of all its lines; line numbers stay.

    That are a margin, the signs of a quotation, tags around the map, and what a reasoning model thinks before its
    answer (``<think> ... </think>``; some servers swallow the opening tag, so a closing one that ends its line is
    enough).
    """
    if all(line.startswith((">", "    ", "\t")) or not line.strip() for line in text.split("\n")):
        text = dedent(_QUOTATION.sub("", text))
    if "</think" in text and (thought := _THOUGHT.match(text)):
        notices.append("the model's reasoning (<think> ... </think>) was left out")
        text = "\n" * thought[0].count("\n") + text[thought.end() :]
    titled = _SUMMARY.sub(r"**\1**", _INVITATION.sub(r"\1.", text))
    bare = _AROUND.sub("", titled)
    if bare == text or bare.lstrip().startswith("<"):  # which is XML
        return text
    names = [f"<{name}>" for name in _AROUND.findall(text) if name]
    notices.append(f"tags around the map were left out: {list_some(dict.fromkeys(names))}")
    return bare


def split_documents(document: Document, chosen: Format | None, notices: list[str]) -> list[Document]:
    """The documents in an input; usually just one.

    Raises:
        MapFormatError: an archive of other files.
        LimitError: too large.
    """
    if document.archive is not None:
        return _split_archive(document, chosen, notices)
    if document.looks_like_json:
        return [document] if document.json_or_none else _split_json_lines(document)
    if chosen is MARKDOWN:
        return [document]
    if "```" in document.text or "~~~" in document.text:
        return _split_fences(document, chosen, notices)
    return _find_embedded(document, notices) or _split_versions(document)


def _split_archive(document: Document, chosen: Format | None, notices: list[str]) -> list[Document]:
    """The files in a zip archive, unless it is itself a map."""
    if chosen in ARCHIVES or any(entry.matches(document) for entry in ARCHIVES):
        return [document]
    kind = next((kind for name, kind in ARCHIVE_KINDS if name in document.entries), None)
    if kind:
        raise refusal(kind)
    parts: list[Document] = []
    unread: list[str] = []
    size = 0
    for entry, content in unpack(document.entries, "unpacked archive", "pack fewer files into one archive"):
        part = None
        with suppress(MapFormatError):
            part = None if is_readme(entry) else open_content(content, entry, [])
        if part is None or (part.archive and not any(each.matches(part) for each in ARCHIVES)):
            unread.append(quoted(entry))
            continue
        size += count_text_bytes(part.archive) if part.archive else 0
        check_limit(size, MAX_UNPACKED_BYTES, "bytes in the maps of the unpacked archive", SPLIT)
        parts.append(replace(part, title=entry))
    if not parts:
        raise MapFormatError(f"the archive has no mind maps; {GIVE}")
    if unread:
        notices.append(f"files in the archive that aren't maps were left out: {list_some(unread)}")
    return parts


def _split_json_lines(document: Document) -> list[Document]:
    """The values of JSON lines; a single broken value stays whole."""
    lines = enumerate(document.text.split("\n"), start=document.first_line)
    parts = [replace(document, text=line, first_line=number) for number, line in lines if line.strip()]
    if parts[0].json_or_none is None or not all(part.text.lstrip().startswith(("{", "[")) for part in parts):
        return [document]
    check_limit(len(parts), MAX_MAPS, "maps (or more) in the file", SPLIT)
    return parts


def _split_versions(document: Document) -> list[Document]:
    """The maps that an answer offers below "Version A", "Version B", each with a root of its own."""
    text = document.text
    found = list(VERSION_LINE.finditer(text))
    if len(found) < 2 or outline_share(text[: found[0].start()]):
        return [document]
    check_limit(len(found), MAX_MAPS, "maps in the text", SPLIT)
    above = (" ".join(line.split()) for line in text[: found[0].start()].split("\n") if not RULE.match(line))
    parts = [
        replace(
            document,
            text=text[each.end() : end],
            title=each["title"].strip("*_:： \t") or None,
            first_line=document.line_of(each.end()),
            around=() if each is not found[0] else tuple(filter(None, above)),
        )
        for each, end in zip(found, [*(each.start() for each in found[1:]), len(text)], strict=True)
    ]
    return parts if all(map(_has_one_root, parts)) else [document]


def _has_one_root(part: Document) -> bool:
    """Return True if no line of a text has the form of its first one."""
    first, *others = [(line.mark, line.column, line.level) for line in part.list_lines] or [("", 0, 0)]
    return bool(others) and first not in others


def _find_embedded(document: Document, notices: list[str]) -> list[Document]:
    """The JSON in a chat answer without fences; there is none if the text around it is an outline or code."""
    text = document.text
    found = _JSON_LINE.search(text) if "{" in text and not PLANTUML_START.search(text) else None
    if found is None:
        return []
    end = 0
    with suppress(MapFormatError):
        end = first_json_end(text, found.end())
    check_limit(text.count("\n"), MAX_LINES, "lines (or more) of text", SMALLER_MAPS)
    around = text[: found.end()] + text[end:]
    if not end or outline_share(around) > 1 or is_code(around):
        return []
    part = replace(document, text=text[found.end() : end], first_line=document.line_of(found.end()))
    return [_cut(part, f"read from the JSON that begins in line {part.first_line}", document, notices)]


def _cut(part: Document, notice: str, whole: Document, notices: list[str]) -> Document:
    """A document cut out of another, with the lines around it."""
    end = part.first_line + part.text.count("\n")
    outside = [
        (number, " ".join(line.split()))
        for number, line in whole.filled_lines
        if not (
            part.first_line <= number <= end or line.lstrip().startswith(("```", "~~~")) or RULE.match(line)
        )
    ]
    above = [line for number, line in outside if number < part.first_line]
    notices.append(notice)
    return replace(part, around=tuple(line for _, line in outside), heading=title_above("".join(above[-1:])))


def _split_fences(document: Document, chosen: Format | None, notices: list[str]) -> list[Document]:
    """The fenced blocks that are maps, or the text around them; if both are maps, the other one comes second.

    An outline around the blocks is the map, unless one is named as such or explained by the text behind it, or a
    larger drawing stands below headings without a list.
    """
    check_limit(document.text.count("\n"), MAX_LINES, "lines (or more) of text", SMALLER_MAPS)
    blocks: list[tuple[int, Document]] = []
    has_list = False
    behind = 0
    for found in FENCED.finditer(document.text):
        above = document.text[behind : found.start()]
        behind = found.end()
        has_list = has_list or _has_list(above)
        text = _ASSIGNMENT.sub("", found["inside"][1:], count=1)
        if text.strip():
            first_line = document.line_of(found.start("inside")) + 1
            part = Document(dedent(text), name=document.name, first_line=first_line)
            is_diagram = MERMAID.matches(part) or PLANTUML.matches(part)
            is_named = (
                found["language"].strip().lower() in _MAP_LANGUAGES
                or (is_diagram and not has_list)
                # The line directly above the block says that it is a map.
                or (MAP.search(above.rstrip().rpartition("\n")[2]) and (is_diagram or _is_outline(part)))
            )
            blocks.append((_NAMED if is_named else _SPECIAL if chosen else _kind_of(part), part))
    check_limit(len(blocks), MAX_MAPS, "fenced blocks", SPLIT)
    best, first = min(blocks, key=operator.itemgetter(0), default=(_OTHER, document))
    before = "\n".join(document.text.split("\n")[: first.first_line - document.first_line])
    around = FENCED.sub(r"\g<before>", document.text)
    share = outline_share(around)
    is_main = chosen is not None or best == _OTHER or outline_share(before) > 1
    is_drawing = share < len(first.filled_lines) and any(line.mark == "branch" for line in first.list_lines)
    is_page = is_main and share > 1 and (_has_list(around) or not is_drawing)
    maps = [part for kind, part in blocks if kind <= _SPECIAL]
    if (
        not blocks
        or (is_page and best > _NAMED)
        or (best == _OTHER and _is_outline(replace(document, text=around)))
    ):
        return [document] if chosen else [document, *maps]
    if is_page and _has_list(around) and not chosen:
        return [*maps, document]
    parts = [part for kind, part in blocks if kind <= max(best + 1, _SPECIAL)]
    if len(parts) < len(blocks):
        notices.append(f"left out, since not like a map: {counted(len(blocks) - len(parts), 'fenced block')}")
    if len(parts) == 1:
        return [
            _cut(
                parts[0],
                f"read from the fenced block from line {parts[0].first_line} on",
                document,
                notices,
            )
        ]
    notices.append("read from the fenced blocks; the text around is not part of the map")
    return parts


def _has_list(text: str) -> bool:
    return any(map(ITEM.match, text.split("\n")))


def _kind_of(part: Document) -> int:
    """The kind of a block that isn't named as the map."""
    if any(entry.matches(part) for entry in FORMATS.values() if entry not in GENERAL):
        return _SPECIAL
    return _OUTLINE if _is_outline(part) else _OTHER


def _is_outline(part: Document) -> bool:
    """Return True for a list or a drawing of a tree, rather than a program."""
    lines = [line for _, line in part.filled_lines]
    deeper = sum(line[0].isspace() for line in lines)
    return outline_share(part.text) > max(1, len(lines) / 2) or (
        deeper > 0 and 2 * deeper >= len(lines) - 1 and text_kind(Document(part.text)) is None
    )
