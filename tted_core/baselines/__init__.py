"""Baselines for comparison with TTED, and the further measures that its authors report."""

from collections import ChainMap
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from tted_core.baselines.by_meaning import (
    ancestor_f1,
    best_match,
    ceds,
    continuous_f1,
    edge_f1,
    greedy_match,
    root_cosine,
    size_ratio,
    text_beginning,
)
from tted_core.baselines.kernel import NOT_COMPUTED, Baseline, BaselineScore, F1Score, share_score
from tted_core.baselines.sim import rouge_bag, rouge_sim
from tted_core.baselines.sim_published import (
    cmgn_rouge,
    cmgn_rouge1,
    cmgn_rouge2,
    cmgn_rougel,
    rouge_sim_published,
)
from tted_core.baselines.suite import SUITE, Measure
from tted_core.baselines.three_scales import (
    ManyDistances,
    mean_vector,
    neighbourhood,
    of_pair,
    of_pairs,
    three_scales,
    tree,
)
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.errors import TTEDError, select_baselines
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.tree import TextTree


def _of_many(function: ManyDistances, note: str, *, is_control: bool = False) -> Baseline:
    """A distance that is computed for many pairs at once."""
    return Baseline(
        partial(of_pair, function),
        note,
        "encoder",
        is_control=is_control,
        of_pairs=partial(of_pairs, function),
    )


# Baselines by words first, then those that use sentence vectors.
BASELINES: dict[str, Baseline] = {
    "rouge_sim": Baseline(
        rouge_sim,
        "Baseline: words shared by the edges (parent and child) of both maps, with the best "
        "one-to-one matching of edges. Higher is more similar; identical maps score up to 2 per edge.",
    ),
    "rouge_sim_published": Baseline(
        rouge_sim_published,
        "The same baseline as the published experiments computed it: greedy instead of the "
        "best matching, and on half the scale. Higher is more similar.",
    ),
    "cmgn_rouge1": Baseline(
        cmgn_rouge1,
        "R-1 of papers on mind-map generation: F1 of the words that pairs (parent, child) share, each reference "
        "pair (left map) with the best remaining generated pair. A map scores (n - 1) / n with itself.",
    ),
    "cmgn_rouge2": Baseline(
        cmgn_rouge2, "R-2 of the same papers: pairs of neighbouring words instead of words."
    ),
    "cmgn_rougel": Baseline(cmgn_rougel, "R-L of the same papers: the longest common subsequence of words."),
    "cmgn_rouge": Baseline(
        cmgn_rouge,
        "The average column of the same papers: pairs are matched by the mean of ROUGE-1, ROUGE-2 and ROUGE-L.",
    ),
    "rouge_bag": Baseline(
        rouge_bag,
        "Baseline without structure: words shared by the sentences of both maps, with the best "
        "one-to-one matching of sentences, ignoring the hierarchy. Regrouping a map doesn't change it.",
        is_control=True,
    ),
    "size_ratio": Baseline(
        size_ratio, "Control: the smaller map's number of nodes divided by the larger one's.", is_control=True
    ),
    "ceds": Baseline(
        ceds,
        "Catalogue edit distance similarity: an ordered tree edit distance where a missing sentence costs 1, "
        "as a share of the larger map. 1 for equal maps; it can be below 0.",
        "encoder",
    ),
    "continuous_f1": Baseline(
        continuous_f1,
        "The best one-to-one matching of edges by meaning, scored by the less similar end. 1 for equal maps.",
        "encoder",
    ),
    "edge_f1": Baseline(
        edge_f1,
        "F1 of edges, after sentences were aligned one to one by meaning, as taxonomies are measured.",
        "encoder",
    ),
    "ancestor_f1": Baseline(
        ancestor_f1,
        "The same with all pairs of a sentence and one above it instead of edges.",
        "encoder",
    ),
    "three_scales": _of_many(
        three_scales,
        "The mean of mean_vector, neighbourhood and tree, each 1 for equal maps; it agrees best with people's "
        "judgements.",
    ),
    "mean_vector": _of_many(
        mean_vector,
        "The maps as a whole: the distance of the means of their sentences' vectors. A control.",
        is_control=True,
    ),
    "neighbourhood": _of_many(
        neighbourhood,
        "Sentence by sentence: the best one-to-one pairs, each sentence read with its parent and children.",
    ),
    "tree": _of_many(tree, "The maps as trees: the Steinhaus score of TTED by the preset similarity."),
    "text_beginning": Baseline(
        text_beginning,
        "Control: the cosine of both maps, each read as one text, of which the encoder reads the beginning "
        "(MiniLM: 256 word pieces).",
        "encoder",
        is_control=True,
    ),
    "greedy_match": Baseline(
        greedy_match,
        "Control: F1 of each sentence's highest cosine in the other map.",
        "encoder",
        is_control=True,
    ),
    "best_match": Baseline(
        best_match,
        "Control: the best one-to-one matching of sentences by cosine.",
        "encoder",
        is_control=True,
    ),
    "root_cosine": Baseline(root_cosine, "Control: the cosine of both roots.", "encoder", is_control=True),
}


