"""Baselines: what TTED is held against. Name -> function of two trees."""

from collections.abc import Callable

from tted_core.baselines.kernel import BaselineScore
from tted_core.baselines.sentence_bag import rouge_bag
from tted_core.baselines.sim import rouge_sim
from tted_core.baselines.sim_published import rouge_sim_published
from tted_core.tree import TextTree

BASELINES: dict[str, Callable[[TextTree, TextTree], BaselineScore]] = {
    "rouge_sim": rouge_sim,
    "rouge_sim_published": rouge_sim_published,
    "rouge_bag": rouge_bag,
}

__all__ = ["BASELINES", "BaselineScore"]
