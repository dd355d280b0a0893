"""Maps, methods and models of many comparisons."""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.baselines.suite import linear_text
from tted_core.batch.inputs import Pairs
from tted_core.batch.settings import BatchOptions
from tted_core.contexts import CONTEXTS
from tted_core.distances import DISTANCES, LoadedDistance, Models
from tted_core.encoders.embedding import embed, encoder_of
from tted_core.encoders.sentence_encoder import Encoder, SentenceEncoder
from tted_core.errors import TTEDError
from tted_core.formats import MindMap
from tted_core.foundations.limits import MAX_NODES_COMPARED, check_limit
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.method import Method
from tted_core.notices import encoder_notices
from tted_core.sentences import unit_text
from tted_core.tree import TextTree
from tted_core.words.passages import letters_of
from tted_core.words.splitting import without_surrogates

TextsNotices: TypeAlias = Callable[[Sequence[str], str], tuple[str, ...]]
"""Texts, and the context in which they are read -> warnings about their distances."""

ROUNDING = 1e-9


@dataclass(frozen=True)
class Map:
    """A map of a batch.

    Attributes:
        name: its name.
        tree: as compared, trimmed to the batch's depth; None if it can't be read.
        digest: SHA-256 of the tree as given.
        texts: context -> the text of each node.
        errors: context -> the reason why the map can't be compared in it.
        notices: notices of the file's reader.
    """

    name: str
    tree: TextTree | None = field(default=None, repr=False)
    digest: str = ""
    texts: Mapping[str, Sequence[str]] = field(default_factory=dict, repr=False)
    errors: Mapping[str, str] = field(default_factory=dict)
    notices: tuple[str, ...] = ()

    @property
    def readable(self) -> TextTree:
        """The tree of a map without errors."""
        assert self.tree is not None
        return self.tree


def read_maps(
    named: Sequence[tuple[str, Callable[[], MindMap]]],
    contexts: Sequence[str],
    *,
    depth: int | None = None,
    monitor: Monitor = UNWATCHED,
) -> list[Map]:
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
            given = read()
            tree = given.tree if depth is None else given.tree.trimmed(depth)
            check_limit(len(tree), MAX_NODES_COMPARED, "nodes", "compare to a smaller depth or split the map")
        except TTEDError as error:
            maps.append(Map(name, errors=dict.fromkeys(contexts, str(error))))
        else:
            texts: dict[str, Sequence[str]] = {}
            errors = {}
            for context in contexts:
                try:
                    texts[context] = CONTEXTS[context].texts(tree)
                except TTEDError as error:
                    errors[context] = str(error)
            maps.append(Map(name, tree, given.tree.digest, texts, errors, given.notices))
        monitor.advance(number, len(named))
        monitor.check()
    return maps


