"""Words of messages: texts in quotation marks, numbers with their nouns, lists of names; texts without surrogates.

Lone surrogates are code points for half a letter, which Python's strings allow and UTF-8 doesn't.
"""

from collections.abc import Iterable, Sequence

MESSAGE_CHARACTERS = 40  # characters of a label shown in a message


def quoted(label: str, limit: int = MESSAGE_CHARACTERS) -> str:
    r"""A label for a message: quoted, shortened, and without control sequences for terminals.

    >>> print(quoted("one\x1b[31m two"))
    'one\x1b[31m two'
    """
    text = " ".join(label[: 4 * limit].split())
    return repr(text if len(text) <= limit and len(label) <= 4 * limit else f"{text[: limit - 3]}...")


def counted(count: int, noun: str, plural: str = "") -> str:
    """A number with its noun.

    >>> counted(1, "node"), counted(1200, "branch", "branches")
    ('1 node', '1,200 branches')
    """
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def join_with_and(names: Sequence[str]) -> str:
    """Join one name or more with commas, and the last with "and".

    >>> join_with_and(["a", "b", "c"])
    'a, b and c'
    """
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def list_some(items: Iterable[str], limit: int = 5) -> str:
    """Join items with commas, the first few in full and the rest as a number.

    >>> list_some(["a", "b", "c"], limit=2)
    'a, b and 1 more'
    """
    every = list(items)
    shown = ", ".join(every[:limit])
    return shown if len(every) <= limit else f"{shown} and {len(every) - limit:,} more"


def without_surrogates(text: str) -> str:
    r"""The text without surrogates, for tokenizers and files: pairs joined, lone ones replaced with U+FFFD.

    >>> without_surrogates("\ud83c\udf31") == "\N{SEEDLING}", without_surrogates("a\ud800") == "a\ufffd"
    (True, True)
    """
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
