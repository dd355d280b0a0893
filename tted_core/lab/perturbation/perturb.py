"""perturb(): the one way a perturbation is applied, the registry of them, and the study of measures by them.

The study shows how each measure rises with the strength of each change.
"""

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import TypeAlias

from tted_core.errors import InvalidTreeError
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.foundations.registry import lookup
from tted_core.lab import Measure
from tted_core.lab.perturbation import draft as drafts
from tted_core.lab.perturbation.draft import EDITS, Draft, edit_words
from tted_core.tree import TextTree

EXPECTATIONS = {
    "paraphrase": "other words, same meaning: a good measure stays low",
    "structure": "same sentences, another tree: a good measure rises",
    "meaning": "other sentences, same tree: a good measure rises",
    "content": "sentences added or left out: a good measure rises",
}
"""What is changed, and what a good measure does then."""

EDA_SHARE = 0.3
"""The largest share of words that is swapped or deleted; with more, EDA's authors find, the meaning goes."""

Apply: TypeAlias = Callable[[Draft, float, Random, tuple[str, ...]], None]


@dataclass(frozen=True)
class Perturbation:
    """A way to change a map.

    Attributes:
        kind: a name of ``EXPECTATIONS``.
        title: what it does, for people.
        apply: changes a draft by a strength, with random numbers and the texts of another map.
        needs_donor: whether it needs those texts.
        expectation: what a good measure does, where that of its kind is not all that is to be said.
    """

    kind: str
    title: str
    apply: Apply
    needs_donor: bool = False
    expectation: str = ""

    @property
    def expected(self) -> str:
        """What it changes, and what a good measure does then."""
        return self.expectation or EXPECTATIONS[self.kind]


def perturb(
    tree: TextTree, name: str, strength: float, *, seed: int = 0, donor: TextTree | None = None
) -> TextTree:
    """A variant of the tree.

    Args:
        tree: the map to change.
        name: a name of ``PERTURBATIONS``.
        strength: the share of the nodes (or words) it could change that it changes, 0 to 1.
        seed: another seed, another variant. Changes at a lower strength are among those at a higher one.
        donor: another map, whose texts "meaning" and "insert" take.

    Raises:
        UnknownNameError: no such perturbation.
        InvalidTreeError: a strength outside 0 to 1, or no donor for a perturbation that needs one.

    >>> tree = TextTree(("Plants", "Roots", "Leaves"), (-1, 0, 0))
    >>> perturb(tree, "shuffle", 1.0).labels
    ('Plants', 'Leaves', 'Roots')
    """
    perturbation = lookup(PERTURBATIONS, name, "perturbation")
    if not 0 <= strength <= 1:
        raise InvalidTreeError(f"the strength is {strength:g}; give a number from 0 to 1")
    if perturbation.needs_donor and donor is None:
        raise InvalidTreeError(f'the perturbation "{name}" needs the texts of another map; name a donor')
    known = set(tree.labels)
    texts = tuple(label for label in donor.labels if label not in known) if donor else ()
    if perturbation.needs_donor and not texts:
        raise InvalidTreeError("the donor has no text that the map hasn't; name a map of another topic")
    draft = Draft.of(tree)
    perturbation.apply(draft, strength, Random(seed), texts)  # noqa: S311 - nothing secret
    return draft.tree()


def _at_targets(
    targets: Callable[[Draft], list[int]],
    change: Callable[[Draft, int, Random], None],
    draft: Draft,
    strength: float,
    rng: Random,
    _texts: tuple[str, ...],
) -> None:
    """Make a change at a share of its targets, one after another."""
    nodes = targets(draft)
    rng.shuffle(nodes)
    for node in nodes[: round(strength * len(nodes))]:
        change(draft, node, rng)


def _words(
    names: tuple[str, ...],
    most: float,
    draft: Draft,
    strength: float,
    rng: Random,
    _texts: tuple[str, ...],
) -> None:
    edit_words(draft, names, strength * most, rng)


def _restructure(draft: Draft, strength: float, rng: Random, texts: tuple[str, ...]) -> None:
    """Shuffle, move, promote and demote, each at a part of the nodes."""
    del texts
    nodes = drafts.not_root(draft)
    rng.shuffle(nodes)
    for node in nodes[: round(strength * len(nodes))]:
        change = rng.choice([drafts.move, drafts.promote, drafts.demote, _shuffle_siblings])
        change(draft, node, rng)


def _shuffle_siblings(draft: Draft, node: int, rng: Random) -> None:
    parent = draft.parents[node]
    if len(draft.children[parent]) > 1:
        drafts.shuffle(draft, parent, rng)


def _replace_texts(draft: Draft, strength: float, rng: Random, texts: tuple[str, ...]) -> None:
    """Put the donor's texts in the place of the map's own, each once before any comes twice."""
    nodes = list(range(len(draft.labels)))
    rng.shuffle(nodes)
    supply = _in_turn(texts, len(nodes), rng)
    for node, text in zip(nodes[: round(strength * len(nodes))], supply, strict=False):
        draft.labels[node] = text


def _insert(draft: Draft, strength: float, rng: Random, texts: tuple[str, ...]) -> None:
    """Hang the donor's texts in as leaves; at strength 1 as many as there are nodes."""
    size = len(draft.labels)
    for text in _in_turn(texts, size, rng)[: round(strength * size)]:
        parent = rng.randrange(size)
        draft.add(text, parent, rng.randint(0, len(draft.children[parent])))


def _in_turn(texts: tuple[str, ...], count: int, rng: Random) -> list[str]:
    turn = list(texts)
    rng.shuffle(turn)
    return [turn[index % len(turn)] for index in range(count)]


