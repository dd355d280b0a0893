"""A visitor who does anything that a page offers, at random and at leisure, and goes from page to page."""

import json
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeAlias

import pyarrow as pa
from streamlit.proto.WidgetStates_pb2 import WidgetState

from tools.server import outline
from tools.session import Session
from ui.errors import FAULT

PAGES = ("", "Evaluate", "Research", "Learn", "Annotate", "Method")
"""By their addresses; the first one is Compare."""

THOUGHT_SECONDS = (3.0, 12.0)
"""Between two clicks."""

PATIENCE_SECONDS = 20.0
"""Who has waited for so long does something else: stops the work, clicks on, or goes."""

NODES = (1, 2, 7, 25, 25, 60)
WORDS = (
    "the",
    "reef",
    "of",
    "corals",
    "feeds",
    "fish",
    "while",
    "if",
    "constructor",
    ":red[stone]",
    "=",
    "1",
)
WRONG_FILES = (b"", b"no map at all", b"{", b"PK\x03\x04 and no more", bytes(range(256)))


@dataclass
class Diary:
    """What one visitor has done and met."""

    done: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    """Each with what was done before it."""


Value: TypeAlias = dict[str, Any] | None
"""The fields of a ``WidgetState``; None if a visitor has nothing to give."""


def _map(drawn: Random) -> str:
    return outline(drawn.choice(NODES), drawn.randrange(10**6))


def _none(_widget: Any, _session: Session, _drawn: Random) -> Value:
    return None


def _press(_widget: Any, _session: Session, _drawn: Random) -> Value:
    return {"trigger_value": True}


def _turn(_widget: Any, _session: Session, drawn: Random) -> Value:
    return {"bool_value": drawn.random() < 0.5}


def _choose(widget: Any, _session: Session, drawn: Random) -> Value:
    return {"string_value": drawn.choice(widget.options)} if widget.options else None


def _choose_some(widget: Any, _session: Session, drawn: Random) -> Value:
    options = list(widget.options)
    return {"string_array_value": {"data": drawn.sample(options, drawn.randint(0, min(3, len(options))))}}


def _choose_button(widget: Any, _session: Session, drawn: Random) -> Value:
    return {"string_array_value": {"data": [drawn.choice(widget.options).content]}}


def _open_tab(widget: Any, session: Session, drawn: Random) -> Value:
    return {"string_value": drawn.choice(session.tabs(widget.id))}


def _slide(widget: Any, _session: Session, drawn: Random) -> Value:
    if widget.options:
        return {"string_array_value": {"data": [drawn.choice(widget.options)]}}
    steps = round((widget.max - widget.min) / widget.step)
    return {"double_array_value": {"data": [widget.min + drawn.randint(0, steps) * widget.step]}}


def _number(widget: Any, _session: Session, drawn: Random) -> Value:
    least = widget.min if widget.has_min else 0.0
    number = drawn.uniform(least, min(widget.max if widget.has_max else 100.0, least + 100))
    return {"double_value": round(number) if widget.data_type == widget.INT else number}


def _write(widget: Any, _session: Session, drawn: Random) -> Value:
    is_map = widget.id.endswith(("left-text", "right-text"))
    return {"string_value": _map(drawn) if is_map else " ".join(drawn.choices(WORDS, k=8))}


def _pick_row(widget: Any, _session: Session, drawn: Random) -> Value:
    rows = pa.ipc.open_stream(widget.arrow_data.data).read_all().num_rows
    if not rows or not widget.selection_mode:
        return None
    picked = {"rows": [drawn.randrange(rows)], "columns": [], "cells": []}
    return {"string_value": json.dumps({"selection": picked})}


def _pick_pair(widget: Any, _session: Session, drawn: Random) -> Value:
    """Of the outline; the other components are left alone."""
    if not widget.id.endswith("-outline"):
        return None
    shown = json.loads(widget.json)
    op = drawn.choice(shown["rows"]["ops"])
    return {"json_value": json.dumps({"picked": [op["source"], op["target"], shown["picks"] + 1]})}


VALUES: dict[str, Callable[[Any, Session, Random], Value]] = {
    "Button": _press,
    "Checkbox": _turn,
    "Expandable": _turn,
    "Popover": _turn,
    "Selectbox": _choose,
    "Radio": _choose,
    "MultiSelect": _choose_some,
    "ButtonGroup": _choose_button,
    "TabContainer": _open_tab,
    "Slider": _slide,
    "NumberInput": _number,
    "TextInput": _write,
    "TextArea": _write,
    "Dataframe": _pick_row,
    "BidiComponent": _pick_pair,
}
"""What somebody at a browser could do with each kind of widget."""


