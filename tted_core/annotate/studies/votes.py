"""How far reviewers agree on the mappings of a study: alpha over all of them, and by two reviewers at a time."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations
from typing import TYPE_CHECKING

from tted_core.annotate.agreement import Alpha, nominal_alpha, ordinal_alpha
from tted_core.annotate.reviews import (
    UNDECIDED,
    VERDICTS,
    Gold,
    Judged,
    Outcome,
    TaskSummary,
    outcomes,
    verdict_of,
)
from tted_core.comparison import Signature

if TYPE_CHECKING:
    import pandas as pd

SEED = 0


@dataclass(frozen=True)
class TwoReviewers:
    """How far two agree: on so many pairs that both have judged, they said the same so often."""

    both: int
    same: int
    alpha: Alpha


@dataclass(frozen=True)
class StudyAgreement:
    """Agreement over all tasks of a study.

    Attributes:
        people: whoever has judged a pair, by name.
        items: pairs of nodes that anybody has judged.
        shared: those that two or more have judged.
        disputed: those of which they say different things.
        changed: votes that were changed after those of others were shown; alpha counts what they were before.
        alpha: over all of them.
        of_maps: ordinal alpha of the verdicts on whole mappings (good, needs work, unusable), as they stand now.
        two: by the places of two reviewers in ``people``, i < j.
        signature: one line that lets a reader repeat alpha.
    """

    people: tuple[str, ...]
    items: int
    shared: int
    disputed: int
    changed: int
    alpha: Alpha
    of_maps: Alpha
    two: dict[tuple[int, int], TwoReviewers]
    signature: str


def agreement_of_study(judged: Sequence[Judged]) -> StudyAgreement:
    """Measure it over all tasks, by the judgements of pairs and by the verdicts on whole mappings."""
    found: list[tuple[int, Outcome, dict[str, str]]] = [
        (number, each, {vote.person: verdict_of(vote, number) for vote in each.votes})
        for number, its in enumerate(judged)
        for each in outcomes(its.counted)
        if each.pair != (None, None)
    ]
    verdicts = [
        (number, [vote.decision for vote in each.votes])
        for number, its in enumerate(judged)
        for each in outcomes(its.judgements)
        if each.pair == (None, None)
    ]
    people = tuple(sorted({person for _, _, said in found for person in said}))
    two = {}
    for first, second in combinations(range(len(people)), 2):
        names = people[first], people[second]
        both = [
            (task, [said[name] for name in names]) for task, _, said in found if said.keys() >= set(names)
        ]
        two[first, second] = TwoReviewers(
            len(both), sum(one == other for _, (one, other) in both), nominal_alpha(both, seed=SEED)
        )
    alpha = nominal_alpha([(task, list(said.values())) for task, _, said in found], seed=SEED)
    shared = sum(len(said) > 1 for *_, said in found)
    return StudyAgreement(
        people,
        len(found),
        shared,
        sum(each.disputed for _, each, _ in found),
        sum(len(each.changed) for each in judged),
        alpha,
        ordinal_alpha(verdicts, [each for each in VERDICTS if each != UNDECIDED], seed=SEED),
        two,
        _signature([each.task for each in judged], alpha, (len(people), shared)),
    )


@dataclass(frozen=True)
class Accuracy:
    """How many hidden checks one reviewer has judged, and how many of them right."""

    person: str
    judged: int
    right: int


def accuracy_of(judged: Sequence[Judged], gold: Iterable[Gold]) -> tuple[Accuracy, ...]:
    """Everybody's accuracy on the hidden checks, by name, of votes as alpha counts them (see ``blind_votes``)."""
    key = {(each.task, each.pair): (each.decision, each.partner) for each in gold}
    found: dict[str, list[bool]] = {}
    for its in judged:
        for vote in its.counted:
            right = key.get((its.task.number, vote.pair))
            if right is not None and vote.decision != UNDECIDED:
                found.setdefault(vote.person, []).append(vote.content[:2] == right)
    return tuple(Accuracy(person, len(each), sum(each)) for person, each in sorted(found.items()))


def agreement_table(agreement: StudyAgreement) -> "pd.DataFrame":
    """Reviewers by reviewers, as INCEpTION lays it out: above the diagonal alpha, below it what it is made of.

    Below: on how many pairs of nodes both said the same, of those that both have judged.
    """
    import pandas as pd

    people = agreement.people

    def cell(row: int, column: int) -> str:
        if row == column:
            return ""
        two = agreement.two[min(row, column), max(row, column)]
        if row > column:
            return f"{two.same}/{two.both}"
        value, low, high = two.alpha.value, two.alpha.low, two.alpha.high
        if value is None:
            return "–"
        return f"{value:.3f}" if low is None else f"{value:.3f} [{low:.3f}, {high:.3f}]"

    everybody = range(len(people))
    rows = [[people[row], *(cell(row, column) for column in everybody)] for row in everybody]
    return pd.DataFrame(rows, columns=["Reviewer", *people])


def _signature(tasks: Sequence[TaskSummary], alpha: Alpha, counts: tuple[int, int]) -> str:
    """In the manner of a comparison's: what was counted, and the setting of all tasks, or how many there are."""
    settings = {setting_of(each.signature) for each in tasks}
    people, shared = counts
    digest = sha256("\n".join(each.signature for each in tasks).encode()).hexdigest()
    parts = [
        "ALPHA",
        "of:judgements",
        "level:nominal",
        f"people:{people}",
        f"tasks:{alpha.units}",
        f"pairs:{shared}",
        f"seed:{SEED}",
        settings.pop() if len(settings) == 1 else f"settings:{len(settings)}",
        f"in:{digest[:8]}",
    ]
    return "|".join(parts)


def setting_of(signature: str) -> str:
    """The part of a comparison's signature that says under which setting it was made."""
    return Signature.read(signature).setting or "not fixed"
