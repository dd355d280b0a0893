"""How well measures agree with people: correlations with human judgements, and which of two does better."""

from tted_core.foundations.stats import CORRELATIONS
from tted_core.lab.people.correlation import Correlation, Difference, correlate, difference
from tted_core.lab.people.levels import COEFFICIENTS, Contest, MeasureAgreement, agreements
from tted_core.lab.people.maps import JudgedPairs, MeasuredPairs, measure_pairs, read_judged_pairs

__all__ = [
    "COEFFICIENTS",
    "CORRELATIONS",
    "Contest",
    "Correlation",
    "Difference",
    "JudgedPairs",
    "MeasureAgreement",
    "MeasuredPairs",
    "agreements",
    "correlate",
    "difference",
    "measure_pairs",
    "read_judged_pairs",
]
