"""Sentences on the best system by a measure, and on measures that contradict it."""

from collections.abc import Iterable, Iterator, Sequence

from tted_core.formats.labels import counted
from tted_core.foundations.stats import tau
from tted_core.systems.scores import OF_TTED
from tted_core.systems.statistics import LEVEL, Compared, PairRow, SystemRow

NAMED = 8
"""Systems that a sentence names; of more it says how many there are."""

REVERSED = -1 + 1e-9
"""Kendall's tau, but for rounding, of two orders of which one is the other from its end."""

SMALLEST_P = 0.001
"""A p below it is written as such."""


def verdict(compared: Compared, measure: str) -> str:
    """The best system by a measure, its runner-up, and which others it is significantly better than.

    >>> from tted_core.systems import SystemScores, compare_systems
    >>> import numpy as np
    >>> values = {"m": np.arange(20.0).reshape(2, 10)}
    >>> scores = SystemScores(tuple("abcdefghij"), ("low", "high"), values, frozenset())
    >>> verdict(compare_systems(scores, resamples=99), "m")
    'high is best by m: 14.500 against 4.500 for low (p = .020). 10 documents.'
    """
    rows = [row for row in compared.of(measure) if not row.is_control]
    documents = f"{counted(rows[0].n, 'document')}."
    best, others = rows[0], [row.system for row in rows[1:]]
    if not others:
        return f"{best.system} has a mean of {best.mean:.3f} by {measure}. {documents}"
    if compared.baseline is not None:
        return f"{_against(compared, compared.baseline, measure)} {documents}"
    tests = {name: compared.pair(best.system, name, measure) for name in others}
    below = [name for name, test in tests.items() if test and test.significant]
    close = [name for name in others if name not in below]
    means = f"{measure}: {best.mean:.3f} against {rows[1].mean:.3f} for {others[0]}"
    if all(row.mean == best.mean for row in rows):
        every = named([row.system for row in rows])
        return f"{every} have the same mean by {measure}: {best.mean:.3f}. {documents}"
    if len(others) == 1:
        first = "is best" if below else "has the best mean"
        text = f"{best.system} {first} by {means} ({_p(tests.values())})"
    elif not close:
        every = f"all {len(below)} others" if len(below) > 2 else named(below)
        text = f"{best.system} is best by {means}; it is significantly better than {every} ({_p(tests.values())})"
    elif below:
        better = f"{named(below)} ({_p([tests[name] for name in below])})"
        text = (
            f"{best.system} has the best mean by {means}; it is significantly better than {better}, but not than "
            f"{named(close)}"
        )
    else:
        found = _p(tests.values(), least=True)
        text = f"{best.system} has the best mean by {means}, but isn't significantly ahead of any other ({found})"
    return f"{text}. {documents}"


def disagreement(compared: Compared, measure: str) -> str:
    """The measures by which significant differences contradict the ranking by ``measure``; empty if none do."""
    best, *_ = ranking = [row.system for row in compared.of(measure) if not row.is_control]
    pairs = [pair for pair in compared.pairs if pair.measure == measure and pair.significant]
    found: dict[str, list[str]] = {}
    for other in (name for name in compared.measures if name != measure and name not in OF_TTED[1:]):
        means = {row.system: row.mean for row in compared.of(other) if not row.is_control}
        leader = next(iter(means))
        ahead = compared.pair(best, leader, other)
        contradicted = [pair for pair in pairs if _contradicts(compared, pair, other)]
        if contradicted or (leader != best and ahead and ahead.significant):
            ranks = range(len(ranking)) if other in compared.lower else range(len(ranking), 0, -1)
            agreement = tau(list(ranks), [means[system] for system in ranking])
            order = "reversed" if agreement is not None and agreement <= REVERSED else "different"
            level = f"{means[leader]:.3f}" == f"{means[best]:.3f}"  # as tables show them
            leads = "" if level else f": {leader} leads"
            found.setdefault(f"the order is {order}{leads}", []).append(other)
    sentences = [f"By {named(measures)} {order}." for order, measures in found.items()]
    return " ".join(sentences)


def _contradicts(compared: Compared, pair: PairRow, other: str) -> bool:
    """Return True if another measure ranks the two systems significantly the other way round."""
    test = compared.pair(pair.a, pair.b, other)
    same_side = (pair.measure in compared.lower) == (other in compared.lower)
    return test is not None and test.significant and (pair.difference * test.difference < 0) == same_side


def _p(tests: Iterable[PairRow | None], *, least: bool = False) -> str:
    """The corrected p of these tests: of several the largest, or the ``least``."""
    known = [test.p_holm for test in tests if test is not None and test.p_holm is not None]
    if not known:
        return "not tested"
    p = min(known) if least else max(known)
    if round(p, 3) == 1.0 and (least or len(known) == 1):  # no p is larger
        return "p = 1"
    if p < SMALLEST_P:
        return "p < .001"
    sign = "=" if len(known) == 1 else ">=" if least else "<="
    return f"p {sign} {p:.3f}".replace(" 0.", " .")


def beaten(compared: Compared, measures: Sequence[str]) -> str:
    """The controls that beat systems by the first measure, and by which other measures one beats every system.

    Empty if there are none.
    """
    systems = compared.ranking
    beating: dict[tuple[str, ...], list[str]] = {}
    for control, worse in _worse_than_controls(compared, measures[0]):
        beating.setdefault(worse, []).append(f"{control.system} ({control.mean:.3g})")
    parts = []
    for worse, controls in beating.items():
        which = f"all {len(systems)} systems" if len(worse) == len(systems) > 2 else named(worse)
        parts.append(f"{named(controls)} {'beats' if len(controls) == 1 else 'beat'} {which}")
    sentences = [f"Trivial controls with better means by {measures[0]}: {'; '.join(parts)}."] if parts else []
    others = [
        measure
        for measure in measures[1:]
        if any(len(worse) == len(systems) for _, worse in _worse_than_controls(compared, measure))
    ]
    if others:
        which = named(others) if len(others) <= NAMED else f"{len(others)} of the {len(measures)} measures"
        sentences.append(f"A trivial control has a better mean than every system by {which}.")
    return " ".join(sentences)


def _worse_than_controls(compared: Compared, measure: str) -> Iterator[tuple[SystemRow, tuple[str, ...]]]:
    """Each control that has a better mean than systems, and these."""
    side = 1 if measure in compared.lower else -1
    rows = compared.of(measure)
    for control in rows:
        worse = tuple(
            row.system for row in rows if not row.is_control and side * (row.mean - control.mean) > 0
        )
        if control.is_control and worse:
            yield control, worse


def _against(compared: Compared, baseline: str, measure: str) -> str:
    ranking = [row.system for row in compared.of(measure) if not row.is_control]
    apart = {pair.a for pair in compared.pairs if pair.measure == measure and pair.significant}
    at = ranking.index(baseline)
    sides = {
        "significantly better than": [name for name in ranking[:at] if name in apart],
        "significantly worse than": [name for name in ranking[at:] if name in apart],
        "not significantly different from": [name for name in ranking if name not in {*apart, baseline}],
    }
    sentences = [
        f"{named(names)} {'is' if len(names) == 1 else 'are'} {how} {baseline}"
        for how, names in sides.items()
        if names
    ]
    return f"By {measure}, {'; '.join(sentences)} (p Holm < {LEVEL:g})."


def named(names: Sequence[str]) -> str:
    """The names with an "and"; how many there are, if they are too many.

    >>> named(["a", "b", "c"]), named(["a"])
    ('a, b and c', 'a')
    """
    if len(names) > NAMED:
        return counted(len(names), "system")
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
