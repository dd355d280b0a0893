"""Lines of outlines, drawings and chat answers, taken apart into column, mark and text.

All readers of lists see a line alike: what is in front of it (white space, box drawing), its mark (a bullet, a
number, a letter, an emoji, signs of a heading, bold), the level that the mark itself shows, and its text.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from tted_core.formats.chat_words import CHAPTER
from tted_core.formats.labels import ASIDE, BIDI, symbols_at, without_closing, without_marks

TAB_COLUMNS = 4  # columns of a tab

DRAWN_BRANCH = re.compile(
    r"[\s│┃║┆┊|]*(?:[├└╰┣┗╠╚┠┖]|[┌╭┏╔](?=[─━═╌┄]+[╴>]? [^\W_]))[\s─━═╌┄-]*[╴>]?\s?|"
    r"[\s│┃║┆┊|]*[+`\\|](?:-{1,2}\s|-{3}\s?)"
)
SPACER = re.compile(r"[\s│┃║┆┊|▲▼↑↓]+$|(?:\s*+[┌╭┏╔└╰┗╚][─━═┬┴╤╧]++[┐╮┓╗┘╯┛╝])++\s*+$")
BOLD_LINE = re.compile(r"【[^】]++】\s*+$|(?:\*\*|__)(?=\S)(?:(?!\*\*|__).)+(?:\*\*|__)\s*+[:：]?\s*+$")
RULE = re.compile(r"\s*+(?:(?:#\s++)?([-*_=─━—–~ー＝～])(?:\s*+\1){2,}+|⸻|#{7,}+)\s*+$")
_DRAWN = re.compile(r"[ \t]*(?:[│┃║┆┊]|\|(?=[ ]{2}))[\s│┃║┆┊|]*(?=\S)")
_ROW = re.compile(r"\s*\|.*\|\s*$")
_HEADING = re.compile(r"(#{1,6})(?:\s+|$)")
_RUN_IN = re.compile(r"(?:\*\*|__)[^*_]+?(?:[:：]\s*(?:\*\*|__)|(?:\*\*|__)\s*[:：])\s*\S")
_BOX = re.compile(r"\[(?:[ xX]?\](?=[ \t]+\S)|[ xX]\](?=[^\W\d_]))")  # of a task
_BOLD_NUMBER = re.compile(r"(?:\*\*|__)(\S{1,6}[.)])(?:\*\*|__)\s+")
BULLETS = "-*+•◦▪▫‣⁃–—·○●■□►▸▹➢➤✓✔◆◇★☆❖✦»›→⇒➔➜▶・－"
_BULLETS_OF_WORD = "o§"  # bullets as Word and OneNote copy them, "o" with a tab behind
# Numbers and letters that need no other one beside them to be marks.
_SURE = {
    "chinese": "一二三四五六七八九十",
    "korean": "가나다라마바사아자차카타파하",
    "roman": "ⅠⅡⅢⅣⅤⅥⅦⅧⅨⅩⅪⅫ",
    "circled": "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳❶❷❸❹❺❻❼❽❾❿",
}
# A mark and the blank behind it, which may lack (``1.text``, ``-text``).
_MARK = re.compile(
    rf"(?:(?P<run>(?P<bullet>[{re.escape(BULLETS)}]|[{_BULLETS_OF_WORD}](?=\t)|"
    r"o(?= [^\W\d_a-z])|§(?= [^\W\d]))(?P=bullet){0,5}>?)|"
    r"(?P<dotted>(?:\d{1,3}|[A-Za-z])(?:\.\d{1,3})+)(?:\.-(?=\s)|[.)])?|"
    rf"(?P<open>[（(]?)(?P<sign>\d{{1,9}}|\#(?=\.\s)|[A-Za-zА-Яа-я]|[IVXLC]{{2,6}}|[ivxlc]{{2,6}}|[{''.join(_SURE.values())}]{{1,3}})"
    r"(?P<close>[.)）、．]|(?<=\d)(?:，|,(?=[㐀-鿿]))|(?<=[①-⑳❶-❿]))(?:(?<=\.)-(?=\s))?|"
    rf"(?P<chapter>第[{_SURE['chinese']}百\d]{{1,4}}(?:部分|[编編篇部章节節条條课課讲講])|"
    rf"(?![a-zà-ÿа-я])(?i:{CHAPTER}) ?(?:\d{{1,3}}|[IVX]{{1,5}}\b|[A-H]\b) ?[장절부편과강]?[.:：)]?|"
    r"\d{1,2}[장편부])|"
    r"(?P<bare>\d{1,3})(?: [-–—])?(?=\s))"
    r"(?:\s+|(?<=[节節章])(?=[：:])|(?<=[、，）①-⑳❶-❿・•◦▪‣●○■□◆◇★☆])|(?<=．)(?!\d)|(?<=\.\d)(?=[A-Z㐀-鿿])|(?<=\.\d\d)(?=[A-Z㐀-鿿])|"
    r"(?:(?<=[\dA-Z][.),])(?!x\b|\w\.)|(?<=[-–])(?=\w\w)|(?<!\*\*)(?<=\*)(?=\w[^*]{0,60}$))(?=[^\W\d_])|$)"
)
ROMANS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
_DASHED = re.compile(r"([-–])\1{0,5}(?=\w\w)[^\W\d_]")
_FIRST = re.compile(r"(?:\d+|[A-Z])(?:\.1){1,2}")  # the first of several numbers
# What may follow the mark of an item: another mark, as in ``- * text``, a task's box, signs of a heading.
_INNER = re.compile(
    r"(?:[-*+]\s+(?=\S))?(?:\[(?:[ xX/>-]?\]\s+(?=\S)|[ xX]\](?=[^\W\d_])))?(?P<hashes>#{1,6}(?:[ \t]+|$))?"
)

# What one chapter has beside the next.
_COUNT = re.compile(r"[一二三四五六七八九十百\divx .:：)]+|\b[a-h]\b")
# Beginnings of the marks that are numbers.
_NUMBERS = (*_SURE, "letter", "chapter", "digit")


@dataclass(eq=False)  # compared by identity
class ListLine:
    """A line of a text.

    Args:
        number: in the file.
        source: the line as it is.
        column: columns of white space or box drawing in front of it; 0 for rows and run-ins.
        mark: the kind of its mark, such as "-", "digit.", "letterA)", "emoji 🔹"; "heading"; "bold"; "run-in" (a
            bold beginning with a colon); "row" (of a table); "branch" (of a drawing); "plain" without one.
        body: the line without what is in front of it.
        text: the line behind its mark.
        level: that of a heading, of repeated signs, or of a number of several parts.
        rank: that of a word for the line's level, if it has one.
        is_out: True if it isn't part of the map, or only names the level of those below.
    """

    number: int
    source: str
    column: int
    mark: str
    body: str
    text: str
    level: int = 0
    rank: int | None = None
    is_out: bool = False

    @cached_property
    def words(self) -> str:
        """The line without marks of emphasis, with single spaces."""
        return without_marks(self.source)

    @property
    def goes_on(self) -> bool:
        """True if it begins as the rest of a wrapped line does: with a small letter or a bracket."""
        return self.body.startswith(("(", "（")) or self.body[:1].islower()

    @property
    def is_item(self) -> bool:
        """True for an item of a list and a branch of a drawing."""
        return self.mark not in {"heading", "bold", "run-in", "plain", "row"}

    @property
    def is_bullet(self) -> bool:
        """True if it has one of the marks of Markdown, or a sign like them."""
        return (
            self.level == 0
            if self.mark in {"digit.", "digit)"}
            else self.level == 1 and self.mark in BULLETS + _BULLETS_OF_WORD
        )

    @property
    def has_number(self) -> bool:
        """True for an item with a number, or a letter in its place."""
        return self.mark.startswith(_NUMBERS)


def lines_of(numbered: Iterable[tuple[int, str]]) -> list[ListLine]:
    """Take the lines with these numbers apart, except those that only continue a drawing.

    A letter, a Roman number or one without a blank behind it is a mark if the next one is a mark too; a number of
    several parts if one above or before it is ("1.5 litres" begins with none); an emoji is a mark of its own kind
    if several lines begin with it.
    """
    texts = [(number, line) for number, line in numbered if not SPACER.match(line)]
    known = _find_marks([line for _, line in texts])
    lines = [_take_apart(number, line, known) for number, line in texts]
    if [line.mark == "branch" for line in lines[:2]] == [False, True] and lines[0].column >= lines[1].column:
        lines[0].column = 0  # of a title in the middle above a drawing
    times = Counter(line.mark for line in lines)
    for line in lines:
        if line.mark.startswith("emoji ") and times[line.mark] == 1:
            line.mark = "emoji"
    return lines


def column_width(blank: str) -> int:
    """The number of columns of white space."""
    return len(blank.replace("\N{IDEOGRAPHIC SPACE}", "  ").expandtabs(TAB_COLUMNS))


def _find_marks(texts: Sequence[str]) -> set[str]:
    """The letters and numbers in front of lines with the signs around them, as far as these alone may be marks.

    With them are the signs that are marks without a blank behind them.
    """
    lines = [text.strip() for text in texts]
    begins = (_BOLD_NUMBER.sub(r"\1 ", line, count=1).lstrip("*_#\u200f\u200e ") for line in lines)
    marks = [found for text in begins if text[:1] not in BULLETS and (found := _MARK.match(text))]
    known = {_with_signs(each, each["sign"]) for each in marks if each["sign"]}
    known |= find_numbers(
        [each["dotted"] for each in marks if each["dotted"]], [each["sign"] for each in marks if each["sign"]]
    )
    for number in [each["bare"] for each in marks if each["bare"]]:
        if f"{int(number) - 1}" in known or f"{number}.1" in known:
            known.add(number)
    starts = Counter(line[:2] for line in lines)
    dashes = [found[0] for text in texts if (found := _DASHED.match(text))]
    # Others are options of a command.
    if len(dashes) > 1 and not _DASHED.match(lines[0]) and min(map(len, dashes)) == 2:
        known.update("-–")
    known.update(sign for sign in "*o" if starts[f"{sign} "] > 1)
    return known


def find_numbers(numbers: Iterable[str], known: Iterable[str]) -> set[str]:
    """Those of these numbers of several parts that are below or behind another one, or the first of several.

    >>> sorted(find_numbers(["1.1", "1.2", "3.11", "192.168.0.1"], ["1"]))
    ['1.1', '1.2']
    """
    given = {number: index for index, number in enumerate(numbers)}
    found = set(known)
    for number, index in given.items():
        above, _, last = number.rpartition(".")
        is_zero = last == "0" and above.isdigit() and f"{above}.1" in given  # 2.0 above 2.1
        is_first = _FIRST.fullmatch(number) or is_zero or given.get(f"{number}.1", 0) > index
        is_below = above in found or above.rpartition(".")[0] in found
        if is_first or is_below or f"{above}.{int(last) - 1}" in found:
            found.add(number)
    return found.intersection(given)


def _with_signs(found: re.Match[str], sign: str) -> str:
    """A letter or number with the signs around one that was found; people mix commas with wide ones."""
    return f"{found['open']}{sign}{found['close']}".replace("，", ",")


def _take_apart(number: int, line: str, known: set[str]) -> ListLine:
    if _ROW.match(line):
        return ListLine(number, line, 0, "row", line.strip(), line.strip())
    branch = DRAWN_BRANCH.match(line)
    if branch:
        text = line[branch.end() :].strip()
        return ListLine(number, line, branch.end(), "branch", text, text)
    drawn = _DRAWN.match(line)
    start = drawn.end() if drawn else len(line) - len(line.lstrip())
    column = column_width(line[:start])
    body = line[start:].strip().strip(BIDI)
    body = _BOLD_NUMBER.sub(r"\1 ", body, count=1) if body[:2] in {"**", "__"} else body
    body = f"- {body}" if _BOX.match(body) else body
    heading = _HEADING.match(body)
    if heading:
        text = without_closing(body[heading.end() :])
        return ListLine(number, line, column, "heading", body, text, len(heading[1]))
    if BOLD_LINE.match(body):
        text = _take_mark(without_marks(body).strip("【】"), known)[2]
        return ListLine(number, line, column, "bold", body, text)
    if not column and _RUN_IN.match(body):
        return ListLine(number, line, 0, "run-in", body, body)
    mark, level, text = _take_mark(body, known)
    return ListLine(number, line, column, mark or "plain", body, text, level)


def _take_mark(text: str, known: set[str]) -> tuple[str, int, str]:
    """The kind of a line's mark (empty if it has none), its level, and the text after it."""
    found = _MARK.match(text)
    if found and found["chapter"]:  # which is part of the text
        return f"chapter{_COUNT.sub('', found['chapter'].lower())}", 0, text
    kind = _kind_of(found, known) if found else ""
    if found and kind:
        level = len(found["run"].rstrip(">")) if found["run"] else (found["dotted"] or "").count(".")
        alone = found["sign"] if kind.startswith("chinese") else ""  # 一、 without a text is one
        rest = text[found.end() :] or alone
        inner = _INNER.match(rest)
        label = rest[inner.end() :] if inner else rest
        return kind, level, without_closing(label) if inner and inner["hashes"] else label
    symbols = symbols_at(text)
    sign = "digit" if "\u20e3" in symbols else f"emoji {ASIDE.sub('✓', symbols.strip())}"
    return sign if symbols else "", 0, text[len(symbols) :]


