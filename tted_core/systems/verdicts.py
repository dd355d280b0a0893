"""Sentences on the best system by a measure, and on measures that contradict it."""

from collections.abc import Callable, Iterator, Sequence
from math import isclose
from typing import NamedTuple

from tted_core.baselines import measure_title
from tted_core.batch.controls import BATCH_CONTROLS
from tted_core.foundations.messages import counted, join_with_and
from tted_core.systems.scores import OF_TTED
from tted_core.systems.statistics import LEVEL, Compared, PairRow, SystemRow

_NAMED = 8  # systems that a sentence names; of more it says how many there are

MORE_THAN_ROUNDING = 1e-9  # two means of equal scores may differ by less, as the scores were added up

SMALLEST_P = 0.001  # a p below it is written as such


class Wording(NamedTuple):
    """The form in which a sentence writes the names of systems and of measures."""

    system: Callable[[str], str]
    measure: Callable[[str], str] = str


def in_quotes(name: str) -> str:
    """The name of a system, in quotes if it has plain words, which would read as a part of the sentence.

    >>> in_quotes("our system"), in_quotes("GPT-4o"), in_quotes("Qwen 2.5 7B")
    ('“our system”', 'GPT-4o', 'Qwen 2.5 7B')
    """
    plain = name not in BATCH_CONTROLS and any(word.isalpha() and word.islower() for word in name.split())
    return f"“{name}”" if plain else name


def in_words(measure: str) -> str:
    """The title of a measure within a sentence.

    >>> in_words("normalized"), in_words("cmgn_rouge1"), in_words("My own")
    ('normalized distance', 'R-1', 'My own')
    """
    title = measure_title(measure)
    return f"{title[0].lower()}{title[1:]}" if title != measure and title[1].islower() else title


# Sentences of the terminal and of a paper, where other measures have the names by which options call them.
TYPED = Wording(in_quotes, lambda measure: in_words(measure) if measure in OF_TTED else measure)


def verdict(compared: Compared, measure: str, wording: Wording = TYPED) -> str:
    """The best system by a measure, its runner-up, and which others it is significantly better than.

    >>> from tted_core.systems import SystemScores, compare_systems
    >>> import numpy as np
    >>> values = {"m": np.arange(20.0).reshape(2, 10)}
    >>> scores = SystemScores(tuple("abcdefghij"), ("GPT-4", "low"), values, frozenset("m"))
    >>> verdict(compare_systems(scores, resamples=99), "m")
    'GPT-4 is significantly better than “low”: mean m 4.500 against 14.500 (p = .020; 10 documents).'
    """
    rows = [row for row in compared.of(measure) if not row.is_control]
    title, documents = wording.measure(measure), counted(rows[0].n, "document")
    leaders = [row.system for row in rows if isclose(row.mean, rows[0].mean)]
    others = rows[len(leaders) :]
    subject = _name_systems(leaders, wording)
    if len(rows) == 1:
        return (
            f"{subject} has a mean {title} of {rows[0].mean:.3f} ({documents}). No other system was compared."
        )
    if not others:
        return f"{subject} have the same mean {title}: {rows[0].mean:.3f} ({documents})."
    leads, are = ("leads", "is") if len(leaders) == 1 else ("share the lead", "are")
    best, second = _distinct(rows[0].mean, others[0].mean)
    runner_up = f" for {wording.system(others[0].system)}" if len(others) > 1 else ""
    means = f"{title} {best} against {second}{runner_up}"
    if rows[0].n == 1:
        return f"{subject} {leads} on one document, too few for a test: {means}."
    if compared.baseline is not None and len(rows) > 2:
        return _against(compared, compared.baseline, measure, wording)
    tests = {
        row.system: [test for leader in leaders if (test := compared.pair(leader, row.system, measure))]
        for row in others
    }
    below = [name for name, found in tests.items() if all(test.significant for test in found)]
    close = [name for name in tests if name not in below]
    p = _p([test for name in below or close for test in tests[name]], least=not below)
    if close and below:
        ahead, level = _name_systems(below, wording), _name_systems(close, wording)
        return (
            f"{subject} {leads}, significantly ahead of {ahead} ({p}) but not of {level}: "
            f"mean {means} ({documents})."
        )
    every = f"all {len(others)} others" if len(others) > 2 else _name_systems([*tests], wording)
    other, few = "any other" if len(others) > 1 else every, ""
    better = f"{are} significantly better than {every}"
    if close:
        better, few = f"{leads}, but {are}n't significantly ahead of {other}", _too_few(compared, measure)
    return f"{subject} {better}: mean {means} ({p}; {documents}).{few}"


def _distinct(one: float, other: float) -> tuple[str, str]:
    """Two different means, with as many decimals as show that they differ."""
    texts = ((f"{one:z.{digits}f}", f"{other:z.{digits}f}") for digits in range(3, 12))
    return next((pair for pair in texts if pair[0] != pair[1]), (f"{one:.3g}", f"{other:.3g}"))


def _too_few(compared: Compared, measure: str) -> str:
    """A sentence if no difference can be significant, however large it is; else nothing."""
    tests = [pair for pair in compared.pairs if pair.measure == measure]
    by_documents, by_resamples = 2.0 ** (1 - tests[0].n), 1 / (compared.resamples + 1)
    if len(tests) * max(by_documents, by_resamples) < LEVEL:
        return ""
    few, way = counted(tests[0].n, "document"), "compare more"
    if by_documents < by_resamples:
        few, way = f"{compared.resamples:,} resamples", "test against one system"
    at_once = f" and {len(tests)} tests at once" if len(tests) > 1 else ""
    return f" With {few}{at_once} no difference can be significant; {way}."


