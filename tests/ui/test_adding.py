"""Extensions as described in CONTRIBUTING.md: after one entry in a registry, every page and command has it."""

import json
import sys

import numpy as np
import pytest
import streamlit as st
from helpers.command import LEFT, RIGHT
from helpers.encoders import sentence_encoder
from helpers.pages import all_scores, html, opened, option, shown
from helpers.paths import ROOT

from tted_core.annotate.checks import CHECKS, Check
from tted_core.baselines import BASELINES, Baseline, BaselineScore
from tted_core.cli import shared
from tted_core.contexts import CONTEXTS, Context
from tted_core.distances import DISTANCES, Distance
from tted_core.encoders.sentence_encoder import ENCODERS, EncoderModel
from tted_core.formats import FORMATS
from tted_core.formats.document import Format
from tted_core.formats.forest import Forest
from ui.evaluate import EVALUATE_TABS
from ui.page import PagePart

CHAIN = "reefs ==> fish ==> algae"


def node_count(left, right):
    """Number of nodes of the smaller map."""
    sizes = len(left), len(right)
    return BaselineScore(min(sizes), *sizes, abs(sizes[0] - sizes[1]) ** 0.5)


def last_words(tree):
    """The last word of each label."""
    return tuple((label.split() or [""])[-1] for label in tree.labels)


def chebyshev(left, right):
    """The largest difference in any dimension."""
    return np.abs(left[:, None, :] - right[None, :, :]).max(axis=2)


def read_chain(document):
    """Each sentence is the child of the one before it."""
    forest = Forest()
    node = -1
    for text in document.text.split("==>"):
        node = forest.add(text.strip(), node)
    return [forest]


def shouting(view):
    """Nodes in capital letters."""
    for node, label in enumerate(view.tree.labels):
        if label.isupper():
            yield (node,), "in capital letters"


@pytest.fixture(autouse=True)
def added(monkeypatch, hashed_models):
    """One of each kind, put where CONTRIBUTING.md says; no model is loaded."""
    monkeypatch.setitem(BASELINES, "node-count", Baseline(node_count, "Nodes in common, at most."))
    monkeypatch.setitem(CONTEXTS, "last-word", Context(last_words, "Only the last word is read."))
    added = Distance("chebyshev", chebyshev, "The largest difference in a dimension.")
    monkeypatch.setitem(DISTANCES, "chebyshev", added)
    model = EncoderModel("somebody/letters", "Letters", "counts letters", "English")
    monkeypatch.setitem(ENCODERS, "letters", model)
    monkeypatch.setitem(CHECKS, "shouting", Check("Shouting", "Write it in small letters.", shouting))
    monkeypatch.setitem(EVALUATE_TABS, "news", PagePart("News", lambda: st.markdown("Nothing new.")))
    # A child process has the formats of the files.
    monkeypatch.setattr("ui.map_source.run_in_child", lambda call, *_, **__: call())
    chain = Format("chain", "Chain of arrows", (".chain",), lambda each: "==>" in each.text, read_chain)
    formats = dict(FORMATS)
    FORMATS.clear()
    FORMATS.update({"chain": chain, **formats})  # before those that take nearly any text
    yield
    FORMATS.clear()
    FORMATS.update(formats)


def opened_page(file, **state):
    page = opened()
    if file:
        page.switch_page(f"pages/{file}.py")
    for key, value in state.items():
        (page.query_params if key == "tab" else page.session_state)[key.replace("_", "-")] = value
    return fine(page.run())


def fine(page):
    assert [each.value for each in (*page.exception, *page.error)] == []
    return page


def captions(page):
    return [each.value for each in page.caption]


def test_the_compare_page_lists_explains_and_uses_them():
    page = opened_page(None)
    assert list(all_scores(page))[-1] == "Node-count"
    assert "Nodes in common, at most." in html(page)
    option(page, "distance").set_value("chebyshev")
    option(page, "context").set_value("last-word")
    option(page, "encoder").set_value("letters").run()
    assert "The largest difference in a dimension." in option(fine(page), "distance").proto.captions
    assert "Only the last word is read." in option(page, "context").proto.captions
    assert "Letters: counts letters. Trained on English." in option(page, "encoder").proto.captions
    assert any("enc:letters@01234567|dist:chebyshev|ctx:last-word|" in each.value for each in page.code)
    page.text_area(key="left-text").set_value(CHAIN).run()
    assert "Chain of arrows · 3 nodes" in fine(page).expander[0].label


def test_the_command_line_takes_them(tted, tmp_path, monkeypatch):
    monkeypatch.setattr(shared, "load_encoder", lambda name, **_: sentence_encoder(name=name))
    for command in ("compare", "method", "read"):  # what is added stands before a command is imported
        monkeypatch.delitem(sys.modules, f"tted_core.cli.{command}", raising=False)
    chain = tmp_path / "map.txt"
    chain.write_text(CHAIN, encoding="utf-8")
    status, out, _ = tted("read", str(chain), "--json")
    assert (status, json.loads(out)["format"]) == (0, "chain")
    arguments = ("--encoder", "letters", "--distance", "chebyshev", "--context", "last-word", "--json")
    status, out, _ = tted("compare", LEFT, str(chain), *arguments, "--baselines", "node-count")
    content = json.loads(out)
    assert status == 0
    assert content["baselines"]["node-count"]["sim"] == 3
    assert "|enc:letters@" in content["signature"]
    assert "|dist:chebyshev|ctx:last-word|" in content["signature"]
    grid = (
        "--encoders=letters",
        "--distances=chebyshev",
        "--contexts=last-word",
        "--baselines=node-count",
    )
    status, out, _ = tted("quality", str(ROOT / "sample_trees" / "photosynthesis"), *grid, "--json")
    assert (status, len(json.loads(out)["rows"])) == (0, 2)
    status, out, _ = tted("compare", "--help")
    shown = "".join(out.split())  # names are broken at their hyphens
    for name in ("chebyshev", "last-word", "letters", "node-count", "chain"):
        assert name in shown
    assert tted("compare", LEFT, RIGHT, "--baselines", "node-count")[1].count("node-count") == 1


def test_a_check_and_a_tab(tted, tmp_path):
    (tmp_path / "map.txt").write_text("Trees\n  OAK\n  Birch\n", encoding="utf-8")
    assert "OAK" in tted("check", str(tmp_path / "map.txt"), "--checks", "shouting")[1]
    assert "Nothing new." in shown(opened("Evaluate", tab="news"))
