"""Records of reviews: tasks, judgements, studies and assignments, and the rules that make one valid."""

import unicodedata
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TypeAlias

from tted_core.errors import ReviewError
from tted_core.foundations.limits import (
    MAX_COMMENT_CHARACTERS,
    MAX_GUIDELINE_CHARACTERS,
    MAX_NAME_CHARACTERS,
    check_limit,
)
from tted_core.method import Method
from tted_core.script import EditOp
from tted_core.tree import TextTree

REVIEWER, ADJUDICATOR = "reviewer", "adjudicator"
"""Roles. Each reviewer has a judgement of their own on a pair; of an adjudicator there is one, whoever it is."""

UNDECIDED = "undecided"

DECISIONS = ("accept", "reject", "re-pair", UNDECIDED)
"""Of a pair: it is right; it is wrong and neither has a partner; it is wrong and the partner is another node."""

VERDICTS = ("good", "needs work", "unusable", UNDECIDED)
"""Of the map as a whole."""

# Characters that turn the direction of text around them, which a name has no use for.
_DIRECTIONS = {*range(0x202A, 0x202F), *range(0x2066, 0x206A)}

NEW = 0
"""In place of the number of a task that isn't known to be in the database."""

Subject: TypeAlias = tuple[int | None, int | None]
"""What is judged: (left node, right node) in preorder, None for the gap; (None, None) is the whole map."""


@dataclass(frozen=True)
class Judgement:
    """What one person says of one pair of nodes, or of the map as a whole (source and target None).

    Args:
        person: who says it.
        source: the pair's left node (preorder); None if the right node is inserted.
        target: its right node; None if the left node is deleted.
        decision: one of ``DECISIONS``, or of ``VERDICTS`` for the whole map.
        partner: with "re-pair" the right partner: a right node for the pair's left one, or, for an inserted right
            node, a left node.
        comment: anything else.
        role: ``REVIEWER`` or ``ADJUDICATOR``.
        revision: how often it was saved, 0 for never. One that was read and is saved again carries the revision
            that was read, so that a write in between is noticed.
        saved: when, in UTC (ISO 8601); empty for never.
    """

    person: str
    source: int | None
    target: int | None
    decision: str
    partner: int | None = None
    comment: str = ""
    role: str = REVIEWER
    revision: int = 0
    saved: str = ""

    @property
    def pair(self) -> Subject:
        """What it is about."""
        return self.source, self.target

    @property
    def content(self) -> tuple[str, int | None, str]:
        """What it says."""
        return self.decision, self.partner, self.comment

    @property
    def key(self) -> tuple[str, str, Subject]:
        """What there can be one of in a task: an adjudicator's is one, whoever wrote it."""
        return self.role, self.person if self.role == REVIEWER else "", self.pair


@dataclass(frozen=True)
class Fixed:
    """What is judged of a task: its two maps' mapping, as it was computed once and for all.

    Attributes:
        options: those of the comparison.
        signature: the comparison's, one line that lets a reader repeat it.
        ops: the operations in the order in which they are judged.
    """

    method: Method
    signature: str
    ops: tuple[EditOp, ...] = field(repr=False)


@dataclass(frozen=True)
class Task:
    """A document with two maps of it; ``number`` is its key in the database, or ``NEW``.

    ``study`` is the name of the study that it belongs to, "" for none: each study has its own of the same maps.
    ``fixed`` is the mapping that is judged, None in tasks of before 0.2: these are compared anew by whoever looks.
    """

    number: int
    document: str
    left: TextTree = field(repr=False)
    right: TextTree = field(repr=False)
    left_name: str
    right_name: str
    study: str = ""
    fixed: Fixed | None = None


@dataclass(frozen=True)
class Study:
    """A study as a whole.

    Attributes:
        name: what it is called; there is one of each name.
        guidelines: Markdown that stands beside the work.
        deadline: the last day (ISO 8601); "" for none.
        seed: of every reviewer's own order.
        made: when, in UTC.
    """

    name: str
    guidelines: str = ""
    deadline: str = ""
    seed: int = 0
    made: str = ""


@dataclass(frozen=True)
class Assignment:
    """Who is to judge a task.

    Attributes:
        task: its number.
        person: who.
        place: its position in their order of the study, from 0.
        opened: when they first looked at it, in UTC; "" for not yet.
    """

    task: int
    person: str
    place: int
    opened: str = ""


@dataclass(frozen=True)
class Gold:
    """A settled pair that is a hidden check, which reviewers judge like any other and are measured by.

    Attributes:
        task: the number of its task.
        source: the pair's left node.
        target: its right node.
        decision: what held when it was marked: one of ``DECISIONS``.
        partner: with "re-pair" the right partner.
        person: who marked it; "" where nobody's name is known.
        saved: when, in UTC.
    """

    task: int
    source: int | None
    target: int | None
    decision: str
    partner: int | None = None
    person: str = ""
    saved: str = ""

    @property
    def pair(self) -> Subject:
        """What it is about."""
        return self.source, self.target


@dataclass(frozen=True)
class FiledTask:
    """A task as in a file: its judgements, their history if known, who is to judge it, and its hidden checks."""

    task: Task
    judgements: tuple[Judgement, ...]
    history: tuple[Judgement, ...] = ()
    assignments: tuple[Assignment, ...] = ()
    gold: tuple[Gold, ...] = ()


