"""Detection of errors by settings: AUC and right pairs of edited paraphrases (docs/quality.md).

The paraphrases of samples get known edits. The AUC is the share of pairs (a paraphrase with the edit, another one
without) in which the one with the edit is farther from the base; ties count half (Mann and Whitney 1947), 1/2 is
chance. Pairs are of one sample, and never a paraphrase and its own edited version. The AUC depends on ranks alone:
no monotone transformation of a measure changes it. Right pairs are the share of the mapping's pairs of known
sentences that join a sentence with its own paraphrase. Figures are means over samples, with 95 % bootstrap
intervals over them; normalized distances are medians with the middle 80 %. Each language has a table.

    python -m benchmarks.detection sample_trees --encoders minilm use-multilingual --edits swap
    python -m benchmarks.detection PUBLISHED/size_5 --variants 5
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
import pandas as pd

from benchmarks import parser_of, print_command
from benchmarks.edits import DOSES, EDITS, edit_tree
from tted_core import MindMap, TextTree, load_encoder
from tted_core.distances import Models
from tted_core.encoders.embedding import with_memory_cache
from tted_core.foundations.stats import Values, mean_interval
from tted_core.lab.samples import Sample, read_samples
from tted_core.method import Method
from tted_core.pipeline import PreparedMap, prepare, solve
from tted_core.words.languages import language, languages_of

LARGE = 14
"""Least number of nodes of a map for right pairs; three moves change a smaller one completely."""

Kind: TypeAlias = str
"""An edit and its dose, "swap 20%"; ``UNTOUCHED`` is the paraphrase as it is."""

UNTOUCHED = ""

BALANCE: dict[str, tuple[tuple[Kind, Kind], ...]] = {
    "M": ((UNTOUCHED, "swap 1"),),
    "S": tuple((UNTOUCHED, f"{edit} 1") for edit in ("move", "delete", "insert")),
    "X": ((UNTOUCHED, "exchange 1"),),
    "C": (("swap 1", "swap 2"), ("swap 2", "swap 3"), ("swap 20%", "swap 50%")),
}
"""Part of the balance, by which *proofreading* was chosen -> pairs (nearer kind, farther kind)."""


class Case(NamedTuple):
    """A paraphrase of a sample, edited or not; ``truth`` is None if its tree wasn't the base's."""

    paraphrase: int
    kind: Kind
    tree: TextTree
    truth: Mapping[int, int] | None


def cases_of(sample: Sample, samples: Sequence[Sample], edits: Sequence[str], seeds: int) -> Iterator[Case]:
    """The paraphrases of a sample, and so many versions of each for each edit and dose."""
    texts = _other_texts(sample, samples)
    for number, paraphrase in enumerate(sample.variants["paraphrase"]):
        known = paraphrase.parents == sample.base.parents
        yield Case(number, UNTOUCHED, paraphrase, {v: v for v in range(len(paraphrase))} if known else None)
        for edit in edits:
            for seed in range(seeds):
                for dose, count_of in DOSES.items():
                    name = f"{sample.name}/{number}/{edit}/{seed}"
                    made = edit_tree(paraphrase, edit, count_of(len(paraphrase)), seed=name, texts=texts)
                    yield Case(number, f"{edit} {dose}", made.tree, made.truth if known else None)


def _other_texts(sample: Sample, samples: Sequence[Sample]) -> tuple[str, ...]:
    """Texts of maps on other topics in the sample's language; else its own changed claims, or texts of any map.

    Samples whose folders have the same name are on one topic: the published data has each at several sizes.
    """
    topic = sample.name.rpartition("/")[2]
    others = [each for each in samples if each.name.rpartition("/")[2] != topic]
    same = [each.base for each in others if spoken(each) == spoken(sample)]
    own = {label for tree in sample.trees for label in tree.labels}
    if not same:
        kept = {
            label
            for tree in (sample.base, *sample.variants["paraphrase"], *sample.variants["structure"])
            for label in tree.labels
        }
        claims = any(label not in kept for tree in sample.variants["meaning"] for label in tree.labels)
        same, own = (
            (list(sample.variants["meaning"]), kept) if claims else ([each.base for each in others], own)
        )
    labels = (label for tree in same for label in tree.labels if label not in own)
    return tuple(dict.fromkeys(labels))


def spoken(sample: Sample) -> str:
    """The language of a sample."""
    labels = sample.base.labels
    return language(" ".join(labels)) or next(iter(languages_of(labels)), "unknown")


def detect(
    samples: Sequence[Sample], methods: Sequence[Method], edits: Sequence[str], seeds: int
) -> Iterator[tuple[Method, pd.DataFrame]]:
    """Each method with a row for each case."""
    cases = [(sample, case) for sample in samples for case in cases_of(sample, samples, edits, seeds)]
    table = pd.DataFrame(
        [(sample.name, spoken(sample), len(sample.base), *case[:2]) for sample, case in cases],
        columns=["sample", "language", "size", "paraphrase", "kind"],
    )
    trees = [tree for sample, case in cases for tree in (sample.base, case.tree)]
    maps = [PreparedMap.of("a map of the samples", MindMap(tree, "tree"), {"none"}) for tree in trees]
    models = Models(load_encoder=lambda name: with_memory_cache(load_encoder(name)))
    prepared = prepare(maps, methods, models, notices=False, is_exact=True)
    pairs = np.arange(len(trees), dtype=np.int32).reshape(-1, 2)
    for method in methods:
        solved = [(each, row) for each in solve(prepared, pairs, method) for row in range(len(each))]
        yield (
            method,
            table.assign(
                tted=[each.tted[row] for each, row in solved],
                normalized=[each.scores["normalized"][row] for each, row in solved],
                right=[
                    _right_pairs(each.mapping(row), case.truth)
                    for (each, row), (_, case) in zip(solved, cases, strict=True)
                ],
            ),
        )


def _right_pairs(mapping: Sequence[tuple[int | None, int | None]], truth: Mapping[int, int] | None) -> float:
    """A pair of two sentences without a partner is neither right nor wrong."""
    if truth is None:
        return float("nan")
    known = set(truth.values())
    pairs = [(v, w) for v, w in mapping if v is not None and w is not None and (v in truth or w in known)]
    return sum(truth.get(v) == w for v, w in pairs) / len(pairs) if pairs else 1.0


def auc(table: pd.DataFrame, near: Kind, far: Kind) -> pd.Series:
    """The AUC of each sample: the share of pairs in which the paraphrase of the kind ``far`` is farther."""
    found = {}
    for name, sample in table.groupby("sample", sort=False):
        low, high = (sample[sample.kind == kind] for kind in (near, far))
        pairs = [
            _pairs_above(some.tted.to_numpy(), high.tted[high.paraphrase != paraphrase].to_numpy())
            for paraphrase, some in low.groupby("paraphrase")
        ]
        above, total = np.sum(pairs, axis=0) if pairs else (0, 0)
        found[name] = above / total if total else np.nan
    return pd.Series(found)


def _pairs_above(low: Values, high: Values) -> tuple[float, int]:
    """Number of pairs in which ``high`` is above ``low``, ties counting half, and of all pairs; NaN is ignored."""
    difference = high[np.isfinite(high), None] - low[np.isfinite(low)]
    return float(((np.sign(difference) + 1) / 2).sum()), difference.size


def right_pairs(table: pd.DataFrame, kind: Kind, size: int = 0) -> pd.Series:
    """The share of right pairs of each sample with so many nodes or more."""
    return table[(table.kind == kind) & (table["size"] >= size)].groupby("sample", sort=False).right.mean()


def mean_of(values: pd.Series) -> str:
    """The mean over samples where it is defined, with its interval."""
    known = values.dropna().to_numpy()
    if not len(known):
        return "undefined"
    interval = mean_interval(known, resamples=2_000, seed=0)
    return f"{known.mean():.3f}" + (" ({:.2f} to {:.2f})".format(*interval) if interval else "")


def print_tables(table: pd.DataFrame) -> None:
    """Print figures of each kind of edit, and of the balance if all edits were made."""
    print("| edit | AUC | right pairs | normalized |\n| --- | --- | --- | --- |")
    for kind, rows in table.groupby("kind", sort=False):
        figures = mean_of(auc(table, UNTOUCHED, kind)), mean_of(right_pairs(table, kind))
        typical = "{:.2f} ({:.2f} to {:.2f})".format(*np.percentile(rows.normalized, [50, 10, 90]))
        print(f"| {kind or 'none'} | {' | '.join(figures)} | {typical} |", flush=True)
    if {kind for pairs in BALANCE.values() for pair in pairs for kind in pair} <= set(table.kind):
        parts = pd.DataFrame(
            {
                part: pd.concat([auc(table, *pair) for pair in pairs], axis=1).mean(axis=1)
                for part, pairs in BALANCE.items()
            }
        )
        parts["B"] = parts.mean(axis=1, skipna=False)
        parts["P"] = right_pairs(table, "move 3", LARGE)
        print(", ".join(f"{part} {mean_of(parts[part])}" for part in parts), flush=True)


def main() -> None:
    """Print the tables of each setting."""
    parser = parser_of("detection", __doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--variants", type=int, help="of each kind and sample, at most")
    parser.add_argument("--seeds", type=int, default=3, help="versions of each paraphrase")
    parser.add_argument("--encoders", nargs="+", default=["minilm"], metavar="NAME")
    parser.add_argument("--settings", nargs="+", default=["0/1", "=0.8/8"], metavar="GAP/POWER")
    parser.add_argument("--edits", nargs="+", default=list(EDITS), choices=EDITS)
    options = parser.parse_args()
    print_command()
    methods = [
        Method(encoder=encoder, gap=gap if gap.startswith("=") else float(gap), power=float(power))
        for encoder in options.encoders
        for gap, power in (each.split("/") for each in options.settings)
    ]
    samples = read_samples(options.folder, options.variants)
    for method, table in detect(samples, methods, options.edits, options.seeds):
        title = f"{method.encoder}, gap {method.gap}, power {method.power}"
        for name, rows in (*table.groupby("language"), ("all", table)):
            print(f"\n{title}, {name}: {rows['sample'].nunique()} maps")
            print_tables(rows)


if __name__ == "__main__":
    main()
