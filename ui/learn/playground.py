"""The playground: change a map by degrees, and see how TTED and ROUGE react."""

from typing import Any

import altair as alt
import pandas as pd
import streamlit as st

from tted_core import TextTree
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.lab import map_measures
from tted_core.lab.edits import EDITS, edit_tree
from tted_core.method import Method
from ui import models, samples
from ui.comparisons import open_button
from ui.fields import amount, choice
from ui.learn.shared import LEARN_ENCODER, both_outlines, compare_small, draw_chart, sample_tree
from ui.learn.slides import slide
from ui.part import Part
from ui.running import run_watched

STRENGTHS = {f"{10 * step}": step / 10 for step in range(11)}  # by their names in a link

TOPIC = choice(
    "play_topic",
    "Map",
    samples.topics(),
    samples.OPENING_TOPIC,
    format_func=samples.topic_title,
    width=210,
)
CHANGE = choice(
    "lever",
    "Change",
    list(EDITS),
    "meaning",
    format_func=lambda name: f"{name}: {EDITS[name].title}",
    width=330,
)
STRENGTH = choice(
    "strength",
    "How much of it",
    list(STRENGTHS),
    "40",
    widget="select_slider",
    format_func=lambda name: f"{name} %",
    width=210,
    help="The share of the nodes (or words) that could be changed and are.",
)
_SEED = amount(
    "seed", "Variant", (0, 999, 1), default="0", width=110, help="Another number, another variant."
)

# Why both of these react to a change as they do.
WHY = {
    "meaning": (
        "Both rise. TTED adds a cost for each sentence, so it rises evenly. ROUGE jumps at the first "
        "change: one sentence spoils every pair (parent, child) that it is part of, and its distance is a "
        "square root."
    ),
    "synonyms": (
        "The meaning stays. ROUGE counts equal words, so other words are another text to it; TTED measures "
        "the distance of the sentences with a language model."
    ),
    "shuffle": (
        "Neither sees the order of siblings: pairs (parent, child) stay the same, and the order "
        "*constrained* ignores it. *Ordered* doesn't."
    ),
    "move": (
        "A moved branch keeps its sentences and the pairs within it, so ROUGE loses a single pair. "
        "TTED has no move: the branch is deleted and inserted, or matched under another parent."
    ),
}

WHY_IN_GENERAL = (
    "TTED adds the costs of the edits, which a language model measures. ROUGE counts equal words in "
    "pairs (parent, child), and its distance is a square root: it rises fast at first and then "
    "flattens."
)


DRAWN = ("TTED constrained", "rouge_sim")
"""The published setting, and ROUGE over edges; *ordered* is drawn beside them."""


def _draw() -> None:
    with slide(1):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            topic, change, chosen, seed = (each.draw() for each in (TOPIC, CHANGE, STRENGTH, _SEED))
        strength = STRENGTHS[chosen]
        tree, unrelated = (sample_tree(each, "base.json") for each in (topic, samples.other_topic(topic)))
        what = (tree, unrelated), change, int(seed)
        points = run_watched(
            "reactions",
            what,
            lambda monitor: measure_variants(*what, models.encoder(LEARN_ENCODER), monitor),
            stop_help="Ends without the curves.",
            shared=True,
        )
        draw_chart(_chart(points, strength))
        tted, rouge = points[points["strength"] == 1.0].set_index("measure")["distance"][[*DRAWN]]
        st.markdown(
            f"**TTED** (published setting) ends at **{tted:.0%}** of the way to a map on another topic, **ROUGE** "
            f"at **{rouge:.0%}**. {WHY.get(change, WHY_IN_GENERAL)}"
        )
    changed = variant(*what, strength)
    with st.expander(f"The map before and after, {strength:.0%} changed"):
        both_outlines(compare_small(tree, changed), ("The map", "Its variant"))
    open_button(tree, changed, Method(), "playground")


def variant(trees: tuple[TextTree, TextTree], change: str, seed: int, strength: float) -> TextTree:
    """The first map with a share of what can be changed changed; new texts are those of the second, unrelated."""
    tree, unrelated = trees
    count = round(strength * EDITS[change].sites(tree))
    return edit_tree(tree, change, count, seed=seed, texts=unrelated.labels).tree


def measure_variants(
    trees: tuple[TextTree, TextTree], change: str, seed: int, encoder: Encoder, monitor: Monitor = UNWATCHED
) -> pd.DataFrame:
    """The distance of a map to each of its variants, as a share of that to the unrelated map.

    So measures of different scales fit into one chart.
    """
    measures = map_measures((Method(), Method(order="ordered")), encoder, ("rouge_sim",))
    whole = {name: distance(*trees) for name, distance in measures.items()}
    rows = []
    for strength in monitor.over(list(STRENGTHS.values()), "Measuring the variants"):
        changed = variant(trees, change, seed, strength)
        rows += [(strength, name, distance(trees[0], changed)) for name, distance in measures.items()]
    points = pd.DataFrame(rows, columns=["strength", "measure", "distance"])
    return points.assign(distance=points["distance"] / points["measure"].map(whole))


def _chart(points: pd.DataFrame, strength: float) -> Any:
    """A line for each measure, and a rule at the strength."""
    legend = alt.Legend(title=None, symbolType="stroke", orient="top", columns=1)
    lines = (
        alt.Chart(points)
        .mark_line(point=True, strokeWidth=2)
        .encode(
            x=alt.X("strength:Q", axis=alt.Axis(format=".0%", values=[0, 0.25, 0.5, 0.75, 1])),
            y=alt.Y("distance:Q", title="distance (1 = unrelated map)"),
            color=alt.Color("measure:N", legend=legend),
            strokeDash=alt.StrokeDash("measure:N", legend=legend),
            tooltip=["measure", alt.Tooltip("strength", format=".0%"), alt.Tooltip("distance", format=".3f")],
        )
    )
    rule = alt.Chart(pd.DataFrame({"strength": [strength]})).mark_rule(strokeWidth=2, color="#7d8590")
    return alt.layer(rule.encode(x="strength:Q"), lines).properties(
        height=320, description="How each measure rises with the strength of a change."
    )


PLAYGROUND = Part("Playground", _draw, (TOPIC, CHANGE, STRENGTH, _SEED))
