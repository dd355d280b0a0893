"""Figures: texts stay data whatever they contain, and drawing can't harm the calling process."""

import os
import subprocess
import sys
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from helpers.paths import ROOT
from helpers.payloads import ALL, EXPRESSIONS, FORBIDDEN
from helpers.thorough import sampled
from helpers.trees import by_kind

from tted_core.errors import ToolError, UnknownNameError
from tted_core.figures import style
from tted_core.figures.distances import distance_by_size, heat_map
from tted_core.figures.style import RENDERERS, UNNUMBERED, render_figure
from tted_core.figures.systems import edit_bars, forest_plot
from tted_core.foundations.output import printable
from tted_core.lab.coefficients import SampleScores
from tted_core.systems import SystemScores, compare_systems

TEXTS = (*EXPRESSIONS, *FORBIDDEN)
COUNT = len(TEXTS)
DISTANCES = np.abs(np.subtract.outer(np.arange(COUNT), np.arange(COUNT))) / COUNT

# Figure -> one that shows all of ``TEXTS``.
SHOWS_TEXTS = {
    "heat_map": lambda: heat_map(TEXTS, DISTANCES, [0], "if"),
    "forest_plot": lambda: forest_plot(compare_systems(scores(), resamples=99)),
    "edit_bars": lambda: edit_bars([{"system": word, "kind": "moved", "sentences": 1.0} for word in TEXTS]),
}

# The other figures: texts are in their tooltips or titles only.
HOLDS_TEXTS = {
    "distance_by_size": lambda: distance_by_size(samples(), "constructor"),
}


def scores():
    """One system for each text."""
    values = np.outer(np.arange(COUNT), np.ones(3)) / COUNT + np.arange(3)
    return SystemScores(("x", "y", "z"), TEXTS, {"normalized": values}, frozenset(["normalized"]))


def samples():
    return [
        SampleScores(word, 5 + number, by_kind((0.1,), (0.2,), (0.3,))) for number, word in enumerate(TEXTS)
    ]


def words(svg):
    root = ET.fromstring(svg)
    return {each.text for each in root.iter("{http://www.w3.org/2000/svg}text") if each.text}


@pytest.mark.parametrize("name", sampled(SHOWS_TEXTS, 1))
def test_texts_in_a_figure_are_data(name):
    """Every word is drawn as it is, apart from what has no shape; none is part of an expression."""
    shown = {each.removeprefix("★ ") for each in words(render_figure(SHOWS_TEXTS[name](), "svg"))}
    missing = {
        word
        for word in map(printable, TEXTS)
        if not any(each == word or each.startswith(f"{word} (") for each in shown)
    }
    assert not missing


@pytest.mark.parametrize("name", sampled(HOLDS_TEXTS, 1))
def test_texts_behind_a_figure_do_not_harm_it(name):
    assert words(render_figure(HOLDS_TEXTS[name](), "svg"))


@pytest.mark.parametrize("name", sampled([*SHOWS_TEXTS, *HOLDS_TEXTS], 4))
def test_no_text_is_part_of_an_expression(name):
    def expressions(part):
        if isinstance(part, dict):
            for key, value in part.items():
                if key in {"labelExpr", "test", "filter", "calculate", "expr", "signal"}:
                    yield value
                yield from expressions(value)
        elif isinstance(part, list):
            for each in part:
                yield from expressions(each)

    known = {UNNUMBERED, "datum.medoid", "datum.control", "!datum.control"}
    spec = {**SHOWS_TEXTS, **HOLDS_TEXTS}[name]()
    assert {each for each in expressions(spec) if not each.startswith("datum.distance > ")} <= known


def test_any_text_can_be_drawn():
    rows = [{"system": text, "kind": "moved", "sentences": 1.0} for text in ALL]
    root = ET.fromstring(render_figure(edit_bars(rows), "svg"))
    names = {each.tag.rpartition("}")[2] for each in root.iter()}
    assert names <= {"svg", "g", "path", "text", "line", "rect", "circle", "defs", "clipPath"}
    assert not [
        name for each in root.iter() for name in each.attrib if name.startswith("on") or "href" in name
    ]


@pytest.mark.parametrize("ending", sampled(RENDERERS, 1))
def test_a_control_character_in_a_name_ends_nothing(ending):
    spec = {
        "mark": "text",
        "data": {"values": [{"a": name} for name in FORBIDDEN]},
        "encoding": {"text": {"field": "a"}},
    }
    assert render_figure(spec, ending).startswith({"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF"}[ending])


def test_a_drawing_process_that_dies_is_one_error():
    """vl-convert aborts the process that calls it with this; that is another one."""
    spec = {"mark": "text", "data": {"values": [{"a": "\x01"}]}, "encoding": {"text": {"field": "a"}}}
    with pytest.raises(
        ToolError, match=r"^drawing the picture failed \(its process ended with status -\d+\); "
    ):
        style.draw("vegalite_to_svg", spec)


def test_an_error_of_vl_convert_is_one_line():
    with pytest.raises(ToolError, match=r"^[^\n]*Unrecognized signal name: \"if\"[^\n]*$"):
        style.draw(
            "vegalite_to_svg",
            {"mark": "point", "data": {"values": [{}]}, "title": "if", "encoding": {}},
        )
    with pytest.raises(UnknownNameError, match="svg, png, pdf"):
        render_figure({}, "gif")


@pytest.mark.thorough
def test_drawing_does_not_depend_on_the_calling_program(tmp_path):
    """From a script without a main guard, in another folder, whose name hides a module of the library."""
    script = tmp_path / "json_like.py"
    script.write_text(
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
        "from tted_core.figures.style import render_figure\n"
        "print(len(render_figure({'mark': 'point', 'data': {'values': [{}]}, 'encoding': {}}, 'svg')) > 100)\n",
        encoding="utf-8",
    )
    (tmp_path / "vl_convert.py").write_text("raise SystemExit('the wrong one')", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": ""},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (done.stdout.strip(), done.stderr) == ("True", "")


def test_equal_names_stay_apart():
    """Of two maps called alike, each has a row and a column."""
    svg = render_figure(heat_map(["a", "a", "b"], DISTANCES[:3, :3], [], "x"), "svg")
    texts = [each.text for each in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]
    assert (texts.count("a"), texts.count("b")) == (4, 2)
