"""Folders of the project."""

from pathlib import Path

TESTS = Path(__file__).parent.parent
ROOT = TESTS.parent
SAMPLES = ROOT / "sample_trees"
