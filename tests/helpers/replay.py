"""An interpreter of edit scripts: carries the operations out, one at a time, on a changeable tree."""

from tted_core.script import EditOp
from tted_core.tree import TextTree

TOP = -1


class Patient:
    """A forest under edit. Nodes of the left tree are named by their index, inserted ones ``n + index``.

    ``children[TOP]`` are the roots. ``target`` is the node of the right tree that a node has become.
    """

    def __init__(self, left: TextTree, right: TextTree, *, ordered: bool) -> None:
        self.left, self.right, self.ordered = left, right, ordered
        self.label = dict(enumerate(left.labels))
        self.children = {TOP: [0], **{node: list(below) for node, below in enumerate(left.children)}}
        self.target: dict[int, int] = {}
        self.root_may_miss = False

    def apply(self, op: EditOp) -> None:
        """Carry one operation out, and assert that it can be and that a forest is left."""
        if op.op == "delete":
            assert op.source is not None
            assert op.target is None
            self._delete(op.source)
        elif op.op == "insert":
            assert op.source is None
            assert op.target is not None
            self._insert(op.target)
        else:
            assert op.source is not None
            assert op.target is not None
            self._relabel(op.source, op.target)
        self._check_forest()

    def result(self) -> TextTree:
        """The edited tree; siblings in the order of the right tree unless the order is kept."""
        assert set(self.target) == set(self.label), "a node was neither matched, replaced nor deleted"
        labels: list[str] = []
        parents: list[int] = []

        def add(node: int, parent: int) -> None:
            position = len(labels)
            labels.append(self.label[node])
            parents.append(parent)
            below = self.children[node]
            for child in below if self.ordered else sorted(below, key=self.target.__getitem__):
                add(child, position)

        (root,) = self.children[TOP]
        add(root, -1)
        return TextTree(tuple(labels), tuple(parents))

    def _parent(self, node: int) -> int:
        (parent,) = (name for name, below in self.children.items() if node in below)
        return parent

    def _relabel(self, source: int, target: int) -> None:
        assert source in self.label
        assert source not in self.target
        assert target not in self.target.values()
        self.label[source] = self.right.labels[target]
        self.target[source] = target

    def _delete(self, node: int) -> None:
        """Replace the node by its children."""
        assert node not in self.target
        parent = self._parent(node)
        siblings = self.children[parent]
        index = siblings.index(node)
        siblings[index : index + 1] = self.children.pop(node)
        del self.label[node]
        self.root_may_miss |= node == 0

    def _insert(self, target: int) -> None:
        """The node goes below its parent, which is there already, and takes over what belongs below it."""
        assert target not in self.target.values()
        node = len(self.left) + target
        names = {index: name for name, index in self.target.items()}
        parent = TOP if target == 0 else names[self.right.parents[target]]
        siblings = self.children[parent]
        subtree = range(target, target + self.right.sizes[target])
        below = [name for name in siblings if self.target[name] in subtree]
        if self.ordered:
            assert below == [] or below == siblings[siblings.index(below[0]) :][: len(below)], "not in a row"
        index = siblings.index(below[0]) if below else sum(self.target[name] < target for name in siblings)
        siblings[:] = [name for name in siblings if name not in below]
        siblings.insert(index, node)
        self.children[node] = below
        self.label[node] = self.right.labels[target]
        self.target[node] = target
        if target == 0:
            self.root_may_miss = False

    def _check_forest(self) -> None:
        seen: list[int] = []
        stack = list(self.children[TOP])
        while stack:
            node = stack.pop()
            assert node not in seen, "two parents or a cycle"
            seen.append(node)
            stack.extend(self.children[node])
        assert sorted(seen) == sorted(self.label), "a node hangs nowhere"
        assert len(self.children[TOP]) == 1 or self.root_may_miss, "several roots though no root was deleted"


def replay(left: TextTree, right: TextTree, ops: tuple[EditOp, ...], *, ordered: bool) -> TextTree:
    """Carry all operations out on ``left`` and return the tree that comes out."""
    patient = Patient(left, right, ordered=ordered)
    for op in ops:
        patient.apply(op)
    return patient.result()
