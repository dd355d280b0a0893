"""What a node distance is: a record of ``DISTANCES``, and the same with the model that it reads."""

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
"""What a distance reads: vectors of sentences, vectors of words by the same encoder's transformer, the predictions
of a masked language model (which is not bundled), or nothing but the texts."""

Nodes: TypeAlias = Matrix | Sequence[str]
"""What is compared of n nodes: their (n, d) vectors where a distance reads those of sentences, else n texts."""


@dataclass(frozen=True)
class Models:
    """The models there are for a distance, which takes the one that it reads: each loaded, or its name.

    Attributes:
        encoder: a name for ``load_encoder``, or any function from n texts to (n, d) vectors.
        masked_model: a name for ``load_masked_model``, or a loaded one.
        load_encoder: what makes an encoder of its name, if vectors of sentences are read.
        load_masked_model: the same for a masked model.
    """

    encoder: str | Encoder = "minilm"
    masked_model: str | MaskedModel = DEFAULT_MASKED_MODEL
    load_encoder: Callable[[str], Encoder] = field(default_factory=lambda: load_encoder)
    load_masked_model: Callable[[str], MaskedModel] = field(default_factory=lambda: load_masked_model)

    def of(self, encoder: str, masked_model: str) -> "Models":
        """These models where they are loaded, and else those of these names."""
        return replace(
            self,
            encoder=encoder if isinstance(self.encoder, str) else self.encoder,
            masked_model=masked_model if isinstance(self.masked_model, str) else self.masked_model,
        )

    def loaded_encoder(self) -> Encoder:
        """The encoder, which is loaded if there is only its name."""
        return self.load_encoder(self.encoder) if isinstance(self.encoder, str) else self.encoder

    def loaded_masked_model(self) -> MaskedModel:
        """The same of the masked model."""
        model = self.masked_model
        return self.load_masked_model(model) if isinstance(model, str) else model


@dataclass(frozen=True)
class Distance:
    """A node distance: an entry of ``DISTANCES``.

    Attributes:
        name: its name in the registry.
        function: what computes (n, m) distances, at least 0, and exactly 0 for equal nodes: of (n, d) and (m, d)
            vectors if it reads an encoder; else of the model, if it reads one, n texts, m texts and a monitor.
        note: one sentence for people that says what it counts.
        reads: which model it reads.
        metric: whether the triangle inequality holds for all texts.
        symmetric: whether both directions are equally far.
    """

    name: str
    function: Callable[..., Matrix]
    note: str
    reads: Model = "encoder"
    metric: bool = True
    symmetric: bool = True

    def load(self, models: Models | None = None) -> "LoadedDistance":
        """The distance by the model that it reads, which is loaded if only its name is given."""
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
        """Which of the two (names, loaded models, options ...) belongs to the model it reads; None if to none."""
        of_model = {"encoder": encoder, "word vectors": encoder, "masked model": masked_model}
        return of_model.get(self.reads)

    def models(self, encoders: Sequence[str], masked_model: str = DEFAULT_MASKED_MODEL) -> Sequence[str]:
        """The names of the models to measure it by where these models are asked for; "none" if it reads none."""
        return self.model_of(encoder=encoders, masked_model=(masked_model,)) or ("none",)

    def goes_with(self, context: Context) -> bool:
        """Whether it can be used in this context: one that works on vectors needs vectors of sentences."""
        return context.blend is None or self.reads == "encoder"

    def check_goes_with(self, context: str) -> None:
        """Raise ``OptionsError`` if it can't be used in the context of this name."""
        if not self.goes_with(lookup(CONTEXTS, context, "context")):
            choices = ", ".join(name for name, each in CONTEXTS.items() if self.goes_with(each))
            raise OptionsError(
                f"the context {context} works on vectors, and the distance {self.name} on the texts themselves; "
                f"choose one of the contexts {choices}, or another distance"
            )

    @property
    def notices(self) -> tuple[str, ...]:
        """What follows for TTED if its node distance is no metric."""
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
    """A node distance with its model.

    Attributes:
        record: the distance.
        reader: the model that it reads: an encoder, a ``BERTScorer`` or a masked model; None if it reads none.
        known: the (d,) vectors of texts that the encoder has read.
    """

    record: Distance
    reader: Any = None
    known: Mapping[str, NDArray[np.float64]] = field(default_factory=dict, repr=False)

    @property
    def model(self) -> tuple[str, str]:
        """The name and the fingerprint of the model that is used, for the signature.

        A caller's encoder is asked for ten texts when this is read first.
        """
        if self.reader is None:
            return "none", "none"
        layer = f"/layer{self.reader.layer}" if self.record.reads == "word vectors" else ""
        return self.reader.name, f"{self.reader.fingerprint}{layer}"

    @property
    def stage(self) -> str:
        """What it does with texts, for people; ``{}`` stands for their number."""
        return "Encoding {} texts" if self.record.reads == "encoder" else "Comparing texts ({})"

    @property
    def vectors(self) -> Encoder | None:
        """The encoder that it reads, which doesn't encode again what it has read; None if it reads none."""
        if self.record.reads != "encoder":
            return None
        return lambda texts: np.asarray(self.read(texts).nodes(texts))

    def read(self, texts: Sequence[str], monitor: Monitor = UNWATCHED) -> "LoadedDistance":
        """The same distance, which asks its encoder nothing more about these texts."""
        if self.record.reads != "encoder":
            return self
        new = [text for text in texts if text not in self.known]
        return replace(self, known={**self.known, **embed(self.reader, new, monitor)}) if new else self

    def nodes(self, texts: Sequence[str]) -> Nodes:
        """What is compared of nodes with these texts, which it has read."""
        return np.array([self.known[text] for text in texts]) if self.record.reads == "encoder" else texts

    def in_context(self, context: Context, tree: TextTree, texts: Sequence[str]) -> Nodes:
        """What is compared of a tree's nodes in a context; it has read their texts there."""
        nodes = self.nodes(texts)
        return nodes if context.blend is None else context.blend(tree, np.asarray(nodes))

    def costs(
        self, context: Context, left: TextTree, right: TextTree, monitor: Monitor = UNWATCHED
    ) -> Matrix:
        """(n+1, m+1) distances of two trees' nodes, the last row and column being those to the gap."""
        texts = context.texts(left), context.texts(right)
        ready = self.read((*texts[0], *texts[1], ""), monitor)
        nodes = ready.in_context(context, left, texts[0]), ready.in_context(context, right, texts[1])
        return ready.between(*nodes, monitor)

    def between(self, left: Nodes, right: Nodes, monitor: Monitor = UNWATCHED) -> Matrix:
        """(n+1, m+1) distances of n and m nodes, the last row and column being those to the gap, ""."""
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
                "the distance gives a cost that is negative or not a number; choose another encoder or distance"
            )
        return costs

    def texts_notices(self, texts: Sequence[str], context: str) -> tuple[str, ...]:
        """What a reader of the distances of these texts should know, by the context's name."""
        if self.record.reads == "encoder":
            return encoder_notices(self.reader, texts, context)
        if self.record.reads == "word vectors":
            return scorer_notices(self.reader, texts)
        return () if self.reader is None else masked_model_notice(self.reader.name, texts)
