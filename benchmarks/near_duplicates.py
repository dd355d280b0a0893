"""Shares of reworded and of different nodes below thresholds of distance (docs/tables/near_duplicates.csv).

The same node in two wordings, other pairs of nodes within a map, and pairs of parent and child, of English sample
maps by MiniLM. The default thresholds of the checks are based on these figures.
Usage: python -m benchmarks.near_duplicates
"""

import csv
import sys
from itertools import combinations
from pathlib import Path

import numpy as np

from tted_core import TextTree, load_encoder, read_map
from tted_core.baselines.kernel import cosines
from tted_core.encoders.embedding import embed

SAMPLES = Path(__file__).parent.parent / "sample_trees"
TOPICS = (
    "coral-reefs",
    "history-of-writing",
    "how-vaccines-work",
    "photosynthesis",
    "solar-system",
    "urban-heat",
)
THRESHOLDS = (0.35, 0.4, 0.45, 0.5)


def measured() -> dict[str, list[float]]:
    """Cosine distances of pairs of nodes, by the relation of the nodes."""
    encoder = load_encoder("minilm")
    found: dict[str, list[float]] = {"different nodes": [], "parent and child": []}
    found |= {f"paraphrase {number}": [] for number in (1, 2, 3)}
    for topic in TOPICS:
        maps = {path.stem: read_map(path).tree for path in (SAMPLES / topic).glob("*_[123].json")}
        maps["base"] = base = read_map(SAMPLES / topic / "base.json").tree
        vectors = embed(encoder, [label for tree in maps.values() for label in tree.labels])
        for name, tree in maps.items():
            if name.startswith("paraphrase"):
                found[name.replace("_", " ")] += _distances(base, tree, vectors).diagonal().tolist()
            if not name.startswith("structure"):
                distances = _distances(tree, tree, vectors)
                for one, other in combinations(range(len(tree)), 2):
                    kind = "parent and child" if tree.parents[other] == one else "different nodes"
                    found[kind].append(distances[one, other])
    return found


def _distances(left: TextTree, right: TextTree, vectors: dict[str, np.ndarray]) -> np.ndarray:
    rows, columns = (np.array([vectors[label] for label in tree.labels]) for tree in (left, right))
    return np.sqrt(1 - cosines(rows, columns))


def _share(values: list[float], below: float) -> str:
    found = sum(value < below for value in values)
    few = found < 0.004 * len(values) and len(values) > 200
    return f"{found} of {len(values):,}" if few else f"{100 * found / len(values):.1f} %"


def main() -> None:
    """Print the table as CSV."""
    found = measured()
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["below", *found])
    for below in THRESHOLDS:
        table.writerow([f"{below:.2f}", *(_share(values, below) for values in found.values())])


if __name__ == "__main__":
    main()
