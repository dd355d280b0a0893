"""Detection of errors by a setting: AUC and right pairs of edited paraphrases (docs/quality.md).

The paraphrases of samples get known edits. The AUC is the share of pairs (a paraphrase with the edit,
another one without) in which the one with the edit is farther from the base; ties count half (Mann and Whitney
1947), 1/2 is chance.
Pairs are of one sample, and never a paraphrase and its own edited version. It depends on ranks alone: no monotone
transformation of a measure changes it. *Right pairs* is the share of the mapping's pairs of known sentences that
join a sentence with its own paraphrase. Figures are means over samples, with 95 % bootstrap intervals over them.
Then come the parts of the balance by which *proofreading* was chosen, as in docs/quality.md. Run
``python -m benchmarks.detection FOLDER --variants 5``.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from benchmarks import print_command
from benchmarks.edits import DOSES, EDITS, edit_tree
from tted_core import MindMap, TextTree, load_encoder
from tted_core.distances import Models
from tted_core.encoders.embedding import encoding_once
from tted_core.foundations.stats import mean_interval, pairs_above
from tted_core.lab.quality import NAMED_OPTIONS, name_options
from tted_core.lab.samples import Sample, read_samples
from tted_core.method import Method
from tted_core.pipeline import PreparedMap, prepare, solve
from tted_core.words.languages import language, languages_of

KINDS = {"swap": "meaning", "move": "move", "delete": "delete", "insert": "insert", "exchange": "exchange"}
"""Names of the edits in the documents -> names of ``EDITS``."""

RESAMPLES, SEED = 2_000, 0

LARGE = 14
"""Least number of nodes of a map for right pairs; three moves change a smaller one completely."""

Kind: TypeAlias = tuple[str, str]
"""(edit, dose); ``UNTOUCHED`` is the paraphrase as it is."""

UNTOUCHED = ("", "")

BALANCE: dict[str, tuple[tuple[Kind, Kind], ...]] = {
    "M": ((UNTOUCHED, ("swap", "1")),),
    "S": tuple((UNTOUCHED, (edit, "1")) for edit in ("move", "delete", "insert")),
    "X": ((UNTOUCHED, ("exchange", "1")),),
    "C": tuple((("swap", less), ("swap", more)) for less, more in (("1", "2"), ("2", "3"), ("20%", "50%"))),
}
"""Part of the balance -> pairs (nearer kind, farther kind), whose AUCs are averaged."""


@dataclass(frozen=True)
class Mean:
    """A mean over samples; ``ci95`` is None for fewer than two."""

    value: float
    ci95: tuple[float, float] | None

    def __str__(self) -> str:
        interval = "" if self.ci95 is None else " ({:.2f} to {:.2f})".format(*self.ci95)
        return f"{self.value:.3f}{interval}"


@dataclass
class Found:
    """A measure's results on a sample, by kind: (paraphrases, seeds) distances; shares of right pairs; scores."""

    size: int
    distances: dict[Kind, NDArray[np.float64]] = field(default_factory=dict)
    right: dict[Kind, list[float]] = field(default_factory=dict)
    normalized: dict[Kind, list[float]] = field(default_factory=dict)


@dataclass(frozen=True)
class Detection:
    """A measure, and its results on each sample."""

    options: dict[str, Any]
    found: list[Found]

    def auc(self, edit: str, dose: str) -> Mean | None:
        """The AUC of an edit: the share of pairs in which the edited paraphrase is farther."""
        kind = (edit, dose)
        return mean_over_samples([_auc(each, UNTOUCHED, kind) for each in self.found])

    def right_pairs(self, edit: str, dose: str, size: int = 0) -> Mean | None:
        """The share of right pairs, in maps of so many nodes or more."""
        shares = [
            each.right[edit, dose] for each in self.found if each.size >= size and (edit, dose) in each.right
        ]
        return mean_over_samples([float(np.mean(of_sample)) for of_sample in shares])

    def typical(self, edit: str, dose: str) -> str:
        """Median and middle 80 % of the normalized distances."""
        scores = [score for each in self.found for score in each.normalized.get((edit, dose), ())]
        return "{:.2f} ({:.2f} to {:.2f})".format(*np.percentile(scores, [50, 10, 90]))

    def balance(self) -> dict[str, Mean | None]:
        """M, S, X, C, their mean B, and P: right pairs after three moves."""
        parts: dict[str, list[float | None]] = {part: [] for part in (*BALANCE, "B")}
        for each in self.found:
            values = []
            for part, pairs in BALANCE.items():
                known = [value for pair in pairs if (value := _auc(each, *pair)) is not None]
                parts[part].append(float(np.mean(known)) if known else None)
                values += [float(np.mean(known))] if known else []
            parts["B"].append(float(np.mean(values)) if len(values) == len(BALANCE) else None)
        means = {part: mean_over_samples(values) for part, values in parts.items()}
        return {**means, "P": self.right_pairs("move", "3", LARGE)}


