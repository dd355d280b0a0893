"""Quality of distances between text trees: how sensitive they are to structure and meaning rather than wording.

A row is a measure (TTED by a method, or a baseline), with its distances on every sample of variants of known kinds
and their coefficients.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from hashlib import sha256
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from tted_core.baselines import BASELINES, score_pairs
from tted_core.contexts import CONTEXTS
from tted_core.distances import Models
from tted_core.encoders.embedding import with_memory_cache
from tted_core.encoders.sentence_encoder import Encoder, load_encoder
from tted_core.errors import Interrupted, TTEDError
from tted_core.formats import MindMap
from tted_core.foundations.messages import list_some
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.lab.coefficients import Estimate, Quality, SampleScores, quality
from tted_core.lab.samples import Sample
from tted_core.method import Method
from tted_core.pipeline import Pairs, Prepared, PreparedMap, prepare, solve
from tted_core.version import VERSION

# The options of a row, in the order of its name.
NAMED_OPTIONS = ("encoder", "distance", "context", "order", "gap", "power")

AS_PUBLISHED = {"gap": 0, "power": 1}  # options left out of a measure's name if they have these values


@dataclass(frozen=True)
class QualityRow:
    """One measure on the samples.

    Attributes:
        options: encoder, distance, order, context, gap and power of a TTED; "baseline" of a baseline, and the
            encoder if it uses one.
        samples: the distances of each sample: of TTED, or ``rho_base`` of a baseline.
        complete: True if all samples were measured; otherwise only measured ones are present.
        unproven: number of distances that are upper bounds because the search ran out of time.
        signature: a line with which the row can be reproduced.
    """

    options: dict[str, Any]
    samples: tuple[SampleScores, ...] = field(repr=False)
    complete: bool
    unproven: int
    signature: str

    @property
    def name(self) -> str:
        """The name of the measure."""
        words = {"gap": "gap {}", "power": "p = {:g}"}
        options = [(name, value) for name, value in self.options.items() if value != AS_PUBLISHED.get(name)]
        named = ", ".join(words.get(name, "{}").format(value) for name, value in options)
        return f"TTED {named}" if "distance" in self.options else named

    @property
    def score(self) -> str:
        """The name of the distance."""
        return "rho_base" if "baseline" in self.options else "tted"

    @cached_property
    def quality(self) -> Quality:
        """The coefficients."""
        return quality(self.samples)

    def as_json(self) -> dict[str, Any]:
        """The row as the command line prints it."""
        measured = self.quality
        return {
            **{name: _estimate_json(estimate) for name, estimate in measured.figures.items()},
            "doubt": {name: estimate.doubt for name, estimate in measured.figures.items() if estimate.doubt},
            "rho": _by_size(measured.rho, "mean"),
            "rho_std": _by_size(measured.rho, "std"),
            "pooled": {name: _estimate_json(estimate) for name, estimate in measured.pooled.items()},
            "options": {**self.options, "score": self.score},
            "complete": self.complete,
            "unproven": self.unproven,
            "signature": self.signature,
        }


@dataclass(frozen=True)
class Report:
    """The rows of a grid; if it was stopped, it is not ``complete``, and its last row may not be.

    ``notices`` name what was requested and left out.
    """

    rows: tuple[QualityRow, ...]
    complete: bool
    notices: tuple[str, ...] = ()


def _estimate_json(estimate: Estimate) -> dict[str, Any]:
    """An estimate without the missing share, which is given separately."""
    return {name: value for name, value in asdict(estimate).items() if name != "left_out"}


def _by_size(rho: Mapping[str, Mapping[int, Estimate]], what: str) -> dict[str, dict[str, float | None]]:
    return {
        kind: {str(size): getattr(each, what) for size, each in sizes.items()} for kind, sizes in rho.items()
    }


class _Measure(NamedTuple):
    """The measure of a row.

    Attributes:
        options: those of the row.
        method: the TTED that is computed, or one by whose encoder texts are read; None if none is.
    """

    options: dict[str, Any]
    method: Method | None


def run_grid(
    samples: Sequence[Sample],
    methods: Sequence[Method],
    baselines: Sequence[str] = (),
    *,
    encoders: Sequence[str] = (Method.encoder,),
    load: Callable[[str], Encoder] = load_encoder,
    monitor: Monitor = UNWATCHED,
) -> Report:
    """Measure every sample by methods of TTED, and baselines.

    Args:
        samples: from ``read_samples``.
        methods: the methods; those with the same costs are quickest side by side.
        baselines: names of ``BASELINES``.
        encoders: names of the encoders with which baselines by meaning are measured.
        load: loads an encoder by name.
        monitor: receives the stages; once it is stopped, the samples so far are returned as not complete.

    Raises:
        Interrupted: stopped before one sample was measured.
        TTEDError: a variant can't be compared with its base.
    """
    measures = list(_list_measures(methods, dict.fromkeys(baselines), encoders))
    reading = [each.method for each in measures if each.method]
    contexts = sorted({each.context for each in reading})
    trees = [tree for sample in samples for tree in sample.trees]
    maps = [PreparedMap.of("a map of the samples", MindMap(tree, "tree"), contexts) for tree in trees]
    for error in (error for each in maps for error in each.errors.values()):
        raise error
    models = Models(load_encoder=lambda name: with_memory_cache(load(name)))
    encoding, measuring = (monitor.part(step, 2) for step in (0, 1))
    prepared = prepare(maps, reading, models, notices=False, is_exact=True, monitor=encoding)
    rows = _measure(prepared, measures, samples, measuring)
    if measures and not rows:
        raise Interrupted("stopped before one sample was measured; run it again")
    said = (
        notice if len(names) == len(samples) else f"{list_some(names)}: {notice}"
        for notice, names in _notices_about(prepared, methods, samples).items()
    )
    return Report(tuple(rows), all(row.complete for row in rows), tuple(said))


def _list_measures(
    methods: Sequence[Method], baselines: Iterable[str], encoders: Sequence[str]
) -> Iterator[_Measure]:
    """The measures by model: first baselines by words, which need none."""
    by_meaning = [name for name in baselines if BASELINES[name].reads != "none"]
    for name in (each for each in baselines if each not in by_meaning):
        yield _Measure({"baseline": name}, None)
    for model in dict.fromkeys((*(each.model for each in methods), *(encoders if by_meaning else ()))):
        own = [each for each in methods if each.model == model]
        for each in own:
            yield _Measure({name: each.described[name] for name in NAMED_OPTIONS}, each)
        if model in encoders:
            for name in by_meaning:
                yield _Measure({"encoder": model, "baseline": name}, Method(encoder=model))


def _notices_about(
    prepared: Prepared, methods: Sequence[Method], samples: Sequence[Sample]
) -> dict[str, list[str]]:
    """Warnings about the texts that each distance reads, with the names of the samples."""
    notices: dict[str, dict[str, None]] = {}
    for method in {(each.model, each.distance, each.context): each for each in methods}.values():
        for sample in samples:
            texts = [text for tree in sample.trees for text in CONTEXTS[method.context].texts(tree)]
            for notice in prepared.distance(method).texts_notices(texts, method.context):
                notices.setdefault(notice, {})[sample.name] = None
    return {notice: list(names) for notice, names in notices.items()}


def _measure(
    prepared: Prepared, measures: Sequence[_Measure], samples: Sequence[Sample], monitor: Monitor
) -> list[QualityRow]:
    """The rows of the measures, on as many samples as there is time for."""
    scores: list[list[SampleScores]] = [[] for _ in measures]
    unproven = [0] * len(measures)
    watched = Monitor(should_stop=monitor.should_stop)
    base = measured = 0
    for sample in samples:
        monitor.stage(f"Measuring {sample.name}", measured / len(samples))
        count = len(sample.trees) - 1
        pairs = np.array([(base, base + number) for number in range(1, count + 1)], dtype=np.int32)
        base += count + 1
        try:
            found = list(_score(prepared, measures, pairs, watched))
            watched.check()  # a stopped search may return a worse mapping than a repeated one
        except Interrupted:
            break
        except TTEDError as error:
            raise TTEDError(f"{sample.name}: {error}") from error
        measured += 1
        for number, (values, without_proof) in enumerate(found):
            unproven[number] += without_proof
            in_order = iter(values)
            of_kinds = {kind: tuple(islice(in_order, len(some))) for kind, some in sample.variants.items()}
            scores[number].append(SampleScores(sample.name, sample.size, of_kinds))
    return [
        QualityRow(
            options,
            tuple(of_samples),
            measured == len(samples),
            without_proof,
            _signature(options, prepared.model(method).fingerprint if method else "", samples),
        )
        for (options, method), of_samples, without_proof in zip(measures, scores, unproven, strict=True)
        if of_samples
    ]


def _score(
    prepared: Prepared, measures: Sequence[_Measure], pairs: Pairs, monitor: Monitor
) -> Iterator[tuple[list[float], int]]:
    """The distances of pairs by each measure, NaN where undefined, and how many of them aren't proven."""
    methods = [each.method for each in measures if each.method and "distance" in each.options]
    solved = list(solve(prepared, pairs, *methods, monitor=monitor))
    for error in (error for each in solved for error in each.errors.values()):
        raise error
    by_tted = (solved[number :: len(methods)] for number in range(len(methods)))
    trees = {number: prepared.maps[number].readable for number in np.unique(pairs).tolist()}
    both = [(left, right) for left, right in pairs.tolist()]
    vectors = {method: prepared.vectors(method) if method else None for _, method in measures}
    names: dict[Method | None, list[str]] = {}
    for options, method in measures:
        if "baseline" in options:
            names.setdefault(method, []).append(options["baseline"])
    baselines = {method: score_pairs(some, trees, both, vectors[method]) for method, some in names.items()}
    for each in measures:
        if "distance" in each.options:
            chunks = next(by_tted)
            distances = np.concatenate([chunk.tted for chunk in chunks])
            unproven = sum(int(np.count_nonzero(~chunk.proven)) for chunk in chunks)
            yield distances.tolist(), unproven
        else:
            found = baselines[each.method][each.options["baseline"]]
            yield np.array([getattr(score, "rho_base", None) for score in found], float).tolist(), 0


def _signature(options: Mapping[str, Any], fingerprint: str, samples: Sequence[Sample]) -> str:
    digests = "".join(tree.digest for sample in samples for tree in sample.trees)
    parts = {**options}
    if "encoder" in parts:
        parts["encoder"] += f"@{fingerprint}"
    settings = [f"{key}:{value}" for key, value in parts.items() if value != AS_PUBLISHED.get(key)]
    inputs = sha256(digests.encode("ascii")).hexdigest()[:8]
    return "|".join(["QUALITY", *settings, f"samples:{len(samples)}", f"in:{inputs}", f"v:{VERSION}"])
