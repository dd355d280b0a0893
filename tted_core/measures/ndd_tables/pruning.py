"""What compression prunes of dependency trees (Table 6 of the paper).

Depth-n is the share of all pruned words that stand at level n of their tree, the root being 1; Subtree-n the
share of the pruned spans of n words that are whole subtrees. The paper's random deletes "random words of the
same number"; here spans of the same lengths are put at random places, so that both are held against the same.
"""

from collections.abc import Sequence

import numpy as np

from tted_core.distances.ndd import Compressor, Weights, choose_spans
from tted_core.encoders.masked_model import MaskedModel
from tted_core.measures.ndd_tables.parsed import ParsedSentence
from tted_core.measures.ndd_tables.table import Asked, PaperTable
from tted_core.monitor import UNWATCHED, Monitor

DEPTHS = ("depth 1", "depth 2", "depth 3", "depth ≥ 4")
LENGTHS = ("subtree 1", "subtree 2", "subtree ≥ 3")

Spans = list[tuple[ParsedSentence, int, int]]
"""Words ``start`` to ``stop - 1`` of a sentence."""


def pruning_table(
    sentences: Sequence[ParsedSentence],
    model: MaskedModel,
    asked: Asked,
    monitor: Monitor = UNWATCHED,
) -> PaperTable:
    """Random and NDD, for each L_max and NDD_max.

    Raises:
        LimitError: a sentence has too many words for the model, or for trying all spans.
        Interrupted: the monitor said stop.
    """
    rng = np.random.default_rng(asked.seed)
    settings = [(longest, limit) for longest in asked.max_spans for limit in asked.limits]
    compressor = Compressor(model, max(asked.max_spans), Weights(asked.mu, asked.nu, balanced=True))
    pruned: dict[tuple[str, int, float], Spans] = {
        (method, *setting): [] for method in ("random", "NDD") for setting in settings
    }
    for parsed in monitor.over(sentences, f"Trying the spans of {len(sentences)} sentences"):
        scored = compressor.spans(parsed.sentence, monitor)
        for longest, limit in settings:
            short = [span for span in scored if span.stop - span.start <= longest]
            chosen = choose_spans(parsed.sentence, short, limit)
            lengths = [span.stop - span.start for span in chosen]
            places = random_spans(len(parsed.heads), lengths, rng)
            pruned["NDD", longest, limit] += [(parsed, span.start, span.stop) for span in chosen]
            pruned["random", longest, limit] += [(parsed, *place) for place in places]
    rows = tuple(
        {"method": method, "L_max": float(longest), "NDD_max": limit, **proportions(spans)}
        for (method, longest, limit), spans in pruned.items()
    )
    return PaperTable(rows, (f"{len(sentences)} sentences",))


def proportions(spans: Spans) -> dict[str, float | None]:
    """Depth-n and Subtree-n in percent, None of no words or spans; and how many words were pruned."""
    depths = [
        min(parsed.depths[at], len(DEPTHS)) for parsed, start, stop in spans for at in range(start, stop)
    ]
    whole: dict[int, list[bool]] = {}
    for parsed, start, stop in spans:
        found = whole.setdefault(min(stop - start, len(LENGTHS)), [])
        found.append(frozenset(range(start, stop)) in parsed.subtrees)
    return {
        **{
            name: 100 * depths.count(depth) / len(depths) if depths else None
            for depth, name in enumerate(DEPTHS, start=1)
        },
        **{
            name: 100 * float(np.mean(whole[length])) if length in whole else None
            for length, name in enumerate(LENGTHS, start=1)
        },
        "words pruned": float(len(depths)),
    }


def random_spans(size: int, lengths: Sequence[int], rng: np.random.Generator) -> list[tuple[int, int]]:
    """Spans of these lengths in a random order at random places among ``size`` words, none overlapping another."""
    order = rng.permutation(np.array(lengths, dtype=int))
    free = size - int(order.sum())
    places = np.sort(rng.permutation(free + len(order))[: len(order)])
    # What stands before a span: the free words up to it, and the spans before it.
    starts = places - np.arange(len(order)) + np.cumsum(order) - order
    return [(int(start), int(start + length)) for start, length in zip(starts, order, strict=True)]
