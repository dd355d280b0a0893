"""Variants: the same two maps under other options, to see which option drives the score.

Texts are encoded once for all variants of an encoder. The effect of an option is how far the normalized distance
moves when it alone is changed: the range over its settings, averaged over all settings of the others.
"""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tted_core.comparing import compare
from tted_core.comparison import Comparison
from tted_core.contexts import CONTEXTS
from tted_core.distances import TEXT_DISTANCES
from tted_core.encoders.sentence_encoder import Encoder, SentenceEncoder
from tted_core.errors import Interrupted
from tted_core.limits import MAX_VARIANTS, check_limit
from tted_core.registry import lookup
from tted_core.search import Progress

Settings: TypeAlias = tuple[str, str, str, str]
"""Encoder ("none" for a distance of texts), context, distance, order."""

OPTIONS = ("encoder", "context", "distance", "order")


@dataclass(frozen=True)
class Variant:
    """A comparison under some settings; ``same_pairs`` of its node pairs are those of the comparison on hand."""

    settings: Settings
    comparison: Comparison
    same_pairs: int


def variants(
    current: Comparison,
    encoders: Mapping[str, Callable[[], Encoder]],
    contexts: Sequence[str],
    distances: Sequence[str],
    orders: Sequence[str],
    *,
    time_limit: float | None = None,
    progress: Progress = lambda _stage, _share: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> tuple[Variant, ...]:
    """Compare the same two maps under all combinations of these settings.

    Args:
        current: the comparison on hand, whose maps (as trimmed) are compared and whose pairs are looked for.
        encoders: name -> a function that loads the encoder; called when its turn comes.
        contexts: names of ``CONTEXTS``.
        distances: names of ``DISTANCES`` and ``TEXT_DISTANCES``.
        orders: names of ``SOLVERS``.
        time_limit: seconds for each variant in an order that may take long.
        progress: is told how far it is.
        should_stop: is asked often; once it says yes, the variants done so far are returned.

    Raises:
        LimitError: more than ``MAX_VARIANTS`` combinations.
        Interrupted: ``should_stop`` said yes before there was one.
        TTEDError: what ``compare`` says of the settings.
    """
    wanted = combinations(tuple(encoders), contexts, distances, orders)
    check_limit(len(wanted), MAX_VARIANTS, "variants", "choose fewer settings")
    done: list[Variant] = []
    loaded: dict[str, Encoder] = {}
    for count, (name, context, distance, order) in enumerate(wanted):
        if should_stop():
            break
        if name not in loaded and name in encoders and distance not in TEXT_DISTANCES:
            progress(f"Loading the encoder {name}", count / len(wanted))
            loaded[name] = _remembering(encoders[name]())
        stage = f"Variant {count + 1} of {len(wanted)}: {name}, {context}, {distance}, {order}"

        def tell(_stage: str, share: float, *, stage: str = stage, count: int = count) -> None:
            progress(stage, (count + share) / len(wanted))

        try:
            comparison = compare(
                current.left,
                current.right,
                encoder=name if distance in TEXT_DISTANCES else loaded[name],
                context=context,
                distance=distance,
                order=order,
                time_limit=time_limit,
                progress=tell,
                should_stop=should_stop,
            )
        except Interrupted:
            break
        done.append(Variant((name, context, distance, order), comparison, same_pairs(current, comparison)))
    if wanted and not done:
        raise Interrupted("stopped before the first variant was compared; run them again")
    return tuple(done)


def combinations(
    encoders: Sequence[str], contexts: Sequence[str], distances: Sequence[str], orders: Sequence[str]
) -> list[Settings]:
    """All settings that go together: a distance of texts takes no context of vectors; most take no encoder."""
    of_vectors = [name for name in distances if name not in TEXT_DISTANCES]
    with_encoder = [name for name in distances if name in TEXT_DISTANCES and TEXT_DISTANCES[name].load]
    without = [name for name in distances if name in TEXT_DISTANCES and not TEXT_DISTANCES[name].load]
    text_contexts = [name for name in contexts if lookup(CONTEXTS, name, "context").blend is None]
    return [
        *itertools.product(encoders, contexts, of_vectors, orders),
        *itertools.product(encoders, text_contexts, with_encoder, orders),
        *itertools.product(("none",), text_contexts, without, orders),
    ]


def same_pairs(one: Comparison, other: Comparison) -> int:
    """How many node pairs the mappings of two comparisons of the same maps have in common."""
    return len(_pairs(one) & _pairs(other))


def effects(scores: Mapping[Settings, float]) -> dict[str, float]:
    """Option -> how far the score moves when it alone is changed, on average over the other options' settings.

    Args:
        scores: settings -> score. An option of which one setting was tried is left out; of an incomplete grid
            those settings of the others count for which at least two of the option were tried.
    """
    found: dict[str, float] = {}
    for place, option in enumerate(OPTIONS):
        groups: dict[tuple[str, ...], list[float]] = {}
        for settings, score in scores.items():
            groups.setdefault((*settings[:place], *settings[place + 1 :]), []).append(score)
        ranges = [max(group) - min(group) for group in groups.values() if len(group) > 1]
        if ranges:
            found[option] = float(np.mean(ranges))
    return found


def _pairs(comparison: Comparison) -> set[tuple[int, int]]:
    return {
        (op.source, op.target)
        for op in comparison.script.ops
        if op.source is not None and op.target is not None
    }


def _remembering(encoder: Encoder) -> Encoder:
    """The same encoder, which encodes no text twice while the variants are made."""
    seen: dict[str, NDArray[np.floating]] = {}
    encode = encoder.encode if isinstance(encoder, SentenceEncoder) else encoder

    def encode_new(texts: Sequence[str]) -> NDArray[np.floating]:
        new = list(dict.fromkeys(text for text in texts if text not in seen))
        if new:
            seen.update(zip(new, encode(new), strict=True))
        return np.array([seen[text] for text in texts])

    return replace(encoder, encode=encode_new) if isinstance(encoder, SentenceEncoder) else encode_new
