"""NDD, neighbouring distribution divergence: how much an edit of a sentence disturbs what its other words mean.

Source: "A Novel Metric for Evaluating Semantics Preservation" (anonymous ACL submission). Each word that an
edit leaves alone is masked, and a masked language model predicts it before and after; the Kullback-Leibler
divergences of the two predictions, weighted by nearness to the edit, are summed.
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
