"""The ``cmgn_*`` baselines against the scores that the authors of TTED published per document.

    python -m benchmarks.authors_rouge FOLDER

FOLDER has ``authors_rouge.csv`` (system, id, r1, r2, rl, mean), ``references/ID.story`` and ``SYSTEM/ID.txt``.
Each document is scored as it is read, and again without quotation marks at the ends of the reference's sentences,
as the authors read them.
"""

import argparse
import csv
from pathlib import Path

from tted_core import TextTree, read_map
from tted_core.baselines import BASELINES

COLUMNS = {"r1": "cmgn_rouge1", "r2": "cmgn_rouge2", "rl": "cmgn_rougel", "mean": "cmgn_rouge"}


def without_marks(tree: TextTree) -> TextTree:
    return TextTree(tuple(label.strip().strip('"').strip() for label in tree.labels), tree.parents)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    exact, means = 0, []
    with (folder / "authors_rouge.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        read = read_map(folder / "references" / f"{row['id']}.story")
        generated = read_map(folder / row["system"] / f"{row['id']}.txt").tree
        theirs = {column: float(row[column]) for column in COLUMNS}
        marked, bare = (
            {column: BASELINES[name](reference, generated).sim for column, name in COLUMNS.items()}
            for reference in (read.tree, without_marks(read.tree))
        )
        off = max(abs(bare[column] - theirs[column]) for column in COLUMNS)
        exact += off < 1e-9
        means.append((marked["mean"], bare["mean"], theirs["mean"]))
        why = f"  ({read.notices[0]})" if off >= 1e-9 and read.notices else ""
        print(
            f"{row['system']:16} {row['id'][:12]:12} ours {marked['mean']:.4f}, theirs {theirs['mean']:.4f}, "
            f"off by {off:.1e} without marks{why}"
        )
    as_read, bare_mean, published = (sum(each) / len(each) for each in zip(*means, strict=True))
    print(
        f"{exact} of {len(rows)} documents to 1e-9 without quotation marks; mean of the mean column: as read "
        f"{as_read:.4f}, without marks {bare_mean:.4f}, published {published:.4f}"
    )


if __name__ == "__main__":
    main()
