"""R_S and R_M of presets or of any combination of options, on samples with known variants."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from tted_core import TextTree, parse_map
from tted_core.baselines import BASELINES
from tted_core.contexts import CONTEXTS
from tted_core.distances import distances_at_hand
from tted_core.figures import distance_by_size
from tted_core.formats import ROOTS
from tted_core.formats.folder import entry_readers
from tted_core.foundations.limits import MAX_BYTES
from tted_core.foundations.monitor import Monitor
from tted_core.lab.coefficients import FIGURES, Quality
from tted_core.lab.grid import CONTROLS, Grid
from tted_core.lab.quality import Report, Row, run_grid
from tted_core.lab.samples import VARIANT_KINDS, collect_samples, read_samples
from tted_core.method import OPTIONS, PRESETS, Method
from tted_core.solvers import SOLVERS
from ui import models, samples
from ui.exports import figure, table_exports
from ui.fields import choice, several
from ui.inputs import roots_field
from ui.model_choice import labelled_model, offered_encoders
from ui.options import UNORDERED_SECONDS
from ui.part import Part
from ui.running import watched_on_demand
from ui.text import in_page_words, markdown_escaped, plural

ABOUT = """**Does a measure see more than wording?** Each sample is a map with **paraphrases** (same
meaning, other words), **restructured** versions (same sentences, another tree) and versions of **another
meaning**."""

LEGEND = """± is the standard deviation over samples, in brackets the 95 % bootstrap interval of the mean. *Left
out*: variants at distance 0, which have no ratio; a figure is grey if more than a tenth of its variants were
left out, and *doubt* gives the reason. **A_X**: how often the base with its sentences displaced is farther than a
paraphrase. *Controls* are deliberately bad measures that show what a figure rewards. ρ₁, ρ₂, ρ₃: mean distance
to paraphrases, restructured maps and other meanings."""

SOURCES = {
    "ours": "Our samples",
    "zip": "A zip of samples",
}

COEFFICIENTS = """$R_S$ and $R_M$ are the paper's coefficients: the mean distance to a paraphrase as a share of
that to a restructured map ($R_S$) or one of another meaning ($R_M$). Below 1 a measure sees more than wording.
**Report them, but don't choose a setting by them**: a high cost of missing sentences alone lowers $R_S$,
whether or not the measure finds more errors."""

GREY = "color: #7d828b"
"""Style of unreliable figures."""

LAYOUT = (
    "Folders such as size_5/set_0 with base_tree.json, paraphrase_0.json ..., structure_0.json ..., "
    "meaning_0.json ...: the layout of the published data, or of sample_trees"
)

OF_PRESET = "If empty, the preset's."

SOURCE = choice(
    "quality-source",
    "Samples",
    list(SOURCES),
    "ours",
    widget="segmented_control",
    format_func=SOURCES.__getitem__,
    required=True,
)
CHOSEN = {
    "presets": several("quality-presets", "Presets", lambda: PRESETS, list(PRESETS)),
    "orders": several("quality-orders", "Orders", lambda: SOLVERS, ("ordered", "constrained")),
}
"""Fields that are always visible."""

MORE = {
    "encoders": several(
        "quality-encoders", "Encoders", offered_encoders, (Method.encoder,), format_func=labelled_model
    ),
    "baselines": several("quality-baselines", "Other measures", lambda: BASELINES, ("rouge_sim",)),
    "contexts": several("quality-contexts", "Contexts", lambda: CONTEXTS, help=OF_PRESET),
    "distances": several("quality-distances", "Distances", distances_at_hand, help=OF_PRESET),
}
"""Fields in the expander; an empty one means the presets' values."""


WEIGHING = {
    "gap": "0.5 is added to the distance to the empty text; =0.8 is the same for every one.",
    "power": "Costs are raised to this power, 1 or more, before they are added up.",
}
"""Help texts of options whose values can be typed in."""


def settings() -> None:
    """Draw the tab: samples, grid, run, tables, figures."""
    st.markdown(ABOUT)
    st.caption(COEFFICIENTS)
    left, middle, right = st.columns(3)
    own, file, roots = SOURCE.draw(left) == "zip", None, ROOTS[0]
    if own:
        file = st.file_uploader(
            SOURCES["zip"],
            type="zip",
            max_upload_size=MAX_BYTES // 1_000_000,
            help=f"{LAYOUT}.",
            key="quality-zip",
        )
        roots = roots_field("quality-roots").draw()
    presets, orders = CHOSEN["presets"].draw(middle), CHOSEN["orders"].draw(right)
    with st.expander("More: encoders, other measures, contexts, distances, costs", key="quality-more"):
        more = {name: tuple(field.draw()) for name, field in MORE.items()}
        more |= {f"{name}s": _typed(name, note) for name, note in WEIGHING.items()}
    if own and not file:
        st.caption(f"{LAYOUT}.")
        return
    encoders, baselines = more.pop("encoders"), more.pop("baselines")
    options = {"orders": tuple(orders)} | {name: values for name, values in more.items() if values}
    chosen: dict[str, Any] = {
        "content": file.getvalue() if file else None,
        "roots": roots,
        "presets": tuple(presets),
        "encoders": encoders,
        "baselines": baselines,
        "options": tuple(options.items()),
    }
    found = watched_on_demand(
        "quality",
        tuple(chosen.values()),
        partial(_measured, **chosen),
        disabled=not (baselines or (orders and presets)),
    )
    if found:
        _show(*found)


