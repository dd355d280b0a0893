"""What was decided and typed but can't be saved: a queue in the session, told on the page and tried again.

While the database is busy or away, a page shows what it has read last. Nobody waits for it at every click: after a
failure nothing is asked of it for some seconds.
"""

import hashlib
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, TypeVar

import streamlit as st

from tted_core import TTEDError
from tted_core.annotate.reviews import REVIEWER, Judgement, ReviewStore, Subject, Task, TaskSummary
from tted_core.errors import ConflictError, DatabaseError
from tted_core.foundations.limits import MAX_COMMENT_CHARACTERS
from ui.errors import show_error, show_errors
from ui.text import plural

RETRY_SECONDS = 5.0
REST_SECONDS = 4.0
"""After a failure; shorter than the time until the next try, which would find the database resting otherwise."""

MOST_READ = 50
"""Answers of the database that a session remembers."""

Key: TypeAlias = tuple[str, str, str, Subject]
"""Task, role, person (an adjudicator's ruling is one, whoever's) and pair."""

Answer = TypeVar("Answer")


@dataclass(eq=False)
class Entry:
    """What a session knows of one judgement of its own.

    Attributes:
        waiting: what is to be saved, with its task; None where all is saved.
        tried: what was attempted without an answer: it may have been written nevertheless.
        revision: the one that this session has last saved; None for never.
        lost: a comment that was typed here and refused, because another window had changed the judgement.
        field: the number of the field into which its comment is typed, and the revision that this one shows.
    """

    waiting: tuple[Task, Judgement] | None = None
    tried: list[Judgement] = field(default_factory=list)
    revision: int | None = None
    lost: str = ""
    field: tuple[int, int | None] = (0, None)

    def written(self, reviews: ReviewStore, task: Task, judgement: Judgement) -> Judgement:
        """Save a judgement, also over what was tried before."""
        try:
            return reviews.save(task, judgement)
        except ConflictError as conflict:
            there = conflict.current
            mine = [(each.person, each.content, each.revision + 1) for each in self.tried]
            if not isinstance(there, Judgement) or (there.person, there.content, there.revision) not in mine:
                raise
            if there.content == judgement.content:
                return there
            return reviews.save(task, replace(judgement, revision=there.revision))


@dataclass
class _Queue:
    """What a session keeps. It is changed in place: asking Streamlit for it again may interrupt a callback.

    Attributes:
        entries: its own judgements.
        waiting: those that are to be saved.
        read: what the database has answered last.
        failed: when it failed to answer, as ``time.monotonic`` tells; None since it answers again.
        stale: whether something on the page is of ``read`` because the database doesn't answer.
        told: what is to be said once.
        whole: whether the whole part of the page is being drawn, and not a fragment of it alone.
        standing: what the rest of the page shows of the fragment.
    """

    entries: dict[Key, Entry] = field(default_factory=dict)
    waiting: list[Entry] = field(default_factory=list)
    read: dict[Hashable, Any] = field(default_factory=dict)
    failed: float | None = None
    stale: bool = False
    told: str = ""
    whole: bool = False
    standing: object = None

    @property
    def resting(self) -> bool:
        """Whether the database has failed too short a time ago to be asked again."""
        return self.failed is not None and time.monotonic() - self.failed < REST_SECONDS

    def save(self, entry: Entry, reviews: ReviewStore) -> Judgement | None:
        """Save what waits in an entry; None while the database can't be written.

        Raises:
            TTEDError: it isn't valid, or another window has changed it since: it is given up, its comment kept.
        """
        assert entry.waiting is not None
        waiting = task, judgement = entry.waiting
        try:
            saved = entry.written(reviews, task, judgement)
        except DatabaseError:
            self.failed = time.monotonic()
            entry.tried.append(judgement)
            return None
        except TTEDError as error:
            entry.waiting, entry.tried = None, []
            self.waiting.remove(entry)
            if isinstance(error, ConflictError) and judgement.comment != getattr(
                error.current, "comment", ""
            ):
                entry.lost = judgement.comment
            raise
        if entry.waiting == waiting:  # nothing newer was decided meanwhile
            entry.waiting = None
            self.waiting.remove(entry)
        self.failed, entry.tried, entry.lost, entry.revision = None, [], "", saved.revision
        return saved

    def save_all(self, store: Callable[[], ReviewStore]) -> None:
        """Try again all that waits, as long as the database answers."""
        waiting = list(self.waiting)
        for each in waiting:
            if self.resting:
                return
            try:
                self.save(each, store())
            except TTEDError as error:
                self.told = ""
                show_error(error)
        if waiting and not self.waiting:
            self.told = "Everything is saved now."


def identity(task: Task | TaskSummary) -> str:
    """A name for the task in keys of widgets, whether it is in the database or not."""
    digests = (task.left.digest, task.right.digest) if isinstance(task, Task) else task.digests
    parts = (task.study, task.document, *digests)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def entry_of(task: Task, role: str, person: str, pair: Subject) -> Entry:
    """What this session knows of a judgement."""
    key = identity(task), role, person if role == REVIEWER else "", pair
    return _queue().entries.setdefault(key, Entry())


def recalled(key: Hashable, read: Callable[[], Answer]) -> Answer:
    """What ``read`` finds in the database or, while that fails, what it found last in this session.

    Raises:
        DatabaseError: it fails, and has never been read.
    """
    queue = _queue()
    if not (queue.resting and key in queue.read):
        try:
            answer = read()
        except DatabaseError:
            queue.failed = time.monotonic()
            if key not in queue.read:
                raise
        else:
            queue.read.pop(key, None)
            queue.read[key] = answer
            while len(queue.read) > MOST_READ:
                del queue.read[next(iter(queue.read))]
            return answer
    queue.stale = True
    answered: Answer = queue.read[key]
    return answered


