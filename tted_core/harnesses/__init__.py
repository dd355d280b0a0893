"""TTED as a metric in other people's evaluation harnesses: Inspect, lm-evaluation-harness and lighteval.

Each harness has a module of its name, which needs the extra of that name. All three read the same data, JSON lines
with the fields ``prompt`` and ``reference`` (the text of a map in any format), and report the same two metrics
for a model's answer: ``tted_normalized`` and ``tted_readable``.
"""

from functools import lru_cache
from typing import Any, NamedTuple

from tted_core.errors import InvalidTreeError, LimitError, MapFormatError
from tted_core.formats import parse_map
from tted_core.foundations.limits import MAX_NODES_COMPARED
from tted_core.tted import TTED


class AnswerScore(NamedTuple):
    """The distance of a model's answer from the reference map."""

    normalized: float
    """From 0 to 1; 1 for an answer that is no map."""

    readable: bool
    tted: float | None
    """None for an answer that is no map."""

    explanation: str
    """The signature of the comparison, or why the answer is no map."""


def score_answer(answer: str, reference: str, **options: Any) -> AnswerScore:
    """Compare a model's answer with the reference map.

    An answer may have its map in a fenced block. One that can't be read as a map, or is too large to be compared,
    gets the largest distance and counts as not readable, so that a mean over answers leaves none of them out.

    Args:
        answer: what the model wrote.
        reference: the text of the map that was asked for, in any format.
        options: those of ``TTED``: encoder, preset, distance, order ...

    Raises:
        MapFormatError: the reference can't be read.
        TTEDError: the options are wrong, or the reference is too large to be compared.
    """
    try:
        expected = parse_map(reference.encode())
    except MapFormatError as error:
        raise MapFormatError(f"the reference map can't be read: {error}") from error
    try:
        given = parse_map(answer.encode())
    except (MapFormatError, InvalidTreeError, LimitError) as error:
        return AnswerScore(1.0, readable=False, tted=None, explanation=str(error))
    if len(given.tree) > MAX_NODES_COMPARED:
        reason = f"the answer has {len(given.tree):,} nodes; the limit is {MAX_NODES_COMPARED:,}"
        return AnswerScore(1.0, readable=False, tted=None, explanation=reason)
    result = _method(**options).compare(expected, given)
    return AnswerScore(result.normalized, readable=True, tted=result.tted, explanation=result.signature)


@lru_cache(maxsize=8)
def _method(**options: Any) -> TTED:
    return TTED(**options)
