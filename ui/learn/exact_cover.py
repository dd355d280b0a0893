"""Why the unordered distance is NP-hard, to try: choose sets, and see what the mapping costs."""

import streamlit as st

from tted_core.learn.exact_cover import INSTANCES, ExactCover
from tted_core.learn.stepper.wording import listed
from tted_core.learn.tree_picture import mapping_picture
from tted_core.learn.unit_costs import unit_costs
from tted_core.solvers import SOLVERS, mapping_cost
from ui.permalink import flag, one_of, several_of
from ui.picture import picture

NAMES = {"yes": "the first instance", "no": "the second instance"}
SETS = ("1", "2", "3", "4")
PARAMETERS = (
    flag("hard"),
    one_of("cover", list(INSTANCES), "yes"),
    several_of("sets", SETS, ("1", "3")),
)

LEAST = 900
"""Pixels of the picture, so that its 16 nodes a row can be told apart."""


def why_hard() -> None:
    """Draw it, folded away behind a toggle that the link carries."""
    if not st.toggle("Why it is NP-hard", key="hard", persist_state="page"):
        return
    st.markdown(
        "**Exact cover by 3-sets**: are there sets among these that hold each element once? That is NP-hard, and "
        "a tree edit distance answers it (Zhang, Statman and Shasha 1992). The left tree has a node S for each "
        "set, its elements below it. The right tree has all elements below its root, and a node S with three “?” "
        "for each set that an exact cover leaves out. Deleting, inserting and replacing cost 1."
    )
    name = st.segmented_control(
        "Instance",
        list(INSTANCES),
        format_func=NAMES.__getitem__,
        required=True,
        key="cover",
        persist_state="page",
        label_visibility="collapsed",
    )
    instance = INSTANCES[name or "yes"]
    chosen = st.pills(
        "Choose sets",
        SETS,
        selection_mode="multi",
        format_func=lambda each: f"S{each} = {{{', '.join(map(str, instance.sets[int(each) - 1]))}}}",
        key="sets",
        persist_state="page",
    )
    _mapping(instance, sorted(int(each) - 1 for each in chosen))
    _solved(instance)


def _mapping(instance: ExactCover, chosen: list[int]) -> None:
    """The mapping that the choice stands for, its cost, and how far it is from the bound."""
    left, right = instance.trees
    mapping = instance.mapping(chosen)
    cost = mapping_cost(unit_costs(left, right), mapping)
    title = f"The mapping of the chosen sets, which costs {cost:g}"
    dark = st.context.theme.type == "dark"
    picture(mapping_picture(left, right, mapping, dark=dark, title=title), title, stretch=True, least=LEAST)
    k, n = instance.wanted, len(instance.sets)
    bound = f"No mapping costs less than k + 3 (n − k) = {k} + 3 · ({n} − {k}) = **{instance.bound}**"
    st.markdown(f"#### This mapping costs {cost:g}; the bound is {instance.bound}")
    if instance.is_cover(chosen):
        st.success(
            f"{bound}, and this one costs just that: the chosen sets hold each element once.", icon="✅"
        )
        return
    if len(chosen) != k:
        why = f"an exact cover of {3 * k} elements has {k} sets, and {len(chosen)} are chosen"
    else:
        missing = listed([str(each) for each in instance.missing(chosen)])
        why = f"the chosen sets lack {missing}, and hold others twice"
    st.info(f"{bound}. Here it is more: {why}.")


def _solved(instance: ExactCover) -> None:
    """What the solver says, and so whether there is a cover; shown when asked for."""
    with st.expander("Is there an exact cover? Ask the solver"):
        left, right = instance.trees
        distance = SOLVERS["unordered"](left, right, unit_costs(left, right)).upper
        there_is = "there is one" if distance == instance.bound else "there is none, whatever one chooses"
        st.markdown(
            f"The unordered distance is **{distance:g}**, the bound {instance.bound}: {there_is}. A program that "
            "computed such distances quickly would answer every question of this kind quickly."
        )
        st.markdown(
            "Why the bound: the left tree has k nodes more, which must be deleted, and each “?” is replaced or "
            "inserted. To cost no more, a mapping may insert nothing and delete k nodes only. Then each S with "
            "“?” takes a whole set, the nodes deleted are those of the other k sets, and their leaves are all "
            "elements, once each: an exact cover."
        )
