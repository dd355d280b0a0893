"""Which system is better by a measure, in one sentence."""

from collections.abc import Sequence

from tted_core.formats.labels import counted
from tted_core.systems.statistics import LEVEL, Compared, PairRow

NAMED = 8
"""Systems that a sentence names; of more it says how many there are."""


SMALLEST_P = 0.001
"""A p below it is written as such."""


def verdict(compared: Compared, measure: str) -> str:
    """The sentence that answers which system is better by this measure; empty for a single system.

    >>> from tted_core.systems import SystemScores, compare_systems
    >>> import numpy as np
    >>> values = {"m": np.arange(20.0).reshape(2, 10)}
    >>> scores = SystemScores(tuple("abcdefghij"), ("low", "high"), values, frozenset())
    >>> verdict(compare_systems(scores, resamples=99), "m")
    'high is better than low by m (p Holm < 0.05).'
    """
    ranking = [row.system for row in compared.of(measure) if not row.is_control]
    if len(ranking) < 2:
        return ""
    if compared.baseline is not None:
        return _against(compared, compared.baseline, measure, ranking)
    best, others = ranking[0], ranking[1:]
    below = [name for name in others if _significant(compared.pair(best, name, measure))]
    level = f"(p Holm < {LEVEL:g})"
    if len(below) == len(others):
        every = f"all {len(below)} others" if len(below) > 2 else named(below)
        return f"{best} is better than {every} by {measure} {level}."
    rest = named([name for name in others if name not in below])
    if below:
        return f"{best} is better than {named(below)} by {measure} {level}, but not told apart from {rest}."
    pairs = [pair for pair in compared.pairs if pair.measure == measure]
    apart = sum(pair.significant for pair in pairs)
    more = f"; {apart} of {counted(len(pairs), 'pair')} of systems are told apart" if apart else ""
    return f"{best} has the best mean by {measure}, but is not told apart from {rest}{more}."


def verdict_in_figures(compared: Compared, measure: str) -> str:
    """The verdict with the means, the corrected p-values and the number of documents.

    >>> from tted_core.systems import SystemScores, compare_systems
    >>> import numpy as np
    >>> values = {"m": np.arange(20.0).reshape(2, 10)}
    >>> scores = SystemScores(tuple("abcdefghij"), ("low", "high"), values, frozenset())
    >>> verdict_in_figures(compare_systems(scores, resamples=99), "m")
    'high is best by m: 14.500 against 4.500, p = .020. 10 documents.'
    """
    rows = [row for row in compared.of(measure) if not row.is_control]
    documents = f"{counted(rows[0].n, 'document')}."
    best, others = rows[0], rows[1:]
    tests = {row.system: compared.pair(best.system, row.system, measure) for row in others}
    if not others:
        return f"{best.system} has a mean of {best.mean:.3f} by {measure}. {documents}"
    if compared.baseline is not None or not all(tests.values()):
        return f"{verdict(compared, measure)} {documents}".strip()
    below = [row.system for row in others if _significant(tests[row.system])]
    means = named([f"{row.mean:.3f}" for row in others])
    if len(below) == len(others):
        first = f"{best.system} is best by {measure}: {best.mean:.3f} against {means}, "
        apart = first + _p_values(compared, [(best.system, name) for name in below], measure)
        rest = [row.system for row in others]
    else:
        close = [row.system for row in others if row.system not in below]
        apart = f"{best.system} has the best mean by {measure}: {best.mean:.3f} against {means}"
        if all(row.mean == best.mean for row in others):
            apart = f"{named([row.system for row in rows])} have the same mean by {measure}: {best.mean:.3f}"
        if below:
            tested = _p_values(compared, [(best.system, name) for name in below], measure)
            apart += f"; it is better than {named(below)}, {tested}"
        rest = [best.system, *close]
    alike = [
        (one, other)
        for place, one in enumerate(rest)
        for other in rest[place + 1 :]
        if not _significant(compared.pair(one, other, measure))
    ]
    told = ""
    if alike and len(alike) == len(rest) * (len(rest) - 1) // 2:
        told = f" {named(rest)} can't be told apart, {_p_values(compared, alike, measure, least=True)}."
    elif alike:
        told = f" {counted(len(alike), 'pair')} of systems can't be told apart."
    return f"{apart}.{told} {documents}"


def _p_values(
    compared: Compared, pairs: Sequence[tuple[str, str]], measure: str, *, least: bool = False
) -> str:
    """The corrected p of these pairs: of several the largest, or the ``least``."""
    found = [compared.pair(*pair, measure) for pair in pairs]
    known = [pair.p_holm for pair in found if pair is not None and pair.p_holm is not None]
    if not known:
        return "not tested"
    sign, p = ("=" if len(known) == 1 else ">=", min(known)) if least else ("<=", max(known))
    if round(p, 3) == 1.0 and (least or len(known) == 1):  # no p is larger
        return "p = 1"
    sign = "=" if len(known) == 1 else sign
    return "p < .001" if p < SMALLEST_P else f"p {sign} {p:.3f}".replace(" 0.", " .")


def beaten(compared: Compared, measure: str) -> str:
    """The sentence that names controls with a better mean than systems; empty if there are none."""
    rows = [row for row in compared.of(measure) if not row.is_control]
    beating: dict[str, list[str]] = {}
    for control in compared.of(measure):
        if control.is_control:
            below = [row for row in rows if (control.mean < row.mean) == (measure in compared.lower)]
            below = [row for row in below if row.mean != control.mean]
            if below:
                which = (
                    f"all {len(rows)} systems"
                    if len(below) == len(rows) > 2
                    else named([row.system for row in below])
                )
                beating.setdefault(which, []).append(f"{control.system} ({control.mean:.3g})")
    if not beating:
        return ""
    parts = (
        f"{named(controls)} {'beats' if len(controls) == 1 else 'beat'} {which}"
        for which, controls in beating.items()
    )
    return f"By {measure}, controls that are no generated maps have better means: {'; '.join(parts)}."


def _against(compared: Compared, baseline: str, measure: str, ranking: Sequence[str]) -> str:
    place = ranking.index(baseline)
    sides = {
        "better": [name for name in ranking[:place] if _significant(compared.pair(name, baseline, measure))],
        "worse": [name for name in ranking[place:] if _significant(compared.pair(name, baseline, measure))],
    }
    sentences = [
        f"{named(names)} {'is' if len(names) == 1 else 'are'} {word} than {baseline}"
        for word, names in sides.items()
        if names
    ]
    rest = [name for name in ranking if name != baseline and name not in [*sides["better"], *sides["worse"]]]
    if rest:
        sentences.append(f"{named(rest)} {'is' if len(rest) == 1 else 'are'} not told apart from {baseline}")
    return f"By {measure}, {'; '.join(sentences)} (p Holm < {LEVEL:g})."


def named(names: Sequence[str]) -> str:
    """The names with an "and"; how many there are, if they are too many.

    >>> named(["a", "b", "c"]), named(["a"])
    ('a, b and c', 'a')
    """
    if len(names) > NAMED:
        return counted(len(names), "system")
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _significant(pair: PairRow | None) -> bool:
    return pair is not None and pair.significant
