"""Fields: inputs of a page that are parameters of its link."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from ui.permalink import Parameter, flag, number, one_of, several_of, text


@dataclass(frozen=True, kw_only=True)
class Field(Parameter):
    """One input of a page.

    Attributes:
        label: its title.
        widget: the name of Streamlit's function that draws it.
        how: other arguments of that function.
        kept: True if its value outlives a run in which it isn't drawn.
    """

    label: str
    widget: str
    how: dict[str, Any] = field(default_factory=dict)
    kept: bool = True

    def draw(self, container: Any = st, **how: Any) -> Any:
        """Draw it, for example in a column, and return its value, at first the default."""
        for key, value in self.read(self.default).items():
            st.session_state.setdefault(key, value)
        draw = getattr(container, self.widget)
        kept = {"persist_state": "page"} if self.kept else {}
        arguments = {"label": self.label, **self.how, **how}
        if callable(arguments.get("options")):
            arguments["options"] = list(arguments["options"]())
        return draw(key=self.keys[0], **kept, **arguments)


def field_of(parameter: Parameter, label: str, widget: str, *, kept: bool = True, **how: Any) -> Field:
    """The field of a parameter whose first key is its widget's."""
    return Field(**vars(parameter), label=label, widget=widget, how=how, kept=kept)


def choice(
    name: str,
    label: str,
    names: Sequence[str] | Callable[[], Iterable[str]] | None,
    default: str,
    *,
    widget: str = "selectbox",
    key: str | None = None,
    **how: Any,
) -> Field:
    """A choice of one of several names, as ``one_of`` takes them."""
    return field_of(one_of(name, names, default, key), label, widget, **{"options": names, **how})


def choices(
    name: str,
    label: str,
    names: Sequence[str] | Callable[[], Iterable[str]],
    default: Sequence[str],
    *,
    widget: str = "multiselect",
    **how: Any,
) -> Field:
    """A choice of any of several names; give a function if they can change while the server runs."""
    return field_of(several_of(name, names, default), label, widget, options=names, **how)


def several(
    name: str,
    label: str,
    names: Sequence[str] | Callable[[], Iterable[str]],
    default: Sequence[str] = (),
    **how: Any,
) -> Field:
    """A choice of any of several names, as pills."""
    return choices(name, label, names, default, widget="pills", selection_mode="multi", wrap=True, **how)


def switch(name: str, label: str, *, widget: str = "toggle", key: str | None = None, **how: Any) -> Field:
    """A switch that is off by default."""
    return field_of(flag(name, key), label, widget, **how)


def amount(
    name: str,
    label: str,
    bounds: tuple[float, float, float],
    *,
    default: str = "",
    widget: str = "number_input",
    key: str | None = None,
    **how: Any,
) -> Field:
    """A number, whole if its bounds and step are; ``bounds`` are the lowest, the highest and the step."""
    kind = int if all(isinstance(each, int) for each in bounds) else float
    lowest, highest, step = bounds
    limits: dict[str, Any] = {"min_value": lowest, "max_value": highest, "step": step}
    if not default:
        limits["value"] = None
    return field_of(
        number(name, kind, lowest, highest, default=default, key=key), label, widget, **limits, **how
    )


def words(
    name: str, label: str, default: str, *, widget: str = "text_area", key: str | None = None, **how: Any
) -> Field:
    """An input of text."""
    return field_of(text(name, default, key), label, widget, **how)
