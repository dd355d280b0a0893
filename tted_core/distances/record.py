"""What a node distance is: a record of ``DISTANCES``, and the same with the model that it reads."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from tted_core.contexts import CONTEXTS, EMPTY, Context, Nodes, joined
from tted_core.encoders.masked_model import DEFAULT_MASKED_MODEL, MaskedModel, load_masked_model
from tted_core.encoders.sentence_encoder import Encoder, load_encoder
from tted_core.errors import EncoderError, OptionsError
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.foundations.registry import lookup

Texts: TypeAlias = Sequence[str]
Matrix: TypeAlias = NDArray[np.float64]
Choice = TypeVar("Choice")

Model: TypeAlias = Literal["encoder", "word vectors", "masked model", "none"]
"""What a distance reads: vectors of sentences, vectors of words by the same encoder's transformer, the predictions
of a masked language model (which is not bundled), or nothing but the texts."""


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
        """The encoder, which is loaded if there is only its name.

        Raises:
            EncoderError: it can't be had.
        """
        return self.load_encoder(self.encoder) if isinstance(self.encoder, str) else self.encoder


@dataclass(frozen=True)
class Distance:
    """A node distance: an entry of ``DISTANCES``.

    Attributes:
        name: its name in the registry.
        note: one sentence for people that says what it counts.
        metric: whether the triangle inequality holds for all texts.
        reads: which model it reads.
        function: what computes (n, m) distances: of (n, d) and (m, d) vectors, of n and m texts, or by a model.
        ready: the models there are -> the distance by the one that it reads; see ``load``.
        symmetric: whether both directions are equally far.
    """

    name: str
    note: str
    metric: bool
    reads: Model
    function: Callable[..., Matrix]
    ready: Callable[["Distance", Models], "LoadedDistance"]
    symmetric: bool = True

    def load(self, models: Models | None = None) -> "LoadedDistance":
        """The distance by the model that it reads, which is loaded if only its name is given.

        Raises:
            EncoderError: the model can't be had.
            OptionsError: the encoder is a function, and word vectors are read.
        """
        return self.ready(self, models or Models())

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
        between: n nodes, m nodes, monitor -> (n, m) distances, at least 0, and exactly 0 for equal nodes.
        named: gives the name and the fingerprint of the model that is used.
        stage: what it does with texts, for people; ``{}`` stands for their number.
        reading: texts, monitor -> the same distance, for which what it asks of its model for them is at hand.
        texts_notices: texts, context's name -> what a reader of the distances of these texts should know.
        vectors: the encoder that it reads, which doesn't encode again what it has read; None if it reads none.
    """

    record: Distance
    between: Callable[[Nodes, Nodes, Monitor], Matrix]
    named: Callable[[], tuple[str, str]] = lambda: ("none", "none")
    stage: str = "Comparing texts ({})"
    reading: Callable[[Texts, Monitor], "LoadedDistance"] | None = None
    texts_notices: Callable[[Texts, str], tuple[str, ...]] = lambda _texts, _context: ()
    vectors: Encoder | None = None

    @property
    def model(self) -> tuple[str, str]:
        """The name and the fingerprint of the model that is used, for the signature.

        A caller's encoder is asked for ten texts when this is read first.
        """
        return self.named()

    def read(self, texts: Texts, monitor: Monitor = UNWATCHED) -> "LoadedDistance":
        """The same distance, which asks its model nothing more about these texts, wherever it can know it before.

        Raises:
            EncoderError: the model gives nothing that can be used.
        """
        return self if self.reading is None else self.reading(texts, monitor)

    def costs(self, left: Nodes, right: Nodes, monitor: Monitor = UNWATCHED) -> Matrix:
        """(n+1, m+1) distances of n and m nodes, the last row and column being those to the empty string, the gap.

        Raises:
            EncoderError: one is negative or not finite, or the model gives nothing that can be used.
            LimitError: the texts are too long for the distance.
        """
        costs = self.between(joined(left, EMPTY), joined(right, EMPTY), monitor)
        if not np.isfinite(costs).all() or (costs < 0).any():
            raise EncoderError(
                "the distance gives a cost that is negative or not a number; choose another encoder or distance"
            )
        return costs

    def notices(self, texts: Texts, context: str) -> tuple[str, ...]:
        """What a reader of TTED between maps of these texts in this context should know."""
        return (*self.record.notices, *self.texts_notices(texts, context))