# All measures that can be computed beside TTED: baselines, then the suite.
MEASURES: ChainMap[str, Baseline | Measure] = ChainMap(SUITE, BASELINES)  # type: ignore[arg-type]


# The three scales from the coarsest to the finest, and their mean.
SCALES = ("mean_vector", "neighbourhood", "tree", "three_scales")

# Titles of measures whose names don't read well.
TITLES = {
    "normalized": "Normalized distance",
    "tted": "TTED",
    "tted_per_reference": "TTED per reference node",
    "steinhaus": "Steinhaus distance",
    "reference_normalized": "Distance normalized by the reference",
    "rouge_sim": "ROUGE Sim",
    "rouge_sim_published": "ROUGE Sim as published",
    "cmgn_rouge1": "R-1",
    "cmgn_rouge2": "R-2",
    "cmgn_rougel": "R-L",
    "cmgn_rouge": "R average",
    "rouge_bag": "ROUGE of sentences",
    "ceds": "CEDS",
    "structural_tted": "Structural TTED",
    "linear_rouge1": "ROUGE-1 of texts",
    "linear_rouge2": "ROUGE-2 of texts",
    "linear_rougel": "ROUGE-L of texts",
    "linear_bertscore": "BERTScore",
}

DEFAULT_BASELINES = ("rouge_sim",)  # the default baselines of a comparison


def measure_title(name: str) -> str:
    """The title of a measure on pages and in papers; the name itself of one that was computed elsewhere.

    >>> measure_title("cmgn_rouge1"), measure_title("edge_f1"), measure_title("my_score")
    ('R-1', 'Edge F1', 'my_score')
    """
    known = name in MEASURES or name in {"coverage", "support"}
    return TITLES.get(name) or (name.replace("_", " ").capitalize().replace(" f1", " F1") if known else name)


def readable_baselines(reads: str) -> tuple[str, ...]:
    """The baselines for node distances with this input; without an encoder, those by words."""
    return tuple(name for name, each in BASELINES.items() if each.reads in {"none", reads})


def baseline_scores(
    names: Iterable[str],
    trees: tuple[TextTree, TextTree],
    vectors: Encoder | None,
    monitor: Monitor = UNWATCHED,
) -> dict[str, BaselineScore | TTEDError]:
    """Baselines of two trees by name, or errors; ``vectors`` is the encoder that some need."""
    found = score_pairs(names, dict(enumerate(trees)), [(0, 1)], vectors, monitor)
    return {name: score for name, (score,) in found.items()}


def score_pairs(
    names: Iterable[str],
    trees: Mapping[int, TextTree],
    pairs: Sequence[tuple[int, int]],
    vectors: Encoder | None,
    monitor: Monitor = UNWATCHED,
) -> dict[str, list[BaselineScore | TTEDError]]:
    """Baselines of pairs of trees, which are given by number, as ``baseline_scores`` has them of one pair.

    The mean of the scales is that of the three, if they are computed too.
    """
    chosen = select_baselines(BASELINES, names)
    *parts, mean = SCALES
    found: dict[str, list[BaselineScore | TTEDError]] = {}
    for name in sorted(chosen, key=mean.__eq__):
        monitor.stage(f"Computing the baseline {name}")
        if name == mean and found.keys() >= {*parts}:  # for large maps, each takes half a second
            found[name] = [_mean_score(each) for each in zip(*(found[part] for part in parts), strict=True)]
        else:
            found[name] = chosen[name].scores(trees, pairs, vectors)
    return {name: found[name] for name in chosen}


def _mean_score(scores: Sequence[BaselineScore | TTEDError]) -> BaselineScore | TTEDError:
    """The mean of similarities, or the first error."""
    shares = [each.sim for each in scores if isinstance(each, BaselineScore)]
    errors = [each for each in scores if isinstance(each, TTEDError)]
    return errors[0] if errors else share_score(sum(shares) / len(shares))


__all__ = [
    "BASELINES",
    "DEFAULT_BASELINES",
    "MEASURES",
    "NOT_COMPUTED",
    "SCALES",
    "SUITE",
    "Baseline",
    "BaselineScore",
    "F1Score",
    "Measure",
    "baseline_scores",
    "measure_title",
    "readable_baselines",
    "score_pairs",
]
