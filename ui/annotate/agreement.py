"""Compare annotators: maps by document and annotator, alpha over all documents, and all disagreements."""

from dataclasses import replace
from functools import partial

import pandas as pd
import streamlit as st

from tted_core import TTEDError
from tted_core.annotate.agreement import ADDED_UP, Agreement, measure_annotators
from tted_core.annotate.annotations import Annotations, read_annotations, unzip
from tted_core.annotate.merge import change_texts
from tted_core.errors import MAX_UNPACKED_BYTES, check_limit
from tted_core.explain.build import explain
from tted_core.foundations.child import run_in_child
from tted_core.foundations.messages import list_some
from tted_core.method import Method
from tted_core.notices import group_notices
from ui import models
from ui.annotate.decide import draw_upload, open_in_decide
from ui.comparisons import draw_open_button
from ui.options import sidebar
from ui.page import data_table, pick_row, show_error, show_notes, show_warnings, table_exports
from ui.running import PAGE_RUNS, run_watched
from ui.samples import FOLDER
from ui.text import counted, in_page_words, markdown_escaped

# Session keys: the upload, and whether its roles are swapped.
COLLECTION_KEY, SWAPPED_KEY = "collection-kept", "collection-swapped"

TOPICS = ("coral-reefs", "how-vaccines-work", "photosynthesis", "urban-heat")
STAND_INS = ("base", "paraphrase_1", "paraphrase_2", "structure_1")

LAYOUT = """A zip of **one folder per document**, in it **one file per annotator**, in any format that can be read:

    tides/anna.json      tides/ben.mm
    moon/anna.md         moon/ben.xmind

If folders can also be annotators, you choose. Or files alone: maps of one document, or `tides_anna.json`,
`tides_ben.mm`, ..."""

ALPHA_HELP = (
    "1 - D_o / D_e. D_o is the mean distance between two annotators' maps of one document, D_e that between any "
    "two maps. 1: all agree. 0: two maps of one document are no more similar than any two maps here. The interval "
    "is a bootstrap over documents; with fewer than ten it is rough. How high alpha can get depends on how "
    "different the documents are, so compare alphas of the same documents only. Costs are added up, as published, "
    "whatever the sidebar says: each disagreement counts in proportion to its cost."
)

DISTANCE = st.column_config.NumberColumn(format="%.3f")


def compare_annotators() -> None:
    """Draw the choice of maps, alpha, the documents and what annotators disagree on."""
    options = replace(sidebar(), gap=ADDED_UP.gap, power=ADDED_UP.power)
    found = draw_collection()
    if not found:
        return
    result = run_watched(
        "agreement",
        (tuple((*names, each.tree.digest) for names, each in found.maps.items()), options),
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


def draw_collection() -> Annotations | None:
    """Draw the choice of maps, folded to a line that says what there is; None if they can't be read."""
    files = st.session_state.get(COLLECTION_KEY)
    found, title = None, "**Maps of several annotators**: can't be read"
    try:
        with PAGE_RUNS.outside():  # also while another page reads the same, as in a class
            found = _read(files) if files else sample()
    except TTEDError as error:
        show_error(error)
    readings = (found, found.swap()) if found and files and found.can_be_swapped else ()
    swapped = st.session_state.get(SWAPPED_KEY)
    if found:
        found = (readings[bool(swapped)] if readings else found).with_roots()
        parts = [f"{counted(len(found.maps), 'map')} ({'uploaded' if files else 'sample'})"]
        if not readings or swapped is not None:
            parts.append(counted(len(found.documents), "document"))
            parts.append(f"annotators {markdown_escaped(list_some(found.annotators))}")
        title = f"**Maps of several annotators**: {', '.join(parts)}"
    with st.expander(title, expanded=not (files and found), key=f"collection-card-{bool(files and found)}"):
        st.markdown(LAYOUT)
        draw_upload("Files of maps, or a zip archive", COLLECTION_KEY)
        if not files:
            st.caption("Until there is an upload, variants of four sample maps stand in for annotators.")
        if found:
            show_warnings(
                f"{path}: can't be read: {in_page_words(reason)}" for path, reason in found.failures.items()
            )
            notices = [
                (", ".join(names), notice) for names, each in found.maps.items() for notice in each.notices
            ]
            show_notes(group_notices(notices))
    if readings:
        chosen = st.radio(
            "The names can be read in two ways. Which one is meant?",
            (False, True),
            index=None,
            format_func=[
                markdown_escaped(
                    f"Documents: {list_some(each.documents)}. Annotators: {list_some(each.annotators)}."
                )
                for each in readings
            ].__getitem__,
            key=SWAPPED_KEY,
            persist_state="session",
        )
        return None if chosen is None else found
    return found


@st.cache_data(show_spinner=False)
def sample() -> Annotations:
    """Variants of sample maps as if by annotators."""
    names = [f"{topic}/{name}.json" for topic in TOPICS for name in STAND_INS]
    return read_annotations((name, (FOLDER / name).read_bytes()) for name in names)


@st.cache_data(max_entries=8, show_spinner="Reading the maps")
def _read(files: tuple[tuple[str, bytes], ...]) -> Annotations:
    size = sum(len(content) for _, content in files)
    check_limit(size, MAX_UNPACKED_BYTES, "bytes in the files", "give fewer of them")
    found = [file for name, content in files for file in unzip(name, content)]
    call = partial(read_annotations, found, name="uploaded maps")
    return run_in_child(call, "reading the maps", "give fewer of them")


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
        f"({counted(alpha.documents, 'document')}, {counted(alpha.maps, 'map')}). Two maps of one document are "
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
    rows = []
    for name, comparison in found.items():
        for change in explain(comparison).changes:
            texts = change_texts(change)
            rows.append(
                {
                    "document": name,
                    "kind": change.kind,
                    "left": texts[0] or "",
                    "right": texts[1] or "",
                    "claim": "; ".join(flag.words for flag in change.top.flags),
                    "nodes": change.size,
                    "cost": change.cost,
                }
            )
    if not rows:
        st.success("The maps are the same.", icon=":material/check_circle:")
        return
    table = pd.DataFrame(rows).sort_values("cost", ascending=False, kind="stable", ignore_index=True)
    flagged = int(table["claim"].astype(bool).sum())
    st.caption(
        f"{counted(len(rows), 'disagreement')} in {counted(len(found), 'document')}; the claim may differ in "
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
