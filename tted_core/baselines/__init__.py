"""Baselines: what TTED is held against."""

from tted_core.baselines.kernel import Baseline, BaselineScore
from tted_core.baselines.sentence_bag import rouge_bag
from tted_core.baselines.sim import rouge_sim
from tted_core.baselines.sim_published import rouge_sim_published

BASELINES: dict[str, Baseline] = {
    "rouge_sim": Baseline(
        rouge_sim,
        "Baseline: how many words the edges (parent and child) of both maps share, by the best "
        "one-to-one matching of edges. Higher is more alike; identical maps score up to 2 per edge.",
    ),
    "rouge_sim_published": Baseline(
        rouge_sim_published,
        "The same baseline as the published experiments computed it: greedy instead of the "
        "best matching, and on half the scale. Higher is more alike.",
    ),
    "rouge_bag": Baseline(
        rouge_bag,
        "Baseline without structure: how many words the sentences of both maps share, by the best "
        "one-to-one matching of sentences, whatever stands above what. Regrouping a map doesn't change it.",
    ),
}

__all__ = ["BASELINES", "Baseline", "BaselineScore"]
