"""The mapping that a task fixes, on the page: nothing in the sidebar changes it."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import streamlit as st

from tted_core import DISTANCES, Comparison, EditOp, MindMap
from tted_core.annotate.reviews import Task, ops_in_order
from tted_core.annotate.studies import setting_of
from tted_core.registry import lookup
from ui.comparisons import compared
from ui.masked_models import offered_masked_models
from ui.options import Options, offered_encoders
from ui.text import markdown_escaped


def comparison_of(task: Task, options: Options) -> Comparison:
    """The comparison of a task's maps by the options that it fixes or, where it fixes none, by the sidebar's.

    Raises:
        TTEDError: it was made with a model that this page doesn't offer, or can't be made.
    """
    chosen = options_of(asdict(task.fixed.options)) if task.fixed else options
    return compared(MindMap(task.left, "tree"), MindMap(task.right, "tree"), chosen)


def ops_of(task: Task, options: Options) -> tuple[EditOp, ...]:
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


def options_of(setting: Mapping[str, Any]) -> Options:
    """The sidebar's options for a setting, as a comparison or a batch's row names it.

    Raises:
        UnknownNameError: a model that this page doesn't offer; a visitor's file may name any.
    """
    known: dict[str, Any] = {"encoder": offered_encoders()[0], "masked_model": offered_masked_models()[0]}
    model = lookup(DISTANCES, setting["distance"], "distance").model_of(
        encoder=("encoder", "encoder", offered_encoders()),
        masked_model=("masked_model", "masked model", offered_masked_models()),
    )
    if model:
        key, kind, offered = model
        lookup(dict.fromkeys(offered), setting["encoder"], f"{kind} on this page:")
        known[key] = setting["encoder"]
    rest = {name: setting[name] for name in ("distance", "order", "context", "depth", "gap", "power")}
    return Options(**known, **rest, time_limit=setting.get("time_limit"))
