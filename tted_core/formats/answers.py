"""Lists as chat models write them: mixed marks, bold lines as headings, words for levels ("Branch 1:").

Markdown, numbers and indentation have readers of their own for texts in one of these forms. This reader takes
mixtures: a mark that returns after another one in the same column, letters and Roman numerals, emoji as bullets,
bold lines above lists, "Central Topic:" and "Branch 1:", tables. The level of a line follows from (in this order)
being a title, its heading level, bold lines, its column, words for its level, and its kind of mark.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from tted_core.formats.chat_words import CENTRE_LINE, LEVEL_LINE, LEVEL_WORD, MAP, TOPIC
from tted_core.formats.document import Document
from tted_core.formats.edges import Node, linked
from tted_core.formats.forest import Forest
from tted_core.formats.indented import BRANCH, DRAWN, SPACER, TASK, width
from tted_core.formats.labels import counted
from tted_core.formats.markdown import FRONT_MATTER
from tted_core.formats.talk import BOLD, is_said, symbols_at, topic_of_title, without_marks

HEADING = re.compile(r"(#{1,6})\s+(?P<text>.*?)[ \t#]*$")
_UNDERLINE = re.compile(r"\s*(?:=+|-{2,})\s*$")
_RUN_IN = re.compile(r"(?:\*\*|__)[^*_]+?(?:[:：]\s*(?:\*\*|__)|(?:\*\*|__)\s*[:：])\s*\S")
_BULLETS = "-*+•◦▪▫‣⁃–—·○●■□►▸▹➢➤✓✔◆◇★☆❖✦»›→⇒➔➜▶・－"
_MARK = re.compile(
    rf"(?:(?P<run>(?P<sign>[{re.escape(_BULLETS)}])(?P=sign){{0,5}}>?)|(?P<dotted>\d{{1,3}}(?:\.\d{{1,3}})+)[.)]?|"
    r"(?P<open>[（(]?)(?:(?P<digit>\d{1,3})|(?P<letter>[A-Za-zА-Яа-яא-תأ-ي])|(?P<roman>[IVXLC]{2,6}|[ivxlc]{2,6})|"
    r"(?P<chinese>[一二三四五六七八九十]{1,3}))(?P<close>[.)）、．])|(?P<circled>[①-⑳❶-❿]))(?:\s+|(?<=[、．）①-⑳❶-❿])|$)"
)
_TABLE = re.compile(r"\s*\|.*\|\s*$")
_PARTS = re.compile(r"<br\s*/?>|\s*•\s*|;\s+|；")
_TABLE_RULE = re.compile(r"\s*\|?(?:\s*:?-{2,}:?\s*\|)+\s*:?-*:?\s*$")
_BOLD_NUMBER = re.compile(r"^(?:\*\*|__)(\S{1,6}[.)])(?:\*\*|__)\s+")
_UNRANKED = 9
_MIXED = ("letter", "roman", "chinese", "circled", "emoji", "digit（", "digit(")
ROMANS = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")
_ARROW = re.compile(r"(?<=\S)\s+(?:-{1,2}>|=>|[→⇒>›»])\s+(?=\S)")
_ASIDE = re.compile(r"[✅❌✔✖☑☐✓✗]")


@dataclass
class _Line:
    """A line of a list: its column, kind of mark and text.

    ``level`` is the level of a heading, of repeated marks or of a number of several parts; ``rank`` is that of a
    word for it.
    """

    number: int
    column: int
    mark: str
    text: str
    level: int = 0
    rank: int | None = None


def is_mixed(document: Document) -> bool:
    """Return True if a text has features that only this reader understands."""
    if FRONT_MATTER.match(document.text) or "::" in document.text:  # of a note, with Logseq's properties
        return False
    lines = _lines(document)
    if _paths(lines):
        return True
    items = [line for line in lines if _is_item(line)]
    if not items and not any(line.rank is not None for line in lines):
        heads = any(line.mark in {"bold", "run-in"} for line in lines[:-1])
        return heads or _is_table(lines)
    return (
        any(line.rank is not None or _is_level_line(line) for line in lines)
        or any(
            line.mark.startswith(_MIXED) or line.level > (not line.mark.startswith("digit")) for line in items
        )
        or any(line.mark in {"bold", "run-in"} and below.mark != "plain" for line, below in pairwise(lines))
        or _has_plain_heads(lines)
        or _comes_back(items)
    )


def _is_table(lines: Sequence[_Line]) -> bool:
    """Return True if a text is a table, with at most a title and a sentence around it."""
    rows = sum(line.mark == "row" for line in lines)
    return rows > 2 and len(lines) - rows < 3 and not any(map(_is_item, lines))


def _paths(lines: Sequence[_Line]) -> list[tuple[int, list[str]]]:
    """Lines that name paths ("Tides > Causes > Moon") or edges ("Tides -> Causes"), if all do; else none."""
    paths = [(line.number, _ARROW.split(line.text)) for line in lines if not is_said(line.text)]
    return paths if len(paths) > 1 and all(len(names) > 1 for _, names in paths) else []


def _is_level_line(line: _Line) -> bool:
    return LEVEL_LINE.match(without_marks(line.text)) is not None


def _has_plain_heads(lines: Sequence[_Line]) -> bool:
    """Return True if unmarked lines each precede a list of their own, and one precedes them all."""
    heads = [
        line
        for line, below in pairwise(lines)
        if line.mark == "plain" and not line.column and _is_item(below)
    ]
    return len(heads) > 1 and lines[0].mark == lines[1].mark == "plain" and lines[0] not in heads


def _comes_back(lines: Sequence[_Line]) -> bool:
    """Return True if a mark returns after another one in a column, or dashes follow below a number."""
    open_marks: dict[int, list[str]] = {}
    for line in lines:
        open_marks = {column: marks for column, marks in open_marks.items() if column <= line.column}
        seen = open_marks.setdefault(line.column, [])
        if (
            seen
            and seen[-1] != line.mark
            and (line.mark in seen or (seen[0] == "digit." and line.mark == "-"))
        ):
            return True
        if line.mark not in seen:
            seen.append(line.mark)
    return False


_Open: TypeAlias = tuple[tuple[int, ...], str, int]
"""A line that can have children: its level, its mark and its node."""


def read_mixed(document: Document) -> Forest:
    """Read one map; other lines are counted in a notice.

    Raises:
        LimitError: too large.
    """
    lines = _lines(document)
    rows = [line for line in lines if line.mark == "row"]
    if _is_table(lines):
        return _read_table(lines, rows)
    if paths := _paths(lines):
        return _read_paths(paths, len(lines) - len(paths))
    lines = [line for line in lines if line.mark != "row"]
    title = _title(lines)
    bare = not any(map(_is_item, lines))
    below_bold = bare and any(line.mark == "bold" for line in lines if line is not title)
    times = Counter(line.mark for line in lines)
    forest = Forest()
    path: list[_Open] = []
    left_out = len(rows)
    for index, line in enumerate(lines):
        if line.mark.startswith("emoji ") and times[line.mark] == 1:
            line.mark = "emoji"
        is_plain = line.mark == "plain" and line.rank is None and line is not title
        if is_plain and not bare and not _is_head(lines, index):
            if line.column and path and path[-1][2] >= 0:
                forest.labels[path[-1][2]] += f" {line.text}"
            else:
                left_out += 1
            continue
        level = (0,) if line is title else _level(line)
        if below_bold and is_plain:
            level = (3, line.column)
        while path and _ends_before(path, level, line.mark):
            path.pop()
        above = path[-1][2] if path else -1
        node = above if _is_level_line(line) else forest.add(line.text, above, line=line.number)
        path.append((level, line.mark, node))
    forest.notice_if(
        left_out, f"only headings and list items are nodes; not read: {counted(left_out, 'line')}"
    )
    return forest


def _level(line: _Line) -> tuple[int, ...]:
    if line.rank == 0:
        return (0,)
    if line.mark == "heading":
        return (1, line.level)
    if line.mark in {"bold", "run-in"} or (line.mark == "plain" and line.rank is None and not line.column):
        return (2, line.mark == "run-in")
    return (3, line.column, _UNRANKED if line.rank is None else line.rank, line.level)


def _ends_before(path: Sequence[_Open], level: tuple[int, ...], mark: str) -> bool:
    """Return True if a line of this level and mark is not a child of the innermost open line.

    In a column, equal marks make siblings; a mark that is open further out closes all lines up to it, and any
    other mark starts children.
    """
    last, its_mark, _ = path[-1]
    if level[0] < 3 or last[:3] != level[:3]:
        return last >= level
    if its_mark == mark:
        return last >= level
    return any(each[0][:3] == level[:3] and each[1] == mark for each in path)


def _is_item(line: _Line) -> bool:
    return line.mark not in {"heading", "bold", "run-in", "plain", "row"}


def _is_head(lines: Sequence[_Line], index: int) -> bool:
    """Return True if an unmarked line immediately precedes a list of its own."""
    line = lines[index]
    below = lines[index + 1] if index + 1 < len(lines) else line
    deeper = below.column > line.column or (_is_item(below) and not line.column)
    return deeper and not is_said(line.text)


def _title(lines: Sequence[_Line]) -> _Line | None:
    """The first line, if it is the title: bold or unmarked, and immediately above another such line."""
    first = lines[0]
    if first.mark not in {"bold", "plain"} or first.column or len(lines) < 2:
        return None
    heads = [line for line in lines[1:] if not _is_item(line) and not line.column]
    return first if not heads or heads[0] is lines[1] else None


def _lines(document: Document) -> list[_Line]:
    found: list[_Line] = []
    letters = _Letters([line for _, line in document.filled_lines])
    fence = ""
    for number, line in document.filled_lines:
        opening = re.match(r"\s*(```|~~~)", line)
        if opening and (not fence or fence == opening[1]):
            fence = "" if fence else opening[1]
            continue
        if fence or SPACER.match(line):
            continue
        if _UNDERLINE.match(line) and found and found[-1].mark == "plain" and found[-1].number == number - 1:
            found[-1].mark, found[-1].level = "heading", 1 if "=" in line else 2
            continue
        found.append(_without_level_word(_line(number, line, letters)))
    _find_named_root(found)
    ranks = [line.rank for line in found if line.rank is not None]
    if ranks and min(ranks) < 0:  # "Level 0:" is the root
        for each in found:
            each.rank = None if each.rank is None else each.rank + 1
    return found


def _find_named_root(lines: list[_Line]) -> None:
    """Set the rank of the root if the first line, or the one below a generic title, names it or is its heading."""
    if len(lines) > 1 and lines[1].rank == 0:
        title, root = (
            without_marks(text).casefold() for text in (topic_of_title(lines[0].text), lines[1].text)
        )
        if title == root:
            del lines[0]
    first = 1 if len(lines) > 1 and MAP.fullmatch(without_marks(lines[0].text)) else 0
    if len(lines) < first + 3 or _is_item(lines[first]):
        return
    named, below, after = lines[first : first + 3]
    topic = TOPIC.match(without_marks(named.text))
    if topic:
        named.rank, named.text = 0, topic["rest"]
    elif CENTRE_LINE.match(without_marks(named.text)) and (after.mark, after.level, after.column) == (
        named.mark,
        named.level,
        named.column,
    ):
        below.rank = 0
        del lines[first]


def _line(number: int, line: str, letters: "_Letters") -> _Line:
    drawn = None if BRANCH.match(line) else DRAWN.match(line)
    if drawn:
        line = " " * drawn.end() + line[drawn.end() :]
    text = _BOLD_NUMBER.sub(r"\1 ", line.strip().strip("\u200e\u200f\u202a\u202b\u202c\u200b"))
    column = width(line[: len(line) - len(line.lstrip())])
    if _TABLE.match(text):
        return _Line(number, 0, "row", text)
    branch = BRANCH.match(line)
    if branch:
        return _Line(number, branch.end(), "-", line[branch.end() :].strip())
    heading = HEADING.match(text)
    if heading:
        return _Line(number, 0, "heading", heading["text"], len(heading[1]))
    if BOLD.match(text):
        mark, level, rest = _marked(without_marks(text), letters)
        return _Line(number, column, "bold", rest if mark else without_marks(text))
    if _RUN_IN.match(text) and not column:
        return _Line(number, 0, "run-in", text)
    mark, level, rest = _marked(text, letters)
    return _Line(number, column, mark or "plain", rest, level)


def _marked(text: str, letters: "_Letters") -> tuple[str, int, str]:
    """The kind of a line's mark (empty if it has none), its level, and the text after it."""
    found = _MARK.match(text)
    mark, level = letters.kind_of(found) if found else ("", 0)
    if found and mark:
        rest = text[found.end() :]
        task = TASK.match(rest) if found["run"] else None
        return mark, level, rest[task.end() :] if task else rest
    symbols = symbols_at(text)
    sign = "digit" if "\u20e3" in symbols else f"emoji {_ASIDE.sub('✓', symbols.strip())}"
    return sign if symbols else "", 0, text[len(symbols) :]


