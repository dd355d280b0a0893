"""Links that reopen a page in its current state: the address has the values of its inputs.

Widgets that have the same key on several pages, as those of the setting, keep their values for the whole session.

A page lists its ``Field``s and draws its inputs inside ``with permalink(page, fields)``. On entry,
values in the address are set in the widgets; on exit, values of the widgets are written to the address. Defaults
are left out of it, so that an unchanged page has a short one. Streamlit's own ``bind`` would put labels on screen
into the address, which may change any day, and drop wrong values without a message.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from urllib.parse import urlencode, urlsplit

import streamlit as st
from cachetools import LRUCache

from tted_core import TTEDError
from ui.fields import Field
from ui.text import in_page_words, markdown_escaped, shorten

ADDRESS_SECONDS = 0.2  # seconds between two looks at the address that the browser shows

# Addresses of a page whose widgets' values are kept for the browser's buttons: maps may be too large for one.
KEPT_ADDRESSES = 6


@dataclass
class _Page:
    """A page in this session.

    Attributes:
        address: its address.
        arrived: True once the browser has shown that it has this address.
        problems: those of the link that led here.
        brought: values to show next.
        before: its last addresses, and the widgets' values at each.
    """

    address: dict[str, str] = field(default_factory=dict)
    arrived: bool = False
    problems: tuple[str, ...] = ()
    brought: dict[str, Any] = field(default_factory=dict)
    before: LRUCache[str, dict[str, Any]] = field(default_factory=partial(LRUCache, KEPT_ADDRESSES))


@contextmanager
def permalink(page: str, fields: Sequence[Field]) -> Iterator[None]:
    """Draw the inputs of ``page`` inside; they and the address follow each other.

    The first field's widgets must always be drawn.
    """
    problems = _restore(page, fields)
    if problems is None:
        _look_again(_pages()[page], [True])
        yield
        return
    for problem in problems:
        st.warning(markdown_escaped(problem), icon=":material/link:")
    yield
    seen = _pages()[page]
    address, names = _address(fields), {name for each in fields for name in (each.name, *each.older)}
    shown = st.query_params.to_dict()
    if address != {name: text for name, text in shown.items() if name in names}:
        others = {name: text for name, text in shown.items() if name not in names}
        st.query_params.from_dict(others | address)
    if address != seen.address:
        seen.address, seen.problems, seen.arrived = address, (), False
    keys = {key for each in fields for key in each.keys}
    values = {key: st.session_state[key] for key in keys if key in st.session_state}
    st.session_state.setdefault("kept-values", {}).update(values)
    seen.before[urlencode(address)] = values


def bring(page: str, values: Mapping[str, Any]) -> None:
    """Set values of another page's widgets, for when the user is sent there; other values stay."""
    seen = _pages().setdefault(page, _Page())
    seen.brought |= values
    seen.problems = ()


def link(fields: Sequence[Field]) -> str:
    """The whole link with all defaults, so that a link in a paper stays valid if they change."""
    query = urlencode({name: text for name, text in _texts(fields).items() if text}, safe="/")
    page = st.context.url or ""
    return f"{page}{'' if urlsplit(page).path else '/'}?{query}"


def _pages() -> dict[str, _Page]:
    pages: dict[str, _Page] = st.session_state.setdefault("permalinks", {})
    return pages


def _texts(fields: Sequence[Field]) -> dict[str, str | None]:
    # Not a copy of the state, which Streamlit changes at the end of an earlier run.
    state = {key: st.session_state[key] for each in fields for key in each.keys if key in st.session_state}
    return {each.name: each.write(state) for each in fields}


def _address(fields: Sequence[Field]) -> dict[str, str]:
    defaults = {each.name: each.default for each in fields}
    return {
        name: text for name, text in _texts(fields).items() if text is not None and text != defaults[name]
    }


def _restore(page: str, fields: Sequence[Field]) -> tuple[str, ...] | None:
    """Set the widgets by the address if it is new; return its problems, None if it may be an old one."""
    given = {each.name: st.query_params[each.name] for each in fields if each.name in st.query_params}
    is_first = page not in _pages()
    seen = _pages().setdefault(page, _Page())
    kept = st.session_state.get("kept-values", {})
    kept = {key: kept[key] for each in fields for key in each.keys if key in kept}
    coming = any(key not in st.session_state for key in fields[0].keys)
    if coming:
        # The user comes from another page, by a link or the browser's buttons; Streamlit forgot the widgets.
        if not is_first and (not given or given == seen.address):
            st.session_state.update(kept | seen.brought)
            seen.brought.clear()
            return seen.problems
    elif not is_first:
        seen.arrived |= given == seen.address
        if _address(fields) != seen.address:  # a widget was changed
            return ()
        if given == seen.address:
            return seen.problems
        if not seen.arrived:
            return None
    before = seen.before.get(urlencode(given))
    values, problems = _read(given, fields) if before is None else (before, ())
    st.session_state.update(values | kept if coming and not given else values)
    seen.address, seen.problems = _address(fields), problems
    seen.arrived = seen.address == given
    return problems


@st.fragment(run_every=ADDRESS_SECONDS)
def _look_again(seen: _Page, first: list[bool]) -> None:
    """Find out whether the user went back, or the browser didn't have the last address when it began this run."""
    if first:
        first.clear()
    else:  # requested by the browser, with the address that it shows now
        seen.arrived = True
        st.rerun()


def _read(given: Mapping[str, str], fields: Sequence[Field]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The widgets' values for the texts of a link, and a sentence about each text that is wrong."""
    values: dict[str, Any] = {}
    problems = []
    for each in fields:
        text = given.get(each.name, each.default)
        try:
            values |= each.read(text)
        except TTEDError as error:
            instead = each.default if each.instead is None else each.instead
            values |= each.read(instead)
            loss = each.loss or f"{instead or 'nothing'} is used instead"
            reason = shorten(in_page_words(error.text), 200)
            problems.append(f"The link has {each.name}={shorten(text, 60)}: {reason}; {loss}.")
    return values, tuple(problems)
