"""Links that reopen a page in its current state: the address has the values of its inputs.

Widgets that have the same key on several pages, as those of the setting, keep their values for the whole session.

A page lists its ``Parameter``s and draws its inputs inside ``with permalink(page, parameters)``. On entry,
values in the address are set in the widgets; on exit, values of the widgets are written to the address. Defaults
are left out of it, so that an unchanged page has a short one. Streamlit's own ``bind`` would put labels on screen
into the address, which may change any day, and drop wrong values without a message.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import escape
from typing import Any
from urllib.parse import urlencode, urlsplit

import streamlit as st

from tted_core import TTEDError
from tted_core.errors import UnknownNameError
from tted_core.foundations.registry import lookup
from ui.text import markdown_escaped, shortened

LONGEST = 1500
"""Most characters of a text in a link; longer texts are left out, as browsers and mail programs cut links."""

AUTOMATIC = "automatic"
"""Session key of the widgets whose values the page itself chose; other pages don't take them over."""

IN_FLIGHT_SECONDS = 2.0
"""Seconds in which a browser may still send the address before the last change; later, the user went back."""


@dataclass(frozen=True)
class Parameter:
    """A value of a page that is part of its link.

    Attributes:
        name: its name in the address.
        default: its default, as text.
        keys: the session keys of its widgets.
        read: makes the widgets' values from a text; raises a ``TTEDError`` that describes what is wrong with it.
        write: makes a text from the widgets' values; None if a link can't carry them.
        instead: the text that replaces a wrong one; the default if None.
        loss: the end of the message about a wrong text; by default, that ``instead`` is used.
    """

    name: str
    default: str
    keys: tuple[str, ...]
    read: Callable[[str], dict[str, Any]]
    write: Callable[[Mapping[str, Any]], str | None]
    instead: str | None = None
    loss: str | None = None


@dataclass
class _Seen:
    """State of a page in this session: its address, since when, a link's problems, and values to show next."""

    address: dict[str, str]
    since: float = field(default_factory=time.monotonic)
    problems: tuple[str, ...] = ()
    brought: dict[str, Any] = field(default_factory=dict)


def one_of(
    name: str, names: Iterable[str] | Callable[[], Iterable[str]] | None, default: str, key: str | None = None
) -> Parameter:
    """The parameter of a widget that offers ``names`` (an empty name is None); its key is ``name`` by default.

    Give a function if names can change while the server runs; None allows any name.
    """
    key = key or name

    def choices() -> dict[str, str | None]:
        return {text: text or None for text in (names() if callable(names) else names or ())}

    return Parameter(
        name,
        default,
        (key,),
        lambda text: {key: (text or None) if names is None else lookup(choices(), text, name)},
        lambda state: state.get(key) or default,
    )


def several_of(
    name: str, names: Sequence[str] | Callable[[], Iterable[str]], default: Sequence[str]
) -> Parameter:
    """The parameter of a widget that takes any of ``names``; its key is ``name``.

    Give a function if names can change while the server runs.
    """

    def known() -> dict[str, str]:
        return {each: each for each in (names() if callable(names) else names)}

    return Parameter(
        name,
        ",".join(default),
        (name,),
        lambda text: {name: [lookup(known(), each, name) for each in text.split(",") if each]},
        lambda state: ",".join(state.get(name, default)),
    )


def text(name: str, default: str, key: str | None = None) -> Parameter:
    """The parameter of a text input, whose key is ``name`` by default."""
    key = key or name

    def write(state: Mapping[str, Any]) -> str | None:
        given = default if state.get(key) is None else str(state[key])
        return given if len(given) <= LONGEST else None

    return Parameter(name, default, (key,), lambda given: {key: given}, write)


def flag(name: str, key: str | None = None) -> Parameter:
    """The parameter of a checkbox or toggle, which is off by default; its key is ``name`` by default."""
    key = key or name
    return Parameter(
        name,
        "",
        (key,),
        lambda text: {key: lookup({"": False, "yes": True}, text, name)},
        lambda state: "yes" if state.get(key) else "",
    )


def number(
    name: str,
    kind: type[int] | type[float],
    lowest: float,
    highest: float,
    *,
    default: str = "",
    key: str | None = None,
) -> Parameter:
    """The parameter of a number input, whose key is ``name`` by default; the empty text means no number."""
    key = key or name

    def read(text: str) -> dict[str, Any]:
        if text == default == "":
            return {key: None}
        try:
            value = kind(text)
        except ValueError:
            value = kind(lowest) - 1
        if not lowest <= value <= highest:
            raise UnknownNameError(f"{name} is a number from {lowest:,} to {highest:,}")
        return {key: value}

    def write(state: Mapping[str, Any]) -> str:
        value = state.get(key)
        return default if value is None else str(value).removesuffix(".0")

    return Parameter(name, default, (key,), read, write)