def save(reviews: ReviewStore, task: Task, judgement: Judgement) -> Judgement:
    """Save a judgement, or keep it in the session; one that isn't in the database yet has no time.

    Raises:
        TTEDError: it isn't valid, or another window has changed it since; its comment is shown until it is saved.
    """
    queue, entry = _queue(), entry_of(task, judgement.role, judgement.person, judgement.pair)
    if entry.waiting is None:
        queue.waiting.append(entry)
    entry.waiting = task, judgement
    return (None if queue.resting else queue.save(entry, reviews)) or judgement


def unsaved(task: Task | TaskSummary, role: str) -> list[Judgement]:
    """What is kept of a task because it couldn't be saved, over what is in the database."""
    waiting = [each.waiting for each in _queue().waiting]
    mine = [each for each in waiting if each is not None and identity(each[0]) == identity(task)]
    return [judgement for _, judgement in mine if judgement.role == role]


@contextmanager
def kept_until_saved(store: Callable[[], ReviewStore]) -> Iterator[None]:
    """Draw a part of the page: first try again what isn't saved, and tell above it what still isn't."""
    place = st.container()
    queue = _queue()
    queue.stale, queue.whole = False, True
    queue.save_all(store)
    try:
        yield
    except DatabaseError as error:
        queue.stale = True
        show_error(error)
    finally:
        queue.whole = False
        with place:
            if queue.waiting or queue.stale:
                _notice(store)
            elif queue.told:
                st.success(queue.told, icon=":material/check_circle:")
                queue.told = ""


@contextmanager
def fragment_until_saved() -> Iterator[Callable[[object], None]]:
    """Draw a fragment inside of such a part: alone, unless what happens concerns the rest of the page too.

    Yields a function to call once all is read and before anything is drawn, with what the rest shows of the
    fragment: the whole page runs if that has changed, or if something can't be read or saved.
    """
    queue = _queue()
    alone = not queue.whole
    queue.stale = queue.stale and queue.whole

    def rerun_if_changed(standing: object) -> None:
        if alone and (queue.waiting or queue.stale or standing != queue.standing):
            st.rerun()
        queue.standing = standing

    with show_errors():
        try:
            yield rerun_if_changed
        except DatabaseError as error:
            queue.stale = True
            if not alone:
                show_error(error)
    if alone and (queue.waiting or queue.stale):
        st.rerun()


@st.fragment(run_every=RETRY_SECONDS)
def _notice(store: Callable[[], ReviewStore]) -> None:
    queue = _queue()
    queue.save_all(store)
    if not queue.waiting and not queue.resting:
        with suppress(DatabaseError):
            store().tasks(limit=1)
            st.rerun()
        queue.failed = time.monotonic()
    what = "You see what was read last."
    if count := len(queue.waiting):
        them = f"{plural(count, 'judgement')} {'is' if count == 1 else 'are'}"
        what = f"{them} not saved yet, but kept in this window: leave it open."
    st.warning(
        f"The database is busy or away. {what} Trying again every {RETRY_SECONDS:.0f} seconds.",
        icon=":material/hourglass_top:",
    )
    st.button("Try now", on_click=setattr, args=(queue, "failed", None))


def _queue() -> _Queue:
    queue: _Queue = st.session_state.setdefault("reviews-queue", _Queue())
    return queue


class CommentFields:
    """The fields of one reviewer and task; ``judged`` is the caller's, who adds what is saved."""

    def __init__(self, task: Task, person: str, judged: dict[Subject, Judgement]) -> None:
        self.task, self.person, self.judged = task, person, judged

    def draw(self, pair: Subject, label: str, changed: Callable[[Subject], None]) -> None:
        """Draw a field, and below it what couldn't be saved of it; ``changed`` is called when one leaves it."""
        st.text_area(
            label,
            value=self.saved(pair),
            key=self._name(pair),
            height=68,
            max_chars=MAX_COMMENT_CHARACTERS,
            on_change=changed,
            args=(pair,),
            help="Saved when you leave the field, or by Ctrl+Enter.",
        )
        entry = self._entry(pair)
        if entry.lost:
            st.caption(
                "This was typed here, and is not saved: another window changed the judgement meanwhile."
            )
            st.code(entry.lost, language=None, wrap_lines=True)
            st.button("Drop it", key=f"drop-{pair}", on_click=setattr, args=(entry, "lost", ""))

    def saved(self, pair: Subject) -> str:
        """The comment that the judgement has."""
        old = self.judged.get(pair)
        return old.comment if old else ""

    def typed(self, pair: Subject) -> str:
        """What is in the field; a decision saves it too, as its click may interrupt the field's callback."""
        text: str = st.session_state.get(self._name(pair), self.saved(pair))
        return text.strip()

    def _entry(self, pair: Subject) -> Entry:
        return entry_of(self.task, REVIEWER, self.person, pair)

    def _name(self, pair: Subject) -> str:
        # A comment that another window has saved must appear here, and so there is a new field for each revision
        # that isn't this window's own; in the same field one can type on while what it had is being saved.
        old = self.judged.get(pair)
        revision = old.revision if old else 0
        entry = self._entry(pair)
        number, known = entry.field
        if known is not None and revision not in {known, entry.revision}:
            number += 1
        entry.field = number, revision
        return f"comment-{identity(self.task)}-{self.person}-{pair}-{number}"
