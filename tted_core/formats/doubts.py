"""What a pasted text may be besides the format that was guessed, where less than half of it looks like that."""

import re

from tted_core.formats.document import Document, Format
from tted_core.formats.indented import INDENTED, take_apart
from tted_core.formats.labels import counted
from tted_core.formats.markdown import HEADING, ITEM, MARKDOWN

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
    alike = sum(_is_outline(line) if guessed is MARKDOWN else _is_below(line) for line in lines)
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


def _is_outline(line: str) -> bool:
    return bool(HEADING.match(line) or ITEM.match(line))


def _is_below(line: str) -> bool:
    column, bulleted, _ = take_apart(line)
    return bulleted or column > 0
