"""Where annotators differ, and what holds in the end."""

from collections.abc import Iterable
from dataclasses import dataclass

from tted_core.annotate.agreement import nominal_alpha
from tted_core.annotate.reviews.records import ADJUDICATOR, UNDECIDED, Judgement, Subject


@dataclass(frozen=True)
class Outcome:
    """One pair (or the whole map) with all that was said of it.

    Attributes:
        pair: what it is about.
        votes: the annotators' judgements, by name; the undecided are left out.
        ruling: the adjudicator's, if there is one.
    """

    pair: Subject
    votes: tuple[Judgement, ...]
    ruling: Judgement | None

    @property
    def disputed(self) -> bool:
        """Whether the annotators say different things."""
        return len({(each.decision, each.partner) for each in self.votes}) > 1

    @property
    def final(self) -> Judgement | None:
        """What holds: the ruling, or what all annotators say; None where that is open."""
        if self.ruling is not None:
            return self.ruling
        return self.votes[0] if self.votes and not self.disputed else None


def outcomes(judgements: Iterable[Judgement]) -> tuple[Outcome, ...]:
    """What was said of each pair that anybody has decided, by source and target; the whole map comes last."""
    votes: dict[Subject, list[Judgement]] = {}
    rulings: dict[Subject, Judgement] = {}
    for each in judgements:
        if each.decision == UNDECIDED:
            continue
        if each.role == ADJUDICATOR:
            rulings[each.pair] = each
        else:
            votes.setdefault(each.pair, []).append(each)
    return tuple(
        Outcome(
            pair,
            tuple(sorted(votes.get(pair, ()), key=lambda each: each.person)),
            rulings.get(pair),
        )
        for pair in sorted({*votes, *rulings}, key=_place)
    )


def agreement_of_judgements(judgements: Iterable[Judgement]) -> float | None:
    """Krippendorff's alpha (nominal) of the annotators' decisions on pairs; None where it is undefined.

    Two re-pairings agree if they name the same partner. Only pairs count that two annotators have decided.
    """
    found = [each for each in outcomes(judgements) if each.pair != (None, None)]
    people = sorted({vote.person for each in found for vote in each.votes})
    said = {
        (vote.person, each.pair): f"{vote.decision} {vote.partner}" for each in found for vote in each.votes
    }
    return nominal_alpha([[said.get((person, each.pair)) for each in found] for person in people])


def _place(pair: Subject) -> tuple[bool, float, float]:
    source, target = (float("inf") if node is None else node for node in pair)
    return pair == (None, None), source, target
