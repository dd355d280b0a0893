"""Where the nodes of a small tree are drawn."""

from tted_core.tree import TextTree


def places(tree: TextTree) -> list[tuple[float, int]]:
    """Each node's place from the left, leaves at 0, 1, 2 ..., parents above their children's middle; its level."""
    x = [0.0] * len(tree)
    leaves = 0
    for node in range(len(tree)):
        if not tree.children[node]:
            x[node] = leaves
            leaves += 1
    for node in reversed(range(len(tree))):
        if children := tree.children[node]:
            x[node] = (x[children[0]] + x[children[-1]]) / 2
    return list(zip(x, tree.depths, strict=True))
