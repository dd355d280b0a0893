"""Parts of a page, and pages that show them as tabs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from tted_core.foundations.registry import lookup
from ui.errors import show_errors
from ui.fields import Field


@dataclass(frozen=True)
class Part:
    """A part of a page: its title, the function that draws it, and its fields in the page's link."""

    title: str
    draw: Callable[..., None]
    parameters: tuple[Field, ...] = ()


def tabs_link(key: str, parts: Mapping[str, Part]) -> tuple[Field, ...]:
    """The parameters of a page of tabs: the open one by its name in ``parts``, and those of all parts."""
    names = {part.title: name for name, part in parts.items()}
    first = next(iter(parts))
    tab = Field(
        "tab",
        first,
        (key,),
        lambda text: {key: lookup(parts, text, "tab").title},
        lambda state: names.get(state.get(key, ""), first),
    )
    return (tab, *(each for part in parts.values() for each in part.parameters))


def draw_tabs(key: str, parts: Mapping[str, Part], *given: Any) -> None:
    """Draw parts as tabs, the open one with the arguments ``given``; ``key`` is the session key of its title."""
    titles = [part.title for part in parts.values()]
    for part, tab in zip(parts.values(), st.tabs(titles, key=key, on_change="rerun"), strict=True):
        if tab.open:
            with tab, show_errors():
                part.draw(*given)
