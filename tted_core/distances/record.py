"""Records of node distances, with and without the loaded model."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from tted_core.contexts import CONTEXTS, Context
from tted_core.distances.by_models import scorer_notices, scorer_of
from tted_core.encoders.embedding import embed
from tted_core.encoders.masked_model import DEFAULT_MASKED_MODEL, MaskedModel, load_masked_model
from tted_core.encoders.remembered import encoder_of
from tted_core.encoders.sentence_encoder import Encoder, load_encoder
from tted_core.errors import EncoderError, OptionsError
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.foundations.registry import lookup
from tted_core.notices import encoder_notices, masked_model_notice
from tted_core.tree import TextTree

Matrix: TypeAlias = NDArray[np.float64]
Choice = TypeVar("Choice")

Model: TypeAlias = Literal["encoder", "word vectors", "masked model", "none"]
"""Input of a distance: sentence vectors, word vectors of the same encoder's transformer, the predictions of a
masked language model (which is not bundled), or only the texts."""

Nodes: TypeAlias = Matrix | Sequence[str]
"""Representation of n nodes: (n, d) vectors for distances between sentence vectors, else n texts."""


@dataclass(frozen=True)
class Models:
    """Models for a distance, which uses the one it needs; each is loaded or given by name.

    Attributes:
        encoder: a name for ``load_encoder``, or any function from n texts to (n, d) vectors.
        masked_model: a name for ``load_masked_model``, or a loaded one.
        load_encoder: loads an encoder by name, if sentence vectors are needed.
        load_masked_model: loads a masked model by name.
    """

    encoder: str | Encoder = "minilm"
    masked_model: str | MaskedModel = DEFAULT_MASKED_MODEL
    load_encoder: Callable[[str], Encoder] = field(default_factory=lambda: load_encoder)
    load_masked_model: Callable[[str], MaskedModel] = field(default_factory=lambda: load_masked_model)

    def of(self, encoder: str, masked_model: str) -> "Models":
        """These models if they are loaded, or else those with these names."""
        return replace(
            self,
            encoder=encoder if isinstance(self.encoder, str) else self.encoder,
            masked_model=masked_model if isinstance(self.masked_model, str) else self.masked_model,
        )

    def loaded_encoder(self) -> Encoder:
        """The encoder, loaded if it is given by name."""
        return self.load_encoder(self.encoder) if isinstance(self.encoder, str) else self.encoder

    def loaded_masked_model(self) -> MaskedModel:
        """The masked model, loaded if it is given by name."""
        model = self.masked_model
        return self.load_masked_model(model) if isinstance(model, str) else model


@dataclass(frozen=True)
class Distance:
    """A node distance: an entry of ``DISTANCES``.

    Attributes:
        name: name in the registry.
        function: returns (n, m) distances, at least 0, and exactly 0 for equal nodes. It takes (n, d) and (m, d)
            vectors if it needs an encoder; else the model, if it needs one, n texts, m texts and a monitor.
        note: one sentence for users.
        reads: the input that it needs.
        metric: True if the triangle inequality holds for all texts.
        symmetric: True if both directions are equal.
    """

    name: str
    function: Callable[..., Matrix]
    note: str
    reads: Model = "encoder"
    metric: bool = True
    symmetric: bool = True

    def load(self, models: Models | None = None) -> "LoadedDistance":
        """The distance with its model, which is loaded if it is given by name."""
        models = models or Models()
        reader: Any = None
        if self.reads == "encoder":
            reader = encoder_of(models.loaded_encoder())
        elif self.reads == "word vectors":
            reader = scorer_of(models.encoder, self.name)
        elif self.reads == "masked model":
            reader = models.loaded_masked_model()
        return LoadedDistance(self, reader)

    def model_of(self, *, encoder: Choice, masked_model: Choice) -> Choice | None:
        """Select the argument (name, loaded model, option ...) that belongs to its model; None if it uses none."""
        of_model = {"encoder": encoder, "word vectors": encoder, "masked model": masked_model}
        return of_model.get(self.reads)

    def models(self, encoders: Sequence[str], masked_model: str = DEFAULT_MASKED_MODEL) -> Sequence[str]:
        """The names of the models with which to measure it, given the requested ones; "none" if it uses none."""
        return self.model_of(encoder=encoders, masked_model=(masked_model,)) or ("none",)

    def goes_with(self, context: Context) -> bool:
        """Return True if it supports this context: a context that blends vectors needs sentence vectors."""
        return context.blend is None or self.reads == "encoder"

    def check_goes_with(self, context: str) -> None:
        """Raise ``OptionsError`` if it doesn't support the context of this name."""
        if not self.goes_with(lookup(CONTEXTS, context, "context")):
            choices = ", ".join(name for name, each in CONTEXTS.items() if self.goes_with(each))
            raise OptionsError(
                f"the context {context} needs vectors, but the distance {self.name} compares texts; "
                f"choose one of the contexts {choices}, or another distance"
            )

    @property
    def notices(self) -> tuple[str, ...]:
        """A notice about TTED if the node distance isn't a metric."""
        if self.metric:
            return ()
        broken = "the triangle inequality" if self.symmetric else "symmetry and the triangle inequality"
        text = (
            f"the distance {self.name} is not a metric, so TTED and the Steinhaus score with it are not metrics "
            f"either: both are 0 for equal maps, but {broken} can break"
        )
        return (text,)


