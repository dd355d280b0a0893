"""The published arithmetic beside the right one: why the published coefficients can't be reproduced."""

import math
from typing import Any

import pandas as pd
import streamlit as st

from tted_core import read_map
from tted_core.contexts import CONTEXTS
from tted_core.lab.quality import Arithmetics, both_arithmetics
from tted_core.lab.quality.published import REFERENCE, RUSSIAN_TABLE_1, TABLE_I, TABLE_II, TABLE_III
from tted_core.solvers.edist_reference import PUBLISHED_SOLVERS
from ui import cache, samples
from ui.errors import show_errors
from ui.exports import table_exports
from ui.fields import choice
from ui.options import encoder_field
from ui.part import Part

ABOUT = f"""The coefficients in Tables I to III of {REFERENCE} can't be had with the right arithmetic. The
published code takes √(1 − cos) of a cosine in **single precision**. Of two equal sentences that cosine may come
out as 1.0000001: the root of a negative number is *not a number* (NaN), the solver never takes such a pair, and
deletes and inserts the very sentence that is there twice. Restructured maps consist of equal sentences, so their
distances come out far too large, and structure seems to count for much more than wording. Scores that came out as
NaN were left out of the published means. Here the difference of two unit vectors is taken in double precision:
equal sentences cost exactly 0."""


TOPIC = choice(
    "arithmetic-topic",
    "Sample",
    samples.topics(),
    samples.OPENING_TOPIC,
    format_func=samples.topic_title,
)
ORDER = choice("arithmetic-order", "Order", list(PUBLISHED_SOLVERS), list(PUBLISHED_SOLVERS)[1])
ENCODER = encoder_field("arithmetic-encoder")
CONTEXT = choice("arithmetic-context", "Context", list(CONTEXTS), "none")


def published_arithmetic() -> None:
    """Draw the demonstration and the published tables."""
    st.markdown(ABOUT)
    with show_errors():
        left, middle, right = st.columns(3)
        topic = TOPIC.draw(left)
        variants = [name for name in samples.files(topic) if name.startswith("structure")]
        file = middle.selectbox(
            "Restructured map", variants, format_func=samples.file_title, key="arithmetic-file"
        )
        order = ORDER.draw(right)
        left, middle, _ = st.columns(3)  # a new row, so that narrow screens keep the order
        encoder, context = ENCODER.draw(left), CONTEXT.draw(middle)
        folder = samples.FOLDER / topic
        result = both_arithmetics(
            read_map(folder / "base.json").tree,
            read_map(folder / file).tree,
            cache.encoder(encoder),
            order=order,
            context=context,
        )
        _show(result)
    st.markdown(f"**Published** ({REFERENCE}), all sizes from 5 to 25 nodes")
    _table(
        "published-coefficients",
        [
            {"method": row.method, "R_S": _spread(row.r_s), "R_M": _spread(row.r_m)}
            for row in (*TABLE_I, TABLE_III[1])
        ],
    )
    with st.expander("Mean distances as published", key="arithmetic-distances"):
        st.markdown("MPNet, 10 nodes (Table II)")
        _table(
            "published-table-2",
            [
                {"distance": name, "ρ₁": _spread(near), "ρ₃": _spread(far), "R_M": _spread(r_m)}
                for name, (near, far, r_m) in TABLE_II.items()
            ],
        )
        st.markdown("By encoder (Table 1 of the Russian paper)")
        _table(
            "published-russian-table-1",
            [
                {"encoder": name, "ρ₁": rho[0], "ρ₂": rho[1], "ρ₃": rho[2]}
                for name, rho in RUSSIAN_TABLE_1.items()
            ],
        )


def _table(name: str, rows: list[dict[str, Any]]) -> None:
    table = pd.DataFrame(rows)
    st.dataframe(table, hide_index=True, width="stretch", key=f"arithmetic-{name}")
    table_exports(table, name)


def _spread(value: tuple[float, float]) -> str:
    return f"{value[0]:.2f} ± {value[1]:.2f}"


def _show(result: Arithmetics) -> None:
    published, correct, lost = st.columns(3)
    value = "NaN" if math.isnan(result.published) else f"{result.published:.4f}"
    more = result.published - result.correct
    published.metric(
        "Distance, published arithmetic",
        value,
        delta=None if math.isnan(more) else f"{more:+.4f}",
        delta_color="inverse",
    )
    correct.metric("Distance, right arithmetic", f"{result.correct:.4f}")
    lost.metric("Equal sentences lost as NaN", f"{result.nan_pairs} of {result.equal_pairs}")


ARITHMETIC = Part(
    "The published arithmetic",
    published_arithmetic,
    (TOPIC, ORDER, ENCODER, CONTEXT),
)
