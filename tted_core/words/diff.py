"""Which words of two sentences differ: for people who read a replaced node. No number depends on it."""

from typing import NamedTuple

from tted_core.words.splitting import Word, split_words

KEPT_SHARE = 0.5
"""Below this share of common words, single words in common ("the", "of") are an accident: all of it is new."""


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
    words = [split_words(text) for text in (left, right)]
    opcodes = LCSseq.opcodes(*([word.text for word in side] for side in words))
    blocks = [block for block in opcodes if block.tag == "equal"]
    same = [
        {index for block in blocks for index in range(block.src_start, block.src_end)},
        {index for block in blocks for index in range(block.dest_start, block.dest_end)},
    ]
    if _kept_share(words, same) < KEPT_SHARE:
        return _whole(left, changed=True), _whole(right, changed=True)
    return _parts(left, words[0], same[0]), _parts(right, words[1], same[1])


def _whole(text: str, *, changed: bool) -> tuple[Part, ...]:
    return (Part(text, changed),) if text else ()


def _kept_share(words: list[tuple[Word, ...]], same: list[set[int]]) -> float:
    """The share of both texts' words that stay; other signs count only where there is no word."""
    stays = [
        (word.is_spoken, index in kept)
        for side, kept in zip(words, same, strict=True)
        for index, word in enumerate(side)
    ]
    counted = [stay for is_spoken, stay in stays if is_spoken] or [stay for _, stay in stays]
    return sum(counted) / len(counted) if counted else 0.0


def _parts(text: str, words: tuple[Word, ...], same: set[int]) -> tuple[Part, ...]:
    """Pieces of ``text``; the space between two changed words is part of the change."""
    parts: list[Part] = []
    start = 0
    for index, word in enumerate(words):
        changed = index not in same
        if index and changed != parts[-1].changed:
            # the space before a change belongs to what stays, the space after it too
            end = word.start if changed else words[index - 1].end
            parts[-1] = Part(text[start:end], parts[-1].changed)
            start = end
            parts.append(Part("", changed))
        elif not index:
            parts.append(Part("", changed))
    return (*parts[:-1], Part(text[start:], parts[-1].changed))
