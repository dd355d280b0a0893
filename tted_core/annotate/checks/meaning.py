"""Checks of meaning: nodes that say the same, and nodes that may hang in the wrong place."""

from collections.abc import Iterator

import numpy as np

from tted_core.annotate.checks.finding import Issue, Thresholds
from tted_core.annotate.checks.view import MapView


def duplicates(view: MapView, thresholds: Thresholds) -> Iterator[Issue]:
    """Pairs of nodes, neither the other's parent, whose distance is below the threshold; the nearest first."""
    distances = view.distances
    near = np.argwhere(np.triu(distances < thresholds.duplicate, k=1)).tolist()
    found = sorted(
        (float(distances[first, second]), first, second)
        for first, second in near
        if view.tree.parents[second] != first and view.filled[first] and view.filled[second]
    )
    for distance, first, second in found:
        same = view.tree.labels[first] == view.tree.labels[second]
        text = "the same text twice" if same else f"almost the same text: distance {distance:.2f}"
        yield Issue((first, second), text, distance)


def restatements(view: MapView, thresholds: Thresholds) -> Iterator[Issue]:
    """Nodes whose distance to their parent is below the threshold; the nearest first."""
    found = sorted(
        (float(view.distances[node, parent]), parent, node)
        for node, parent in enumerate(view.tree.parents)
        if node and view.filled[node] and view.filled[parent]
    )
    for distance, parent, node in found:
        if distance < thresholds.restatement:
            yield Issue((parent, node), f"the child restates its parent: distance {distance:.2f}", distance)


def misplaced(view: MapView, thresholds: Thresholds) -> Iterator[Issue]:
    """Nodes nearer to another branch than to their own, by more than the threshold; the most misplaced first.

    A branch is an inner node with its children, its distance the mean of theirs; a single nearest node is right by
    chance far too often (docs/annotation.md). Compared are branches that neither hold the node's parent nor hang
    below it. Children of the root have no such branch.
    """
    tree, found = view.tree, []
    heads = np.array([node for node in range(1, len(tree)) if tree.children[node]], dtype=np.intp)
    if not len(heads):
        return
    members = np.zeros((len(tree), len(heads)))
    for column, head in enumerate(heads.tolist()):
        members[[head, *tree.children[head]], column] = 1
    members *= np.array(view.filled)[:, None]
    sizes = members.sum(axis=0)
    sums = view.distances @ members
    column_of = {head: column for column, head in enumerate(heads.tolist())}
    for node, parent in enumerate(tree.parents):
        if parent <= 0 or not view.filled[node] or sizes[column_of[parent]] < 2:
            continue
        own = float(sums[node, column_of[parent]] / (sizes[column_of[parent]] - 1))  # itself is at distance 0
        elsewhere = (heads < parent) | (heads >= parent + tree.sizes[parent])
        above = tree.parents[parent]
        while above > 0:
            elsewhere[column_of[above]] = False
            above = tree.parents[above]
        elsewhere &= sizes > 0
        if not elsewhere.any():
            continue
        means = np.where(elsewhere, sums[node] / np.maximum(sizes, 1), np.inf)
        nearest = int(np.argmin(means))
        other = float(means[nearest])
        if own - other > thresholds.nearer_by:
            found.append((own - other, node, int(heads[nearest]), own, other))
    for margin, node, head, own, other in sorted(found, key=lambda each: (-each[0], each[1])):
        text = f"mean distance {other:.2f} to another branch, {own:.2f} to its own"
        yield Issue((node, head), text, margin)
