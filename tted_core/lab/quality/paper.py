"""What was published, as facts to set our figures beside.

Sobolevsky and Vorontsov, "Text Tree Edit Distance", APEIE 2025, Tables I to III, and Table 1 of their Russian
short paper. Mean and standard deviation; the TTED rows come from the arithmetic that ``published`` explains.
"""

from dataclasses import dataclass

REFERENCE = "Sobolevsky and Vorontsov, APEIE 2025"


@dataclass(frozen=True)
class PublishedRow:
    """A row of Table I or III: R_S and R_M as (mean, standard deviation)."""

    method: str
    r_s: tuple[float, float]
    r_m: tuple[float, float]


TABLE_I = (
    PublishedRow("Baseline", (2.05, 0.79), (0.96, 0.10)),
    PublishedRow("TTED with DistilRoBERTa", (0.58, 0.22), (0.53, 0.11)),
    PublishedRow("TTED with SPECTER", (0.69, 0.35), (0.46, 0.14)),
    PublishedRow("TTED with MPNet", (0.44, 0.12), (0.48, 0.11)),
    PublishedRow("TTED with fine-tuned MPNet", (0.61, 0.78), (0.45, 0.12)),
)

TABLE_III = (
    PublishedRow("TTED with MPNet, without context", (0.44, 0.12), (0.48, 0.11)),
    PublishedRow("TTED with MPNet, with context", (0.43, 0.19), (0.35, 0.08)),
)

TABLE_II = {
    "cosine": ((3.89, 0.71), (8.41, 0.80), (0.48, 0.11)),
    "euclidean": ((5.50, 1.00), (11.89, 1.14), (0.48, 0.11)),
    "manhattan": ((119.70, 21.60), (259.05, 25.12), (0.48, 0.11)),
}
"""Distance -> mean rho_1 and rho_3 of maps of 10 nodes, and R_M, with MPNet."""

RUSSIAN_TABLE_1 = {
    "DistilRoBERTa": (3.33, 7.76, 7.38),
    "SPECTER": (1.39, 3.70, 4.74),
    "MPNet": (2.30, 7.19, 8.06),
    "fine-tuned MPNet": (1.82, 7.71, 7.56),
}
"""Encoder -> mean rho_1, rho_2, rho_3."""
