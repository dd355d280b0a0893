"""Where the project's own files are, for tests in rooms of any depth."""

from pathlib import Path

TESTS = Path(__file__).parent.parent
ROOT = TESTS.parent
SAMPLES = ROOT / "sample_trees"
