"""Check a map: findings by kind, each with the nodes it points to, and thresholds to turn."""

from dataclasses import fields
from typing import Any

import pandas as pd
import streamlit as st

from tted_core import MindMap, TextTree
from tted_core.annotate.checks import CHECKS, Finding, Thresholds, check_map
from ui import cache, samples
from ui.exports import table_exports
from ui.inputs import map_input
from ui.options import Options
from ui.sides import Side
from ui.text import html_escaped, label_html, plural

MAP = Side("check", "Map", samples.OPENING_PAIR[1])
SHOWN = 25
"""Findings of one check on screen; the table for download has them all."""

LABEL = 240


def check_a_map(options: Options) -> None:
    """Draw the map's card, the thresholds, and the findings."""
    mind_map = map_input(MAP)
    thresholds = _thresholds()
    if mind_map is None:
        st.info("The findings appear here once there is a map: pick a sample, paste a text or upload a file.")
        return
    findings = _found(mind_map, options.encoder, thresholds)
    tree = mind_map.tree
    if not findings:
        st.success(f"Nothing found: {len(CHECKS)} checks looked at {plural(len(tree), 'node')}.", icon="✅")
        return
    kinds = [name for name in CHECKS if any(each.check == name for each in findings)]
    st.markdown(
        f"**{plural(len(findings), 'finding')}** of {plural(len(kinds), 'kind')} in {plural(len(tree), 'node')}. "
        "A finding is a hint to look again, not a fault."
    )
    for name in kinds:
        _draw(name, [each for each in findings if each.check == name], tree)
    table_exports(_table(findings, tree), "tted-findings")


@st.cache_data(max_entries=32, show_spinner="Looking at the map")
def _found(mind_map: MindMap, encoder: str, thresholds: Thresholds) -> tuple[Finding, ...]:
    joined = mind_map.joined > 0
    return check_map(mind_map.tree, joined=joined, encoder=cache.encoder(encoder), thresholds=thresholds)


def _thresholds() -> Thresholds:
    with st.expander("Thresholds", key="check-thresholds"):
        st.caption(
            "When something is worth a finding. Distances are cosine distances of two sentences: 0 for the same, "
            "about 1 for unrelated ones. The defaults were measured with MiniLM on the sample maps; other "
            "encoders need their own."
        )
        values: dict[str, Any] = {}
        with st.container(horizontal=True):
            for each in fields(Thresholds):
                limits = each.metadata
                default: Any = each.default
                step: Any = 0.01 if isinstance(default, float) else 1
                values[each.name] = st.number_input(
                    limits["label"],
                    min_value=limits["least"],
                    max_value=limits["most"],
                    value=default,
                    step=step,
                    key=f"check-{each.name}",
                    width=240,
                )
    return Thresholds(**values)


def _draw(name: str, findings: list[Finding], tree: TextTree) -> None:
    check = CHECKS[name]
    with st.expander(f"**{check.title}** · {len(findings)}", expanded=True, key=f"check-found-{name}"):
        st.caption(check.advice)
        items = "".join(_item(each, tree) for each in findings[:SHOWN])
        st.html(f'<ol style="margin:0;padding-left:1.4rem">{items}</ol>')
        if len(findings) > SHOWN:
            st.caption(f"The first {SHOWN} are shown; the table below has all {len(findings):,}.")


def _item(finding: Finding, tree: TextTree) -> str:
    nodes = "".join(
        f'<li style="margin:.15rem 0">{label_html(tree.labels[node], LABEL)} '
        f'<span style="opacity:.75">· node {node}, level {tree.depths[node]}</span></li>'
        for node in finding.nodes[:SHOWN]
    )
    return (
        f'<li style="margin-bottom:.6rem"><span style="opacity:.85">{html_escaped(finding.text)}</span>'
        f'<ul style="margin:.1rem 0 0;padding-left:1.1rem">{nodes}</ul></li>'
    )


def _table(findings: tuple[Finding, ...], tree: TextTree) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "check": each.check,
            "finding": each.text,
            "value": each.value,
            "nodes": " ".join(map(str, each.nodes)),
            "texts": " | ".join(tree.labels[node] for node in each.nodes),
        }
        for each in findings
    )