def _kind_of(found: re.Match[str], known: set[str]) -> str:
    """The kind of a mark; empty if it is the beginning of a word."""
    is_glued = found[0][-1] in ".)-–—*" and found.end() < len(found.string)
    if found["run"]:
        is_word = (is_glued or found[0] == "o ") and found["bullet"] not in known
        is_rule = len(found["run"]) > 1 and found.end() == len(found.string)
        return "" if is_word or is_rule else "-" if found["bullet"] in "-*+" else found["bullet"]
    sign = found["sign"]
    if not sign:
        return "digit." if (found["dotted"] or found["bare"]) in known else ""
    signs = _with_signs(found, "")
    if sign.isdecimal() or sign == "#":
        may_be_decimal = is_glued or found["close"] in "．,，"
        is_list = {_with_signs(found, "1"), _with_signs(found, "2")} <= known
        return f"digit{signs}" if is_list or not may_be_decimal else ""
    sure = next((kind for kind, letters in _SURE.items() if sign[0] in letters), None)
    if sure:
        return f"{sure}{signs}"
    case, one = ("A", "I") if sign.isupper() else ("a", "i")
    if sign.upper() in ROMANS and {_with_signs(found, one), _with_signs(found, one * 2)} <= known:
        return f"roman{case}{signs}"
    beside = {_with_signs(found, chr(ord(sign[0]) + step)) for step in (-1, 1)}
    is_letter = len(sign) == 1 and (found[0].endswith("\t") or beside & known)
    return f"letter{case}{signs}" if is_letter else ""
