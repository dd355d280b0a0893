"""The maps to be compared, and the texts that are read of them."""

import hashlib
import itertools
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tted_core.baselines.suite import linear_text
from tted_core.contexts import CONTEXTS
from tted_core.errors import MAX_NODES_COMPARED, TTEDError, check_limit
from tted_core.formats import MindMap
from tted_core.foundations.messages import without_surrogates
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.sentences import unit_text
from tted_core.tree import TextTree
from tted_core.words.splitting import letters_of


@dataclass(frozen=True)
class PreparedMap:
    """A map to be compared.

    Attributes:
        name: its name.
        tree: as compared; None if it can't be read.
        digest: SHA-256 of the tree as given.
        texts: context -> the text of each node.
        errors: context -> the reason why the map can't be compared in it.
        notices: notices of the file's reader.
    """

    name: str
    tree: TextTree | None = field(default=None, repr=False)
    digest: str = ""
    texts: Mapping[str, Sequence[str]] = field(default_factory=dict, repr=False)
    errors: Mapping[str, TTEDError] = field(default_factory=dict)
    notices: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        name: str,
        given: MindMap,
        contexts: Iterable[str],
        depth: int | None = None,
        counted_as: str = "nodes",
    ) -> "PreparedMap":
        """The map with its texts, trimmed to ``depth`` levels; an error names its nodes as ``counted_as``."""
        tree = given.tree if depth is None else given.tree.trimmed(depth)
        way_out = "compare to a smaller depth or split the map"
        check_limit(len(tree), MAX_NODES_COMPARED, counted_as, way_out)
        texts: dict[str, Sequence[str]] = {}
        errors: dict[str, TTEDError] = {}
        for context in contexts:
            try:
                texts[context] = CONTEXTS[context].texts(tree)
            except TTEDError as error:
                errors[context] = error
        return cls(name, tree, given.tree.digest, texts, errors, given.notices)

    @property
    def readable(self) -> TextTree:
        """The tree of a map without errors."""
        assert self.tree is not None
        return self.tree

    def trimmed(self, depth: int) -> "PreparedMap":
        """The map's first levels; a node's texts don't depend on the nodes below it."""
        if self.tree is None or depth >= self.tree.depth:
            return self
        kept = self.tree.nodes_to_depth(depth)
        texts = {context: tuple(every[node] for node in kept) for context, every in self.texts.items()}
        return replace(self, tree=self.tree.trimmed(depth), texts=texts)


def prepare_maps(
    named: Iterable[tuple[str, Callable[[], MindMap]]],
    contexts: Sequence[str],
    *,
    depth: int | None = None,
    monitor: Monitor = UNWATCHED,
) -> list[PreparedMap]:
    """Read maps one by one.

    Args:
        named: each map's name, and the function that reads it; a ``TTEDError`` becomes the map's error.
        contexts: names of ``CONTEXTS`` whose texts are collected.
        depth: number of levels to keep.
        monitor: receives the progress, and may stop after each map.
    """
    maps = []
    for number, (name, read) in enumerate(named, start=1):
        try:
            maps.append(PreparedMap.of(name, read(), contexts, depth))
        except TTEDError as error:
            maps.append(PreparedMap(name, errors=dict.fromkeys(contexts, error)))
        # the number of all maps if it is known, as of a list, else of those so far
        monitor.advance(number, operator.length_hint(named, number))
        monitor.check()
    return maps


def fingerprint_of(maps: Iterable[PreparedMap]) -> str:
    """SHA-256 of all maps, in order, including errors."""
    digest = hashlib.sha256()
    for each in maps:
        errors = {context: str(error) for context, error in each.errors.items()}
        digest.update(repr((each.name, each.digest, errors)).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def node_labels(maps: Iterable[PreparedMap]) -> dict[str, None]:
    """The distinct texts of all nodes without a context."""
    return dict.fromkeys(label for each in maps if each.tree is not None for label in each.tree.labels)


def distinct_texts(maps: Sequence[PreparedMap]) -> dict[str, None]:
    """All distinct texts of these maps, those of nodes without a context, and the empty one."""
    found = {"": None}
    for label in node_labels(maps):
        found |= {without_surrogates(label): None, label: None}  # baselines request the first
    of_maps = (texts for each in maps for texts in each.texts.values())
    return found | dict.fromkeys(itertools.chain.from_iterable(of_maps))


def sentence_texts(maps: Iterable[PreparedMap]) -> dict[str, None]:
    """All distinct sentences of nodes."""
    return {
        unit_text(label, span): None for label in node_labels(maps) for span in letters_of(label).sentences
    }


def join_texts(maps: Iterable[PreparedMap]) -> dict[str, None]:
    """Each map as one text, for the baseline text_beginning."""
    return {without_surrogates(linear_text(each.tree)): None for each in maps if each.tree is not None}
