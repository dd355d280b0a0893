"""Lines of outlines, drawings and chat answers, taken apart into column, mark and text.

All readers of lists see a line alike: what is in front of it (white space, box drawing), its mark (a bullet, a
number, a letter, an emoji, signs of a heading, bold), the level that the mark itself shows, and its text.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from tted_core.formats.chat_words import CHAPTER
from tted_core.formats.labels import ASIDE, BIDI, symbols_at, without_closing, without_marks

TAB_COLUMNS = 4  # columns of a tab if tabs and spaces are mixed, unless spaces only fill half of one of 8

DRAWN_BRANCH = re.compile(
    r"[\s│┃║┆┊|]*(?:[├└╰┣┗╠╚┠┖]|[┌╭┏╔](?=[─━═╌┄]+[╴>]? [^\W_]))[\s─━═╌┄-]*[╴>]?\s?|"
    r"[\s│┃║┆┊|]*[+`\\|](?:-{1,2}\s|-{3}\s?)"
)
SPACER = re.compile(r"[\s│┃║┆┊|▲▼↑↓]+$|(?:\s*+[┌╭┏╔└╰┗╚][─━═┬┴╤╧]++[┐╮┓╗┘╯┛╝])++\s*+$")
BOLD_LINE = re.compile(r"【[^】]++】\s*+$|(?:\*\*|__)(?=\S)(?:(?!\*\*|__).)+(?:\*\*|__)\s*+[:：]?\s*+$")
RULE = re.compile(r"\s*+(?:(?:#\s++)?([-*_=─━—–~ー＝～])(?:\s*+\1){2,}+|⸻|#{7,}+)\s*+$")
_DRAWN = re.compile(r"[ \t]*(?:[│┃║┆┊]|\|(?=[ ]{2}))[\s│┃║┆┊|]*(?=\S)")
_ROW = re.compile(r"\s*\|.*\|\s*$")
_HEADING = re.compile(r"(#{1,6}|={1,6}(?=\s+[^\s=]))(?:\s+|$)")
_RUN_IN = re.compile(r"(?:\*\*|__)[^*_]+?(?:[:：]\s*(?:\*\*|__)|(?:\*\*|__)\s*[:：])\s*\S")
_BOX = re.compile(r"\[(?:[ xX]?\](?=[ \t]+\S)|[ xX]\](?=[^\W\d_]))")  # of a task
_ANSWER = re.compile(r"(?:\*(?!.*\*)|\$(?!.*\$$))([A-H])([.)])\s")  # the right one of a quiz
_BOLD_NUMBER = re.compile(r"(?:\*\*|__)(\S{1,6}[.)])(?:\*\*|__)\s+")
BULLETS = "-*+•◦▪▫‣⁃–—·○●■□►▸▹➢➤✓✔◆◇★☆❖✦»›→⇒➔➜▶・－"
_BULLETS_OF_WORD = "o§"  # bullets as Word and OneNote copy them, "o" with a tab behind
_ROMAN_SIGNS = "ⅠⅡⅢⅣⅤⅥⅦⅧⅨⅩⅪⅫ"
_KOREAN = "가나다라마바사아자차카타파하"
_JAPANESE = "アイウエオカキクケコ"
# A mark and the blank behind it, which may lack (``1.text``, ``-text``).
_MARK = re.compile(
    rf"(?:(?P<run>(?P<sign>[{re.escape(BULLETS)}]|[{_BULLETS_OF_WORD}](?=\t)|"
    r"o(?= [^\W\d_a-z])|§(?= [^\W\d]))(?P=sign){0,5}>?)|"
    r"(?P<dotted>(?:\d{1,3}|[A-Za-z])(?:\.\d{1,3})+)(?:\.-(?=\s)|[.)])?|"
    rf"(?P<open>[（(]?)(?:(?P<digit>\d{{1,9}}|\#(?=\.\s))|(?P<letter>[A-Za-zА-Яа-яא-תأ-ي{_ROMAN_SIGNS}{_KOREAN}{_JAPANESE}])|"
    r"(?P<roman>[IVXLC]{2,6}|[ivxlc]{2,6})|"
    r"(?P<chinese>[一二三四五六七八九十]{1,3}))"
    r"(?P<close>[.)）、．]|(?<=\d)(?:，|,(?=[㐀-鿿])))(?:(?<=\.)-(?=\s))?|(?P<circled>[①-⑳❶-❿])|"
    rf"(?P<chapter>第[一二三四五六七八九十百\d]{{1,4}}(?:部分|[编編篇部章节節条條课課讲講])|"
    rf"(?![a-zà-ÿа-я])(?i:{CHAPTER}) ?(?:\d{{1,3}}|[IVX]{{1,5}}\b|[A-H]\b) ?[장절부편과강]?[.:：)]?|"
    r"\d{1,2}[장편부])|"
    r"(?P<bare>\d{1,3})(?: [-–—])?(?=\s))"
    r"(?:\s+|(?<=[节節章])(?=[：:])|(?<=[、，）①-⑳❶-❿・•◦▪‣●○■□◆◇★☆])|(?<=．)(?!\d)|(?<=\.\d)(?=[A-Z㐀-鿿])|(?<=\.\d\d)(?=[A-Z㐀-鿿])|"
    r"(?:(?<=[\dA-Z][.),])(?!x\b|\w\.)|(?<=[-–])(?=\w\w)|(?<!\*\*)(?<=\*)(?=\w[^*]{0,60}$))(?=[^\W\d_])|$)"
)
ROMANS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
_BULLET = re.compile(r"[-*+]\s+")
_DASHED = re.compile(r"([-–])\1{0,5}(?=\w\w)[^\W\d_]")
_FIRST = re.compile(r"\d+(?:\.1){1,2}")  # the first of several numbers
_LETTERED = re.compile(r"[^\W\d_]+ ([A-Z])(?=[\s.:]|$)")  # Appendix A
_SECTION = re.compile(r"\d{1,3}．\d")
_DECIMAL = re.compile(r"\d{1,4}(?:\.\d{1,4})+(?=\s|$)")
_AMOUNT = re.compile(r"\d{1,4}(?:\.\d{1,4})*+(?=\s|$)")
_TASK = re.compile(r"(?:\[(?:[ xX/>-]?\]\s+(?=\S)|[ xX]\](?=[^\W\d_])))?(?P<hashes>#{1,6}(?:[ \t]+|$))?")
# What may follow the mark of an item: another mark, as in ``- 1. text``, a task's box, signs of a heading.
_INNER = re.compile(
    rf"(?:(?:[-*+]|(?P<number>[0-9]{{1,3}})[.)]|(?:[A-Za-z]|[ivx]{{2,4}})\))\s+(?=\S))?{_TASK.pattern}"
)

# What one chapter has beside the next.
_COUNT = re.compile(r"[一二三四五六七八九十百\divx .:：)]+|\b[a-h]\b")
# Beginnings of the marks that are numbers.
_NUMBERS = ("letter", "roman", "chinese", "chapter", "circled", "digit")


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

    @property
    def is_numbered(self) -> bool:
        """True for an item with a number that Markdown lacks: a letter, a Roman or Chinese one, several parts."""
        return self.has_number and not self.is_bullet


def lines_of(numbered: Iterable[tuple[int, str]]) -> list[ListLine]:
    """Take the lines with these numbers apart, except those that only continue a drawing.

    A letter, a Roman number or one without a blank behind it is a mark if the next one is a mark too; a number of
    several parts if one above or before it is ("1.5 litres" begins with none); the number of a chapter if there is
    another mark; an emoji is a mark of its own kind if several lines begin with it.
    """
    texts = [(number, line) for number, line in numbered if not SPACER.match(line)]
    known = _find_marks([line for _, line in texts])
    tab, _ = tab_columns(line for _, line in texts)
    lines = [_take_apart(number, line, known, tab) for number, line in texts]
    is_title = [line.mark == "branch" for line in lines[:2]] == [False, True]
    if is_title and lines[0].column >= lines[1].column:  # in the middle above a drawing
        lines[0].column = 0
    _mark_decimals(lines)
    times = Counter(line.mark for line in lines)
    _unmark_chapters(lines)
    _unmark_boxes(lines)
    for line in lines:
        if line.mark.startswith("emoji ") and times[line.mark] == 1:
            line.mark = "emoji"
    return lines


def _unmark_chapters(lines: Sequence[ListLine]) -> None:
    """Take the marks of chapters from lines with a word and a number that may go on with the text above.

    These are indented ones and sentences, and all of them where lists come directly above them, or where
    indentation shows what is below them. A chapter alone is none.
    """
    items = [line for line in lines if line.is_item]
    chapters = [line for line in items if line.mark.startswith("chapter")]
    if len(chapters) == 1 == sum(line.mark != "plain" for line in lines):
        chapters[0].mark = "plain"
    by_word = [line for line in chapters if "第" not in line.mark]
    tops = {line.number for line in by_word if not line.column}
    are_indented = any(
        line.number in tops and below.column and below.mark[:7] in {"plain", "chapter"}
        for line, below in pairwise(lines)
    )
    are_parts = any(line.has_number and line.level for line in items)
    are_sections = are_parts and items[0].mark.startswith("digit")
    # Behind empty lines, several of them go on with nothing.
    are_apart = len(tops) > 1 and not any(
        line.number in tops and line.number == above.number + 1 for above, line in pairwise(lines)
    )
    are_first = len(by_word) < len(chapters) or are_sections or are_apart or items[:1] == by_word[:1]
    for line in by_word:
        others = line.body.split()[2:]
        is_sentence = len(others) > 2 and others[0][:1].islower() and others[-1].endswith(".")
        if line.column or is_sentence or are_indented or not are_first:
            line.mark = "plain"


def _unmark_boxes(lines: Sequence[ListLine]) -> None:
    """Make texts of tasks without a list mark, if there are as many texts in their columns."""
    boxes = [line for line in lines if line.mark == "-" and _BOX.match(line.source.lstrip())]
    columns = {line.column for line in boxes}
    if len(boxes) <= sum(line.mark == "plain" and line.column in columns for line in lines):
        for line in boxes:
            line.mark, line.level = "plain", 0
            line.text = line.body = line.body.removeprefix("- ")


def _mark_decimals(lines: Sequence[ListLine]) -> None:
    """Make items of lines that begin with decimals, times or dates, if all others are heads above them."""
    plain = {line.number: line for line in lines if line.mark == "plain" and not line.column}
    amounts = {line.number: line for line in plain.values() if _AMOUNT.match(line.body)}
    decimals = [line for line in amounts.values() if _DECIMAL.match(line.body)]
    others = 0
    for above, line, below in zip([*lines[:1], *lines], lines, [*lines[1:], *lines[-1:]], strict=False):
        is_apart = line is above or line.number > above.number + 1 or above.mark == "heading"
        is_head = line is above or below.number in amounts or (line is below and is_apart)
        if line.number not in amounts and line.mark != "heading":
            others += line.number not in plain or not is_head
    if len(decimals) > 1 and not others:
        for line in amounts.values():
            line.mark = "•"
            line.level = 1


def column_width(blank: str, tab: int = TAB_COLUMNS) -> int:
    """The number of columns of white space, with a tab of so many."""
    return len(blank.replace("\N{IDEOGRAPHIC SPACE}", "  ").expandtabs(tab))


def tab_columns(texts: Iterable[str]) -> tuple[int, bool]:
    """The columns of a tab in front of these lines, and whether other lines have spaces in its place.

    It has 8 if they are indented as old editors do: four spaces, a tab, a tab and four spaces, level by level.
    """
    in_order = [text[: len(text) - len(text.lstrip(" \t"))] for text in texts]
    blanks = set(in_order)
    tabs = {blank for blank in blanks if "\t" in blank}
    widths = {len(blank) for blank in blanks - tabs if len(blank) > 2}  # else texts go on
    skips = any(
        above.endswith(" " * 4) and below == f"{above[:-4]}\t    " for above, below in pairwise(in_order)
    )
    is_half = widths == {4} and any(blank.endswith("\t    ") for blank in tabs) and not skips
    return 8 if is_half else TAB_COLUMNS, bool(tabs and widths)


# Letters and numbers in front of lines, with the signs around them; behind a bullet, "-" is the first sign.
_Marks = set[tuple[str | None, str | None, str | None]]

# Stands for headings of AsciiDoc, such as ``== Title``, of which one begins the text.
_EQUALS = ("=", None, None)


def _find_marks(texts: Sequence[str]) -> _Marks:
    """The letters and numbers in front of lines, as far as these alone may be marks."""
    lines = [text.strip() for text in texts]
    begins = (_BOLD_NUMBER.sub(r"\1 ", line, count=1).lstrip("*_#\u200f\u200e ") for line in lines)
    marks = [found for text in begins if text[:1] not in BULLETS and (found := _MARK.match(text))]
    known: _Marks = {
        (each["letter"] or each["roman"] or each["digit"], *_signs_around(each)) for each in marks
    }
    if any(map(_SECTION.match, lines)):  # of ``1．甲`` and ``1．1 乙``, neither is a mark
        known = {mark for mark in known if mark[2] != "．"}
    numbers = [each["dotted"] for each in marks if each["dotted"]]
    heads = [sign for sign, *_ in known if sign]
    heads += [found[1] for line in lines if (found := _LETTERED.match(line))]
    known.update((number, None, None) for number in find_numbers(numbers, heads))
    for number, text in [(each["bare"], each.string[each.end() :]) for each in marks if each["bare"]]:
        is_next = (f"{int(number) - 1}", None, "") in known and not text[:1].islower()
        if is_next or (f"{number}.1", None, None) in known:
            known.add((number, None, ""))
    inner = (_INNER.match(line, found.end()) for line in lines if (found := _BULLET.match(line)))
    known.update((each["number"], "-", None) for each in inner if each and each["number"])
    starts = Counter(line[:2] for line in lines)
    dashes = [found[0] for text in texts if (found := _DASHED.match(text))]
    is_below = len(dashes) > 1 and not _DASHED.match(lines[0])
    glued = "-–" if is_below and len(min(dashes, key=len)) == 2 else ""  # else options of a command
    glued += "*" if "* " in starts else ""
    glued += "o" if starts["o "] > 1 and any(start[0] == "•" for start in starts) else ""
    known.update((sign, None, None) for sign in glued)
    if lines and lines[0].startswith("= "):
        known.add(_EQUALS)
    return known


def find_numbers(numbers: Iterable[str], known: Iterable[str]) -> set[str]:
    """The known numbers, and those of several parts that are below or behind others, or the first of several.

    >>> sorted(find_numbers(["1.1", "1.2", "3.11", "192.168.0.1"], ["1"]))
    ['1', '1.1', '1.2']
    """
    given = {number: index for index, number in enumerate(numbers)}
    found = set(known)
    for number, index in given.items():
        above, _, last = number.rpartition(".")
        before = f"{above}.{int(last) - 1}"
        is_zero = last == "0" and above.isdigit()
        beside = (f"{above}.1", f"{int(above) - 1}.0", f"{int(above) + 1}.0") if is_zero else ()
        is_first = (
            _FIRST.fullmatch(number)
            or given.get(f"{number}.1", 0) > index
            or not given.keys().isdisjoint(beside)
        )
        is_apart = last != "0" and above.rpartition(".")[0] in found  # below a number that lacks
        if is_first or before in found or above in found or is_apart:
            found.add(number)
    return found


def _signs_around(found: re.Match[str]) -> tuple[str | None, str | None]:
    """The signs around a number or letter; people mix commas with wide ones."""
    return found["open"], "," if found["close"] == "，" else found["close"]


def _is_list(signs: tuple[str | None, str | None], known: _Marks) -> bool:
    """Return True if numbers or letters with these signs around them begin a list."""
    return any({(first, *signs), (second, *signs)} <= known for first, second in ("12", "AB"))


def _take_apart(number: int, line: str, known: _Marks, tab: int) -> ListLine:
    if _ROW.match(line):
        return ListLine(number, line, 0, "row", line.strip(), line.strip())
    branch = DRAWN_BRANCH.match(line)
    if branch:
        text = line[branch.end() :].strip()
        return ListLine(number, line, branch.end(), "branch", text, text)
    drawn = _DRAWN.match(line)
    start = drawn.end() if drawn else len(line) - len(line.lstrip())
    column = column_width(line[:start], tab)
    body = line[start:].strip().strip(BIDI)
    body = body.rstrip(" │┃║") if drawn else body
    body = _BOLD_NUMBER.sub(r"\1 ", body, count=1) if body[:2] in {"**", "__"} else body
    body = f"- {body}" if _BOX.match(body) else body
    answer = _ANSWER.match(body)
    if answer and _is_in_row(answer[1], ("", answer[2]), known):
        body = body[1:]
    heading = _HEADING.match(body)
    if heading and (heading[1][0] == "#" or _EQUALS in known):
        text = without_closing(body[heading.end() :], heading[1][0])
        return ListLine(number, line, column, "heading", body, text, len(heading[1]))
    if BOLD_LINE.match(body):
        return ListLine(
            number, line, column, "bold", body, _take_mark(without_marks(body).strip("【】"), known)[2]
        )
    if not column and _RUN_IN.match(body):
        return ListLine(number, line, 0, "run-in", body, body)
    mark, level, text = _take_mark(body, known)
    return ListLine(number, line, column, mark or "plain", body, text, level)


def _take_mark(text: str, known: _Marks) -> tuple[str, int, str]:
    """The kind of a line's mark (empty if it has none), its level, and the text after it."""
    found = _MARK.match(text)
    kind = _kind_of(found, known) if found else ""
    if found and kind:
        level = len(found["run"].rstrip(">")) if found["run"] else (found["dotted"] or "").count(".")
        rest = text[found.end() :]
        rest = rest or found["chinese"] or ""  # 一、 alone is a text
        inner = _INNER.match(rest) if found["run"] else None
        number = inner["number"] if inner else found["digit"]
        if number and not (inner and _is_list(("-", None), known)):
            inner = _TASK.match(rest)
        label = rest[inner.end() :] if inner else rest
        if found["chapter"]:  # which is part of the text
            label = text
        return kind, level, without_closing(label) if inner and inner["hashes"] else label
    symbols = symbols_at(text)
    sign = "digit" if "\u20e3" in symbols else f"emoji {ASIDE.sub('✓', symbols.strip())}"
    return sign if symbols else "", 0, text[len(symbols) :]


