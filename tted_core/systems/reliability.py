"""Which setting can be trusted: how surely a measure tells systems apart, and how well it agrees with itself.

- Pairs told apart: by a paired t-test (Student 1908) over the documents, p-values corrected by Holm's method.
- Split-half tau: the documents are halved by chance, each half ranks the systems by their means, and Kendall's
  tau-b says how well the two rankings agree; the mean over many halvings, and the middle 95 % of them.
- Effects: the sizes of the mean differences in standard deviations of the differences (Cohen's d_z).
"""

import functools
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tted_core.arithmetic import gap_text
from tted_core.batch.settings import BatchOptions
from tted_core.encoders.embedding import encoding_once
from tted_core.encoders.sentence_encoder import Encoder, load_encoder
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.foundations.stats import correlation_or_0, holm, kendall, paired_t_test, percentile_interval
from tted_core.method import Method
from tted_core.systems.documents import Collection
from tted_core.systems.measuring import measure_systems
from tted_core.systems.scores import SystemScores, Values
from tted_core.systems.statistics import LEVEL

SPLITS = 300
"""Halvings of the documents."""

SEARCHED_SECONDS = 2.0
"""Seconds for a pair of maps where the order is searched for, unless a method says otherwise."""

VARIED: tuple[dict[str, Any], ...] = (
    {"gap": 0.0, "power": 1.0},
    {"gap": 0.0, "power": 2.0},
    {"gap": "=1", "power": 2.0},
    {"gap": "=0.8", "power": 3.0},
    {"gap": "=0.8", "power": 8.0},
    {"gap": 0.0, "power": 1.0, "order": "unordered"},
)
"""Settings that are compared with the one that is asked for: other gaps, powers and orders."""


@dataclass(frozen=True)
class Reliability:
    """How far one measure can be trusted to compare systems.

    Attributes:
        setting: gap, power and order, in words; empty for a measure that doesn't depend on them.
        measure: its name.
        documents: how many count.
        pairs: of systems; ``apart`` are told apart.
        apart: see above.
        tau: the mean split-half tau; None for fewer than two documents or systems.
        tau95: the middle 95 % of the halvings.
        effects: quartiles of the sizes of d_z over the pairs that have one; None if none has.
        means: the least and the largest mean of a system.
        beating: controls with a better mean than some system.
    """

    setting: str
    measure: str
    documents: int
    pairs: int
    apart: int
    tau: float | None
    tau95: tuple[float, float] | None
    effects: tuple[float, ...] | None
    means: tuple[float, float]
    beating: tuple[str, ...] = ()


def varied(method: Method) -> tuple[Method, ...]:
    """The method, and it with the gaps, powers and orders of ``VARIED``, each once."""
    limit = method.time_limit
    others = (
        replace(method, **{"order": "constrained", **each}, time_limit=limit or SEARCHED_SECONDS)
        if each.get("order") == "unordered"
        else replace(method, **{"order": "constrained", **each})
        for each in VARIED
    )
    return tuple({in_words(each): each for each in (*others, method)}.values())


def in_words(method: Method) -> str:
    """Gap, power and order of a method.

    >>> in_words(Method.of("published"))
    'gap 0, power 1 (published)'
    """
    order = "" if method.order == "constrained" else f"{method.order}, "
    preset = f" ({method.preset})" if method.preset else ""
    return f"{order}gap {gap_text(method.gap)}, power {method.power:g}{preset}"


def measure_reliability(
    references: Sequence[Collection],
    systems: Mapping[str, Collection],
    options: BatchOptions,
    *,
    load: Callable[[str], Encoder] = load_encoder,
    monitor: Monitor = UNWATCHED,
    **how: Any,
) -> tuple[tuple[Reliability, ...], SystemScores]:
    """The reliability of all measures under the methods of ``varied``; and the scores under the one asked for.

    Args:
        references: as for ``measure_systems``.
        systems: likewise.
        options: one method, and baselines, which are measured once.
        load: what makes an encoder of its name; each text is encoded once.
        monitor: watches the stages, and may stop it.
        how: further arguments of ``measure_systems``.

    Raises:
        TTEDError: as ``measure_systems``.
    """
    kept = [[(name, functools.cache(read)) for name, read in each] for each in references]
    outputs = {
        system: [(name, functools.cache(read)) for name, read in each] for system, each in systems.items()
    }
    load_once = functools.cache(lambda name: encoding_once(load(name)))
    rows: list[Reliability] = []
    (asked,) = options.methods
    methods = varied(asked)
    for number, method in enumerate(methods):
        baselines = options.baselines if method == asked else ()
        chosen = replace(options, methods=(method,), baselines=baselines)
        part = monitor.part(number, len(methods))
        found = measure_systems(kept, outputs, chosen, load=load_once, monitor=part, **how).scores
        rows += reliabilities(found, in_words(method), without=baselines)
        if method == asked:
            scores = found
    rows += reliabilities(scores.only(options.baselines))
    return tuple(rows), scores


