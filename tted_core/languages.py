"""A coarse look at the script a text is written in, to warn when an encoder can't know its language."""

from collections.abc import Iterable

import regex

LETTER = regex.compile(r"\p{L}")
LATIN = regex.compile(r"\p{Latin}")


def foreign_share(texts: Iterable[str]) -> float:
    """The share of the texts' letters that are not Latin, 0 to 1.

    >>> foreign_share(["Привет", "world"])  # 6 of 11 letters
    0.5454545454545454
    """
    joined = "".join(texts)
    if joined.isascii():
        return 0.0
    letters = len(LETTER.findall(joined))
    return 1 - len(LATIN.findall(joined)) / letters if letters else 0.0