@contextmanager
def permalink(page: str, parameters: Sequence[Parameter]) -> Iterator[None]:
    """Draw the inputs of ``page`` inside; they and the address follow each other.

    The first parameter's widgets must always be drawn.
    """
    problems = _restore(page, parameters)
    for problem in problems:
        st.warning(markdown_escaped(problem), icon=":material/link:")
    yield
    _keep(page, parameters)


def keep_values(parameters: Sequence[Parameter]) -> None:
    """Keep the values of widgets that aren't drawn, or Streamlit forgets them; the first one is always drawn."""
    for each in parameters[1:]:
        for key in each.keys:
            if key in st.session_state:
                st.session_state[key] = st.session_state[key]


def bring(page: str, values: Mapping[str, Any]) -> None:
    """Set values of another page's widgets, for when the user is sent there; other values stay."""
    seen = _pages().setdefault(page, _Seen({}))
    seen.brought |= values
    seen.problems = ()


def link(parameters: Sequence[Parameter]) -> str:
    """The whole link with all defaults, so that a link in a paper stays valid if they change."""
    state = _state()
    texts = {each.name: each.write(state) for each in parameters}
    query = urlencode({name: text for name, text in texts.items() if text}, safe="/")
    page = st.context.url or ""
    return f"{page}{'' if urlsplit(page).path else '/'}?{query}"


def embed_popover(parameters: Sequence[Parameter], *, height: int = 800) -> None:
    """Draw a popover with an <iframe> of the current page to copy, without toolbar and margins.

    Args:
        parameters: of the page's link, as for ``link``.
        height: of the frame in pixels.
    """
    with st.popover("Embed"):
        st.caption("For a course page or slides: the page in its current state.")
        st.markdown(
            f'```html\n<iframe src="{escape(link(parameters))}&amp;embed=true" width="100%" height="{height}" '
            'style="border:0" title="TTED" loading="lazy"></iframe>\n```'
        )


def _state() -> dict[str, Any]:
    return st.session_state.to_dict()  # at once; for single keys, Streamlit searches all widgets each time


def _pages() -> dict[str, _Seen]:
    pages: dict[str, _Seen] = st.session_state.setdefault("permalinks", {})
    return pages


def _kept() -> dict[str, Any]:
    """The values of all pages' widgets by key, which are restored when the user returns to a page."""
    values: dict[str, Any] = st.session_state.setdefault("kept-values", {})
    return values


def _restore(page: str, parameters: Sequence[Parameter]) -> tuple[str, ...]:
    """Set the widgets by the address if it is new; return its problems."""
    given = {each.name: st.query_params[each.name] for each in parameters if each.name in st.query_params}
    seen = _pages().get(page)
    coming = any(key not in st.session_state for key in parameters[0].keys)
    kept = {key: _kept()[key] for each in parameters for key in each.keys if key in _kept()}
    if coming:
        # The user comes from another page, by a link or the browser's buttons; Streamlit forgot the widgets.
        st.session_state.pop(AUTOMATIC, None)
        if seen and (not given or given == seen.address):
            st.session_state.update(kept | seen.brought)
            seen.brought.clear()
            return seen.problems
    elif seen and (given == seen.address or not _went_back(seen, parameters)):
        return seen.problems if _address(parameters) == seen.address else ()
    values, problems = _read(given, parameters)
    st.session_state.update(values | kept if coming and not given else values)
    _pages()[page] = _Seen(_address(parameters), problems=problems)
    return problems


def _went_back(seen: _Seen, parameters: Sequence[Parameter]) -> bool:
    """Return True if only the address changed, by the browser's buttons."""
    untouched = _address(parameters) == seen.address
    return untouched and time.monotonic() - seen.since > IN_FLIGHT_SECONDS


def _read(
    given: Mapping[str, str], parameters: Sequence[Parameter]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    values: dict[str, Any] = {}
    problems = []
    for each in parameters:
        text = given.get(each.name, each.default)
        try:
            values |= each.read(text)
        except TTEDError as error:
            instead = each.default if each.instead is None else each.instead
            values |= each.read(instead)
            loss = each.loss or f"{instead or 'nothing'} is used instead"
            reason = shortened(str(error), 200)
            problems.append(f"The link has {each.name}={shortened(text, 60)}: {reason}; {loss}.")
    return values, tuple(problems)


def _address(parameters: Sequence[Parameter]) -> dict[str, str]:
    state = _state()
    texts = ((each, each.write(state)) for each in parameters)
    return {each.name: text for each, text in texts if text is not None and text != each.default}


def _keep(page: str, parameters: Sequence[Parameter]) -> None:
    """Write the address, and keep the widgets' values for when the user returns from another page."""
    address = _address(parameters)
    names = {each.name for each in parameters}
    if address != {name: text for name, text in st.query_params.items() if name in names}:
        others = {name: text for name, text in st.query_params.to_dict().items() if name not in names}
        st.query_params.from_dict(others | address)
    if address != _pages()[page].address:
        _pages()[page] = _Seen(address)
    keys = {key for each in parameters for key in each.keys} - st.session_state.get(AUTOMATIC, set())
    _kept().update({key: st.session_state[key] for key in keys if key in st.session_state})
