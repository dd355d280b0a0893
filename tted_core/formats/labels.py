"""Labels: how a node's text is cleaned, in one place for all formats, and how it is shown in messages.

Unicode NFC, runs of white space become one space, and what can't be shown or stored (control characters, lone
surrogates, byte order marks inside a text) is repaired. Every kind of change is said once, with the nodes.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable

from tted_core.errors import LimitError
from tted_core.limits import MAX_LABEL_CHARACTERS
from tted_core.words.surrogates import without_surrogates

SHOWN = 40
"""Characters of a label that a message shows."""

NAMED = 3
"""Nodes that a notice about labels names."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")  # white space among them is gone before this is used
_INVISIBLE = re.compile("[\ufeff\u200b\u2060\ufffe\uffff]")


def quoted(label: str, limit: int = SHOWN) -> str:
    r"""A label for a message: quoted, shortened, and with nothing in it that a terminal would obey.

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


class LabelRepairs:
    """Cleans labels one after the other and remembers which were changed, and why."""

    def __init__(self) -> None:
        """Start with nothing repaired."""
        self._places: dict[str, list[str]] = defaultdict(list)
        self._counts: dict[str, int] = defaultdict(int)

    def clean(self, label: str, place: Callable[[], str]) -> str:
        """Return the label as it goes into the tree; ``place`` says where it stands, if that is needed.

        Raises:
            LimitError: the label is too long.
        """
        text = " ".join(label.split())
        if text != label:
            self._note("extra white space was removed from {}", place)
        if len(text) > MAX_LABEL_CHARACTERS:
            raise LimitError(
                f"{len(text):,} characters in the node at {place()}, but the limit is "
                f"{MAX_LABEL_CHARACTERS:,}; shorten its text"
            )
        if not text.isascii() or not text.isprintable():
            text = self._repair(text, place)
        if not text:
            self._note("{} without text (kept, as an empty label)", place)
        return text

    def _repair(self, text: str, place: Callable[[], str]) -> str:
        changed = text
        if _SURROGATE.search(changed):
            changed = without_surrogates(changed)
            self._note("half surrogate pairs became \N{REPLACEMENT CHARACTER} in {}", place)
        if _CONTROL.search(changed):
            changed = _CONTROL.sub("", changed)
            self._note("control characters were removed from {}", place)
        if _INVISIBLE.search(changed):
            changed = _INVISIBLE.sub("", changed)
            self._note("invisible characters (byte order marks and the like) were removed from {}", place)
        composed = unicodedata.normalize("NFC", changed)
        if composed != changed:
            self._note("letters and their accents were joined (Unicode NFC) in {}", place)
        return " ".join(composed.split())

    def _note(self, kind: str, place: Callable[[], str]) -> None:
        self._counts[kind] += 1
        if self._counts[kind] <= NAMED:
            self._places[kind].append(place())

    def notices(self) -> list[str]:
        """One sentence for each kind of repair."""
        sentences = []
        for kind, count in self._counts.items():
            more = ", ..." if count > NAMED else ""
            sentences.append(f"{kind.format(counted(count, 'node'))}: {', '.join(self._places[kind])}{more}")
        return sentences
