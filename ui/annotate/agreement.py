"""Compare annotators: alpha over all documents; matrix, medoid and disputed nodes of each."""

from collections.abc import Callable, Hashable
from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from tted_core.annotate.agreement import (
    DIFFERENCES,
    SCORES,
    Agreement,
    AnnotatedDocument,
    DocumentAgreement,
    measure_agreement,
)
from tted_core.annotate.agreement.measure import ADDED_UP
from tted_core.arithmetic import gap_text
from tted_core.compare import Comparison
from tted_core.explain.changes import grouped
from tted_core.explain.correspondence import claim_flags
from tted_core.figures import heat_map, map_plane
from tted_core.figures.style import Spec
from tted_core.formats import map_text
from tted_core.foundations.monitor import Monitor
from tted_core.method import Method
from ui import models
from ui.annotate.collection import collection_input
from ui.annotate.decide import open_in_decide
from ui.comparisons import compare_button
from ui.exports import data_table, figure, table_exports
from ui.running import watched
from ui.text import in_page_words, markdown_escaped, plural

SCORE_TITLES = {
    "normalized": "normalized distance",
    "steinhaus": "Steinhaus distance",
    "avg_tted": "AvgTTED",
    "tted": "TTED (grows with the maps)",
}
DIFFERENCE_TITLES = {"plain": "the distance", "squared": "its square"}

WEIGHINGS = {"added up, as published": ADDED_UP, "weighed as the sidebar says": None}
"""Words -> the method whose gap and power are used; None for the sidebar's."""

ALPHA_HELP = (
    "1 - D_o / D_e. D_o is the mean distance between two annotators' maps of one document, D_e that between any "
    "two maps. 1: all agree. 0: two maps of one document are no more similar than any two maps here. The interval "
    "is a bootstrap over documents; with fewer than ten it is rough. How high alpha can get depends on how "
    "different the documents are, so compare alphas of the same documents only."
)


def compare_annotators(sidebar: Callable[[], Method]) -> None:
    """Draw the choice of maps, alpha, and one document in detail."""
    options = sidebar()
    documents = collection_input()
    with st.container(horizontal=True):
        score = st.selectbox(
            "Distance between maps", list(SCORES), format_func=SCORE_TITLES.__getitem__, width=260
        )
        difference = st.selectbox(
            "Alpha counts",
            list(DIFFERENCES),
            format_func=DIFFERENCE_TITLES.__getitem__,
            width=200,
            help="Squared, a few far disagreements weigh more; alpha for interval data is defined so.",
        )
        weighing = st.selectbox(
            "Costs are",
            list(WEIGHINGS),
            width=260,
            key="agreement-weighing",
            help="Alpha is made of mean distances, so each disagreement should count in proportion to its "
            "cost. Under *Proofreading* the worst one is nearly the whole distance: one wrong sentence counts as "
            "much as ten.",
        )
        chosen = WEIGHINGS[weighing] or options
    options = replace(options, gap=chosen.gap, power=chosen.power)
    if not documents:
        st.info("The agreement appears here once there are two maps of a document.")
        return
    key = (
        tuple((each.name, name, one.tree.digest) for each in documents for name, one in each.maps.items()),
        options,
        score,
        difference,
    )
    result = watched(
        "agreement",
        key,
        partial(_measure, documents, options, score, difference),
        stop_help="Ends without a result.",
        long=True,
    )
    _headline(result, options)
    for notice in result.notices:
        st.warning(markdown_escaped(in_page_words(notice)), icon=":material/warning:")
    _documents(result)
    _draw_disagreements(result, options)
    names = [each.name for each in result.documents]
    number = st.selectbox(
        "Document in detail", range(len(names)), format_func=names.__getitem__, key="agreement-document"
    )
    document = result.documents[number]
    if len(document.maps) > 2:
        _several(document, (key, number), score)


def _measure(
    documents: tuple[AnnotatedDocument, ...], options: Method, score: str, difference: str, monitor: Monitor
) -> Agreement:
    return measure_agreement(
        documents, options, models.models(), score=score, difference=difference, monitor=monitor
    )


def _headline(result: Agreement, options: Method) -> None:
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
        f"({plural(alpha.units, 'document')}, {plural(alpha.values, 'map')}). Two maps of one document are "
        f"**{alpha.observed:.3f}** apart on average, any two maps **{alpha.expected:.3f}**. "
        f"1 would be full agreement, 0 no more of it than between any two maps. {_weighed(options)}"
    )
    st.code(result.signature, language=None, wrap_lines=True)


def _weighed(options: Method) -> str:
    """The sentence beside alpha on how costs were weighed."""
    if (options.gap, options.power) == (ADDED_UP.gap, ADDED_UP.power):
        return "Costs are added up, as published."
    return (
        f"Costs are weighed with gap {markdown_escaped(gap_text(options.gap))} and power {options.power:g}."
    )


def _documents(result: Agreement) -> None:
    data_table(
        pd.DataFrame(
            {
                "Document": each.name,
                "Maps": len(each.maps),
                "Mean distance": each.mean_distance,
                "Alpha": each.alpha,
                "Medoid": _medoid(each),
            }
            for each in result.documents
        ),
        "tted-documents",
        column_config={
            "Mean distance": st.column_config.NumberColumn(format="%.3f"),
            "Alpha": st.column_config.NumberColumn(
                format="%.3f", help="1 - mean distance / D_e; their mean, weighted by maps, is alpha."
            ),
            "Medoid": st.column_config.TextColumn(
                help="The map nearest to the others: a draft of the reference. Of two maps there is none."
            ),
        },
    )