def reliabilities(
    scores: SystemScores,
    setting: str = "",
    *,
    without: Sequence[str] = (),
    splits: int = SPLITS,
    seed: int = 0,
) -> list[Reliability]:
    """The reliability of each measure but those ``without``, over the documents that all systems have."""
    return [
        _reliability(scores, measure, setting, splits, seed)
        for measure in scores.measures
        if measure not in without
    ]


def _reliability(scores: SystemScores, measure: str, setting: str, splits: int, seed: int) -> Reliability:
    whole = scores.whole(measure)
    values: Values = scores.contenders.measures[measure][:, whole]
    count = int(whole.sum())
    pairs = list(itertools.combinations(range(len(values)), 2))
    differences = [values[a] - values[b] for a, b in pairs]
    p = holm([paired_t_test(each) for each in differences])
    tau = _split_half(values, splits, seed) if count > 1 and pairs else None
    spreads = [each.std(ddof=1) if count > 1 else 0.0 for each in differences]
    effects = [
        abs(each.mean()) / spread for each, spread in zip(differences, spreads, strict=True) if spread > 0
    ]
    means = values.mean(axis=1) if count else np.full(len(values), np.nan)
    return Reliability(
        setting,
        measure,
        count,
        len(pairs),
        sum(each is not None and each < LEVEL for each in p),
        None if tau is None else float(tau.mean()),
        None if tau is None else percentile_interval(tau),
        None if not effects else tuple(float(each) for each in np.percentile(effects, (25, 50, 75))),
        (float(means.min()), float(means.max())),
        _beating(scores, measure, whole, means),
    )


def _split_half(values: Values, splits: int, seed: int) -> Values:
    """(splits,) Kendall's tau-b of the rankings by two halves of the documents; 0 where one ranks nothing."""
    rng = np.random.default_rng(seed)
    n = values.shape[1]
    orders = np.array([rng.permutation(n) for _ in range(splits)])
    halves = [values[:, places].mean(axis=-1).T for places in (orders[:, : n // 2], orders[:, n // 2 :])]
    return correlation_or_0(kendall, *halves)


def _beating(scores: SystemScores, measure: str, whole: Any, means: Values) -> tuple[str, ...]:
    """The controls whose mean is better than that of the worst system."""
    sign = 1.0 if measure in scores.lower else -1.0
    controls = {
        name: np.nanmean(row[whole])
        for name, row in zip(scores.systems, scores.measures[measure], strict=True)
        if name in scores.controls and np.isfinite(row[whole]).any()
    }
    return tuple(name for name, mean in controls.items() if sign * mean < (sign * means).max())


def reliability_lines(rows: Sequence[Reliability]) -> list[str]:
    """The rows as lines of a terminal."""
    width = max(len("setting"), *(len(row.setting) for row in rows)) + 2
    names = max(len("measure"), *(len(row.measure) for row in rows)) + 2
    head = (
        f"{'setting':<{width}}{'measure':<{names}}{'docs':>6}{'apart':>10}{'tau':>7}{'95 %':>16}{'|d_z|':>24}"
        f"{'means':>20}  controls that beat a system"
    )
    lines = [head]
    for row in rows:
        cells = cells_of(row)
        lines.append(
            f"{row.setting:<{width}}{row.measure:<{names}}{row.documents:>6}{cells['pairs told apart']:>10}"
            f"{cells['tau']:>7}{cells['95 %']:>16}{cells['|d_z|']:>24}{cells['means']:>20}  {cells['controls']}"
        )
    legend = (
        f"apart: pairs of systems told apart (paired t-test, Holm, {LEVEL:.0%}); tau: agreement of the rankings "
        f"by two halves of the documents (Kendall's tau-b, mean of {SPLITS} halvings, and the middle 95 % of "
        "them); |d_z|: quartiles over the pairs of the mean difference in standard deviations of the differences"
    )
    return [*lines, "", legend]


def cells_of(row: Reliability) -> dict[str, str]:
    """The cells of a row in words, by the titles of their columns."""
    return {
        "pairs told apart": f"{row.apart} of {row.pairs}",
        "tau": "" if row.tau is None else f"{row.tau:.2f}",
        "95 %": "" if row.tau95 is None else "{:.2f} to {:.2f}".format(*row.tau95),
        "|d_z|": "" if row.effects is None else " · ".join(f"{each:.2f}" for each in row.effects),
        "means": "{:.4g} to {:.4g}".format(*row.means),
        "controls": ", ".join(row.beating) or "none",
    }
