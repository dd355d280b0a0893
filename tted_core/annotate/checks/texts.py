"""Checks of single texts: too long, empty, in another language."""

from collections import Counter
from collections.abc import Iterator

from tted_core.annotate.checks.finding import Issue, Thresholds
from tted_core.annotate.checks.view import MapView
from tted_core.words.languages import LANGUAGES, language, script


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
    """Nodes in another script than most nodes, or, within one script, in another language if both can be told."""
    for tell, name in ((script, str), (language, LANGUAGES.__getitem__)):
        told = {node: each for node, label in enumerate(view.tree.labels) if (each := tell(label))}
        if len(set(told.values())) < 2:
            continue
        usual, count = Counter(told.values()).most_common(1)[0]
        if count <= len(told) / 2:
            return  # no one of them is that of the map
        for node, each in told.items():
            if each != usual:
                yield Issue((node,), f"{name(each)}, while most of the map is {name(usual)}")
        return  # texts in another script are in another language too; once is enough
