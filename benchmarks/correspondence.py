"""Correspondence of sentences: the bounds up to which two are near, and how identical sentences are shown.

    python -m benchmarks.correspondence calibrate [--encoder minilm]
    python -m benchmarks.correspondence count FOLDER

``calibrate`` prints the rows of ``CALIBRATED`` in tted_core/explain/bounds.py from the samples of the encoder's
languages. ``count`` reads ``references/ID.story`` and ``SYSTEM/ID.txt`` below the folder, and counts for each
preset and order what a sentence that stands word for word in both maps is shown as: by the notes of the edit
script alone, as before there was a correspondence, and by its status now.
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from tted_core import PRESETS, Comparison, compare, load_encoder, read_map
from tted_core.contexts import CONTEXTS
from tted_core.encoders.embedding import encoding_once
from tted_core.encoders.sentence_encoder import ENCODERS
from tted_core.explain.bounds import UNRELATED
from tted_core.explain.correspondence import correspondence
from tted_core.script import RELOCATED
from tted_core.solvers import SOLVERS
from tted_core.words.languages import language

SAMPLES = Path(__file__).resolve().parents[1] / "sample_trees"
VECTOR_DISTANCES = ("cosine", "euclidean", "manhattan")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("calibrate")
    one.add_argument("--encoder", default="minilm")
    one.set_defaults(run=lambda options: calibrate(options.encoder))
    other = commands.add_parser("count")
    other.add_argument("folder", type=Path)
    other.set_defaults(run=lambda options: count(options.folder))
    options = parser.parse_args()
    options.run(options)


def calibrate(name: str) -> None:
    encoder = encoding_once(load_encoder(name))
    topics = [
        path.parent
        for path in sorted(SAMPLES.glob("*/base.json"))
        if (path.parent / "paraphrase_3.json").exists()
        if ENCODERS[name].languages != "English" or language(path.read_text(encoding="utf-8")) == "en"
    ]
    print(
        f"# {name}, {len(topics)} topics: share of the paraphrases and of the unrelated pairs within each bound"
    )
    for context in CONTEXTS:
        for distance in VECTOR_DISTANCES:
            near, far = [], []
            for topic in topics:
                base = read_map(topic / "base.json")
                for number in (1, 2, 3):
                    result = compare(
                        base,
                        read_map(topic / f"paraphrase_{number}.json"),
                        encoder=encoder,
                        preset="published",
                        distance=distance,
                        context=context,
                    )
                    costs = result.costs[:-1, :-1]
                    same = np.eye(len(costs), dtype=bool)
                    near.append(costs[same])
                    far.append(costs[~same])
            paraphrases, unrelated = np.sort(np.concatenate(near)), np.sort(np.concatenate(far))
            tried = np.concatenate([paraphrases, unrelated])
            within = [np.searchsorted(each, tried, "right") / len(each) for each in (paraphrases, unrelated)]
            bounds = float(tried[np.argmax(within[0] - within[1])]), float(np.quantile(unrelated, UNRELATED))
            told = ", ".join(
                f"{(paraphrases <= bound).mean():.1%} and {(unrelated <= bound).mean():.1%}"
                for bound in bounds
            )
            shown = ", ".join(f"{bound:.4g}" for bound in bounds)
            median = float(np.median(unrelated))
            print(
                f'("{distance}", "{context}"): ({shown}),  # {told}; of the median '
                + ", ".join(f"{bound / median:.2f}" for bound in bounds)
            )


def count(folder: Path) -> None:
    encoder = encoding_once(load_encoder("minilm"))
    pairs = [
        (read_map(folder / "references" / f"{path.stem}.story"), read_map(path))
        for path in sorted(folder.glob("*/*.txt"))
        if (folder / "references" / f"{path.stem}.story").exists()
    ]
    print(f"{len(pairs)} pairs")
    for preset in PRESETS:
        for order in SOLVERS:
            before, after = Counter[str](), Counter[str]()
            touched = set()
            for number, (left, right) in enumerate(pairs):
                result = compare(left, right, encoder=encoder, preset=preset, order=order, time_limit=2)
                for word, status in _identical(result):
                    before[word] += 1
                    after[status] += 1
                    if word == "neither":
                        touched.add(number)
            print(
                f"{preset}, {order}: {before.total()} identical sentences; before {dict(before)} "
                f"({len(touched)} pairs with such as neither), now {dict(after)}"
            )


def _identical(result: Comparison) -> Iterator[tuple[str, str]]:
    """(shown before, shown now) of each sentence of the left map that stands word for word in the right one."""
    labels = result.left.tree.labels, result.right.tree.labels
    script = {op.source: op for op in result.script.ops if op.source is not None}
    left_over = Counter(labels[0]) & Counter(labels[1])
    for outcome in correspondence(result):
        if outcome.source is None or not left_over[labels[0][outcome.source]]:
            continue
        text = labels[0][outcome.source]
        left_over[text] -= 1
        op = script[outcome.source]
        paired = op.target is not None and labels[1][op.target] == text
        other_end = outcome.target is not None and labels[1][outcome.target] == text
        yield (
            "match" if paired else "move" if RELOCATED in op.notes else "neither",
            outcome.status if other_end else f"{outcome.status} without its other end",
        )


if __name__ == "__main__":
    main()