class Wanderer:
    """One visitor. What it does is drawn from its seed, and from what it finds on the pages."""

    def __init__(self, address: str, seed: int) -> None:
        """Somewhere, with no page open."""
        self.diary = Diary()
        self._address = address
        self._drawn = Random(seed)
        self._session: Session | None = None
        self._last = ""
        self._hurried = False
        """Whether the page on screen hasn't run to its end."""

    def wander(self, until: float) -> None:
        """Go on until this time (``time.monotonic``), and leave."""
        while time.monotonic() < until:
            try:
                self._step()
            except TimeoutError:
                self.diary.done["waited too long"] += 1
                self._hurried = True
            except Exception as error:  # noqa: BLE001 - whatever it is, the visitor was not served
                self._met(f"{type(error).__name__}: {str(error)[:300]}")
                self._leave()
            time.sleep(max(0.0, min(self._drawn.uniform(*THOUGHT_SECONDS), until - time.monotonic())))
        self._leave()

    def _leave(self) -> None:
        if self._session:
            with suppress(Exception):
                self._session.__exit__()
        self._session = None

    def _step(self) -> None:
        choices: list[tuple[float, str, Callable[[Session], None]]] = [
            (60, "touched something", self._touch),
            (12, "went to a page", self._go),
            (8, "compared own maps", self._paste),
            (6, "downloaded", self._download),
            (5, "reloaded", self._reload),
            (4, "lost the connection", self._reconnect),
            (5, "left", lambda _session: self._leave()),
        ]
        session = self._session
        if session is None:
            session = self._session = Session(self._address)
            what, act = "came", self._go
        else:
            weights = [weight for weight, _, _ in choices]
            _, what, act = self._drawn.choices(choices, weights)[0]
        self.diary.done[what] += 1
        self._last = what
        act(session)
        self._hurried = False
        if self._session:
            self.diary.seconds.append(self._session.seconds)
            alerts = (each.alert.body for each in self._session.shown("alert"))
            faults = [body for body in alerts if body.startswith(FAULT.partition("{")[0])]
            for each in (*self._session.failures, *faults):
                self._met(each)

    def _met(self, error: str) -> None:
        page = self._session.page if self._session else None
        self.diary.errors.append(f"{self._last}, page {page!r}: {error}")

    def _go(self, session: Session) -> None:
        session.run(page=self._drawn.choice(PAGES), patience=PATIENCE_SECONDS)

    def _reload(self, session: Session) -> None:
        self._leave()
        self._session = Session(self._address)
        self._session.run(page=session.page, query=session.query, patience=PATIENCE_SECONDS)

    def _reconnect(self, session: Session) -> None:
        session.reconnect(after=self._drawn.uniform(0, 2))
        session.run(query=session.query, patience=PATIENCE_SECONDS)

    def _paste(self, session: Session) -> None:
        """Give the Compare page maps that nobody has compared before."""
        if session.page or not session.elements:
            session.run(page="", patience=PATIENCE_SECONDS)
        for side in ("left", "right"):
            session.set(f"{side}-source", string_value="Paste")
            session.set(f"{side}-text", string_value=_map(self._drawn))
        session.run(patience=PATIENCE_SECONDS)

    def _download(self, session: Session) -> None:
        """What a page offers that has run to its end; before, its files may be gone already."""
        if self._hurried:
            session.run(patience=PATIENCE_SECONDS)
        buttons = [each.download_button for each in session.shown("download_button")]
        if buttons:
            session.download(self._drawn.choice(buttons))

    def _touch(self, session: Session) -> None:
        """Set one widget, and see what comes of it."""
        widgets = [each for each in session.widgets() if not getattr(each, "disabled", False)]
        state = None
        while widgets and state is None:
            widget = widgets.pop(self._drawn.randrange(len(widgets)))
            if type(widget).__name__ == "FileUploader":
                session.upload(widget.id, self._file(list(widget.type)))
                break
            value = VALUES.get(type(widget).__name__, _none)(widget, session, self._drawn)
            state = WidgetState(id=widget.id, **value) if value else None
        if state and not state.trigger_value:
            session.set_state(state)
        session.run(*([state] if state and state.trigger_value else []), patience=PATIENCE_SECONDS)

    def _file(self, endings: list[str]) -> tuple[str, bytes]:
        ending = self._drawn.choice(endings or [".json"])
        wrong = self._drawn.random() < 0.3
        content = self._drawn.choice(WRONG_FILES) if wrong else _map(self._drawn).encode()
        return f"file {self._drawn.randrange(100)}.{ending.lstrip('.')}", content
