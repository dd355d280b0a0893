"""Where reviewers differ, and what holds in the end."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from tted_core.annotate.reviews.records import (
    ADJUDICATOR,
    REVIEWER,
    UNDECIDED,
    Judgement,
    Subject,
    TaskSummary,
)


@dataclass(frozen=True)
class Outcome:
    """One pair (or the whole map) with all that was said of it.

    Attributes:
        pair: what it is about.
        votes: the reviewers' judgements, by name; the undecided are left out.
        ruling: the adjudicator's, if there is one.
    """

    pair: Subject
    votes: tuple[Judgement, ...]
    ruling: Judgement | None

    @property
    def disputed(self) -> bool:
        """Whether the reviewers say different things."""
        return len({(each.decision, each.partner) for each in self.votes}) > 1

    @property
    def decided_by(self) -> str:
        """What it holds by: a ruling, or so many votes that say the same; "open" where nothing holds."""
        if self.ruling is not None:
            return f"ruling by {self.ruling.person}"
        if self.final is None:
            return "open"
        return "one vote" if len(self.votes) == 1 else f"all {len(self.votes)} votes"

    @property
    def final(self) -> Judgement | None:
        """What holds: the ruling, or what all reviewers say; None where that is open."""
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


def is_blind(pairs: Collection[Subject], own: Iterable[Judgement]) -> bool:
    """Whether what others say of a mapping mustn't be shown to somebody who judges it: not all of theirs is in."""
    return not {each.pair for each in own if each.decision != UNDECIDED}.issuperset(pairs)


@dataclass(frozen=True)
class Judged:
    """A task with all its judgements, and the votes that alpha counts (see ``blind_votes``)."""

    task: TaskSummary
    judgements: tuple[Judgement, ...]
    counted: tuple[Judgement, ...]

    @property
    def changed(self) -> dict[tuple[str, Subject], Judgement]:
        """By reviewer and pair, the votes that alpha counts and that were changed since."""
        now = {(each.person, each.pair): each for each in self.judgements if each.role == REVIEWER}
        counted = {(each.person, each.pair): each for each in self.counted if each.decision != UNDECIDED}
        return {
            key: each
            for key, each in counted.items()
            if key not in now or now[key].content[:2] != each.content[:2]
        }


def blind_votes(history: Iterable[Judgement], pairs: int | None) -> tuple[Judgement, ...]:
    """Each reviewer's votes on pairs as they stood when all were in, before others' votes were shown to them.

    These are the votes that alpha counts. Of a reviewer who hasn't judged all pairs yet, and where the number of
    pairs isn't known (None), they are the latest.

    Args:
        history: every judgement of a task as it was saved, the oldest first.
        pairs: how many pairs its mapping has.
    """
    votes: dict[str, dict[Subject, Judgement]] = {}
    for each in history:
        mine = votes.setdefault(each.person, {})
        if each.role == ADJUDICATOR or each.pair == (None, None):
            continue
        if pairs is None or sum(vote.decision != UNDECIDED for vote in mine.values()) < pairs:
            mine[each.pair] = each
    return tuple(vote for mine in votes.values() for vote in mine.values())


def verdict_of(vote: Judgement, task: int = 0) -> str:
    """What alpha counts: two re-pairings agree if they name the same node of the same task's map."""
    if vote.partner is None:
        return vote.decision
    return f"{vote.decision} {'left' if vote.source is None else 'right'} {vote.partner} of {task}"


def _place(pair: Subject) -> tuple[bool, float, float]:
    source, target = (float("inf") if node is None else node for node in pair)
    return pair == (None, None), source, target
