"""Fields: values of a page that are in its link, most with the input that shows them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias

import streamlit as st

from tted_core.errors import UnknownNameError, lookup

# Most characters of a text in a link; longer texts are left out, as browsers and mail programs cut links.
_LONGEST = 1500

# Names to choose from; a function if they can change while the server runs.
Names: TypeAlias = Iterable[str] | Callable[[], Iterable[str]]


@dataclass(frozen=True)
class Field:
    """A value of a page.

    Attributes:
        name: its name in the address.
        default: its default, as text.
        keys: the session keys of its widgets.
        read: makes the widgets' values from a text; raises a ``TTEDError`` that describes what is wrong with it.
        write: makes a text from the widgets' values; None if a link can't carry them.
        label: the input's title.
        widget: the name of Streamlit's function that draws it.
        how: other arguments of that function.
        kept: True if Streamlit keeps its value while it isn't drawn; False for the setting, shared by pages.
        instead: the text that replaces a wrong one; the default if None.
        loss: the end of the message about a wrong text; by default, that ``instead`` is used.
        older: names of parameters of older links that ``read`` looks up itself.
    """

    name: str
    default: str
    keys: tuple[str, ...]
    read: Callable[[str], dict[str, Any]]
    write: Callable[[Mapping[str, Any]], str | None]
    label: str = ""
    widget: str = ""
    how: dict[str, Any] = field(default_factory=dict)
    kept: bool = True
    instead: str | None = None
    loss: str | None = None
    older: tuple[str, ...] = ()

    def draw(self, container: Any = st, **how: Any) -> Any:
        """Draw the input, for example in a column, and return its value, at first the default."""
        for key, value in self.read(self.default).items():
            st.session_state.setdefault(key, value)
        kept = {"persist_state": "page"} if self.kept else {}
        arguments = {"label": self.label, **self.how, **how}
        if callable(arguments.get("options")):
            arguments["options"] = list(arguments["options"]())
        return getattr(container, self.widget)(key=self.keys[0], **kept, **arguments)


def _values_of(names: Names) -> dict[str, str | None]:
    """The values of names; that of an empty name is None."""
    return {text: text or None for text in (names() if callable(names) else names)}


def choice(
    name: str,
    label: str,
    names: Names | None,
    default: str,
    *,
    widget: str = "selectbox",
    kept: bool = True,
    **how: Any,
) -> Field:
    """A choice of one of several names; None allows any."""
    return Field(
        name,
        default,
        (name,),
        lambda text: {name: (text or None) if names is None else lookup(_values_of(names), text, name)},
        lambda state: state.get(name) or default,
        label,
        widget,
        {"options": names, **how},
        kept,
    )


def choices(
    name: str,
    label: str,
    names: Names,
    default: Sequence[str] = (),
    *,
    widget: str = "multiselect",
    **how: Any,
) -> Field:
    """A choice of any of several names."""
    return Field(
        name,
        ",".join(default),
        (name,),
        lambda text: {name: [lookup(_values_of(names), each, name) for each in text.split(",") if each]},
        lambda state: ",".join(state.get(name, default)),
        label,
        widget,
        {"options": names, **how},
    )


# A choice of any of several names, as pills.
several = partial(choices, widget="pills", selection_mode="multi", wrap=True)


def switch(name: str, label: str = "", **how: Any) -> Field:
    """A switch that is off by default."""
    return Field(
        name,
        "",
        (name,),
        lambda text: {name: lookup({"": False, "yes": True}, text, name)},
        lambda state: "yes" if state.get(name) else "",
        label,
        "toggle",
        how,
    )


def amount(
    name: str,
    label: str,
    bounds: tuple[float, float, float],
    *,
    default: str = "",
    kept: bool = True,
    **how: Any,
) -> Field:
    """A number, whole if its bounds and step are, or none; ``bounds`` are the lowest, the highest and the step."""
    kind = int if all(isinstance(each, int) for each in bounds) else float
    lowest, highest, step = bounds
    limits: dict[str, Any] = {"min_value": lowest, "max_value": highest, "step": step}

    def read(text: str) -> dict[str, Any]:
        if text == default == "":
            return {name: None}
        try:
            value = kind(text)
        except ValueError:
            value = kind(lowest) - 1
        if not lowest <= value <= highest:
            raise UnknownNameError(f"{name} is a number from {lowest:,} to {highest:,}")
        return {name: value}

    def write(state: Mapping[str, Any]) -> str:
        value = state.get(name)
        return default if value is None else str(value).removesuffix(".0")

    how = limits | ({} if default else {"value": None}) | how
    return Field(name, default, (name,), read, write, label, "number_input", how, kept)


def words(name: str, label: str, default: str, *, widget: str = "text_area", **how: Any) -> Field:
    """An input of text."""

    def write(state: Mapping[str, Any]) -> str | None:
        given = default if state.get(name) is None else str(state[name])
        return given if len(given) <= _LONGEST else None

    return Field(name, default, (name,), lambda given: {name: given}, write, label, widget, how)
