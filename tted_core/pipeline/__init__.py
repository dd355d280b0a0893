"""One pipeline for every distance: texts in context, vectors, costs, mappings, and what follows from these.

:func:`prepare` reads the texts of any number of maps; :func:`solve` solves pairs of them by methods, a chunk at a
time on compiled code. One pair is a chunk of one.
"""

from tted_core.pipeline.costs import SIDES, ChunkCosts, chunks, costs_of
from tted_core.pipeline.maps import PreparedMap, fingerprint_of, prepare_maps
from tted_core.pipeline.prepared import Pairs, Prepared, prepare
from tted_core.pipeline.solved import Solved, solve, solve_costs

__all__ = [
    "SIDES",
    "ChunkCosts",
    "Pairs",
    "Prepared",
    "PreparedMap",
    "Solved",
    "chunks",
    "costs_of",
    "fingerprint_of",
    "prepare",
    "prepare_maps",
    "solve",
    "solve_costs",
]
