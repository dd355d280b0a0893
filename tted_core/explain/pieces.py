"""A node's text in pieces, as all drawings mark it: changed words, words of flags, parts of other nodes."""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from tted_core.explanation import Node, Sentence
from tted_core.words.splitting import word_diff


class TextPiece(NamedTuple):
    """A piece of a text: ``changed`` where the counterpart has other words, or with the sentence that is a part.

    ``flagged`` says that it may have changed the claim.
    """

    text: str
    changed: bool = False
    part: Sentence | None = None
    flagged: bool = False


def pieces_of(node: Node, *, by_script: bool = False) -> list[TextPiece]:
    """The text of a node in pieces, in order; in one if every word changed, as there is nothing to point at then.

    ``by_script`` compares the text with that of its partner in the edit script.
    """
    found = list(_cut_at_flags(_plain_pieces(node, by_script), node.flagged))
    return [TextPiece(node.label)] if all(each.changed and not each.flagged for each in found) else found


def _plain_pieces(node: Node, by_script: bool) -> Iterable[TextPiece]:
    if node.holds and not by_script:
        return _cut(node)
    left, right = node.operation.nodes if by_script else node.sentence.ends
    if left is None or right is None or left.label == right.label:
        return [TextPiece(node.label)]
    return [TextPiece(*part) for part in word_diff(left.label, right.label)[node.side]]


def _cut(node: Node) -> Iterator[TextPiece]:
    """A text cut where parts begin and end; of parts that overlap, the first one has what both are."""
    label, here = node.label, 0
    for start, end, sentence in node.holds:
        if here < start:
            yield TextPiece(label[here:start])
        if max(here, start) < end:
            yield TextPiece(label[max(here, start) : end], part=sentence)
        here = max(here, end)
    if here < len(label):
        yield TextPiece(label[here:])


def _cut_at_flags(pieces: Iterable[TextPiece], words: list[tuple[int, int]]) -> Iterator[TextPiece]:
    """The pieces cut where words of flags begin and end."""
    here = 0
    for piece in pieces:
        end = here + len(piece.text)
        cuts = {cut for word in words for cut in word if here < cut < end}
        for start, stop in pairwise(sorted({here, end} | cuts)):
            flagged = any(word[0] <= start and stop <= word[1] for word in words)
            yield piece._replace(text=piece.text[start - here : stop - here], flagged=flagged)
        here = end