@dataclass(frozen=True)
class LoadedDistance:
    """A node distance with its loaded model.

    Attributes:
        record: the distance.
        reader: the model: an encoder, a ``BERTScorer`` or a masked model; None if it needs none.
        known: the (d,) vectors of texts encoded so far.
    """

    record: Distance
    reader: Any = None
    known: Mapping[str, NDArray[np.float64]] = field(default_factory=dict, repr=False)

    @property
    def model(self) -> tuple[str, str]:
        """The name and the fingerprint of the model, for the signature.

        On first use, a caller's encoder is called with ten texts.
        """
        if self.reader is None:
            return "none", "none"
        layer = f"/layer{self.reader.layer}" if self.record.reads == "word vectors" else ""
        return self.reader.name, f"{self.reader.fingerprint}{layer}"

    @property
    def stage(self) -> str:
        """Name of the stage that reads texts; ``{}`` stands for their number."""
        return "Encoding {} texts" if self.record.reads == "encoder" else "Comparing texts ({})"

    @property
    def vectors(self) -> Encoder | None:
        """The encoder with the vectors computed so far; None if it needs none."""
        if self.record.reads != "encoder":
            return None
        return lambda texts: np.asarray(self.read(texts).nodes(texts))

    def read(self, texts: Sequence[str], monitor: Monitor = UNWATCHED) -> "LoadedDistance":
        """The distance with all vectors of these texts, so that its encoder isn't called for them again."""
        if self.record.reads != "encoder":
            return self
        new = [text for text in texts if text not in self.known]
        return replace(self, known={**self.known, **embed(self.reader, new, monitor)}) if new else self

    def nodes(self, texts: Sequence[str]) -> Nodes:
        """The representation of nodes with these texts, which were read before."""
        return np.array([self.known[text] for text in texts]) if self.record.reads == "encoder" else texts

    def in_context(self, context: Context, tree: TextTree, texts: Sequence[str]) -> Nodes:
        """The representation of a tree's nodes in a context; their texts were read before."""
        nodes = self.nodes(texts)
        return nodes if context.blend is None else context.blend(tree, np.asarray(nodes))

    def costs(
        self, context: Context, left: TextTree, right: TextTree, monitor: Monitor = UNWATCHED
    ) -> Matrix:
        """(n+1, m+1) distances of two trees' nodes; the last row and column are those to the gap."""
        texts = context.texts(left), context.texts(right)
        ready = self.read((*texts[0], *texts[1], ""), monitor)
        nodes = ready.in_context(context, left, texts[0]), ready.in_context(context, right, texts[1])
        return ready.between(*nodes, monitor)

    def between(self, left: Nodes, right: Nodes, monitor: Monitor = UNWATCHED) -> Matrix:
        """(n+1, m+1) distances of n and m nodes; the last row and column are those to the gap, ""."""
        if self.record.reads == "encoder":
            gap = self.nodes(("",))
            costs = self.record.function(np.vstack([left, gap]), np.vstack([right, gap]))
        else:
            function = (
                self.record.function if self.reader is None else partial(self.record.function, self.reader)
            )
            costs = function((*left, ""), (*right, ""), monitor)
        if not np.isfinite(costs).all() or (costs < 0).any():
            raise EncoderError(
                "the distance returned a cost that is negative or not a number; choose another encoder or distance"
            )
        return costs

    def texts_notices(self, texts: Sequence[str], context: str) -> tuple[str, ...]:
        """Warnings about the distances of these texts in a context, given by name."""
        if self.record.reads == "encoder":
            return encoder_notices(self.reader, texts, context)
        if self.record.reads == "word vectors":
            return scorer_notices(self.reader, texts)
        return () if self.reader is None else masked_model_notice(self.reader.name, texts)
