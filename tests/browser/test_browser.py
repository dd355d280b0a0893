"""The application as a person meets it: a real server and a real Chromium."""

import json
from pathlib import Path

import pytest
from helpers.browser import IN_BROWSER, ROOT, graph_labels, opened_card, settle
from playwright.sync_api import Page, expect

from tted_core import compare, read_map
from tted_core.explain.build import explain
from tted_core.matching.records import STATUSES

CORAL = ROOT / "sample_trees" / "coral-reefs"

pytestmark = IN_BROWSER


def score(page: Page, label: str) -> str:
    box = page.get_by_test_id("stMetric").filter(has=page.get_by_text(label, exact=True))
    return box.get_by_test_id("stMetricValue").inner_text()


def upload(page: Page, side: str, file: Path) -> None:
    card = opened_card(page, side)
    card.get_by_role("tab", name="Upload").click()
    settle(page)
    card.locator("input[type=file]").set_input_files(file)
    expect(card.locator("summary")).to_contain_text(file.name)


def test_two_uploads_are_compared_drawn_and_downloaded(page, server, minilm, tmp_path):
    page.goto(f"{server}/?view=graph&reading=sentences")
    expect(page.get_by_text("Normalized distance ↓", exact=True)).to_be_visible()
    settle(page)
    upload(page, "left", CORAL / "base.md")
    upload(page, "right", CORAL / "structure_1.json")
    result = compare(read_map(CORAL / "base.md"), read_map(CORAL / "structure_1.json"), encoder=minilm)
    expect(
        page.get_by_test_id("stMetricValue").filter(has_text=f"{result.normalized:.3f}").first
    ).to_be_visible()
    settle(page)
    assert score(page, "Normalized distance ↓") == f"{result.normalized:.3f}"

    labels = graph_labels(page)
    assert len(labels) == len(result.left.tree) + len(result.right.tree)
    found = [node.status for of in explain(result).nodes for node in of]
    assert sorted(label[0] for label in labels) == sorted(STATUSES[kind] for kind in found)
    assert "moved" in found

    page.get_by_role("tab", name="Download and cite").click()
    settle(page)  # while the page's script runs, Streamlit may have dropped what the button would make
    page.get_by_role("button", name="Data").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="JSON", exact=True).click()
    file = tmp_path / "result.json"
    download.value.save_as(file)
    content = json.loads(file.read_text(encoding="utf-8"))
    assert content["tted"] == pytest.approx(result.tted, abs=1e-5)
    assert content["signature"] == result.signature
    power = content["options"]["power"]
    cost = sum(op["cost"] ** power for op in content["script"]) ** (1 / power)
    assert cost == pytest.approx(content["tted"], abs=1e-9)


@pytest.mark.thorough
def test_no_boxes_of_the_graph_overlap(page, server):
    page.set_viewport_size({"width": 1440, "height": 760})
    page.goto(f"{server}/?view=graph&reading=sentences")
    shown = len(graph_labels(page))
    boxes = page.locator(".graph .node:visible").evaluate_all(
        "all => all.map(box => box.getBoundingClientRect().toJSON())"
    )
    assert len(boxes) == shown > 20
    for index, box in enumerate(boxes):
        for other in boxes[index + 1 :]:
            distances = (
                box["right"] <= other["left"]
                or other["right"] <= box["left"]
                or box["bottom"] <= other["top"]
                or other["bottom"] <= box["top"]
            )
            assert distances


@pytest.mark.thorough
def test_a_box_of_the_graph_selects_its_explanation_and_chips_filter(page, server):
    page.goto(f"{server}/?view=graph&reading=sentences")
    graph_labels(page)
    why = page.locator(".st-key-why")
    for number in (3, 5):
        page.locator(".graph .node.left").nth(number).click()
        text = page.locator(".graph .node.left[aria-selected=true] .text").inner_text()
        expect(why).to_contain_text(text)
    moved = page.locator(".graph .node[data-kind=same]:not([aria-expanded])").first
    expect(moved).to_be_visible()
    page.locator(".graph .key[data-kind=same]").click()
    expect(moved).to_be_hidden()
    expect(page.locator(".graph .node[data-kind=moved]").first).to_be_visible()


def test_the_hint_changes_the_setting_and_undo_brings_it_back(page, server):
    page.goto(server)
    page.get_by_role("button", name="Near maps: use Proofreading").click()
    expect(page.get_by_role("button", name="Preset: Proofreading")).to_be_visible(timeout=30_000)
    expect(page.get_by_role("button", name="Near maps: use Proofreading")).to_have_count(0)
    settle(page)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Preset: As published")).to_be_visible()
