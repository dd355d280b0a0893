"""Why the unordered distance is NP-hard: exact cover by 3-sets, as two trees (Zhang, Statman and Shasha 1992).

Given 3k elements and n sets of three of them, are there k sets that hold each element once? Let the left tree have
a node for each set, its three elements below it. Let the right tree have all elements below its root, and n - k
nodes like those of sets, with three leaves below them whose label is no element. Each edit costs 1.

The left tree has k nodes more, and 3 (n - k) leaves on the right have a label that the left tree lacks: no mapping
costs less than k + 3 (n - k). One costs just that only if it inserts nothing and deletes k nodes. Those are nodes
of sets then, and their leaves are all elements, once each. So the distance decides whether there is such a cover.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tted_core.learn.mappings import with_gaps
from tted_core.solvers import Mapping
from tted_core.tree import TextTree

ROOT, SET, FILLER = "•", "S", "?"


@dataclass(frozen=True)
class ExactCover:
    """An instance: elements 1 to 3 ``wanted``, and sets of three of them."""

    wanted: int
    """How many sets an exact cover has: k."""
    sets: tuple[tuple[int, int, int], ...]

    @property
    def bound(self) -> int:
        """What no mapping of the two trees can cost less than: k + 3 (n - k)."""
        return self.wanted + 3 * (len(self.sets) - self.wanted)

    @property
    def trees(self) -> tuple[TextTree, TextTree]:
        """The sets, and what an exact cover makes of them."""
        left = _tree([(SET, each) for each in self.sets])
        fillers = [(SET, (FILLER,) * 3)] * (len(self.sets) - self.wanted)
        elements: list[tuple[object, Sequence[object]]] = [
            (each, ()) for each in range(1, 3 * self.wanted + 1)
        ]
        return left, _tree([*elements, *fillers])

    def missing(self, chosen: Sequence[int]) -> tuple[int, ...]:
        """The elements that no chosen set holds; sets are counted from 0."""
        held = {element for each in chosen for element in self.sets[each]}
        return tuple(each for each in range(1, 3 * self.wanted + 1) if each not in held)

    def is_cover(self, chosen: Sequence[int]) -> bool:
        """Whether these sets hold each element once."""
        return len(chosen) == self.wanted and not self.missing(chosen)

    def mapping(self, chosen: Sequence[int]) -> Mapping:
        """What choosing these sets makes of the trees.

        Their nodes are deleted; their leaves take the equal elements, and what is left of them the elements that
        are left. The other sets take the nodes on the right that look like them, as far as there are any.
        """
        left, right = self.trees
        tops = left.children[0]
        elements = {int(right.labels[node]): node for node in right.children[0] if not right.children[node]}
        pairs = [(0, 0)]
        spare = []
        for each in chosen:
            for leaf in left.children[tops[each]]:
                node = elements.pop(int(left.labels[leaf]), None)
                if node is None:
                    spare.append(leaf)
                else:
                    pairs.append((leaf, node))
        pairs += zip(spare, elements.values(), strict=False)
        others = [top for each, top in enumerate(tops) if each not in chosen]
        fillers = [node for node in right.children[0] if right.children[node]]
        for mine, its in zip(others, fillers, strict=False):
            pairs += [(mine, its), *zip(left.children[mine], right.children[its], strict=True)]
        return with_gaps(left, right, pairs)


def _tree(tops: Sequence[tuple[object, Sequence[object]]]) -> TextTree:
    """A root with these nodes and the leaves below them."""
    labels, parents = [ROOT], [-1]
    for label, leaves in tops:
        labels.append(str(label))
        parents.append(0)
        top = len(labels) - 1
        labels += map(str, leaves)
        parents += [top] * len(leaves)
    return TextTree(tuple(labels), tuple(parents))


INSTANCES: dict[str, ExactCover] = {
    "yes": ExactCover(2, ((1, 2, 3), (1, 2, 4), (2, 5, 6), (3, 5, 6))),
    "no": ExactCover(2, ((1, 2, 3), (1, 4, 5), (2, 4, 6), (3, 4, 5))),
}
"""One that has an exact cover, and one that has none."""