def disagreement(compared: Compared, measure: str, wording: Wording = TYPED) -> str:
    """The measures by which significant differences contradict the ranking by ``measure``; empty if none do."""
    best = next(row.system for row in compared.of(measure) if not row.is_control)
    pairs = [pair for pair in compared.pairs if pair.measure == measure and pair.significant]
    found: dict[str, list[str]] = {}
    for other in (name for name in compared.measures if name != measure and name not in OF_TTED[1:]):
        means = {row.system: row.mean for row in compared.of(other) if not row.is_control}
        leader = next(iter(means))
        ahead = compared.pair(best, leader, other)
        contradicted = [pair for pair in pairs if _contradicts(compared, pair, other)]
        if contradicted or (leader != best and ahead and ahead.significant):
            level = f"{means[leader]:.3f}" == f"{means[best]:.3f}"  # as tables show them
            leads = "" if level else f": {wording.system(leader)} leads"
            found.setdefault(leads, []).append(wording.measure(other))
    sentences = (
        f"By {join_with_and(names)} the order is different{leads}." for leads, names in found.items()
    )
    return " ".join(sentences)


def _contradicts(compared: Compared, pair: PairRow, other: str) -> bool:
    """Return True if another measure ranks the two systems significantly the other way round."""
    test = compared.pair(pair.a, pair.b, other)
    same_side = (pair.measure in compared.lower) == (other in compared.lower)
    return test is not None and test.significant and (pair.difference * test.difference < 0) == same_side


def _p(tests: Sequence[PairRow], *, least: bool = False) -> str:
    """The corrected p of these tests: of several the largest, or the ``least``."""
    known = [test.p_holm for test in tests if test.p_holm is not None]
    p = min(known) if least else max(known)
    if p < SMALLEST_P:
        return "p < .001"
    if round(p, 3) == 1.0:
        return "p = 1"
    sign = "=" if len(known) == 1 else "at least" if least else "at most"
    return f"p {sign} {p:.3f}".replace(" 0.", " .")


def beaten(compared: Compared, measures: Sequence[str], wording: Wording = TYPED) -> str:
    """The controls that beat systems by the first measure, and by which other measures one beats every system.

    Empty if there are none.
    """
    systems = compared.ranking
    beating: dict[tuple[str, ...], list[str]] = {}
    for control, worse in _worse_than_controls(compared, measures[0]):
        beating.setdefault(worse, []).append(f"{wording.system(control.system)} with {control.mean:.3g}")
    parts = []
    for worse, controls in beating.items():
        which = (
            f"all {len(systems)} systems" if len(worse) == len(systems) > 2 else _name_systems(worse, wording)
        )
        parts.append(f"{join_with_and(controls)} {'beats' if len(controls) == 1 else 'beat'} {which}")
    title = wording.measure(measures[0])
    sentences = [f"Trivial controls do better by {title}: {'; '.join(parts)}."] if parts else []
    others = [
        wording.measure(measure)
        for measure in measures[1:]
        if any(len(worse) == len(systems) for _, worse in _worse_than_controls(compared, measure))
    ]
    if others:
        sentences.append(f"By {join_with_and(others)} a trivial control does better than every system.")
    return " ".join(sentences)


def _worse_than_controls(compared: Compared, measure: str) -> Iterator[tuple[SystemRow, tuple[str, ...]]]:
    """Each control that has a better mean than systems, and these."""
    side = 1 if measure in compared.lower else -1
    rows = compared.of(measure)
    for control in rows:
        worse = tuple(
            row.system
            for row in rows
            if not row.is_control and side * (row.mean - control.mean) > MORE_THAN_ROUNDING
        )
        if control.is_control and worse:
            yield control, worse


def _against(compared: Compared, baseline: str, measure: str, wording: Wording) -> str:
    ranking = [row.system for row in compared.of(measure) if not row.is_control]
    apart = {pair.a for pair in compared.pairs if pair.measure == measure and pair.significant}
    at, n = ranking.index(baseline), compared.of(measure)[0].n
    sides = {
        "significantly better than": [name for name in ranking[:at] if name in apart],
        "significantly worse than": [name for name in ranking[at:] if name in apart],
        "not significantly different from": [name for name in ranking if name not in {*apart, baseline}],
    }
    other = wording.system(baseline)
    sentences = [
        f"{_name_systems(names, wording)} {'is' if len(names) == 1 else 'are'} {how} {other}"
        for how, names in sides.items()
        if names
    ]
    level = f"p < {LEVEL:g} after Holm's correction; {counted(n, 'document')}".replace(" 0.", " .")
    few = "" if apart else _too_few(compared, measure)
    return f"By {wording.measure(measure)}, {'; '.join(sentences)} ({level}).{few}"


def _name_systems(names: Sequence[str], wording: Wording) -> str:
    """The systems with an "and"; how many there are, if they are too many."""
    if len(names) > _NAMED:
        return counted(len(names), "system")
    return join_with_and([wording.system(name) for name in names])