def _kind_of(found: re.Match[str], known: _Marks) -> str:
    """The kind of a mark; empty if it is the beginning of a word."""
    is_glued = found[0][-1] in ".)-–—*" and found.end() < len(found.string)
    if found["run"]:
        is_word = (is_glued or found[0] == "o ") and (found["sign"], None, None) not in known
        return "" if is_word else "-" if found["sign"] in "-*+" else found["sign"]
    if found["dotted"] or found["bare"]:
        key = (found["dotted"], None, None) if found["dotted"] else (found["bare"], None, "")
        return "digit." if key in known else ""
    brackets = _signs_around(found)
    may_be_decimal = found["digit"] and brackets[1] in {"．", ","}
    is_decimal = may_be_decimal and not _is_in_row(found["digit"], brackets, known)
    if is_decimal or (is_glued and not _is_list(brackets, known)):
        return ""
    word = _COUNT.sub("", (found["chapter"] or "").lower())
    ends = f"{found['open'] or ''}{brackets[1] or word}"
    sign = found["letter"] or found["roman"]
    if sign is None:
        return next(kind for kind in ("circled", "digit", "chinese", "chapter") if found[kind]) + ends
    case, one = ("A", "I") if sign.isupper() else ("a", "i")
    if sign.upper() in ROMANS and {(one, *brackets), (one * 2, *brackets)}.issubset(known):
        return f"roman{case}{ends}"
    is_letter = len(sign) == 1 and (found[0].endswith("\t") or _is_in_row(sign, brackets, known))
    return f"{'roman' if sign in _ROMAN_SIGNS else 'letter'}{case}{ends}" if is_letter else ""


def _is_in_row(sign: str, brackets: tuple[str | None, str | None], known: _Marks) -> bool:
    """Return True if the letter or number beside one is known, or any other Korean or Japanese letter."""
    if sign.isdigit():
        beside = [str(int(sign) - 1), str(int(sign) + 1)]
    else:
        beside = [chr(ord(sign) - 1), chr(ord(sign) + 1)]
    for letters in (_KOREAN, _JAPANESE):
        if sign in letters:
            beside = [letter for letter in letters if letter != sign]
    if sign in "Aa가ア":  # may be alone below a Roman number
        beside.append("Ⅰ")
    return any((each, *brackets) in known for each in beside)
