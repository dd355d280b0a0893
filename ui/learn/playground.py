"""The playground: change a map step by step, and see how TTED, ROUGE and other measures react."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import altair as alt
import pandas as pd
import streamlit as st

from tted_core import TextTree
from tted_core.baselines import readable_baselines
from tted_core.batch.settings import combined
from tted_core.encoders.sentence_encoder import Encoder
from tted_core.errors import InvalidTreeError
from tted_core.formats import map_text
from tted_core.foundations.limits import check_limit
from tted_core.foundations.monitor import UNWATCHED, Monitor
from tted_core.lab import Measure, map_measures
from tted_core.lab.edits import EDITS, edited
from tted_core.method import Method
from tted_core.solvers import SOLVERS
from ui import cache, models, samples
from ui.comparisons import compare_button
from ui.exports import data_table
from ui.fields import amount, choice, choices, switch, words
from ui.inputs import found_on
from ui.learn.shared import ENCODER, both_outlines, compared, draw_chart, outline, sample_tree
from ui.learn.slides import slide
from ui.options import UNORDERED_SECONDS
from ui.part import Part
from ui.running import watched
from ui.sides import SIDES, has_own

STRENGTHS = {f"{10 * step}": step / 10 for step in range(11)}  # by their names in a link
OWN = "own"
OWN_MAP = """\
Bees
  They make honey
    From the nectar of flowers
  They pollinate plants
  A queen lays the eggs"""
MAX_NODES = 60  # of the user's own map: all measures are computed at all strengths

TOPIC = choice(
    "play_topic",
    "Map",
    [*samples.topics(), OWN],
    samples.OPENING_TOPIC,
    format_func=lambda name: "a map of your own" if name == OWN else samples.topic_title(name),
    width=210,
)
OWN_TEXT = words(
    "play_map",
    "Your map",
    OWN_MAP,
    height=200,
    help="One node per line, indented below its parent, or any format that the Compare page reads.",
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
SEED = amount("seed", "Variant", (0, 999, 1), default="0", width=110, help="Another number, another variant.")
GUESS_FIRST = switch("guess_first", "Guess first")

MOST_LINES = 5  # that can still be distinguished
DRAWN = ("TTED-constrained", "rouge_sim")  # at first: the published setting of TTED, and ROUGE over edges

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
        "*constrained* ignores it. *Ordered* doesn't: draw “TTED ordered”."
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

TITLES = ("The map", "Its variant")


def _measures(encoder: str | Encoder) -> dict[str, Measure]:
    methods = combined(orders=SOLVERS, contexts=("none", "ancestors"), time_limit=UNORDERED_SECONDS)
    measures = map_measures(methods, encoder, readable_baselines("none"))
    return {**measures, **map_measures((Method(distance="levenshtein"),), encoder)}


# What can be drawn, by its name in a link.
MEASURES = {name.replace(", ", "-").replace(" ", "-"): name for name in _measures(ENCODER)}

LINES = choices(
    "lines",
    "Lines",
    list(MEASURES),
    DRAWN,
    format_func=MEASURES.__getitem__,
    max_selections=MOST_LINES,
    help=f"Up to {MOST_LINES} measures; the table below has them all.",
)


@dataclass(frozen=True)
class Play:
    """Inputs of the curves: a map, an unrelated one, the change and its seed."""

    tree: TextTree
    unrelated: TextTree
    change: str
    seed: int

    def variant(self, strength: float) -> TextTree:
        """The changed map."""
        count = round(strength * EDITS[self.change].sites(self.tree))
        return edited(self.tree, self.change, count, seed=self.seed, texts=self.unrelated.labels).tree


def _draw() -> None:
    _take_own_map()
    with slide(1):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            topic, change, chosen, seed, guess_first = (
                each.draw() for each in (TOPIC, CHANGE, STRENGTH, SEED, GUESS_FIRST)
            )
        strength = STRENGTHS[chosen]
        if topic == OWN:
            tree, other = cache.read(OWN_TEXT.draw(), None).tree, samples.OPENING_TOPIC
            check_limit(len(tree), MAX_NODES, "nodes in your map", "take a smaller one for the playground")
        else:
            tree, other = sample_tree(topic, "base.json"), samples.other_topic(topic)
        play = Play(tree, sample_tree(other, "base.json"), change, int(seed))
        variant = play.variant(strength)
        if guess_first and not _guessed(tree, variant):
            return
        points = watched(
            "reactions",
            play,
            lambda monitor: measured(play, _measures(models.encoder(ENCODER)), monitor),
            stop_help="Keeps what has been measured so far.",
            shared=True,
        )
        _curves(change, points, strength)
    with st.container(horizontal=True):
        compare_button(tree, variant, Method(), "playground")
    with slide(2):
        with st.expander("All measures"):
            _all_measures(points[points["strength"] == strength], strength)
        with st.expander("The map before and after", key="play-changes", on_change="rerun") as changes:
            if changes.open:
                both_outlines(compared(tree, variant), TITLES)


def _take_own_map() -> None:
    """Begin with the user's own map from Compare, if possible the left one; once, and only if none was chosen."""
    state = st.session_state
    found = next((found_on(side).mind_map for side in SIDES if has_own(side)), None)
    if found is None or len(found.tree) > MAX_NODES:
        return
    before, written = state.get("play-brought"), map_text(found.tree, "markdown")[0].rstrip("\n")
    state["play-brought"] = written
    if before != written and state.get(OWN_TEXT.name, OWN_MAP) in {OWN_MAP, before}:
        state[OWN_TEXT.name] = written
        if state.get(TOPIC.name, samples.OPENING_TOPIC) == samples.OPENING_TOPIC:
            state[TOPIC.name] = OWN


