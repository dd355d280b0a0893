"""The rules that look at where a node stands: unrelated, misplaced, or on another level than its parent."""

from collections.abc import Iterable, Iterator

import numpy as np

from tted_core.annotate.rules import Issue, MapView, directions

FEWEST = 5
"""Nodes of a map from which on it can be said what is usual in it."""
LARGEST_MISPLACED = 5
"""Nodes of a branch that may be misplaced; larger ones stand on their own."""


def _clearest(view: MapView, found: Iterable[tuple[float, int, Issue]]) -> Iterator[Issue]:
    """The issues of (value, head of a branch, issue), smallest value first, none in or above another's branch."""
    taken: list[range] = []
    for _, head, issue in sorted(found, key=lambda each: each[:2]):
        branch = view.subtree(head)
        if not any(branch.start in other or other.start in branch for other in taken):
            taken.append(branch)
            yield issue


def unrelated(view: MapView, limit: float) -> Iterator[Issue]:
    """Branches far from the rest of the map and from what is around them; the farthest first.

    The similarity is the mean of two: of the branch's centre to that of all other nodes, and to the nearest of
    parent and siblings. A single sentence is often far from all others ("It took years."): its limit is half.
    """
    tree, points = view.tree, view.points
    found = []
    for head in range(1, len(tree)) if len(tree) >= FEWEST else ():
        branch = view.subtree(head)
        inside = points[branch].sum(axis=0)
        centre, rest = directions(inside), directions(points.sum(axis=0) - inside)
        parent = tree.parents[head]
        around = [parent, *(child for child in tree.children[parent] if child != head)]
        near, far = float((points[around] @ centre).max()), float(rest @ centre)
        value = (near + far) / 2
        if 2 * len(branch) <= len(tree) and value < limit / (1 if len(branch) > 1 else 2):
            text = f"similarity {far:.2f} to the rest of the map, {near:.2f} to the nearest node around it"
            found.append((value, head, ((head,), text, value)))
    return _clearest(view, found)


def misplaced(view: MapView, limit: float) -> Iterator[Issue]:
    """Branches nearer to another main branch than to their own by more than the limit; the clearest first.

    The similarity is the mean of two: of the centres of both branches, and of these apart from the map's centre,
    as all sentences of an article are alike.
    """
    tree = view.tree
    mains = [view.subtree(head) for head in tree.children[0]]
    heads = [(head, own) for own, main in enumerate(mains) for head in main[1:]]
    heads = [(head, own) for head, own in heads if tree.sizes[head] <= LARGEST_MISPLACED]
    if len(mains) < 2 or not heads:
        return
    own, count = np.array([own for _, own in heads]), np.arange(len(heads))
    similarity = np.zeros((len(mains), len(heads)))
    for points in (view.points, view.points - view.points.mean(axis=0)):
        whole = np.array([points[main].sum(axis=0) for main in mains])
        inside = np.array([points[view.subtree(head)].sum(axis=0) for head, _ in heads])
        to = directions(whole) @ directions(inside).T
        to[own, count] = (directions(whole[own] - inside) * directions(inside)).sum(axis=1)
        similarity += to / 2
    here = similarity[own, count].copy()
    similarity[own, count] = -np.inf
    found = []
    for number, (head, _) in enumerate(heads):
        nearest = int(similarity[:, number].argmax())
        there = float(similarity[nearest, number])
        margin = there - float(here[number])
        if margin > limit:
            text = f"similarity {there:.2f} to another main branch, {here[number]:.2f} to its own"
            found.append((-margin, head, ((head, mains[nearest].start), text, margin)))
    yield from _clearest(view, found)


def levels(view: MapView, limit: float) -> Iterator[Issue]:
    """Children that say better than their parent what its other descendants are about; the clearest first."""
    tree, points = view.tree, view.points
    found = []
    for parent, children in enumerate(tree.children):
        margins = []
        for child in children:
            rest = [node for node in view.subtree(parent)[1:] if node not in view.subtree(child)]
            if len(rest) > 1:
                centre = directions(points[rest].sum(axis=0))
                margins.append((float((points[child] - points[parent]) @ centre), child))
        margin, child = max(margins, default=(0.0, 0))
        if margin > limit:
            text = f"by {margin:.2f} more similar to what is below its parent than the parent is"
            found.append((-margin, child, ((parent, child), text, margin)))
    return _clearest(view, found)
