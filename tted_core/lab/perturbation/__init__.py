"""Perturbations: graded variants of a map, to see what a measure reacts to.

A good measure of maps stays low for a paraphrase and rises with every change of structure and of meaning
(Sobolevsky and Vorontsov 2025, sections III and IV); its samples D hold a few hand-written variants, here one can
turn a knob. Every perturbation has a strength from 0 (the map itself) to 1, and a seed. With one seed the
changes of a lower strength are among those of a higher one, so that a curve over strengths is one map's story.
"""

from tted_core.lab.perturbation.perturb import (
    EXPECTATIONS,
    PERTURBATIONS,
    STRENGTHS,
    Perturbation,
    Point,
    Study,
    perturb,
    study,
)

__all__ = [
    "EXPECTATIONS",
    "PERTURBATIONS",
    "STRENGTHS",
    "Perturbation",
    "Point",
    "Study",
    "perturb",
    "study",
]
