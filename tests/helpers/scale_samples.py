"""Pairs of sample maps that differ in a known way, from which the shipped scale of scores is made."""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from tted_core import Comparison, MindMap, read_map
from tted_core.explain.scale import Band
from tted_core.lab.edits import DOSES, edited
from tted_core.lab.samples import Sample, other_texts, read_samples
from ui import samples
from ui.compare.score_scale import RELATIONS, REPLACED

MapPairs: TypeAlias = Mapping[str, Sequence[tuple[MindMap, MindMap]]]
"""Kind of difference -> pairs of maps that differ so."""


def bands(pairs: MapPairs, compare: Callable[[MindMap, MindMap], Comparison]) -> dict[str, Band]:
    """For each kind the normalized distances of its pairs."""
    return {
        kind: Band(tuple(compare(left, right).normalized for left, right in examples))
        for kind, examples in pairs.items()
    }


def sample_pairs(*, english: bool) -> MapPairs:
    """Each topic's map with its variants, and the maps of each two topics; optionally in English only."""
    topics = [topic for topic in samples.topics() if not (english and topic in samples.LANGUAGES)]
    pairs: dict[str, list[tuple[MindMap, MindMap]]] = {
        kind: [
            (_read(topic, "base"), _read(topic, f"{kind}_{number}"))
            for topic in topics
            for number in (1, 2, 3)
        ]
        for kind in list(RELATIONS)[:-1]
    }
    pairs["unrelated"] = [
        (_read(one, "base"), _read(other, "base")) for one, other in itertools.combinations(topics, 2)
    ]
    read = [sample for sample in read_samples(samples.FOLDER) if sample.name in topics]
    for count in DOSES.values():
        made = [pair for sample in read for pair in _replaced(sample, other_texts(sample, read), count)]
        share = sum(count(len(left.tree)) / len(left.tree) for left, _ in made) / len(made)
        pairs[f"{REPLACED}{share:.4f}"] = made
    return pairs


def _replaced(
    sample: Sample, texts: Sequence[str], count: Callable[[int], int]
) -> Iterator[tuple[MindMap, MindMap]]:
    """A map with each of its paraphrases, in which sentences are replaced by those of other topics."""
    for number, paraphrase in enumerate(sample.paraphrase):
        times = count(len(paraphrase))
        made = edited(paraphrase, "meaning", times, seed=f"{sample.name}/{number}", texts=texts)
        yield MindMap(sample.base, "tree"), MindMap(made.tree, "tree")


def _read(topic: str, name: str) -> MindMap:
    return read_map(samples.FOLDER / topic / f"{name}.json")
