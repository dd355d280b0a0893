"""What was decided and typed but can't be saved: it stays in the session, is told, and is tried again.

While the database is busy or away, a page shows what it has read last. Nobody waits for it at every click: after a
failure nothing is asked of it for some seconds.
"""

import hashlib
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, TypeVar

import streamlit as st

from tted_core import TTEDError
from tted_core.annotate.reviews import ANNOTATOR, Judgement, ReviewStore, Subject, Task, TaskSummary
from tted_core.errors import ConflictError, DatabaseError
from ui.errors import show_error
from ui.text import plural

RETRY_SECONDS = 5.0
REST_SECONDS = 4.0
"""After a failure; shorter than the time until the next try, which would find the database resting otherwise."""

MOST_READ = 50
"""Answers of the database that a session remembers."""

Key: TypeAlias = tuple[str, str, str, Subject]
"""Task, role, person (an adjudicator's ruling is one, whoever's) and pair."""

Answer = TypeVar("Answer")


@dataclass
class _Kept:
    """What a session keeps. It is changed in place: asking Streamlit for it again may interrupt a callback."""

    unsaved: dict[Key, tuple[Task, Judgement]] = field(default_factory=dict)
    read: dict[Hashable, Any] = field(default_factory=dict)
    own: dict[Key, int] = field(default_factory=dict)
    lost: dict[Key, str] = field(default_factory=dict)
    attempted: dict[Key, list[Judgement]] = field(default_factory=dict)
    failed: float | None = None
    stale: bool = False
    told: str = ""


def identity(task: Task | TaskSummary) -> str:
    """A name for the task in keys of widgets, whether it is in the database or not."""
    digests = (task.left.digest, task.right.digest) if isinstance(task, Task) else task.digests
    parts = (task.study, task.document, *digests)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def recalled(key: Hashable, read: Callable[[], Answer]) -> Answer:
    """What ``read`` finds in the database or, while that fails, what it found last in this session.

    Raises:
        DatabaseError: it fails, and has never been read.
    """
    kept = _kept()
    if not (_resting(kept) and key in kept.read):
        try:
            answer = read()
        except DatabaseError:
            kept.failed = time.monotonic()
            if key not in kept.read:
                raise
        else:
            kept.read.pop(key, None)
            kept.read[key] = answer
            while len(kept.read) > MOST_READ:
                del kept.read[next(iter(kept.read))]
            return answer
    kept.stale = True
    answered: Answer = kept.read[key]
    return answered


def save(reviews: ReviewStore, task: Task, judgement: Judgement) -> Judgement:
    """Save a judgement, or keep it in the session; one that isn't in the database yet has no time.

    Raises:
        TTEDError: it isn't valid, or another window has changed it since; its comment is shown until it is saved.
    """
    kept, key = _kept(), key_of(task, judgement.role, judgement.person, judgement.pair)
    kept.unsaved[key] = task, judgement
    if not _resting(kept):
        saved = _tried(kept, reviews, key)
        if saved is not None:
            return saved
    return judgement


def unsaved(task: Task | TaskSummary, role: str) -> Iterator[Judgement]:
    """What is kept of a task because it couldn't be saved, over what is in the database."""
    name = identity(task)
    return (each for (about, as_, *_), (_, each) in _kept().unsaved.items() if (about, as_) == (name, role))


def key_of(task: Task, role: str, person: str, pair: Subject) -> Key:
    """What a session keeps a judgement under."""
    return identity(task), role, person if role == ANNOTATOR else "", pair


def own_revision(key: Key) -> int | None:
    """The revision that this session has last saved of a judgement; None for never."""
    return _kept().own.get(key)


def lost_comment(key: Key) -> str:
    """A comment that was typed here and refused, because another window had changed the judgement."""
    return _kept().lost.get(key, "")


def drop_lost_comment(key: Key) -> None:
    """Show it no longer."""
    _kept().lost.pop(key, None)


@contextmanager
def kept_until_saved(store: Callable[[], ReviewStore]) -> Iterator[None]:
    """Draw a part of the page: first try again what isn't saved, and tell above it what still isn't."""
    place = st.container()
    kept = _kept()
    kept.stale = False
    _try_all(kept, store)
    try:
        yield
    except DatabaseError as error:
        kept.stale = True
        show_error(error)
    finally:
        with place:
            if kept.unsaved or kept.stale:
                _notice(store)
            elif kept.told:
                st.success(kept.told, icon="✅")
                kept.told = ""


@st.fragment(run_every=RETRY_SECONDS)
def _notice(store: Callable[[], ReviewStore]) -> None:
    kept = _kept()
    _try_all(kept, store)
    if not kept.unsaved and not _resting(kept):
        try:
            store().tasks(limit=1)
        except DatabaseError:
            kept.failed = time.monotonic()
        else:
            st.rerun()
    what = "What you see is as it was read last."
    if count := len(kept.unsaved):
        them = f"{plural(count, 'judgement')} {'is' if count == 1 else 'are'}"
        what = f"{them} not saved yet, but kept in this window: leave it open."
    st.warning(
        f"The database is busy or away. {what} It is tried again every {RETRY_SECONDS:.0f} seconds.",
        icon="⏳",
    )
    st.button("Try now", on_click=_wake)


def _wake() -> None:
    _kept().failed = None


def _try_all(kept: _Kept, store: Callable[[], ReviewStore]) -> None:
    waiting = list(kept.unsaved)
    for key in waiting:
        if _resting(kept):
            return
        try:
            _tried(kept, store(), key)
        except TTEDError as error:
            kept.told = ""
            show_error(error)
    if waiting and not kept.unsaved:
        kept.told = "Everything is saved now."


def _tried(kept: _Kept, reviews: ReviewStore, key: Key) -> Judgement | None:
    """Save what is kept under the key; None while the database can't be written."""
    task, judgement = kept.unsaved[key]
    try:
        saved = _saved(reviews, task, judgement, kept.attempted.get(key, ()))
    except DatabaseError:
        kept.failed = time.monotonic()
        kept.attempted.setdefault(key, []).append(judgement)
        return None
    except TTEDError as error:
        del kept.unsaved[key]
        kept.attempted.pop(key, None)
        if isinstance(error, ConflictError) and judgement.comment != getattr(error.current, "comment", ""):
            kept.lost[key] = judgement.comment
        raise
    kept.attempted.pop(key, None)
    if kept.unsaved.get(key) == (task, judgement):  # nothing newer was decided meanwhile
        del kept.unsaved[key]
    kept.lost.pop(key, None)
    kept.own[key] = saved.revision
    kept.failed = None
    return saved


def _saved(
    reviews: ReviewStore, task: Task, judgement: Judgement, attempted: Sequence[Judgement]
) -> Judgement:
    """Save it, also over what was attempted before: that may have been written though the answer didn't come."""
    try:
        return reviews.save(task, judgement)
    except ConflictError as conflict:
        current = conflict.current
        if not isinstance(current, Judgement) or not any(_same(current, each) for each in attempted):
            raise
        if current.content == judgement.content:
            return current
        return reviews.save(task, replace(judgement, revision=current.revision))


def _same(written: Judgement, attempted: Judgement) -> bool:
    return (written.person, written.content, written.revision) == (
        attempted.person,
        attempted.content,
        attempted.revision + 1,
    )


def _resting(kept: _Kept) -> bool:
    return kept.failed is not None and time.monotonic() - kept.failed < REST_SECONDS


def _kept() -> _Kept:
    kept: _Kept = st.session_state.setdefault("reviews-kept", _Kept())
    return kept
