"""The mapping as two outlines or as a graph."""

from threading import Condition

from cachetools import LRUCache, cached

from tted_core import Comparison, MindMap
from tted_core.explain.build import explain
from tted_core.explanation import Explanation
from tted_core.report.readings import Reading, read_script, read_sentences
from tted_core.report.words import how_sure
from tted_core.script import EditScript
from ui.mapping.outline import READING, VIEW, draw_outline, open_value, take_pick
from ui.mapping.outline.rows import outline_rows
from ui.mapping.selection import settle
from ui.text import plural

NODES_KEPT = 20_000
"""Nodes of the explanations that are kept: 200 pairs of small maps, or ten of 1,000 nodes, 7 kB a node."""


def explain_comparison(comparison: Comparison) -> Explanation:
    """The explanation of a comparison; those of the last ones are kept, as every part of a page asks for it."""
    return _explain(comparison, comparison.left, comparison.right, comparison.script)


@cached(
    LRUCache(NODES_KEPT, getsizeof=lambda explanation: sum(map(len, explanation.trees))),
    condition=Condition(),
)
def _explain(comparison: Comparison, _left: MindMap, _right: MindMap, _script: EditScript) -> Explanation:
    """Comparisons are equal by their signatures; names of maps and notes of operations aren't in them."""
    return explain(comparison)


def open_reading(comparison: Comparison) -> Reading:
    """The reading that Compare shows; kept as its explanation is."""
    return _read(open_value(READING), comparison, comparison.left, comparison.right, comparison.script)


@cached(LRUCache(NODES_KEPT, getsizeof=lambda reading: len(reading.lines)), condition=Condition())
def _read(name: str, comparison: Comparison, _left: MindMap, _right: MindMap, _script: EditScript) -> Reading:
    return (read_script if name == "script" else read_sentences)(explain_comparison(comparison))


def mapping_view(result: Comparison, free: Comparison | None = None) -> None:
    """Draw the open view.

    Args:
        result: what to draw.
        free: on Compare, the comparison without the user's choices: then there is a choice of the reading, and the
            list of changes stands beside the outline. Without it, the sentences are drawn.
    """
    take_pick()
    settle(result)
    explanation = explain_comparison(result)
    reading = open_reading(result) if free else read_sentences(explanation)
    before = free.script.pairs if free else ()
    rows = outline_rows(explanation, reading, table=free is not None, before=before)
    foot = {"tted": reading.unit.text(reading.whole)}
    if free:
        foot |= {"relation": _relation(explanation), "proof": how_sure(result)}
    draw_outline(rows, open_value(VIEW), foot)


def _relation(explanation: Explanation) -> str:
    """How the edit script and the sentences differ."""
    far = sum(not each.is_near for each in explanation.operations)
    apart = sum(not each.is_aligned for each in explanation.sentences)
    if far:
        return f"TTED pairs {plural(far, 'sentence')} that don't correspond: it costs less"
    if apart:
        return f"TTED can't pair {plural(apart, 'sentence')} that moved, merged or split"
    return "Both readings pair the same sentences"