def _typed(name: str, note: str) -> tuple[Any, ...]:
    """Draw the input of gaps or powers that replace the presets'.

    Raises:
        OptionsError: a typed value isn't valid.
    """
    option = OPTIONS[name]
    given = st.multiselect(
        f"{option.label}: other values",
        list(dict.fromkeys(option.text(preset[name]) for preset in PRESETS.values())),
        accept_new_options=True,
        placeholder="As in the preset",
        key=f"quality-{name}s",
        persist_state="page",
        help=f"{note} You can type other values.",
    )
    return tuple(map(option.check, given))


def _measured(
    monitor: Monitor,
    *,
    content: bytes | None,
    roots: str,
    presets: Sequence[str],
    encoders: Sequence[str],
    baselines: Sequence[str],
    options: Sequence[tuple[str, tuple[Any, ...]]],
) -> tuple[Report, tuple[Quality, ...]]:
    """Measure the samples of a zip, or ours: the rows, and the coefficients of each.

    An option without values is the presets'.
    """
    monitor.stage("Reading the samples", 0.0)
    grid = Grid(
        {name: partial(models.encoder, name) for name in encoders},
        {**dict(options), "time_limit": UNORDERED_SECONDS},
        tuple(baselines),
        tuple(CONTROLS),
        [PRESETS[name] for name in presets],
    )
    notices: list[str] = []

    def tree(name: str, read: Callable[[], bytes]) -> TextTree:
        mind_map = parse_map(read(), name=name, roots=roots)
        notices.extend(f"{name}: {notice}" for notice in mind_map.notices)
        return mind_map.tree

    if content is None:
        found = read_samples(samples.FOLDER)
    else:
        trees = {name: partial(tree, name, read) for name, read in entry_readers(content).items()}
        found = collect_samples(trees, source="the zip", report=notices.append, skip_unreadable=True)
    report = run_grid(found, grid, monitor=monitor)
    qualities = tuple(row.quality for row in report.rows)
    return replace(report, notices=(*notices, *report.notices)), qualities


def _show(report: Report, qualities: Sequence[Quality]) -> None:
    for notice in report.notices:
        st.warning(markdown_escaped(in_page_words(notice)), icon=":material/warning:")
    if not report.complete:
        last = report.rows[-1]
        some = f", the last one on {plural(len(last.samples), 'sample')} only" if not last.complete else ""
        st.warning(f"Stopped: {plural(len(report.rows), 'measure')} so far{some}.")
    table = pd.DataFrame(map(_line, report.rows, qualities))
    grey = pd.DataFrame("", index=table.index, columns=table.columns)
    for row, found in enumerate(qualities):
        for name, one in found.figures.items():
            if one.doubt:
                grey.loc[row, [FIGURES[name], f"{FIGURES[name]} ±"]] = GREY
    st.dataframe(
        table.style.format(precision=2).apply(lambda _: grey, axis=None),
        hide_index=True,
        width="stretch",
        column_config=dict.fromkeys(
            table.select_dtypes("float").columns, st.column_config.NumberColumn(format="%.2f")
        ),
        key="quality-table",
    )
    st.caption(LEGEND)
    for measure, doubt in zip(report.rows, table["doubt"], strict=True):
        if doubt:
            st.caption(markdown_escaped(f"{measure.name}: {doubt}"))
    table_exports(table, "quality")
    chosen = st.selectbox("Distances of", report.rows, format_func=lambda row: row.name, key="quality-row")
    figure(distance_by_size(chosen.samples, chosen.score), "distance-by-size", "content")
    st.code(chosen.signature, language=None, wrap_lines=True)


def _line(row: Row, found: Quality) -> dict[str, Any]:
    cells: dict[str, Any] = {"measure": row.name if row.complete else f"{row.name} (not finished)"}
    for name, one in found.figures.items():
        interval = " [{:.2f}, {:.2f}]".format(*one.ci95) if one.ci95 else ""
        cells[FIGURES[name]] = one.mean
        cells[f"{FIGURES[name]} ±"] = "none" if one.std is None else f"{one.std:.2f}{interval}"
    doubts = (f"{FIGURES[name]}: {one.doubt}" for name, one in found.figures.items() if one.doubt)
    means = {
        name: float(pd.Series([value for each in row.samples for value in getattr(each, kind)]).mean())
        for name, kind in zip(("ρ₁", "ρ₂", "ρ₃"), VARIANT_KINDS, strict=True)
    }
    return cells | {
        "samples": max(found.r_s.n, found.r_m.n),
        "left out": found.r_s.dropped + found.r_m.dropped,
        "unproven": row.unproven,
        "doubt": "; ".join(doubts),
        **means,
    }


SETTINGS = Part("Settings", settings, (SOURCE, *CHOSEN.values(), *MORE.values()))
