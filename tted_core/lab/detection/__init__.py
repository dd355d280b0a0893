"""Detection: how surely a measure tells a paraphrase with a few wrong places from a paraphrase.

Graded, seeded edits of known place are made to the paraphrases of samples; a good measure puts edited ones farther
from the base than untouched ones, the farther the more was edited, and its mapping still finds the right pairs.
"""

from tted_core.lab.detection.edits import DOSES, EDITS, Edited, Supply, edited
from tted_core.lab.detection.results import Balance, Counting, Detected, Mean, auc, mean_over_samples
from tted_core.lab.detection.study import Detection, detect, supply_for

__all__ = [
    "DOSES",
    "EDITS",
    "Balance",
    "Counting",
    "Detected",
    "Detection",
    "Edited",
    "Mean",
    "Supply",
    "auc",
    "detect",
    "edited",
    "mean_over_samples",
    "supply_for",
]