def _medoid(document: DocumentAgreement) -> str | None:
    """Whose map is nearest to the others, None of two maps; of several that are, the first."""
    return document.annotators[document.medoids[0]] if len(document.maps) > 2 else None


def _several(document: DocumentAgreement, key: Hashable, score: str) -> None:
    """Draw what three maps or more have: figures, the medoid, and nodes that others don't have."""
    heat, plane = watched(
        "agreement/figures",
        key,
        partial(_figures, document, score),
        stop_help="Ends without these figures.",
    )
    left, right = st.columns([3, 2], gap="medium")
    with left, st.container(key="wide-figure"):
        figure(heat, "tted-heat-map", width="content")
    with right:
        figure(plane, "tted-plane")
    medoid = document.medoids[0]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            f"**{markdown_escaped(document.annotators[medoid])}** is nearest to the others: a draft of the "
            "reference."
        )
        st.download_button(
            "Save it as JSON",
            map_text(document.maps[medoid].tree, "json")[0],
            file_name="draft-reference.json",
            mime="application/json",
            on_click="ignore",
        )
    _disputed(document, medoid)


def _figures(document: DocumentAgreement, score: str, _monitor: Monitor) -> tuple[Spec, Spec]:
    """The maps of a document as a heat map and in a plane."""
    drawn = document.annotators, document.distances, document.medoids, SCORE_TITLES[score]
    return heat_map(*drawn), map_plane(*drawn)


def _disputed(document: DocumentAgreement, medoid: int) -> None:
    st.header("Disputed nodes", anchor=False)
    only = st.segmented_control(
        "Nodes of", ("the draft reference", "all maps"), default="all maps", required=True, key="agreement-of"
    )
    rows = [
        {
            "Node": document.maps[each.map].tree.labels[each.node],
            "Map": document.annotators[each.map],
            "Missing in": ", ".join(document.annotators[other] for other in each.missing_in),
            "Share": each.missing_share,
            "Mean cost": each.mean_cost,
        }
        for each in document.disputed
        if each.missing_in and (only == "all maps" or each.map == medoid)
    ]
    data_table(
        pd.DataFrame(rows),
        "tted-disputed",
        height=320,
        column_config={
            "Node": st.column_config.TextColumn(width="large"),
            "Share": st.column_config.ProgressColumn(
                "Without partner", format="percent", min_value=0, max_value=1, help="In how many other maps."
            ),
            "Mean cost": st.column_config.NumberColumn(
                format="%.3f", help="Of its operation, over the other maps."
            ),
        },
    )


def _draw_disagreements(result: Agreement, options: Method) -> None:
    """Draw what two annotators disagree on in all documents, with the ways to Compare and Decide."""
    st.header("Disagreements", anchor=False)
    found: dict[tuple[str, str], list[tuple[str, Comparison]]] = {}
    for document in result.documents:
        for (first, second), comparison in document.comparisons.items():
            names = document.annotators[first], document.annotators[second]
            found.setdefault(names, []).append((document.name, comparison))
    pair = next(iter(found))
    if len(found) > 1:
        pair = st.selectbox("Between", list(found), format_func=" and ".join, key="agreement-pair")
    rows = sorted(
        (
            (row["cost"], number, {"document": name, **row})
            for number, (name, comparison) in enumerate(found[pair])
            for row in _disagreements(comparison)
        ),
        key=lambda each: -each[0],
    )
    if not rows:
        st.success("The maps are the same.", icon=":material/check_circle:")
        return
    table = pd.DataFrame([each[-1] for each in rows])
    flagged = int(table["claim"].astype(bool).sum())
    st.caption(
        f"{plural(len(rows), 'disagreement')} in {plural(len(found[pair]), 'document')}; in {flagged} of them the "
        "claim may differ. The buttons open the document of the selected row."
    )
    picked = st.dataframe(
        table,
        hide_index=True,
        height=320,
        on_select="rerun",
        selection_mode="single-row-required",
        key=f"disagreements-{hash((pair, result.signature))}",
        column_config={
            "left": st.column_config.TextColumn(pair[0], width="large"),
            "right": st.column_config.TextColumn(pair[1], width="large"),
            "claim": st.column_config.TextColumn(help="Numbers, negations, names and opposites that differ."),
            "cost": st.column_config.NumberColumn(format="%.3f"),
        },
    )
    name, comparison = found[pair][rows[next(iter(picked.selection.rows), 0)][1]]
    with st.container(horizontal=True, gap="small"):
        compare_button(comparison.left.tree, comparison.right.tree, options, "agreement")
        files = zip((f"{name}, {each}" for each in pair), (comparison.left, comparison.right), strict=True)
        st.button("Decide", icon=":material/merge:", on_click=open_in_decide, args=tuple(files))
        table_exports(table, "tted-disagreements")


def _disagreements(comparison: Comparison) -> list[dict[str, Any]]:
    """A row for each change between two maps, the most costly first."""
    found = grouped(comparison)
    rows: list[dict[str, Any]] = []
    for change in found.changes:
        ends = (comparison.left.tree, change.source), (comparison.right.tree, change.target)
        left, right = ("" if node is None else tree.labels[node] for tree, node in ends)
        same = (
            each for each in found.outcomes if (each.source, each.target) == (change.source, change.target)
        )
        claim = "; ".join(flag.words for each in same for flag in claim_flags(comparison, each))
        row = {"kind": change.kind, "left": left, "right": right, "claim": claim}
        rows.append(row | {"nodes": change.nodes, "cost": change.cost})
    return rows