def detect(
    samples: Sequence[Sample],
    methods: Sequence[Method],
    *,
    seeds: int = 3,
    edits: Sequence[str] = tuple(KINDS),
) -> Iterator[Detection]:
    """Each method on edited paraphrases, so many versions of each for each edit and dose."""
    cases = [(sample, list(_cases(sample, samples, edits, seeds))) for sample in samples]
    trees = [tree for sample, every in cases for tree in (sample.base, *(case[-2] for case in every))]
    contexts = {each.context for each in methods}
    maps = [PreparedMap.of("a map of the samples", MindMap(tree, "tree"), contexts) for tree in trees]
    models = Models(load_encoder=lambda name: encoding_once(load_encoder(name)))
    prepared = prepare(maps, methods, models, notices=False, is_exact=True)
    for method in methods:
        found, base = [], 0
        for sample, every in cases:
            of_sample = Found(sample.size)
            pairs = np.array([(base, base + number) for number in range(1, len(every) + 1)], dtype=np.int32)
            solved = ((each, row) for each in solve(prepared, pairs, method) for row in range(len(each)))
            for (kind, paraphrase, seed, _, truth), (each, row) in zip(every, solved, strict=True):
                unknown = np.full((len(sample.paraphrase), seeds), np.nan)
                of_sample.distances.setdefault(kind, unknown)[paraphrase, seed] = each.tted[row]
                of_sample.normalized.setdefault(kind, []).append(float(each.scores["normalized"][row]))
                if truth is not None:
                    right = _right_pairs(each.mapping(row), truth)
                    of_sample.right.setdefault(kind, []).append(right)
            found.append(of_sample)
            base += len(every) + 1
        yield Detection({name: method.described[name] for name in NAMED_OPTIONS}, found)


def _cases(
    sample: Sample, samples: Sequence[Sample], edits: Sequence[str], seeds: int
) -> Iterator[tuple[Kind, int, int, TextTree, Mapping[int, int] | None]]:
    """Kind, paraphrase, seed, map, and the base's sentences in it, if the paraphrase has the base's tree."""
    texts = _other_texts(sample, samples)
    for number, paraphrase in enumerate(sample.paraphrase):
        known = paraphrase.parents == sample.base.parents
        yield UNTOUCHED, number, 0, paraphrase, {v: v for v in range(len(paraphrase))} if known else None
        for edit in edits:
            for seed in range(seeds):
                for dose, count_of in DOSES.items():
                    count = count_of(len(paraphrase))
                    if count <= EDITS[KINDS[edit]].sites(paraphrase):
                        name = f"{sample.name}/{number}/{edit}/{seed}"
                        made = edit_tree(paraphrase, KINDS[edit], count, seed=name, texts=texts)
                        yield (edit, dose), number, seed, made.tree, made.truth if known else None


def _other_texts(sample: Sample, samples: Sequence[Sample]) -> tuple[str, ...]:
    """Texts of maps on other topics in the sample's language; else its own changed claims, or texts of any map.

    Samples whose folders have the same name are on one topic: the published data has each at several sizes.
    """

    def spoken(each: Sample) -> str | None:
        return language(" ".join(each.base.labels)) or next(iter(languages_of(each.base.labels)), None)

    topic = sample.name.rpartition("/")[2]
    others = [each for each in samples if each.name.rpartition("/")[2] != topic]
    same = [each.base for each in others if spoken(each) == spoken(sample)]
    own = {label for tree in sample.trees for label in tree.labels}
    if not same:
        kept = {
            label for tree in (sample.base, *sample.paraphrase, *sample.structure) for label in tree.labels
        }
        claims = any(label not in kept for tree in sample.meaning for label in tree.labels)
        same, own = (list(sample.meaning), kept) if claims else ([each.base for each in others], own)
    labels = (label for tree in same for label in tree.labels if label not in own)
    return tuple(dict.fromkeys(labels))


def _right_pairs(mapping: Sequence[tuple[int | None, int | None]], truth: Mapping[int, int]) -> float:
    """A pair of two sentences without a partner is neither right nor wrong."""
    known = set(truth.values())
    pairs = [(v, w) for v, w in mapping if v is not None and w is not None and (v in truth or w in known)]
    return sum(truth.get(v) == w for v, w in pairs) / len(pairs) if pairs else 1.0


def _auc(found: Found, near: Kind, far: Kind) -> float | None:
    """Over pairs of different paraphrases; None without a pair."""
    if near not in found.distances or far not in found.distances:
        return None
    low, high = found.distances[near], found.distances[far]
    above = total = 0.0
    for row, values in enumerate(low):
        higher, pairs = pairs_above(values, np.delete(high, row, axis=0).ravel())
        above, total = above + higher, total + pairs
    return above / total if total else None


def mean_over_samples(values: Sequence[float | None]) -> Mean | None:
    """The mean of what is defined, with its interval by resampling samples; None without any."""
    known = np.array([value for value in values if value is not None])
    return Mean(float(known.mean()), mean_interval(known, RESAMPLES, SEED)) if len(known) else None


def main() -> None:
    """Print a table for each measure."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.detection")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--variants", type=int)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--encoder", default="minilm")
    parser.add_argument("--settings", nargs="+", default=["0/1", "=0.8/8"], metavar="GAP/POWER")
    options = parser.parse_args()
    print_command()
    settings = (each.split("/") for each in options.settings)
    methods = [Method(encoder=options.encoder, gap=gap, power=float(power)) for gap, power in settings]
    for row in detect(read_samples(options.folder, options.variants), methods, seeds=options.seeds):
        print(f"\n{', '.join(name_options(row.options))}\n| edit | AUC | right pairs |\n| --- | --- | --- |")
        for edit in KINDS:
            for dose in DOSES:
                print(f"| {edit} {dose} | {row.auc(edit, dose)} | {row.right_pairs(edit, dose)} |")
        print(", ".join(f"{part} {mean}" for part, mean in row.balance().items()), flush=True)


if __name__ == "__main__":
    main()