def fingerprint_of(maps: Iterable[Map]) -> str:
    """SHA-256 of all maps, in order, including errors."""
    digest = hashlib.sha256()
    for each in maps:
        digest.update(repr((each.name, each.digest, dict(each.errors))).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


@dataclass(frozen=True)
class Model:
    """Data of a distance about the texts of all maps.

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

    def __call__(self, texts: Sequence[str]) -> NDArray[np.floating[Any]]:
        """(n, d) vectors of n of the texts, as from an encoder."""
        return self.vectors[[self.row[text] for text in texts]]

    def of(self, maps: Sequence[Map], numbers: Sequence[int]) -> "Model":
        """The data for some of the maps only, given by number."""
        notices = {name: [of_maps[number] for number in numbers] for name, of_maps in self.notices.items()}
        found = _distinct(maps) | _sentences(maps) | _clauses(_labels(maps)) | _joined(maps)
        texts = [text for text in found if text in self.row]
        row = {text: number for number, text in enumerate(texts)}
        return replace(self, notices=notices, vectors=self(texts) if texts else self.vectors, row=row)


def _labels(maps: Iterable[Map]) -> list[str]:
    """The texts of all nodes without a context."""
    return [label for each in maps if each.tree is not None for label in each.tree.labels]


def _distinct(maps: Sequence[Map]) -> dict[str, None]:
    """All distinct texts of these maps, those of nodes without a context, and the empty one."""
    found = {"": None}
    for label in _labels(maps):
        found |= {without_surrogates(label): None, label: None}  # baselines request the first
    for each in maps:
        for texts in each.texts.values():
            found |= dict.fromkeys(texts)
    return found


def _sentences(maps: Iterable[Map]) -> dict[str, None]:
    """All distinct sentences of nodes."""
    return {unit_text(label, span): None for label in _labels(maps) for span in letters_of(label).sentences}


def _clauses(labels: Iterable[str]) -> dict[str, None]:
    """All distinct clauses of these nodes."""
    return {unit_text(label, span): None for label in labels for span in letters_of(label).clauses}


def _condensed(
    maps: Sequence[Map], pairs: Pairs, model: "Model", distances: Iterable[Callable[..., NDArray[np.float64]]]
) -> dict[str, None]:
    """The texts of nodes that are the nearest ones of several nodes of a pair, whose clauses are compared.

    Distances that differ by rounding count as equal, since the processes that solve round differently.
    """
    found: dict[str, None] = {}
    for left, right in pairs.tolist():
        if not maps[left].tree or not maps[right].tree:
            continue
        labels = maps[left].readable.labels, maps[right].readable.labels
        vectors = [model(each).astype(np.float64) for each in labels]
        for distance in distances:
            costs = distance(*vectors)
            for texts, of_others in zip(labels, (costs, costs.T), strict=True):
                is_nearest = of_others <= of_others.min(axis=0) * (1 + ROUNDING) + ROUNDING
                found |= {texts[node]: None for node in np.flatnonzero(is_nearest.sum(axis=1) > 1)}
    return found


def _joined(maps: Iterable[Map]) -> dict[str, None]:
    """Each map as one text, for the baseline joined_text."""
    return {without_surrogates(linear_text(each.tree)): None for each in maps if each.tree is not None}


@dataclass(frozen=True)
class Work:
    """The inputs of solving.

    Attributes:
        maps: the maps.
        options: the batch's options.
        models: (model's name, distance) -> the distance's data.
        loaded: (model's name, distance) -> the distance, if it uses a model that stays in this process, and
            BERTScore if the suite needs it for whole maps.
    """

    maps: Sequence[Map]
    options: BatchOptions
    models: Mapping[tuple[str, str], Model]
    loaded: Mapping[tuple[str, str], LoadedDistance]

    def model(self, method: Method) -> Model:
        """The data of the method's distance."""
        return self.models[method.model, method.distance]

    def distance(self, method: Method) -> LoadedDistance:
        """The method's distance, for distances without sentence vectors."""
        return self.loaded.get((method.model, method.distance)) or method.record.load()

    def of(self, pairs: Pairs) -> tuple["Work", Pairs]:
        """The work for the maps of some pairs only, and the pairs renumbered."""
        used, local = np.unique(pairs, return_inverse=True)
        numbers: list[int] = used.tolist()
        maps = [self.maps[number] for number in numbers]
        models = {key: model.of(maps, numbers) for key, model in self.models.items()}
        return replace(self, maps=maps, models=models), local.reshape(-1, 2).astype(np.int32)


def prepared(
    maps: Sequence[Map],
    options: BatchOptions,
    models: Models,
    *,
    monitor: Monitor = UNWATCHED,
    notices: bool = True,
    pairs: Pairs | None = None,
) -> Work:
    """Load the models, and encode every text once with each encoder.

    Args:
        maps: the maps.
        options: the batch's options.
        models: the models; those that the methods name are loaded by it.
        monitor: receives the stages, and may stop the work.
        notices: collect warnings about each map's texts.
        pairs: the pairs whose sentences are compared, too; if None, only texts of nodes are encoded.
    """
    apart: dict[str, None] = {} if pairs is None else _sentences(maps)
    if "joined_text" in options.baselines:
        apart |= _joined(maps)
    read: dict[tuple[str, str], Model] = {}
    loaded: dict[tuple[str, str], LoadedDistance] = {}
    by_encoder: dict[str, Model] = {}

    def warned(model: Model, texts_notices: TextsNotices) -> Model:
        return replace(model, notices=_notices(maps, texts_notices, monitor)) if notices else model

    for key, method in {(each.model, each.distance): each for each in options.methods}.items():
        chosen = models.of(method.encoder, method.masked_model)
        if method.record.reads == "encoder" and method.model in by_encoder:
            read[key] = by_encoder[method.model]
        elif method.record.reads == "encoder":
            encoder = chosen.loaded_encoder()
            # One after the other, so that the last bits of nodes' vectors don't depend on what else is encoded.
            model = _encoded(encoder, _distinct(maps), monitor)
            model = _encoded(encoder, apart, monitor, model)
            if pairs is not None:
                named = (each.record for each in options.methods if each.model == method.model)
                distances = dict.fromkeys(each.function for each in named if each.reads == "encoder")
                condensed = _condensed(maps, pairs, model, distances)
                model = _encoded(encoder, _clauses(condensed), monitor, model)
            read[key] = by_encoder[method.model] = warned(model, partial(encoder_notices, encoder))
        else:
            distance = method.record.load(chosen)
            read[key] = warned(Model(*distance.model), distance.texts_notices)
            if method.record.reads != "none":
                loaded[key] = distance
        if "linear_bertscore" in options.baselines:
            loaded.setdefault((method.model, "bertscore"), DISTANCES["bertscore"].load(chosen))
    return Work(maps, options, read, loaded)


def _encoded(encoder: Encoder, texts: Iterable[str], monitor: Monitor, before: Model | None = None) -> Model:
    """The vectors from an encoder, after those encoded before; in single precision for models, which return it."""
    known = encoder_of(encoder)
    model = before or Model(known.name, known.fingerprint)
    new = [text for text in texts if text not in model.row]
    if not new:
        return model
    monitor.stage(f"Encoding {len(new):,} texts by {known.name}")
    kind = np.float32 if isinstance(encoder, SentenceEncoder) else np.float64
    found = embed(encoder, new, monitor)
    vectors: NDArray[np.floating[Any]] = np.array(list(found.values()), dtype=kind)
    if model.row:
        vectors = np.concatenate((model.vectors, vectors))
    row = {**model.row, **{text: number for number, text in enumerate(found, start=len(model.row))}}
    return replace(model, vectors=vectors, row=row)


def _notices(
    maps: Sequence[Map], texts_notices: TextsNotices, monitor: Monitor
) -> dict[str, list[tuple[str, ...]]]:
    """Context -> warnings about each map's texts."""
    monitor.stage(f"Checking the texts of {len(maps):,} maps")
    found: dict[str, list[tuple[str, ...]]] = {}
    for number, each in enumerate(maps, start=1):
        for context in (*each.texts, *each.errors):
            texts = each.texts.get(context, ())
            found.setdefault(context, []).append(texts_notices(texts, context) if texts else ())
        monitor.advance(number, len(maps))
        monitor.check()
    return found
