"""How often the findings of each check are of use on real maps: ``python -m benchmarks.check_precision FOLDER``.

``check_labels.csv`` says of each finding on twelve maps of other people's (which are in the folder, not in this
repository) whether its author would have wanted to know, judged by one person, and why. Findings that are new or
gone since are named, to be judged again.
"""

import csv
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tted_core.annotate.checks import CHECKS, check_map
from tted_core.formats import read_map

LABELS = Path(__file__).parent / "check_labels.csv"


def labels() -> Iterator[tuple[tuple[str, str, str], bool]]:
    """Of each finding its map, check and nodes, and whether it is of use."""
    with LABELS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield (row["map"], row["check"], row["nodes"]), row["useful"] == "1"


def counts() -> dict[str, tuple[int, int]]:
    """Check -> how many of its findings are of use, and how many there are."""
    useful, found = Counter[str](), Counter[str]()
    for (_, check, _), of_use in labels():
        useful[check] += of_use
        found[check] += 1
    return {check: (useful[check], found[check]) for check in CHECKS}


def main(arguments: list[str]) -> None:
    """Print the table, after a look at whether the findings are still those that were judged."""
    if arguments:
        judged = {key for key, _ in labels()}
        now = set(_findings(Path(arguments[0]), sorted({name for name, _, _ in judged})))
        for what, keys in (("not judged yet", now - judged), ("not found any more", judged - now)):
            for key in sorted(keys):
                print(f"{what}: {', '.join(key)}")
    print(f"{'check':<30} {'of use':>6} {'found':>6}")
    for check, (of_use, found) in counts().items():
        print(f"{CHECKS[check].title:<30} {of_use:>6} {found:>6}")


def _findings(folder: Path, names: list[str]) -> Iterator[tuple[str, str, str]]:
    for name in names:
        mind_map = read_map(folder / name)
        for each in check_map(mind_map.tree, joined=mind_map.joined > 0, checks=CHECKS):
            yield name, each.check, " ".join(map(str, each.nodes))


if __name__ == "__main__":
    main(sys.argv[1:])
