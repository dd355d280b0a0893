"""The rules that look at where a node stands: unrelated, misplaced, or on another level than its parent."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from tted_core.annotate.checks.rules import Issue, MapView, Thresholds
from tted_core.words.claims import alike, changed_claims

FEWEST = 5
"""Nodes of a map from which on it can be said what is usual in it."""
LARGEST_MISPLACED = 5
"""Nodes of a branch that may be misplaced; larger ones have a position of their own."""


def _centre(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean direction of (k, d) vectors; zeros if they cancel out."""
    mean: NDArray[np.float64] = points.mean(axis=0)
    mean /= max(float(np.linalg.norm(mean)), float(np.finfo(float).tiny))
    return mean


def _clearest(view: MapView, found: Iterable[tuple[float, int, Issue]]) -> Iterator[Issue]:
    """The issues of (value, head of a branch, issue), smallest value first, none in or above another's branch."""
    taken: list[range] = []
    for _, head, issue in sorted(found, key=lambda each: each[:2]):
        branch = view.subtree(head)
        if not any(branch.start in other or other.start in branch for other in taken):
            taken.append(branch)
            yield issue


def unrelated(view: MapView, thresholds: Thresholds) -> Iterator[Issue]:
    """Branches far from the rest of the map and from what is around them; the farthest first.

    The similarity is the mean of two: of the branch's centre to that of all other nodes, and to the nearest of
    parent and siblings. A single sentence is often far from all others ("It took years."): its limit is half.
    """
    tree, points = view.tree, view.points
    if len(tree) < FEWEST:
        return
    found = []
    total = points.sum(axis=0)
    for head in range(1, len(tree)):
        branch = view.subtree(head)
        if 2 * len(branch) > len(tree):
            continue
        inside = points[branch.start : branch.stop]
        centre, rest = _centre(inside), _centre((total - inside.sum(axis=0))[None])
        parent = tree.parents[head]
        around = [parent, *(child for child in tree.children[parent] if child != head)]
        near, far = float((points[around] @ centre).max()), float(rest @ centre)
        value = (near + far) / 2
        if value < thresholds.unrelated / (1 if len(branch) > 1 else 2):
            text = f"similarity {far:.2f} to the rest of the map, {near:.2f} to the nearest node around it"
            found.append((value, head, Issue((head,), text, value)))
    yield from _clearest(view, found)


def misplaced(view: MapView, thresholds: Thresholds) -> Iterator[Issue]:
    """Branches nearer to another main branch than to their own by more than the threshold; the clearest first."""
    tree, points = view.tree, view.points
    mains = [view.subtree(head) for head in tree.children[0]]
    sums = [points[main.start : main.stop].sum(axis=0) for main in mains]
    found = []
    for own, main in enumerate(mains):
        others = [_centre(each[None]) for number, each in enumerate(sums) if number != own]
        for head in main[1:] if others else ():
            branch = view.subtree(head)
            if len(branch) > LARGEST_MISPLACED:
                continue
            inside = points[branch.start : branch.stop]
            centre = _centre(inside)
            here = float(_centre((sums[own] - inside.sum(axis=0))[None]) @ centre)
            there = [float(each @ centre) for each in others]
            nearest = int(np.argmax(there))
            margin = there[nearest] - here
            if margin > thresholds.nearer_by:
                other = [each for number, each in enumerate(mains) if number != own][nearest]
                text = f"similarity {there[nearest]:.2f} to another main branch, {here:.2f} to its own"
                found.append((-margin, head, Issue((head, other.start), text, margin)))
    yield from _clearest(view, found)


def levels(view: MapView, thresholds: Thresholds) -> Iterator[Issue]:
    """Children that say better than their parent what its other descendants are about; the clearest first."""
    tree, points = view.tree, view.points
    found = []
    for parent, children in enumerate(tree.children):
        around = view.subtree(parent)
        margins = []
        for child in children:
            rest = [node for node in around[1:] if node not in view.subtree(child)]
            if len(rest) > 1:
                centre = _centre(points[rest])
                margins.append((float((points[child] - points[parent]) @ centre), child))
        margin, child = max(margins, default=(0.0, 0))
        if margin > thresholds.more_general_by:
            text = f"by {margin:.2f} more similar to what is below its parent than the parent is"
            found.append((-margin, child, Issue((parent, child), text, margin)))
    yield from _clearest(view, found)


def contradictions(view: MapView, _thresholds: Thresholds) -> Iterator[Issue]:
    """Children with most words of their parent, and another number, a negation or an opposite."""
    for child, parent in enumerate(view.tree.parents):
        labels: Sequence[str] = view.tree.labels
        if child and view.filled[child] and view.filled[parent] and alike(labels[parent], labels[child]):
            flags = [each for each in changed_claims(labels[parent], labels[child]) if each.kind != "name"]
            if flags:
                yield Issue((parent, child), "; ".join(flag.words for flag in flags))
