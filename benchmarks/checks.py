"""Recall of the checks on planted errors: ``python -m benchmarks.checks [FOLDER] [--seed N]``.

100 errors of each kind are planted in 30 maps: the English samples, the test trees and the reference maps of
FOLDER (by default ../shared/data; neither is in this repository). Recall is the share of planted errors with a
node in a finding of the check; false alarms are its findings on the unchanged maps.
"""

import argparse
import random
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks import print_command
from tted_core import load_encoder, read_map
from tted_core.annotate.checks import CHECKS, check_map
from tted_core.encoders.embedding_cache import default_cache, with_disk_cache
from tted_core.tree import TextTree

SAMPLES = Path(__file__).parent.parent / "sample_trees"
OTHERS = {
    "baikal",
    "buchdruck",
    "date-palm",
    "honigbiene",
    "metro",
    "olive-oil",
    "periodic-table",
    "samovar",
    "tea",
}
MAPS, PLANTED = 30, 100

Planted = tuple[TextTree, set[int]]


def real_maps(folder: Path) -> dict[str, tuple[TextTree, tuple[str, ...]]]:
    """30 maps in English with the notices of their reader."""
    files = [file for file in sorted(SAMPLES.glob("*/base.json")) if file.parent.name not in OTHERS]
    files += sorted(folder.glob("authors_dev/references/*"))
    files += sorted(folder.glob("tted_test/size_*/*/base_tree.json"))
    maps = {str(file): read_map(file) for file in files[:MAPS]}
    return {name: (each.tree, each.notices) for name, each in maps.items()}


def inserted(tree: TextTree, parent: int, new: TextTree | str) -> Planted:
    """The tree with a branch or a leaf of a text as the last child of a node, and its new nodes."""
    branch = TextTree((new,), (-1,)) if isinstance(new, str) else new
    end, size = parent + tree.sizes[parent], len(branch)
    labels = (*tree.labels[:end], *branch.labels, *tree.labels[end:])
    parents = (
        *tree.parents[:end],
        *(parent if each < 0 else each + end for each in branch.parents),
        *(each + size * (each >= end) for each in tree.parents[end:]),
    )
    return TextTree(labels, parents), set(range(end, end + size))


def branch_at(tree: TextTree, head: int) -> TextTree:
    nodes = range(head, head + tree.sizes[head])
    return TextTree(tuple(tree.labels[v] for v in nodes), (-1, *(tree.parents[v] - head for v in nodes[1:])))


def renamed(tree: TextTree, node: int, text: str) -> Planted:
    return TextTree((*tree.labels[:node], text, *tree.labels[node + 1 :]), tree.parents), {node}


def unrelated(rng: random.Random, tree: TextTree, other: TextTree) -> Planted | None:
    """A branch of two to four nodes of another map."""
    heads = [v for v in range(1, len(other)) if 2 <= other.sizes[v] <= 4]
    return inserted(tree, rng.randrange(len(tree)), branch_at(other, rng.choice(heads))) if heads else None


def repeated(rng: random.Random, tree: TextTree, _other: TextTree) -> Planted:
    """A copy of a node's text, below any other node."""
    return inserted(tree, rng.randrange(len(tree)), rng.choice(tree.labels[1:]))


def reworded(rng: random.Random, tree: TextTree, _other: TextTree) -> Planted | None:
    """A node's text with its words in another order, as "On Monday, it rained" for "It rained on Monday"."""
    longer = [v for v in range(1, len(tree)) if tree.labels[v].count(" ") > 3]
    if not longer:
        return None
    node = rng.choice(longer)
    words = tree.labels[node].rstrip(".").split()
    cut = rng.randrange(2, len(words) - 1)
    goals = [v for v in range(len(tree)) if v != node]
    return inserted(tree, rng.choice(goals), " ".join([*words[cut:], *words[:cut]]) + ".")