PERTURBATIONS: dict[str, Perturbation] = {
    "paraphrase": Perturbation(
        "paraphrase",
        "replace, insert, swap and delete single words (EDA)",
        partial(_words, tuple(EDITS), EDA_SHARE),
    ),
    "synonyms": Perturbation("paraphrase", "replace words by synonyms", partial(_words, ("synonyms",), 1.0)),
    "word-insertion": Perturbation(
        "paraphrase", "insert synonyms of words", partial(_words, ("word-insertion",), 1.0)
    ),
    "word-swap": Perturbation(
        "paraphrase", "swap words within a sentence", partial(_words, ("word-swap",), EDA_SHARE)
    ),
    "word-deletion": Perturbation(
        "paraphrase", "delete words", partial(_words, ("word-deletion",), EDA_SHARE)
    ),
    "structure": Perturbation("structure", "shuffle, move, promote and demote branches", _restructure),
    "shuffle": Perturbation(
        "structure",
        "bring siblings into another order",
        partial(_at_targets, drafts.with_siblings, drafts.shuffle),
        expectation="same sentences below the same parents, siblings in another order: a measure of ordered trees "
        "rises; one that is free of the order, as the orders constrained and unordered are, stays at 0",
    ),
    "move": Perturbation(
        "structure",
        "move branches below other parents",
        partial(_at_targets, drafts.not_root, drafts.move),
    ),
    "promote": Perturbation(
        "structure",
        "lift branches to the level of their parents",
        partial(_at_targets, drafts.below_level_2, drafts.promote),
    ),
    "demote": Perturbation(
        "structure",
        "hang branches below the sibling before them",
        partial(_at_targets, drafts.not_root, drafts.demote),
    ),
    "flatten": Perturbation(
        "structure",
        "make children the siblings of their parents",
        partial(_at_targets, drafts.inner, drafts.flatten),
    ),
    "merge": Perturbation(
        "structure",
        "write leaves into their parents' texts",
        partial(_at_targets, drafts.leaves, drafts.merge),
    ),
    "split": Perturbation(
        "structure",
        "split texts into a parent and a child",
        partial(_at_targets, drafts.of_several_words, drafts.split),
    ),
    "exchange": Perturbation(
        "structure",
        "exchange the texts of two places",
        partial(_at_targets, drafts.not_root, drafts.exchange),
    ),
    "meaning": Perturbation(
        "meaning", "replace texts by those of another map", _replace_texts, needs_donor=True
    ),
    "delete": Perturbation(
        "content",
        "delete nodes; their children move up",
        partial(_at_targets, drafts.not_root, drafts.delete),
    ),
    "insert": Perturbation("content", "insert texts of another map as leaves", _insert, needs_donor=True),
}


STRENGTHS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


@dataclass(frozen=True)
class Point:
    """One variant, measured once.

    ``value`` is the measure's distance of the variant from the map, ``relative`` the same as a share of the
    distance to the unrelated map, which lets measures of different scales stand in one picture. Either is None
    where it is undefined.
    """

    perturbation: str
    strength: float
    seed: int
    measure: str
    value: float | None
    relative: float | None


@dataclass(frozen=True)
class Study:
    """All points, and whether they are all that were asked for (not so after a stop)."""

    points: tuple[Point, ...]
    complete: bool

    def curves(self) -> Iterator[tuple[str, str, float, float, int]]:
        """(perturbation, measure, strength, mean relative distance, number of variants), where it is defined."""
        groups: dict[tuple[str, str, float], list[float]] = {}
        for point in self.points:
            if point.relative is not None:
                key = (point.perturbation, point.measure, point.strength)
                groups.setdefault(key, []).append(point.relative)
        for key, values in groups.items():
            yield (*key, statistics.fmean(values), len(values))


def study(
    tree: TextTree,
    unrelated: TextTree,
    measures: Mapping[str, Measure],
    names: Sequence[str],
    *,
    strengths: Sequence[float] = STRENGTHS,
    seeds: Sequence[int] = range(3),
    monitor: Monitor = UNWATCHED,
) -> Study:
    """Measure variants of a tree.

    Args:
        tree: the map to change.
        unrelated: a map on another topic: gives the texts that some perturbations need, and the distance that
            counts as 1.
        measures: name -> distance of two trees.
        names: names of ``PERTURBATIONS``.
        strengths: 0 to 1.
        seeds: one variant for each.
        monitor: watches; once it says stop, the points so far are returned.

    Raises:
        UnknownNameError: no such perturbation.
        InvalidTreeError: a strength outside 0 to 1, or an unrelated map with no text of its own, or at no distance
            by any measure.
    """
    for name in names:
        lookup(PERTURBATIONS, name, "perturbation")
    plan = [(name, seed, strength) for name in names for seed in seeds for strength in strengths]
    monitor.stage("Measuring the unrelated map", 0.0)
    scales = {measure: distance(tree, unrelated) for measure, distance in measures.items()}
    if measures and not any(scales.values()):
        raise InvalidTreeError(
            "the unrelated map is at no distance from the map by any measure; give one on another topic"
        )
    points: list[Point] = []
    for done, (name, seed, strength) in enumerate(plan):
        if monitor.stopped:
            return Study(tuple(points), complete=False)
        monitor.stage(f"Measuring {len(plan)} variants", done / len(plan))
        variant = perturb(tree, name, strength, seed=seed, donor=unrelated)
        for measure, distance in measures.items():
            value = distance(tree, variant)
            relative = _share(value, scales[measure])
            points.append(Point(name, strength, seed, measure, value, relative))
    return Study(tuple(points), complete=True)


def _share(value: float | None, whole: float | None) -> float | None:
    return None if value is None or not whole else value / whole
