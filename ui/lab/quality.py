"""The laboratory's scales: R_S and R_M of every measure on samples of known variants."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from tted_core import TextTree, parse_map
from tted_core.arithmetic import Gap
from tted_core.distances import distances_at_hand
from tted_core.figures import distance_boxes, distance_by_size
from tted_core.formats import ROOTS
from tted_core.formats.archive import entry_readers
from tted_core.lab.quality import (
    CONTROLS,
    FIGURES,
    VARIANT_KINDS,
    Estimate,
    Grid,
    Report,
    Row,
    Sample,
    collect_samples,
    read_samples,
    run_grid,
)
from tted_core.limits import MAX_BYTES
from tted_core.monitor import Monitor
from ui import cache, samples
from ui.comparisons import needs_server
from ui.errors import show_errors
from ui.exports import figure, table_exports
from ui.inputs import roots_choice
from ui.lab.measure_inputs import chosen_measures, chosen_weighing, greyed, several
from ui.options import UNORDERED_SECONDS, offered_encoders
from ui.part import Part
from ui.running import watched_on_demand
from ui.text import in_page_words, markdown_escaped, plural

ABOUT = """How much more does a measure see than wording? Each sample is a map with **paraphrases** (same meaning,
other words), **restructured** versions (same sentences, another tree) and versions of **another meaning**.
$R_S$ is the mean ratio of the distance to a paraphrase and that to a restructured map, $R_M$ the same for another
meaning. Below 1 the measure sees more than wording; **the smaller, the better**."""

SOURCES = {
    "ours": "Our samples",
    "zip": "A zip of samples",
    "folder": "A folder of samples",
}

LAYOUT = (
    "Folders such as size_5/set_0 with base_tree.json, paraphrase_0.json ..., structure_0.json ..., "
    "meaning_0.json ...: the layout of the published data, or of sample_trees"
)


@dataclass(frozen=True)
class Asked:
    """Samples, by source or by content, and the names to combine."""

    source: str
    files: tuple[tuple[str, bytes], ...]
    roots: str
    encoders: tuple[str, ...]
    distances: tuple[str, ...]
    orders: tuple[str, ...]
    contexts: tuple[str, ...]
    baselines: tuple[str, ...]
    gaps: tuple[Gap, ...]
    powers: tuple[float, ...]


def quality_grid() -> None:
    """Draw the tab: samples, grid, run, tables, figures."""
    st.markdown(ABOUT)
    with show_errors():
        asked = _asked()
        if asked is None:
            return
        report = watched_on_demand(
            "quality",
            asked,
            partial(_measured, asked),
            in_server=needs_server(*asked.distances),
            disabled=not (
                asked.baselines
                or all((asked.orders, asked.contexts, asked.distances, asked.gaps, asked.powers))
            ),
        )
        if report:
            _show(report)


def _asked() -> Asked | None:
    source = st.segmented_control(
        "Samples",
        list(SOURCES),
        default="ours",
        required=True,
        format_func=SOURCES.__getitem__,
        key="quality-source",
    )
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
        roots = roots_choice("quality-roots")
        files = [uploaded] if source == "zip" and uploaded else uploaded or []
    with st.expander("Grid: what is combined with what", expanded=True, key="quality-choice"):
        left, right = st.columns(2)
        with left:
            names: dict[str, Any] = dict(chosen_measures("quality"))
        with right:
            names["distances"] = several("Distances", distances_at_hand(), "quality-distances", ("cosine",))
            names["encoders"] = several("Encoders", offered_encoders(), "quality-encoders", ("minilm",))
            names |= chosen_weighing("quality")
    if source != "ours" and not files:
        st.caption(LAYOUT + ".")
        return None
    contents = tuple((file.name, file.getvalue()) for file in files)
    return Asked(source, contents, roots, **names)


def _measured(asked: Asked, monitor: Monitor) -> Report:
    monitor.stage("Reading the samples", 0.0)
    grid = Grid(
        {name: partial(cache.encoder, name) for name in asked.encoders},
        {
            "orders": asked.orders,
            "contexts": asked.contexts,
            "distances": asked.distances,
            "gaps": asked.gaps,
            "powers": asked.powers,
            "time_limit": UNORDERED_SECONDS,
        },
        asked.baselines,
        tuple(CONTROLS),
    )
    notices: list[str] = []
    report = run_grid(_samples(asked, notices.append), grid, monitor=monitor)
    return replace(report, notices=(*notices, *report.notices))


def _samples(asked: Asked, tell: Callable[[str], None]) -> tuple[Sample, ...]:
    if asked.source == "ours":
        return read_samples(samples.FOLDER)
    if asked.source == "zip":
        readers = entry_readers(asked.files[0][1])
    else:
        readers = {name: partial(bytes, content) for name, content in asked.files}
    trees = {name: partial(_tree, name, read, asked.roots, tell) for name, read in readers.items()}
    return collect_samples(trees, place=f"the {asked.source}", tell=tell, skip_unreadable=True)


def _tree(name: str, read: Callable[[], bytes], roots: str, tell: Callable[[str], None]) -> TextTree:
    mind_map = parse_map(read(), name=name, roots=roots)
    for notice in mind_map.notices:
        tell(f"{name}: {notice}")
    return mind_map.tree


def _show(report: Report) -> None:
    for notice in report.notices:
        st.warning(markdown_escaped(in_page_words(notice)), icon="⚠️")
    if not report.complete:
        unfinished = [row for row in report.rows if not row.complete]
        measured = len(next(iter(unfinished[-1].scores.values()))) if unfinished else 0
        last = f", the last one on {plural(measured, 'sample')} only" if unfinished else ""
        st.warning(f"Stopped: {plural(len(report.rows), 'measure')} so far{last}.")
    table = pd.DataFrame([_line(row) for row in report.rows])
    numbers = table.select_dtypes("float").columns
    st.dataframe(
        greyed(table, [_doubtful(row) for row in report.rows], 2),
        hide_index=True,
        width="stretch",
        column_config={name: st.column_config.NumberColumn(format="%.2f") for name in numbers},
        key="quality-table",
    )
    st.caption(
        "± is the standard deviation over samples, in brackets the 95 % bootstrap interval of the mean. "
        "*Left out*: variants at distance 0, which have no ratio; a figure is grey if more than a tenth of what "
        "makes it was left out, and *doubt* says why. **A_X**: how often the base with its sentences displaced "
        "is farther than a paraphrase; the larger the better. Controls are no good by their making, and show what "
        "a figure rewards. ρ₁, ρ₂, ρ₃: mean distance to paraphrases, "
        "restructured maps and other meanings."
    )
    for row, doubt in zip(report.rows, table["doubt"], strict=True):
        if doubt:
            st.caption(markdown_escaped(f"{row.name}: {doubt}"))
    table_exports(table, "quality")
    with st.expander("Mean distances by size", key="quality-sizes"):
        sizes = pd.DataFrame([line for row in report.rows for line in _lines_by_size(row)])
        st.dataframe(sizes, hide_index=True, width="stretch", key="quality-sizes-table")
        table_exports(sizes, "quality-by-size")
    row = st.selectbox("Distances of", report.rows, format_func=lambda row: row.name, key="quality-row")
    score, scores = next(iter(row.scores.items()))
    left, right = st.columns([3, 2])
    with left:
        figure(distance_by_size(scores, score), "distance-by-size")
    with right:
        figure(distance_boxes(scores, score), "distance-boxes")
    st.code(row.signature, language=None, wrap_lines=True)


def _line(row: Row) -> dict[str, Any]:
    found = row.quality
    overall = {
        kind: [value for sample in next(iter(row.scores.values())) for value in getattr(sample, kind)]
        for kind in VARIANT_KINDS
    }
    return {
        "measure": row.name if row.complete else f"{row.name} (not finished)",
        "R_S": found.r_s.mean,
        "R_S ±": _spread(found.r_s),
        "R_M": found.r_m.mean,
        "R_M ±": _spread(found.r_m),
        "A_X": found.a_x.mean,
        "A_X ±": _spread(found.a_x),
        "samples": max(found.r_s.n, found.r_m.n),
        "left out": found.r_s.dropped + found.r_m.dropped,
        "unproven": row.unproven,
        "doubt": "; ".join(
            f"{FIGURES[name]}: {one.doubt}" for name, one in found.figures.items() if one.doubt
        ),
        **{
            name: float(pd.Series(overall[kind]).mean())
            for name, kind in zip(("ρ₁", "ρ₂", "ρ₃"), VARIANT_KINDS, strict=True)
        },
    }


def _doubtful(row: Row) -> list[str]:
    """The columns of its figures that can't stand beside others."""
    doubted = [FIGURES[name] for name, one in row.quality.figures.items() if one.doubt]
    return [column for name in doubted for column in (name, f"{name} ±")]


def _lines_by_size(row: Row) -> Iterator[dict[str, str]]:
    """Mean and standard deviation of the distances to each kind of variant, one column for each size."""
    for kind, by_size in row.quality.rho.items():
        means = {
            f"{size} nodes": "undefined" if found.mean is None else f"{found.mean:.2f} ± {found.std:.2f}"
            for size, found in by_size.items()
        }
        yield {"measure": row.name, "variant": kind, **means}


def _spread(estimate: Estimate) -> str:
    if estimate.std is None:
        return "none"
    interval = f" [{estimate.ci95[0]:.2f}, {estimate.ci95[1]:.2f}]" if estimate.ci95 else ""
    return f"{estimate.std:.2f}{interval}"


QUALITY = Part("Structure and meaning", quality_grid)
