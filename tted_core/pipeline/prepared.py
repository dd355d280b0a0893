"""Maps, their texts in context and the vectors of these: everything that solving reads."""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.contexts import CONTEXTS
from tted_core.distances import DISTANCES, LoadedDistance, Models
from tted_core.distances.formulas import cosine
from tted_core.encoders.embedding import embed
from tted_core.encoders.sentence_encoder import Encoder, SentenceEncoder
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.method import Method
from tted_core.pipeline.maps import (
    PreparedMap,
    distinct_texts,
    join_texts,
    sentence_texts,
)
from tted_core.solvers.kernels.compiling import Integers

Pairs: TypeAlias = NDArray[np.int32]  # (p, 2) numbers of maps


# Numbers in the vectors of all nodes that are kept, 128 MB; if there are more, each chunk of pairs reads its own.
MOST_KEPT = 16_000_000

_GAP = 0  # the number of the gap's text


@dataclass(frozen=True)
class ReadTexts:
    """Data of a model about the texts of all maps.

    Attributes:
        name: the model's name, for signatures.
        fingerprint: fingerprint of its weights.
        notices: context -> for each map, warnings about its distances.
        vectors: (t, d) vectors of t texts; empty if the distance uses no sentence vectors.
        row: text -> its row of the vectors.
    """

    name: str
    fingerprint: str
    notices: Mapping[str, Sequence[tuple[str, ...]]] = field(default_factory=dict, repr=False)
    vectors: NDArray[np.floating[Any]] = field(default_factory=lambda: np.empty((0, 0)), repr=False)
    row: Mapping[str, int] = field(default_factory=dict, repr=False)

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """(n, d) vectors of n of the texts, as from an encoder."""
        return self.vectors[[self.row[text] for text in texts]].astype(np.float64)

    def add_texts(self, encoder: Encoder, texts: Iterable[str], monitor: Monitor = UNWATCHED) -> "ReadTexts":
        """Add the vectors of further texts; in single precision for models, which return it."""
        new = [text for text in texts if text not in self.row]
        if not new:
            return self
        monitor.stage(f"Encoding {len(new):,} texts by {self.name}")
        kind = np.float32 if isinstance(encoder, SentenceEncoder) else np.float64
        found = embed(encoder, new, monitor)
        vectors: NDArray[np.floating[Any]] = np.array(list(found.values()), dtype=kind)
        if self.row:
            vectors = np.concatenate((self.vectors, vectors))
        row = {**self.row, **{text: number for number, text in enumerate(found, start=len(self.row))}}
        return replace(self, vectors=vectors, row=row)

    def of(self, texts: Iterable[str], numbers: Sequence[int]) -> "ReadTexts":
        """The data for some texts, and for the notices about some maps, given by number."""
        notices = {name: [of_maps[number] for number in numbers] for name, of_maps in self.notices.items()}
        known = [text for text in texts if text in self.row]
        vectors = self.vectors[[self.row[text] for text in known]] if known else self.vectors
        row = {text: number for number, text in enumerate(known)}
        return replace(self, notices=notices, vectors=vectors, row=row)


class PackedMaps(NamedTuple):
    """All trees concatenated, N nodes in all; map k has the nodes ``starts[k]`` to ``starts[k + 1] - 1``."""

    parents: NDArray[np.int64]  # (N,) as indices in their tree; -1 for a root
    starts: NDArray[np.int64]  # (maps + 1,); a map that can't be read has no nodes
    texts: Mapping[
        str, NDArray[np.int64]
    ]  # context -> (N,) numbers of the nodes' texts, equal for equal ones
    distinct: Sequence[str]  # the texts by number; the first is that of the gap


class Nodes(NamedTuple):
    """The nodes of some maps, each map's followed by the gap, concatenated."""

    vectors: NDArray[np.float64]  # of length 1 for cosine, unless exact ones are requested; zero vectors stay
    lengths: NDArray[np.float64]  # squared; of a zero vector 0
    starts: Integers  # (maps + 1,) each map's first row, and the end
    texts: Integers  # numbers of the texts: equal numbers have equal vectors


def count_up(sizes: Integers) -> Integers:
    """0, 1, ... up to each of the sizes, concatenated.

    >>> count_up(np.array([2, 3])).tolist()
    [0, 1, 0, 1, 2]
    """
    starts = np.cumsum(sizes) - sizes
    return np.arange(int(sizes.sum())) - np.repeat(starts, sizes)


