"""Explain a comparison: match its sentences, group them to changes, and charge each operation to one of these."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import zip_longest

from tted_core.arithmetic import share, total
from tted_core.comparison import Comparison
from tted_core.explanation import Change, Ends, Explanation, Node, Operation, Sentence
from tted_core.matching.bounds import bounds_for
from tted_core.matching.match import match
from tted_core.matching.records import PARTS, QUIET, Matching, Status
from tted_core.tree import TextTree

# Of two sentences that the script pairs though they don't correspond, the louder one is charged.
LOUDNESS: tuple[Status, ...] = ("same", "reworded", "moved", "merged", "split", "extra", "missing")


def explain(comparison: Comparison) -> Explanation:
    """Explain a comparison. It takes as long as matching its sentences, so keep the result."""
    left, right = trees = comparison.left.tree, comparison.right.tree
    method, costs = comparison.method, comparison.sentences
    bounds = bounds_for(method, left.labels, right.labels, costs.nodes)
    partners = [-1] * len(left)
    for v, w in comparison.script.pairs:
        partners[v] = w
    matching = match(left, right, costs, partners, ordered=method.order == "ordered", bounds=bounds)
    nodes = tuple(_nodes_of(tree, side) for side, tree in enumerate(trees))
    sentences = _sentences_of(matching, nodes)
    operations = _operations_of(comparison, nodes)
    _group(sentences)
    changes = _charge(sentences, comparison)
    explanation = Explanation(
        comparison, bounds, matching, (nodes[0], nodes[1]), operations, sentences, changes
    )
    met = (node.sentence.change for row in explanation.rows for node in row if node)
    for position, change in enumerate(dict.fromkeys(change for change in met if change)):
        change.position = position
    return explanation


def _nodes_of(tree: TextTree, side: int) -> tuple[Node, ...]:
    nodes: list[Node] = []
    for index, (label, parent) in enumerate(zip(tree.labels, tree.parents, strict=True)):
        above = nodes[parent] if parent >= 0 else None
        nodes.append(Node(side, index, label, tree.depths[index], above))
        if above:
            above.children.append(nodes[-1])
    return tuple(nodes)


def _sentences_of(matching: Matching, nodes: tuple[tuple[Node, ...], ...]) -> tuple[Sentence, ...]:
    """The sentences with their nodes; counterparts stand for their nodes before parts do."""
    found = []
    for number, each in enumerate(matching.records):
        ends = _ends(nodes, each.source, each.target)
        found.append(Sentence(number, each, *ends, matching.flags(each)))
    for sentence in sorted(found, key=lambda each: each.status in PARTS):
        for node in sentence.nodes:
            if node and not hasattr(node, "sentence"):
                node.sentence = sentence
    for sentence in found:
        _mark(sentence)
        if sentence.record.head is not None:
            sentence.head = nodes[0][sentence.record.head].sentence
    return tuple(found)


def _ends(nodes: tuple[tuple[Node, ...], ...], source: int | None, target: int | None) -> Ends:
    return None if source is None else nodes[0][source], None if target is None else nodes[1][target]


def _mark(sentence: Sentence) -> None:
    """Mark a part in the longer node, and the words of flags."""
    longer = sentence.right if sentence.status == "merged" else sentence.left
    if longer:
        longer.holds += [(*span, sentence) for span in sentence.record.within]
        longer.holds.sort(key=lambda part: (part[:2], part[2].number))
    for flag in sentence.flags:
        for node, word in zip(sentence.nodes, (flag.left, flag.right), strict=True):
            if node and word:
                node.flagged.append((word.start, word.end, sentence))


def _operations_of(comparison: Comparison, nodes: tuple[tuple[Node, ...], ...]) -> tuple[Operation, ...]:
    """The operations with their nodes; each belongs to the louder one of its nodes' sentences."""
    found = []
    for op in comparison.script.ops:
        operation = Operation(op, _ends(nodes, op.source, op.target))
        both = [node for node in operation.nodes if node]
        for node in both:
            node.operation = operation
        loudest = max((node.sentence for node in both), key=lambda each: LOUDNESS.index(each.status))
        loudest.operations.append(operation)
        found.append(operation)
    return tuple(found)


def _group(sentences: tuple[Sentence, ...]) -> None:
    """Give each sentence that isn't the same its change."""
    of_longer: dict[tuple[Status, Node | None], Change] = {}
    for each in sentences:
        change = None
        if each.status in QUIET:
            continue
        if each.head:
            change = each.head.change
        elif each.status in PARTS:  # with the others that the same node holds
            longer = each.right if each.status == "merged" else each.left
            change = of_longer.setdefault((each.status, longer), Change(each))
        elif each.status in {"missing", "extra"}:
            above = each.left.parent if each.left else each.right.parent if each.right else None
            if above and above.status == each.status:
                change = above.sentence.change
        each.change = change or Change(each)
        each.change.sentences.append(each)


def _charge(sentences: tuple[Sentence, ...], comparison: Comparison) -> tuple[Change, ...]:
    """Charge each operation to a change; return all changes, numbered."""
    changes = {each.change: None for each in sentences if each.change}
    prices = {each: sum(operation.edit.cost for operation in each.operations) for each in sentences}
    charged: dict[Change, list[float]] = defaultdict(list)
    costliest = _costliest_change(sentences, prices)
    for each in sentences:
        cause = each.change or (_cause(each, prices, costliest) if prices[each] else None)
        if cause:
            changes[cause] = None
            cause.operations += each.operations
            charged[cause] += [operation.edit.cost for operation in each.operations]
            for operation in each.operations:
                operation.change = cause
    power = comparison.script.power
    for change in changes:
        change.cost = total(charged[change], power)
        change.share = share(change.cost, comparison.tted, power)
    found = sorted(changes, key=lambda change: (-change.cost, change.top.number))
    for number, change in enumerate(found):
        change.number = number
    return tuple(found)


def _cause(sentence: Sentence, prices: dict[Sentence, float], costliest: Change | None) -> Change:
    """The change that causes the costs of an unchanged sentence.

    The nearest one above, else the most costly one below, else the most costly of all; without any, the sentence.
    """
    ways = [_above(node) for node in sentence.nodes if node]
    above = (each.change for pair in zip_longest(*ways) for each in pair if each)
    below = (each.sentence for node in sentence.nodes if node for each in node.branch)
    return (
        next(filter(None, above), None) or _costliest_change(below, prices) or costliest or Change(sentence)
    )


def _costliest_change(sentences: Iterable[Sentence], prices: dict[Sentence, float]) -> Change | None:
    """The change of the most costly of some sentences; of equals, the first."""
    changes = [(prices[each], -each.change.top.number, each.change) for each in sentences if each.change]
    return max(changes, key=lambda each: each[:2])[2] if changes else None


def _above(node: Node) -> Iterator[Sentence]:
    """The sentences of the nodes above one, the nearest first."""
    while node.parent:
        node = node.parent
        yield node.sentence