@dataclass(frozen=True)
class TaskSummary:
    """A task with its maps' digests only, and how far each person is: pairs decided, and the verdict if any.

    ``signature`` is that of the fixed mapping, and ``pairs`` how many there are to judge; "" and None where it
    isn't fixed.
    """

    number: int
    document: str
    left_digest: str
    right_digest: str
    left_name: str
    right_name: str
    decided: dict[str, int]
    verdicts: dict[str, str]
    study: str = ""
    signature: str = ""
    pairs: int | None = None

    @property
    def digests(self) -> tuple[str, str]:
        """Its maps'."""
        return self.left_digest, self.right_digest


def clean_name(text: str, what: str) -> str:
    """A name as it is kept: one line, no control characters, composed (NFC); ``what`` names it in messages.

    Raises:
        ReviewError: nothing is left of it that can be seen.
        LimitError: it is too long.
    """
    composed = unicodedata.normalize("NFC", storable(text))
    name = " ".join("".join(each for each in composed if ord(each) not in _DIRECTIONS).split())
    if not name_key(name):
        raise ReviewError(f"{what} is empty; write one")
    check_limit(len(name), MAX_NAME_CHARACTERS, f"characters in {what}", "shorten it")
    return name


def name_key(name: str) -> str:
    """What two spellings of one person's name have in common: "anna" and "Anna" are one, however composed.

    Canonical caseless matching (Unicode, D145), without characters that nobody sees.
    """
    folded = unicodedata.normalize("NFD", unicodedata.normalize("NFD", name).casefold())
    visible = "".join(each for each in folded if unicodedata.category(each) != "Cf")
    return unicodedata.normalize("NFC", " ".join(visible.split()))


def checked(judgement: Judgement, left: TextTree, right: TextTree) -> Judgement:
    """The judgement with its texts cleaned.

    Raises:
        ReviewError: it has an unknown decision or role, or names a node that isn't there.
        LimitError: its comment or the name is too long.
    """
    check_limit(len(judgement.comment), MAX_COMMENT_CHARACTERS, "characters in the comment", "shorten it")
    _check_nodes(judgement, left, right)
    if judgement.role not in {REVIEWER, ADJUDICATOR}:
        raise ReviewError(f"unknown role {judgement.role!r}; choose one of: {REVIEWER}, {ADJUDICATOR}")
    choices = VERDICTS if judgement.pair == (None, None) else DECISIONS
    if judgement.decision not in choices:
        raise ReviewError(f"unknown decision {judgement.decision!r}; choose one of: {', '.join(choices)}")
    return replace(
        judgement,
        person=clean_name(judgement.person, "the reviewer's name"),
        comment=storable(judgement.comment).strip(),
    )


def check_fixed(given: Task, there: Task) -> None:
    """Refuse a file's task whose mapping isn't the one that the database has fixed.

    Raises:
        ReviewError: the two mappings differ.
    """
    if given.fixed and there.fixed and given.fixed != there.fixed:
        name = f"{given.document}: {given.left_name} -> {given.right_name}"
        raise ReviewError(
            f"{name} is fixed here as {there.fixed.signature}, and in the file as {given.fixed.signature}; "
            "judgements of one can't be added to the other"
        )


def check_pair(judgement: Judgement, fixed: Fixed | None) -> None:
    """Refuse a judgement of a pair that the mapping doesn't have, if it is fixed.

    Raises:
        ReviewError: it doesn't.
    """
    if fixed is None or judgement.pair == (None, None):
        return
    if not any(judgement.pair == (op.source, op.target) for op in fixed.ops):
        left, right = ("nothing" if node is None else f"node {node}" for node in judgement.pair)
        raise ReviewError(
            f"the mapping that is judged has no pair of {left} and {right}; it is fixed as {fixed.signature}"
        )


def _check_nodes(judgement: Judgement, left: TextTree, right: TextTree) -> None:
    for node, tree, side in ((judgement.source, left, "left"), (judgement.target, right, "right")):
        _check_node(node, tree, side)
    if judgement.decision != "re-pair":
        if judgement.partner is not None:
            raise ReviewError(f"the decision {judgement.decision!r} takes no partner; only 're-pair' does")
        return
    if judgement.partner is None:
        raise ReviewError("the decision 're-pair' needs a partner; choose the node that is the right one")
    if judgement.source is None:
        _check_node(judgement.partner, left, "left")
    else:
        _check_node(judgement.partner, right, "right")
        if judgement.partner == judgement.target:
            raise ReviewError("the partner is the same as before; accept the pair, or choose another node")


def _check_node(node: int | None, tree: TextTree, side: str) -> None:
    if node is not None and not 0 <= node < len(tree):
        raise ReviewError(f"there is no node {node} in the {side} map, which has {len(tree):,} nodes")


def checked_study(study: Study) -> Study:
    """The study with its texts cleaned.

    Raises:
        ReviewError: no name, or the deadline is no day.
        LimitError: a text is too long.
    """
    guidelines = storable(study.guidelines).strip()
    check_limit(len(guidelines), MAX_GUIDELINE_CHARACTERS, "characters in the guidelines", "shorten them")
    try:
        deadline = study.deadline and date.fromisoformat(study.deadline).isoformat()
    except ValueError as error:
        raise ReviewError(
            f"the deadline {study.deadline[:40]!r} is no day; write it as 2030-12-31"
        ) from error
    return replace(
        study, name=clean_name(study.name, "the study's name"), guidelines=guidelines, deadline=deadline
    )


def storable(text: str) -> str:
    """Without what a database refuses or a screen can't show: lone surrogates and control characters."""
    return "".join(each for each in text if each in "\n\t" or unicodedata.category(each) not in {"Cc", "Cs"})