def _without_level_word(line: _Line) -> _Line:
    """Remove the word for a line's level in front of its text, and set the line's rank."""
    plain = without_marks(line.text)
    found = LEVEL_WORD.match(plain[len(symbols_at(plain)) :])
    if found is None or not found["rest"].strip() or line.mark == "row":
        return line
    line.text = found["rest"].strip()
    if found["centre"]:
        line.rank = 0
    elif found["level"] or found["ordinal"]:
        line.rank = int(found["level_number"] or "一二三四五".index(found["ordinal"]) + 1) - 1
    elif found["sub"]:
        line.rank = 2 + max((found["sub_number"] or "").count(".") - 1, 0)
    else:
        line.rank = 1 + (found["branch_number"] or "").count(".")
    return line


class _Letters:
    """Kinds of marks; a letter or a Roman number is a mark if the next one occurs in the text."""

    def __init__(self, lines: Sequence[str]) -> None:
        marks = (_MARK.match(line.strip().lstrip("*_#\u200f\u200e ")) for line in lines)
        self._known = {
            (each["letter"] or each["roman"], each["open"], each["close"]) for each in marks if each
        }
        self._before: dict[tuple[str, str, str], str] = {}

    def kind_of(self, found: re.Match[str]) -> tuple[str, int]:
        """The kind of a mark and its level; an empty kind if it is the beginning of a word."""
        run, ends = found["run"], f"{found['open'] or ''}{found['close'] or ''}"
        if run:
            return "-" if found["sign"] in "-*+" else found["sign"], len(run.rstrip(">"))
        if found["dotted"]:
            return "digit.", found["dotted"].count(".")
        simple = next((kind for kind in ("circled", "digit", "chinese") if found[kind]), "")
        return (f"{simple}{ends}" if simple else self._letter(found, ends)), 0

    def _letter(self, found: re.Match[str], ends: str) -> str:
        sign = found["letter"] or found["roman"]
        brackets = found["open"], found["close"]
        case = "A" if sign.isupper() else "a"
        before = self._before.get((case, *brackets), "")
        follows = len(sign) == len(before) == 1 and ord(sign) == ord(before) + 1
        one = "I" if sign.isupper() else "i"
        if sign.lower() in ROMANS and not follows and {(one, *brackets), (one * 2, *brackets)} <= self._known:
            return f"roman{case}{ends}"
        if len(sign) > 1 or not self._known & {(chr(ord(sign) + step), *brackets) for step in (-1, 1)}:
            return ""
        self._before[case, *brackets] = sign
        return f"letter{case}{ends}"


