"""Checks of a map's shape and of single texts: too deep, too long, empty, repeated, in another language."""

from collections import Counter
from collections.abc import Iterator

from tted_core.annotate.checks.finding import Issue, MapView, Thresholds
from tted_core.formats.forest import joined_roots
from tted_core.words.languages import LANGUAGES, language, script


def chains(view: MapView, thresholds: Thresholds) -> Iterator[Issue]:
    """Only children in a row, one below the other; the longest first."""
    children, found = view.tree.children, []
    for node, parent in enumerate(view.tree.parents):
        if not node or len(children[parent]) > 1:
            continue  # not an only child
        if parent > 0 and len(children[view.tree.parents[parent]]) == 1:
            continue  # in the middle of a chain, which was found at its top
        chain = [node]
        while len(children[chain[-1]]) == 1:
            chain.append(children[chain[-1]][0])
        if len(chain) >= thresholds.chain_nodes:
            found.append(chain)
    for chain in sorted(found, key=lambda each: (-len(each), each)):
        yield Issue(tuple(chain), f"{len(chain)} only children, one below the other", len(chain))


def unbalanced(view: MapView, thresholds: Thresholds) -> Iterator[Issue]:
    """The deepest and the shallowest branch below the root, if their levels differ enough."""
    branches = view.tree.children[0]
    if len(branches) < 2:
        return
    deepest = max(branches, key=lambda node: view.heights[node])
    shallowest = min(branches, key=lambda node: view.heights[node])
    most, least = view.heights[deepest], view.heights[shallowest]
    if most - least >= thresholds.depth_spread:
        levels = "level" if least == 1 else "levels"
        text = f"the deepest main branch has {most} levels, the shallowest {least} {levels}"
        yield Issue((deepest, shallowest), text, most - least)


def several_roots(view: MapView, _thresholds: Thresholds) -> Iterator[Issue]:
    """The roots below the node that the reader put above them."""
    roots = view.tree.children[0] if view.joined else joined_roots(view.tree)
    if roots:
        yield Issue(roots, f"{len(roots)} roots", len(roots))


def long_labels(view: MapView, thresholds: Thresholds) -> Iterator[Issue]:
    """Texts of more characters than the threshold; the longest first."""
    lengths = sorted((-len(label), node) for node, label in enumerate(view.tree.labels))
    for length, node in lengths:
        if -length > thresholds.label_characters:
            yield Issue((node,), f"{-length:,} characters", -length)


def empty_labels(view: MapView, _thresholds: Thresholds) -> Iterator[Issue]:
    """Texts without a letter or digit."""
    for node, filled in enumerate(view.filled):
        if not filled:
            yield Issue((node,), "no letter or digit in it")


def repeats(view: MapView, _thresholds: Thresholds) -> Iterator[Issue]:
    """Texts that several nodes have, small and capital letters and punctuation aside; the most frequent first."""
    for nodes in sorted(view.nodes_of.values(), key=lambda each: (-len(each), each)):
        if len(nodes) > 1:
            often = "twice" if len(nodes) == 2 else f"{len(nodes)} times"
            yield Issue(nodes, f"the same text {often}", len(nodes))


def mixed_languages(view: MapView, _thresholds: Thresholds) -> Iterator[Issue]:
    """Nodes in another script than most nodes or, within one script, in another language if both are known."""
    for tell, name in ((script, str), (language, LANGUAGES.__getitem__)):
        of_node = {node: each for node, label in enumerate(view.tree.labels) if (each := tell(label))}
        if len(set(of_node.values())) < 2:
            continue
        usual, count = Counter(of_node.values()).most_common(1)[0]
        if count <= len(of_node) / 2:
            return  # no one of them is that of the map
        for node, each in of_node.items():
            if each != usual:
                yield Issue((node,), f"{name(each)}, while most of the map is {name(usual)}")
        return  # texts in another script are in another language too; once is enough
