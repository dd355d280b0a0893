"""The user's choices: forced and forbidden pairs, kept for the visit, listed, undone and cleared.

Choices name nodes by their numbers, which mean nothing in other maps or at another depth. In the session's state,
"choices" are those for "choices-maps", the maps as compared (trimmed to the depth).
"""

import re
from collections.abc import Mapping
from typing import Any

import streamlit as st

from tted_core import Comparison, TextTree
from tted_core.compare import with_depths
from tted_core.errors import ChoiceError, UnknownNameError
from tted_core.explain.what_if import Price, under_choices
from tted_core.solvers import Choices
from tted_core.solvers.structure import Entry, entry_in_words
from ui.mapping.view import READING_CHOICE, select
from ui.page import show_error
from ui.running import run_watched
from ui.text import markdown_escaped

CHOICE = re.compile(r"(force|forbid)([0-9]{0,6})\.([0-9]{0,6})")  # one choice in a link
EARLIER = "choices-earlier"  # the session key of the choices before each one


def turn_choices_to(left: TextTree, right: TextTree, depth: int | None = None) -> None:
    """Clear the choices for other maps than these, trimmed to the depth of their comparison."""
    state = st.session_state
    maps = tuple(each.trimmed(depth or each.depth).digest for each in (left, right))
    if (state.get("choices-maps") or maps) != maps:
        state.update({"choices": Choices(), EARLIER: []})
    state["choices-maps"] = maps


def choose(entry: Entry, action: str) -> None:
    """Keep a pair in the script ("force") or out of it ("forbid"), or "clear" that; for a widget's callback.

    The edit script opens at that pair.
    """
    before = st.session_state.get("choices", Choices())
    choices = before.without(entry)
    if action != "clear":
        choices = choices.forcing(entry) if action == "force" else choices.forbidding(entry)
    st.session_state.setdefault(EARLIER, []).append(before)
    _show(choices)
    select(*entry)
    st.rerun()  # the whole page, also where a fragment has the button


def _undo() -> None:
    """Take the last choice back; of a link's choices, all."""
    _show((st.session_state.get(EARLIER) or [Choices()]).pop())


def _show(choices: Choices) -> None:
    st.session_state.update({"choices": choices, READING_CHOICE.name: "script"})


def with_choices(result: Comparison) -> Comparison:
    """The comparison under the kept choices; unchanged if there are none.

    If they exclude each other or name nodes that aren't there, none is applied.
    """
    turn_choices_to(result.left.tree, result.right.tree)
    choices: Choices = st.session_state.setdefault("choices", Choices())
    if not choices:
        return result
    try:
        return run_watched(
            "comparison/choices",
            (result.signature, choices),
            lambda monitor: with_depths(under_choices(result, choices, monitor=monitor), monitor),
            stop_help="Keeps the best edit script found so far that keeps your choices.",
        )
    except ChoiceError as error:
        show_error(error)
        st.button("Clear your choices", key="clear-choices", on_click=_show, args=(Choices(),))
        return result


def draw_choices(chosen: Comparison, free: Comparison) -> None:
    """Draw what the choices add to the distance, and the way back; nothing without choices."""
    choices: Choices = chosen.choices
    if not choices:
        return
    listed = ["All of the page shows this script; its cost is not the distance of the two maps."]
    for word, entries in (("Forced", choices.forced), ("Forbidden", choices.forbidden)):
        for entry in dict.fromkeys(entries):
            words = entry_in_words(entry, chosen.left.tree, chosen.right.tree)
            listed.append(f"{word}: {markdown_escaped(words)}")
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="choices-list"):
        st.markdown(
            f"With {len(choices)} of your choices: {free.tted:.4f} → **{chosen.tted:.4f}** "
            f"(**+{price_text(chosen.tted - free.tted)}**)",
            width="content",
            help="\n\n".join(listed),
        )
        st.button("Undo", key="undo-choice", type="tertiary", on_click=_undo)


def price_text(price: Price | float) -> str:
    """A price with no more digits than it takes to see it, such as "0.4012", "at most 3.1e-05" or "0"."""
    if isinstance(price, Price):
        return f"{'' if price.proven else 'at most '}{price_text(price.at_most)}"
    if price <= 0:
        return "0"
    return f"{price:.4f}" if price >= 0.00005 else f"{price:.1e}"


def read_choices(text: str) -> dict[str, Any]:
    """Read the choices of a link; the maps aren't known yet."""
    choices = Choices()
    for part in filter(None, text.split("_")):
        found = CHOICE.fullmatch(part)
        if not found or part.endswith(("force.", "forbid.")):
            raise UnknownNameError("no pairs of nodes such as force3.4_forbid5.")
        source, target = (int(number) if number else None for number in found.groups()[1:])
        how = choices.forcing if found[1] == "force" else choices.forbidding
        choices = how((source, target))
    return {"choices": choices, "choices-maps": None}


def write_choices(state: Mapping[str, Any]) -> str:
    """The choices as in a link: "force3.4_forbid5._force.6"; a missing number is the gap."""
    choices: Choices = state.get("choices", Choices())
    return "_".join(
        f"{word}{'' if source is None else source}.{'' if target is None else target}"
        for word, entries in (("force", choices.forced), ("forbid", choices.forbidden))
        for source, target in entries
    )
