"""R_S and R_M of presets or of any combination of options, on samples with known variants."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from tted_core import TextTree, parse_map
from tted_core.baselines import BASELINES
from tted_core.contexts import CONTEXTS
from tted_core.distances import distances_at_hand
from tted_core.figures import distance_boxes, distance_by_size
from tted_core.formats import ROOTS
from tted_core.formats.folder import entry_readers
from tted_core.foundations.limits import MAX_BYTES
from tted_core.foundations.monitor import Monitor
from tted_core.lab.coefficients import FIGURES, Quality
from tted_core.lab.grid import CONTROLS, Grid
from tted_core.lab.quality import Report, Row, run_grid
from tted_core.lab.samples import VARIANT_KINDS, Sample, collect_samples, read_samples
from tted_core.method import OPTIONS, PRESETS, Method
from tted_core.solvers import SOLVERS
from ui import models, samples
from ui.exports import data_table, figure, table_exports
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
    "folder": "A folder of samples",
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


@dataclass(frozen=True)
class GridInputs:
    """The samples, by source or content, and the values to combine; an option without values is the presets'."""

    source: str
    files: tuple[tuple[str, bytes], ...]
    roots: str
    presets: tuple[str, ...]
    encoders: tuple[str, ...]
    baselines: tuple[str, ...]
    options: tuple[tuple[str, tuple[Any, ...]], ...]


def settings() -> None:
    """Draw the tab: samples, grid, run, tables, figures."""
    st.markdown(ABOUT)
    st.caption(COEFFICIENTS)
    inputs = _inputs()
    if inputs is None:
        return
    options = dict(inputs.options)
    found = watched_on_demand(
        "quality",
        inputs,
        partial(_measured, inputs),
        disabled=not (inputs.baselines or (options["orders"] and inputs.presets)),
    )
    if found:
        _show(*found)


def _inputs() -> GridInputs | None:
    left, middle, right = st.columns(3)
    source = SOURCE.draw(left)
    files: Any = []
    roots = ROOTS[0]
    if source != "ours":
        uploaded = st.file_uploader(
            SOURCES[source],
            type="zip" if source == "zip" else None,
            accept_multiple_files=False if source == "zip" else "directory",
            max_upload_size=MAX_BYTES // 1_000_000,
            help=LAYOUT,
            key=f"quality-{source}",
        )
        roots = roots_field("quality-roots").draw()
        files = [uploaded] if source == "zip" and uploaded else uploaded or []
    presets, orders = CHOSEN["presets"].draw(middle), CHOSEN["orders"].draw(right)
    with st.expander("More: encoders, other measures, contexts, distances, costs", key="quality-more"):
        more = {name: tuple(field.draw()) for name, field in MORE.items()}
        more |= {f"{name}s": _typed(name, note) for name, note in WEIGHING.items()}
    if source != "ours" and not files:
        st.caption(LAYOUT + ".")
        return None
    encoders, baselines = more.pop("encoders"), more.pop("baselines")
    options = {"orders": tuple(orders)} | {name: values for name, values in more.items() if values}
    contents = tuple((file.name, file.getvalue()) for file in files)
    return GridInputs(source, contents, roots, tuple(presets), encoders, baselines, tuple(options.items()))


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


def _measured(inputs: GridInputs, monitor: Monitor) -> tuple[Report, tuple[Quality, ...]]:
    """Measure the samples: the rows, and the coefficients of each."""
    monitor.stage("Reading the samples", 0.0)
    grid = Grid(
        {name: partial(models.encoder, name) for name in inputs.encoders},
        {**dict(inputs.options), "time_limit": UNORDERED_SECONDS},
        inputs.baselines,
        tuple(CONTROLS),
        [PRESETS[name] for name in inputs.presets],
    )
    notices: list[str] = []
    report = run_grid(_samples(inputs, notices.append), grid, monitor=monitor)
    qualities = tuple(row.quality for row in report.rows)
    return replace(report, notices=(*notices, *report.notices)), qualities


def _samples(inputs: GridInputs, notify: Callable[[str], None]) -> tuple[Sample, ...]:
    if inputs.source == "ours":
        return read_samples(samples.FOLDER)

    def tree(name: str, read: Callable[[], bytes]) -> TextTree:
        mind_map = parse_map(read(), name=name, roots=inputs.roots)
        for notice in mind_map.notices:
            notify(f"{name}: {notice}")
        return mind_map.tree

    readers: Mapping[str, Callable[[], bytes]] = (
        entry_readers(inputs.files[0][1])
        if inputs.source == "zip"
        else {name: partial(bytes, content) for name, content in inputs.files}
    )
    trees = {name: partial(tree, name, read) for name, read in readers.items()}
    return collect_samples(trees, source=f"the {inputs.source}", report=notify, skip_unreadable=True)


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
    with st.expander("Mean distances by size", key="quality-sizes"):
        by_size = pd.DataFrame(
            {
                "measure": measure.name,
                "variant": kind,
                **{
                    f"{size} nodes": "undefined" if one.mean is None else f"{one.mean:.2f} ± {one.std:.2f}"
                    for size, one in sizes.items()
                },
            }
            for measure, found in zip(report.rows, qualities, strict=True)
            for kind, sizes in found.rho.items()
        )
        data_table(by_size, "quality-by-size", width="stretch", key="quality-sizes-table")
    chosen = st.selectbox("Distances of", report.rows, format_func=lambda row: row.name, key="quality-row")
    left, right = st.columns([3, 2])
    with left:
        figure(distance_by_size(chosen.samples, chosen.score), "distance-by-size")
    with right:
        figure(distance_boxes(chosen.samples, chosen.score), "distance-boxes")
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
