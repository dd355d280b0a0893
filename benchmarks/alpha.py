"""Alpha of annotators by each preset, as more sentences of each map are replaced (docs/method.md).

Twelve sample maps as documents; the original and two paraphrases as annotators. Usage: python -m benchmarks.alpha
"""

import csv
import sys
from pathlib import Path

from tted_core import TTED
from tted_core.annotate.agreement.consensus import krippendorff_alpha
from tted_core.lab.edits import DOSES, edited
from tted_core.lab.samples import other_texts, read_samples

SAMPLES = Path(__file__).parent.parent / "sample_trees"
LATER_TOPICS = {"date-palm", "metro", "olive-oil", "samovar", "tea"}
"""Added after the preset proofreading was chosen."""

REPLACED = {"0": None, "1": "1", "2": "2", "3": "3", "a half": "50%"}
RATIOS = {"normalized": 1, "squared": 2, "to the power 8": 8}


def main() -> None:
    """Print the table as CSV."""
    samples = [each for each in read_samples(SAMPLES) if each.name not in LATER_TOPICS]
    rows: dict[tuple[str, str], list[str]] = {}
    for dose in REPLACED.values():
        maps, units = [], []
        for number, sample in enumerate(samples):
            texts = other_texts(sample, samples)
            for annotator, tree in enumerate((sample.base, *sample.variants["paraphrase"][:2])):
                count = DOSES[dose](len(tree)) if dose else 0
                seed = f"{sample.name}/{annotator}"
                maps.append(edited(tree, "meaning", count, seed=seed, texts=texts).tree)
                units.append(number)
        for preset in ("published", "proofreading"):
            distances = TTED(preset=preset).pairwise(maps, score="normalized")
            for title, power in RATIOS.items():
                alpha = krippendorff_alpha(distances**power, units).value
                rows.setdefault((preset, title), []).append(f"{alpha:.2f}".removeprefix("0"))
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["preset", "distance", *REPLACED])
    table.writerows([*key, *values] for key, values in rows.items())


if __name__ == "__main__":
    main()
