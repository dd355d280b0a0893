"""The mapping that a task fixes, on the page: nothing in the sidebar changes it."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from tted_core import Comparison, EditOp, MindMap
from tted_core.annotate.reviews import Task, ops_in_order
from tted_core.annotate.studies import setting_of
from tted_core.method import Method
from tted_core.registry import lookup
from ui.comparisons import compared
from ui.masked_models import offered_masked_models
from ui.options import offered_encoders
from ui.text import markdown_escaped


def comparison_of(task: Task, options: Method) -> Comparison:
    """The comparison of a task's maps by the options that it fixes or, where it fixes none, by the sidebar's.

    Raises:
        TTEDError: it was made with a model that this page doesn't offer, or can't be made.
    """
    chosen = options_of(task.fixed.method.described) if task.fixed else options
    return compared(MindMap(task.left, "tree"), MindMap(task.right, "tree"), chosen)


def ops_of(task: Task, options: Method) -> tuple[EditOp, ...]:
    """What there is to judge; above it stands by which setting that was computed."""
    if task.fixed:
        setting = markdown_escaped(setting_of(task.fixed.signature))
        st.caption(f"🔒 Fixed for everybody, whatever the sidebar says: {setting}")
        return task.fixed.ops
    comparison = comparison_of(task, options)
    setting = markdown_escaped(setting_of(comparison.signature))
    st.caption(
        f"⚠️ This mapping was begun before mappings were fixed: it is computed as the sidebar says now, {setting}"
    )
    return tuple(ops_in_order(comparison))


def options_of(setting: Mapping[str, Any]) -> Method:
    """The method of a setting, as a comparison or a batch's row names it.

    Raises:
        UnknownNameError: a model that this page doesn't offer; a visitor's file may name any.
    """
    method = Method.of_described({"time_limit": None, **setting})
    offered = method.record.model_of(
        encoder=("encoder", offered_encoders()), masked_model=("masked model", offered_masked_models())
    )
    if offered:
        lookup(dict.fromkeys(offered[1]), method.model, f"{offered[0]} on this page:")
    return method
