"""Compare annotators: alpha over all documents, the documents, and all disagreements."""

from collections.abc import Callable
from dataclasses import replace

import pandas as pd
import streamlit as st

from tted_core.annotate.agreement import ADDED_UP, Agreement, measure_annotators
from tted_core.annotate.merge import change_texts
from tted_core.explain.build import explain
from tted_core.method import Method
from ui import models
from ui.annotate.collection import draw_collection
from ui.annotate.decide import open_in_decide
from ui.comparisons import draw_open_button
from ui.exports import data_table, pick_row, table_exports
from ui.page import show_warnings
from ui.running import run_watched
from ui.text import plural

ALPHA_HELP = (
    "1 - D_o / D_e. D_o is the mean distance between two annotators' maps of one document, D_e that between any "
    "two maps. 1: all agree. 0: two maps of one document are no more similar than any two maps here. The interval "
    "is a bootstrap over documents; with fewer than ten it is rough. How high alpha can get depends on how "
    "different the documents are, so compare alphas of the same documents only. Costs are added up, as published, "
    "whatever the sidebar says: each disagreement counts in proportion to its cost."
)

DISTANCE = st.column_config.NumberColumn(format="%.3f")


def compare_annotators(sidebar: Callable[[], Method]) -> None:
    """Draw the choice of maps, alpha, the documents and what annotators disagree on."""
    options = replace(sidebar(), gap=ADDED_UP.gap, power=ADDED_UP.power)
    found = draw_collection()
    if not found:
        return
    key = (tuple((*names, each.tree.digest) for names, each in found.maps.items()), options)
    result = run_watched(
        "agreement",
        key,
        lambda monitor: measure_annotators(found.maps, options, models.models(), monitor=monitor),
        stop_help="Ends without a result.",
        long=True,
    )
    _draw_alpha(result)
    show_warnings(result.notices)
    several = any(len(each.maps) > 2 for each in result.documents)
    rows = [
        {
            "Document": each.name,
            "Maps": len(each.maps),
            "Mean distance": each.mean_distance,
            **({"Medoid": each.medoids[0] if len(each.maps) > 2 else None} if several else {}),
        }
        for each in result.documents
    ]
    medoid = "The map nearest to the others: a draft of the reference. Of two maps there is none."
    columns = {"Mean distance": DISTANCE, "Medoid": st.column_config.TextColumn(help=medoid)}
    data_table(pd.DataFrame(rows), "tted-documents", column_config=columns)
    _draw_disagreements(result, options)
    if result.alpha.value is not None:
        st.code(result.signature, language=None, wrap_lines=True)


def _draw_alpha(result: Agreement) -> None:
    alpha = result.alpha
    if alpha.value is None:
        st.info(
            "Krippendorff's alpha needs at least two documents with two maps each, and maps that differ. The "
            "distances below don't need it."
        )
        return
    number, words = st.columns([1, 4], vertical_alignment="center", gap="small")
    number.metric("Krippendorff's alpha", f"{alpha.value:.3f}", help=ALPHA_HELP)
    words.markdown(
        f"95 % interval **{alpha.low:.3f} to {alpha.high:.3f}** "
        f"({plural(alpha.documents, 'document')}, {plural(alpha.maps, 'map')}). Two maps of one document are "
        f"**{alpha.observed:.3f}** apart on average, any two maps **{alpha.expected:.3f}**. "
        "1 would be full agreement, 0 no more of it than between any two maps."
    )


def _draw_disagreements(result: Agreement, options: Method) -> None:
    """Draw what two annotators disagree on in all documents, with the ways to Compare and Decide."""
    st.header("Disagreements", anchor=False)
    every = [
        (tuple(list(document.maps)[each] for each in both), document.name, comparison)
        for document in result.documents
        for both, comparison in document.comparisons.items()
    ]
    pairs = list(dict.fromkeys(pair for pair, *_ in every))
    pair = pairs[0]
    if len(pairs) > 1:
        pair = st.selectbox("Between", pairs, format_func=" and ".join, key="agreement-pair")
    found = {name: comparison for names, name, comparison in every if names == pair}
    rows = [
        {
            "document": name,
            "kind": change.kind,
            **dict(zip(("left", "right"), (text or "" for text in change_texts(change)), strict=True)),
            "claim": "; ".join(flag.words for flag in change.top.flags),
            "nodes": change.size,
            "cost": change.cost,
        }
        for name, comparison in found.items()
        for change in explain(comparison).changes
    ]
    if not rows:
        st.success("The maps are the same.", icon=":material/check_circle:")
        return
    table = pd.DataFrame(rows).sort_values("cost", ascending=False, kind="stable", ignore_index=True)
    flagged = int(table["claim"].astype(bool).sum())
    st.caption(
        f"{plural(len(rows), 'disagreement')} in {plural(len(found), 'document')}; the claim may differ in "
        f"{flagged or 'none'} of them. The buttons open the document of the selected row."
    )
    row = pick_row(
        table,
        f"disagreements-{hash((pair, result.signature))}",
        height=320,
        column_config={
            "left": st.column_config.TextColumn(pair[0], width=280),
            "right": st.column_config.TextColumn(pair[1], width=280),
            "claim": st.column_config.TextColumn(
                help="Numbers, negations, opposites, names and modality that differ."
            ),
            "cost": DISTANCE,
        },
    )
    name = str(table["document"][row])
    comparison = found[name]
    with st.container(horizontal=True, gap="small"):
        maps = (comparison.left, comparison.right)
        left, right = (
            replace(each, name=f"{name}, {annotator}") for annotator, each in zip(pair, maps, strict=True)
        )
        draw_open_button(left, right, options, "agreement")
        st.button("Decide", icon=":material/merge:", on_click=open_in_decide, args=(left, right))
        table_exports(table, "tted-disagreements")