def restated(rng: random.Random, tree: TextTree, _other: TextTree) -> Planted:
    """A child with its parent's text without every fifth word."""
    parent = rng.randrange(1, len(tree))
    words = tree.labels[parent].split()
    return inserted(tree, parent, " ".join(word for index, word in enumerate(words) if index % 5 != 4))


def contradicting(
    rng: random.Random, tree: TextTree, _other: TextTree, *, beside: bool = False
) -> Planted | None:
    """A child that denies its parent, or has another number; ``beside``, a sibling that denies another."""
    ways = []
    for v in range(1, len(tree)):
        words = tree.labels[v].split()
        for index, word in enumerate(words):
            if word in {"is", "are", "was", "were", "can", "has"}:
                ways.append((v, [*words[: index + 1], "not", *words[index + 1 :]]))
            elif word.isdigit() and not beside:
                ways.append((v, [*words[:index], str(int(word) + 3), *words[index + 1 :]]))
    if not ways:
        return None
    node, words = rng.choice(ways)
    return inserted(tree, tree.parents[node] if beside else node, " ".join(words))


def cut_off(rng: random.Random, tree: TextTree, _other: TextTree) -> Planted | None:
    """A text that ends after half of its words or more."""
    longer = [v for v in range(1, len(tree)) if tree.labels[v].count(" ") > 6]
    if not longer:
        return None
    node = rng.choice(longer)
    words = tree.labels[node].split()
    return renamed(tree, node, " ".join(words[: rng.randrange(len(words) // 2, len(words) - 1)]))


def foreign(rng: random.Random, tree: TextTree, _other: TextTree) -> Planted:
    """A sentence of a German or a Russian sample."""
    other = read_map(SAMPLES / rng.choice(["honigbiene", "buchdruck", "baikal", "metro"]) / "base.json").tree
    longest = sorted(other.labels, key=len)[-5:]
    return inserted(tree, rng.randrange(len(tree)), rng.choice(longest))


KINDS: dict[str, Callable[[random.Random, TextTree, TextTree], Planted | None]] = {
    "unrelated": unrelated,
    "repeats": repeated,
    "duplicates": reworded,
    "restatements": restated,
    "contradictions": contradicting,
    "opposed": partial(contradicting, beside=True),
    "incomplete": cut_off,
    "incomplete, empty": lambda rng, tree, _: renamed(
        tree, rng.randrange(1, len(tree)), rng.choice(["", "…", "-", "?"])
    ),
    "languages": foreign,
}
"""The check that should find an error -> the function that plants it."""


def main() -> None:
    """Print recall and false alarms of each check."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("../shared/data"))
    parser.add_argument("--seed", default="checks")
    options = parser.parse_args()
    print_command()
    maps = real_maps(options.folder)
    encoder = with_disk_cache(load_encoder("minilm"), default_cache())
    alarms = {
        name: sum(
            len(check_map(tree, notices=notices, encoder=encoder, checks=[name]))
            for tree, notices in maps.values()
        )
        for name in CHECKS
    }
    print(f"{len(maps)} maps\n{'check':<32} recall  planted  findings a map")
    for kind, plant in KINDS.items():
        rng = random.Random(f"{options.seed}{kind}")
        names = rng.sample(list(maps), len(maps))
        found = planted = 0
        for name in names * 6:
            made = plant(rng, maps[name][0], maps[rng.choice([each for each in maps if each != name])][0])
            if made is None or planted == PLANTED:
                continue
            tree, nodes = made
            check = kind.partition(",")[0]
            planted += 1
            findings = check_map(tree, encoder=encoder, checks=[check])
            found += any(nodes & set(each.nodes) for each in findings)
        title = CHECKS[check].title + kind.removeprefix(check)
        print(f"{title:<32} {found / planted:>6.2f}  {planted:>7}  {alarms[check] / len(maps):>14.2f}")
    for name in CHECKS.keys() - {kind.partition(",")[0] for kind in KINDS}:
        print(f"{CHECKS[name].title:<32} {'':>6}  {'':>7}  {alarms[name] / len(maps):>14.2f}")


if __name__ == "__main__":
    main()
