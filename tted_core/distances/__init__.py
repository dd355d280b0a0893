"""Node distances: what two nodes are apart, by vectors of sentences, letters, words, BERTScore or NDD.

``DISTANCES`` is all of them. Those that are no metrics are allowed in every order: the cheapest mapping is well
defined for any costs, and 0 for equal maps. The distance of maps is then no metric either, and a notice says so.
"""

from collections.abc import Iterable

from tted_core.contexts import CONTEXTS
from tted_core.distances.by_models import BERTSCORE_DISTANCES, NDD_DISTANCES
from tted_core.distances.record import Distance, LoadedDistance, Models, Texts
from tted_core.distances.strings import STRING_DISTANCES, of_texts
from tted_core.distances.vectors import VECTOR_DISTANCES, of_vectors
from tted_core.encoders.masked_model import DEFAULT_MASKED_MODEL
from tted_core.foundations.registry import lookup

DISTANCES: dict[str, Distance] = {
    each.name: each for each in (*VECTOR_DISTANCES, *BERTSCORE_DISTANCES, *STRING_DISTANCES, *NDD_DISTANCES)
}


def distances_at_hand() -> dict[str, Distance]:
    """The distances that need no model but the encoder; a masked model may not be there at all."""
    return {name: each for name, each in DISTANCES.items() if each.reads != "masked model"}


def all_settings(
    encoders: Iterable[str],
    contexts: Iterable[str],
    distances: Iterable[str],
    masked_model: str = DEFAULT_MASKED_MODEL,
) -> list[tuple[str, str, str]]:
    """All (model, context, distance) that go together, by names, model by model.

    A distance is measured by each encoder, or once by the model that it reads instead: "none" if it reads none.

    Raises:
        UnknownNameError: a distance or a context that isn't known.
    """
    encoders = list(encoders)
    chosen = [lookup(DISTANCES, name, "distance") for name in distances]
    in_contexts = [(name, lookup(CONTEXTS, name, "context")) for name in contexts]
    read = (model for each in chosen for model in each.models(encoders, masked_model))
    models = dict.fromkeys((*(model for model in read if model not in encoders), *encoders))
    return [
        (model, name, each.name)
        for model in models
        for name, context in in_contexts
        for each in chosen
        if model in each.models(encoders, masked_model) and each.goes_with(context)
    ]


__all__ = [
    "DISTANCES",
    "Distance",
    "LoadedDistance",
    "Models",
    "Texts",
    "all_settings",
    "distances_at_hand",
    "of_texts",
    "of_vectors",
]