def _read_table(lines: Sequence[_Line], rows: Sequence[_Line]) -> Forest:
    """A table: each column contains the children of the one to its left; an empty or equal cell continues it."""
    forest = Forest()
    heads = [line for line in lines if line.mark in {"heading", "bold"} and line.number < rows[0].number]
    root = forest.add(heads[-1].text, line=heads[-1].number) if heads else -1
    ruled = len(rows) > 1 and _TABLE_RULE.match(rows[1].text)
    path: list[tuple[str, int]] = []
    for row in rows[2:] if ruled else rows:
        parent = root
        for column, cell in enumerate(cell.strip() for cell in row.text.strip("|").split("|")):
            goes_on = column < len(path) and cell in {"", path[column][0]}
            if not cell or (goes_on and not column):
                parent = path[column][1] if goes_on else parent
                continue
            del path[column:]
            node = parent
            for part in filter(None, (each.strip(" -•") for each in _PARTS.split(cell))):
                node = forest.add(part, parent, line=row.number)
            path.append((cell, node))
            parent = node
    others = len(lines) - len(rows) - bool(heads)
    forest.notice_if(others, f"only the table was read; left out: {counted(others, 'line')}")
    return forest


def _read_paths(paths: Sequence[tuple[int, Sequence[str]]], others: int) -> Forest:
    """Nodes by their paths from the root; by their texts alone if lines of two texts continue earlier ones."""
    targets = {names[-1] for _, names in paths}
    are_edges = all(len(names) == 2 for _, names in paths) and any(names[0] in targets for _, names in paths)
    nodes: dict[str, Node] = {}
    edges: dict[tuple[str, str], None] = {}
    for _, names in paths:
        keys = [name if are_edges else "\0".join(names[: depth + 1]) for depth, name in enumerate(names)]
        for key, name in zip(keys, names, strict=True):
            nodes.setdefault(key, Node(key, name))
        edges |= dict.fromkeys(pairwise(keys))
    forest = linked(nodes.values(), edges)
    forest.notice_if(others, f"only lines with paths were read; left out: {counted(others, 'line')}")
    return forest
