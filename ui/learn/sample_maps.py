"""The sample maps as trees."""

from tted_core import TextTree
from ui import cache, samples


def sample_tree(topic: str, file: str) -> TextTree:
    """A map of sample_trees/."""
    return cache.read(cache.sample_content(samples.FOLDER / topic / file), file).tree
