"""The work of the Compare page, done in threads beside it; nothing here knows of pages."""

import time
from collections.abc import Callable, Iterable
from dataclasses import replace

from tted_core import Comparison, MindMap, TTEDError
from tted_core.baselines import BaselineScore, readable_baselines
from tted_core.compare import compare_maps, computed_baselines, read_texts, trimmed
from tted_core.encoders.embedding_cache import default_cache
from tted_core.explain.doubt import Doubts, doubts
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.method import Method
from tted_core.solvers.structure import Entry
from ui.models import models

CHECK_SECONDS = 10.0
"""After so long a round of checking ends with what it has found; the most costly replacements come first."""

UNORDERED_SECONDS = 2.0
"""For each operation, in the order that may take long."""


def encode(left: MindMap, right: MindMap, options: Method, monitor: Monitor) -> None:
    """Have the texts of a comparison encoded, together with those of other visitors, and kept for its work.

    Raises:
        TTEDError: as ``compare_maps``.
    """
    if options.record.reads == "encoder" and default_cache() is not None:
        sides = (trimmed(left, options.depth, "left"), trimmed(right, options.depth, "right"))
        read_texts(sides[0].tree, sides[1].tree, options, models(), monitor)


def compare(
    left: MindMap, right: MindMap, options: Method, baselines: Iterable[str], monitor: Monitor
) -> Comparison:
    """``compare_maps`` with the server's models.

    Raises:
        TTEDError: as there.
    """
    result = compare_maps(left, right, options, models(), baselines=baselines, monitor=monitor)
    result.solve_depths(monitor)
    return result


def is_proven(result: Comparison) -> bool:
    """Whether a comparison will do for other visitors; else another search may find more."""
    return result.proven


def baselines(result: Comparison, monitor: Monitor) -> dict[str, BaselineScore | TTEDError]:
    """Every baseline that can stand beside a comparison.

    Raises:
        TTEDError: as ``computed_baselines``.
    """
    names = readable_baselines(result.method.record.reads)
    trees = result.left.tree, result.right.tree
    return computed_baselines(*trees, result.method, names, models(), monitor=monitor)


def file_of(result: Comparison, kind: str, replay: Callable[[], str]) -> bytes:
    """A file of a kind in ``EXPORTS``, with all baselines where it has some, and a report with the replay file.

    Raises:
        TTEDError: as ``computed_baselines``, and as ``written``.
    """
    from tted_core.report.exports import EXPORTS, written  # a process starts sooner without
    from tted_core.report.html_report import html_report

    if EXPORTS[kind].has_baselines:
        result = replace(result, baselines=baselines(result, UNWATCHED))
    return html_report(result, replay()).encode() if kind == "html" else written(result, kind)


def check(result: Comparison, done: frozenset[Entry], monitor: Monitor) -> Doubts:
    """A round of checking which operations have close alternatives; ``done`` are those that were checked."""
    end = time.monotonic() + CHECK_SECONDS
    left = None if not done else {(op.source, op.target) for op in result.script.ops} - done
    return doubts(
        result,
        entries=left,
        time_limit=UNORDERED_SECONDS,
        monitor=Monitor(monitor.tell, lambda: monitor.stopped or time.monotonic() > end),
    )
