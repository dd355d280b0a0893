"""NDD, neighbouring distribution divergence: the effect of an edit on the meaning of a sentence's other words.

Source: "A Novel Metric for Evaluating Semantics Preservation" (anonymous ACL submission). Each word that an edit
doesn't touch is masked, and a masked language model predicts it before and after; the Kullback-Leibler
divergences of the two predictions, weighted by proximity to the edit, are summed.
"""

from tted_core.distances.ndd.compression import (
    Compression,
    Compressor,
    MapCompression,
    ScoredSpan,
    choose_spans,
    without_spans,
)
from tted_core.distances.ndd.divergence import KeptWord, Ndd, NddRow, measure_ndd, ndd_distances, ndd_table
from tted_core.distances.ndd.weights import Weights

__all__ = [
    "Compression",
    "Compressor",
    "KeptWord",
    "MapCompression",
    "Ndd",
    "NddRow",
    "ScoredSpan",
    "Weights",
    "choose_spans",
    "measure_ndd",
    "ndd_distances",
    "ndd_table",
    "without_spans",
]
