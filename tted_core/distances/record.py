"""What a distance between texts is: a record of TEXT_DISTANCES."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Texts: TypeAlias = Sequence[str]
Counted: TypeAlias = Callable[[int, int], None]
"""Called with (texts or pairs of texts done, how many in all); may raise to stop."""

Between: TypeAlias = Callable[[Texts, Texts, Counted], NDArray[np.float64]]
"""(n texts, m texts, progress) -> (n, m) float64, at least 0, and exactly 0 for equal texts.

The empty string is among the texts of both sides: it is what a deleted or inserted node is held against.
"""


@dataclass(frozen=True)
class TextDistance:
    """A distance between texts.

    Attributes:
        between: the distances; of one that reads a model, by its default model.
        metric: whether the triangle inequality holds for all texts.
        note: one sentence that says what it counts.
        symmetric: whether both directions are equally far.
        load: encoder's name -> the same distance by the word vectors of that encoder's transformer, or a masked
            model or its name -> the same distance by it; None where no model is used. May raise ``EncoderError``.
        model: the name and the fingerprint of the model that is used, for the signature.
        notices: what a reader of the distances of these texts should know.
    """

    between: Between
    metric: bool
    note: str
    symmetric: bool = True
    load: Callable[[Any], "TextDistance"] | None = None
    model: tuple[str, str] = ("none", "none")
    notices: Callable[[Texts], tuple[str, ...]] = lambda _texts: ()
