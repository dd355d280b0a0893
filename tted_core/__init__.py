"""TTED: text tree edit distance between mind maps (Sobolevsky and Vorontsov, APEIE 2025)."""

from tted_core.errors import TTEDError
from tted_core.tree import TextTree

__all__ = ["TTEDError", "TextTree"]