@dataclass(frozen=True)
class Prepared:
    """Maps with their texts and vectors, ready to be solved by some methods.

    Attributes:
        maps: the maps.
        models: (model's name, distance) -> the distance's data.
        loaded: (model's name, distance) -> the distance with its model, as far as this process has it; and
            BERTScore if the suite needs it for whole maps.
        is_exact: True to add up the differences of vectors one by one, which gives both directions the same bits;
            False to use products of matrices, which are faster and agree to 1e-12.
    """

    maps: Sequence[PreparedMap]
    models: Mapping[tuple[str, str], ReadTexts]
    loaded: Mapping[tuple[str, str], LoadedDistance]
    is_exact: bool = False

    def model(self, method: Method) -> ReadTexts:
        """The data of the method's distance."""
        return self.models[method.model, method.distance]

    def distance(self, method: Method) -> LoadedDistance:
        """The method's distance with its model."""
        return self.loaded.get((method.model, method.distance)) or method.record.load()

    def vectors(self, method: Method) -> Encoder | None:
        """An encoder that looks up the vectors it knows; None if the distance uses no sentence vectors."""
        if method.record.reads != "encoder":
            return None
        model, distance = self.model(method), self.loaded.get((method.model, method.distance))
        if distance is None:  # everything that is needed was encoded
            return model
        return lambda texts: model.add_texts(distance.reader, texts)(texts)

    def notices_of(self, number: int, method: Method) -> tuple[str, ...]:
        """Warnings about a map: of its reader, and about its texts."""
        of_texts = self.model(method).notices.get(method.context)
        return (*self.maps[number].notices, *(of_texts[number] if of_texts else ()))

    def trimmed(self, depth: int) -> "Prepared":
        """The first levels of all maps."""
        return replace(self, maps=[each.trimmed(depth) for each in self.maps])

    def of(self, pairs: Pairs) -> tuple["Prepared", Pairs]:
        """The maps of some pairs only, without encoders, and the pairs renumbered."""
        used, local = np.unique(pairs, return_inverse=True)
        numbers: list[int] = used.tolist()
        maps = [self.maps[number] for number in numbers]
        texts = dict.fromkeys(itertools.chain([""], *(self.texts[number] for number in numbers)))
        models = {key: model.of(texts, numbers) for key, model in self.models.items()}
        found = replace(self.encoded, maps=maps, models=models)
        return found, local.reshape(-1, 2).astype(np.int32)

    @cached_property
    def texts(self) -> list[tuple[str, ...]]:
        """All texts of each map that may be looked up."""
        of_nodes = [tuple(distinct_texts([each])) for each in self.maps]
        count = len(set().union(*of_nodes))
        if all(len(model.row) <= count for model in self.models.values()):
            return of_nodes  # neither sentences nor whole maps were encoded
        both = zip(of_nodes, self.maps, strict=True)
        return [(*texts, *sentence_texts([each]), *join_texts([each])) for texts, each in both]

    @cached_property
    def encoded(self) -> "Prepared":
        """This without encoders, which aren't needed any more once everything is encoded."""
        return replace(self, loaded=self.tied)

    @property
    def tied(self) -> dict[tuple[str, str], LoadedDistance]:
        """The distances that need their models while solving; models can't be sent to other processes."""
        return {key: each for key, each in self.loaded.items() if each.record.reads == "word vectors"}

    @cached_property
    def packed(self) -> PackedMaps:
        """Trees and texts as arrays."""
        numbers: dict[str, int] = {"": 0}
        parents: list[int] = []
        starts = [0]
        contexts = dict.fromkeys(context for each in self.maps for context in (*each.texts, *each.errors))
        texts: dict[str, list[int]] = {context: [] for context in contexts}
        for each in self.maps:
            if each.tree is not None:
                parents += each.tree.parents
                for context, found in texts.items():
                    own = each.texts.get(context) or [""] * len(each.tree)
                    found += [numbers.setdefault(text, len(numbers)) for text in own]
            starts.append(len(parents))
        arrays = {context: np.array(found, dtype=np.int64) for context, found in texts.items()}
        return PackedMaps(np.array(parents, dtype=np.int64), np.array(starts), arrays, list(numbers))

    def nodes_of(self, method: Method, pairs: Integers) -> tuple[Nodes, Integers]:
        """The nodes of some pairs' maps, and the numbers of the pairs' maps among these."""
        key = method.model, method.distance, method.context
        if key in self.kept_nodes:
            return self.kept_nodes[key], pairs
        used, local = np.unique(pairs, return_inverse=True)
        return self._read_nodes(*key, used), local.reshape(-1, 2)

    @cached_property
    def kept_nodes(self) -> dict[tuple[str, str, str], Nodes]:
        """(model's name, distance, context) -> the nodes of all maps; empty if they are too many to be kept."""
        keys = [
            (*key, context)
            for key, model in self.models.items()
            if model.row
            for context in self.packed.texts
        ]
        rows = len(self.packed.parents) + len(self.maps)
        if rows * sum(self.models[key[:2]].vectors.shape[1] for key in keys) > MOST_KEPT:
            return {}
        return {key: self._read_nodes(*key, np.arange(len(self.maps))) for key in keys}

    def _read_nodes(self, model: str, distance: str, context: str, maps: Integers) -> Nodes:
        """The nodes of some maps, given by number."""
        packed, blend = self.packed, CONTEXTS[context].blend
        sizes = np.diff(packed.starts)[maps]
        nodes = count_up(sizes) + np.repeat(packed.starts[maps], sizes)
        texts = np.insert(packed.texts[context][nodes], np.cumsum(sizes), _GAP)
        starts = np.concatenate(([0], np.cumsum(sizes + 1)))
        rows = self.rows[model, distance][texts]
        vectors = self.models[model, distance].vectors[rows].astype(np.float64)
        if blend is not None:
            for number, (start, end) in zip(maps.tolist(), itertools.pairwise(starts.tolist()), strict=True):
                if (tree := self.maps[number].tree) is not None:
                    vectors[start : end - 1] = blend(tree, vectors[start : end - 1])
            texts = np.arange(len(texts))
        if DISTANCES[distance].function is cosine and not self.is_exact:
            norms = np.linalg.norm(vectors, axis=1, keepdims=True)
            norms[norms == 0.0] = 1.0
            vectors = vectors / norms
        return Nodes(vectors, np.einsum("ij,ij->i", vectors, vectors), starts, texts)

    @cached_property
    def rows(self) -> dict[tuple[str, str], NDArray[np.int64]]:
        """(model's name, distance) -> for each text by number, the row of its vector."""
        return {
            key: np.array([model.row[text] for text in self.packed.distinct], dtype=np.int64)
            for key, model in self.models.items()
            if model.row
        }


