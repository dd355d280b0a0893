"""The laboratory's bench: one map, changed more and more, and what each measure makes of it."""

from dataclasses import dataclass
from functools import partial

import pandas as pd
import streamlit as st

from tted_core import MindMap, read_map
from tted_core.errors import Interrupted
from tted_core.figures import study_curves
from tted_core.lab.map_measures import map_measures
from tted_core.lab.perturbation import EXPECTATIONS, PERTURBATIONS, Study, study
from tted_core.limits import MAX_BYTES
from tted_core.method import combined
from tted_core.monitor import Monitor
from ui import cache, samples
from ui.errors import show_errors
from ui.exports import figure, table_exports
from ui.lab.measure_inputs import chosen_measures
from ui.options import UNORDERED_SECONDS, offered_encoders
from ui.part import Part
from ui.permalink import number, one_of, several_of
from ui.running import watched_on_demand
from ui.text import plural

OWN = "my own file"
OPENING = ("paraphrase", "structure", "meaning", "shuffle", "delete", "insert")

ABOUT = """Take a map, change it more and more, and look what each measure says. **Strength** is the share of the
nodes (or words) that are changed. A distance of **1** is that of the unrelated map, so that measures of different
scales can stand side by side. A good measure stays low for a *paraphrase* and rises with everything else."""


@dataclass(frozen=True)
class Asked:
    """What is to be measured."""

    tree: MindMap
    unrelated: MindMap
    perturbations: tuple[str, ...]
    encoder: str
    orders: tuple[str, ...]
    contexts: tuple[str, ...]
    baselines: tuple[str, ...]
    variants: int


def perturbation_bench() -> None:
    """Draw the bench: choices, run, curves, table, exports."""
    st.markdown(ABOUT)
    with show_errors():
        asked = _asked()
        if asked is None:
            return
        result = watched_on_demand(
            "perturbation",
            asked,
            partial(_measured, asked),
            label="Measure the variants",
            disabled=not (asked.perturbations and ((asked.orders and asked.contexts) or asked.baselines)),
        )
        if result:
            _show(result)


def _asked() -> Asked | None:
    left, right = st.columns(2)
    with left:
        tree = _map("Map to change", "perturbation-map")
    with right:
        unrelated = _map("Unrelated map", "perturbation-unrelated")
    perturbations = st.pills(
        "Changes",
        list(PERTURBATIONS),
        selection_mode="multi",
        wrap=True,
        key="perturbation-names",
        persist_state="page",
        help=" ".join(f"**{name}**: {entry.title}." for name, entry in PERTURBATIONS.items()),
    )
    with st.expander("Measures and number of variants", key="perturbation-measures"):
        encoder = st.selectbox(
            "Encoder", offered_encoders(), key="perturbation-encoder", persist_state="page"
        )
        measures = chosen_measures("perturbation")
        variants = st.slider(
            "Variants of each strength", 1, 10, key="perturbation-variants", persist_state="page"
        )
    if tree is None or unrelated is None:
        return None
    return Asked(tree, unrelated, tuple(perturbations), encoder, variants=variants, **measures)


def _map(label: str, key: str) -> MindMap | None:
    """A sample's base map, or a file of the visitor's own."""
    chosen = st.selectbox(
        label,
        [*samples.topics(), OWN],
        format_func=lambda name: name if name == OWN else samples.topic_title(name),
        key=key,
        persist_state="page",
    )
    if chosen != OWN:
        return read_map(samples.FOLDER / chosen / "base.json")
    file = st.file_uploader(
        f"File: {label.lower()}", key=f"{key}-file", max_upload_size=MAX_BYTES // 1_000_000
    )
    return cache.read(file.getvalue(), file.name) if file else None


def _measured(asked: Asked, monitor: Monitor) -> Study:
    measures = map_measures(
        combined(orders=asked.orders, contexts=asked.contexts, time_limit=UNORDERED_SECONDS),
        cache.encoder(asked.encoder),
        asked.baselines,
    )
    result = study(
        asked.tree.tree,
        asked.unrelated.tree,
        measures,
        asked.perturbations,
        seeds=range(asked.variants),
        monitor=monitor,
    )
    if not result.points:
        raise Interrupted("stopped before anything was measured; start it again")
    return result


def _show(result: Study) -> None:
    if not result.complete:
        st.warning(
            f"Stopped: the curves show the {plural(len(result.points), 'measurement')} made until then."
        )
    with st.container(key="wide-figure"):
        figure(study_curves(result), "perturbation-curves")
    table = pd.DataFrame(
        result.curves(), columns=["change", "measure", "strength", "distance", "variants"]
    ).pivot_table(index=["change", "measure"], columns="strength", values="distance", sort=False)
    table.columns = [f"{strength:.0%}" for strength in table.columns]
    table = table.reset_index()
    with st.expander("The same as a table", key="perturbation-table"):
        numbers = {name: st.column_config.NumberColumn(format="%.3f") for name in table.columns[2:]}
        st.dataframe(table, hide_index=True, column_config=numbers, width="stretch")
        table_exports(table, "perturbation-table")
    used = {PERTURBATIONS[name].kind for name in table["change"]}
    st.caption(" · ".join(f"**{kind}**: {meaning}" for kind, meaning in EXPECTATIONS.items() if kind in used))


PERTURBATION = Part(
    "Change a map step by step",
    perturbation_bench,
    (
        one_of("perturbation-map", [*samples.topics(), OWN], samples.OPENING_TOPIC),
        one_of("perturbation-unrelated", [*samples.topics(), OWN], "urban-heat"),
        several_of("perturbation-names", list(PERTURBATIONS), OPENING),
        one_of("perturbation-encoder", offered_encoders(), "minilm"),
        number("perturbation-variants", int, 1, 10, default="3"),
    ),
)
