"""Detection of a replaced sentence, by the distance of the maps: the range in which proofreading helps.

Of each map's versions of one kind (paraphrased, restructured, changed in meaning, or made by several systems),
each in turn gets one sentence of another topic. AUC is how often it then is farther from the map than the
untouched others. Versions are grouped by the published normalized distance of the edited one. Run
``python -m benchmarks.proofreading_bound SAMPLES ... --references FOLDER --systems FOLDER ...``.
"""

import argparse
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from tted_core import TTED, TextTree, TTEDError
from tted_core.formats.map_collections import collected
from tted_core.foundations.stats import pairs_above
from tted_core.lab.edits import edited
from tted_core.lab.samples import Sample, other_texts, read_samples
from tted_core.method import PRESETS

EDGES = (0.0, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 1.0)


def of_systems(references: Path, systems: Sequence[Path]) -> Iterator[Sample]:
    """Each reference with the systems' maps of it, where two or more can be read."""
    outputs = [dict(collected(system)) for system in systems]
    for name, read in collected(references):
        maps = []
        for each in outputs:
            try:
                maps.append(each[name]().tree)
            except (TTEDError, KeyError):
                continue
        if len(maps) > 1:
            yield Sample(name, read().tree, tuple(maps), (), ())


def cases(samples: Sequence[Sample], seeds: int) -> Iterator[tuple[TextTree, list[TextTree], TextTree]]:
    """A map, its untouched versions, and another version with a replaced sentence."""
    for sample in samples:
        texts = other_texts(sample, samples)
        for kind, versions in sample.variants.items():
            for number, version in enumerate(versions):
                if set(texts) <= set(version.labels):
                    continue  # of the only map in its language, its own other claims are taken
                for seed in range(seeds):
                    changed = edited(version, "meaning", 1, seed=f"{kind}/{number}/{seed}", texts=texts)
                    others = [each for each in versions if each is not version]
                    if others:
                        yield sample.base, others, changed.tree


def main() -> None:
    """Print AUC and number of edited versions by distance and preset."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("samples", nargs="*", type=Path)
    parser.add_argument("--references", type=Path)
    parser.add_argument("--systems", nargs="+", type=Path, default=[])
    parser.add_argument("--variants", type=int, default=5)
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args()
    sources = [list(read_samples(folder, options.variants)) for folder in options.samples]
    if options.references:
        sources.append(list(of_systems(options.references, options.systems)))
    made = [case for source in sources for case in cases(source, options.seeds)]
    pairs = [(base, tree) for base, others, changed in made for tree in (*others, changed)]
    found: dict[str, list[float]] = defaultdict(list)
    seen: list[float] = []
    for preset in PRESETS:
        scores = iter([row["normalized"] for row in TTED(preset=preset).compare_many(pairs)])
        for _base, others, _changed in made:
            untouched = [next(scores) for _ in others]
            score = next(scores)
            above, of = pairs_above(untouched, [score])
            found[preset].append(above / of)
            if preset == "published":
                seen.append(score)
    print(f"{'published distance':<20}{'n':>6}" + "".join(f"{preset:>14}" for preset in PRESETS))
    for low, high in pairwise(EDGES):
        within = [low <= score < high for score in seen]
        if any(within):
            means = "".join(f"{np.mean(np.array(found[preset])[within]):>14.3f}" for preset in PRESETS)
            print(f"{low:.2f} to {high:<12.2f}{sum(within):>6}{means}")


if __name__ == "__main__":
    main()