def _guessed(tree: TextTree, variant: TextTree) -> bool:
    """Draw both maps and the input for a guess of the normalized distance, and after a guess the answer."""
    for column, title, each in zip(st.columns(2), TITLES, (tree, variant), strict=True):
        column.markdown(f"**{title}**")
        column.html(outline(each, {}))
    guess = st.number_input(
        "Your guess of the normalized distance",
        0.0,
        1.0,
        None,
        step=0.01,
        key=f"guess-{hash((tree, variant))}",
        width=260,
        help="0: the same map. 1: nothing in common.",
    )
    if guess is None:
        return False
    distance = compared(tree, variant).normalized
    st.markdown(
        f"The normalized distance is **{distance:.3f}**, {abs(distance - guess):.3f} from your guess."
    )
    return True


def _curves(change: str, points: pd.DataFrame, strength: float) -> None:
    """Draw the curves of a change and explain those of TTED under the published setting and of ROUGE."""
    lines = [MEASURES[line] for line in LINES.draw()]
    if lines:
        draw_chart(_chart(points, lines, strength))
    else:
        st.info("Choose what to draw.")
    ends = points[points["strength"] == 1.0].set_index("measure")["relative"]
    if not ends.empty:  # unless it was stopped
        tted, rouge = (ends[MEASURES[line]] for line in DRAWN)
        st.markdown(
            f"**TTED** (published setting) ends at **{tted:.0%}** of the way to a map on another topic, **ROUGE** "
            f"at **{rouge:.0%}**. {WHY.get(change, WHY_IN_GENERAL)}"
        )


def _all_measures(points: pd.DataFrame, strength: float) -> None:
    found = points.dropna().sort_values("relative", ascending=False)
    data_table(
        found.rename(columns={"measure": "Measure", "value": "Distance", "relative": "Of the way"})[
            ["Measure", "Distance", "Of the way"]
        ],
        "reactions",
        width="content",
        column_config={
            "Distance": st.column_config.NumberColumn(format="%.3f", help="On the measure's own scale."),
            "Of the way": st.column_config.ProgressColumn(
                format="percent",
                min_value=0.0,
                max_value=max(1.0, *found["relative"]),
                help="The distance as a share of that to a map on another topic.",
            ),
        },
    )
    st.caption(
        f"At {strength:.0%}. TTED is normalized; the others are converted from similarities to distances "
        "(rho_base)."
    )


def _chart(points: pd.DataFrame, measures: Sequence[str], strength: float) -> alt.LayerChart | alt.FacetChart:
    """A line for each measure, and a rule at the strength."""
    # One word per line on a phone, so that there is enough width for the curves.
    word_per_line = "windowSize()[0] < 640 ? split(datum.label, ' ') : datum.label"
    legend = alt.Legend(title=None, symbolType="stroke", labelLimit=320, labelExpr=word_per_line)
    lines = (
        alt.Chart(points[points["measure"].isin(measures)].dropna())
        .mark_line(point=True, strokeWidth=2)
        .encode(
            x=alt.X("strength:Q", axis=alt.Axis(format=".0%", values=[0, 0.25, 0.5, 0.75, 1])),
            y=alt.Y("relative:Q", title="distance (1 = unrelated map)"),
            color=alt.Color("measure:N", sort=measures, legend=legend),
            strokeDash=alt.StrokeDash("measure:N", sort=measures, legend=legend),
            tooltip=["measure", alt.Tooltip("strength", format=".0%"), alt.Tooltip("relative", format=".3f")],
        )
    )
    rule = alt.Chart(pd.DataFrame({"strength": [strength]})).mark_rule(strokeWidth=2, color="#7d8590")
    return alt.layer(rule.encode(x="strength:Q"), lines).properties(
        height=320, description="How each measure rises with the strength of a change."
    )


def measured(play: Play, measures: Mapping[str, Measure], monitor: Monitor = UNWATCHED) -> pd.DataFrame:
    """Measure the variants of every strength by all measures; those so far if the monitor stops it.

    Returns:
        A row for each variant and measure: ``value`` is the distance between the variant and the map, ``relative``
        that as a share of the distance to the unrelated map, so that measures of different scales fit into one
        chart. Undefined values are NaN.

    Raises:
        InvalidTreeError: all measures of the unrelated map are 0.
    """
    monitor.stage("Measuring the unrelated map", 0.0)
    scales = {name: distance(play.tree, play.unrelated) for name, distance in measures.items()}
    if not any(scales.values()):
        raise InvalidTreeError(
            "the other topic's map has distance 0 from yours; choose a map of another topic"
        )
    rows: list[tuple[float, str, float | None, float | None]] = []
    for done, strength in enumerate(STRENGTHS.values()):
        if monitor.stopped:
            break
        monitor.stage(f"Measuring {len(STRENGTHS)} variants", done / len(STRENGTHS))
        variant = play.variant(strength)
        for name, distance in measures.items():
            value, whole = distance(play.tree, variant), scales[name]
            rows.append((strength, name, value, None if value is None or not whole else value / whole))
    points = pd.DataFrame(rows, columns=["strength", "measure", "value", "relative"])
    return points.astype({"value": float, "relative": float})


PARAMETERS = (TOPIC, OWN_TEXT, CHANGE, STRENGTH, SEED, GUESS_FIRST, LINES)
PLAYGROUND = Part("Playground", _draw, PARAMETERS)
