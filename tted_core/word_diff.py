"""Which words of two sentences differ: for people who read a replaced node. No number depends on it."""

from typing import NamedTuple

import regex

KEPT_SHARE = 0.5
"""Below this share of common words, single words in common ("the", "of") are an accident: all of it is new."""

# A word, with its hyphens and apostrophes; one sign of a script that is written without spaces; any other sign.
TOKEN = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]\p{M}*"
    r"|[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’\-‐‑][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*"
    r"|(?!\s)\X"
)
WORD = regex.compile(r"[\p{L}\p{N}]")


class Part(NamedTuple):
    """A piece of a text; ``changed`` where the other text has nothing like it."""

    text: str
    changed: bool


def word_diff(left: str, right: str) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """Both texts in pieces that differ and pieces that don't; joined, the pieces are the text.

    What stays is a longest common subsequence of words and punctuation. Texts of which less than
    ``KEPT_SHARE`` of the words stay, counted in both, are one changed piece each.

    >>> word_diff("Algae feed the polyps", "Algae nourish the polyps")[1][1]
    Part(text='nourish', changed=True)
    """
    from rapidfuzz.distance import LCSseq

    if left == right:
        return _whole(left, changed=False), _whole(right, changed=False)
    tokens = [list(TOKEN.finditer(text)) for text in (left, right)]
    words = [[token[0] for token in side] for side in tokens]
    blocks = [block for block in LCSseq.opcodes(*words) if block.tag == "equal"]
    same = [
        {index for block in blocks for index in range(block.src_start, block.src_end)},
        {index for block in blocks for index in range(block.dest_start, block.dest_end)},
    ]
    if _kept_share(words, same) < KEPT_SHARE:
        return _whole(left, changed=True), _whole(right, changed=True)
    return _parts(left, tokens[0], same[0]), _parts(right, tokens[1], same[1])


def _whole(text: str, *, changed: bool) -> tuple[Part, ...]:
    return (Part(text, changed),) if text else ()


def _kept_share(words: list[list[str]], same: list[set[int]]) -> float:
    """The share of both texts' words that stay; other signs count only where there is no word."""
    stays = [
        (bool(WORD.search(word)), index in kept)
        for side, kept in zip(words, same, strict=True)
        for index, word in enumerate(side)
    ]
    counted = [stay for is_word, stay in stays if is_word] or [stay for _, stay in stays]
    return sum(counted) / len(counted) if counted else 0.0


def _parts(text: str, tokens: list["regex.Match[str]"], same: set[int]) -> tuple[Part, ...]:
    """Pieces of ``text``; the space between two changed words is part of the change."""
    parts: list[Part] = []
    start = 0
    for index, token in enumerate(tokens):
        changed = index not in same
        if index and changed != parts[-1].changed:
            # the space before a change belongs to what stays, the space after it too
            end = token.start() if changed else tokens[index - 1].end()
            parts[-1] = Part(text[start:end], parts[-1].changed)
            start = end
            parts.append(Part("", changed))
        elif not index:
            parts.append(Part("", changed))
    return (*parts[:-1], Part(text[start:], parts[-1].changed))
