"""Fenced blocks (``` or ~~~): where a map from a chat answer or a Markdown page usually stands."""

import re
from dataclasses import dataclass

_FENCE = re.compile(r"[ \t]*+(`{3,}+|~{3,}+)[ \t]*+([^\s`]*+)[^`\n]*+$")


@dataclass(frozen=True)
class Block:
    """One fenced block: the word after the fence, the line its text begins on, and the text."""

    info: str
    first_line: int
    text: str


def fenced_blocks(text: str) -> tuple[list[Block], str]:
    r"""The filled fenced blocks of a text, and the text around them; an unclosed fence runs to the end.

    >>> fenced_blocks("Here:\n```json\n{}\n```")
    ([Block(info='json', first_line=3, text='{}')], 'Here:')
    """
    blocks: list[Block] = []
    around: list[str] = []
    inside: list[str] = []
    fence = info = ""
    start = 0
    for number, line in enumerate(text.split("\n"), start=1):
        match = _FENCE.match(line)
        if not fence and match:
            fence, info, start, inside = match[1], match[2].lower(), number + 1, []
        elif fence and match and match[1].startswith(fence) and not match[2]:
            blocks.append(Block(info, start, "\n".join(inside)))
            fence = ""
        elif fence:
            inside.append(line)
        else:
            around.append(line)
    if fence:
        blocks.append(Block(info, start, "\n".join(inside)))
    return [block for block in blocks if block.text.strip()], "\n".join(around)
