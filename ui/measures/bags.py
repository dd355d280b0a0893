"""Whole maps as bags of sentences against TTED, on the Measures page: what does a structure-blind measure miss?"""

from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from tted_core import Comparison
from tted_core.baselines import BaselineScore
from tted_core.comparing import compare_maps, loaded_distance
from tted_core.distances import DISTANCES, distances_at_hand
from tted_core.errors import Interrupted
from tted_core.figures import bag_scatter
from tted_core.measures.bag import BagPoint, bag_point
from tted_core.method import Method
from tted_core.monitor import Monitor
from ui import cache, samples
from ui.comparisons import models, needs_server
from ui.errors import show_errors
from ui.exports import figure, table_exports
from ui.fields import choice
from ui.options import encoder_field
from ui.part import Part
from ui.running import watched_on_demand
from ui.text import plural

ABOUT = """**What does a measure miss that sees no structure?** Here every sample is held against its own variants
twice: by TTED, and as a bag of sentences, matched one to one at the least cost whatever stands above what. The bag
is a lower bound of TTED, so no point lies below the line; **how far above it a point lies is the price of the
structure**."""

CHANGED = {
    "paraphrase": "other words",
    "structure": "another structure",
    "meaning": "another meaning",
    "demo": "a bit of everything",
    "translation": "another language",
}

ORDERS = ("constrained", "ordered")
SAME = 1e-9


@dataclass(frozen=True)
class Asked:
    """By which distance of nodes, in which order."""

    encoder: str
    distance: str
    order: str


@dataclass(frozen=True)
class Row:
    """A pair of maps, and how alike rouge_bag finds them (1: the same)."""

    point: BagPoint
    rouge_bag: float | None


def bags() -> None:
    """Draw the part."""
    st.markdown(ABOUT)
    with show_errors():
        asked = _asked()
        rows = watched_on_demand(
            "bags",
            asked,
            partial(_compared, asked),
            label="Compare our samples",
            in_server=needs_server(asked.distance),
        )
        if rows:
            _show(rows)


DISTANCE = choice("bags-distance", "Distance of nodes", distances_at_hand, "cosine")
ENCODER = encoder_field("bags-encoder")
ORDER = choice("bags-order", "Order", ORDERS, ORDERS[0])


def _asked() -> Asked:
    columns = st.columns(3)
    distance = DISTANCE.draw(columns[0])
    columns[0].caption(DISTANCES[distance].note)
    return Asked(ENCODER.draw(columns[1]), distance, ORDER.draw(columns[2]))


def _compared(asked: Asked, monitor: Monitor) -> list[Row]:
    """Every sample against its variants; what is done when the visitor stops it is kept."""
    pairs = [
        (topic, file)
        for topic in samples.topics()
        for file in samples.files(topic)
        if file.endswith(".json") and file != "base.json"
    ]
    method = Method(encoder=asked.encoder, distance=asked.distance, order=asked.order)
    distance = loaded_distance(method, models())
    rows: list[Row] = []
    for number, (topic, file) in enumerate(pairs):
        name = f"{samples.topic_title(topic)}: {samples.file_title(file).partition(':')[0]}"
        monitor.stage(f"Comparing {name}", number / len(pairs))
        base, variant = (
            cache.read(cache.sample_content(samples.FOLDER / topic / each), each)
            for each in ("base.json", file)
        )
        try:
            quiet = Monitor(should_stop=monitor.should_stop)
            comparison = compare_maps(base, variant, method, distance, baselines=["rouge_bag"], monitor=quiet)
        except Interrupted:
            if not rows:
                raise
            break
        kind = CHANGED[file.removesuffix(".json").partition("_")[0]]
        rows.append(Row(bag_point(name, kind, comparison), _rouge_bag(comparison)))
    return rows


def _rouge_bag(comparison: Comparison) -> float | None:
    """2 Sim(T, T') / (Sim(T, T) + Sim(T', T')); None if it could not be computed."""
    score = comparison.baselines["rouge_bag"]
    if not isinstance(score, BaselineScore) or not score.sim_left + score.sim_right:
        return None
    return 2 * score.sim / (score.sim_left + score.sim_right)


def _show(rows: list[Row]) -> None:
    points = [row.point for row in rows]
    moved = [point for point in points if point.kind == CHANGED["structure"]]
    blind = [point for point in moved if point.bag < SAME]
    if blind:
        tted = float(np.mean([point.tted for point in blind]))
        st.markdown(
            f"**{len(blind)} of {plural(len(moved), 'restructured map')}** are the same bag of sentences as the "
            "map that they were made of: a structure-blind measure can't tell them apart. TTED does, at "
            f"{tted:.3f} on average."
        )
    figure(bag_scatter(points), "bags")
    table = pd.DataFrame(
        {
            "Pair": row.point.name,
            "The right map has": row.point.kind,
            "Bag": row.point.bag,
            "TTED": row.point.tted,
            "Price of structure": row.point.tted - row.point.bag,
            "rouge_bag": row.rouge_bag,
        }
        for row in rows
    )
    st.dataframe(
        table,
        hide_index=True,
        width="stretch",
        column_config={
            "Bag": _number("The distance as bags of sentences, by Steinhaus: 0 to 1."),
            "TTED": _number("TTED by Steinhaus: 0 to 1."),
            "Price of structure": _number("TTED less the bag's distance."),
            "rouge_bag": _number(
                "How alike the bags are by common words, 1 for the same: 2 Sim(T, T') / (Sim(T, T) + Sim(T', T'))."
            ),
        },
    )
    table_exports(table, "bags-table")


def _number(text: str) -> ColumnConfig:
    return st.column_config.NumberColumn(format="%.3f", help=text)


BAGS = Part(
    "Maps without structure",
    bags,
    (DISTANCE, ENCODER, ORDER),
)