def prepare(
    maps: Sequence[PreparedMap],
    methods: Iterable[Method],
    models: Models | None = None,
    *,
    baselines: Iterable[str] = (),
    pairs: Pairs | None = None,
    notices: bool = True,
    is_exact: bool = False,
    monitor: Monitor = UNWATCHED,
) -> Prepared:
    """Load the methods' models, and encode every distinct text of the maps once with each encoder.

    Args:
        maps: the maps, with their texts in all contexts of the methods.
        methods: the methods.
        models: loads the models that the methods name.
        baselines: names of the measures that will be computed.
        pairs: the pairs if their sentences will be compared, too; None encodes texts of nodes only.
        notices: collect warnings about each map's texts.
        is_exact: see ``Prepared``.
        monitor: receives the stages, and may stop the work.
    """
    models, methods = models or Models(), tuple(methods)
    sentences: dict[str, None] = {} if pairs is None else sentence_texts(maps)
    if "text_beginning" in baselines:
        sentences |= join_texts(maps)
    read: dict[tuple[str, str], ReadTexts] = {}
    loaded: dict[tuple[str, str], LoadedDistance] = {}
    shared: dict[tuple[str, str], tuple[LoadedDistance, ReadTexts]] = {}  # by model and what it is read by
    for key, method in {(each.model, each.distance): each for each in methods}.items():
        source = method.model, method.record.reads
        if source not in shared:
            own_models = models.of(method.encoder)
            distance = _load_distance(method, own_models, monitor)
            texts = _read_texts(distance, maps, sentences, monitor)
            if notices:
                texts = replace(texts, notices=_notices(maps, distance, monitor))
            shared[source] = distance, texts
            if "linear_bertscore" in baselines:
                loaded.setdefault((method.model, "bertscore"), DISTANCES["bertscore"].load(own_models))
        distance, read[key] = shared[source]
        loaded[key] = replace(distance, record=method.record)
    return Prepared(maps, read, loaded, is_exact)


def _load_distance(method: Method, models: Models, monitor: Monitor) -> LoadedDistance:
    if method.record.reads != "none" and isinstance(models.encoder, str):
        monitor.stage(f"Loading the {method.record.reads}")
    return method.record.load(models)


def _read_texts(
    distance: LoadedDistance, maps: Sequence[PreparedMap], sentences: Iterable[str], monitor: Monitor
) -> ReadTexts:
    """The data of a distance's model; an encoder's with the vectors of all texts."""
    found = ReadTexts(*distance.model)
    if distance.record.reads != "encoder":
        return found
    # One after the other, so that the last bits of nodes' vectors don't depend on what else is encoded.
    found = found.add_texts(distance.reader, distinct_texts(maps), monitor)
    return found.add_texts(distance.reader, sentences, monitor)


def _notices(
    maps: Sequence[PreparedMap], distance: LoadedDistance, monitor: Monitor
) -> dict[str, list[tuple[str, ...]]]:
    """Context -> warnings about each map's texts."""
    monitor.stage(f"Checking the texts of {len(maps):,} maps")
    found: dict[str, list[tuple[str, ...]]] = {}
    for number, each in enumerate(maps, start=1):
        for context in (*each.texts, *each.errors):
            texts = each.texts.get(context, ())
            found.setdefault(context, []).append(distance.texts_notices(texts, context) if texts else ())
        monitor.advance(number, len(maps))
        monitor.check()
    return found
