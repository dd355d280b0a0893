"""The playground: pull a lever on a sample map, and watch what every measure makes of it, or guess it first."""

from dataclasses import dataclass
from functools import partial
from hashlib import sha256

import streamlit as st

from tted_core import TextTree
from tted_core.comparing import compare_maps
from tted_core.distances import Models
from tted_core.lab.perturbation import PERTURBATIONS, perturb
from tted_core.limits import MAX_DEPTH, check_limit
from tted_core.method import Method
from ui import cache, samples
from ui.learn.encoding import ENCODER
from ui.learn.guess import guess_distance, guess_mapping
from ui.learn.reactions import DRAWN, LINES, MEASURES, STRENGTHS, reactions
from ui.learn.sample_maps import sample_tree
from ui.mapping.view import mapping_view
from ui.part import Part
from ui.permalink import number, one_of, several_of, text

MODES = {"watch": "Watch", "distance": "Guess the distance", "mapping": "Guess the mapping"}
LEVERS = tuple(
    dict.fromkeys(("paraphrase", "shuffle", "move", "meaning", "delete", "insert", *PERTURBATIONS))
)
STRENGTH_BY_NAME = {f"{strength * 100:.0f}": strength for strength in STRENGTHS}
OWN = "own"
OWN_MAP = """\
Bees
  They make honey
    From the nectar of flowers
  They pollinate plants
  A queen lays the eggs"""
MAX_NODES = 60
"""Of an own map: every measure is taken at every strength."""

LEVELS = 2
"""Levels of the map whose mapping is guessed, unless more are asked for: five nodes a side."""


@dataclass(frozen=True)
class Play:
    """What is played with: a map, what is done to it, and the map that comes out."""

    topic: str
    lever: str
    strength: float
    seed: int
    tree: TextTree
    unrelated: TextTree

    @property
    def variant(self) -> TextTree:
        """The map that comes out."""
        return perturb(self.tree, self.lever, self.strength, seed=self.seed, donor=self.unrelated)

    @property
    def name(self) -> str:
        """Tells this play from others."""
        map_name = (
            sha256("\n".join(self.tree.labels).encode()).hexdigest()[:8] if self.topic == OWN else self.topic
        )
        return f"{map_name}-{self.lever}-{self.strength:g}-{self.seed}-{len(self.tree)}"


def _draw() -> None:
    mode = st.segmented_control(
        "What to do",
        list(MODES),
        format_func=MODES.__getitem__,
        required=True,
        key="mode",
        persist_state="page",
        label_visibility="collapsed",
    )
    play = _levers(trim=mode == "mapping")
    if mode == "watch":
        _watch(play)
    elif mode == "distance":
        guess_distance(play.name, play.tree, play.variant, partial(_watch, play))
    else:
        guess_mapping(play.name, play.tree, play.variant)


def _levers(*, trim: bool) -> Play:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        topic = st.selectbox(
            "Map",
            [*samples.topics(), OWN],
            format_func=lambda name: "a map of your own" if name == OWN else samples.topic_title(name),
            key="play_topic",
            persist_state="page",
            width=210,
        )
        lever = st.selectbox(
            "Lever", LEVERS, format_func=_lever_title, key="lever", persist_state="page", width=330
        )
        strength = st.select_slider(
            "Strength",
            list(STRENGTH_BY_NAME),
            format_func=lambda name: f"{name} %",
            key="strength",
            persist_state="page",
            width=210,
            help="The share of the nodes (or words) that could be changed and are.",
        )
        seed = st.number_input(
            "Variant",
            0,
            999,
            step=1,
            key="seed",
            persist_state="page",
            width=110,
            help="Another number, another variant.",
        )
        if trim:
            levels = st.number_input(
                "Levels", 1, MAX_DEPTH, step=1, key="levels", persist_state="page", width=110
            )
    tree = _own_map() if topic == OWN else sample_tree(topic, "base.json")
    if trim:
        tree = tree.trimmed(int(levels))
    unrelated = sample_tree(
        samples.OPENING_TOPIC if topic == OWN else samples.other_topic(topic), "base.json"
    )
    st.caption(f"**{PERTURBATIONS[lever].kind}**: {PERTURBATIONS[lever].expected}.")
    return Play(topic, lever, STRENGTH_BY_NAME[strength], int(seed), tree, unrelated)


def _own_map() -> TextTree:
    st.text_area(
        "Your map",
        key="play_map",
        persist_state="page",
        height=200,
        help="One line a node, indented below its parent, or any format that the Compare page reads.",
    )
    tree = cache.read(st.session_state["play_map"], None).tree
    check_limit(len(tree), MAX_NODES, "nodes in your map", "take a smaller one to play with")
    return tree


def _lever_title(name: str) -> str:
    return f"{name}: {PERTURBATIONS[name].title}"


def _watch(play: Play) -> None:
    reactions(play.tree, play.unrelated, play.lever, play.strength, play.seed)
    with st.expander("What has changed", key="play-changes", on_change="rerun") as changes:
        if changes.open:
            mapping_view(compare_maps(play.tree, play.variant, Method(), Models(cache.encoder(ENCODER))))


PLAYGROUND = Part(
    "Playground",
    _draw,
    (
        one_of("mode", list(MODES), "watch"),
        one_of("play_topic", [*samples.topics(), OWN], samples.OPENING_TOPIC),
        text("play_map", OWN_MAP),
        one_of("lever", LEVERS, "move"),
        one_of("strength", list(STRENGTH_BY_NAME), "40"),
        number("seed", int, 0, 999, default="0"),
        several_of(LINES, list(MEASURES), DRAWN),
        number("levels", int, 1, MAX_DEPTH, default=str(LEVELS)),
    ),
)
